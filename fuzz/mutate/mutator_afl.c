/* AFL++'s way to the mutators: a shared library named by AFL_CUSTOM_MUTATOR_LIBRARY;
 * UVET_FUZZ_HARNESS names the harness, and UVET_FUZZ_MAX the most bytes of an input. */
#include <stdlib.h>
#include <string.h>

#include "mutate/mutators.h"

#define EXPORT __attribute__((visibility("default")))

/* The interface is AFL++'s; it names a fuzzer's own state `afl`. */
EXPORT void *afl_custom_init(void *afl, unsigned int seed);
EXPORT size_t afl_custom_fuzz(void *self, uint8_t *buf, size_t size, uint8_t **out, uint8_t *add,
			      size_t add_size, size_t max);
EXPORT void afl_custom_deinit(void *self);

struct state {
	const char *harness;
	struct dice dice;
	uint8_t *out;
	size_t room, most;
};

void *afl_custom_init(void *afl, unsigned int seed)
{
	struct state *s = calloc(1, sizeof *s);
	const char *harness = getenv("UVET_FUZZ_HARNESS"), *most = getenv("UVET_FUZZ_MAX");

	(void)afl;
	if (!s)
		return NULL;
	s->harness = harness ? harness : "";
	s->most = most ? strtoul(most, NULL, 10) : SIZE_MAX;
	s->dice.state = seed;
	return s;
}

size_t afl_custom_fuzz(void *self, uint8_t *buf, size_t size, uint8_t **out, uint8_t *add,
		       size_t add_size, size_t max)
{
	struct state *s = self;

	max = max < s->most ? max : s->most;
	if (max > s->room) {
		free(s->out);
		s->out = malloc(max);
		s->room = s->out ? max : 0;
	}
	*out = s->out;
	if (!s->out)
		return 0;
	return mutators_cross(s->harness, buf, size, add, add ? add_size : 0, s->out, max,
			      dice_roll(&s->dice), NULL);
}

void afl_custom_deinit(void *self)
{
	struct state *s = self;

	free(s->out);
	free(s);
}

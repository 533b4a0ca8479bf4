/* AFL++'s way to the mutator: a shared library named by AFL_CUSTOM_MUTATOR_LIBRARY, one for each format: FUZZ_FORMAT. */
#include <stdlib.h>
#include <string.h>

#include "mutate.h"

#define EXPORT __attribute__((visibility("default")))

/* The interface is AFL++'s; it names a fuzzer's own state `afl`. */
EXPORT void *afl_custom_init(void *afl, unsigned int seed);
EXPORT size_t afl_custom_fuzz(void *self, uint8_t *buf, size_t size, uint8_t **out, uint8_t *add, size_t add_size, size_t max);
EXPORT void afl_custom_deinit(void *self);

struct state {
	struct dice dice;
	uint8_t *out;
	size_t room;
};

void *afl_custom_init(void *afl, unsigned int seed)
{
	struct state *s = calloc(1, sizeof *s);

	(void)afl;
	if (s)
		s->dice.state = seed;
	return s;
}

size_t afl_custom_fuzz(void *self, uint8_t *buf, size_t size, uint8_t **out, uint8_t *add, size_t add_size, size_t max)
{
	struct state *s = self;

	if (max > s->room) {
		free(s->out);
		s->out = malloc(max);
		s->room = s->out ? max : 0;
	}
	*out = s->out;
	if (!s->out)
		return 0;
	if (size > max)
		size = max;
	if (add && add_size > 0 && dice_one_in(&s->dice, 8))
		return mutate_cross(&FUZZ_FORMAT, buf, size, add, add_size, s->out, max, dice_roll(&s->dice));
	memcpy(s->out, buf, size);
	return mutate_input(&FUZZ_FORMAT, s->out, size, max, dice_roll(&s->dice), NULL);
}

void afl_custom_deinit(void *self)
{
	struct state *s = self;

	free(s->out);
	free(s);
}

/* A row for each harness whose inputs have a form. Those of the others are bytes. */
#include "mutate/mutators.h"

#include <string.h>

#include "support/must.h"

typedef size_t change_fn(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind);
typedef size_t cross_fn(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out, size_t max, uint64_t seed);

/* ---- Formats ---------------------------------------------------------------------------------------------------------------- */

#define FORMAT(name) \
	static size_t change_##name(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind) \
	{ \
		return mutate_input(&name##_format, data, size, max, seed, blind); \
	} \
	static size_t cross_##name(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out, size_t max, uint64_t seed) \
	{ \
		return mutate_cross(&name##_format, a, a_size, b, b_size, out, max, seed); \
	}
FORMAT(umod)
FORMAT(upkg)
FORMAT(utoc)

/* ---- Text and code ----------------------------------------------------------------------------------------------------------- */

static size_t change_text(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind)
{
	struct dice dice = { seed };

	return dice_one_in(&dice, 4) ? mutate_blindly(data, size, max, &dice, blind) : mutate_text(data, size, max, &dice);
}

static size_t change_container(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind)
{
	return mutate_split(&utoc_format, data, size, max, seed, blind);
}

static size_t change_script(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind)
{
	struct dice dice = { seed };

	return dice_one_in(&dice, 8) ? mutate_blindly(data, size, max, &dice, blind) : mutate_script_tape(data, size, max, &dice);
}

/* The front of one and the back of the other. */
static size_t cross_bytes(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out, size_t max, uint64_t seed)
{
	struct dice dice = { seed };
	size_t n = (size_t)dice_below(&dice, a_size + 1), from = (size_t)dice_below(&dice, b_size + 1), m = b_size - from;

	n = n < max ? n : max;
	m = m < max - n ? m : max - n;
	if (n > 0)
		memcpy(out, a, n);
	if (m > 0)
		memcpy(out + n, b + from, m);
	return n + m;
}

/* ---- The table --------------------------------------------------------------------------------------------------------------- */

static const struct mutator {
	const char *harness;
	change_fn *change;
	cross_fn *cross;
} mutators[] = {
	{ "umod", change_umod, cross_umod },
	{ "upkg", change_upkg, cross_upkg },
	{ "utoc", change_utoc, cross_utoc },
	{ "container", change_container, cross_bytes },
	{ "dirindex", mutate_directory, cross_bytes },
	{ "uz", mutate_uz, cross_bytes },
	{ "api", mutate_calls, cross_bytes },
	{ "bytecode", change_script, cross_bytes },
	{ "manifest", change_text, cross_bytes },
	{ "options", change_text, cross_bytes },
};

static const struct mutator *find(const char *harness)
{
	static const struct mutator bytes = { "", NULL, cross_bytes };

	for (size_t i = 0; i < sizeof mutators / sizeof *mutators; i++)
		if (strcmp(mutators[i].harness, harness) == 0)
			return &mutators[i];
	return &bytes;
}

size_t mutators_change(const char *harness, uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind)
{
	const struct mutator *m = find(harness);
	struct dice dice = { seed };
	const size_t n = m->change ? m->change(data, size, max, seed, blind) : mutate_blindly(data, size, max, &dice, blind);

	MUST(n <= max, "a mutator keeps to its room");
	return n;
}

/* Fuzzers cross as often as they mutate, and a crossing costs two plans. */
enum { CROSS_PORTION = 4 };

size_t mutators_cross(const char *harness, const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out, size_t max,
		      uint64_t seed, mutate_blind *blind)
{
	struct dice dice = { seed };
	size_t n = a_size < max ? a_size : max;

	if (b_size > 0 && dice_one_in(&dice, CROSS_PORTION))
		return find(harness)->cross(a, a_size, b, b_size, out, max, dice_roll(&dice));
	if (n > 0)
		memcpy(out, a, n);
	return mutators_change(harness, out, n, max, dice_roll(&dice), blind);
}

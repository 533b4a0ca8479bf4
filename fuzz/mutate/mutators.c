/* How inputs are mutated, from the rows of fuzz/harnesses.def. */
#include "mutate/mutators.h"

#include <string.h>

#include "mutate/mutate.h"
#include "mutate/mutate_bundle.h"
#include "mutate/mutate_calls.h"
#include "mutate/mutate_dirindex.h"
#include "mutate/mutate_script.h"
#include "mutate/mutate_text.h"
#include "mutate/mutate_uz.h"
#include "support/formats.h"
#include "support/must.h"

typedef size_t change_fn(uint8_t *data, size_t size, size_t max, uint64_t seed,
			 mutate_blind *blind);

/* ---- Text and code --------------------------------------------------------------------------- */

static size_t change_text(uint8_t *data, size_t size, size_t max, uint64_t seed,
			  mutate_blind *blind)
{
	struct dice dice = { seed };

	return dice_one_in(&dice, 4) ? mutate_blindly(data, size, max, &dice, blind)
				     : mutate_text(data, size, max, &dice);
}

static size_t change_words(uint8_t *data, size_t size, size_t max, uint64_t seed,
			   mutate_blind *blind, const struct mutate_words *words)
{
	struct dice dice = { seed };

	return dice_one_in(&dice, 8) ? mutate_blindly(data, size, max, &dice, blind)
				     : mutate_words(data, size, max, &dice, words);
}

static size_t change_config(uint8_t *data, size_t size, size_t max, uint64_t seed,
			    mutate_blind *blind)
{
	static const struct mutate_words words = { config_tokens, TOKENS(config_tokens) };

	return change_words(data, size, max, seed, blind, &words);
}

static size_t change_baseline(uint8_t *data, size_t size, size_t max, uint64_t seed,
			      mutate_blind *blind)
{
	static const struct mutate_words words = { baseline_tokens, TOKENS(baseline_tokens) };

	return change_words(data, size, max, seed, blind, &words);
}

static size_t change_container(uint8_t *data, size_t size, size_t max, uint64_t seed,
			       mutate_blind *blind)
{
	return mutate_bundle(&utoc_format, data, size, max, seed, blind);
}

static size_t change_script(uint8_t *data, size_t size, size_t max, uint64_t seed,
			    mutate_blind *blind)
{
	struct dice dice = { seed };

	return dice_one_in(&dice, 8) ? mutate_blindly(data, size, max, &dice, blind)
				     : mutate_script_input(data, size, max, &dice);
}

/* The front of one and the back of the other. */
static size_t cross_bytes(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
			  uint8_t *out, size_t max, uint64_t seed)
{
	struct dice dice = { seed };
	size_t n = (size_t)dice_below(&dice, a_size + 1),
	       from = (size_t)dice_below(&dice, b_size + 1), m = b_size - from;

	n = n < max ? n : max;
	m = m < max - n ? m : max - n;
	if (n > 0)
		memcpy(out, a, n);
	if (m > 0)
		memcpy(out + n, b + from, m);
	return n + m;
}

/* ---- The table ------------------------------------------------------------------------------- */

static const struct mutator {
	const char *harness;
	const struct format *fields; /* NULL: inputs are no file of a format */
	change_fn *change;           /* NULL: they are bytes */
} mutators[] = {
#define FIELDS(name) &name##_format, NULL
#define FORM(change) NULL, change
#define BYTES NULL, NULL
#define HARNESS(name, source, form, longest, share) { #name, form },
#include "harnesses.def"
#undef HARNESS
/* Found last: the harness that a format has without a row there. */
#define FORMAT(name, ...) { #name, FIELDS(name) },
#include "formats.def"
#undef FORMAT
};

static const struct mutator *find(const char *harness)
{
	static const struct mutator bytes = { "", BYTES };

	for (size_t i = 0; i < sizeof mutators / sizeof *mutators; i++)
		if (strcmp(mutators[i].harness, harness) == 0)
			return &mutators[i];
	return &bytes;
}

static size_t change(const struct mutator *m, uint8_t *data, size_t size, size_t max, uint64_t seed,
		     mutate_blind *blind)
{
	struct dice dice = { seed };

	if (m->fields)
		return mutate_input(m->fields, data, size, max, seed, blind);
	return m->change ? m->change(data, size, max, seed, blind)
			 : mutate_blindly(data, size, max, &dice, blind);
}

size_t mutators_change(const char *harness, uint8_t *data, size_t size, size_t max, uint64_t seed,
		       mutate_blind *blind)
{
	const size_t n = change(find(harness), data, size, max, seed, blind);

	MUST(n <= max, "a mutator keeps to its room");
	return n;
}

/* Fuzzers cross as often as they mutate, and a crossing costs two plans. */
enum { CROSS_PORTION = 4 };

size_t mutators_cross(const char *harness, const uint8_t *a, size_t a_size, const uint8_t *b,
		      size_t b_size, uint8_t *out, size_t max, uint64_t seed, mutate_blind *blind)
{
	const struct format *fields = find(harness)->fields;
	struct dice dice = { seed };
	size_t n = a_size < max ? a_size : max;

	if (b_size > 0 && dice_one_in(&dice, CROSS_PORTION))
		return fields ? mutate_cross(fields, a, a_size, b, b_size, out, max,
					     dice_roll(&dice))
			      : cross_bytes(a, a_size, b, b_size, out, max, dice_roll(&dice));
	if (n > 0)
		memcpy(out, a, n);
	return mutators_change(harness, out, n, max, dice_roll(&dice), blind);
}

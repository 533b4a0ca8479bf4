/* Batches of names: those of the input, against a slow reading by conformance/spec/iostore.md, 9;
 * memory may end at any time. */
#include <stdlib.h>
#include <string.h>

#include "formats/iostore/names/names.h"
#include "reference/reference_names.h"
#include "reference/reference_utoc.h"
#include "support/memory.h"
#include "support/must.h"
#include "support/random.h"
#include "targets/harness.h"

/* The input: flags; how many bytes come before the batch, or, in the form of UE4, how many at the
 * end are hashes; and the bytes. */
enum { HINTS = 2, LEN_MAX = 4096 };
enum hint { INTERLEAVED = 1, ONCE = 2, RIGHT_HASHES = 4 };

static bool is_high(uint64_t unit)
{
	return unit >= 0xD800 && unit < 0xDC00;
}

static bool is_low(uint64_t unit)
{
	return unit >= 0xDC00 && unit < 0xE000;
}

static bool is_broken(const uint8_t *p, const struct reference_text *n)
{
	for (uint64_t i = 0; i < n->n; i++) {
		const uint64_t unit = reference_text_unit(p, n, i);

		if (unit == 0)
			return true;
		if (!n->wide)
			continue;
		if (is_high(unit) && !is_low(reference_text_unit(p, n, i + 1)))
			return true;
		if (is_low(unit) && (i == 0 || !is_high(reference_text_unit(p, n, i - 1))))
			return true;
	}
	return false;
}

static bool is_repeated(const struct reference_batch *s, uint64_t i)
{
	for (uint64_t k = 0; k < i; k++)
		if (s->names[k].n == s->names[i].n && s->names[k].wide == s->names[i].wide &&
		    memcmp(s->p + s->names[k].at, s->p + s->names[i].at,
			   reference_text_len(&s->names[i])) == 0)
			return true;
	return false;
}

/* What is the matter with name i, if the algorithm is the right one or not. */
static uint32_t traits_of(const struct reference_batch *s, uint64_t i, bool is_right, bool once)
{
	const struct reference_text *n = &s->names[i];
	uint32_t traits = once && is_repeated(s, i) ? NAME_REPEATED : 0;

	if (n->n == 0)
		return traits | NAME_EMPTY;
	if (n->wide == reference_text_is_ascii(s->p, n))
		traits |= NAME_ENCODING;
	if (is_broken(s->p, n))
		traits |= NAME_BROKEN;
	if (n->n > REFERENCE_NAME_LONGEST)
		return traits | NAME_LONG;
	if (is_right && reference_text_is_ascii(s->p, n) && i < s->n_hashes &&
	    reference_text_hash(s->p, n) != reference_read(s->p + s->hashes_at + 8 * i, 8))
		traits |= NAME_HASH;
	return traits;
}

/* ---- Both ------------------------------------------------------------------------------------ */

static void compare(const struct name_batch *b, const struct reference_batch *s, bool once)
{
	uint32_t seen = 0;

	for (uint64_t i = 0; i < s->n; i++) {
		const uint32_t traits = traits_of(s, i, b->algorithm == NAME_ALGORITHM, once);
		struct name_row row;

		names_row(b, i, &row);
		MUST(row.traits == traits, "what is wrong with a name is what the clauses say");
		MUST(row.at == s->names[i].at && row.n_units == s->names[i].n &&
			     row.wide == s->names[i].wide,
		     "a name lies where the clauses say");
		seen |= traits;
	}
	MUST(b->seen == seen, "what is wrong with any name is summed up");
}

static void check(struct name_batch *b, const struct reference_batch *s, bool once,
		  struct arena *arena)
{
	if (!names_read(b, arena, once)) {
		MUST(arena->refused || arena->over_budget, "only memory stops names");
		return;
	}
	MUST(names_are_read(b) == s->adds_up, "names are read if their lengths add up");
	if (names_are_read(b))
		compare(b, s, once);
}

static bool find(struct name_batch *b, uint8_t *p, uint64_t size, uint8_t flags, uint64_t hint,
		 struct reference_batch *s)
{
	const uint64_t hashes = hint < size ? hint : size, at = hashes;

	if (flags & INTERLEAVED)
		reference_batch_read_old(s, p, size - hashes, hashes);
	else
		reference_batch_read(s, p, size, at);
	if (flags & RIGHT_HASHES && s->fits && s->adds_up)
		reference_batch_repair(s, p);
	if (flags & INTERLEAVED)
		return names_find_interleaved(
			b, (struct held){ p, size }, (struct span){ 0, size - hashes },
			(struct held){ p + size - hashes, hashes }, size - hashes);
	return names_find(b, (struct held){ p, size }, at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct reference_batch slow;
	struct dice dice = { random_hash(data, size) };
	struct memory memory;
	struct arena arena;
	struct name_batch batch;
	uint8_t *p;
	bool found;

	if (size < HINTS || size > LEN_MAX)
		return 0;
	p = malloc(size);
	if (!p)
		abort();
	memcpy(p, data + HINTS, size - HINTS);
	found = find(&batch, p, size - HINTS, data[0], data[1], &slow);
	MUST(found == slow.fits, "a batch is found if it fits");
	MUST(!found || batch.n == slow.n, "a batch has its names");
	MUST(!found || batch.end == slow.end, "a batch ends where the clauses say");
	memory_init(&memory, 0xA5);
	if (dice_one_in(&dice, 8))
		memory.fail_at = dice_below(&dice, 5);
	arena_init(&arena, memory_allocator(&memory), UINT64_MAX);
	if (found)
		check(&batch, &slow, (data[0] & ONCE) != 0, &arena);
	arena_free(&arena);
	MUST(memory.n_live == 0, "an arena gives everything back");
	free(p);
	return 0;
}

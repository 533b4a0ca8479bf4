/* The stages of a .uz, from its codes to the file: symbols, runs (5678 only), move-to-front, sorted
 * blocks, runs. */
#include "formats/compressed/uz.h"

#include "codec/mtf.h"
#include "core/mutant.h"

/* How many symbols are decoded before work is charged again. */
#define SLICE ((uint64_t)1048576)

/* From this many symbols on, a table for the Huffman code saves more time than it takes to
 * build. */
#define FAST_FROM ((uint64_t)8192)

/* The output of a stage, in the arena: n bytes. */
struct stage {
	uint8_t *bytes;
	uint64_t n;
};

/* Tells whether the limits allow an output of n bytes; if not, notes how long it would be. */
static bool may_unpack(struct decode *d, struct uz *u, uint32_t group, uint64_t n)
{
	if (decode_may_unpack(d, group, n, (struct span){ 0, u->size }))
		return true;
	u->over = n;
	return false;
}

/* ---- The codes ------------------------------------------------------------------------------- */

/* How many symbols the codes can be: the total, or fewer if there are not enough bits for that.
 * Memory is taken for no more. */
static uint64_t symbols_at_most(const struct uz *u)
{
	const uint64_t bits = 8 * u->data.len - u->huffman->bit, shortest = u->huffman->shortest;

	return shortest == 0 || u->codes.total < bits / shortest ? u->codes.total : bits / shortest;
}

/* Reads the rest of the file: tree and codes. */
static bool open_codes(struct decode *d, struct uz *u)
{
	struct cursor window;

	if (!unpacked_take(d, UZ_CODES, u->data) || !decode_window(d, UZ_CODES, u->data, &window))
		return false;
	u->huffman->n_in = u->data.len;
	if (!cursor_bytes(&window, u->data.len, &u->huffman->in))
		return decode_stop(d, UZ_CODES, STOP_MALFORMED, u->data);
	return true;
}

static bool decode_slices(struct decode *d, struct uz *u, struct stage *s, uint64_t most)
{
	uint64_t n = SLICE, done = SLICE;

	while (s->n < most && done == n) {
		n = most - s->n < SLICE ? most - s->n : SLICE;
		if (!unpacked_spend(d, UZ_CODES, n))
			return false;
		done = huffman_decode(u->huffman, s->bytes + s->n, n);
		s->n += done;
	}
	return true;
}

static bool decode_codes(struct decode *d, struct uz *u, struct stage *s)
{
	uint64_t most = symbols_at_most(u), used;

	if (most < u->codes.total && most > decode_unpack_max(d, u->size)) {
		u->defects |= UZ_CODES_TOO_FEW;
		return decode_stop(d, UZ_SYMBOLS, STOP_MALFORMED, u->data);
	}
	if (!may_unpack(d, u, UZ_CODES, most) || !open_codes(d, u))
		return false;
	s->bytes = decode_alloc(d, UZ_CODES, most, 1);
	if (!s->bytes)
		return false;
	if (most >= FAST_FROM)
		huffman_make_fast(u->huffman);
	if (!decode_slices(d, u, s, most))
		return false;
	u->n_symbols = s->n;
	if (s->n < u->codes.total) {
		u->defects |= UZ_SYMBOLS_MISSING;
		return decode_stop(d, UZ_SYMBOLS, STOP_MALFORMED, u->data);
	}
	used = (u->huffman->bit + 7) / 8;
	u->n_unused = u->data.len - used;
	if (u->n_unused > (uint64_t)MUTANT(54)) /* mutant: one byte may be left over */
		u->defects |= UZ_LEFT_OVER;
	u->data.len = used;
	return true;
}

/* ---- The stages after them ------------------------------------------------------------------- */

/* Undoes the runs of `from` into `to`, n bytes. */
static bool expand(struct decode *d, struct uz *u, uint32_t group, const struct stage *from,
		   uint64_t n, struct stage *to)
{
	if (!may_unpack(d, u, group, n) || !unpacked_spend(d, group, n))
		return false;
	to->bytes = decode_alloc(d, group, n, 1);
	if (!to->bytes)
		return false;
	to->n = n;
	runs_expand(from->bytes, from->n, to->bytes);
	return true;
}

static bool undo_inner_runs(struct decode *d, struct uz *u, struct stage *s)
{
	struct stage out;

	if (u->kind == UZ_KIND_OLD)
		return true;
	u->inner = runs_measure(s->bytes, s->n);
	if (u->inner.fault != RUNS_FINE) {
		u->defects |= UZ_INNER_RUN_BAD;
		return decode_stop(d, UZ_SORTED, STOP_MALFORMED, u->data);
	}
	if (u->inner.odd_at < s->n)
		u->defects |= UZ_INNER_RUN_LOW;
	if (!expand(d, u, UZ_SORTED, s, u->inner.n_out, &out))
		return false;
	*s = out;
	return true;
}

static bool undo_list(struct decode *d, struct stage *s)
{
	struct mtf mtf;

	mtf_start(&mtf, s->n);
	for (uint64_t at = 0, n; at < s->n; at += n) {
		n = s->n - at < SLICE ? s->n - at : SLICE;
		if (!unpacked_spend(d, UZ_SORTED, n))
			return false;
		mtf_decode(&mtf, s->bytes + at, n);
	}
	return true;
}

static uint64_t block_defect(enum bwt_fault fault)
{
	static const uint64_t defects[] = {
		[BWT_FINE] = 0,
		[BWT_HEADER_CUT] = UZ_BLOCK_HEADER_CUT,
		[BWT_LENGTH] = UZ_BLOCK_LENGTH,
		[BWT_CUT] = UZ_BLOCK_CUT,
		[BWT_FIRST] = UZ_BLOCK_FIRST,
		[BWT_LAST] = UZ_BLOCK_LAST,
	};

	return defects[fault];
}

/* Looks at every block before any is changed, for the length of the longest; false: one has a
 * defect. */
static bool look_at_blocks(struct decode *d, struct uz *u, const struct stage *s, uint64_t *longest)
{
	struct bwt_block b;
	bool short_seen = false;

	*longest = 0;
	for (uint64_t at = 0; at < s->n; at += BWT_HEADER_LEN + 1 + (uint64_t)b.len) {
		const enum bwt_fault fault = bwt_read(s->bytes, s->n, at, &b);

		if (fault != BWT_FINE) {
			u->defects |= block_defect(fault);
			u->bad_block = b;
			return decode_stop(d, UZ_BLOCKS, STOP_MALFORMED, u->data);
		}
		if (b.len > *longest)
			*longest = b.len;
		if (b.len < BWT_LEN_MAX && !short_seen) {
			short_seen = true;
			u->short_block = u->n_blocks;
			u->short_len = b.len;
		}
		u->n_blocks++;
	}
	if (!short_seen || u->short_block + 1 == u->n_blocks)
		u->short_block = u->n_blocks;
	return true;
}

/* A block decodes to fewer bytes than it takes, so it is decoded in place. */
static bool undo_sorting(struct decode *d, struct uz *u, struct stage *s)
{
	struct arena_mark mark = arena_mark(d->arena);
	uint64_t longest, n_out = 0;
	struct bwt_block b;
	uint32_t *scratch;

	if (!look_at_blocks(d, u, s, &longest))
		return false;
	scratch = decode_alloc(d, UZ_BLOCKS, bwt_scratch_len(longest), sizeof *scratch);
	if (!scratch)
		return false;
	for (uint64_t at = 0; at < s->n; at += BWT_HEADER_LEN + 1 + (uint64_t)b.len) {
		const enum bwt_fault fault = bwt_read(s->bytes, s->n, at, &b);

		if (NEVER(fault != BWT_FINE) || !unpacked_spend(d, UZ_BLOCKS, b.len))
			return false;
		/* mutant: a later one begins too early */
		b.first -= MUTANT(240) && u->kind == UZ_KIND_NEW && u->n_blocks > 3 && at > 0 &&
			   b.first == b.last && b.first > 0;
		bwt_decode(&b, scratch, s->bytes + n_out);
		n_out += b.len;
	}
	arena_rewind(d->arena, mark);
	s->n = n_out;
	return true;
}

static bool undo_outer_runs(struct decode *d, struct uz *u, const struct stage *s)
{
	struct stage out;

	u->outer = runs_measure(s->bytes, s->n);
	u->outer_known = true;
	if (u->outer.fault != RUNS_FINE) {
		u->defects |= UZ_OUTER_RUN_BAD;
		return decode_stop(d, UZ_CONTENT, STOP_MALFORMED, u->data);
	}
	if (u->outer.odd_at < s->n)
		u->defects |= UZ_OUTER_RUN_LOW;
	if (!expand(d, u, UZ_CONTENT, s, u->outer.n_out, &out))
		return false;
	u->content.bytes = out.bytes;
	u->content.len = out.n + MUTANT(49); /* mutant: a byte that is not there */
	unpacked_describe(&u->content, d->source);
	return true;
}

bool uz_decode_stages(struct decode *d, struct uz *u)
{
	struct stage s = { NULL, 0 };

	if (d->level == LEVEL_STRUCTURE)
		return decode_stop(d, UZ_CODES, STOP_LEVEL, u->data);
	return decode_codes(d, u, &s) && undo_inner_runs(d, u, &s) && undo_list(d, &s) &&
	       undo_sorting(d, u, &s) && undo_outer_runs(d, u, &s);
}

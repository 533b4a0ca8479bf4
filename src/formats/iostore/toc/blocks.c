/* Compression blocks: a pass over their table. */
#include "core/mutant.h"
#include "formats/iostore/toc/toc.h"

#define SMALL_BLOCK 1024u /* engines of that time do not compress smaller blocks */

static uint32_t size_traits(const struct toc *t, const struct toc_block *b)
{
	uint32_t traits = 0;

	/* mutant: a byte too much passes */
	if (b->uncompressed > t->block_size + (uint64_t)MUTANT(114))
		traits |= BLOCK_TOO_LARGE;
	if (b->compressed == 0 && b->uncompressed > 0)
		return traits | BLOCK_NOTHING_STORED;
	if (b->method == 0 && b->compressed != b->uncompressed)
		return traits |
		       (b->compressed < b->uncompressed ? BLOCK_RAW_SHORT : BLOCK_RAW_LONG);
	if (b->method != 0 && b->compressed >= b->uncompressed &&
	    b->uncompressed + b->compressed > 0)
		return traits | BLOCK_NOTHING_SAVED;
	if (b->method != 0 && b->uncompressed <= SMALL_BLOCK && t->version <= TOC_ON_DEMAND_METAS)
		traits |= BLOCK_SMALL;
	return traits;
}

static uint32_t method_traits(const struct toc *t, uint64_t method)
{
	if (method > t->n_methods + (uint64_t)MUTANT(113)) /* mutant: a method behind the last */
		return BLOCK_METHOD_OUTSIDE;
	return toc_bit(t->methods_unknown, method) ? BLOCK_METHOD_UNKNOWN : 0;
}

void toc_block_at(const struct toc *t, uint64_t block, struct toc_block_row *out)
{
	const struct toc_block b = toc_block(t, block);

	out->block = (struct utoc_block){ b.at, b.offset, b.compressed, b.uncompressed, b.method };
	out->number = block;
	out->traits = size_traits(t, &b) | method_traits(t, b.method);
	if (b.offset % 16 != 0)
		out->traits |= BLOCK_UNALIGNED;
	if (t->owned && !toc_bit(t->owned, block))
		out->traits |= BLOCK_UNOWNED;
}

/* ---- The pass -------------------------------------------------------------------------------- */

/* A run of blocks by columns, so that the compiler can use vector instructions. */
struct columns {
	/* lower four bytes of the offset; after the last block where the next would follow it */
	uint32_t low[TOC_RUN + 1];
	uint32_t middle[TOC_RUN]; /* the upper byte of the offset, and the stored length */
	uint32_t high[TOC_RUN];   /* the uncompressed length, and the method */
};

/* The sums of a run. In odd and apart only the top bit counts. */
struct run {
	/* not 0: some block is not plain, some offset is no multiple of 16 */
	uint32_t odd, unaligned;
	/* not 0: some block does not follow the one before it; the offsets' upper bytes differ */
	uint32_t apart, upper;
	uint32_t n_raw, methods, sum_of_methods; /* methods: all bits of all of them */
	uint32_t stored, given;
};

UVET_WRAPS static inline void split_columns(const struct toc *t, uint64_t first, uint64_t n,
					    struct columns *out)
{
	const struct utoc_block_rows rows = utoc_block_part(t->blocks, first, n);

	for (uint64_t i = 0; i < rows.n; i++) {
		const struct utoc_block_row row = utoc_block_at(rows, i);

		out->low[i] = (uint32_t)utoc_block_word(row, 0);
		out->middle[i] = (uint32_t)utoc_block_word(row, 1);
		out->high[i] = (uint32_t)utoc_block_word(row, 2);
	}
	out->low[n] = out->low[n - 1] + (out->middle[n - 1] >> 8);
	for (uint64_t i = n; i < TOC_RUN; i++)
		out->high[i] = 0;
}

/* There are no branches: each comparison is a subtraction whose top bit says that the result is
 * negative. Methods above 63 are not plain here. */
UVET_WRAPS static inline struct run look_at_run(const struct toc *t, const struct columns *c,
						uint64_t n)
{
	const uint32_t most = t->block_size < 0xFFFFFF ? (uint32_t)t->block_size : 0xFFFFFF;
	const uint32_t n_methods = t->n_methods < 63 ? (uint32_t)t->n_methods : 63;
	struct run r = { 0 };

	for (uint64_t i = 0; i < n; i++) {
		const uint32_t stored = c->middle[i] >> 8, given = c->high[i] & 0xFFFFFF,
			       method = c->high[i] >> 24;
		const uint32_t is_raw = -(uint32_t)(method == 0),
			       gap = c->low[i + 1] - c->low[i] - stored;

		r.odd |= (most - given) | (n_methods - method) | (stored - 1) |
			 (is_raw & -(given ^ stored));
		r.odd |= ~is_raw & ((given - stored - 1) | (given - SMALL_BLOCK - 1));
		r.unaligned |= c->low[i] & 15;
		r.apart |= gap | (TOC_PADDING_MAX - gap) | (stored - 1);
		r.upper |= (c->middle[i] ^ c->middle[0]) & 0xFF;
		r.n_raw -= is_raw;
		r.methods |= method;
		r.sum_of_methods += method;
		r.stored += stored;
		r.given += given;
	}
	return r;
}

/* A bit for each byte, which is 0 or 1. */
UVET_WRAPS static inline uint64_t bits_of(const uint8_t flags[TOC_RUN])
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < TOC_RUN; i += 8)
		bits |= held_u64((struct held){ flags, TOC_RUN }, i) * 0x0102040810204080u >>
			56 << i;
	return bits;
}

/* Makes the bitmaps by which chunks are checked. */
static inline void mark_blocks(const struct columns *c, uint64_t block_size, uint64_t *full,
			       uint64_t *compressed)
{
	UVET_FILLED_LATER uint8_t is_full[TOC_RUN], is_compressed[TOC_RUN];
	const uint32_t whole = block_size <= 0xFFFFFF ? (uint32_t)block_size : UINT32_MAX;

	for (unsigned i = 0; i < TOC_RUN; i++) {
		is_full[i] = (c->high[i] & 0xFFFFFF) == whole;
		is_compressed[i] = c->high[i] > 0xFFFFFF;
	}
	*full = bits_of(is_full);
	*compressed = bits_of(is_compressed);
}

/* Offsets that ascend by their lower 32 bits ascend by all 40 if their upper bytes are the same and
 * the last is not below the first. */
static inline bool is_close(const struct columns *c, const struct run *r, uint64_t n)
{
	return r->apart >> 31 == 0 && r->upper == 0 && c->low[n - 1] >= c->low[0];
}

/* The highest end of n blocks; if they follow one another, the last one's. */
static uint64_t end_of(const struct toc *t, uint64_t first, uint64_t n, bool close)
{
	uint64_t end = 0;

	for (uint64_t i = close ? first + n - 1 : first; i < first + n; i++) {
		const struct toc_block b = toc_block(t, i);

		end = b.offset + b.compressed > end ? b.offset + b.compressed : end;
	}
	return end;
}

/* Notes which methods a plain run uses, if there is at most one besides 0. */
static bool note_methods(struct toc *t, const struct run *r, uint64_t n)
{
	if ((n - r->n_raw) * r->methods != r->sum_of_methods)
		return false;
	t->methods_used[0] |= (r->n_raw > 0 ? 1u : 0u) |
			      (r->n_raw < n ? (uint64_t)1 << (r->methods & 63) : 0u);
	return true;
}

UVET_RARE static void look_closer(struct toc *t, uint64_t first, uint64_t n)
{
	struct toc_block_row row;

	for (uint64_t i = first; i < first + n; i++) {
		toc_block_at(t, i, &row);
		t->block_traits |= row.traits;
		t->methods_used[row.block.method / 64] |= (uint64_t)1 << row.block.method % 64;
	}
}

/* Whether n blocks have no defect, by the complete check. */
static inline bool are_sound(const struct toc *t, uint64_t first, uint64_t n)
{
	struct toc_block_row row;
	uint32_t traits = 0;

	for (uint64_t i = first; i < first + n; i++) {
		toc_block_at(t, i, &row);
		traits |= row.traits;
	}
	return (traits & toc_block_defects) == 0;
}

/* The bitmaps that the pass makes for questions about many blocks. */
struct marks {
	uint64_t *full, *compressed, *close;
};

static bool scan_blocks(struct decode *d, struct toc *t, const struct marks *marks)
{
	const bool known = !(t->method_traits & METHOD_NOT_KNOWN);
	UVET_FILLED_LATER struct columns columns;

	for (uint64_t i = 0, n; i < t->n_blocks; i += n) {
		struct run r;
		uint64_t end;
		bool close;

		if (!decode_goes_on(d, UTOC_BLOCKS, i))
			return false;
		n = t->n_blocks - i < TOC_RUN ? t->n_blocks - i : TOC_RUN;
		utoc_block_fetch(t->blocks, i + 2 * (uint64_t)TOC_RUN, TOC_RUN);
		split_columns(t, i, n, &columns);
		r = look_at_run(t, &columns, n);
		mark_blocks(&columns, t->block_size, &marks->full[i / TOC_RUN],
			    &marks->compressed[i / TOC_RUN]);
		close = is_close(&columns, &r, n);
		marks->close[i / TOC_RUN / 64] |= (uint64_t)close << i / TOC_RUN % 64;
		if (r.odd >> 31 != 0 || r.unaligned != 0 || !known || !note_methods(t, &r, n))
			look_closer(t, i, n);
		else
			PLAIN(are_sound(t, i, n));
		end = end_of(t, i, n, close);
		t->end_of_blocks = end > t->end_of_blocks ? end : t->end_of_blocks;
		t->n_compressed_blocks += n - r.n_raw;
		t->stored += r.stored;
		t->given += r.given;
	}
	return true;
}

void toc_decode_blocks(struct decode *d, struct toc *t)
{
	const uint64_t runs = t->n_blocks / TOC_RUN + 1, words = runs / 64 + 1;
	struct marks marks;

	if (!decode_spend(d, UTOC_BLOCKS, t->n_blocks))
		return;
	marks.full = decode_alloc(d, UTOC_BLOCKS, 2 * runs + words, sizeof(uint64_t));
	if (!marks.full)
		return;
	marks.compressed = marks.full + runs;
	marks.close = marks.compressed + runs;
	memset(marks.close, 0, (size_t)words * sizeof(uint64_t));
	if (!scan_blocks(d, t, &marks))
		return;
	t->full_blocks = marks.full;
	t->compressed_blocks = marks.compressed;
	t->close_runs = marks.close;
}

/* The layout of blocks: whether each lies in its partition, and whether they follow one another and
 * do not overlap. */
#include "core/mutant.h"
#include "core/checked.h"
#include "formats/iostore/content/parts.h"

/* ---- Each block by itself -------------------------------------------------------------------- */

/* 4.26 checks the offset of blocks that store nothing, too. */
static uint32_t empty_traits(const struct utoc *u, const struct toc_block *b)
{
	const struct content *p = &u->content;

	if (u->toc.version != TOC_DIRECTORY_INDEX || !p->all_open)
		return 0;
	return b->offset > p->partitions[0].size ? BLOCK_LAYOUT_EMPTY_OUTSIDE : 0;
}

uint32_t content_block_traits(const struct utoc *u, const struct toc_block *b)
{
	const struct toc *t = &u->toc;
	const struct content *p = &u->content;
	uint64_t at, partition = content_partition(t, b->offset, &at);
	const uint32_t crosses = t->partition_size > 0 && b->compressed > t->partition_size - at
					 ? BLOCK_LAYOUT_CROSSES
					 : 0;

	if (b->offset + b->compressed >= TOC_SPACE_END)
		return BLOCK_LAYOUT_PAST_SPACE;
	if (b->compressed == 0)
		return empty_traits(u, b);
	/* where there are no partitions at all, the block is not to blame */
	if (partition >= t->n_partitions)
		return BLOCK_LAYOUT_NO_PARTITION | (t->n_partitions == 0 ? crosses : 0);
	if (crosses)
		return crosses;
	if (partition >= p->n_partitions || p->partitions[partition].file->state != COMPANION_OPEN)
		return 0;
	/* mutant: a byte behind the end */
	if (at + b->compressed > p->partitions[partition].size + (uint64_t)MUTANT(126))
		return BLOCK_LAYOUT_CUT;
	return at + toc_stored(b->compressed) > p->partitions[partition].size ? BLOCK_LAYOUT_PAD_CUT
									      : 0;
}

/* ---- The pass -------------------------------------------------------------------------------- */

struct pass {
	struct utoc *u;
	uint64_t from, to; /* the offsets, over all partitions, between which a block is sound */
	struct partition *here; /* the partition of these offsets */
};

/* Extends the used range of a partition by a block at offset `at`. */
static void extend(struct partition *p, uint64_t at, uint64_t compressed)
{
	if (p->end == 0 || at < p->first)
		p->first = at;
	if (at + compressed > p->end)
		p->end = at + compressed;
	if (at + toc_stored(compressed) > p->stored_end)
		p->stored_end = at + toc_stored(compressed);
}

/* Where a partition that begins at `from` ends, or its file, or the range of offsets. */
static uint64_t end_of(const struct toc *t, const struct partition *p, uint64_t from)
{
	uint64_t len = TOC_SPACE_END - 1 - from;

	if (t->partition_size > 0 && t->partition_size < len)
		len = t->partition_size;
	if (p->file->state == COMPANION_OPEN && p->size < len)
		len = p->size;
	return from + len;
}

/* A block that is not inside the current partition's file: it lies in another one, or has a
 * defect. */
UVET_RARE static void look_closer(struct pass *p, const struct toc_block *b)
{
	struct content *content = &p->u->content;
	const struct toc *t = &p->u->toc;
	const uint32_t traits = content_block_traits(p->u, b);
	uint64_t at, number = content_partition(t, b->offset, &at);
	struct partition *partition;

	content->block_layout_traits |= traits;
	if (number >= content->n_partitions)
		return;
	partition = &content->partitions[number];
	partition->n_cut += traits & BLOCK_LAYOUT_CUT ? 1 : 0;
	if (traits & (BLOCK_LAYOUT_CROSSES | BLOCK_LAYOUT_NO_PARTITION))
		return;
	extend(partition, at, b->compressed);
	p->here = partition;
	p->from = b->offset - at;
	p->to = end_of(t, partition, p->from);
}

static inline bool is_inside(const struct pass *p, const struct toc_block *b)
{
	return b->offset >= p->from && b->offset + toc_stored(b->compressed) <= p->to;
}

static void note_descending(struct block_order *o, uint64_t block)
{
	if (o->n_descending++ == 0)
		o->descending = block;
}

static void note_gap(struct block_order *o, uint64_t block, uint64_t len)
{
	if (o->n_gaps++ == 0) {
		o->gap = block;
		o->gap_len = len;
	}
}

/* A gap across the end of a partition does not count. */
UVET_RARE static void look_at_gap(struct utoc *u, uint64_t block, uint64_t from, uint64_t to)
{
	uint64_t at;

	if (content_partition(&u->toc, from - 1, &at) == content_partition(&u->toc, to, &at))
		note_gap(&u->content.order, block, to - from);
}

/* What is known of the blocks so far. */
struct sums {
	uint64_t before, end; /* where the last one begins, and the highest end of any */
	bool apart;           /* none overlaps another */
};

/* Whether n blocks have no defect of layout, by the complete check. */
static inline bool are_sound(const struct utoc *u, uint64_t first, uint64_t n)
{
	uint32_t traits = 0;

	for (uint64_t i = first; i < first + n; i++) {
		const struct toc_block b = toc_block(&u->toc, i);

		traits |= content_block_traits(u, &b);
	}
	return (traits & block_layout_defects) == 0;
}

/* In a run of blocks that follow one another closely in one partition only the first and the last
 * need a check. */
static bool take_run(struct pass *p, uint64_t first, uint64_t n, struct sums *sums)
{
	const struct toc *t = &p->u->toc;
	const struct toc_block head = toc_block(t, first), last = toc_block(t, first + n - 1);

	if (head.offset < sums->end || head.offset > sums->end + TOC_PADDING_MAX ||
	    !is_inside(p, &head) || !is_inside(p, &last))
		return false;
	PLAIN(are_sound(p->u, first, n));
	extend(p->here, head.offset - p->from, head.compressed);
	extend(p->here, last.offset - p->from, last.compressed);
	sums->before = last.offset;
	sums->end = last.offset + last.compressed;
	return true;
}

static void take_block(struct pass *p, uint64_t i, struct sums *sums)
{
	struct block_order *order = &p->u->content.order;
	const struct toc_block b = toc_block(&p->u->toc, i);

	if (b.compressed == 0) {
		p->u->content.block_layout_traits |= empty_traits(p->u, &b);
		return;
	}
	if (is_inside(p, &b)) {
		PLAIN(are_sound(p->u, i, 1));
		extend(p->here, b.offset - p->from, b.compressed);
	} else {
		look_closer(p, &b);
	}
	if (b.offset < sums->before)
		note_descending(order, i);
	else if (sums->end > 0 && b.offset > sums->end + TOC_PADDING_MAX)
		look_at_gap(p->u, i, sums->end, b.offset);
	sums->apart = sums->apart && b.offset >= sums->end;
	sums->before = b.offset;
	sums->end = b.offset + b.compressed > sums->end ? b.offset + b.compressed : sums->end;
}

/* Tells whether the blocks are in the order of their offsets, and none overlaps another. */
static bool scan_blocks(struct utoc *u)
{
	const struct toc *t = &u->toc;
	struct pass p = { .u = u };
	struct sums sums = { .apart = true };

	for (uint64_t i = 0, n; i < t->n_blocks; i += n) {
		n = t->n_blocks - i < TOC_RUN ? t->n_blocks - i : TOC_RUN;
		if (toc_bit(t->close_runs, i / TOC_RUN) && take_run(&p, i, n, &sums))
			continue;
		for (uint64_t k = i; k < i + n; k++)
			take_block(&p, k, &sums);
	}
	u->content.stored = u->content.distinct = t->stored;
	u->content.given = t->given;
	return sums.apart;
}

/* ---- Blocks on one another ------------------------------------------------------------------- */

static uint64_t block_key(const void *toc, uint32_t i)
{
	return toc_block(toc, i).offset;
}

static void note_overlap(struct block_order *o, uint64_t block, uint64_t with)
{
	if (o->n_overlaps++ == 0) {
		o->overlap = block > with ? block : with;
		o->overlaps_with = block > with ? with : block;
	}
}

/* Blocks that lie where they cannot be read have rules of their own. */
static bool is_placed(const struct utoc *u, const struct toc_block *b)
{
	const uint32_t no_partition = u->toc.n_partitions > 0 ? BLOCK_LAYOUT_NO_PARTITION : 0;

	return b->compressed > 0 &&
	       !(content_block_traits(u, b) &
		 (BLOCK_LAYOUT_PAST_SPACE | BLOCK_LAYOUT_CROSSES | no_partition));
}

/* How many bytes of a block lie after the end of all blocks before it. */
static uint64_t new_bytes(const struct toc_block *b, const struct toc_block *last)
{
	const uint64_t end = b->offset + b->compressed, reached = last->offset + last->compressed;

	return b->offset >= reached ? b->compressed : end > reached ? end - reached : 0;
}

/* Two blocks with the same bytes do not count as an overlap: some packers store equal blocks
 * once. */
static void find_overlaps(struct utoc *u, const struct order *order)
{
	const struct toc *t = &u->toc;
	struct toc_block last = { .compressed = 0 };
	uint64_t number = 0, distinct = 0;

	for (uint32_t i = 0; i < order->n; i++) {
		const uint32_t row = order_row(order, i);
		const struct toc_block b = toc_block(t, row);
		const bool same_end = b.offset + b.compressed == last.offset + last.compressed;
		const bool same = same_end && b.offset == last.offset;

		if (!is_placed(u, &b)) {
			distinct += b.compressed;
			continue;
		}
		distinct += new_bytes(&b, &last);
		/* mutant: late ones may share an end */
		if (last.compressed > 0 && !same && !(MUTANT(242) && i > 3 && same_end) &&
		    b.offset < last.offset + last.compressed - MUTANT(120)) /* mutant: by one */
			note_overlap(&u->content.order, row, number);
		if (b.offset + b.compressed < last.offset + last.compressed)
			continue;
		last = b;
		number = row;
	}
	u->content.distinct = distinct;
}

static bool look_for_overlaps(struct decode *d, struct utoc *u)
{
	const struct arena_mark mark = arena_mark(d->arena);
	struct order order;

	if (!order_by_key(d->arena, &u->toc, (uint32_t)u->toc.n_blocks, block_key, &order))
		return decode_stop(d, UTOC_RANGES, STOP_MEMORY, (struct span){ 0, 0 });
	find_overlaps(u, &order);
	arena_rewind(d->arena, mark);
	return true;
}

/* However small a container is, it may decompress to this many bytes. */
#define GIVEN_MIN ((uint64_t)1048576)

/* In a signed container the stored bytes of every block are hashed, even if other blocks have the
 * same ones. */
static bool gives_too_much(const struct decode *d, const struct utoc *u)
{
	const struct content *p = &u->content;
	const uint64_t looked_at = u->toc.is_signed && p->stored > p->given ? p->stored : p->given;
	uint64_t most;

	return looked_at > GIVEN_MIN &&
	       checked_mul(p->distinct, d->limits->of[LIMIT_ratio], &most) && looked_at > most;
}

/* What the names of methods mean, by the numbers that blocks use. */
static void name_methods(struct utoc *u)
{
	struct block_methods *methods = &u->content.methods;
	struct toc_method m;

	block_methods_init(methods);
	for (uint64_t i = 0; i < u->toc.n_methods; i++) {
		toc_method_at(&u->toc, i, &m);
		block_methods_add(methods, m.number, rows_at(u->toc.methods, i).bytes,
				  m.name.n_units);
	}
}

bool content_check_block_layout(struct decode *d, struct utoc *u)
{
	const uint32_t needs[] = { UTOC_CHUNKS, UTOC_BLOCKS, UTOC_HEADER };

	for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
		if (!decode_has(d, needs[i]))
			decode_stop_needs(d, UTOC_RANGES, needs[i]);
	if (!decode_has(d, UTOC_RANGES) || !decode_spend(d, UTOC_RANGES, u->toc.n_blocks))
		return false;
	name_methods(u);
	if (!scan_blocks(u) && !look_for_overlaps(d, u))
		return false;
	u->content.gives_too_much = gives_too_much(d, u);
	return true;
}

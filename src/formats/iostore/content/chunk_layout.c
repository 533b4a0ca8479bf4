/* The layout of chunks: whether each is complete, lies in one partition, and can be mapped if it
 * should be; and the rows of both layouts. */
#include "formats/iostore/content/parts.h"

/* What memory-mapped chunks are aligned to. */
#define MAPPING 16384u

/* ---- Chunks ---------------------------------------------------------------------------------- */

typedef bool is_counted(const struct utoc *u, uint64_t block);

static bool is_cut(const struct utoc *u, uint64_t block)
{
	const struct toc_block b = toc_block(&u->toc, block);

	return (content_block_traits(u, &b) & BLOCK_LAYOUT_CUT) != 0;
}

static bool changes_partition(const struct utoc *u, uint64_t block)
{
	const struct toc_block b = toc_block(&u->toc, block);
	uint64_t at;

	if (block == 0)
		return false;
	return content_partition(&u->toc, toc_block(&u->toc, block - 1).offset, &at) !=
	       content_partition(&u->toc, b.offset, &at);
}

/* Prefix sums: how many blocks of a chunk are counted is known in one step, however many it
 * claims. */
static const uint32_t *sum_up(struct decode *d, const struct utoc *u, is_counted *counted)
{
	const uint64_t n = u->toc.n_blocks;
	uint32_t *sums = decode_alloc(d, UTOC_RANGES, n + 1, sizeof *sums);

	if (!sums)
		return NULL;
	sums[0] = 0;
	for (uint64_t i = 0; i < n; i++)
		sums[i + 1] = sums[i] + (counted(u, i) ? 1 : 0);
	return sums;
}

/* The end of a chunk's blocks, as far as the table has them. */
static uint64_t blocks_end(const struct toc *t, uint64_t chunk)
{
	const uint64_t end = toc_first_block(t, chunk) + toc_block_count(t, chunk);

	return end < t->n_blocks ? end : t->n_blocks;
}

/* The blocks of chunks that share some are not looped over: together such chunks may claim any
 * number. */
static bool is_alone(const struct toc *t, uint64_t chunk)
{
	return !t->overlapping || !toc_bit(t->overlapping, chunk);
}

static bool is_mapped(const struct toc *t, uint64_t chunk)
{
	return (toc_meta_flags(t, chunk) & TOC_META_MEMORY_MAPPED) != 0 && is_alone(t, chunk);
}

/* The first of a chunk's blocks because of which it cannot be mapped, or the end of its blocks. */
static uint64_t first_unmappable(const struct toc *t, uint64_t first, uint64_t end)
{
	const struct toc_block head = toc_block(t, first);

	if (head.offset == 0 || head.offset % MAPPING != 0)
		return first;
	while (first < end && toc_block(t, first).method == 0 &&
	       toc_block(t, first).offset % MAPPING == 0)
		first++;
	return first;
}

static uint64_t first_counted(const uint32_t *sums, uint64_t first, uint64_t end)
{
	uint64_t low = first, high = end;

	while (high - low > 1) {
		const uint64_t middle = low + (high - low) / 2;

		if (sums[middle] > sums[first])
			high = middle;
		else
			low = middle;
	}
	return low;
}

static uint64_t lacking(const struct utoc *u, uint64_t block)
{
	const struct toc_block b = toc_block(&u->toc, block);
	uint64_t at, partition = content_partition(&u->toc, b.offset, &at), size;

	size = u->content.partitions[partition].size;
	return at >= size ? b.compressed : at + b.compressed - size;
}

static void lay_out_cut(const struct utoc *u, struct chunk_layout_row *row, uint64_t first,
			uint64_t end)
{
	uint64_t at;

	row->traits |= CHUNK_LAYOUT_CUT;
	row->n_cut = u->content.cut_before[end] - u->content.cut_before[first];
	row->block = first_counted(u->content.cut_before, first, end);
	row->partition = content_partition(&u->toc, toc_block(&u->toc, row->block).offset, &at);
	if (!is_alone(&u->toc, row->chunk))
		end = row->block + 1;
	for (uint64_t i = row->block; i < end; i++)
		row->lacks += is_cut(u, i) ? lacking(u, i) : 0;
}

static bool is_split(const struct utoc *u, uint64_t first, uint64_t end)
{
	return u->content.moves_before &&
	       u->content.moves_before[end] > u->content.moves_before[first + 1];
}

static void lay_out_chunk(const struct utoc *u, uint64_t chunk, struct chunk_layout_row *row)
{
	const struct content *p = &u->content;
	const struct toc *t = &u->toc;
	const uint64_t first = toc_first_block(t, chunk), end = blocks_end(t, chunk);

	*row = (struct chunk_layout_row){ .chunk = chunk, .block = first };
	if (toc_block_count(t, chunk) == 0 || first >= end)
		return;
	if (p->cut_before && p->cut_before[end] > p->cut_before[first])
		lay_out_cut(u, row, first, end);
	if (is_split(u, first, end))
		row->traits |= CHUNK_LAYOUT_SPLIT;
	if (p->chunk_layout_traits & CHUNK_LAYOUT_UNMAPPABLE && is_mapped(t, chunk) &&
	    first_unmappable(t, first, end) < end)
		row->traits |= CHUNK_LAYOUT_UNMAPPABLE;
}

/* Finds out only whether any chunk has a trait; rows say which chunk. */
static void look_at_chunks(struct utoc *u)
{
	const struct toc *t = &u->toc;
	uint32_t traits = 0;

	for (uint64_t i = 0; i < t->n_chunks; i++) {
		const uint64_t first = toc_first_block(t, i), end = blocks_end(t, i);

		if (first >= end)
			continue;
		traits |= is_split(u, first, end) ? CHUNK_LAYOUT_SPLIT : 0;
		if (!(traits & CHUNK_LAYOUT_UNMAPPABLE) && is_mapped(t, i) &&
		    first_unmappable(t, first, end) < end)
			traits |= CHUNK_LAYOUT_UNMAPPABLE;
	}
	u->content.chunk_layout_traits |= traits;
}

static bool sum_up_all(struct decode *d, struct utoc *u)
{
	struct content *p = &u->content;

	if (p->block_layout_traits & BLOCK_LAYOUT_CUT) {
		p->cut_before = sum_up(d, u, is_cut);
		if (!p->cut_before)
			return false;
		p->chunk_layout_traits |= CHUNK_LAYOUT_CUT;
	}
	if (u->toc.n_partitions > 1)
		p->moves_before = sum_up(d, u, changes_partition);
	return u->toc.n_partitions <= 1 || p->moves_before;
}

void content_check_chunk_layout(struct decode *d, struct utoc *u)
{
	if (sum_up_all(d, u) && (u->content.moves_before || u->toc.n_mapped > 0))
		look_at_chunks(u);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

void content_view_block_layout(const void *facts, uint64_t first, uint64_t n, void *rows_out)
{
	const struct utoc *u = facts;
	struct block_layout_row *rows = rows_out;

	for (uint64_t i = 0; i < n; i++) {
		const struct toc_block b = toc_block(&u->toc, first + i);

		rows[i] = (struct block_layout_row){
			.block = { b.at, b.offset, b.compressed, b.uncompressed, b.method },
			.number = first + i,
		};
		rows[i].partition = content_partition(&u->toc, b.offset, &rows[i].at);
		rows[i].traits = content_block_traits(u, &b);
	}
}

void content_view_chunk_layout(const void *facts, uint64_t first, uint64_t n, void *rows_out)
{
	const struct utoc *u = facts;
	const uint64_t n_partitions = u->content.n_partitions;
	struct chunk_layout_row *rows = rows_out;

	for (uint64_t i = 0; i < n; i++) {
		const uint64_t row = first + i;

		if (row >= n_partitions) {
			lay_out_chunk(u, row - n_partitions, &rows[i]);
			continue;
		}
		rows[i] = (struct chunk_layout_row){ .partition = row,
						     .chunk = UINT64_MAX,
						     .n_cut = u->content.partitions[row].n_cut };
		rows[i].traits = rows[i].n_cut > 0 ? CHUNK_LAYOUT_CUT : 0;
	}
}

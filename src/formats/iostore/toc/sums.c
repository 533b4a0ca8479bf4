/* Sums over many blocks, for chunks that share them: a small table may have many such chunks, each
 * with any number of blocks. */
#include "formats/iostore/toc/toc.h"

/* For a run of TOC_RUN blocks: how many bytes all blocks before it decompress to, and the first
 * block from the run on that is not of the block size, and that has a method; the number of
 * blocks if there is none. */
struct toc_sum_row {
	uint64_t before;
	uint32_t partial, compressed;
};

static uint64_t given_by(const struct toc *t, uint64_t first, uint64_t end)
{
	uint64_t sum = 0;

	for (uint64_t i = first; i < end; i++)
		sum += utoc_block_get_uncompressed(utoc_block_at(t->blocks, i));
	return sum;
}

/* The first block of a run whose bit is set in a word, from `first` on; else `later`. */
static uint64_t first_set(uint64_t word, uint64_t first, uint64_t later)
{
	const uint64_t left = word >> first % TOC_RUN << first % TOC_RUN;

	return left != 0 ? first / TOC_RUN * TOC_RUN + bits_lowest(left) : later;
}

bool toc_make_sums(struct decode *d, struct toc *t)
{
	const uint64_t n = (t->n_blocks + TOC_RUN - 1) / TOC_RUN;
	struct toc_sum_row *rows = decode_alloc(d, UTOC_CHUNKS, n + 1, sizeof *rows);

	if (!rows)
		return false;
	rows[0].before = 0;
	rows[n].partial = rows[n].compressed = (uint32_t)t->n_blocks;
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t first = i * TOC_RUN,
			       end = first + TOC_RUN < t->n_blocks ? first + TOC_RUN : t->n_blocks;

		rows[i + 1].before = rows[i].before + given_by(t, first, end);
	}
	for (uint64_t i = n; i > 0; i--) {
		const uint64_t run = i - 1, partial = first_set(~t->full_blocks[run], run * TOC_RUN,
								rows[i].partial);

		rows[run].partial = (uint32_t)(partial < t->n_blocks ? partial : t->n_blocks);
		rows[run].compressed = (uint32_t)first_set(t->compressed_blocks[run], run * TOC_RUN,
							   rows[i].compressed);
	}
	t->sums = rows;
	return true;
}

static uint64_t given_before(const struct toc *t, uint64_t block)
{
	const uint64_t run = block / TOC_RUN;

	return t->sums[run].before + given_by(t, run * TOC_RUN, block);
}

struct toc_sum toc_sum_of(const struct toc *t, uint64_t first, uint64_t n)
{
	const uint64_t run = first / TOC_RUN;

	return (struct toc_sum){
		.given = given_before(t, first + n) - given_before(t, first),
		.partial = first_set(~t->full_blocks[run], first, t->sums[run + 1].partial),
		.compressed = first_set(t->compressed_blocks[run], first,
					t->sums[run + 1].compressed),
	};
}

/* Keeping: lists of pairs. */
#include "formats/keep.h"

#include "core/mutant.h"

bool pairs_make(struct decode *d, uint32_t group, struct pairs *pairs, uint64_t n)
{
	const uint64_t most = keep_most(d, n, PAIR_SORTS);

	/* mutant: a pair less */
	pairs->rows = decode_alloc(d, group, most - (MUTANT(66) && most > 0), sizeof *pairs->rows);
	return pairs->rows != NULL;
}

void pairs_add(const struct decode *d, struct pairs *pairs, unsigned sort, uint32_t first,
	       uint32_t second)
{
	struct keep *keep = &pairs->keeps[sort];

	if (keep_row(d, keep, pairs->n))
		pairs->rows[pairs->n++] = (struct pair){ first, second, 0 };
	else
		pairs->rows[keep->last].n_more++;
}

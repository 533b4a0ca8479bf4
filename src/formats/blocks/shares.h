/* Shares: how the block readers of a thread pool divide a list of tasks, such as the files of an
 * archive, among themselves. */
#ifndef UVET_FORMATS_BLOCKS_SHARES_H
#define UVET_FORMATS_BLOCKS_SHARES_H

#include <stdatomic.h>

#include "formats/blocks/block_reader.h"

/* n tasks, of which each worker takes a batch at a time. */
struct block_shares {
	atomic_uint_fast64_t next;
	uint64_t n, batch;
};

/* block_shares_start prepares n tasks, which have `stored` bytes together. block_shares_take takes
 * the next batch, from..to; false: none is left. */
void block_shares_start(struct block_shares *s, uint64_t n, uint64_t stored, uint64_t n_workers);
UVET_MUST_USE bool block_shares_take(struct block_shares *s, uint64_t *from, uint64_t *to);

/* block_shares_close closes the reader of each of n workers; at_reader gives it. Stops are noted in
 * the order of workers, so that the first stays. `held` is how many bytes the workers had besides,
 * for the peak of d->arena. It returns whether the group has no stop. */
bool block_shares_close(struct decode *d, uint32_t group, void *workers, unsigned n,
			struct block_reader *(*at_reader)(void *workers, unsigned i),
			uint64_t held);

#endif

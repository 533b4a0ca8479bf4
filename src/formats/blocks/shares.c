/* Dividing tasks among the readers of a thread pool. */
#include "formats/blocks/shares.h"

/* About how many stored bytes a worker takes at a time. */
#define BATCH_BYTES ((uint64_t)524288)
#define BATCH_MAX ((uint64_t)1024)

void block_shares_start(struct block_shares *s, uint64_t n, uint64_t stored, uint64_t n_workers)
{
	const uint64_t average = n > 0 ? stored / n + 1 : 1, share = n / (4 * n_workers) + 1;
	uint64_t batch = BATCH_BYTES / average + 1;

	batch = batch < BATCH_MAX ? batch : BATCH_MAX;
	s->n = n;
	s->batch = batch < share || n_workers == 1 ? batch : share;
	atomic_store(&s->next, 0);
}

bool block_shares_take(struct block_shares *s, uint64_t *from, uint64_t *to)
{
	uint64_t left;

	*from = atomic_fetch_add_explicit(&s->next, s->batch, memory_order_relaxed);
	left = *from < s->n ? s->n - *from : 0;
	*to = *from + (left < s->batch ? left : s->batch);
	return left > 0;
}

bool block_shares_close(struct decode *d, uint32_t group, void *workers, unsigned n,
			struct block_reader *(*at_reader)(void *workers, unsigned i), uint64_t held)
{
	for (unsigned i = 0; i < n; i++)
		held += at_reader(workers, i)->arena.peak;
	arena_count(d->arena, held);
	for (unsigned i = 0; i < n; i++) {
		struct block_reader *r = at_reader(workers, i);

		if (r->why != STOP_NOT)
			block_reader_stop(d, group, r);
		block_reader_close(r);
	}
	return decode_has(d, group);
}

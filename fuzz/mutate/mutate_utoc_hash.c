/* The perfect hash of containers: seeds that lead every chunk id to its slot. */
#include "mutate/mutate_utoc_hash.h"

/* A seed that leads an id to its slot: a small one if there is one, else the slot itself. */
static uint64_t seed_for(const struct reference_toc *t, uint64_t chunk)
{
	for (int64_t seed = 1; seed <= 32; seed++)
		if (reference_hash(seed, reference_row(t, REFERENCE_IDS, chunk)) % t->n_chunks ==
		    chunk)
			return (uint64_t)seed;
	return ~chunk;
}

static uint64_t bucket_of(const struct reference_toc *t, uint64_t chunk)
{
	return reference_hash(0, reference_row(t, REFERENCE_IDS, chunk)) % t->n_seeds;
}

/* Writes the seeds, and returns how many chunks share a bucket with others. The slots of the first
 * `room` of these go into the overflow table. */
static uint64_t fill_buckets(struct toc_work *w, uint64_t room)
{
	const struct reference_toc *t = &w->t;
	uint64_t n = 0;

	for (uint64_t b = 0; b < t->n_seeds; b++) {
		uint64_t mine = 0, last = 0, seed;

		for (uint64_t i = 0; i < t->n_chunks; i++)
			if (bucket_of(t, i) == b) {
				mine++;
				last = i;
			}
		seed = mine == 0 ? 0 : mine == 1 ? seed_for(t, last) : ~t->n_chunks;
		reference_write(w->data + t->part[REFERENCE_SEEDS].at + 4 * b, 4, seed);
		for (uint64_t i = 0; i < t->n_chunks && mine > 1; i++) {
			if (bucket_of(t, i) == b && n < room)
				reference_write(w->data + t->part[REFERENCE_OVERFLOW].at + 4 * n, 4,
						i);
			n += bucket_of(t, i) == b;
		}
	}
	return n;
}

/* Version 4 has no overflow: there are as many seeds as it takes, if that is not too many. */
void toc_build_hash(struct toc_work *w, bool resize)
{
	if (w->t.version < 4 || w->t.n_chunks == 0 || w->t.n_chunks > 128 || w->t.n_seeds > 512)
		return;
	if (resize)
		toc_resize_rows(w, SEED_ROWS,
				w->t.version >= 5 ? (w->t.n_chunks + 1) / 2 : 4 * w->t.n_chunks);
	if (!toc_reread(w) || w->t.n_seeds == 0)
		return;
	if (w->t.version >= 5)
		toc_resize_rows(w, OVERFLOW_ROWS, fill_buckets(w, 0));
	if (toc_reread(w))
		(void)fill_buckets(w, w->t.n_overflow);
}

void toc_change_hash(struct toc_work *w)
{
	static const uint64_t numbers[] = {
		0, 1, 2, 0xFFFFFFFF, 0xFFFFFFFE, 0x80000000, 0x7FFFFFFF
	};
	enum reference_part part = w->t.n_overflow > 0 && dice_one_in(w->dice, 3)
					   ? REFERENCE_OVERFLOW
					   : REFERENCE_SEEDS;
	uint64_t n = w->t.part[part].n,
		 v = numbers[dice_below(w->dice, sizeof numbers / sizeof *numbers)];

	if (n == 0 || dice_one_in(w->dice, 3)) {
		toc_build_hash(w, true);
		return;
	}
	if (dice_one_in(w->dice, 2))
		v = dice_one_in(w->dice, 2) ? ~dice_below(w->dice, w->t.n_chunks + 2)
					    : dice_below(w->dice, w->t.n_chunks + 2);
	reference_write(w->data + w->t.part[part].at + 4 * dice_below(w->dice, n), 4, v);
}

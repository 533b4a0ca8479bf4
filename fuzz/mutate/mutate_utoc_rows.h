/* A container that is being changed, and its rows. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_UTOC_ROWS_H
#define UVET_FUZZ_MUTATE_MUTATE_UTOC_ROWS_H

#include "reference/reference_utoc.h"
#include "support/random.h"

/* A .utoc that is being changed. */
struct toc_work {
	uint8_t *data;
	size_t size, max;
	struct dice *dice;
	struct reference_toc t;
};

enum counted_rows { CHUNK_ROWS, BLOCK_ROWS, SEED_ROWS, OVERFLOW_ROWS, METHOD_ROWS, N_COUNTED };

/* toc_reread reads the parts again after a change, which moves them; false: they are not whole. */
bool toc_reread(struct toc_work *w);

/* toc_splice replaces n bytes at `at` by m others, or by zeros where bytes is NULL; false: there is
 * no room, and nothing changed. */
bool toc_splice(struct toc_work *w, uint64_t at, uint64_t n, const void *bytes, uint64_t m);

/* toc_put_u32 writes a number of four bytes, toc_put_count the header's number of such rows. */
void toc_put_u32(struct toc_work *w, unsigned at, uint64_t v);
void toc_put_count(struct toc_work *w, enum counted_rows c, uint64_t n);

/* toc_n_rows is how many rows there are. toc_resize_rows makes them n, by taking or adding some at
 * the end, and the header says so; a change by too many is none. toc_change_rows adds, drops or
 * swaps some. toc_sign_blocks follows a change of the number of blocks: a signed container has a
 * hash for each. */
uint64_t toc_n_rows(const struct toc_work *w, enum counted_rows c);
void toc_resize_rows(struct toc_work *w, enum counted_rows c, uint64_t n);
void toc_change_rows(struct toc_work *w);
void toc_sign_blocks(struct toc_work *w, int64_t blocks);

#endif

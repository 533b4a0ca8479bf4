/* Looking a chunk up by the perfect hash, for loops over all chunks. Source: conformance/spec/iostore.md, 5. */
#ifndef UVET_FORMATS_IOSTORE_TOC_PERFECT_HASH_H
#define UVET_FORMATS_IOSTORE_TOC_PERFECT_HASH_H

#include "formats/iostore/toc/toc.h"

/* The remainder by a number that does not change, without a division: by the quotient of 2^64. */
struct remainder {
	uint64_t by, inverse;
};

static inline struct remainder remainder_by(uint64_t by)
{
	return (struct remainder){ by, by > 0 ? UINT64_MAX / by : 0 };
}

/* The inverse lacks 1 of 2^64 / by at most, so the quotient is right or one too small. Nobody foresees which, so there are no jumps: a
 * remainder from which too much was taken wraps to a large one. */
UVET_WRAPS static inline uint64_t remainder_of(const struct remainder *r, uint64_t v)
{
	const uint64_t left = v - bits_product_high(v, r->inverse) * r->by, less = left - r->by;

	return less < left ? less : left;
}

struct finder {
	const struct toc *t;
	struct remainder seeds, chunks;
};

struct finder finder_of(const struct toc *t);

/* finder_finds tells whether the hash finds chunk i at its own place. */
bool finder_finds(const struct finder *f, struct utoc_chunk_id_row id, uint64_t i);

/* finder_lead puts to slots where the hash leads to from at most FINDER_MANY ids: what is no chunk's number stands for
 * nowhere or the list of other chunks. Seeds lie anywhere, so all are fetched before the first is needed. */
enum { FINDER_MANY = 64 };
void finder_lead(const struct finder *f, struct utoc_chunk_id_rows ids, uint64_t *slots);

/* finder_has_all tells whether there is a chunk for each of at most FINDER_MANY ids, without the list of other chunks. */
bool finder_has_all(const struct finder *f, struct utoc_chunk_id_rows ids);

/* finder_find gives the chunk that is found for an id without the list of other chunks, or TOC_NONE. */
uint32_t finder_find(const struct finder *f, struct utoc_chunk_id_row id);

#endif

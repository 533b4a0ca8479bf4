/* Looking a chunk up by the perfect hash, for loops over all chunks. Source:
 * conformance/spec/iostore.md, 5. */
#ifndef UVET_FORMATS_IOSTORE_TOC_PERFECT_HASH_H
#define UVET_FORMATS_IOSTORE_TOC_PERFECT_HASH_H

#include "formats/iostore/toc/toc.h"

/* The remainder by a constant number without a division: by multiplication with its inverse in
 * 2^64. */
struct remainder {
	uint64_t by, inverse;
};

static inline struct remainder remainder_by(uint64_t by)
{
	return (struct remainder){ by, by > 0 ? UINT64_MAX / by : 0 };
}

/* The inverse is less than 2^64 / by by at most 1, so the quotient is right or one too small. A
 * branch on that would be mispredicted, so there is none: a remainder from which too much was
 * subtracted wraps around to a large one. */
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

/* finder_lead writes the slots of at most FINDER_MANY ids; a slot that is no chunk's number
 * means that there is none, or that it is in the overflow list. Seeds are accessed in no order,
 * so all are prefetched before the first is needed. */
enum { FINDER_MANY = 64 };
void finder_lead(const struct finder *f, struct utoc_chunk_id_rows ids, uint64_t *slots);

/* finder_has_all tells whether there is a chunk for each of at most FINDER_MANY ids, without the
 * overflow list. */
bool finder_has_all(const struct finder *f, struct utoc_chunk_id_rows ids);

/* finder_find gives the chunk of an id that is found without the overflow list, or TOC_NONE. */
uint32_t finder_find(const struct finder *f, struct utoc_chunk_id_row id);

#endif

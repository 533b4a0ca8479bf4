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

/* What the hash that leads to a seed begins with; the one that leads to a slot begins with the seed. */
#define FINDER_BASIS UINT64_C(0xCBF29CE484222325)
#define FINDER_PRIME UINT64_C(0x100000001B3)

/* finder_middle gives three bytes of an id that are 0 but where they are bytes of a hash: an id without them is short. */
static inline uint64_t finder_middle(const uint8_t *id)
{
	return bytes_le32(id + 8) & 0xFFFFFF;
}

/* finder_hash is the engine's FNV: it multiplies before it adds a byte; those that are 0 only multiply. */
UVET_WRAPS static inline uint64_t finder_hash(uint64_t h, const uint8_t *id, bool is_short)
{
	for (unsigned i = 0; i < 8; i++)
		h = h * FINDER_PRIME ^ id[i];
	if (is_short)
		return h * (FINDER_PRIME * FINDER_PRIME * FINDER_PRIME * FINDER_PRIME) ^ id[11];
	for (unsigned i = 8; i < utoc_chunk_id_fixed_len; i++)
		h = h * FINDER_PRIME ^ id[i];
	return h;
}

/* finder_leads gives the slot that the hash leads to from an id, or TOC_NONE where it says that there is none, or sends to the list
 * of other chunks. There are seeds and chunks. */
static inline uint64_t finder_leads(const struct finder *f, const uint8_t *id, bool *to_list)
{
	const bool is_short = finder_middle(id) == 0;
	const uint64_t bucket = remainder_of(&f->seeds, finder_hash(FINDER_BASIS, id, is_short));
	const int64_t seed = layout_signed(bytes_le32(toc_row(f->t, SECTION_SEEDS, bucket)));

	*to_list = false;
	if (seed > 0)
		return remainder_of(&f->chunks, finder_hash((uint64_t)seed, id, is_short));
	if (seed < 0 && (uint64_t)(-seed - 1) < f->chunks.by)
		return (uint64_t)(-seed - 1);
	*to_list = seed < 0 && f->t->version >= TOC_OVERFLOW;
	return TOC_NONE;
}

/* finder_finds tells whether the hash finds chunk i at its own place. */
static inline bool finder_finds(const struct finder *f, const uint8_t *id, uint64_t i)
{
	bool to_list;
	const uint64_t slot = finder_leads(f, id, &to_list);

	return slot == i || (to_list && f->t->overflow_slots && toc_bit(f->t->overflow_slots, i));
}

/* finder_lead puts to slots where the hash leads to from n <= FINDER_MANY ids that follow one another: what is no chunk's number stands for
 * nowhere or the list of other chunks. Seeds lie anywhere, so all are fetched before the first is needed. */
enum { FINDER_MANY = 64 };
void finder_lead(const struct finder *f, const uint8_t *ids, uint64_t n, uint64_t *slots);

/* finder_has_all tells whether there is a chunk for each of n <= FINDER_MANY ids, without the list of other chunks. */
bool finder_has_all(const struct finder *f, const uint8_t *ids, uint64_t n);

/* finder_find gives the chunk that is found for an id without the list of other chunks, or TOC_NONE. */
uint32_t finder_find(const struct finder *f, const uint8_t *id);

#endif

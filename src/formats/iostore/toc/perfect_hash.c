/* The perfect hash, by which the engine finds a chunk by its id. Source:
 * conformance/spec/iostore.md, 5. */
#include "core/mutant.h"
#include "formats/iostore/toc/perfect_hash.h"
#include "formats/iostore/toc/toc.h"

/* ---- Looking up ------------------------------------------------------------------------------ */

/* The value of a seed. */
static int64_t seed_at(const struct toc *t, uint64_t i)
{
	return utoc_seed_get_value(utoc_seed_at(t->seeds, i));
}

struct finder finder_of(const struct toc *t)
{
	return (struct finder){ t, remainder_by(t->n_seeds), remainder_by(t->n_chunks) };
}

/* The start value of the hash that selects a seed; the hash that selects a slot starts with the
 * seed. */
#define FNV_BASIS UINT64_C(0xCBF29CE484222325)
#define FNV_PRIME UINT64_C(0x100000001B3)

/* Three bytes of an id that are 0 unless the id is a hash. Without them the id is short. */
static inline uint64_t middle(struct utoc_chunk_id_row id)
{
	return utoc_chunk_id_word(id, 2) & 0xFFFFFF;
}

/* The engine's FNV multiplies before it adds a byte, so bytes of 0 are only a multiplication. */
UVET_WRAPS static inline uint64_t fnv(uint64_t h, struct utoc_chunk_id_row id, bool is_short)
{
	for (unsigned i = 0; i < 8; i++)
		h = h * FNV_PRIME ^ utoc_chunk_id_byte(id, i);
	if (is_short)
		return h * (FNV_PRIME * FNV_PRIME * FNV_PRIME * FNV_PRIME) ^
		       utoc_chunk_id_get_type(id);
	for (unsigned i = 8; i < utoc_chunk_id_fixed_len; i++)
		h = h * FNV_PRIME ^ utoc_chunk_id_byte(id, i);
	return h;
}

static bool is_at(const struct toc *t, struct utoc_chunk_id_row id, uint64_t chunk)
{
	return memcmp(toc_id_row(t, chunk).bytes, id.bytes, utoc_chunk_id_fixed_len) == 0;
}

/* The slot of an id by the hash, or TOC_NONE if it says that there is none or that it is in the
 * overflow list. There is at least one seed and one chunk. */
static inline uint64_t leads(const struct finder *f, struct utoc_chunk_id_row id, bool *to_list)
{
	const bool is_short = middle(id) == 0;
	const uint64_t bucket = remainder_of(&f->seeds, fnv(FNV_BASIS, id, is_short));
	const int64_t seed = seed_at(f->t, bucket);

	*to_list = false;
	if (seed > 0)
		return remainder_of(&f->chunks, fnv((uint64_t)seed, id, is_short));
	if (seed < 0 && (uint64_t)(-seed - 1) < f->chunks.by)
		return (uint64_t)(-seed - 1);
	*to_list = seed < 0 && f->t->version >= TOC_OVERFLOW;
	return TOC_NONE;
}

bool finder_finds(const struct finder *f, struct utoc_chunk_id_row id, uint64_t i)
{
	bool to_list;
	const uint64_t slot = leads(f, id, &to_list);

	return slot == i || (to_list && f->t->overflow_slots && toc_bit(f->t->overflow_slots, i));
}

uint32_t finder_find(const struct finder *f, struct utoc_chunk_id_row id)
{
	bool to_list;
	const uint64_t slot = leads(f, id, &to_list);

	return slot != TOC_NONE && is_at(f->t, id, slot) ? (uint32_t)slot : TOC_NONE;
}

/* Without branches on a seed or an id, which would be mispredicted. If a seed is 0 or refers to
 * the overflow list, the slot is above all numbers of chunks. */
UVET_INLINE UVET_WRAPS static inline void lead(const struct finder *f,
					       struct utoc_chunk_id_rows ids, uint64_t *slots,
					       bool are_short)
{
	const struct remainder seeds = f->seeds, chunks = f->chunks;
	const struct utoc_seed_rows rows = f->t->seeds;

	for (uint64_t k = 0; k < ids.n; k++) {
		slots[k] = remainder_of(&seeds,
					fnv(FNV_BASIS, utoc_chunk_id_at(ids, k), are_short));
		utoc_seed_fetch_one(rows, slots[k]);
	}
	for (uint64_t k = 0; k < ids.n; k++) {
		const uint64_t seed = (uint64_t)utoc_seed_get_value(utoc_seed_at(rows, slots[k]));
		const uint64_t hashed = remainder_of(
			&chunks, fnv(seed, utoc_chunk_id_at(ids, k), are_short));
		/* all bits where the seed is not above 0 */
		const uint64_t told = -seed - 1, is_told = -((seed - 1) >> 63);

		slots[k] = hashed ^ ((hashed ^ told) & is_told);
	}
}

void finder_lead(const struct finder *f, struct utoc_chunk_id_rows ids, uint64_t *slots)
{
	uint64_t middles = 0;

	for (uint64_t k = 0; k < ids.n; k++)
		middles |= middle(utoc_chunk_id_at(ids, k));
	if (middles == 0)
		lead(f, ids, slots, true);
	else
		lead(f, ids, slots, false);
}

bool finder_has_all(const struct finder *f, struct utoc_chunk_id_rows ids)
{
	uint64_t slots[FINDER_MANY];
	bool all = true;

	finder_lead(f, ids, slots);
	for (uint64_t k = 0; k < ids.n && all; k++) {
		all = slots[k] < f->chunks.by;
		utoc_chunk_id_fetch_one(f->t->ids, slots[k]);
	}
	for (uint64_t k = 0; k < ids.n && all; k++)
		all = is_at(f->t, utoc_chunk_id_at(ids, k), slots[k]);
	return all;
}

/* ---- The seeds and the list of other chunks -------------------------------------------------- */

static uint32_t seed_traits(const struct toc *t, int64_t seed)
{
	const bool beyond = seed < 0 && (uint64_t)(-seed - 1) >= t->n_chunks;

	if (seed == INT32_MIN)
		return SEED_LOWEST;
	if (!beyond)
		return 0;
	return t->version < TOC_OVERFLOW ? SEED_NO_SLOT : SEED_OVERFLOW;
}

void toc_seed_at(const struct toc *t, uint64_t i, struct toc_seed *out)
{
	out->seed.at = t->sections[SECTION_SEEDS].at.at + i * utoc_seed_fixed_len;
	out->seed.value = seed_at(t, i);
	out->number = i;
	out->traits = seed_traits(t, out->seed.value);
}

static int64_t slot_at(const struct toc *t, uint64_t i)
{
	return utoc_seed_get_value(utoc_seed_at(t->overflow, i));
}

static bool is_outside(const struct toc *t, int64_t slot)
{
	/* mutant: a chunk behind the last */
	return slot < 0 || (uint64_t)slot >= t->n_chunks + (uint64_t)MUTANT(119);
}

/* An entry of the overflow list is repeated if an earlier one names the same slot. */
void toc_overflow_at(const struct toc *t, uint64_t i, struct toc_seed *out)
{
	out->seed.at = t->sections[SECTION_OVERFLOW].at.at + i * utoc_seed_fixed_len;
	out->seed.value = slot_at(t, i);
	out->number = i;
	out->traits = is_outside(t, out->seed.value) ? OVERFLOW_OUTSIDE : 0;
	if (out->traits == 0 && toc_bit(t->overflow_repeated, i))
		out->traits = OVERFLOW_REPEATED;
}

static void decode_overflow(struct decode *d, struct toc *t)
{
	uint64_t *slots = decode_alloc(d, UTOC_PERFECT_HASH, t->n_chunks / 64 + 1, sizeof *slots);
	uint64_t *repeated = decode_alloc(d, UTOC_PERFECT_HASH, t->n_overflow / 64 + 1,
					  sizeof *repeated);

	if (!slots || !repeated)
		return;
	memset(slots, 0, (size_t)(t->n_chunks / 64 + 1) * sizeof *slots);
	memset(repeated, 0, (size_t)(t->n_overflow / 64 + 1) * sizeof *repeated);
	for (uint64_t i = 0; i < t->n_overflow; i++) {
		const int64_t slot = slot_at(t, i);

		if (is_outside(t, slot)) {
			t->overflow_traits |= OVERFLOW_OUTSIDE;
		} else if (toc_bit(slots, (uint64_t)slot)) {
			t->overflow_traits |= OVERFLOW_REPEATED;
			repeated[i / 64] |= (uint64_t)1 << i % 64;
		} else {
			slots[slot / 64] |= (uint64_t)1 << slot % 64;
		}
	}
	t->overflow_slots = slots;
	t->overflow_repeated = repeated;
}

void toc_decode_perfect_hash(struct decode *d, struct toc *t)
{
	const struct utoc_seed_rows seeds = t->seeds;

	if (!decode_spend(d, UTOC_PERFECT_HASH, t->n_seeds + t->n_overflow))
		return;
	for (uint64_t i = 0; i < seeds.n; i++) {
		const int64_t seed = utoc_seed_get_value(utoc_seed_at(seeds, i));

		if (!decode_goes_on(d, UTOC_PERFECT_HASH, i))
			return;
		if (seed < 0)
			t->seed_traits |= seed_traits(t, seed);
	}
	if (t->n_overflow > 0)
		decode_overflow(d, t);
}

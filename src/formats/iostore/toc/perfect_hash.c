/* The perfect hash: by which the engine finds a chunk's place from its id. Source: conformance/spec/iostore.md, 5. */
#include "core/canary.h"
#include "formats/iostore/toc/perfect_hash.h"
#include "formats/iostore/utoc.h"

/* ---- Looking up --------------------------------------------------------------------------------------------------------- */

/* What a seed leads to. */
static int64_t seed_at(const struct toc *t, uint64_t i)
{
	return layout_signed(bytes_le32(toc_row(t, SECTION_SEEDS, i)));
}

struct finder finder_of(const struct toc *t)
{
	return (struct finder){ t, remainder_by(t->n_seeds), remainder_by(t->n_chunks) };
}

static bool is_at(const struct toc *t, const uint8_t *id, uint64_t chunk)
{
	return memcmp(toc_row(t, SECTION_IDS, chunk), id, utoc_chunk_id_fixed_len) == 0;
}

uint32_t finder_find(const struct finder *f, const uint8_t *id)
{
	bool to_list;
	const uint64_t slot = finder_leads(f, id, &to_list);

	return slot != TOC_NONE && is_at(f->t, id, slot) ? (uint32_t)slot : TOC_NONE;
}

/* No jump depends on a seed or an id: nobody foresees those. Where a seed is 0 or leads to the list, the number is above all of chunks. */
UVET_INLINE UVET_WRAPS static inline void lead(const struct finder *f, const uint8_t *ids, uint64_t n, uint64_t *slots, bool are_short)
{
	const struct remainder seeds = f->seeds, chunks = f->chunks;
	const uint8_t *rows = toc_row(f->t, SECTION_SEEDS, 0);

	for (uint64_t k = 0; k < n; k++) {
		slots[k] = remainder_of(&seeds, finder_hash(FINDER_BASIS, ids + k * utoc_chunk_id_fixed_len, are_short));
		memory_fetch(rows + slots[k] * utoc_seed_fixed_len);
	}
	for (uint64_t k = 0; k < n; k++) {
		const uint64_t seed = (uint64_t)layout_signed(bytes_le32(rows + slots[k] * utoc_seed_fixed_len));
		const uint64_t hashed = remainder_of(&chunks, finder_hash(seed, ids + k * utoc_chunk_id_fixed_len, are_short));
		const uint64_t told = -seed - 1, is_told = -((seed - 1) >> 63);         /* all bits where the seed is not above 0 */

		slots[k] = hashed ^ ((hashed ^ told) & is_told);
	}
}

void finder_lead(const struct finder *f, const uint8_t *ids, uint64_t n, uint64_t *slots)
{
	uint64_t middles = 0;

	for (uint64_t k = 0; k < n; k++)
		middles |= finder_middle(ids + k * utoc_chunk_id_fixed_len);
	if (middles == 0)
		lead(f, ids, n, slots, true);
	else
		lead(f, ids, n, slots, false);
}

bool finder_has_all(const struct finder *f, const uint8_t *ids, uint64_t n)
{
	uint64_t slots[FINDER_MANY];
	bool all = true;

	finder_lead(f, ids, n, slots);
	for (uint64_t k = 0; k < n && all; k++) {
		all = slots[k] < f->chunks.by;
		memory_fetch(toc_row(f->t, SECTION_IDS, all ? slots[k] : 0));
		memory_fetch(toc_row(f->t, SECTION_IDS, all ? slots[k] : 0) + utoc_chunk_id_fixed_len - 1);
	}
	for (uint64_t k = 0; k < n && all; k++)
		all = is_at(f->t, ids + k * utoc_chunk_id_fixed_len, slots[k]);
	return all;
}

/* ---- The seeds and the list of other chunks ----------------------------------------------------------------------------- */

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
	return layout_signed(bytes_le32(toc_row(t, SECTION_OVERFLOW, i)));
}

static bool is_outside(const struct toc *t, int64_t slot)
{
	return slot < 0 || (uint64_t)slot >= t->n_chunks + (uint64_t)CANARY(119);      /* canary: a chunk behind the last */
}

/* A list entry is repeated if one before it names the same slot: rows are few, and only those of a broken list are made. */
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
	uint64_t *repeated = decode_alloc(d, UTOC_PERFECT_HASH, t->n_overflow / 64 + 1, sizeof *repeated);

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

void toc_decode_perfect_hash(struct decode *d, struct utoc *u)
{
	struct toc *t = &u->toc;

	if (!decode_spend(d, UTOC_PERFECT_HASH, t->n_seeds + t->n_overflow))
		return;
	for (uint64_t i = 0; i < t->n_seeds; i++) {
		const int64_t seed = seed_at(t, i);

		if (seed < 0)
			t->seed_traits |= seed_traits(t, seed);
	}
	if (t->n_overflow > 0)
		decode_overflow(d, t);
}

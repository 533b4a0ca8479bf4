/* Soft references: for each package indexes into one list of ids. Source:
 * conformance/spec/iostore.md, 8.31 to 8.34. */
#include "core/mutant.h"
#include "formats/iostore/container_header/walk.h"

#define EACH_INDEX 4u
#define SHARED_WORK 64u /* as in packages.c */

/* An entry outside the bytes is read as one of no references. */
static void view_soft_row(const struct container_header *h, uint64_t i,
			  struct container_soft_row *out)
{
	const struct container_part *entries = &h->walk.parts[PART_SOFT_ENTRIES];
	const uint64_t at = entries->at + i * container_soft_entry_fixed_len;

	*out = (struct container_soft_row){ .at = at, .index = i, .traits = SOFT_MISSING };
	if (i >= entries->len / container_soft_entry_fixed_len)
		return;
	out->n = held_u32(h->held, at);
	out->offset = held_u32(h->held, at + 4);
	out->traits = 0;
}

/* Reads a package's indexes, and sets the row's traits. *n_new is how many may still be read before
 * some must have been read twice. */
static bool look_at_row(struct decode *d, struct container_header *h,
			struct container_soft_row *row, uint64_t *n_new)
{
	const struct container_part *entries = &h->walk.parts[PART_SOFT_ENTRIES];
	const uint64_t end = entries->at + entries->len, start = row->at + row->offset;
	const uint64_t first = entries->at + h->soft.n * container_soft_entry_fixed_len;
	const bool shared = row->n > *n_new;

	if (row->n == 0)
		return true;
	if (start < first || start > end || row->n * EACH_INDEX > end - start) {
		row->traits = SOFT_VIEW_OUT;
		return true;
	}
	*n_new -= shared ? *n_new : row->n;
	if (!decode_spend(d, CONTAINER_SOFT, shared ? row->n * SHARED_WORK : row->n))
		return false;
	for (uint64_t i = 0; i < row->n; i++)
		/* mutant: one id more */
		if (held_u32(h->held, start + i * EACH_INDEX) >= h->soft.n_ids + MUTANT(92))
			row->traits = SOFT_INDEX_OUT;
	return true;
}

static void look_at_all(struct decode *d, struct container_header *h)
{
	struct container_soft *s = &h->soft;
	uint64_t n_new = h->walk.parts[PART_SOFT_ENTRIES].len / EACH_INDEX;
	struct container_soft_row row;

	for (uint64_t i = 0; i < s->n; i++) {
		view_soft_row(h, i, &row);
		if (!look_at_row(d, h, &row, &n_new))
			return;
		s->traits[i] = (uint8_t)row.traits;
		s->seen |= row.traits;
	}
}

void container_read_soft(struct decode *d, struct container_header *h)
{
	const struct container_part *entries = &h->walk.parts[PART_SOFT_ENTRIES],
				    *ids = &h->walk.parts[PART_IDS];
	struct container_soft *s = &h->soft;

	if (!entries->is_there)
		return;
	s->n_ids = h->walk.parts[PART_SOFT_IDS].n;
	if (ids->n > d->limits->of[LIMIT_entries]) {
		decode_stop_limit(d, CONTAINER_SOFT, LIMIT_entries, h->id_at);
		return;
	}
	s->traits = decode_alloc(d, CONTAINER_SOFT, ids->n, sizeof *s->traits);
	if (!s->traits || !decode_spend(d, CONTAINER_SOFT, ids->n))
		return;
	s->n = ids->n;
	look_at_all(d, h);
}

void container_view_soft(const struct container_header *h, uint64_t first, uint64_t n, void *rows)
{
	struct container_soft_row *out = rows;

	for (uint64_t i = 0; i < n; i++) {
		view_soft_row(h, first + i, &out[i]);
		out[i].traits = h->soft.traits[first + i];
	}
}

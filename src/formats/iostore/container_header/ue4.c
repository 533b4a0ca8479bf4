/* The container header of Unreal Engine 4: where its parts lie, and which of three forms it has.
 * Source: conformance/spec/iostore.md, 8. */
#include "formats/iostore/container_header/walk.h"

#include "core/mutant.h"

/* ---- The walk -------------------------------------------------------------------------------- */

/* The bytes of a culture's name, by its signed count; UINT64_MAX for the one count that cannot be
 * negated. */
static uint64_t culture_len(int64_t count)
{
	if (count == INT32_MIN)
		return UINT64_MAX;
	return count < 0 ? (uint64_t)-count * 2 : (uint64_t)count;
}

/* The name of a culture, and the packages that have a form of their own for it. */
static bool walk_culture(struct container_walk *w)
{
	const uint64_t at = cursor_at(&w->c);
	struct span name;
	uint64_t len;
	int64_t count;

	if (!layout_read_i32(&w->c, &count))
		return walk_cut(w, PART_CULTURE, at, container_count_fixed_len);
	len = culture_len(count);
	if (!cursor_skip(&w->c, len, &name))
		return walk_cut(w, PART_CULTURE, cursor_at(&w->c), len);
	return walk_rows(w, PART_CULTURE, container_old_redirect_fixed_len);
}

static bool walk_cultures(struct container_walk *w)
{
	struct container_part *all = &w->parts[PART_CULTURES];

	if (!walk_rows(w, PART_CULTURES, 0))
		return false;
	for (uint64_t i = 0; i < all->n; i++)
		if (!walk_culture(w))
			return false;
	all->len = cursor_at(&w->c) - all->at;
	return true;
}

static bool walk_maps(struct container_walk *w)
{
	return walk_cultures(w) && walk_rows(w, PART_REDIRECTS, container_old_redirect_fixed_len);
}

static void walk_form(struct container_walk *w, bool fork)
{
	bool names;

	if (fork && !walk_take(w, PART_FORK, container_count_fixed_len))
		return;
	names = walk_rows(w, PART_NAMES, 1) && walk_rows(w, PART_HASHES, 1);
	if (!walk_ends(w, CONTAINER_NAMES, names) ||
	    !walk_ends(w, CONTAINER_PACKAGES,
		       walk_rows(w, PART_IDS, container_package_id_fixed_len) &&
			       walk_rows(w, PART_ENTRIES, 1)) ||
	    !walk_ends(w, CONTAINER_MAPS, walk_maps(w)))
		return;
	w->groups |= 1u << CONTAINER_SOFT | 1u << CONTAINER_END;
	w->end = cursor_at(&w->c);
}

/* ---- Which form ------------------------------------------------------------------------------ */

/* How well a form fits: a point if it fits at all, one if only zeros follow it, two if its counts
 * of packages agree. */
enum { BEST_FIT = 4 };
static int form_points(const struct container_header *h, const struct container_walk *w)
{
	int points = 2;

	if (!(w->groups & 1u << CONTAINER_END))
		return 0;
	for (uint64_t i = w->end; i < w->c.len; i++)
		if (held_u8(h->held, i) != 0)
			points = 1;
	return points + (w->parts[PART_IDS].n == h->package_count ? 2 : 0);
}

uint64_t walk_bad_views(struct held entries, uint64_t n, const struct container_shape *shape)
{
	const uint64_t first = n * shape->entry_len;
	uint64_t bad = 0;

	if (entries.len < first)
		return UINT64_MAX;
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t at = i * shape->entry_len + shape->imports_at;
		const uint64_t count = held_u32(entries, at),
			       start = at + held_u32(entries, at + 4);

		bad += count > 0 && (start < first || start > entries.len ||
				     count * CONTAINER_IMPORT_LEN > entries.len - start);
	}
	return bad;
}

/* Both forms of store entries fit any number of bytes. It is the shorter one only if the longer
 * does not fit, or has more views that lead out of the bytes. */
static int version_of(const struct container_walk *w, struct held chunk)
{
	const struct container_shape pre = container_shape_of(CONTAINER_PRE_INITIAL),
				     initial = container_shape_of(CONTAINER_INITIAL);
	const struct container_part *ids = &w->parts[PART_IDS], *entries = &w->parts[PART_ENTRIES];
	const struct held bytes = held_part(chunk, entries->at, entries->len);
	uint64_t bad_initial;

	if (!entries->is_there || ids->n == 0 || entries->len < ids->n * pre.entry_len)
		return CONTAINER_INITIAL;
	bad_initial = walk_bad_views(bytes, ids->n, &initial);
	/* mutant: a tie is none */
	if (bad_initial == 0 || bad_initial <= walk_bad_views(bytes, ids->n, &pre) + MUTANT(86))
		return CONTAINER_INITIAL;
	return CONTAINER_PRE_INITIAL;
}

void walk_ue4(struct container_header *h)
{
	struct container_walk plain = h->walk, fork = h->walk;

	walk_form(&plain, false);
	h->walk = plain;
	if (form_points(h, &plain) < BEST_FIT) {
		walk_form(&fork, true);
		if (form_points(h, &fork) > form_points(h, &plain))
			h->walk = fork;
	}
	h->version = version_of(&h->walk, h->held);
}

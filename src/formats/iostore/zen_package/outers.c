/* The outers of exports, the paths that follow from them, and their hashes. Source:
 * conformance/spec/zen.md, 5. */
#include "core/order.h"
#include "formats/iostore/zen_package/parts.h"

static uint64_t outer_of(const struct zen *z, uint64_t i)
{
	return zen_export_get_outer(zen_export_at(z->exports, i));
}

/* ---- Cycles ---------------------------------------------------------------------------------- */

static void mark_cycle(struct zen *z, uint64_t first)
{
	uint64_t i = first;

	do {
		zen_mark_export(z, i, ZEN_EXPORT_CYCLE);
		i = outer_of(z, i);
	} while (i != first);
}

/* Each export is passed once: a walk ends at one that an earlier walk has passed, or that it has
 * passed itself, which is a cycle. */
static void walk_outers(struct zen *z, uint32_t *passed)
{
	memset(passed, 0, (size_t)(z->n_exports * sizeof *passed));
	for (uint64_t start = 0; start < z->n_exports; start++) {
		const uint32_t walk = (uint32_t)start + 1;
		uint64_t i = start;

		/* mutant: an outer may be after the last export */
		while (i < z->n_exports + MUTANT(312) && passed[i] == 0) {
			passed[i] = walk;
			i = outer_of(z, i); /* what is no export is no number of one */
		}
		if (i < z->n_exports && passed[i] == walk)
			mark_cycle(z, i);
	}
}

bool zen_check_outers(struct zen_reader *r)
{
	struct zen *z = r->z;
	const struct arena_mark mark = arena_mark(r->arena);
	uint32_t *passed;

	passed = zen_alloc(r, ZEN_OBJECTS, z->n_exports, sizeof *passed);
	if (!passed)
		return false;
	walk_outers(z, passed);
	arena_rewind(r->arena, mark);
	return true;
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* The most names of a path whose hash is computed: real ones have less than ten. So an export costs
 * no more than this many steps, even in a cycle. */
enum { PATH_NAMES_MAX = 64 };

static bool add_outers(const struct zen *z, uint64_t i, struct object_path *path)
{
	const struct name_batch *names = &z->batches[ZEN_OWN_NAMES];

	for (unsigned n = 0; i < z->n_exports && n < PATH_NAMES_MAX; n++) {
		const struct zen_export_row row = zen_export_at(z->exports, i);
		const uint64_t name = zen_export_get_name(row);

		if (!names_have(names, NAME_OF_PACKAGE, name) ||
		    !object_path_add(path, names, mapped_index(name), zen_export_get_number(row),
				     zen_is_ue4(z)))
			return false;
		i = zen_export_get_outer(row);
	}
	return i == OBJECT_IS_NULL;
}

static bool add_package(const struct zen *z, uint64_t name, uint64_t number,
			struct object_path *path)
{
	const struct name_batch *names = &z->batches[ZEN_OWN_NAMES];

	return names_have(names, NAME_OF_PACKAGE, name) &&
	       object_path_add(path, names, mapped_index(name), number, true);
}

/* In UE4 the path begins with the name of the package, or of that which it translates. */
bool zen_export_hash(const struct zen *z, uint64_t i, uint64_t *hash)
{
	const struct zen_summary *s = &z->summary;
	UVET_FILLED_LATER struct object_path path;

	object_path_start(&path);
	if (!zen_has(z, ZEN_NAMES) || !add_outers(z, i, &path))
		return false;
	if (!zen_is_ue4(z)) {
		*hash = object_path_hash(&path);
		return true;
	}
	if (!add_package(z, s->source_name, s->source_number, &path))
		return false;
	*hash = object_index(OBJECT_PACKAGE, object_path_hash(&path));
	return true;
}

/* ---- Hashes ---------------------------------------------------------------------------------- */

static uint64_t stored_hash(const struct zen *z, uint64_t i)
{
	const uint64_t hash = zen_export_get_hash(zen_export_at(z->exports, i));

	return zen_is_ue4(z) && hash == OBJECT_IS_NULL ? 0 : hash;
}

static void check_hash(struct zen *z, uint64_t i, uint64_t stored)
{
	uint64_t hash;

	if (!(z->traits_of_exports[i] & ZEN_EXPORT_GLOBAL_KIND) && zen_export_hash(z, i, &hash) &&
	    hash != stored)
		zen_mark_export(z, i, zen_is_ue4(z) ? ZEN_EXPORT_GLOBAL : ZEN_EXPORT_HASH);
}

/* The exports that have a hash, by their numbers. */
struct hashed {
	const struct zen *z;
	uint32_t *exports, *digests;
	uint32_t n;
};

static int compare_hashes(const void *table, uint32_t a, uint32_t b)
{
	const struct hashed *h = table;

	return order_numbers(stored_hash(h->z, h->exports[a]), stored_hash(h->z, h->exports[b]));
}

static void list_hashed(struct hashed *h)
{
	for (uint64_t i = 0; i < h->z->n_exports; i++) {
		const uint64_t hash = stored_hash(h->z, i);

		if (hash == 0)
			continue;
		h->exports[h->n] = (uint32_t)i;
		h->digests[h->n++] = (uint32_t)(hash & UINT32_MAX);
	}
}

static bool mark_repeated(struct zen_reader *r, struct hashed *h)
{
	struct order o;

	list_hashed(h);
	if (!order_suspects(r->arena, h->digests, h->n, h, compare_hashes, &o))
		return zen_fail(r, ZEN_OBJECTS);
	for (uint32_t i = 1; o.n_ties > 0 && i < o.n; i++) {
		const uint32_t row = order_row(&o, i);

		if (compare_hashes(h, order_row(&o, i - 1), row) == 0)
			zen_mark_export(r->z, h->exports[row], ZEN_EXPORT_REPEATED);
	}
	return true;
}

static bool find_repeated(struct zen_reader *r, uint64_t n)
{
	const struct arena_mark mark = arena_mark(r->arena);
	struct hashed h = { .z = r->z };
	bool done;

	/* mutant: of three exports with a hash one is left out */
	h.exports = zen_alloc(r, ZEN_OBJECTS, n - (MUTANT(313) && n == 3), sizeof *h.exports);
	h.digests = zen_alloc(r, ZEN_OBJECTS, n, sizeof *h.digests);
	done = h.exports && h.digests && mark_repeated(r, &h);
	arena_rewind(r->arena, mark);
	return done;
}

bool zen_check_hashes(struct zen_reader *r)
{
	struct zen *z = r->z;
	uint64_t n = 0;

	for (uint64_t i = 0; i < z->n_exports; i++) {
		const uint64_t stored = stored_hash(z, i);

		n += stored != 0;
		if (stored != 0 && zen_has(z, ZEN_NAMES))
			check_hash(z, i, stored);
	}
	return n < 2 || find_repeated(r, n);
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

/* Exports and cells lie in one payload, in any order: cell i has the number after those of all
 * exports. */
static uint64_t offset_key(const void *table, uint32_t i)
{
	const struct zen *z = table;

	return i < z->n_exports ? zen_export_get_offset(zen_export_at(z->exports, i))
				: zen_cell_get_offset(zen_cell_at(z->cells, i - z->n_exports));
}

static uint64_t size_of(const struct zen *z, uint32_t i)
{
	return i < z->n_exports ? zen_export_get_size(zen_export_at(z->exports, i))
				: zen_cell_get_size(zen_cell_at(z->cells, i - z->n_exports));
}

static uint64_t end_of(const struct zen *z, uint32_t i)
{
	return zen_sum(offset_key(z, i), size_of(z, i));
}

static bool follow_one_another(const struct zen *z, uint32_t n)
{
	uint32_t i = 1;

	while (i < n && offset_key(z, i) == end_of(z, i - 1))
		i++;
	return i >= n;
}

static void mark_range(struct zen *z, uint32_t i, bool overlaps)
{
	const uint32_t cell = overlaps ? (uint32_t)ZEN_CELL_OVERLAP : (uint32_t)ZEN_CELL_GAP;

	if (i < z->n_exports) {
		zen_mark_export(z, i, overlaps ? ZEN_EXPORT_OVERLAP : ZEN_EXPORT_GAP);
		return;
	}
	z->traits_of_cells[i - z->n_exports] |= (uint8_t)cell;
	z->cell_traits |= cell;
}

static void mark_ranges(struct zen *z, const struct order *o, uint64_t *ends)
{
	uint64_t end = offset_key(z, order_row(o, 0));

	for (uint32_t k = 0; k < o->n; k++) {
		const uint32_t i = order_row(o, k);
		const uint64_t offset = offset_key(z, i);

		if (offset != end)
			mark_range(z, i, offset < end);
		ends[i] = end;
		if (end_of(z, i) > end)
			end = end_of(z, i);
	}
	z->previous_ends = ends;
}

bool zen_check_ranges(struct zen_reader *r)
{
	struct zen *z = r->z;
	const uint64_t n = z->n_exports + z->n_cells;
	struct order o;
	uint64_t *ends;

	if (n == 0)
		return true;
	z->first_offset = offset_key(z, 0);
	if (follow_one_another(z, (uint32_t)n))
		return true;
	/* mutant: the last end has no place */
	ends = zen_alloc(r, ZEN_OBJECTS, n - (MUTANT(314) && n > 1), sizeof *ends);
	if (!ends)
		return false;
	if (!order_by_key(r->arena, z, (uint32_t)n, offset_key, &o))
		return zen_fail(r, ZEN_OBJECTS);
	z->first_offset = offset_key(z, order_row(&o, 0));
	mark_ranges(z, &o, ends);
	return true;
}

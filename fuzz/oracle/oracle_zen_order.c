/* A reference reading of what a zen package's tables say together: cycles, places one after the
 * other, paths, and versions. What is quadratic is asked of small packages alone. */
#include "oracle/oracle_zen_order.h"
#include "support/must.h"

enum { MOST_NODES = 256, MOST_ARCS = 256, MOST_EXPORTS = 128 };

static bool has_defect(const struct reading *u, uint64_t defect)
{
	return (u->z->defects & defect) != 0;
}

static uint64_t sum_of(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* ---- Cycles ---------------------------------------------------------------------------------- */

/* Edge k of a node; false: it has no more. What it leads to may be no node. */
typedef bool edge_of(const struct reading *u, uint64_t node, uint64_t k, uint64_t *to);

static bool is_blocked(const struct reading *u, uint64_t node, const bool *gone, uint64_t n,
		       edge_of *edge)
{
	uint64_t to;

	for (uint64_t k = 0; edge(u, node, k, &to); k++)
		if (to < n && !gone[to])
			return true;
	return false;
}

/* Nodes that lead to none that is left are taken away, as long as there are any. */
static bool has_cycle(const struct reading *u, uint64_t n, edge_of *edge)
{
	bool gone[MOST_NODES] = { false };
	uint64_t left = n, before = n + 1;

	while (left < before) {
		before = left;
		for (uint64_t i = 0; i < n; i++)
			if (!gone[i] && !is_blocked(u, i, gone, n, edge)) {
				gone[i] = true;
				left--;
			}
	}
	return left > 0;
}

static bool reference_of(const struct reading *u, uint64_t node, uint64_t k, uint64_t *to)
{
	if (k == 4)
		return false;
	*to = number(&u->exports, node, 24 + 8 * k, 8);
	return true;
}

static void check_references(const struct reading *u)
{
	const uint32_t known = ZEN_EXPORT_CYCLE | ZEN_EXPORT_OWN_CLASS | ZEN_EXPORT_OWN_SUPER |
			       ZEN_EXPORT_OWN_TEMPLATE;

	if (u->exports.n <= MOST_NODES)
		MUST(has_defect(u, ZEN_REFERENCE_CYCLE) ==
			     (!(u->z->export_traits & known) &&
			      has_cycle(u, u->exports.n, reference_of)),
		     "references lead back to an export if a reference reading finds so");
}

static uint64_t head_count(const struct reading *u, uint64_t export, uint64_t k)
{
	return u32_at(u, u32_at(u, 40) + 20 * export + 4 * k);
}

/* An even step creates, an odd one serializes; that waits for the step before it, too. */
static bool wait_of(const struct reading *u, uint64_t step, uint64_t k, uint64_t *to)
{
	const uint64_t export = step / 2, odd = step % 2,
		       created = head_count(u, export, 1 + 2 * odd),
		       all = created + head_count(u, export, 2 + 2 * odd),
		       skipped = odd ? head_count(u, export, 1) + head_count(u, export, 2) : 0;
	uint64_t v;

	if (odd && k == 0) {
		*to = step - 1;
		return true;
	}
	k -= odd;
	if (k >= all)
		return false;
	v = u32_at(u, u32_at(u, 44) + 4 * (head_count(u, export, 0) + skipped + k));
	*to = v == 0 || v >> 31 != 0 ? UINT64_MAX : 2 * (v - 1) + (k >= created);
	return true;
}

static void check_steps(const struct reading *u)
{
	const uint64_t n = u->exports.n + u->cells.n,
		       n_dependencies = (u32_at(u, 48) - u32_at(u, 44)) / 4;
	uint64_t listed = 0;

	if (u->z->dependency_head_traits != 0 || 2 * n > MOST_NODES)
		return;
	for (uint64_t i = 0; i < n; i++)
		for (unsigned k = 1; k <= 4; k++)
			listed += head_count(u, i, k);
	MUST(has_defect(u, ZEN_DEPENDENCIES_SHARED) == (listed > n_dependencies),
	     "dependencies are shared if more are listed than there are");
	if (listed <= n_dependencies)
		MUST(has_defect(u, ZEN_STEP_CYCLE) == has_cycle(u, 2 * n, wait_of),
		     "a step waits for itself if a reference reading finds so");
}

static uint64_t arcs_at(const struct reading *u)
{
	return u32_at(u, 40) + 16 * u->z->n_bundles;
}

static bool arc_of(const struct reading *u, uint64_t node, uint64_t k, uint64_t *to)
{
	const uint64_t at = arcs_at(u) + 4 + 8 * k;

	if (k >= u32_at(u, arcs_at(u)))
		return false;
	*to = u32_at(u, at) == node ? u32_at(u, at + 4) : UINT64_MAX;
	return true;
}

static void check_arcs(const struct reading *u)
{
	if (u->z->n_bundles <= MOST_NODES && u32_at(u, arcs_at(u)) <= MOST_ARCS)
		MUST(has_defect(u, ZEN_ARCS_CYCLIC) == has_cycle(u, u->z->n_bundles, arc_of),
		     "a bundle waits for itself if a reference reading finds so");
}

/* ---- Bundles and payload --------------------------------------------------------------------- */

static uint64_t bundle_size(const struct reading *u, uint64_t first, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = first; i < first + n; i++) {
		const uint64_t export = number(&u->entries, i, 0, 4);

		if (number(&u->entries, i, 4, 4) == 1 && export < u->exports.n)
			sum = sum_of(sum, number(&u->exports, export, 8, 8));
	}
	return sum;
}

/* next is where the payload of the one before it ends, UINT64_MAX if that is not known. */
static uint32_t payload_traits(const struct reading *u, uint64_t offset, uint64_t size,
			       uint64_t *next)
{
	const uint64_t expected = *next, end = sum_of(offset, size);

	*next = UINT64_MAX;
	if (end > u->z->size - u->z->header_end)
		return ZEN_BUNDLE_PAST_END;
	*next = end;
	return expected == UINT64_MAX || expected == offset ? 0u : ZEN_BUNDLE_MISPLACED;
}

static void check_bundles(const struct reading *u)
{
	uint64_t reach = 0, next = 0;

	for (uint64_t i = 0; i < u->z->n_bundles; i++) {
		const uint64_t at = u32_at(u, 40) + 16 * i, first = u32_at(u, at + 8),
			       n = u32_at(u, at + 12);
		struct zen_bundle_item row;
		uint32_t traits = first + n > u->entries.n ? ZEN_BUNDLE_OUT : 0u;

		traits |= first != reach ? ZEN_BUNDLE_NOT_NEXT : 0u;
		if (traits == 0)
			traits = payload_traits(u, reference_read(u->data + at, 8),
						bundle_size(u, first, n), &next);
		else
			next = UINT64_MAX;
		reach = first + n > reach ? first + n : reach;
		if (i + 1 == u->z->n_bundles && reach < u->entries.n)
			traits |= ZEN_BUNDLE_SHORT;
		zen_view_bundles(u->z, i, 1, &row);
		MUST(row.traits == traits, "a bundle is what the clauses say");
	}
}

static void check_payload(const struct reading *u)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < u->exports.n; i++)
		sum = sum_of(sum, number(&u->exports, i, 8, 8));
	MUST(has_defect(u, ZEN_PAYLOAD_EXTRA) == (sum < u->z->size - u->z->header_end),
	     "there is more payload than exports have if a reference reading finds so");
}

/* ---- Cells, paths, the package itself, and versions ------------------------------------------ */

static void check_cells(const struct reading *u)
{
	const uint64_t payload = u->z->size - u->z->header_end;

	for (uint64_t i = 0; i < u->cells.n; i++) {
		const uint64_t size = number(&u->cells, i, 16, 8),
			       end = sum_of(number(&u->cells, i, 0, 8), size);
		struct zen_cell_item row;
		uint32_t traits = number(&u->cells, i, 8, 8) > size ? ZEN_CELL_LAYOUT : 0u;

		traits |= size > payload ? ZEN_CELL_SIZE_OUT : 0u;
		traits |= size <= payload && end > payload ? ZEN_CELL_PAST_END : 0u;
		zen_view_cells(u->z, i, 1, &row);
		MUST((row.traits & (ZEN_CELL_LAYOUT | ZEN_CELL_SIZE_OUT | ZEN_CELL_PAST_END)) ==
			     traits,
		     "a cell is what the clauses say");
	}
}

/* Names with one number in the table are the same; of others nothing is asked. */
static bool has_twin(const struct reading *u, uint64_t i)
{
	for (uint64_t k = 0; k < i; k++)
		if (number(&u->exports, k, 16, 8) == number(&u->exports, i, 16, 8) &&
		    number(&u->exports, k, 24, 8) == number(&u->exports, i, 24, 8))
			return true;
	return false;
}

static void check_twins(const struct reading *u)
{
	if (!zen_has(u->z, ZEN_NAMES) || u->z->export_traits & ZEN_EXPORT_NAME_OUT ||
	    u->exports.n > MOST_EXPORTS)
		return;
	for (uint64_t i = 0; i < u->exports.n; i++) {
		struct zen_export_item row;

		zen_view_exports(u->z, i, 1, &row);
		MUST(!has_twin(u, i) || row.traits & ZEN_EXPORT_TWIN,
		     "an export with outer and name of an earlier one is its twin");
	}
}

/* The graph of UE4, which was walked through, has the package by the id of its name. */
static void check_own_package(const struct reading *u)
{
	uint64_t at = u32_at(u, 52) + 4;
	bool is_there = false;

	for (uint64_t i = u32_at(u, at - 4); i > 0; i--) {
		is_there |= reference_read(u->data + at, 8) == u->z->package_id;
		at += 12 + 8 * u32_at(u, at + 8);
	}
	MUST(has_defect(u, ZEN_OWN_PACKAGE) == (is_there && u->z->has_package_id),
	     "the graph has the package itself if a reference reading finds so");
}

static void check_versions(const struct reading *u)
{
	const struct zen *z = u->z;
	const bool named = z->version >= ZEN_5_3, cells = z->version >= ZEN_5_6,
		   has_versions = u32_at(u, 0) != 0;
	const int64_t ue5 = has_versions ? (int32_t)(uint32_t)u32_at(u, (named ? 52 : 44) + 8) : 0;

	MUST(has_defect(u, ZEN_CELLS_EARLY) == (has_versions && cells && ue5 < 1015) &&
		     has_defect(u, ZEN_CELLS_ABSENT) ==
			     (has_versions && named && !cells && ue5 >= 1015),
	     "offsets of cells are there or not as the version says");
	if (zen_has(z, ZEN_BULK))
		MUST(has_defect(u, ZEN_BULK_EARLY) ==
				     (has_versions && z->bulk_at > 0 && ue5 < 1009) &&
			     has_defect(u, ZEN_BULK_ABSENT) ==
				     (has_versions && z->version < ZEN_5_2 && ue5 >= 1009),
		     "a map of bulk data is there or not as the version says");
}

void oracle_zen_order(const struct reading *u)
{
	const bool has_graph = zen_has(u->z, ZEN_GRAPH);

	check_references(u);
	check_twins(u);
	check_cells(u);
	if (!u->is_ue4)
		check_versions(u);
	if (u->is_ue4 && has_graph)
		check_own_package(u);
	if (u->z->version >= ZEN_5_3 && has_graph)
		check_steps(u);
	if (u->is_ue4 || u->z->version >= ZEN_5_3)
		return;
	check_payload(u);
	if (has_graph) {
		check_arcs(u);
		check_bundles(u);
	}
}

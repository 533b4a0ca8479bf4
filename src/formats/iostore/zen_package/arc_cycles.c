/* Cycles of arcs between the bundles of a package of 5.0 to 5.2: bundles that wait for each other.
 * Source: conformance/spec/zen.md, 6.11. */
#include "core/digraph.h"
#include "core/order.h"
#include "formats/iostore/zen_package/parts.h"

/* The arcs in the order of the bundles that they begin at. */
struct arc_graph {
	struct zen_arc_rows rows;
	uint64_t n_bundles;
	struct order order;
	/* of each bundle, its first arc in the order; at n_bundles where they end */
	uint32_t *first;
};

/* Bundles that are not there come after all others. */
static uint64_t source_key(const void *table, uint32_t i)
{
	const struct arc_graph *g = table;
	const int64_t from = zen_arc_get_from(zen_arc_at(g->rows, i));

	return from < 0 || (uint64_t)from > g->n_bundles ? g->n_bundles : (uint64_t)from;
}

static struct span edges_of(const void *table, uint32_t node)
{
	const struct arc_graph *g = table;

	return (struct span){ g->first[node], g->first[node + 1] - g->first[node] };
}

static uint64_t target_of(const void *table, uint64_t edge)
{
	const struct arc_graph *g = table;
	const int64_t to = zen_arc_get_to(
		zen_arc_at(g->rows, order_row(&g->order, (uint32_t)edge)));

	return to < 0 ? g->n_bundles : (uint64_t)to;
}

/* No cycle goes by arcs that all lead to a later bundle. */
static bool all_rise(struct zen_arc_rows rows, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		const struct zen_arc_row row = zen_arc_at(rows, i);

		/* mutant: an arc to the bundle that it begins at is no cycle */
		if (zen_arc_get_from(row) >= zen_arc_get_to(row) + MUTANT(343))
			return false;
	}
	return true;
}

static void find_firsts(struct arc_graph *g, uint64_t n)
{
	uint64_t bundle = 0;

	for (uint32_t i = 0; i < n; i++)
		for (; bundle <= source_key(g, order_row(&g->order, i)); bundle++)
			g->first[bundle] = i;
	for (; bundle <= g->n_bundles; bundle++)
		g->first[bundle] = (uint32_t)n;
}

static bool find_cycle(struct zen_reader *r, struct arc_graph *g, uint64_t n)
{
	struct digraph_cycle cycle;

	/* mutant: where the last bundle's arcs end has no place */
	g->first = arena_alloc(r->arena, g->n_bundles + !MUTANT(344), sizeof *g->first);
	if (!g->first || !order_by_key(r->arena, g, (uint32_t)n, source_key, &g->order))
		return false;
	find_firsts(g, n);
	if (!digraph_find_cycle(r->arena,
				&(struct digraph){ (uint32_t)g->n_bundles, g, edges_of, target_of },
				&cycle))
		return false;
	if (cycle.length > 0)
		r->z->defects |= ZEN_ARCS_CYCLIC;
	r->z->cycle_bundle = cycle.node;
	r->z->cycle_length = cycle.length;
	return true;
}

bool zen_check_arc_cycles(struct zen_reader *r, struct held arcs)
{
	const uint64_t n = arcs.len / zen_arc_fixed_len;
	const struct arena_mark mark = arena_mark(r->arena);
	struct arc_graph g = { .rows = zen_arc_in(arcs), .n_bundles = r->z->n_bundles };
	bool done;

	if (all_rise(g.rows, n))
		return true;
	if (!zen_takes(r->z, ZEN_GRAPH, n, r->z->sections[ZEN_AT_GRAPH]))
		return false;
	done = find_cycle(r, &g, n);
	arena_rewind(r->arena, mark);
	if (!done)
		zen_fail(r, ZEN_GRAPH);
	return done;
}

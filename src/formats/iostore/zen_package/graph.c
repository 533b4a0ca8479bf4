/* What has to be loaded before what, until 5.2: export bundles, and the arcs between them. Source:
 * conformance/spec/zen.md, 6. */
#include "core/order.h"
#include "formats/iostore/zen_package/parts.h"

/* ---- Bundles --------------------------------------------------------------------------------- */

uint64_t zen_bundle_len(const struct zen *z)
{
	return zen_is_ue4(z) ? (uint64_t)zen_old_bundle_fixed_len : (uint64_t)zen_bundle_fixed_len;
}

static struct zen_bundle old_bundle(const struct zen *z, uint64_t at)
{
	const struct zen_old_bundle_row row = zen_old_bundle_at(
		zen_old_bundle_in(held_part(z->in.header, at, zen_old_bundle_fixed_len)), 0);

	return (struct zen_bundle){ .at = at,
				    .first = zen_old_bundle_get_first(row),
				    .entries = zen_old_bundle_get_entries(row) };
}

struct zen_bundle zen_bundle_at(const struct zen *z, uint64_t i)
{
	const uint64_t at = z->bundles_at + i * zen_bundle_len(z);
	struct cursor c = cursor_init(z->in.header.bytes, z->in.header.len, 0);
	struct zen_bundle b = { .at = at };
	bool is_there, is_read;

	if (zen_is_ue4(z))
		return old_bundle(z, at);
	is_there = cursor_seek(&c, at);
	is_read = zen_bundle_read(&c, 0, &b);
	return ALWAYS(is_there && is_read) ? b : (struct zen_bundle){ .at = at };
}

uint64_t zen_bundle_sum(const struct zen *z, const struct zen_bundle *b)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < b->entries; i++) {
		const struct zen_entry_row e = zen_entry_at(z->entries, b->first + i);
		const uint64_t export = zen_entry_get_export(e);

		if (zen_entry_get_command(e) == 1 && export < z->n_exports)
			sum = zen_sum(sum, zen_export_get_size(zen_export_at(z->exports, export)));
	}
	return sum;
}

/* How far the bundles before one reach. */
struct reach {
	uint64_t entry;
	uint64_t payload; /* UNKNOWN_PLACE where it is not known */
};

#define UNKNOWN_PLACE UINT64_MAX

/* Each entry is looked at in one bundle alone. */
static uint32_t bundle_traits(const struct zen *z, const struct zen_bundle *b, struct reach *reach)
{
	const uint64_t expected = reach->payload;
	uint32_t traits = 0;

	reach->payload = UNKNOWN_PLACE;
	if (b->first + b->entries > z->n_entries)
		traits |= ZEN_BUNDLE_OUT;
	if (b->first != reach->entry)
		traits |= ZEN_BUNDLE_NOT_NEXT;
	if (traits != 0 || zen_is_ue4(z))
		return traits;
	reach->payload = zen_sum(b->serial_offset, zen_bundle_sum(z, b));
	if (reach->payload > z->payload) {
		reach->payload = UNKNOWN_PLACE;
		return ZEN_BUNDLE_PAST_END;
	}
	/* mutant: payload that lies before it may be read again */
	return expected == UNKNOWN_PLACE || expected == b->serial_offset ||
			       (MUTANT(345) && expected > b->serial_offset)
		       ? 0
		       : (uint32_t)ZEN_BUNDLE_MISPLACED;
}

static bool check_bundles(struct zen_reader *r)
{
	struct zen *z = r->z;
	struct reach reach = { 0, 0 };

	if (!zen_takes(z, ZEN_GRAPH, z->n_bundles, z->sections[ZEN_AT_GRAPH]))
		return false;
	/* mutant: of three bundles one has no place for its traits */
	z->traits_of_bundles = zen_alloc(r, ZEN_GRAPH,
					 z->n_bundles - (MUTANT(315) && z->n_bundles > 2), 1);
	z->bundle_reach = zen_alloc(r, ZEN_GRAPH, z->n_bundles / TABLE_BLOCK + 1,
				    sizeof *z->bundle_reach);
	if (!z->traits_of_bundles || !z->bundle_reach)
		return false;
	for (uint64_t i = 0; i < z->n_bundles; i++) {
		const struct zen_bundle b = zen_bundle_at(z, i);

		if (i % TABLE_BLOCK == 0)
			z->bundle_reach[i / TABLE_BLOCK] = reach.entry;
		z->traits_of_bundles[i] = (uint8_t)bundle_traits(z, &b, &reach);
		z->bundle_traits |= z->traits_of_bundles[i];
		if (b.first + b.entries > reach.entry)
			reach.entry = b.first + b.entries;
	}
	if (reach.entry < z->n_entries) {
		z->traits_of_bundles[z->n_bundles - 1] |= ZEN_BUNDLE_SHORT;
		z->bundle_traits |= ZEN_BUNDLE_SHORT;
	}
	return true;
}

/* ---- Arcs ------------------------------------------------------------------------------------ */

/* Arcs with a defect are counted first, and kept when there is space for them. */
struct arcs {
	struct zen_arc_item *kept; /* NULL: they are only counted */
	uint64_t n;
	uint32_t seen;
};

static void keep_arc(struct arcs *a, struct zen_arc_item arc, uint32_t traits)
{
	arc.traits = (uint8_t)traits;
	a->seen |= traits;
	if (a->kept)
		a->kept[a->n] = arc;
	a->n++;
}

static bool is_bundle(const struct zen *z, int64_t i)
{
	return i >= 0 && (uint64_t)i < z->n_bundles;
}

static void look_at_arcs(const struct zen *z, struct held bytes, uint64_t at, uint64_t list,
			 struct arcs *a)
{
	const struct zen_arc_rows rows = zen_arc_in(bytes);
	const bool old = zen_is_ue4(z);

	for (uint64_t i = 0; i < bytes.len / zen_arc_fixed_len; i++) {
		const struct zen_arc_row row = zen_arc_at(rows, i);
		const int64_t from = zen_arc_get_from(row), to = zen_arc_get_to(row);
		uint32_t traits = 0;

		if (old ? from < -1 : !is_bundle(z, from))
			traits |= old ? ZEN_OLD_ARC_FROM : ZEN_ARC_FROM;
		if (!is_bundle(z, to))
			traits |= old ? ZEN_OLD_ARC_TO : ZEN_ARC_TO;
		if (traits)
			keep_arc(a,
				 (struct zen_arc_item){ .at = at + i * zen_arc_fixed_len,
							.list = list,
							.from = (int32_t)from,
							.to = (int32_t)to,
							.len = zen_arc_fixed_len },
				 traits);
	}
}

static uint32_t import_traits(const struct zen *z, int64_t import)
{
	if (import < 0 || (uint64_t)import >= z->n_imports)
		return ZEN_ARC_IMPORT;
	if (object_kind(zen_import_get_value(zen_import_at(z->imports, (uint64_t)import))) !=
	    OBJECT_PACKAGE)
		return ZEN_ARC_IMPORT_KIND;
	return 0;
}

static void look_at_external(const struct zen *z, struct held bytes, uint64_t at, uint64_t list,
			     struct arcs *a)
{
	const struct zen_external_arc_rows rows = zen_external_arc_in(bytes);

	for (uint64_t i = 0; i < bytes.len / zen_external_arc_fixed_len; i++) {
		const struct zen_external_arc_row row = zen_external_arc_at(rows, i);
		const int64_t import = zen_external_arc_get_import(row),
			      to = zen_external_arc_get_to(row);
		const uint64_t command = zen_external_arc_get_command(row);
		uint32_t traits = import_traits(z, import);

		if (command > 1)
			traits |= ZEN_ARC_COMMAND;
		if (!is_bundle(z, to))
			traits |= ZEN_ARC_TO;
		if (traits)
			keep_arc(a,
				 (struct zen_arc_item){ .at = at + i * zen_external_arc_fixed_len,
							.list = list,
							.from = (int32_t)import,
							.to = (int32_t)to,
							.command = (uint8_t)command,
							.len = zen_external_arc_fixed_len },
				 traits);
	}
}

/* A walk goes through the graph data: once to count arcs with a defect, and again to keep them. */
typedef bool walk_graph(struct zen *z, struct arcs *a);

static bool keep_arcs(struct zen_reader *r, walk_graph *walk, uint64_t defect)
{
	struct zen *z = r->z;
	struct arcs a = { NULL, 0, 0 };
	bool same;

	if (!walk(z, &a))
		return zen_malformed(z, ZEN_GRAPH, defect,
				     (struct span){ z->sections[ZEN_AT_GRAPH].at,
						    z->sections[ZEN_AT_GRAPH].len });
	z->arc_traits = a.seen;
	if (a.n == 0)
		return true;
	if (!zen_takes(z, ZEN_GRAPH, a.n, z->sections[ZEN_AT_GRAPH]))
		return false;
	/* mutant: of two arcs with a defect one has no place */
	z->arcs = zen_alloc(r, ZEN_GRAPH, a.n - (MUTANT(316) && a.n > 1), sizeof *z->arcs);
	if (!z->arcs)
		return false;
	a = (struct arcs){ z->arcs, 0, 0 };
	same = walk(z, &a);
	z->n_arcs = a.n;
	return ALWAYS(same);
}

/* ---- UE4 ------------------------------------------------------------------------------------- */

static bool walk_old_graph(struct zen *z, struct arcs *a)
{
	const struct held bytes = zen_section_bytes(z, ZEN_AT_GRAPH);
	struct cursor c = cursor_init(bytes.bytes, bytes.len, z->sections[ZEN_AT_GRAPH].at);
	struct zen_graph_package p;
	struct held arcs;

	if (!cursor_u32(&c, &z->n_packages))
		return false;
	for (uint64_t i = 0; i < z->n_packages; i++) {
		if (!zen_graph_package_read(&c, 0, &p))
			return false;
		if (!held_take(&c, p.arcs * zen_arc_fixed_len, &arcs))
			return false;
		look_at_arcs(z, arcs, cursor_at(&c) - arcs.len, i, a);
	}
	return cursor_left(&c) == 0;
}

struct ids {
	uint64_t *of;
};

/* The id of the package itself: in a container that of its chunk, else that of its name. */
static bool has_own_id(const struct zen *z, uint64_t *id)
{
	*id = z->claims ? z->claims->id : z->package_id;
	return z->claims || z->has_package_id;
}

static void take_ids(struct zen *z, const struct ids *ids)
{
	const struct held bytes = zen_section_bytes(z, ZEN_AT_GRAPH);
	uint64_t at = ZEN_COUNT_LEN, own;
	const bool is_known = has_own_id(z, &own);

	for (uint64_t i = 0; i < z->n_packages; i++) {
		ids->of[i] = held_u64(bytes, at);
		/* mutant: the last of several packages is another one */
		if (is_known && ids->of[i] == own &&
		    !(MUTANT(350) && i > 0 && i + 1 == z->n_packages)) {
			z->defects |= ZEN_OWN_PACKAGE;
			z->own_package_at = z->sections[ZEN_AT_GRAPH].at + at;
		}
		at += zen_graph_package_fixed_len + held_u32(bytes, at + 8) * zen_arc_fixed_len;
	}
}

static uint64_t id_key(const void *table, uint32_t i)
{
	const struct ids *ids = table;

	return ids->of[i];
}

static bool sort_packages(struct zen_reader *r)
{
	struct zen *z = r->z;
	struct ids ids;
	uint64_t *sorted;
	struct order o;

	if (!zen_takes(z, ZEN_GRAPH, z->n_packages, z->sections[ZEN_AT_GRAPH]))
		return false;
	ids.of = zen_alloc(r, ZEN_GRAPH, z->n_packages, sizeof *ids.of);
	sorted = zen_alloc(r, ZEN_GRAPH, z->n_packages, sizeof *sorted);
	if (!ids.of || !sorted)
		return false;
	take_ids(z, &ids);
	if (!order_by_key(r->arena, &ids, (uint32_t)z->n_packages, id_key, &o))
		return zen_fail(r, ZEN_GRAPH);
	for (uint32_t i = 0; i < o.n; i++)
		sorted[i] = ids.of[order_row(&o, i)];
	z->packages = sorted;
	z->has_packages = true;
	return true;
}

void zen_read_old_graph(struct zen_reader *r)
{
	struct zen *z = r->z;

	if (!check_bundles(r) || !keep_arcs(r, walk_old_graph, ZEN_OLD_GRAPH_END) ||
	    !sort_packages(r))
		z->n_packages = 0;
}

/* ---- 5.0 to 5.2 ------------------------------------------------------------------------------ */

/* The bundles together have all entries, in order and without gaps. What follows is not known by
 * anything else. */
static bool count_bundles(struct zen *z)
{
	const struct zen_place graph = z->sections[ZEN_AT_GRAPH];
	const uint64_t most = graph.len / zen_bundle_fixed_len;
	uint64_t next = 0;

	z->bundles_at = graph.at;
	for (z->n_bundles = 0; next < z->n_entries && z->n_bundles < most; z->n_bundles++) {
		const struct zen_bundle b = zen_bundle_at(z, z->n_bundles);

		if (b.first != next || b.entries == 0)
			return false;
		next += b.entries;
	}
	return next >= z->n_entries; /* more is a defect of the last bundle */
}

/* If they do not, or there is no entry, a store entry tells how many there are. That there is none
 * is true only without entries. */
static bool find_bundles(struct zen *z)
{
	const bool found = count_bundles(z), is_said = z->claims && z->claims->has_counts;

	if (found && (z->n_entries > 0 || !is_said))
		return true;
	z->n_bundles = 0;
	if (!is_said || (z->claims->bundles == 0 && z->n_entries > 0) ||
	    z->claims->bundles > z->sections[ZEN_AT_GRAPH].len / zen_bundle_fixed_len)
		return false;
	z->n_bundles = z->claims->bundles;
	return true;
}

static bool walk_new_graph(struct zen *z, struct arcs *a)
{
	const struct held bytes = zen_section_bytes(z, ZEN_AT_GRAPH);
	struct cursor c = cursor_init(bytes.bytes, bytes.len, z->sections[ZEN_AT_GRAPH].at);
	struct held arcs;
	uint64_t n;
	const bool has_bundles = held_take(&c, z->n_bundles * zen_bundle_fixed_len, &arcs);

	if (NEVER(!has_bundles) || !cursor_u32(&c, &n) ||
	    !held_take(&c, n * zen_arc_fixed_len, &arcs))
		return false;
	look_at_arcs(z, arcs, cursor_at(&c) - arcs.len, 0, a);
	for (z->n_lists = 0; cursor_left(&c) > 0; z->n_lists++) {
		if (!cursor_u32(&c, &n) || !held_take(&c, n * zen_external_arc_fixed_len, &arcs))
			return false;
		look_at_external(z, arcs, cursor_at(&c) - arcs.len, z->n_lists + 1, a);
	}
	return true;
}

/* The arcs between bundles, once the graph was walked through. */
static struct held inner_arcs(const struct zen *z)
{
	const struct held graph = zen_section_bytes(z, ZEN_AT_GRAPH);
	const uint64_t at = z->n_bundles * zen_bundle_fixed_len;

	return held_part(graph, at + ZEN_COUNT_LEN, held_u32(graph, at) * zen_arc_fixed_len);
}

void zen_read_graph(struct zen_reader *r)
{
	struct zen *z = r->z;

	if (!find_bundles(z)) {
		zen_malformed(z, ZEN_GRAPH, ZEN_GRAPH_END,
			      (struct span){ z->sections[ZEN_AT_GRAPH].at,
					     z->sections[ZEN_AT_GRAPH].len });
		return;
	}
	if (!check_bundles(r) || !keep_arcs(r, walk_new_graph, ZEN_GRAPH_END) ||
	    !zen_check_arc_cycles(r, inner_arcs(z)))
		return;
	if (z->claims && z->claims->has_imports && z->claims->n_imports != z->n_lists)
		z->defects |= ZEN_LISTS_DIFFER;
}

/* A reference reading of a zen package: where its tables lie, and what is wrong with each row of
 * them, from the specification. Which layout it has the facts say. */
#include <string.h>

#include "oracle/oracle_format.h"
#include "oracle/oracle_zen_order.h"
#include "support/must.h"

static const uint8_t *row_of(const struct table_rows *r, uint64_t i)
{
	return r->p + i * r->each;
}

/* ---- Places ---------------------------------------------------------------------------------- */

static struct table_rows rows_between(const struct reading *u, uint64_t from, uint64_t to,
				      uint64_t each)
{
	MUST(from <= to && (to - from) % each == 0, "sections are in order and have whole rows");
	MUST(to <= u->z->in.header.len, "sections lie in the header");
	return (struct table_rows){ u->data + from, (to - from) / each, each };
}

static void read_ue4(struct reading *u)
{
	const uint64_t exports = u32_at(u, 44), bundles = u32_at(u, 48), graph = u32_at(u, 52);
	uint64_t len;

	u->imports = rows_between(u, u32_at(u, 40), exports, 8);
	u->exports = rows_between(u, exports, bundles, 72);
	len = 16 * u->exports.n;
	if (bundles <= graph && len <= graph - bundles && (graph - bundles - len) % 8 == 0)
		u->entries = rows_between(u, graph - len, graph, 8);
}

/* In 5.6 cells lie between exports and entries; where they begin stands before the names. */
static void read_ue5(struct reading *u)
{
	const uint64_t hashes = u32_at(u, 24), imports = u32_at(u, 28), exports = u32_at(u, 32),
		       entries = u32_at(u, 36);
	uint64_t cell_imports = entries, cells = entries;

	if (u->z->version >= ZEN_5_6) {
		uint64_t at = 52;

		if (u32_at(u, 0) != 0)
			at += 20 + 20 * u32_at(u, at + 16);
		cell_imports = u32_at(u, at);
		cells = u32_at(u, at + 4);
	}
	u->hashes = rows_between(u, hashes, imports, 8);
	u->imports = rows_between(u, imports, exports, 8);
	u->exports = rows_between(u, exports, cell_imports, 72);
	u->cell_imports = rows_between(u, cell_imports, cells, 8);
	u->cells = rows_between(u, cells, entries, 40);
	u->entries = rows_between(u, entries, u32_at(u, 40), 8);
}

static void read_tables(struct reading *u, const struct trial *t, const struct zen *z)
{
	*u = (struct reading){ .data = t->subject->data, .z = z };
	u->is_ue4 = z->version == ZEN_UE4;
	u->n_names = zen_has(z, ZEN_NAMES) ? z->batches[ZEN_OWN_NAMES].n : 0;
	u->n_packages = z->version >= ZEN_5_3 && zen_has(z, ZEN_NAMES)
				? z->batches[ZEN_PACKAGE_NAMES].n
				: UINT64_MAX;
	if (u->is_ue4)
		read_ue4(u);
	else
		read_ue5(u);
}

/* ---- References ------------------------------------------------------------------------------ */

/* What is wrong with an import of a package since UE5. */
static bool package_is_out(const struct reading *u, uint64_t v)
{
	return !u->is_ue4 && v >> 62 == 2 && (v >> 32) % (1u << 30) >= u->n_packages;
}

static bool hash_is_out(const struct reading *u, uint64_t v)
{
	return !u->is_ue4 && v >> 62 == 2 && v % ((uint64_t)1 << 32) >= u->hashes.n;
}

static bool leads_nowhere(const struct reading *u, uint64_t v)
{
	if (v == UINT64_MAX)
		return false;
	switch (v >> 62) {
	case 0:
		return v >= u->exports.n;
	case 1:
		return false;
	case 2:
		return package_is_out(u, v) || hash_is_out(u, v);
	default:
		return true;
	}
}

/* Of imports or of cell imports. */
static void check_imports(const struct reading *u, const struct table_rows *rows,
			  void (*view)(const void *, uint64_t, uint64_t, void *))
{
	for (uint64_t i = 0; i < rows->n; i++) {
		const uint64_t v = number(rows, i, 0, 8);
		struct zen_import_item row;
		uint32_t traits = 0;

		view(u->z, i, 1, &row);
		MUST(row.fields.at == (uint64_t)(row_of(rows, i) - u->data),
		     "an import lies where it lies");
		if (v >> 62 == 0 || (v >> 62 == 3 && v != UINT64_MAX))
			traits |= ZEN_IMPORT_KIND;
		traits |= package_is_out(u, v) ? ZEN_IMPORT_PACKAGE_OUT : 0u;
		traits |= hash_is_out(u, v) ? ZEN_IMPORT_HASH_OUT : 0u;
		MUST(row.traits == traits, "an import is what the clauses say");
	}
}

/* ---- Exports --------------------------------------------------------------------------------- */

static uint32_t reference_traits(const struct reading *u, uint64_t i)
{
	static const uint32_t out[] = { ZEN_EXPORT_OUTER_OUT, ZEN_EXPORT_CLASS_OUT,
					ZEN_EXPORT_SUPER_OUT, ZEN_EXPORT_TEMPLATE_OUT };
	static const uint32_t own[] = { 0, ZEN_EXPORT_OWN_CLASS, ZEN_EXPORT_OWN_SUPER,
					ZEN_EXPORT_OWN_TEMPLATE };
	uint32_t traits = 0;

	for (unsigned k = 0; k < 4; k++) {
		const uint64_t v = number(&u->exports, i, 24 + 8 * k, 8);

		traits |= leads_nowhere(u, v) ? out[k] : 0u;
		traits |= v == i ? own[k] : 0u;
	}
	traits |= number(&u->exports, i, 32, 8) == UINT64_MAX ? ZEN_EXPORT_NO_CLASS : 0u;
	traits |= number(&u->exports, i, 48, 8) == UINT64_MAX ? ZEN_EXPORT_NO_TEMPLATE : 0u;
	return traits;
}

/* Whether outers lead back to an export. */
static bool is_in_cycle(const struct reading *u, uint64_t i)
{
	uint64_t at = number(&u->exports, i, 24, 8);

	for (uint64_t steps = 0; at < u->exports.n && at != i && steps < u->exports.n; steps++)
		at = number(&u->exports, at, 24, 8);
	return at == i;
}

static uint32_t export_traits(const struct reading *u, uint64_t i)
{
	const struct table_rows *r = &u->exports;
	const uint64_t name = number(r, i, 16, 4), hash = number(r, i, 56, 8),
		       size = number(r, i, 8, 8), payload = u->z->size - u->z->header_end;
	uint32_t traits = reference_traits(u, i);

	if (zen_has(u->z, ZEN_NAMES) && name >= u->n_names)
		traits |= ZEN_EXPORT_NAME_OUT;
	if (u->z->version >= ZEN_5_3 && size <= payload && number(r, i, 0, 8) > payload - size)
		traits |= ZEN_EXPORT_PAST_END;
	traits |= is_in_cycle(u, i) ? ZEN_EXPORT_CYCLE : 0u;
	traits |= number(r, i, 68, 1) > 2 ? ZEN_EXPORT_FILTER : 0u;
	traits |= number(r, i, 69, 3) != 0 ? ZEN_EXPORT_PAD : 0u;
	traits |= size == 0 ? ZEN_EXPORT_EMPTY : 0u;
	traits |= size > payload ? ZEN_EXPORT_SIZE_OUT : 0u;
	if (!u->is_ue4)
		traits |= (number(r, i, 64, 4) & 1) != (hash != 0) ? ZEN_EXPORT_PUBLIC : 0u;
	return traits;
}

/* Those that are left to other oracles: ranges, hashes of paths, and what is repeated. */
#define EXPORT_TRAITS \
	(ZEN_EXPORT_NAME_OUT | ZEN_EXPORT_OUTER_OUT | ZEN_EXPORT_CLASS_OUT | \
	 ZEN_EXPORT_SUPER_OUT | ZEN_EXPORT_TEMPLATE_OUT | ZEN_EXPORT_CYCLE | \
	 ZEN_EXPORT_OWN_CLASS | ZEN_EXPORT_OWN_SUPER | ZEN_EXPORT_OWN_TEMPLATE | \
	 ZEN_EXPORT_NO_CLASS | ZEN_EXPORT_NO_TEMPLATE | ZEN_EXPORT_FILTER | ZEN_EXPORT_PAD | \
	 ZEN_EXPORT_PUBLIC | ZEN_EXPORT_SIZE_OUT | ZEN_EXPORT_EMPTY | ZEN_EXPORT_PAST_END)

static void check_exports(const struct reading *u)
{
	for (uint64_t i = 0; i < u->exports.n; i++) {
		struct zen_export_item row;

		zen_view_exports(u->z, i, 1, &row);
		MUST(row.fields.at == (uint64_t)(row_of(&u->exports, i) - u->data),
		     "an export lies where it lies");
		MUST((row.traits & EXPORT_TRAITS) == export_traits(u, i),
		     "an export is what the clauses say");
	}
}

/* ---- Entries --------------------------------------------------------------------------------- */

static bool is_done(const struct reading *u, uint64_t before, uint64_t export, uint64_t command)
{
	for (uint64_t k = 0; k < before; k++)
		if (number(&u->entries, k, 0, 4) == export &&
		    number(&u->entries, k, 4, 4) == command)
			return true;
	return false;
}

/* Whether a package since 5.3 has the outer of an export among what is needed to create that. */
static bool is_needed(const struct reading *u, uint64_t export, uint64_t outer)
{
	const uint64_t at = u32_at(u, 40), next = u32_at(u, 44);
	const struct table_rows heads = rows_between(u, at, next, 20),
				all = rows_between(u, next, u32_at(u, 48), 4);
	const uint64_t first = number(&heads, export, 0, 4),
		       n = number(&heads, export, 4, 4) + number(&heads, export, 8, 4);

	if (first >> 31 != 0)
		return false;
	for (uint64_t k = first; k < first + n && k < all.n; k++)
		if (number(&all, k, 0, 4) == outer + 1)
			return true;
	return false;
}

static bool is_before_outer(const struct reading *u, uint64_t i, uint64_t export)
{
	uint64_t outer;

	if (export >= u->exports.n || is_in_cycle(u, export))
		return false;
	outer = number(&u->exports, export, 24, 8);
	if (outer >= u->exports.n || is_done(u, i, outer, 0))
		return false;
	return u->z->version < ZEN_5_3 || !zen_has(u->z, ZEN_GRAPH) || !is_needed(u, export, outer);
}

static uint32_t entry_traits(const struct reading *u, uint64_t i)
{
	const uint64_t export = number(&u->entries, i, 0, 4),
		       command = number(&u->entries, i, 4, 4);
	const bool miscounted = u->entries.n != 2 * (u->exports.n + u->cells.n);
	uint32_t traits = 0;

	traits |= export >= u->exports.n + u->cells.n ? ZEN_ENTRY_EXPORT_OUT : 0u;
	traits |= command > 1 ? ZEN_ENTRY_COMMAND : 0u;
	if (traits != 0)
		return traits;
	if (is_done(u, i, export, command))
		return miscounted ? 0 : ZEN_ENTRY_REPEATED;
	if (command == 1)
		return is_done(u, i, export, 0) ? 0 : ZEN_ENTRY_TOO_EARLY;
	return is_before_outer(u, i, export) ? ZEN_ENTRY_OUTER_LATER : 0;
}

static void check_entries(const struct reading *u)
{
	for (uint64_t i = 0; i < u->entries.n; i++) {
		struct zen_entry_item row;

		zen_view_entries(u->z, i, 1, &row);
		MUST(row.fields.at == (uint64_t)(row_of(&u->entries, i) - u->data),
		     "an entry lies where it lies");
		MUST(row.traits == entry_traits(u, i), "an entry is what the clauses say");
	}
}

/* ---- Dependencies and bulk data -------------------------------------------------------------- */

static void check_dependencies(const struct reading *u)
{
	const uint64_t at = u32_at(u, 40), next = u32_at(u, 44), end = u32_at(u, 48);
	const struct table_rows heads = rows_between(u, at, next, 20),
				all = rows_between(u, next, end, 4);

	for (uint64_t i = 0; i < heads.n; i++) {
		const int64_t first = (int32_t)(uint32_t)number(&heads, i, 0, 4);
		struct zen_dependency_head_item row;
		int64_t sum = 0;
		bool negative = false;

		for (unsigned k = 0; k < 4; k++) {
			const int64_t n = (int32_t)(uint32_t)number(&heads, i, 4 + 4 * k, 4);

			negative = negative || n < 0;
			sum += n;
		}
		zen_view_dependency_heads(u->z, i, 1, &row);
		MUST(((row.traits & ZEN_HEAD_FIRST) != 0) == (first < -1) &&
			     ((row.traits & ZEN_HEAD_NEGATIVE) != 0) == negative,
		     "a dependency header is what the clauses say");
		if (first >= 0 && !negative && sum > 0)
			MUST(((row.traits & ZEN_HEAD_OUT) != 0) == (sum > (int64_t)all.n - first),
			     "a dependency header has the entries that there are");
	}
	for (uint64_t i = 0; i < all.n; i++) {
		const int64_t v = (int32_t)(uint32_t)number(&all, i, 0, 4);
		struct zen_dependency_item row;
		uint32_t traits = v == 0 ? ZEN_DEPENDENCY_ZERO : 0u;

		traits |= v > (int64_t)(u->exports.n + u->cells.n) ? ZEN_DEPENDENCY_EXPORT_OUT : 0u;
		traits |= v < -(int64_t)(u->imports.n + u->cell_imports.n)
				  ? ZEN_DEPENDENCY_IMPORT_OUT
				  : 0u;
		if (v < 0 && (uint64_t)-v <= u->imports.n &&
		    number(&u->imports, (uint64_t)-v - 1, 0, 8) == UINT64_MAX)
			traits |= ZEN_DEPENDENCY_NOTHING;
		zen_view_dependencies(u->z, i, 1, &row);
		MUST(row.traits == traits, "a dependency is what the clauses say");
	}
}

/* A loose package has no file of bulk data that it could end after. */
static uint32_t duplicate_traits(uint64_t duplicate, uint64_t size)
{
	if (duplicate == UINT64_MAX)
		return ZEN_BULK_DUPLICATE_NONE;
	return duplicate >> 63 || (duplicate + size) >> 63 ? ZEN_BULK_DUPLICATE_NEGATIVE : 0u;
}

static void check_bulk(const struct reading *u)
{
	const uint64_t payload = u->z->size - u->z->header_end;

	for (uint64_t i = 0; i < u->z->n_bulk; i++) {
		const uint8_t *p = u->data + u->z->bulk_at + 32 * i;
		const uint64_t offset = reference_read(p, 8), size = reference_read(p + 16, 8),
			       flags = reference_read(p + 24, 4);
		const bool negative = offset >> 63 || size >> 63 || (offset + size) >> 63;
		struct zen_bulk_item row;
		uint32_t traits = negative ? ZEN_BULK_NEGATIVE : 0u;

		if (!negative && !(flags & 0x100) && size > 0 && offset + size > payload)
			traits |= ZEN_BULK_PAST_PAYLOAD;
		if (reference_read(p + 8, 8) != UINT64_MAX && !(flags & 0x4000))
			traits |= ZEN_BULK_DUPLICATE;
		if ((flags & 0x4100) == 0x4100 && !(size >> 63))
			traits |= duplicate_traits(reference_read(p + 8, 8), size);
		traits |= reference_read(p + 29, 3) != 0 ? ZEN_BULK_ROW_PAD : 0u;
		zen_view_bulk(u->z, i, 1, &row);
		MUST(row.traits == traits, "a row of bulk data is what the clauses say");
	}
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void compare_facts(const struct trial *t, const void *facts)
{
	const struct zen *z = facts;
	struct reading u;

	if (!zen_has(z, ZEN_SECTIONS) || z->in.scripts)
		return;
	read_tables(&u, t, z);
	if (!zen_has(z, ZEN_OBJECTS))
		return;
	MUST(z->n_hashes == u.hashes.n && z->n_imports == u.imports.n &&
		     z->n_exports == u.exports.n && z->n_cells == u.cells.n &&
		     z->n_cell_imports == u.cell_imports.n && z->n_entries == u.entries.n,
	     "there are as many rows as a reference reading finds");
	check_imports(&u, &u.imports, zen_view_imports);
	check_imports(&u, &u.cell_imports, zen_view_cell_imports);
	check_exports(&u);
	check_entries(&u);
	if (z->version >= ZEN_5_3 && zen_has(z, ZEN_GRAPH))
		check_dependencies(&u);
	if (z->version >= ZEN_5_2 && zen_has(z, ZEN_BULK))
		check_bulk(&u);
	oracle_zen_order(&u);
}

const struct oracle_format oracle_zen = {
	.names = { "Foo.uzenasset", "Foo.uzenasset", "Foo.uasset", "Foo.umap", "a/M od%n.uzenasset",
		   "download", "b.txt" },
	.compare_facts = compare_facts,
};

/* The map of a zen package: which bytes are what. */
#include "formats/iostore/zen_package/parts.h"

/* ---- The outermost regions ------------------------------------------------------------------- */

/* How a section is shown. */
static const struct {
	const char *kind, *label;
} shown[ZEN_N_SECTIONS] = {
	[ZEN_AT_SUMMARY] = { "header", "summary" },
	[ZEN_AT_VERSIONS] = { "header", "versioning_info" },
	[ZEN_AT_CELLS] = { "header", "cell_offsets" },
	[ZEN_AT_NAMES] = { "index", "names" },
	[ZEN_AT_NAME_HASHES] = { "index", "name_hashes" },
	[ZEN_AT_BULK] = { "index", "bulk_data_map" },
	[ZEN_AT_HASHES] = { "index", "imported_hashes" },
	[ZEN_AT_IMPORTS] = { "index", "imports" },
	[ZEN_AT_EXPORTS] = { "index", "exports" },
	[ZEN_AT_CELL_IMPORTS] = { "index", "cell_imports" },
	[ZEN_AT_CELL_EXPORTS] = { "index", "cell_exports" },
	[ZEN_AT_ENTRIES] = { "index", "bundle_entries" },
	[ZEN_AT_GRAPH] = { "index", "graph_data" },
	[ZEN_AT_DEPENDENCY_HEADS] = { "index", "dependency_heads" },
	[ZEN_AT_DEPENDENCIES] = { "index", "dependencies" },
	[ZEN_AT_PACKAGES] = { "index", "imported_packages" },
};

const char *zen_section_name(enum zen_section s)
{
	return shown[s].label;
}

/* The part of a section that no section before it has: in UE4 sizes and offsets may disagree. */
static struct span own_part(const struct zen *z, size_t s, uint64_t *next)
{
	const struct zen_place p = z->sections[s];
	const uint64_t at = p.at < *next ? *next : p.at, end = p.at + p.len;
	const struct span part = { at, p.len == 0 || end < at ? 0 : end - at };

	if (part.len > 0)
		*next = end;
	return part;
}

/* The four bytes after the last export, if that is where they are. */
static uint64_t trailer_len(const struct zen *z)
{
	return zen_is_named(z) && zen_has(z, ZEN_OBJECTS) && z->serial_sum <= z->payload &&
			       z->payload - z->serial_sum == zen_trailer_fixed_len
		       ? (uint64_t)zen_trailer_fixed_len
		       : 0;
}

uint64_t zen_explained(const void *facts)
{
	const struct zen *z = facts;
	uint64_t sum, next = 0;

	if (!zen_has(z, ZEN_SUMMARY))
		return 0;
	if (!zen_has(z, ZEN_SECTIONS))
		return z->sections[ZEN_AT_SUMMARY].len;
	sum = z->size - z->header_end;
	for (size_t s = 0; s < ZEN_N_SECTIONS; s++)
		sum += own_part(z, s, &next).len;
	return sum;
}

/* ---- What lies in them ----------------------------------------------------------------------- */

struct map {
	map_sink *sink;
	void *ctx;
};

static bool map_rows(const struct map *m, uint64_t at, uint64_t n, const struct layout *l,
		     const char *label)
{
	for (uint64_t i = 0; i < n; i++)
		if (!m->sink(m->ctx,
			     &(struct region){ .span = { at + i * l->fixed_len, l->fixed_len },
					       .kind = "index",
					       .label = label,
					       .index = i,
					       .layout = l,
					       .depth = 1 }))
			return false;
	return true;
}

static bool map_record(const struct map *m, uint64_t at, const struct layout *l, const char *label)
{
	return m->sink(m->ctx, &(struct region){ .span = { at, l->fixed_len },
						 .kind = "header",
						 .label = label,
						 .index = UINT64_MAX,
						 .layout = l,
						 .depth = 1 });
}

static bool map_batch(const struct map *m, const struct name_batch *b)
{
	if (b->interleaved || b->n == 0 || b->defects & BATCH_OUTSIDE)
		return true;
	return map_record(m, b->start, &zen_name_batch_layout, "name_batch") &&
	       map_rows(m, b->hashes_at, b->n, &zen_name_hash_layout, "name_hash") &&
	       map_rows(m, b->heads_at, b->n, &zen_name_head_layout, "name_head");
}

static bool map_packages(const struct map *m, const struct zen *z)
{
	const struct name_batch *b = &z->batches[ZEN_PACKAGE_NAMES];

	return map_batch(m, b) && (!zen_has(z, ZEN_NAMES) ||
				   map_rows(m, b->end, b->n, &zen_number_layout, "name_number"));
}

static bool map_bulk(const struct map *m, const struct zen *z)
{
	const uint64_t size_at = z->bulk_at - zen_bulk_size_fixed_len;

	if (z->version >= ZEN_5_4 &&
	    !map_record(m, z->sections[ZEN_AT_BULK].at, &zen_bulk_pad_layout, "bulk_pad"))
		return false;
	return map_record(m, size_at, &zen_bulk_size_layout, "bulk_size") &&
	       map_rows(m, z->bulk_at, z->n_bulk, &zen_bulk_layout, "bulk");
}

static bool map_versions(const struct map *m, const struct zen *z)
{
	const uint64_t at = z->sections[ZEN_AT_VERSIONS].at;

	return map_record(m, at, &zen_versions_layout, "versions") &&
	       map_rows(m, at + zen_versions_fixed_len, z->n_custom, &zen_custom_version_layout,
			"custom_version");
}

static bool map_entries(const struct map *m, const struct zen *z)
{
	const struct zen_place p = z->sections[ZEN_AT_ENTRIES];

	return !zen_has(z, ZEN_OBJECTS) ||
	       ((!zen_is_ue4(z) ||
		 map_rows(m, p.at, z->n_bundles, &zen_old_bundle_layout, "bundle")) &&
		map_rows(m, p.at + p.len - z->n_entries * zen_entry_fixed_len, z->n_entries,
			 &zen_entry_layout, "entry"));
}

static bool map_name_hashes(const struct map *m, const struct zen *z)
{
	const struct zen_place p = z->sections[ZEN_AT_NAME_HASHES];

	return map_rows(m, p.at, p.len / zen_name_hash_fixed_len, &zen_name_hash_layout,
			"name_hash");
}

static bool map_inside(const struct map *m, const struct zen *z, size_t s)
{
	const struct zen_place p = z->sections[s];

	switch (s) {
	case ZEN_AT_VERSIONS:
		return map_versions(m, z);
	case ZEN_AT_CELLS:
		return map_record(m, p.at, &zen_cells_layout, "cells");
	case ZEN_AT_NAMES:
		return map_batch(m, &z->batches[ZEN_OWN_NAMES]);
	case ZEN_AT_NAME_HASHES:
		return map_name_hashes(m, z);
	case ZEN_AT_BULK:
		return map_bulk(m, z);
	case ZEN_AT_HASHES:
		return map_rows(m, p.at, z->n_hashes, &zen_hash_layout, "hash");
	case ZEN_AT_IMPORTS:
		return map_rows(m, p.at, z->n_imports, &zen_import_layout, "import");
	case ZEN_AT_EXPORTS:
		return map_rows(m, p.at, z->n_exports, &zen_export_layout, "export");
	case ZEN_AT_CELL_IMPORTS:
		return map_rows(m, p.at, z->n_cell_imports, &zen_import_layout, "cell_import");
	case ZEN_AT_CELL_EXPORTS:
		return map_rows(m, p.at, z->n_cells, &zen_cell_layout, "cell");
	case ZEN_AT_ENTRIES:
		return map_entries(m, z);
	case ZEN_AT_GRAPH:
		return !zen_is_counted(z) || !zen_has(z, ZEN_GRAPH) ||
		       map_rows(m, p.at, z->n_bundles, &zen_bundle_layout, "bundle");
	case ZEN_AT_DEPENDENCY_HEADS:
		return map_rows(m, p.at, z->n_dependency_heads, &zen_dependency_head_layout,
				"dependency_head");
	case ZEN_AT_DEPENDENCIES:
		return map_rows(m, p.at, z->n_dependencies, &zen_dependency_layout, "dependency");
	case ZEN_AT_PACKAGES:
		return map_packages(m, z);
	default:
		return true;
	}
}

/* ---- All of it ------------------------------------------------------------------------------- */

static bool map_sections(const struct map *m, const struct zen *z)
{
	uint64_t next = 0;

	for (size_t s = 0; s < ZEN_N_SECTIONS; s++) {
		const struct span part = own_part(z, s, &next);
		const struct region r = { .span = part,
					  .kind = shown[s].kind,
					  .label = shown[s].label,
					  .index = UINT64_MAX,
					  .layout = s == ZEN_AT_SUMMARY ? zen_summary_layout(z)
									: NULL };

		if (part.len == 0)
			continue;
		if (!m->sink(m->ctx, &r) ||
		    (part.len == z->sections[s].len && !map_inside(m, z, s)))
			return false;
	}
	return true;
}

static bool map_payload(const struct map *m, const struct zen *z)
{
	const uint64_t trailer = trailer_len(z);
	const struct region data = { .span = { z->header_end, z->size - z->header_end - trailer },
				     .kind = "payload",
				     .label = "exports",
				     .index = UINT64_MAX };
	const struct region last = { .span = { z->size - trailer, trailer },
				     .kind = "header",
				     .label = "trailer",
				     .index = UINT64_MAX,
				     .layout = &zen_trailer_layout };

	return (data.span.len == 0 || m->sink(m->ctx, &data)) &&
	       (trailer == 0 || m->sink(m->ctx, &last));
}

bool zen_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct zen *z = facts;
	const struct map m = { sink, ctx };

	(void)d;
	if (!zen_has(z, ZEN_SUMMARY))
		return true;
	if (!zen_has(z, ZEN_SECTIONS))
		return sink(ctx, &(struct region){ .span = { 0, z->sections[ZEN_AT_SUMMARY].len },
						   .kind = "header",
						   .label = "summary",
						   .index = UINT64_MAX,
						   .layout = zen_summary_layout(z) });
	return map_sections(&m, z) && map_payload(&m, z);
}

/* Rows of the tables of a zen package, made while rules are asked. */
#include "formats/iostore/zen_package/parts.h"

/* Where row i of a section is. */
static uint64_t place(const struct zen *z, enum zen_section s, uint64_t i, uint64_t len)
{
	return z->sections[s].at + i * len;
}

/* The package's own names, then those of the packages that it imports. */
void zen_view_names(const void *facts, uint64_t first, uint64_t n, void *rows)
{
	const struct zen *z = facts;
	const uint64_t n_own = z->batches[ZEN_OWN_NAMES].n;
	struct name_row *out = rows;

	for (uint64_t k = 0; k < n; k++) {
		const uint64_t i = first + k;

		if (i < n_own)
			names_row(&z->batches[ZEN_OWN_NAMES], i, &out[k]);
		else
			names_row(&z->batches[ZEN_PACKAGE_NAMES], i - n_own, &out[k]);
	}
}

static struct zen_import_item import_of(struct zen_import_rows rows, uint64_t i, uint64_t at,
					uint32_t traits)
{
	return (struct zen_import_item){
		.fields = { .at = at, .value = zen_import_get_value(zen_import_at(rows, i)) },
		.index = i,
		.traits = traits,
	};
}

void zen_view_imports(const void *facts, uint64_t first, uint64_t n, void *rows)
{
	const struct zen *z = facts;
	struct zen_import_item *out = rows;

	for (uint64_t i = first; i < first + n; i++)
		*out++ = import_of(z->imports, i, place(z, ZEN_AT_IMPORTS, i, zen_import_fixed_len),
				   z->traits_of_imports[i]);
}

void zen_view_cell_imports(const void *facts, uint64_t first, uint64_t n, void *rows)
{
	const struct zen *z = facts;
	struct zen_import_item *out = rows;

	for (uint64_t i = first; i < first + n; i++)
		*out++ = import_of(z->cell_imports, i,
				   place(z, ZEN_AT_CELL_IMPORTS, i, zen_import_fixed_len),
				   z->traits_of_cell_imports[i]);
}

void zen_view_hashes(const void *facts, uint64_t first, uint64_t n, void *rows)
{
	const struct zen *z = facts;
	struct zen_hash_item *out = rows;

	for (uint64_t k = 0; k < n; k++) {
		const struct zen_hash_row row = zen_hash_at(z->hashes, first + k);

		out[k].fields = (struct zen_hash){
			.at = place(z, ZEN_AT_HASHES, first + k, zen_hash_fixed_len),
			.hash = zen_hash_get_hash(row),
		};
		out[k].index = first + k;
		out[k].traits = out[k].fields.hash == 0 ? ZEN_HASH_ZERO : 0;
	}
}

void zen_view_exports(const void *facts, uint64_t first, uint64_t n, void *rows)
{
	const struct zen *z = facts;
	struct zen_export_item *out = rows;

	for (uint64_t k = 0; k < n; k++) {
		const uint64_t i = first + k;

		const struct zen_export_row row = zen_export_at(z->exports, i);

		out[k].fields = (struct zen_export){
			.at = place(z, ZEN_AT_EXPORTS, i, zen_export_fixed_len),
			.offset = zen_export_get_offset(row),
			.size = zen_export_get_size(row),
			.name = zen_export_get_name(row),
			.number = zen_export_get_number(row),
			.outer = zen_export_get_outer(row),
			.class = zen_export_get_class(row),
			.super = zen_export_get_super(row),
			.template = zen_export_get_template(row),
			.hash = zen_export_get_hash(row),
			.flags = zen_export_get_flags(row),
			.filter = zen_export_get_filter(row),
			.pad = zen_export_get_pad(row),
		};
		out[k].index = i;
		out[k].previous_end = z->previous_ends ? z->previous_ends[i] : 0;
		out[k].traits = z->traits_of_exports[i];
	}
}

void zen_view_cells(const void *facts, uint64_t first, uint64_t n, void *rows)
{
	const struct zen *z = facts;
	struct zen_cell_item *out = rows;

	for (uint64_t k = 0; k < n; k++) {
		const struct zen_cell_row row = zen_cell_at(z->cells, first + k);

		out[k].fields = (struct zen_cell){
			.at = place(z, ZEN_AT_CELL_EXPORTS, first + k, zen_cell_fixed_len),
			.offset = zen_cell_get_offset(row),
			.layout_size = zen_cell_get_layout_size(row),
			.size = zen_cell_get_size(row),
			.name = zen_cell_get_name(row),
			.number = zen_cell_get_number(row),
			.hash = zen_cell_get_hash(row),
		};
		out[k].index = first + k;
		out[k].previous_end = z->previous_ends ? z->previous_ends[z->n_exports + first + k]
						       : 0;
		out[k].traits = z->traits_of_cells[first + k];
	}
}

/* In UE4 the bundles stand before the entries. */
void zen_view_entries(const void *facts, uint64_t first, uint64_t n, void *rows)
{
	const struct zen *z = facts;
	const uint64_t at = span_end((struct span){ z->sections[ZEN_AT_ENTRIES].at,
						    z->sections[ZEN_AT_ENTRIES].len }) -
			    z->n_entries * zen_entry_fixed_len;
	struct zen_entry_item *out = rows;

	for (uint64_t k = 0; k < n; k++) {
		const struct zen_entry_row row = zen_entry_at(z->entries, first + k);

		out[k] = (struct zen_entry_item){
			.fields = { .at = at + (first + k) * zen_entry_fixed_len,
				    .export = zen_entry_get_export(row),
				    .command = zen_entry_get_command(row) },
			.index = first + k,
			.traits = z->traits_of_entries[first + k],
		};
	}
}

/* Where the payload of a bundle should begin, the one before which has no defect of its ranges. */
static uint64_t serial_next(const struct zen *z, uint64_t i)
{
	struct zen_bundle before;

	if (i == 0)
		return 0;
	before = zen_bundle_at(z, i - 1);
	return before.serial_offset + zen_bundle_sum(z, &before);
}

void zen_view_bundles(const void *facts, uint64_t first, uint64_t n, void *rows)
{
	const struct zen *z = facts;
	struct zen_bundle_item *out = rows;
	uint64_t next = z->bundle_reach[first / TABLE_BLOCK];

	for (uint64_t k = 0; k < n; k++) {
		const struct zen_bundle b = zen_bundle_at(z, first + k);
		const uint32_t traits = z->traits_of_bundles[first + k];

		out[k] = (struct zen_bundle_item){
			.fields = b,
			.index = first + k,
			.next = next,
			.serial_sum = traits & ZEN_BUNDLE_PAST_END ? zen_bundle_sum(z, &b) : 0,
			.serial_next = traits & ZEN_BUNDLE_MISPLACED ? serial_next(z, first + k)
								     : 0,
			.traits = traits,
		};
		if (b.first + b.entries > next)
			next = b.first + b.entries;
	}
}

void zen_view_dependency_heads(const void *facts, uint64_t first, uint64_t n, void *rows)
{
	const struct zen *z = facts;
	struct zen_dependency_head_item *out = rows;

	for (uint64_t k = 0; k < n; k++) {
		const struct zen_dependency_head_row row = zen_dependency_head_at(
			z->dependency_heads, first + k);

		out[k].fields = (struct zen_dependency_head){
			.at = place(z, ZEN_AT_DEPENDENCY_HEADS, first + k,
				    zen_dependency_head_fixed_len),
			.first = zen_dependency_head_get_first(row),
			.create_create = zen_dependency_head_get_create_create(row),
			.create_serialize = zen_dependency_head_get_create_serialize(row),
			.serialize_create = zen_dependency_head_get_serialize_create(row),
			.serialize_serialize = zen_dependency_head_get_serialize_serialize(row),
		};
		out[k].index = first + k;
		out[k].traits = zen_head_traits(z, &out[k].fields, &out[k].sum);
	}
}

void zen_view_dependencies(const void *facts, uint64_t first, uint64_t n, void *rows)
{
	const struct zen *z = facts;
	struct zen_dependency_item *out = rows;

	for (uint64_t k = 0; k < n; k++) {
		const struct zen_dependency_row row = zen_dependency_at(z->dependencies, first + k);

		out[k].fields = (struct zen_dependency){
			.at = place(z, ZEN_AT_DEPENDENCIES, first + k, zen_dependency_fixed_len),
			.index = zen_dependency_get_index(row),
		};
		out[k].index = first + k;
		out[k].traits = zen_dependency_traits(z, out[k].fields.index);
	}
}

void zen_view_bulk(const void *facts, uint64_t first, uint64_t n, void *rows)
{
	const struct zen *z = facts;
	struct zen_bulk_item *out = rows;

	for (uint64_t k = 0; k < n; k++)
		zen_bulk_item_at(z, first + k, &out[k]);
}

/* Where in the summary of a zen package a number stands. */
#include "formats/iostore/zen_package/parts.h"

const struct layout *zen_summary_layout(const struct zen *z)
{
	if (zen_is_ue4(z))
		return &zen_summary_initial_layout;
	return zen_is_counted(z) ? &zen_summary_counted_layout : &zen_summary_named_layout;
}

enum { NO_FIELD = 0 }; /* the first field of each summary is no offset */

bool zen_offset_field(const struct zen *z, enum zen_section s, size_t *field)
{
	static const size_t ue4[ZEN_N_SECTIONS] = {
		[ZEN_AT_SUMMARY] = zen_summary_initial_field_graph_size,
		[ZEN_AT_NAMES] = zen_summary_initial_field_names_at,
		[ZEN_AT_NAME_HASHES] = zen_summary_initial_field_hashes_at,
		[ZEN_AT_IMPORTS] = zen_summary_initial_field_imports_at,
		[ZEN_AT_EXPORTS] = zen_summary_initial_field_exports_at,
		[ZEN_AT_ENTRIES] = zen_summary_initial_field_bundles_at,
		[ZEN_AT_GRAPH] = zen_summary_initial_field_graph_at,
	};
	static const size_t counted[ZEN_N_SECTIONS] = {
		[ZEN_AT_SUMMARY] = zen_summary_counted_field_header_size,
		[ZEN_AT_HASHES] = zen_summary_counted_field_hashes_at,
		[ZEN_AT_IMPORTS] = zen_summary_counted_field_imports_at,
		[ZEN_AT_EXPORTS] = zen_summary_counted_field_exports_at,
		[ZEN_AT_ENTRIES] = zen_summary_counted_field_entries_at,
		[ZEN_AT_GRAPH] = zen_summary_counted_field_graph_at,
	};
	static const size_t named[ZEN_N_SECTIONS] = {
		[ZEN_AT_SUMMARY] = zen_summary_named_field_header_size,
		[ZEN_AT_HASHES] = zen_summary_named_field_hashes_at,
		[ZEN_AT_IMPORTS] = zen_summary_named_field_imports_at,
		[ZEN_AT_EXPORTS] = zen_summary_named_field_exports_at,
		[ZEN_AT_ENTRIES] = zen_summary_named_field_entries_at,
		[ZEN_AT_DEPENDENCY_HEADS] = zen_summary_named_field_dependency_heads,
		[ZEN_AT_DEPENDENCIES] = zen_summary_named_field_dependencies,
		[ZEN_AT_PACKAGES] = zen_summary_named_field_names_at,
	};
	const size_t *fields = zen_is_ue4(z) ? ue4 : zen_is_counted(z) ? counted : named;

	*field = fields[s];
	return fields[s] != NO_FIELD;
}

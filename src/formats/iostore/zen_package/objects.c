/* Imports, exports and cells: the tables of objects. Source: conformance/spec/zen.md, 4 and 5. */
#include "formats/iostore/zen_package/parts.h"

#define HIGH_HALF 32u
#define LOW_HALF UINT32_MAX

/* ---- Object indexes -------------------------------------------------------------------------- */

/* In a container the engine counts in the list of the store entry; what reads the package alone
 * counts in its names. */
uint64_t zen_package_limit(const struct zen *z)
{
	const uint64_t listed = z->claims && z->claims->has_imports ? z->claims->n_imports
								    : UINT64_MAX,
		       named = zen_is_named(z) && zen_has(z, ZEN_NAMES) ? z->n_packages
									: UINT64_MAX;

	return listed < named ? listed : named;
}

/* A package import of UE5 is two numbers: of a package, and of a hash. */
static uint32_t package_import_traits(const struct zen *z, uint64_t value)
{
	uint32_t traits = 0;

	if (zen_is_ue4(z))
		return 0;
	if (object_value(value) >> HIGH_HALF >= zen_package_limit(z))
		traits |= ZEN_IMPORT_PACKAGE_OUT;
	if ((value & LOW_HALF) >= z->n_hashes)
		traits |= ZEN_IMPORT_HASH_OUT;
	return traits;
}

bool zen_refers_out(const struct zen *z, uint64_t index)
{
	switch (object_kind(index)) {
	case OBJECT_EXPORT:
		return index >= z->n_exports;
	case OBJECT_SCRIPT:
		return false;
	case OBJECT_PACKAGE:
		return package_import_traits(z, index) != 0;
	case OBJECT_NULL:
		break;
	}
	return index != OBJECT_IS_NULL;
}

/* ---- Imports --------------------------------------------------------------------------------- */

static uint32_t import_traits(struct zen *z, uint64_t value)
{
	const enum object_kind kind = object_kind(value);

	if (kind == OBJECT_EXPORT || (kind == OBJECT_NULL && value != OBJECT_IS_NULL))
		return ZEN_IMPORT_KIND;
	if (kind != OBJECT_PACKAGE)
		return 0;
	if (!zen_is_ue4(z) && object_value(value) >> HIGH_HALF >= z->packages_used)
		z->packages_used = (object_value(value) >> HIGH_HALF) + 1;
	return package_import_traits(z, value);
}

bool zen_is_unknown(const struct zen *z, uint64_t value)
{
	return object_kind(value) == OBJECT_SCRIPT && z->in.scripts &&
	       !script_objects_have(z->in.scripts, value);
}

static void read_hashes(struct zen *z)
{
	const struct held bytes = zen_section_bytes(z, ZEN_AT_HASHES);

	z->n_hashes = bytes.len / zen_hash_fixed_len;
	z->hashes = zen_hash_in(bytes);
	for (uint64_t i = 0; i < z->n_hashes; i++)
		if (zen_hash_get_hash(zen_hash_at(z->hashes, i)) == 0)
			z->hash_traits |= ZEN_HASH_ZERO;
}

bool zen_read_imports_map(struct zen_reader *r)
{
	struct zen *z = r->z;
	const struct held bytes = zen_section_bytes(z, ZEN_AT_IMPORTS);

	read_hashes(z);
	z->n_imports = bytes.len / zen_import_fixed_len;
	z->imports = zen_import_in(bytes);
	/* mutant: of nine imports one has no place for its traits */
	z->traits_of_imports = zen_alloc(r, ZEN_OBJECTS,
					 z->n_imports - (MUTANT(317) && z->n_imports > 8), 1);
	if (!z->traits_of_imports)
		return false;
	for (uint64_t i = 0; i < z->n_imports; i++) {
		const uint64_t value = zen_import_get_value(zen_import_at(z->imports, i));

		z->traits_of_imports[i] = (uint8_t)(import_traits(z, value) |
						    (zen_is_unknown(z, value) ? ZEN_IMPORT_UNKNOWN
									      : 0u));
		z->import_traits |= z->traits_of_imports[i];
	}
	return true;
}

/* Engines resolve what a cell imports as they do any other import. Whether the game's script
 * objects list cells is not known. */
static bool read_cell_imports(struct zen_reader *r)
{
	struct zen *z = r->z;
	const struct held bytes = zen_section_bytes(z, ZEN_AT_CELL_IMPORTS);

	z->n_cell_imports = bytes.len / zen_import_fixed_len;
	z->cell_imports = zen_import_in(bytes);
	z->traits_of_cell_imports = zen_alloc(r, ZEN_OBJECTS, z->n_cell_imports, 1);
	if (!z->traits_of_cell_imports)
		return false;
	for (uint64_t i = 0; i < z->n_cell_imports; i++) {
		const uint64_t value = zen_import_get_value(zen_import_at(z->cell_imports, i));

		z->traits_of_cell_imports[i] = (uint8_t)import_traits(z, value);
		z->cell_import_traits |= z->traits_of_cell_imports[i];
	}
	return true;
}

/* Imports and cell imports alike make use of a package that is named. */
static void check_packages(struct zen *z)
{
	if (zen_is_named(z) && zen_has(z, ZEN_NAMES) && z->packages_used < z->n_packages)
		z->defects |= ZEN_PACKAGES_COUNT;
}

/* ---- Exports --------------------------------------------------------------------------------- */

static uint32_t reference_traits(const struct zen *z, struct zen_export_row row, uint64_t i)
{
	const uint64_t class = zen_export_get_class(row), super = zen_export_get_super(row),
		       template = zen_export_get_template(row);
	uint32_t traits = 0;

	if (zen_refers_out(z, zen_export_get_outer(row)))
		traits |= ZEN_EXPORT_OUTER_OUT;
	if (zen_refers_out(z, class))
		traits |= ZEN_EXPORT_CLASS_OUT;
	if (zen_refers_out(z, super))
		traits |= ZEN_EXPORT_SUPER_OUT;
	if (zen_refers_out(z, template))
		traits |= ZEN_EXPORT_TEMPLATE_OUT;
	if (class == i)
		traits |= ZEN_EXPORT_OWN_CLASS;
	if (super == i)
		traits |= ZEN_EXPORT_OWN_SUPER;
	if (template == i)
		traits |= ZEN_EXPORT_OWN_TEMPLATE;
	if (class == OBJECT_IS_NULL)
		traits |= ZEN_EXPORT_NO_CLASS;
	if (template == OBJECT_IS_NULL)
		traits |= ZEN_EXPORT_NO_TEMPLATE;
	return traits;
}

/* Imports list the objects of the game that exports refer to. Where an import is told to be
 * unknown, exports are not. */
static uint32_t script_traits(const struct zen *z, struct zen_export_row row)
{
	const uint64_t all[] = { zen_export_get_outer(row), zen_export_get_class(row),
				 zen_export_get_super(row), zen_export_get_template(row) };

	if (!z->in.scripts || z->import_traits & ZEN_IMPORT_UNKNOWN)
		return 0;
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (zen_is_unknown(z, all[i]))
			return ZEN_EXPORT_UNKNOWN;
	return 0;
}

static uint32_t hash_traits(const struct zen *z, struct zen_export_row row)
{
	const uint64_t hash = zen_export_get_hash(row);
	const bool is_public = zen_export_get_flags(row) & ZEN_OBJECT_PUBLIC;

	if (zen_is_ue4(z))
		return hash != OBJECT_IS_NULL && object_kind(hash) != OBJECT_PACKAGE
			       ? (uint32_t)ZEN_EXPORT_GLOBAL_KIND
			       : 0;
	return is_public != (hash != 0) ? (uint32_t)ZEN_EXPORT_PUBLIC : 0;
}

static uint32_t size_traits(const struct zen *z, struct zen_export_row row)
{
	const uint64_t size = zen_export_get_size(row);
	const uint64_t end = zen_sum(zen_export_get_offset(row), size);
	uint32_t traits = 0;

	if (size > z->payload)
		traits |= ZEN_EXPORT_SIZE_OUT;
	else if (zen_is_named(z) && end > z->payload + MUTANT(347)) /* mutant: a byte longer */
		traits |= ZEN_EXPORT_PAST_END;
	if (size == 0)
		traits |= ZEN_EXPORT_EMPTY;
	return traits;
}

static uint32_t export_traits(const struct zen *z, struct zen_export_row row, uint64_t i)
{
	uint32_t traits = reference_traits(z, row, i) | script_traits(z, row) |
			  hash_traits(z, row) | size_traits(z, row);

	if (zen_has(z, ZEN_NAMES) &&
	    !names_have(&z->batches[ZEN_OWN_NAMES], NAME_OF_PACKAGE, zen_export_get_name(row)))
		traits |= ZEN_EXPORT_NAME_OUT;
	if (zen_export_get_filter(row) > 2)
		traits |= ZEN_EXPORT_FILTER;
	if (zen_export_get_pad(row) != 0)
		traits |= ZEN_EXPORT_PAD;
	return traits;
}

/* Whether a reference of export i is that export or a later one. */
static bool is_later(const struct zen *z, uint64_t reference, uint64_t i)
{
	return reference >= i && reference < z->n_exports;
}

static bool refers_to_later(const struct zen *z, struct zen_export_row row, uint64_t i)
{
	return is_later(z, zen_export_get_outer(row), i) ||
	       is_later(z, zen_export_get_class(row), i) ||
	       is_later(z, zen_export_get_super(row), i) ||
	       is_later(z, zen_export_get_template(row), i);
}

/* Where exports refer to earlier ones alone, no reference leads back. */
bool zen_read_exports(struct zen_reader *r)
{
	struct zen *z = r->z;
	const struct held bytes = zen_section_bytes(z, ZEN_AT_EXPORTS);
	bool to_later = false;

	z->n_exports = bytes.len / zen_export_fixed_len;
	z->exports = zen_export_in(bytes);
	z->traits_of_exports = zen_alloc(r, ZEN_OBJECTS, z->n_exports,
					 sizeof *z->traits_of_exports);
	if (!z->traits_of_exports)
		return false;
	for (uint64_t i = 0; i < z->n_exports; i++) {
		const struct zen_export_row row = zen_export_at(z->exports, i);

		z->traits_of_exports[i] = export_traits(z, row, i);
		z->export_traits |= z->traits_of_exports[i];
		z->serial_sum = zen_sum(z->serial_sum, zen_export_get_size(row));
		to_later |= refers_to_later(z, row, i);
	}
	if (to_later && !(zen_check_outers(r) && zen_check_references(r)))
		return false;
	return zen_check_twins(r) && zen_check_hashes(r) && zen_check_ranges(r);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static uint32_t cell_size_traits(const struct zen *z, struct zen_cell_row row)
{
	const uint64_t size = zen_cell_get_size(row);
	uint32_t traits = 0;

	if (size > z->payload)
		traits |= ZEN_CELL_SIZE_OUT;
	else if (zen_sum(zen_cell_get_offset(row), size) > z->payload)
		traits |= ZEN_CELL_PAST_END;
	if (zen_cell_get_layout_size(row) > size + MUTANT(348)) /* mutant: a byte more */
		traits |= ZEN_CELL_LAYOUT;
	return traits;
}

bool zen_read_cells(struct zen_reader *r)
{
	struct zen *z = r->z;
	const struct held bytes = zen_section_bytes(z, ZEN_AT_CELL_EXPORTS);

	z->n_cells = bytes.len / zen_cell_fixed_len;
	z->cells = zen_cell_in(bytes);
	/* mutant: the last cell has no place for its traits */
	z->traits_of_cells = zen_alloc(r, ZEN_OBJECTS, z->n_cells - (MUTANT(318) && z->n_cells > 0),
				       1);
	if (!z->traits_of_cells)
		return false;
	for (uint64_t i = 0; i < z->n_cells; i++) {
		const struct zen_cell_row row = zen_cell_at(z->cells, i);
		uint32_t traits = 0;

		if (zen_has(z, ZEN_NAMES) && !names_have(&z->batches[ZEN_OWN_NAMES],
							 NAME_OF_PACKAGE, zen_cell_get_name(row)))
			traits |= ZEN_CELL_NAME_OUT;
		traits |= cell_size_traits(z, row);
		z->traits_of_cells[i] = (uint8_t)traits;
		z->cell_traits |= traits;
		z->serial_sum = zen_sum(z->serial_sum, zen_cell_get_size(row));
	}
	return true;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static bool take_tables(struct zen *z)
{
	static const struct {
		uint8_t section;
		uint8_t row_len;
	} tables[] = {
		{ ZEN_AT_HASHES, zen_hash_fixed_len },
		{ ZEN_AT_IMPORTS, zen_import_fixed_len },
		{ ZEN_AT_EXPORTS, zen_export_fixed_len },
		{ ZEN_AT_CELL_IMPORTS, zen_import_fixed_len },
		{ ZEN_AT_CELL_EXPORTS, zen_cell_fixed_len },
	};
	bool all = true;

	for (size_t i = 0; all && i < sizeof tables / sizeof tables[0]; i++) {
		const struct zen_place at = z->sections[tables[i].section];

		all = zen_takes(z, ZEN_OBJECTS, at.len / tables[i].row_len, at);
	}
	return all;
}

/* Cells come before exports, with whose ranges theirs are compared. */
void zen_read_objects(struct zen_reader *r)
{
	struct zen *z = r->z;

	z->payload = z->size - z->header_end;
	if (!take_tables(z) || !zen_read_imports_map(r) || !read_cell_imports(r))
		return;
	check_packages(z);
	if (zen_read_cells(r) && zen_read_exports(r))
		zen_read_entries(r);
}

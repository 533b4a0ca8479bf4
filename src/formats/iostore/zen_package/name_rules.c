/* The rules for names in a zen package: its own batch, that of the packages that it imports, and
 * what has names. */
#include "formats/iostore/zen_package/zen_rules.h"

/* ---- Batches, and each name ------------------------------------------------------------------ */

/* What says how many hashes there are, in Unreal Engine 4. */
static inline struct place hashes_place(struct check *c)
{
	return zen_field(c, zen_of(c), zen_summary_initial_field_hashes_size);
}

#define NAMES_ID(id) id##_zen
#define NAMES_BATCHES ZEN_BATCH_ROWS
#define NAMES_ROWS ZEN_NAME_ROWS
#define NAMES_GROUP ZEN_NAMES
#define NAMES_PLACE(c, b, at, len) ((void)(c), AT_SPAN(at, len))
#define NAMES_HASH_PLACE(c, b, at, len) NAMES_PLACE(c, b, at, len)
#define NAMES_HASHES_PLACE(c, b) hashes_place(c)
#include "formats/iostore/names/batch_rules.h"

/* ---- Only of packages ------------------------------------------------------------------------ */

#include "formats/iostore/names/package_name_rules.h"

FILE_DEFECT_RULE(NAM011, names_misaligned, ERROR, ZEN_SECTIONS, zen, z,
		 ZEN_NAMES_MISALIGNED | ZEN_HASHES_MISALIGNED, NAM011_TEXTS)
{
	if (z->defects & ZEN_NAMES_MISALIGNED)
		report(c, zen_offset(c, z, ZEN_AT_NAMES), WORD("names"),
		       DEC(z->sections[ZEN_AT_NAMES].at));
	if (z->defects & ZEN_HASHES_MISALIGNED)
		report(c, zen_offset(c, z, ZEN_AT_NAME_HASHES), WORD("hashes of names"),
		       DEC(z->sections[ZEN_AT_NAME_HASHES].at));
}

static void tell_name(struct check *c, struct place place, const char *what, uint64_t name)
{
	report(c, place, WORD(what), DEC(mapped_index(name)), DEC(mapped_owner(name)),
	       DEC(zen_of(c)->batches[ZEN_OWN_NAMES].n));
}

FILE_DEFECT_RULE(NAM013, mapped_name_out_of_range, ERROR, ZEN_NAMES, zen, z,
		 ZEN_NAME_OUT | ZEN_SOURCE_OUT, NAM013_TEXTS)
{
	if (z->defects & ZEN_NAME_OUT)
		tell_name(c, zen_field(c, z, ZEN_FIELD(z, name)), "the package", z->summary.name);
	if (z->defects & ZEN_SOURCE_OUT)
		tell_name(c, zen_field(c, z, zen_summary_initial_field_source_name),
			  "its source package", z->summary.source_name);
}

DEFECT_RULE(NAM013_exports, mapped_name_out_of_range, ERROR, ZEN_EXPORT_ROWS, e,
	    ZEN_EXPORT_NAME_OUT, NAM013_TEXTS)
{
	tell_name(c, AT(c, zen_export, &e->fields, name), "an export", e->fields.name);
}

DEFECT_RULE(NAM013_cells, mapped_name_out_of_range, ERROR, ZEN_CELL_ROWS, e, ZEN_CELL_NAME_OUT,
	    NAM013_TEXTS)
{
	tell_name(c, AT(c, zen_cell, &e->fields, name), "a cell export", e->fields.name);
}

/* The rules for what a zen package imports. */
#include "formats/iostore/zen_package/zen_rules.h"

#define ZEN009_TEXTS \
	.class = CLASS_CORRUPTION, \
	.title = "An import shall be of the game's code, of another package, or nothing.", \
	.message = "{0} {1} is {2}, {3}", .data = "table import value what", \
	.why = "The engine has no such import and takes it for one of another kind: the object " \
	       "is " \
	       "missing, or the game crashes.", \
	.fix = FIX_GET, .spec = SPEC(4.1)

static void tell_kind(struct check *c, const struct zen_import_item *i, const char *table)
{
	report(c, AT(c, zen_import, &i->fields, value), WORD(table), DEC(i->index),
	       HEX(i->fields.value),
	       either(object_kind(i->fields.value) == OBJECT_EXPORT,
		      "which is an export of the package", "which is of type 3 and not nothing"));
}

DEFECT_RULE(ZEN009, import_type_unknown, ERROR, ZEN_IMPORT_ROWS, i, ZEN_IMPORT_KIND, ZEN009_TEXTS)
{
	tell_kind(c, i, "import");
}

DEFECT_RULE(ZEN009_cells, import_type_unknown, ERROR, ZEN_CELL_IMPORT_ROWS, i, ZEN_IMPORT_KIND,
	    ZEN009_TEXTS)
{
	tell_kind(c, i, "cell import");
}

#define ZEN010_TEXTS \
	.class = CLASS_SECURITY, \
	.title = "An import of a package shall have the number of an imported package and of an " \
		 "imported hash.", \
	.message = "{0} {1} has number {3} of the imported {2}, which is out of range: their " \
		   "count is {4}", \
	.data = "table import what number count", \
	.why = "The engine takes the number as an index without a check, reads foreign memory, " \
	       "and may crash.", \
	.fix = FIX_GET, .spec = SPEC(4.2)

static void tell_out(struct check *c, const struct zen_import_item *i, const char *table)
{
	const struct zen *z = zen_of(c);
	const uint64_t package = object_value(i->fields.value) >> 32,
		       hash = i->fields.value & UINT32_MAX;

	if (i->traits & ZEN_IMPORT_PACKAGE_OUT)
		report(c, AT(c, zen_import, &i->fields, value), WORD(table), DEC(i->index),
		       WORD("packages"), DEC(package), DEC(zen_package_limit(z)));
	if (i->traits & ZEN_IMPORT_HASH_OUT)
		report(c, AT(c, zen_import, &i->fields, value), WORD(table), DEC(i->index),
		       WORD("hashes"), DEC(hash), DEC(z->n_hashes));
}

DEFECT_RULE(ZEN010, package_import_out_of_range, ERROR, ZEN_IMPORT_ROWS, i,
	    ZEN_IMPORT_PACKAGE_OUT | ZEN_IMPORT_HASH_OUT, ZEN010_TEXTS)
{
	tell_out(c, i, "import");
}

DEFECT_RULE(ZEN010_cells, package_import_out_of_range, ERROR, ZEN_CELL_IMPORT_ROWS, i,
	    ZEN_IMPORT_PACKAGE_OUT | ZEN_IMPORT_HASH_OUT, ZEN010_TEXTS)
{
	tell_out(c, i, "cell import");
}

DEFECT_RULE(ZEN011, imported_hash_missing, WARNING, ZEN_HASH_ROWS, h, ZEN_HASH_ZERO,
     .class   = CLASS_CORRUPTION,
     .title   = "No imported hash should be 0.",
     .message = "imported hash {0} is {1}, expected the hash of a public export",
     .data    = "imported_hash hash",
     .why     = "0 is the hash of exports that are not public, so that the engine finds none: "
		"the object is missing.",
     .fix     = FIX_IF_NEEDED,
     .spec    = SPEC(4.3))
{
	report(c, AT(c, zen_hash, &h->fields, hash), DEC(h->index), DEC(h->fields.hash));
}

#define ZEN026_TEXTS \
	.class = CLASS_COMPATIBILITY, \
	.title = "Every import of the game's code should be one of the game's script objects.", \
	.message = "{0} {1} is the script object {2}, which the game's global container lacks", \
	.data = "what number value", \
	.why = "The game does not have the class or function: what needs it is not made, or the " \
	       "game stops. The mod is for another version of the game, or needs a plugin.", \
	.fix = "Players: get the mod for your version of the game. Authors: cook for the game's " \
	       "engine version, and use no class that the game does not have.", \
	.spec = SPEC(10.2)

DEFECT_RULE(ZEN026, script_import_missing, WARNING, ZEN_IMPORT_ROWS, i, ZEN_IMPORT_UNKNOWN,
	    ZEN026_TEXTS)
{
	report(c, AT(c, zen_import, &i->fields, value), WORD("import"), DEC(i->index),
	       HEX(i->fields.value));
}

static void tell_unknown(struct check *c, const struct zen_export_item *e, size_t field,
			 const char *what, uint64_t value)
{
	if (zen_is_unknown(zen_of(c), value))
		report(c, check_place(c, &zen_export_layout, &e->fields, e->fields.at, field),
		       WORD(what), DEC(e->index), HEX(value));
}

DEFECT_RULE(ZEN026_exports, script_import_missing, WARNING, ZEN_EXPORT_ROWS, e, ZEN_EXPORT_UNKNOWN,
	    ZEN026_TEXTS)
{
	const struct zen_export *f = &e->fields;

	tell_unknown(c, e, zen_export_field_outer, "the outer of export", f->outer);
	tell_unknown(c, e, zen_export_field_class, "the class of export", f->class);
	tell_unknown(c, e, zen_export_field_super, "the super of export", f->super);
	tell_unknown(c, e, zen_export_field_template, "the template of export", f->template);
}

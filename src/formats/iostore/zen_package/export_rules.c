/* The rules for the exports of a zen package, each by itself; of where their bytes are,
 * payload_rules.c. */
#include "formats/iostore/zen_package/parts.h"
#include "formats/iostore/zen_package/zen_rules.h"

/* The references of an export. */
struct reference {
	uint64_t defect;
	const char *word;
	size_t field;
	uint64_t value;
};

/* Reports those of n references that have their defect. */
static void tell_references(struct check *c, const struct zen_export_item *e,
			    const struct reference *r, size_t n)
{
	struct export_text text;
	const struct arg name = export_name(c, e->index, &text);

	for (size_t i = 0; i < n; i++)
		if (e->traits & r[i].defect)
			report(c,
			       check_place(c, &zen_export_layout, &e->fields, e->fields.at,
					   r[i].field),
			       DEC(e->index), name, WORD(r[i].word), HEX(r[i].value),
			       DEC(zen_of(c)->n_exports));
}

#define REFERENCE(d, name) \
	{ \
		(d), #name, zen_export_field_##name, e->fields.name \
	}

DEFECT_RULE(ZEN012, export_reference_out_of_range, ERROR, ZEN_EXPORT_ROWS, e,
	    ZEN_EXPORT_OUTER_OUT | ZEN_EXPORT_CLASS_OUT | ZEN_EXPORT_SUPER_OUT |
		    ZEN_EXPORT_TEMPLATE_OUT,
     .class   = CLASS_SECURITY,
     .title   = "An export's outer, class, super and template shall be nothing, an export that "
		"exists, or an import.",
     .message = "export {0}, {1}, has the {2} {3}, which is out of range: the count of exports is "
		"{4}",
     .data    = "export path field reference exports",
     .why     = "The engine takes the reference as an index without a check: the game stops with "
		"an error about an export index, or crashes.",
     .fix     = FIX_GET,
     .spec    = SPEC(5.1))
{
	const struct reference all[] = {
		REFERENCE(ZEN_EXPORT_OUTER_OUT, outer),
		REFERENCE(ZEN_EXPORT_CLASS_OUT, class),
		REFERENCE(ZEN_EXPORT_SUPER_OUT, super),
		REFERENCE(ZEN_EXPORT_TEMPLATE_OUT, template),
	};

	tell_references(c, e, all, sizeof all / sizeof *all);
}

#define ZEN013_TEXTS \
	.class = CLASS_SECURITY, \
	.title = "No export shall be in itself, or its own class, super or template.", \
	.message = "export {0}, {1}, is its own {2}, {3}, directly or through others of the {4} " \
		   "in the package", \
	.data = "export path field reference exports", \
	.why = "Engines and tools follow the chain without end, or make none of its objects, " \
	       "because each needs another one before it: they hang or crash, or the mod does " \
	       "nothing.", \
	.fix = FIX_GET, .spec = SPEC(5.2)

/* A reference to an export: the first of several. */
static uint64_t export_reference(const struct zen_export *fields, uint64_t n_exports)
{
	const uint64_t all[] = { fields->outer, fields->class, fields->super };

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i] < n_exports)
			return all[i];
	return fields->template;
}

FILE_DEFECT_RULE(ZEN013, export_chain_cyclic, ERROR, ZEN_OBJECTS, zen, z, ZEN_REFERENCE_CYCLE,
		 ZEN013_TEXTS)
{
	const uint64_t export = z->reference_cycle.node;
	struct zen_export_item item;
	struct export_text text;

	zen_view_exports(z, export, 1, &item);
	report(c, AT(c, zen_export, &item.fields, outer), DEC(export),
	       export_name(c, export, &text), WORD("outer, class, super or template"),
	       HEX(export_reference(&item.fields, z->n_exports)), DEC(z->n_exports));
}

DEFECT_RULE(ZEN013_exports, export_chain_cyclic, ERROR, ZEN_EXPORT_ROWS, e,
	    ZEN_EXPORT_CYCLE | ZEN_EXPORT_OWN_CLASS | ZEN_EXPORT_OWN_SUPER |
		    ZEN_EXPORT_OWN_TEMPLATE,
	    ZEN013_TEXTS)
{
	const struct reference all[] = {
		REFERENCE(ZEN_EXPORT_CYCLE, outer),
		REFERENCE(ZEN_EXPORT_OWN_CLASS, class),
		REFERENCE(ZEN_EXPORT_OWN_SUPER, super),
		REFERENCE(ZEN_EXPORT_OWN_TEMPLATE, template),
	};

	tell_references(c, e, all, sizeof all / sizeof *all);
}

DEFECT_RULE(ZEN028, export_path_repeated, ERROR, ZEN_EXPORT_ROWS, e, ZEN_EXPORT_TWIN,
     .class   = CLASS_SECURITY,
     .title   = "No two exports shall have the same outer and the same name.",
     .message = "export {0}, {1}, has the outer and the name of an earlier one",
     .data    = "export path",
     .why     = "The engine finds the object that it has made for the first of them, and takes "
		"it for the second: what that one says is not read, or is read into an object of "
		"another class.",
     .fix     = FIX_GET,
     .spec    = SPEC(5.9))
{
	struct export_text text;

	report(c, AT(c, zen_export, &e->fields, name), DEC(e->index),
	       export_name(c, e->index, &text));
}

DEFECT_RULE(ZEN014, export_class_missing, WARNING, ZEN_EXPORT_ROWS, e,
	    ZEN_EXPORT_NO_CLASS | ZEN_EXPORT_NO_TEMPLATE,
     .class   = CLASS_CORRUPTION,
     .title   = "An export should have a class and a template.",
     .message = "export {0}, {1}, has no {2}",
     .data    = "export path field",
     .why     = "The engine does not make an object without a class; one without a template has "
		"none of the defaults of its class.",
     .fix     = FIX_IF_NEEDED,
     .spec    = SPEC(5.3))
{
	struct export_text text;
	const struct arg name = export_name(c, e->index, &text);

	if (e->traits & ZEN_EXPORT_NO_CLASS)
		report(c, AT(c, zen_export, &e->fields, class), DEC(e->index), name, WORD("class"));
	if (e->traits & ZEN_EXPORT_NO_TEMPLATE)
		report(c, AT(c, zen_export, &e->fields, template), DEC(e->index), name,
		       WORD("template"));
}

DEFECT_RULE(ZEN015, export_filter_unknown, WARNING, ZEN_EXPORT_ROWS, e,
	    ZEN_EXPORT_FILTER | ZEN_EXPORT_PAD,
     .class   = CLASS_HYGIENE,
     .title   = "An export's filter should be 0, 1 or 2, and the padding after it 0.",
     .message = "export {0}, {1}, has the {2} {3}, expected {4}",
     .data    = "export path field value expected",
     .why     = "Engines write no other value: the row may be damaged, and the object is left out "
		"on clients or servers, or is not.",
     .fix     = FIX_IF_NEEDED,
     .spec    = SPEC(5.4))
{
	struct export_text text;
	const struct arg name = export_name(c, e->index, &text);

	if (e->traits & ZEN_EXPORT_FILTER)
		report(c, AT(c, zen_export, &e->fields, filter), DEC(e->index), name,
		       WORD("filter"), HEX(e->fields.filter), WORD("0 to 2"));
	if (e->traits & ZEN_EXPORT_PAD)
		report(c, AT(c, zen_export, &e->fields, pad), DEC(e->index), name, WORD("padding"),
		       HEX(e->fields.pad), WORD("0"));
}

DEFECT_RULE(ZEN016, export_public_mismatch, WARNING, ZEN_EXPORT_ROWS, e, ZEN_EXPORT_PUBLIC,
     .class   = CLASS_COMPATIBILITY,
     .title   = "An export should have a hash if it is public, and else none.",
     .message = "export {0}, {1}, has the flags {2} and the hash {3}, expected {4}",
     .data    = "export path flags hash expected",
     .why     = "Other packages find a public object by its hash alone, and cannot import one "
		"that has none.",
     .fix     = FIX_IF_NEEDED,
     .spec    = SPEC(5.5))
{
	struct export_text text;

	report(c, AT(c, zen_export, &e->fields, hash), DEC(e->index),
	       export_name(c, e->index, &text), HEX(e->fields.flags), HEX(e->fields.hash),
	       either(e->fields.flags & ZEN_OBJECT_PUBLIC, "a hash, since it is public",
		      "0, since it is not public"));
}

/* The hash that an export should have; 0: it is not known. */
static uint64_t expected_hash(const struct check *c, const struct zen_export_item *e)
{
	uint64_t hash = 0;

	return zen_export_hash(zen_of(c), e->index, &hash) ? hash : 0;
}

DEFECT_RULE(ZEN017, export_hash_mismatch, WARNING, ZEN_EXPORT_ROWS, e, ZEN_EXPORT_HASH,
     .class   = CLASS_COMPATIBILITY, .sign = SIGN_DATA,
     .title   = "The hash of an export should be CityHash64 of its path in the package.",
     .message = "export {0}, {1}, has the hash {2}, expected {3}",
     .data    = "export path hash expected",
     .why     = "Other packages import the object by the hash of its path, and do not find it.",
     .fix     = "Players: get the mod again, if it does not work. Authors: cook the asset and "
		"pack it again; a tool that renames an export has to change its hash.",
     .spec    = SPEC(5.6))
{
	struct export_text text;

	report(c, AT(c, zen_export, &e->fields, hash), DEC(e->index),
	       export_name(c, e->index, &text), HEX(e->fields.hash), HEX(expected_hash(c, e)));
}

DEFECT_RULE(ZEN018, export_hash_repeated, ERROR, ZEN_EXPORT_ROWS, e, ZEN_EXPORT_REPEATED,
     .class   = CLASS_CORRUPTION,
     .title   = "No two exports of a package shall have the same hash.",
     .message = "export {0}, {1}, has the hash {2}, which is a duplicate of an earlier one's",
     .data    = "export path hash",
     .why     = "The engine keeps public exports by their hash and finds only one of the two: an "
		"import is another object than what was meant, and may crash the game.",
     .fix     = FIX_GET,
     .spec    = SPEC(5.7))
{
	struct export_text text;

	report(c, AT(c, zen_export, &e->fields, hash), DEC(e->index),
	       export_name(c, e->index, &text), HEX(e->fields.hash));
}

DEFECT_RULE(ZEN019, global_import_index_mismatch, WARNING, ZEN_EXPORT_ROWS, e,
	    ZEN_EXPORT_GLOBAL | ZEN_EXPORT_GLOBAL_KIND,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The GlobalImportIndex of an export should be the hash of its path, or nothing.",
     .message = "export {0}, {1}, has the GlobalImportIndex {2}, expected {3}",
     .data    = "export path index expected",
     .why     = "Other packages import the object by this number, and do not find it.",
     .fix     = "Players: get the mod again, if it does not work. Authors: cook the asset and "
		"pack it again; a tool that renames an export has to change its index.",
     .spec    = SPEC(5.8))
{
	struct export_text text;
	const uint64_t hash = expected_hash(c, e);

	report(c, AT(c, zen_export, &e->fields, hash), DEC(e->index),
	       export_name(c, e->index, &text), HEX(e->fields.hash),
	       hash == 0 ? WORD("an import of a package") : HEX(hash));
}

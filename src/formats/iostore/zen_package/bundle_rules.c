/* The rules for the order in which exports are loaded: bundles, their entries, and, until Unreal
 * Engine 5.2, the graph of arcs. */
#include "formats/iostore/zen_package/zen_rules.h"

/* ---- Entries --------------------------------------------------------------------------------- */

DEFECT_RULE(ZEN020, bundle_entry_out_of_range, ERROR, ZEN_ENTRY_ROWS, e,
	    ZEN_ENTRY_EXPORT_OUT | ZEN_ENTRY_COMMAND,
     .class   = CLASS_SECURITY,
     .title   = "A bundle entry shall have an export that exists and the command 0 or 1.",
     .message = "bundle entry {0} has the {1} {2}, which is out of range: expected less than {3}",
     .data    = "entry field value limit",
     .why     = "The engine takes both as indexes without a check, writes to foreign memory, and "
		"may crash.",
     .fix     = FIX_GET,
     .spec    = SPEC(6.1))
{
	const struct zen *z = zen_of(c);

	if (e->traits & ZEN_ENTRY_EXPORT_OUT)
		report(c, AT(c, zen_entry, &e->fields, export), DEC(e->index), WORD("export"),
		       DEC(e->fields.export), DEC(z->n_exports + z->n_cells));
	if (e->traits & ZEN_ENTRY_COMMAND)
		report(c, AT(c, zen_entry, &e->fields, command), DEC(e->index), WORD("command"),
		       DEC(e->fields.command), DEC(2));
}

#define ZEN021_TEXTS \
	.class = CLASS_CORRUPTION, \
	.title = \
		"Each export and cell export shall have two bundle entries: one that creates it, " \
		"and one that reads it.", \
	.message = "{0} {1} {2}, expected one entry of each command for each export and cell " \
		   "export", \
	.data = "what number problem", \
	.why = "Since 5.3 the game stops with \"Corrupt Zen header\"; older engines use objects " \
	       "that were never made, or make one again over the other, and crash.", \
	.fix = FIX_GET, .spec = SPEC(6.2)

FILE_DEFECT_RULE(ZEN021, bundle_entry_missing, ERROR, ZEN_OBJECTS, zen, z, ZEN_ENTRY_COUNT,
		 ZEN021_TEXTS)
{
	report(c, zen_offset(c, z, ZEN_AT_ENTRIES), WORD("bundle entries:"), DEC(z->n_entries),
	       WORD("in the package"));
}

DEFECT_RULE(ZEN021_entries, bundle_entry_missing, ERROR, ZEN_ENTRY_ROWS, e, ZEN_ENTRY_REPEATED,
	    ZEN021_TEXTS)
{
	report(c, AT(c, zen_entry, &e->fields, export), WORD("bundle entry"), DEC(e->index),
	       WORD("is a duplicate of an earlier one"));
}

static void tell_commands(struct check *c, struct place place, const char *what, uint64_t index,
			  bool create, bool serialize)
{
	if (create)
		report(c, place, WORD(what), DEC(index), WORD("has no entry that creates it"));
	if (serialize)
		report(c, place, WORD(what), DEC(index), WORD("has no entry that reads it"));
}

DEFECT_RULE(ZEN021_exports, bundle_entry_missing, ERROR, ZEN_EXPORT_ROWS, e,
	    ZEN_EXPORT_NOT_CREATED | ZEN_EXPORT_NOT_SERIALIZED, ZEN021_TEXTS)
{
	tell_commands(c, AT(c, zen_export, &e->fields, name), "export", e->index,
		      e->traits & ZEN_EXPORT_NOT_CREATED, e->traits & ZEN_EXPORT_NOT_SERIALIZED);
}

DEFECT_RULE(ZEN021_cells, bundle_entry_missing, ERROR, ZEN_CELL_ROWS, e,
	    ZEN_CELL_NOT_CREATED | ZEN_CELL_NOT_SERIALIZED, ZEN021_TEXTS)
{
	tell_commands(c, AT(c, zen_cell, &e->fields, name), "cell export", e->index,
		      e->traits & ZEN_CELL_NOT_CREATED, e->traits & ZEN_CELL_NOT_SERIALIZED);
}

DEFECT_RULE(ZEN022, bundle_entries_out_of_order, ERROR, ZEN_ENTRY_ROWS, e, ZEN_ENTRY_TOO_EARLY,
     .class   = CLASS_CORRUPTION,
     .title   = "An export shall be created by a bundle entry before the one that reads it.",
     .message = "export {1}, {2}, is read by bundle entry {0}, and no earlier entry creates it",
     .data    = "entry export path",
     .why     = "The engine reads into an object that does not exist yet, and the game crashes.",
     .fix     = FIX_GET,
     .spec    = SPEC(6.3))
{
	struct export_text text;

	report(c, AT(c, zen_entry, &e->fields, command), DEC(e->index), DEC(e->fields.export),
	       export_name(c, e->fields.export, &text));
}

DEFECT_RULE(ZEN029, outer_created_later, WARNING, ZEN_ENTRY_ROWS, e, ZEN_ENTRY_OUTER_LATER,
     .also    = BIT(ZEN_GRAPH),
     .class   = CLASS_CORRUPTION,
     .title   = "An export should be created after its outer.",
     .message = "export {1}, {2}, is created by bundle entry {0}, and its outer, export {3}, by no "
		"earlier one",
     .data    = "entry export path outer",
     .why     = "The engine creates an object in its outer. Where that does not exist yet the "
		"object is in none, or the game crashes.",
     .fix     = FIX_IF_NEEDED,
     .spec    = SPEC(6.12))
{
	struct export_text text;
	const struct zen *z = zen_of(c);

	report(c, AT(c, zen_entry, &e->fields, export), DEC(e->index), DEC(e->fields.export),
	       export_name(c, e->fields.export, &text),
	       DEC(zen_export_get_outer(zen_export_at(z->exports, e->fields.export))));
}

/* ---- Bundles --------------------------------------------------------------------------------- */

FILE_DEFECT_RULE(
	ZEA003, bundle_section_mismatch, ERROR, ZEN_SECTIONS, zen, z, ZEN_BUNDLES_SIZE,
	.class = CLASS_SECURITY, .explains = BIT(ZEN_OBJECTS),
	.title = "Bundles of 8 bytes, one at least if there are exports, and two entries for each "
		 "export shall fill what is before the graph.",
	.message = "bundles and their entries have {0}, expected a multiple of 8 and at least {1}, "
		   "for {2} {2:export|exports}",
	.data = "length least exports",
	.why = "The engine copies as many bytes as its store entry says, out of other tables or "
	       "from past the end.",
	.fix = FIX_GET, .spec = SPEC(6.4))
{
	report(c, zen_offset(c, z, ZEN_AT_ENTRIES), SIZE(z->sections[ZEN_AT_ENTRIES].len),
	       SIZE(zen_bundles_least(z)), DEC(z->n_exports));
}

/* A bundle's first entry, in the form of its engine. */
static struct place bundle_place(struct check *c, const struct zen_bundle_item *b)
{
	return zen_of(c)->version < ZEN_5_0 ? AT(c, zen_old_bundle, &b->fields, first)
					    : AT(c, zen_bundle, &b->fields, first);
}

DEFECT_RULE(ZEA004, bundle_range_mismatch, ERROR, ZEN_BUNDLE_ROWS, b,
	    ZEN_BUNDLE_OUT | ZEN_BUNDLE_NOT_NEXT | ZEN_BUNDLE_SHORT,
     .class   = CLASS_SECURITY,
     .title   = "Each bundle shall begin with the entry after those of the bundle before it, and "
		"have entries that exist; the last one shall end with the last entry.",
     .message = "bundle {0} has {1} {1:entry|entries} from entry {2} on, expected from {3} on, "
		"and all bundles together {4}",
     .data    = "bundle entries first expected count",
     .why     = "The engine reads the entries without a check, from foreign memory, and may crash; "
		"or it loads exports in another order, or not at all.",
     .fix     = FIX_GET,
     .spec    = SPEC(6.5))
{
	report(c, bundle_place(c, b), DEC(b->index), DEC(b->fields.entries), DEC(b->fields.first),
	       DEC(b->next), DEC(zen_of(c)->n_entries));
}

/* ---- The graph of Unreal Engine 4 ------------------------------------------------------------ */

FILE_DEFECT_RULE(
	ZEA005, graph_size_mismatch, ERROR, ZEN_OBJECTS, zen, z, ZEN_OLD_GRAPH_END,
	.class = CLASS_SECURITY, .explains = BIT(ZEN_GRAPH),
	.title = "The graph of a package of Unreal Engine 4 shall end where its size says.",
	.message = "the graph has {0} from byte {1} on, and its packages and arcs do not end there",
	.data = "length at",
	.why = "The engine goes by the counts and reads past the end, or the payload from "
	       "another place than where it is.",
	.fix = FIX_GET, .spec = SPEC(6.6))
{
	const struct zen_place *graph = &z->sections[ZEN_AT_GRAPH];

	report(c, zen_field(c, z, zen_summary_initial_field_graph_size), SIZE(graph->len),
	       DEC(graph->at));
}

DEFECT_RULE(ZEA006, graph_arc_out_of_range, WARNING, ZEN_ARC_ROWS, a,
	    ZEN_OLD_ARC_FROM | ZEN_OLD_ARC_TO,
     .class   = CLASS_CORRUPTION,
     .title   = "An arc of Unreal Engine 4 should begin at a bundle or -1, and end at one of this "
		"package.",
     .message = "arc of imported package {0} leads from bundle {1} to bundle {2}, which is out of "
		"range: the count of bundles is {3}",
     .data    = "package from to bundles",
     .why     = "The engine makes a bundle wait by this number without a check: the package waits "
		"without end, or the game crashes.",
     .fix     = FIX_GET,
     .spec    = SPEC(6.7))
{
	report(c, a->traits & ZEN_OLD_ARC_FROM ? AT(c, zen_arc, a, from) : AT(c, zen_arc, a, to),
	       DEC(a->list), SIGNED(a->from), SIGNED(a->to), DEC(zen_of(c)->n_bundles));
}

FILE_DEFECT_RULE(
	ZEA009, graph_package_cyclic, WARNING, ZEN_GRAPH, zen, z, ZEN_OWN_PACKAGE,
	.class = CLASS_CORRUPTION,
	.title = "The graph of a package of Unreal Engine 4 should not have the package itself.",
	.message = "the graph has package {0}, which is the package itself", .data = "package",
	.why = "Where an arc leads from its own last bundle the package waits for itself, and is "
	       "never loaded.",
	.fix = FIX_GET, .spec = SPEC(6.10))
{
	report(c, AT_SPAN(z->own_package_at, 8), HEX(z->claims ? z->claims->id : z->package_id));
}

/* ---- Bundles and arcs of 5.0 to 5.2 ---------------------------------------------------------- */

FILE_DEFECT_RULE(
	ZEB003, arcs_size_mismatch, ERROR, ZEN_OBJECTS, zen, z, ZEN_GRAPH_END,
	.class = CLASS_SECURITY, .explains = BIT(ZEN_GRAPH),
	.title = "The bundles and arcs of a package of 5.0 to 5.2 shall end where its header does.",
	.message =
		"the {0} of bundles and arcs from byte {1} on do not end at {2}, where the header "
		"does",
	.data = "length at end",
	.why = "The engine goes by the counts and reads past the end, or the payload from "
	       "another place than where it is.",
	.fix = FIX_GET, .spec = SPEC(6.8))
{
	const struct zen_place *graph = &z->sections[ZEN_AT_GRAPH];

	report(c, zen_offset(c, z, ZEN_AT_GRAPH), SIZE(graph->len), DEC(graph->at),
	       DEC(z->header_end));
}

/* An arc from an import, or one between two bundles. */
static struct place arc_place(struct check *c, const struct zen_arc_item *a)
{
	return a->len == zen_arc_fixed_len ? AT(c, zen_arc, a, from)
					   : AT(c, zen_external_arc, a, import);
}

DEFECT_RULE(ZEB004, arc_out_of_range, ERROR, ZEN_ARC_ROWS, a,
	    ZEN_ARC_FROM | ZEN_ARC_TO | ZEN_ARC_IMPORT | ZEN_ARC_IMPORT_KIND | ZEN_ARC_COMMAND,
     .class   = CLASS_SECURITY,
     .title   = "An arc of 5.0 to 5.2 shall have bundles of its package, imports of other "
		"packages, and the command 0 or 1.",
     .message = "arc at byte {0} has the {1} {2}, expected {4} less than {3}",
     .data    = "at field value limit kind",
     .why     = "The engine takes the numbers as indexes without a check, writes to foreign "
		"memory, and may crash.",
     .fix     = FIX_GET,
     .spec    = SPEC(6.9))
{
	const struct zen *z = zen_of(c);
	const struct place place = arc_place(c, a);

	if (a->traits & ZEN_ARC_FROM)
		report(c, place, DEC(a->at), WORD("first bundle"), SIGNED(a->from),
		       DEC(z->n_bundles), WORD("a bundle"));
	if (a->traits & ZEN_ARC_TO)
		report(c, place, DEC(a->at), WORD("last bundle"), SIGNED(a->to), DEC(z->n_bundles),
		       WORD("a bundle"));
	if (a->traits & (ZEN_ARC_IMPORT | ZEN_ARC_IMPORT_KIND))
		report(c, place, DEC(a->at), WORD("import"), SIGNED(a->from), DEC(z->n_imports),
		       WORD("an import of another package, which is"));
	if (a->traits & ZEN_ARC_COMMAND)
		report(c, place, DEC(a->at), WORD("command"), DEC(a->command), DEC(2),
		       WORD("a command"));
}

FILE_DEFECT_RULE(
	ZEB007, arcs_cyclic, ERROR, ZEN_GRAPH, zen, z, ZEN_ARCS_CYCLIC, .class = CLASS_SECURITY,
	.title = "No bundle of a package of 5.0 to 5.2 shall wait for itself by arcs.",
	.message = "a cycle of {1} {1:arc|arcs} leads from bundle {0} back to it",
	.data = "bundle arcs",
	.why = "Each bundle of the cycle waits for another one of it: the package is never loaded, "
	       "and the game waits for it without end.",
	.fix = FIX_GET, .spec = SPEC(6.11))
{
	const struct zen_place *graph = &z->sections[ZEN_AT_GRAPH];

	report(c, AT_SPAN(graph->at, graph->len), DEC(z->cycle_bundle), DEC(z->cycle_length));
}

FILE_DEFECT_RULE(
	ZEB006, arc_lists_mismatch, ERROR, ZEN_GRAPH, zen, z, ZEN_LISTS_DIFFER,
	.class = CLASS_SECURITY,
	.title = "There shall be a list of arcs for each package that the store entry imports.",
	.message =
		"the package has {0} {0:list|lists} of arcs from other packages, its store entry "
		"imports {1}",
	.data = "lists expected",
	.why = "The engine reads as many lists as its store entry imports, and past the end of "
	       "the header.",
	.fix = FIX_GET, .spec = SPEC(10.3))
{
	report(c, zen_offset(c, z, ZEN_AT_GRAPH), DEC(z->n_lists),
	       DEC(z->claims ? z->claims->n_imports : 0));
}

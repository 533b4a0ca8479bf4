/* The family EXP: the export table. */
#include "formats/upkg/header/games.h"
#include "formats/upkg/tables/chains.h"
#include "formats/upkg/tables/flags.h"
#include "formats/upkg/tables/lesser_rules.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"
#include "rule/finding.h"

static uint64_t number_of(const struct check *c, const struct upkg_export *e)
{
	return (uint64_t)(e - ((const struct upkg *)c->facts)->exports);
}

static struct arg name_of(const struct check *c, const struct upkg_export *e)
{
	return TEXT(upkg_text_of(c->facts, e->name).ref);
}

/* The body of an export, which lies in the file. */
static struct place body_place(const struct upkg_export *e)
{
	return AT_SPAN((uint64_t)e->offset, (uint64_t)e->size);
}

/* The offset of an export's body: the field after the others, which is a record of its own. */
static struct place offset_place(struct check *c, const struct upkg_export *e)
{
	struct place place = AT(c, upkg_export_entry, e, size);
	const struct upkg_export_place rest = { .at = span_end(place.span) };
	struct place offset = AT(c, upkg_export_place, &rest, offset);

	place.span = offset.span;
	place.field = offset.field;
	return place;
}

DEFECT_RULE(EXP017, exports_truncated, ERROR, UPKG_STOP_ROWS, s, CUT_EXPORT,
     .class   = CLASS_CORRUPTION, .explains = BIT(UPKG_EXPORTS),
     .title   = "The export table shall end inside the file.",
     .message = "export {0} at {1} does not end inside the file",
     .data    = "export at",
     .why     = "The game cannot read the exports and refuses the package. Most often the file is "
                "truncated, because the export table is its last part.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#6.1")
{
	report(c, AT_SPAN(s->at.at, s->at.len), DEC(s->row), HEX(s->at.at));
}

DEFECT_RULE(EXP001, export_name_missing, ERROR, UPKG_EXPORT_ROWS, e, EXPORT_BAD_NAME,
     .class   = CLASS_SECURITY,
     .title   = "An export's name shall be in the name table.",
     .message = "export {0} has name {1} as its name; the count of names is {2}",
     .data    = "export name names",
     .why     = "The number of the name is out of range, so that engines and tools read other "
                "memory: the game refuses the package or crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.1")
{
	const struct upkg *u = c->facts;

	report(c, AT(c, upkg_export_entry, e, name), DEC(number_of(c, e)), SIGNED(e->name),
	       DEC(u->tables[TABLE_NAMES].n));
}

#define BAD_REFERENCE (EXPORT_BAD_CLASS | EXPORT_BAD_SUPER | EXPORT_BAD_OUTER)

DEFECT_RULE(EXP002, export_reference_missing, ERROR, UPKG_EXPORT_ROWS, e, BAD_REFERENCE,
     .class   = CLASS_SECURITY,
     .title   = "An export's class, super and outer shall be 0, or imports or exports of the "
                "package.",
     .message = "export {0} has the {1} {2}; the package has {3} {3:import|imports} and {4} "
                "{4:export|exports}",
     .data    = "export field reference imports exports",
     .why     = "The reference is out of range, so that engines and tools read other memory: the "
                "game refuses the package or crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.1")
{
	const struct upkg *u = c->facts;
	struct arg imports = DEC(u->tables[TABLE_IMPORTS].n),
		   exports = DEC(u->tables[TABLE_EXPORTS].n);

	if (e->traits & EXPORT_BAD_CLASS)
		report(c, AT(c, upkg_export_entry, e, class), DEC(number_of(c, e)), WORD("class"),
		       SIGNED(e->class), imports, exports);
	if (e->traits & EXPORT_BAD_SUPER)
		report(c, AT(c, upkg_export_entry, e, super), DEC(number_of(c, e)), WORD("super"),
		       SIGNED(upkg_super_of(u, e)), imports, exports);
	if (e->traits & EXPORT_BAD_OUTER)
		report(c, AT(c, upkg_export_entry, e, outer), DEC(number_of(c, e)), WORD("outer"),
		       SIGNED(e->outer), imports, exports);
}

DEFECT_RULE(EXP003, export_size_negative, ERROR, UPKG_EXPORT_ROWS, e, EXPORT_SIZE_NEGATIVE,
     .class   = CLASS_SECURITY,
     .title   = "An export's size shall not be negative.",
     .message = "export {0}, {2}, has the size {1}, expected 0 or more",
     .data    = "export size name",
     .why     = "Engines allocate and read by the size: the game crashes, or writes to memory of "
                "something else (CVE-2003-1432).",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.2")
{
	report(c, AT(c, upkg_export_entry, e, size), DEC(number_of(c, e)), SIGNED(e->size),
	       name_of(c, e));
}

DEFECT_RULE(EXP004, export_outside_file, ERROR, UPKG_EXPORT_ROWS, e, EXPORT_OUTSIDE,
     .class   = CLASS_CORRUPTION,
     .title   = "An export's body shall be after the header and inside the file.",
     .message = "export {0}, {4}, has {2} at {1}, but the file has {3}",
     .data    = "export offset size file_size name",
     .why     = "The game cannot load the object, or reads other bytes as the object. Most often "
                "the file is truncated.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.2")
{
	const struct upkg *u = c->facts;

	report(c, offset_place(c, e), DEC(number_of(c, e)), SIGNED(e->offset),
	       SIZE((uint64_t)e->size), SIZE(u->size), name_of(c, e));
}

/* Whether an engine whose sources are known makes the object. */
static bool is_sure(const struct check *c, const struct upkg_export *e)
{
	return upkg_is_of_unreal(c->facts) && !(e->traits & EXPORT_FOR_EDITOR);
}
#define NOT_SURE EDITOR_ALONE ", or " OF_OTHERS

/* Two sound packages have objects without a body. Of a class the engine would read a body at the
 * start of the file. */
DEFECT_RULE(EXP005, export_empty, ERROR, UPKG_EXPORT_ROWS, e, EXPORT_EMPTY,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING, .lesser_when = "it is not a class, " NOT_SURE,
     .title   = "An export should have a body, unless it is what conforming leaves.",
     .message = "export {0}, {1}, has a body of 0 bytes",
     .data    = "export name",
     .why     = "The game crashes or reads the start of the file when it loads the object: an "
                "object has at least the end of its properties.",
     .fix     = "Get the file again; if it still fails, its author should save the package again "
                "in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.2")
{
	report_as(c, !is_sure(c, e) || e->class != 0, AT(c, upkg_export_entry, e, size),
		  DEC(number_of(c, e)), name_of(c, e));
}

DEFECT_RULE(EXP006, export_in_cycle, ERROR, UPKG_EXPORT_ROWS, e,
     EXPORT_OUTER_CYCLE | EXPORT_SUPER_CYCLE | EXPORT_CLASS_CYCLE,
     .class   = CLASS_SECURITY,
     .title   = "The chains of an export's outers, supers and classes shall end and not lead back.",
     .message = "export {0}, {2}, is its own {1}, directly or through others",
     .data    = "export field name",
     .why     = "The game and tools follow the chain without end: they hang or crash.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must save the "
                "package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.1")
{
	if (e->traits & EXPORT_OUTER_CYCLE)
		report(c, AT(c, upkg_export_entry, e, outer), DEC(number_of(c, e)), WORD("outer"),
		       name_of(c, e));
	if (e->traits & EXPORT_SUPER_CYCLE)
		report(c, AT(c, upkg_export_entry, e, super), DEC(number_of(c, e)), WORD("super"),
		       name_of(c, e));
	if (e->traits & EXPORT_CLASS_CYCLE)
		report(c, AT(c, upkg_export_entry, e, class), DEC(number_of(c, e)), WORD("class"),
		       name_of(c, e));
}

DEFECT_RULE(EXP007, export_inside_import, WARNING, UPKG_EXPORT_ROWS, e, EXPORT_OUTER_IMPORT,
     .class   = CLASS_CORRUPTION,
     .title   = "An export's outer should be 0 or an export.",
     .message = "export {0}, {2}, has the outer {1}, an import; expected 0 or an export",
     .data    = "export outer name",
     .why     = "No engine saves it so: an object inside another package is not exported from "
                "this one, and the game may not find it.",
     .fix     = "Get the file again; if it still fails, its author should save the package again "
                "in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.5")
{
	if (!(e->traits & EXPORT_BAD_OUTER))
		report(c, AT(c, upkg_export_entry, e, outer), DEC(number_of(c, e)),
		       SIGNED(e->outer), name_of(c, e));
}

DEFECT_RULE(EXP008, export_class_no_class, ERROR, UPKG_EXPORT_ROWS, e, EXPORT_CLASS_NO_CLASS,
     .class   = CLASS_CORRUPTION,
     .title   = "An export's class shall be a class.",
     .message = "export {0}, {2}, has the class {1}, which is not a class",
     .data    = "export class name",
     .why     = "The engine creates the object from something that is not a class: the game "
                "crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.3")
{
	report(c, AT(c, upkg_export_entry, e, class), DEC(number_of(c, e)), SIGNED(e->class),
	       name_of(c, e));
}

DEFECT_RULE(EXP009, export_super_unexpected, WARNING, UPKG_EXPORT_ROWS, e, EXPORT_SUPER_EXTRA,
     .class   = CLASS_CORRUPTION,
     .title   = "Only a Class, Function, State or Struct should have a super.",
     .message = "export {0}, {2}, has the super {1}, expected 0: it is not a Class, Function, "
                "State or Struct",
     .data    = "export super name",
     .why     = "Objects of other classes inherit nothing, and no engine saves it so: the row of "
                "the export table may be damaged.",
     .fix     = "Get the file again; if it still fails, its author should save the package again "
                "in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.4")
{
	report(c, AT(c, upkg_export_entry, e, super), DEC(number_of(c, e)),
	       SIGNED(upkg_super_of(c->facts, e)), name_of(c, e));
}

/* ---- Exports that share what they should not ------------------------------------------------- */

static void tell_pair(struct check *c, const struct pair *p)
{
	const struct upkg *u = c->facts;
	const struct upkg_export *e = &u->exports[p->second];

	report(c, counted(AT(c, upkg_export_entry, e, name), p->n_more), DEC(p->second),
	       DEC(p->first), name_of(c, e));
	relate(c, AT(c, upkg_export_entry, &u->exports[p->first], name),
	       "the first export of the pair");
}

EACH(EXP010, export_repeated, WARNING, UPKG_EXPORT_PAIR_ROWS, p,
     .class   = CLASS_CORRUPTION,
     .title   = "Exports with the same outer and class should have different names.",
     .message = "export {0} has the same outer, class and name as export {1}: {2}",
     .data    = "export first name",
     .why     = "The game finds only one of the two objects. Seven real packages are so, a retail "
                "map among them.",
     .fix     = "None is needed if it works. Its author should rename one of the objects in "
                "UnrealEd.",
     .spec    = "upkg.md#6.6")
{
	const struct upkg *u = c->facts;
	int32_t class = u->exports[p->second].class;

	if (class == u->exports[p->first].class && class != 0)
		tell_pair(c, p);
}

EACH(EXP011, export_name_shared, NOTE, UPKG_EXPORT_PAIR_ROWS, p,
     .class   = CLASS_HYGIENE,
     .title   = "Exports with the same outer should have different names.",
     .message = "export {0} has the same outer and name as export {1}, but another class: {2}",
     .data    = "export first name",
     .why     = "The game tells the two apart by their class; settings and other texts cannot say "
                "which one they mean.",
     .fix     = "None is needed if it works. Its author can rename one of the objects in UnrealEd.",
     .spec    = "upkg.md#6.6")
{
	const struct upkg *u = c->facts;

	if (u->exports[p->second].class != u->exports[p->first].class)
		tell_pair(c, p);
}

EACH(EXP019, class_repeated, ERROR, UPKG_EXPORT_PAIR_ROWS, p,
     .class   = CLASS_CORRUPTION,
     .title   = "Classes with the same outer shall have different names.",
     .message = "export {0} is a class with the same outer and name as class {1}: {2}",
     .data    = "export first name",
     .why     = "It depends on which of the two is loaded first what class an object has: the mod "
                "works differently each time, or the game crashes.",
     .fix     = "Get the file again; if it still fails, its author must rename one of the classes "
                "and compile the package again with ucc.",
     .spec    = "upkg.md#6.6")
{
	const struct upkg *u = c->facts;

	if (u->exports[p->second].class == 0 && u->exports[p->first].class == 0)
		tell_pair(c, p);
}

static const char *const region_names[] = {
	[REGION_HEADER] = "the header",   [REGION_HERITAGE] = "the heritage",
	[REGION_NAMES] = "the names",     [REGION_IMPORTS] = "the imports",
	[REGION_EXPORTS] = "the exports", [REGION_BODY] = "another body",
};

DEFECT_RULE(EXP012, bodies_overlap, ERROR, UPKG_OVERLAP_ROWS, o, OVERLAP_BODY,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "two exports without flags have the same body, and no game loads either of "
                    "them",
     .title   = "An export's body shall share no bytes with another part of the package.",
     .message = "the body of export {0} shares the bytes from {2} to {3} with {1}",
     .data    = "export other at end",
     .why     = "The same bytes cannot be both, so the game reads one object as another, or "
                "crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.2")
{
	const bool second_is_body = o->second_kind == REGION_BODY;
	const struct place place = counted(AT_SPAN(o->second_at.at, o->second_at.len), o->n_more);
	uint64_t end = span_end(o->first_at) < span_end(o->second_at) ? span_end(o->first_at)
								      : span_end(o->second_at);
	struct arg export = DEC(second_is_body ? o->second : o->first);
	struct arg other = WORD(region_names[second_is_body ? o->first_kind : o->second_kind]);

	report_as(c, (o->traits & OVERLAP_SHARED) != 0, place, export, other, HEX(o->second_at.at),
		  HEX(end));
	relate(c, AT_SPAN(o->first_at.at, o->first_at.len),
	       o->first_kind == REGION_BODY ? "a body" : region_names[o->first_kind]);
}

DEFECT_RULE(EXP013, bodies_out_of_order, NOTE, UPKG_EXPORT_ROWS, e, EXPORT_DESCENDS,
     .class   = CLASS_HYGIENE,
     .title   = "Bodies should be stored in the order of the export table.",
     .message = "export {0}, {1}, has its body before that of the previous export",
     .data    = "export name",
     .why     = "The game loads it, but engines save bodies in order: another tool wrote the "
                "file. A protected package is known to be so.",
     .fix     = "None is needed if it works. Its author can save the package again in UnrealEd or "
                "with ucc.",
     .spec    = "upkg.md#6.2")
{
	report(c, body_place(e), DEC(number_of(c, e)), name_of(c, e));
}

/* ---- Flags and names ------------------------------------------------------------------------- */

DEFECT_RULE(EXP014, export_flags_unexpected, WARNING, UPKG_EXPORT_ROWS, e, EXPORT_FLAGS_UNSAVED,
     .class   = CLASS_HYGIENE, .also = BIT(UPKG_MEASURED),
     .title   = "An export's flags should be those that an engine saves.",
     .message = "export {0}, {3}, has the flags {1}, of which engines never save {2}",
     .data    = "export flags unsaved name",
     .why     = "Such flags mark an object while the game runs, and in a file they may make the "
                "game treat it as something else. Another tool wrote the package.",
     .fix     = "None is needed if it works. Its author should save the package again in UnrealEd "
                "or with ucc.",
     .spec    = "upkg.md#6.7")
{
	uint64_t flags;

	flags = upkg_export_entry_of(c->facts, e).flags;
	report(c, AT(c, upkg_export_entry, e, flags), DEC(number_of(c, e)), HEX(flags),
	       HEX(flags & ~(uint64_t)upkg_saved_flags(c->facts)), name_of(c, e));
}

DEFECT_RULE(EXP015, export_never_loaded, WARNING, UPKG_EXPORT_ROWS, e, EXPORT_NOT_LOADED,
     .class   = CLASS_HYGIENE,
     .title   = "An export with a body should have one of the flags LoadForClient, LoadForServer "
                "and LoadForEdit.",
     .message = "export {0}, {2}, has the flags {1}, without LoadForClient, LoadForServer or "
                "LoadForEdit",
     .data    = "export flags name",
     .why     = "By its flags neither a game nor the editor loads the object, so that it is "
                "missing in the game.",
     .fix     = "None is needed if it works. Its author should save the package again in UnrealEd "
                "or with ucc.",
     .spec    = "upkg.md#6.7")
{
	report(c, AT(c, upkg_export_entry, e, flags), DEC(number_of(c, e)),
	       HEX(upkg_export_entry_of(c->facts, e).flags), name_of(c, e));
}

DEFECT_RULE(EXP016, class_with_stack, ERROR, UPKG_EXPORT_ROWS, e, EXPORT_CLASS_STACK,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING, .lesser_when = NOT_SURE,
     .title   = "A class shall not have the flag HasStack.",
     .message = "export {0}, {1}, is a class and has the flag HasStack",
     .data    = "export name",
     .why     = "The engine reads a state frame before the class, which tools do not expect: the "
                "game crashes, or tools see another class than the game.",
     .fix     = "Get the file again; if it still fails, its author must compile the package again "
                "with ucc.",
     .spec    = "upkg.md#6.7")
{
	report_as(c, !is_sure(c, e), AT(c, upkg_export_entry, e, flags), DEC(number_of(c, e)),
		  name_of(c, e));
}

static bool is_public(const struct check *c, const struct upkg_export *e)
{
	return (upkg_export_entry_of(c->facts, e).flags & UPKG_PUBLIC) != 0;
}

DEFECT_RULE(EXP018, none_with_body, ERROR, UPKG_EXPORT_ROWS, e, EXPORT_NONE_BODY,
     .class   = CLASS_HYGIENE,
     .lesser  = SEVERITY_NOTE, .lesser_when = "it is not Public, " NOT_SURE,
     .title   = "An export with the name None should have no body.",
     .message = "export {0} is named None and has {1}, expected no body",
     .data    = "export size",
     .why     = "The engine stops with an assertion where such an export is Public, and otherwise "
                "nothing can find the object.",
     .fix     = "Get the file again; if it still fails, its author should save the package again "
                "in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.8")
{
	report_as(c, !is_sure(c, e) || !is_public(c, e), AT(c, upkg_export_entry, e, size),
		  DEC(number_of(c, e)), SIZE((uint64_t)e->size));
}

DEFECT_RULE(EXP020, export_name_with_sign, WARNING, UPKG_EXPORT_ROWS, e, EXPORT_NAME_SIGN,
     .class   = CLASS_COMPATIBILITY,
     .title   = "An export's name should have neither dots nor colons.",
     .message = "export {0} has a dot or a colon in its name: {1}",
     .data    = "export name",
     .why     = "A text, such as a setting, is split at these signs, so that it cannot refer to "
                "the object.",
     .fix     = "None is needed if it works. Its author can rename the object in UnrealEd.",
     .spec    = "upkg.md#6.9")
{
	report(c, AT(c, upkg_export_entry, e, name), DEC(number_of(c, e)), name_of(c, e));
}

DEFECT_RULE(EXP021, chain_too_long, ERROR, UPKG_EXPORT_ROWS, e, EXPORT_DEEP,
     .class   = CLASS_SECURITY,
     .title   = "A chain of outers, supers or classes shall have at most 128 objects.",
     .message = "export {0}, {1}, begins a chain of outers, supers or classes with more than {2} "
                "{2:object|objects}",
     .data    = "export name limit",
     .why     = "The engine creates each object inside the call for the one before, so that its "
                "stack overflows and the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must save the "
                "package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#6.10")
{
	report(c, AT(c, upkg_export_entry, e, class), DEC(number_of(c, e)), name_of(c, e),
	       DEC(UPKG_CHAIN_MAX));
}

/* What something is that lies in another thing, and what that shall be. */
struct kinds {
	const char *inner, *outer;
};

static struct kinds kinds_of(const struct upkg *u, const struct upkg_export *e)
{
	switch (upkg_class_word(u, e)) {
	case WORD_Class:
		return (struct kinds){ "a class", "a package" };
	case WORD_Function:
		return (struct kinds){ "a function", "a class or state" };
	default:
		return (struct kinds){ "a variable", "a field" };
	}
}

static struct arg kind_of_outer(const struct upkg *u, const struct upkg_export *e)
{
	const int32_t its_class = e->outer > 0 ? u->exports[e->outer - 1].class : 0;

	if (e->outer == 0)
		return WORD("the package itself");
	if (its_class < 0 && upkg_refers(u, its_class))
		return TEXT(upkg_text_of(u, u->imports[-(int64_t)its_class - 1].name).ref);
	return WORD(its_class == 0 ? "a class" : "an object of the package's own class");
}

DEFECT_RULE(EXP022, outer_of_another_kind, ERROR, UPKG_EXPORT_ROWS, e, EXPORT_OUTER_KIND,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING, .lesser_when = NOT_SURE,
     .title   = "A class shall be in a package, a function in a class or state, and a variable in "
                "a field.",
     .message = "export {0}, {1}, is {2} in {3}, expected in {4}",
     .data    = "export name kind outer expected",
     .why     = "The engine compares the outer with the one that the class demands, and stops: "
                "the game crashes.",
     .fix     = "Get the file again; if it still fails, its author must compile the package again "
                "with ucc.",
     .spec    = "upkg.md#6.11")
{
	const struct upkg *u = c->facts;
	struct kinds kinds;

	kinds = kinds_of(u, e);
	report_as(c, !is_sure(c, e), AT(c, upkg_export_entry, e, outer), DEC(number_of(c, e)),
		  name_of(c, e), WORD(kinds.inner), kind_of_outer(u, e), WORD(kinds.outer));
}

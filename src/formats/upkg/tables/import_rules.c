/* The family IMP: the import table. */
#include "formats/upkg/header/games.h"
#include "formats/upkg/tables/chains.h"
#include "formats/upkg/tables/lesser_rules.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"
#include "rule/finding.h"

static uint64_t number_of(const struct check *c, const struct upkg_import *i)
{
	return (uint64_t)(i - ((const struct upkg *)c->facts)->imports);
}

static uint32_t traits_of(const struct check *c, const struct upkg_import *i)
{
	return ((const struct upkg *)c->facts)->imports_traits[number_of(c, i)];
}

static struct arg text_of(const struct check *c, const struct layout_index *index)
{
	return TEXT(upkg_text_of(c->facts, (int32_t)index->value).ref);
}

static struct arg name_of(const struct check *c, const struct upkg_import *i)
{
	return TEXT(upkg_text_of(c->facts, i->name).ref);
}

DEFECT_RULE(IMP011, imports_truncated, ERROR, UPKG_STOP_ROWS, s, CUT_IMPORT,
     .class   = CLASS_CORRUPTION, .explains = BIT(UPKG_IMPORTS),
     .title   = "The import table shall end inside the file.",
     .message = "import {0} at {1} does not end inside the file",
     .data    = "import at",
     .why     = "The game cannot read the imports and refuses the package. The file is truncated, "
                "or a count or an offset in it was changed.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#5.1")
{
	report(c, AT_SPAN(s->at.at, s->at.len), DEC(s->row), HEX(s->at.at));
}

DEFECT_RULE(IMP001, import_name_missing, ERROR, UPKG_IMPORT_ROWS, i, IMPORT_BAD_NAME,
     .class   = CLASS_SECURITY,
     .title   = "The three names of an import shall be in the name table.",
     .message = "import {0} has the class package {1}, the class {2} and the name {3}; the count "
                "of names is {4}",
     .data    = "import class_package class_name name names",
     .why     = "The number of a name is out of range, so that engines and tools read other "
                "memory: the game refuses the package or crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#5.1")
{
	const struct upkg *u = c->facts;
	uint32_t n = u->tables[TABLE_NAMES].n;
	struct upkg_import_entry e;
	struct place place;

	e = upkg_import_entry_of(u, i);
	if (!upkg_name_of(u, (int32_t)e.class_package.value))
		place = AT(c, upkg_import_entry, i, class_package);
	else if (!upkg_name_of(u, (int32_t)e.class_name.value))
		place = AT(c, upkg_import_entry, i, class_name);
	else
		place = AT(c, upkg_import_entry, i, name);
	report(c, place, DEC(number_of(c, i)), SIGNED(e.class_package.value),
	       SIGNED(e.class_name.value), SIGNED(i->name), DEC(n));
}

DEFECT_RULE(IMP002, import_outer_missing, ERROR, UPKG_IMPORT_ROWS, i, IMPORT_BAD_OUTER,
     .class   = CLASS_SECURITY,
     .title   = "An import's outer shall be 0, or an import or export of the package.",
     .message = "import {0} has the outer {1}; the package has {2} {2:import|imports} and {3} "
                "{3:export|exports}",
     .data    = "import outer imports exports",
     .why     = "The outer is out of range, so that engines and tools read other memory: the game "
                "refuses the package or crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#5.2")
{
	const struct upkg *u = c->facts;

	report(c, AT(c, upkg_import_entry, i, outer), DEC(number_of(c, i)), SIGNED(i->outer),
	       DEC(u->tables[TABLE_IMPORTS].n), DEC(u->tables[TABLE_EXPORTS].n));
}

DEFECT_RULE(IMP003, import_inside_export, ERROR, UPKG_IMPORT_ROWS, i, IMPORT_OUTER_EXPORT,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_OTHERS,
     .title   = "An import's outer shall be an import.",
     .message = "import {0}, {2}, has export {1} as its outer, expected an import",
     .data    = "import export name",
     .why     = "An object inside this package is not imported: the engine stops with an "
                "assertion when it loads the package.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#5.2")
{
	report_as(c, !upkg_is_of_unreal(c->facts), AT(c, upkg_import_entry, i, outer),
		  DEC(number_of(c, i)), DEC((uint64_t)i->outer - 1), name_of(c, i));
}

DEFECT_RULE(IMP004, import_in_cycle, ERROR, UPKG_IMPORT_ROWS, i, IMPORT_IN_CYCLE,
     .class   = CLASS_SECURITY,
     .title   = "The chain of an import's outers shall end and not lead back.",
     .message = "import {0}, {1}, is its own outer, directly or through others",
     .data    = "import name",
     .why     = "The game and tools follow the chain without end: they hang or crash.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must save the "
                "package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#5.2")
{
	report(c, AT(c, upkg_import_entry, i, outer), DEC(number_of(c, i)), name_of(c, i));
}

DEFECT_RULE(IMP005, import_top_no_package, ERROR, UPKG_IMPORT_ROWS, i, IMPORT_TOP_NO_PACKAGE,
     .class   = CLASS_COMPATIBILITY,
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_OTHERS,
     .title   = "An import without an outer shall be of the class Core.Package.",
     .message = "import {0}, {3}, has no outer and is a {1} of {2}, expected a Package of Core",
     .data    = "import class class_package name",
     .why     = "The engine stops with an assertion when it looks for the package, so that the "
                "game crashes.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#5.3")
{
	const uint32_t traits = traits_of(c, i);
	struct upkg_import_entry e;

	if (traits & IMPORT_BAD_NAME)
		return;
	e = upkg_import_entry_of(c->facts, i);
	report_as(c, !upkg_is_of_unreal(c->facts), AT(c, upkg_import_entry, i, class_name),
		  DEC(number_of(c, i)), text_of(c, &e.class_name), text_of(c, &e.class_package),
		  name_of(c, i));
}

EACH(IMP006, import_repeated, WARNING, UPKG_IMPORT_PAIR_ROWS, p,
     .class   = CLASS_HYGIENE,
     .title   = "The import table should have no duplicates.",
     .message = "import {0} is a duplicate of import {1}: {2}",
     .data    = "import first name",
     .why     = "The game loads it, but no engine saves it so: another tool rewrote the package, "
                "and tools may count the object as two.",
     .fix     = "None is needed if it works. Its author can save the package again in UnrealEd or "
                "with ucc.",
     .spec    = "upkg.md#5.4")
{
	const struct upkg *u = c->facts;
	const struct upkg_import *i = &u->imports[p->second];

	report(c, counted(AT(c, upkg_import_entry, i, name), p->n_more), DEC(p->second),
	       DEC(p->first), name_of(c, i));
	relate(c, AT(c, upkg_import_entry, &u->imports[p->first], name),
	       "the first import of the pair");
}

static bool is_none(const struct check *c, const struct layout_index *index)
{
	return upkg_word_of(c->facts, (int32_t)index->value) == WORD_None;
}

DEFECT_RULE(IMP007, import_of_none, ERROR, UPKG_IMPORT_ROWS, i, IMPORT_HAS_NONE,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "only the class or the class package is None, or " OF_OTHERS,
     .title   = "None of the three names of an import that is used shall be None.",
     .message = "import {0} has the {1} None, and an entry refers to it",
     .data    = "import field",
     .why     = "The engine does not look for such an object: what needs it is not loaded, or "
                "gets nothing in its place.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#5.5")
{
	struct upkg_import_entry e;

	if (!(traits_of(c, i) & IMPORT_USED))
		return;
	e = upkg_import_entry_of(c->facts, i);
	if (is_none(c, &e.name))
		report_as(c, !upkg_is_of_unreal(c->facts), AT(c, upkg_import_entry, i, name),
			  DEC(number_of(c, i)), WORD("name"));
	else if (is_none(c, &e.class_name))
		report_lesser(c, AT(c, upkg_import_entry, i, class_name), DEC(number_of(c, i)),
			      WORD("class"));
	else
		report_lesser(c, AT(c, upkg_import_entry, i, class_package), DEC(number_of(c, i)),
			      WORD("class package"));
}

DEFECT_RULE(IMP008, package_class_elsewhere, NOTE, UPKG_IMPORT_ROWS, i, IMPORT_PACKAGE_ELSEWHERE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "An import of the class Package should name Core as the package of its class.",
     .message = "import {0}, {2}, is a Package of {1}, expected one of Core",
     .data    = "import class_package name",
     .why     = "The class Package is in Core, and a game may not find the import. Duke Nukem "
                "Forever alone is known to write another name.",
     .fix     = "None is needed if it works. Its author can save the package again in UnrealEd or "
                "with ucc.",
     .spec    = "upkg.md#5.3")
{
	const uint32_t traits = traits_of(c, i);
	struct upkg_import_entry e;

	if (i->outer == 0 || traits & IMPORT_BAD_NAME)
		return;
	e = upkg_import_entry_of(c->facts, i);
	report(c, AT(c, upkg_import_entry, i, class_package), DEC(number_of(c, i)),
	       text_of(c, &e.class_package), name_of(c, i));
}

DEFECT_RULE(IMP009, import_of_self, NOTE, UPKG_IMPORT_ROWS, i, IMPORT_IS_SELF,
     .class   = CLASS_HYGIENE,
     .title   = "A package should not import itself.",
     .message = "import {0} is the package itself: {1}",
     .data    = "import name",
     .why     = "It is normal in packages with native classes. In others it means that the file "
                "was renamed, and objects may not be found.",
     .fix     = "None is needed for a package with native classes; otherwise give the file the "
                "name under which its author published it. The author should rebuild it under one "
                "name.",
     .spec    = "upkg.md#5.6")
{
	report(c, AT(c, upkg_import_entry, i, name), DEC(number_of(c, i)), name_of(c, i));
}

DEFECT_RULE(IMP010, import_without_package, WARNING, UPKG_IMPORT_ROWS, i, IMPORT_ROOTLESS,
     .class   = CLASS_CORRUPTION,
     .title   = "The chain of an import's outers should end in a package.",
     .message = "import {0}, {1}, has no package at the end of its outers",
     .data    = "import name",
     .why     = "The engine does not know in which package to look: what needs the object is not "
                "loaded, or gets nothing.",
     .fix     = "Get the file again; if it still fails, its author should save the package again "
                "in UnrealEd or with ucc.",
     .spec    = "upkg.md#5.3")
{
	if (i->outer != 0 && !(traits_of(c, i) & IMPORT_BAD_NAME))
		report(c, AT(c, upkg_import_entry, i, outer), DEC(number_of(c, i)), name_of(c, i));
}

EACH(IMP012, import_of_path, ERROR, UPKG_IMPORT_ROWS, i,
     .class   = CLASS_SECURITY, .sign = SIGN_PATH,
     .title   = "The name of an import without an outer shall not be a path.",
     .message = "import {0} is named {1}, which {2}",
     .data    = "import name defect",
     .why     = "The engine opens a file of that name, also outside the game's folders or on "
                "another computer (path traversal).",
     .fix     = "Do not use the file; UnrealEd and ucc save no such name. Its author must refer "
                "to the package by its name.",
     .spec    = "upkg.md#5.7")
{
	const uint32_t traits = i->outer == 0 ? upkg_path_traits(c->facts, i->name) : 0;

	if (traits != 0)
		report(c, AT(c, upkg_import_entry, i, name), DEC(number_of(c, i)), name_of(c, i),
		       WORD(upkg_path_defect(traits)));
}

DEFECT_RULE(IMP013, class_elsewhere, ERROR, UPKG_IMPORT_ROWS, i, IMPORT_CLASS_ELSEWHERE,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_OTHERS,
     .title   = "The class of an imported class shall be Core.Class.",
     .message = "import {0}, {2}, is a Class of {1}, expected one of Core",
     .data    = "import class_package name",
     .why     = "The engine looks for an object of another class, does not find it, and refuses "
                "to load the package.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#5.8")
{
	const uint32_t traits = traits_of(c, i);
	struct upkg_import_entry e;

	if (traits & IMPORT_BAD_NAME)
		return;
	e = upkg_import_entry_of(c->facts, i);
	report_as(c, !upkg_is_of_unreal(c->facts), AT(c, upkg_import_entry, i, class_package),
		  DEC(number_of(c, i)), text_of(c, &e.class_package), name_of(c, i));
}

DEFECT_RULE(IMP014, import_chain_too_long, ERROR, UPKG_IMPORT_ROWS, i, IMPORT_DEEP,
     .class   = CLASS_SECURITY,
     .title   = "The chain of an import's outers shall have at most 128 objects.",
     .message = "import {0}, {1}, begins a chain of outers with more than {2} {2:object|objects}",
     .data    = "import name limit",
     .why     = "The engine looks for each object inside the call for the one before, so that its "
                "stack overflows and the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must save the "
                "package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#5.9")
{
	report(c, AT(c, upkg_import_entry, i, outer), DEC(number_of(c, i)), name_of(c, i),
	       DEC(UPKG_CHAIN_MAX));
}

/* Tells of an import that lies in one whose class or class package is None, while its name is
 * not. */
static UVET_RARE void judge_outer_none(struct check *c, const struct upkg_import *i)
{
	const struct upkg *u = c->facts;
	const struct upkg_import *outer;
	struct upkg_import_entry e;

	if (!upkg_refers(u, i->outer))
		return;
	outer = &u->imports[-(int64_t)i->outer - 1];
	if (!(traits_of(c, outer) & IMPORT_HAS_NONE) || upkg_word_of(u, outer->name) == WORD_None)
		return;
	e = upkg_import_entry_of(u, outer);
	report_as(c, !upkg_is_of_unreal(u), AT(c, upkg_import_entry, i, outer),
		  DEC(number_of(c, i)), DEC(number_of(c, outer)), name_of(c, i),
		  WORD(is_none(c, &e.class_name) ? "class" : "class package"));
}

EACH(IMP015, import_inside_none, ERROR, UPKG_IMPORT_ROWS, i,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_OTHERS,
     .title   = "An import that is the outer of another shall have a class and a class package "
                "other than None.",
     .message = "import {0}, {2}, has import {1} as its outer, whose {3} is None",
     .data    = "import outer name field",
     .why     = "The engine does not look for the outer, and stops with an assertion when it "
                "needs the outer's package: the game crashes.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#5.5")
{
	if (((const struct upkg *)c->facts)->import_traits & IMPORT_HAS_NONE && i->outer < 0)
		judge_outer_none(c, i);
}

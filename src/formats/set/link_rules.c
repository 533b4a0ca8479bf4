/* The family XFL, of imports: what packages need of each other. */
#include "formats/set/lesser_rules.h"
#include "formats/set/links.h"

DEFECT_RULE(XFL002, import_package_missing, ERROR, SET_LINK_FLAWS, f, SET_NO_PACKAGE,
     .class   = CLASS_COMPATIBILITY, .also = BIT(SET_WITH_GAME),
     .title   = "A package that another imports from shall be in the game, or among the files.",
     .message = "the package {0} is imported, and neither the game nor the files have it",
     .data    = "package",
     .why     = "The game does not load what needs it: a map does not start, or lacks objects.",
     .fix     = "Players: get the missing package, which may come with the same mod or another. "
                "Authors: pack it with the mod, or say where to get it.",
     .spec    = "set.md#3.1")
{
	char room[PACKAGE_PATH_MAX];

	report(c, set_rule_place(c->facts, f), set_rule_import(c->facts, f, room));
}

DEFECT_RULE(XFL003, import_object_missing, ERROR, SET_LINK_FLAWS, f, SET_NO_OBJECT,
     .class   = CLASS_COMPATIBILITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is a class, which native code may make, or an object of that name is "
                    "elsewhere in the package",
     .title   = "An object that a package imports shall be in the package that it names.",
     .message = "{0} is imported, and {1} has no such object{2}",
     .data    = "object other but",
     .why     = "The game does not find the object when it loads the package, and refuses it or "
                "goes on without: the two are of different versions.",
     .fix     = "Players: get both files from one version of the mod. Authors: save the package "
                "again with the version of the other that is published.",
     .spec    = "set.md#3.2")
{
	const struct set *u = c->facts;
	char room[PACKAGE_PATH_MAX];

	report_as(c, f->lesser, set_rule_place(u, f), set_rule_import(u, f, room),
		  set_rule_file(u, f->other), WORD(f->what));
}

/* The name of the class of an export, which lies in its own tables. */
static struct arg class_of(const struct set *u, uint32_t file, uint32_t export)
{
	const struct summary_package *p = u->in->files[file]->package;
	const int32_t class = p->exports[export].class;

	if (class == 0)
		return WORD("Class");
	return set_rule_name(set_text(
		u, file, class > 0 ? p->exports[class - 1].name : p->imports[-(class + 1)].name));
}

static struct arg wanted_class(const struct set *u, const struct set_flaw *f)
{
	const struct summary_package *p = u->in->files[f->file]->package;

	return set_rule_name(set_text(u, f->file, p->imports[f->row].class_name));
}

DEFECT_RULE(XFL004, import_class_mismatch, WARNING, SET_LINK_FLAWS, f, SET_OTHER_CLASS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "An imported object should be of the class that the import says.",
     .message = "{0} is imported as a {2}, and is a {3} in {1}",
     .data    = "object other expected class",
     .why     = "An engine looks for an object of that class and does not take another.",
     .fix     = "Players: get both files from one version of the mod. Authors: save the package "
                "again with the version of the other that is published.",
     .spec    = "set.md#3.3")
{
	const struct set *u = c->facts;
	char room[PACKAGE_PATH_MAX];

	report(c, set_rule_place(u, f), set_rule_import(u, f, room), set_rule_file(u, f->other),
	       wanted_class(u, f), class_of(u, f->other, f->object));
}

DEFECT_RULE(XFL005, import_object_private, WARNING, SET_LINK_FLAWS, f, SET_PRIVATE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "An imported object should be public.",
     .message = "{0} is imported, and is not public in {1}",
     .data    = "object other",
     .why     = "An engine stops with \"Can't import private object\".",
     .fix     = "Players: get both files from one version of the mod. Authors: save the package "
                "again with the version of the other that is published.",
     .spec    = "set.md#3.4")
{
	const struct set *u = c->facts;
	char room[PACKAGE_PATH_MAX];

	report(c, set_rule_place(u, f), set_rule_import(u, f, room), set_rule_file(u, f->other));
}

DEFECT_RULE(XFL006, package_case_mismatch, WARNING, SET_LINK_FLAWS, f, SET_OTHER_CASE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A package's file should be spelt as the imports of it are.",
     .message = "the package {0} is imported, and its file is {1}",
     .data    = "package other",
     .why     = "Where names of files differ by the case of letters, as on Linux servers, the game "
                "does not find the package.",
     .fix     = "Rename the file so that it is spelt as the import is.",
     .spec    = "set.md#3.5")
{
	const struct set *u = c->facts;
	char room[PACKAGE_PATH_MAX];

	report(c, set_rule_place(u, f), set_rule_import(u, f, room), set_rule_file(u, f->other));
}

DEFECT_RULE(XFL007, imports_in_cycle, WARNING, SET_LINK_FLAWS, f, SET_CYCLE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Packages of classes should not import each other in a circle.",
     .message = "{0} is imported and leads back here; {1} {1:package is|packages are} in the "
                "circle",
     .data    = "package packages",
     .why     = "No order of building them is right: whoever builds one needs the others built, "
                "and a change of one may break all. A game that has them loads them.",
     .fix     = "None is needed to play. Authors: put what both need into a package of its own.",
     .spec    = "set.md#3.6")
{
	char room[PACKAGE_PATH_MAX];

	report(c, set_rule_place(c->facts, f), set_rule_import(c->facts, f, room), DEC(f->number));
}

DEFECT_RULE(XFL008, import_of_map, WARNING, SET_LINK_FLAWS, f, SET_OF_MAP,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A package should not import from a map.",
     .message = "{0} is imported, which is a map: {1}",
     .data    = "package other",
     .why     = "The game loads the other map with all that it has, or does not find it where only "
                "this file is installed.",
     .fix     = "Authors: put what both maps need into a package of its own, and save them again.",
     .spec    = "set.md#3.7")
{
	const struct set *u = c->facts;
	char room[PACKAGE_PATH_MAX];

	report(c, set_rule_place(u, f), set_rule_import(u, f, room), set_rule_file(u, f->other));
}

DEFECT_RULE(XFL017, package_not_compared, UNDETERMINED, SET_LINK_FLAWS, f, SET_NOT_COMPARED,
     .class   = CLASS_RESOURCE,
     .title   = "A package should be read whole and sound, so that it can be compared with others.",
     .message = "{0} {1}",
     .data    = "package reason",
     .why     = "What the package has is not known for certain, so nothing of it is called missing "
                "or present.",
     .fix     = "See what the report of the package itself says.",
     .spec    = "set.md#1.4")
{
	const struct set *u = c->facts;

	report(c, set_rule_place(u, f), set_rule_file(u, f->other != SET_NONE ? f->other : f->file),
	       WORD(f->what ? f->what
			    : "was not read whole, or is not sound: what it says of others, and "
			      "others of it, was not judged"));
}

/* The family XFL, of files: what of a set conflicts. */
#include "formats/set/lesser_rules.h"

DEFECT_RULE(XFL001, package_name_repeated, ERROR, SET_FILE_FLAWS, f, SET_STEM_TWICE,
     .class   = CLASS_COMPATIBILITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "one of the two is in no folder of a game, as System or Maps, or both "
                    "have one path but for case",
     .title   = "No two packages that a game looks for in one place shall have one name, whatever "
                "their extensions.",
     .message = "the package is called as {0}",
     .data    = "other",
     .why     = "The game finds a package by its name without the extension. It loads one of the "
                "two for both, and what needs the other gets objects of this one, or none.",
     .fix     = "Players: install one of the two, or ask the authors. Authors: give the package "
                "a name that no other has, and save again what imports from it.",
     .spec    = "set.md#2.1")
{
	const struct set *u = c->facts;

	report_as(c, f->lesser, set_rule_place(u, f), set_rule_file(u, f->other));
}

DEFECT_RULE(XFL010, package_identity_shared, NOTE, SET_FILE_FLAWS, f,
     SET_SAME_GUID | SET_OTHER_BUILD,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Packages that differ should have different GUIDs, and a package the one that the "
                "game's has.",
     .message = "the package {1} {0}",
     .data    = "other how",
     .why     = "Servers and clients tell versions of a package by its GUID. With two of one GUID "
                "a client takes one for the other; with another GUID it cannot join a server that "
                "has the game's.",
     .fix     = "None is needed if they are different versions that are not used together. "
                "Authors: give a new version another name, or conform it to the old one with ucc "
                "conform.",
     .spec    = "set.md#2.2")
{
	const struct set *u = c->facts;

	report(c, set_rule_guid_place(u, f), set_rule_file(u, f->other),
	       either(f->traits == SET_SAME_GUID, "has the GUID of another one,",
		      "is another build than the game's,"));
}

DEFECT_RULE(XFL013, package_newer_than_game, NOTE, SET_FILE_FLAWS, f, SET_NEWER,
     .class   = CLASS_COMPATIBILITY, .also = BIT(SET_WITH_GAME),
     .title   = "A package should not have a newer version than those of the game.",
     .message = "the package has version {0}, expected {1} at most, which the game's packages have",
     .data    = "version expected",
     .why     = "An engine asks, or refuses the package, when it is newer than the engine.",
     .fix     = "Players: patch the game, or get the package for your game. Authors: save it with "
                "the game that it is for.",
     .spec    = "set.md#2.3")
{
	report(c, set_rule_place(c->facts, f), DEC(f->number), DEC(f->expected));
}

DEFECT_RULE(XFL015, package_history_mismatch, NOTE, SET_FILE_FLAWS, f, SET_HISTORY_DIFFERS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Of two packages of one name and GUID one should have the generations of the "
                "other.",
     .message = "generation {0} is not that of {1}",
     .data    = "generation other",
     .why     = "A package that is conformed to an older one keeps its generations, by which a "
                "client that has the older one may join. This one does not go on from the other.",
     .fix     = "None is needed if the two are not used together. Authors: conform the new package "
                "to the one that was published before, with ucc conform.",
     .spec    = "set.md#2.4")
{
	const struct set *u = c->facts;

	report(c, set_rule_guid_place(u, f), DEC(f->number), set_rule_file(u, f->other));
}

DEFECT_RULE(XFL016, download_content_mismatch, WARNING, SET_FILE_FLAWS, f, SET_DOWNLOAD_DIFFERS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A download should hold the package that is beside it under that name.",
     .message = "the download holds another package than {0}",
     .data    = "other",
     .why     = "A server that loads the one and offers the other sends its players a package "
                "that does not fit: they cannot join.",
     .fix     = "Compress the package again with ucc compress, and put the download in place of "
                "the old one.",
     .spec    = "set.md#2.5")
{
	const struct set *u = c->facts;

	report(c, set_rule_place(u, f), set_rule_file(u, f->other));
}

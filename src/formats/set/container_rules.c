/* Rules of the family SET that ask of several containers at once. */
#include "formats/set/lesser_rules.h"

DEFECT_RULE(SET010, container_id_shared, WARNING, SET_FILE_FLAWS, f, SET_ONE_CONTAINER,
     .class   = CLASS_COMPATIBILITY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "one of the two is of Unreal Engine 5",
     .title   = "No two containers in one folder should have the same id.",
     .message = "the container has the id {0}, as {1} has",
     .data    = "id other",
     .why     = "An engine of Unreal Engine 4 passes over the header of the second one, so that "
                "none of its packages exist. Later ones do not mind.",
     .fix     = "Players: install one of the two. Authors: pack one of them under another name.",
     .spec    = "iostore.md#1.10")
{
	const struct set *u = c->facts;

	report_as(c, f->lesser, set_rule_place(u, f), HEX(f->number), set_rule_file(u, f->other));
}

DEFECT_RULE(SET011, container_versions_differ, WARNING, SET_FILE_FLAWS, f, SET_OTHER_TOC,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The containers in one folder should be of one version.",
     .message = "the container is of version {0}, and {1} of version {2}",
     .data    = "version other expected",
     .why     = "They are of different engines, so that a game that loads one may refuse the "
                "other; and some tools refuse the whole folder.",
     .fix     = "Players: install those that are for your game. Authors: pack them with one "
                "engine.",
     .spec    = "iostore.md#1.11")
{
	const struct set *u = c->facts;

	report(c, set_rule_place(u, f), DEC(f->number), set_rule_file(u, f->other),
	       DEC(f->expected));
}

/* The forms of UE4, then versions from 1 on. */
static struct arg header_version(uint64_t header)
{
	static const char *const words[] = { "of UE4", "of UE4 (the older form)", "of UE4" };

	return header < sizeof words / sizeof *words ? WORD(words[header]) : DEC(header - 2);
}

DEFECT_RULE(SET012, container_headers_differ, WARNING, SET_FILE_FLAWS, f, SET_OTHER_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The container headers of the containers in one folder should be of one version.",
     .message = "the container header is of version {0}, and that of {1} of version {2}",
     .data    = "version other expected",
     .why     = "They are of different engines, so that a game that loads one may refuse the "
                "other; and some tools refuse the whole folder.",
     .fix     = "Players: install those that are for your game. Authors: pack them with one "
                "engine.",
     .spec    = "iostore.md#1.12")
{
	const struct set *u = c->facts;

	report(c, set_rule_place(u, f), header_version(f->number), set_rule_file(u, f->other),
	       header_version(f->expected));
}

/* The family PNM: the name table. */
#include "formats/upkg/header/header.h"
#include "formats/upkg/tables/names.h"
#include "rule/finding.h"

static uint64_t number_of(const struct check *c, const struct upkg_name *n)
{
	return (uint64_t)(n - ((const struct upkg *)c->facts)->names);
}

static struct arg text_of(const struct check *c, const struct upkg_name *n)
{
	return TEXT(upkg_text(c->facts, n).ref);
}

/* Names have one field or the other, by version. */
static struct place text_place(struct check *c, const struct upkg_name *n)
{
	const struct upkg *u = c->facts;

	if (u->tag.version >= UPKG_VERSION_COUNTED)
		return AT(c, upkg_name_entry, n, name);
	return AT(c, upkg_name_entry, n, old_name);
}

DEFECT_RULE(PNM001, name_without_end, ERROR, UPKG_STOP_ROWS, s, CUT_NO_NUL,
     .class   = CLASS_CORRUPTION, .explains = BIT(UPKG_NAMES),
     .versions = UNTIL(UPKG_VERSION_COUNTED - 1),
     .title   = "A name of a package before version 64 shall end in a NUL.",
     .message = "name {0} at {1} has no NUL before the end of the file",
     .data    = "name at",
     .why     = "The game and tools read past the end of the file. Most often the file is "
                "truncated.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#4.1")
{
	report(c, AT_SPAN(s->at.at, s->at.len), DEC(s->row), HEX(s->at.at));
}

DEFECT_RULE(PNM016, names_truncated, ERROR, UPKG_STOP_ROWS, s, CUT_NAME,
     .class   = CLASS_CORRUPTION, .explains = BIT(UPKG_NAMES),
     .title   = "The name table shall end inside the file.",
     .message = "name {0} at {1} does not end inside the file",
     .data    = "name at",
     .why     = "The game cannot read the names and refuses the package. The file is truncated, "
                "or a length in the name table was changed.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#4.1")
{
	report(c, AT_SPAN(s->at.at, s->at.len), DEC(s->row), HEX(s->at.at));
}

DEFECT_RULE(PNM002, name_length, ERROR, UPKG_NAME_ROWS, n, NAME_LONG | NAME_IS_WIDE | NAME_COUNT_0,
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING, .lesser_when = "the name is in UTF-16, which no known package "
                                                 "has",
     .title   = "A name shall have 1 to 63 characters of one byte each.",
     .message = "name {0} {1}: {2}",
     .data    = "name defect text",
     .why     = "Engines copy the name into 64 bytes and overwrite other memory with the rest: "
                "the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must give the "
                "object a shorter name and save the package again.",
     .spec    = "upkg.md#4.2")
{
	if (n->traits & NAME_COUNT_0)
		report(c, text_place(c, n), DEC(number_of(c, n)),
		       WORD("has the length 0, and so no NUL"), text_of(c, n));
	else if (n->traits & NAME_LONG)
		report(c, text_place(c, n), DEC(number_of(c, n)),
		       WORD("is longer than 63 characters"), text_of(c, n));
	else
		report_lesser(c, text_place(c, n), DEC(number_of(c, n)), WORD("is in UTF-16"),
			      text_of(c, n));
}

/* The engine's texts end at the first NUL. */
static bool is_none_to_engine(const struct check *c, const struct upkg_name *n)
{
	return text_is(upkg_before_nul(upkg_text(c->facts, n)), "None");
}

DEFECT_RULE(PNM003, name_nul, ERROR, UPKG_NAME_ROWS, n, NAME_NO_NUL | NAME_HAS_NUL,
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the name ends in a NUL and has another inside, but the engine does not read "
                    "it as None",
     .title   = "A name with a length shall have one NUL, at its end.",
     .message = "name {0} {1}: {2}",
     .data    = "name defect text",
     .why     = "Engines and tools disagree about the name, because some go by the length and "
                "others by the NUL: an object is not found, or another one is.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must save the "
                "package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#4.3")
{
	if (n->traits & NAME_NO_NUL)
		report(c, text_place(c, n), DEC(number_of(c, n)), WORD("does not end in a NUL"),
		       text_of(c, n));
	else
		report_as(c, !is_none_to_engine(c, n), text_place(c, n), DEC(number_of(c, n)),
			  WORD("has a NUL inside"), text_of(c, n));
}

DEFECT_RULE(PNM004, name_empty, ERROR, UPKG_NAME_ROWS, n, NAME_EMPTY,
     .class   = CLASS_CORRUPTION,
     .title   = "A name shall not be empty.",
     .message = "name {0} is empty, expected at least 1 character",
     .data    = "name",
     .why     = "The game cannot find an object without a name. Most often the name table is "
                "damaged.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#4.2")
{
	if (!(n->traits & NAME_COUNT_0))
		report(c, text_place(c, n), DEC(number_of(c, n)));
}

RULE(PNM005, none_missing, ERROR, UPKG_NAMES,
     .class   = CLASS_CORRUPTION,
     .title   = "A package that is not empty shall have the name None.",
     .message = "none of the package's names is None; the count of names is {0}",
     .data    = "names",
     .why     = "The properties of each object end in the name None: without it the game can load "
                "no object of the package.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#4.4")
{
	const struct upkg *u = c->facts;
	bool empty = u->header.name_count == 0 && u->header.import_count == 0 &&
		     u->header.export_count == 0;

	if (!empty && u->none == u->tables[TABLE_NAMES].n)
		report(c, AT(c, upkg_header, &u->header, name_count),
		       DEC(u->tables[TABLE_NAMES].n));
}

RULE(PNM006, none_not_first, NOTE, UPKG_NAMES,
     .class   = CLASS_HYGIENE,
     .title   = "The name None should be the first.",
     .message = "None is name {0}, expected name 0",
     .data    = "name",
     .why     = "Tools that take name 0 for None misread the package. One real package in four is "
                "so, and every game loads them.",
     .fix     = "None is needed. Its author can save the package again for tools that expect it.",
     .spec    = "upkg.md#4.4")
{
	const struct upkg *u = c->facts;

	if (u->none > 0 && u->none < u->tables[TABLE_NAMES].n)
		report(c, text_place(c, &u->names[u->none]), DEC(u->none));
}

EACH(PNM007, name_repeated, WARNING, UPKG_NAME_PAIR_ROWS, p,
     .class   = CLASS_HYGIENE,
     .title   = "The name table should have no duplicate names.",
     .message = "name {0} is a duplicate of name {1}: {2}",
     .data    = "name first text",
     .why     = "The engine takes both for the same name; tools that compare numbers do not, and "
                "miss objects.",
     .fix     = "None is needed if it works. Its author should save the package again in UnrealEd "
                "or with ucc.",
     .spec    = "upkg.md#4.5")
{
	const struct upkg *u = c->facts;
	const struct upkg_name *n = &u->names[p->second];

	if (n->traits & NAME_IS_NONE)
		return;
	report(c, counted(text_place(c, n), p->n_more), DEC(p->second), DEC(p->first),
	       text_of(c, n));
	relate(c, text_place(c, &u->names[p->first]), "the first name of the pair");
}

EACH(PNM008, none_repeated, WARNING, UPKG_NAME_PAIR_ROWS, p,
     .class   = CLASS_HYGIENE, .also = BIT(UPKG_HISTORY),
     .title   = "A package of one generation should have the name None only once.",
     .message = "name {0} is a duplicate of the name None",
     .data    = "name",
     .why     = "Conforming replaces names that are gone by None, but this package was never "
                "conformed: another tool changed its names.",
     .fix     = "None is needed if it works; otherwise ask its author for the package as UnrealEd "
                "or ucc saved it.",
     .spec    = "upkg.md#4.5")
{
	const struct upkg *u = c->facts;
	const struct upkg_name *n = &u->names[p->second];

	if (n->traits & NAME_IS_NONE && u->n_generations <= 1)
		report(c, counted(text_place(c, n), p->n_more), DEC(p->second));
}

DEFECT_RULE(PNM009, name_control, WARNING, UPKG_NAME_ROWS, n, NAME_HAS_CONTROL,
     .class   = CLASS_SECURITY,
     .title   = "A name should have no control characters.",
     .message = "name {0} has a control character: {1}",
     .data    = "name text",
     .why     = "Consoles and logs that show the name obey the character and show other text. "
                "Only protected packages are known to have such names.",
     .fix     = "None is needed if it works; otherwise ask its author for the package as ucc "
                "compiled it.",
     .spec    = "upkg.md#4.6")
{
	report(c, text_place(c, n), DEC(number_of(c, n)), text_of(c, n));
}

DEFECT_RULE(PNM010, name_not_ascii, NOTE, UPKG_NAME_ROWS, n, NAME_HAS_HIGH,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A name should have ASCII characters only.",
     .message = "name {0} has a byte above 0x7F: {1}",
     .data    = "name text",
     .why     = "The name is shown differently on computers with another code page, and some "
                "tools do not find the object.",
     .fix     = "None is needed if it works. Its author can rename the object in UnrealEd.",
     .spec    = "upkg.md#4.6")
{
	if (!(n->traits & NAME_IS_WIDE))
		report(c, text_place(c, n), DEC(number_of(c, n)), text_of(c, n));
}

DEFECT_RULE(PNM011, name_with_sign, NOTE, UPKG_NAME_ROWS, n, NAME_HAS_SIGN,
     .class   = CLASS_COMPATIBILITY, .versions = BETWEEN(58, 69), .also = BIT(UPKG_MEASURED),
     .title   = "A name should have neither spaces nor the signs < > . ( ) in a package of Unreal "
                "Engine 1.",
     .message = "name {0} has a space or a punctuation mark: {1}",
     .data    = "name text",
     .why     = "A text, such as a setting or a console command, cannot refer to an object of "
                "this name.",
     .fix     = "None is needed if it works. Its author can rename the object in UnrealEd.",
     .spec    = "upkg.md#4.6")
{
	report(c, text_place(c, n), DEC(number_of(c, n)), text_of(c, n));
}

RULE(PNM012, names_unused, NOTE, UPKG_USES,
     .class   = CLASS_HYGIENE, .also = BIT(UPKG_HISTORY),
     .title   = "In a package of one generation, something should refer to each name except that "
                "of the package.",
     .message = "nothing refers to {0} of {1} {1:name|names}; the first is name {2}: {3}",
     .data    = "unused names name text",
     .why     = "Engines save only the names that they need: another tool wrote the file, or "
                "added text to it that no game shows.",
     .fix     = "None is needed if it works. Its author can save the package again in UnrealEd or "
                "with ucc.",
     .spec    = "upkg.md#4.8")
{
	const struct upkg *u = c->facts;
	const struct upkg_name *n = &u->names[u->first_unused];

	if (u->n_unused_names > 1 && u->n_generations <= 1)
		report(c, text_place(c, n), DEC(u->n_unused_names), DEC(u->tables[TABLE_NAMES].n),
		       DEC(u->first_unused), text_of(c, n));
}

DEFECT_RULE(PNM013, name_with_conversion, WARNING, UPKG_NAME_ROWS, n, NAME_HAS_FORMAT,
     .class   = CLASS_SECURITY,
     .title   = "A name should have no text that printf takes for a conversion.",
     .message = "name {0} has a conversion of printf, such as %s: {1}",
     .data    = "name text",
     .why     = "Old engines use names as formats when they print them: the game or server "
                "crashes or writes to other memory (CVE-2004-1805).",
     .fix     = "Do not use the file on a server with an old engine. Its author should rename the "
                "object and save the package again.",
     .spec    = "upkg.md#4.6")
{
	report(c, text_place(c, n), DEC(number_of(c, n)), text_of(c, n));
}

DEFECT_RULE(PNM015, name_never_loaded, NOTE, UPKG_NAME_ROWS, n, NAME_NOT_LOADED,
     .class   = CLASS_HYGIENE,
     .title   = "A name should have one of the flags LoadForClient, LoadForServer and LoadForEdit.",
     .message = "name {0} has the flags {1}, without LoadForClient, LoadForServer or LoadForEdit: "
                "{2}",
     .data    = "name flags text",
     .why     = "By its flags neither a game nor the editor loads the name, so that what refers "
                "to it may read None.",
     .fix     = "None is needed if it works. Its author should save the package again in UnrealEd "
                "or with ucc.",
     .spec    = "upkg.md#4.7")
{
	report(c, AT(c, upkg_name_entry, n, flags), DEC(number_of(c, n)),
	       HEX(upkg_name_flags(c->facts, n)), text_of(c, n));
}

/* The family XFL, of texts: what the game's own lists say of packages. */
#include "formats/set/lesser_rules.h"

/* The line that a flaw is about, or else the file as a whole. */
static struct place line_of(const struct set *u, const struct set_flaw *f)
{
	struct place p = AT_IN(f->file + 1, 0, 0);

	if (f->row != SET_NONE) {
		const struct summary_line *line = &u->in->files[f->file]->lines->rows[f->row];

		p.span = (struct span){ line->at, line->len };
	}
	return counted(p, f->n_more);
}

static struct arg key_of(const struct set *u, const struct set_flaw *f)
{
	const struct summary_word w = summary_key(u->in->files[f->file]->lines, f->row);

	return UTF8(w.chars, w.len);
}

static struct arg value_of(const struct set *u, const struct set_flaw *f)
{
	const struct summary_word w = summary_value(u->in->files[f->file]->lines, f->row);

	return UTF8(w.chars, w.len);
}

DEFECT_RULE(XFL009, cache_entry_mismatch, WARNING, SET_TEXT_FLAWS, f,
     SET_CACHE_NAME | SET_CACHE_ENTRY | SET_CACHE_UNLISTED,
     .class   = CLASS_HYGIENE,
     .title   = "A file of the download cache should be called as its GUID is, and the cache's "
                "list should name each once.",
     .message = "{0} {1}",
     .data    = "what defect",
     .why     = "The game finds a package that it downloaded by its GUID, and cleans the cache by "
                "its list: it downloads the package again, or keeps it for ever.",
     .fix     = "Delete the entry or the file; the game downloads what it needs again.",
     .spec    = "set.md#4.1")
{
	const struct set *u = c->facts;

	if (f->traits == SET_CACHE_ENTRY)
		report(c, line_of(u, f), key_of(u, f), WORD(f->what));
	else
		report(c, line_of(u, f), set_rule_file(u, f->file),
		       either(f->traits == SET_CACHE_NAME, "is not called as its GUID is",
			      "is not in the list of the cache"));
}

DEFECT_RULE(XFL011, package_flag_mismatch, WARNING, SET_TEXT_FLAWS, f, SET_OTHER_FLAG,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The flags in a .upkg should be those of its package.",
     .message = "the text says {0}={1}, and {2}, with the flags {3}, {4} that one",
     .data    = "flag value package flags has",
     .why     = "The text says with which flags the package is to be built. Whoever builds it "
                "again gets another package: clients may not download it, or not be let in.",
     .fix     = "Authors: build the package again, or correct the text.",
     .spec    = "set.md#4.2")
{
	const struct set *u = c->facts;

	report(c, line_of(u, f), key_of(u, f), value_of(u, f), set_rule_file(u, f->other),
	       HEX(f->number), WORD(f->what));
}

DEFECT_RULE(XFL012, path_missing, NOTE, SET_TEXT_FLAWS, f, SET_NO_PATH | SET_PATH_NUMBER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The Paths of a game should name the extension of every package in its folders, "
                "and be numbered without a gap.",
     .message = "{0}: {1}, expected {2}",
     .data    = "what found expected",
     .why     = "The game looks for packages by these patterns alone, and old ones stop at the "
                "first number that is missing.",
     .fix     = "Add the line, or number the lines from 0 on.",
     .spec    = "set.md#4.3")
{
	const struct set *u = c->facts;

	if (f->traits == SET_NO_PATH)
		report(c, line_of(u, f), WORD("no Paths for an extension"), WORD("none"),
		       UTF8(f->what, strlen(f->what)));
	else
		report(c, line_of(u, f), WORD("the number of Paths"), DEC(f->number),
		       DEC(f->expected));
}

DEFECT_RULE(XFL014, public_class_missing, WARNING, SET_TEXT_FLAWS, f, SET_NO_CLASS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A class that a .int lists should be in its package.",
     .message = "{0} is listed, and {1} has no such class",
     .data    = "object package",
     .why     = "The game shows what .int files list in its menus: a player picks a mutator or a "
                "weapon that is not there.",
     .fix     = "Players: get both files from one version of the mod. Authors: make the list anew "
                "with ucc dumpint, or correct it.",
     .spec    = "set.md#4.4")
{
	const struct set *u = c->facts;

	report(c, line_of(u, f), value_of(u, f), set_rule_file(u, f->other));
}

DEFECT_RULE(XFL018, public_package_missing, NOTE, SET_TEXT_FLAWS, f, SET_NO_TEXT_PACKAGE,
     .class   = CLASS_COMPATIBILITY, .also = BIT(SET_WITH_GAME),
     .title   = "A package whose classes a .int lists should be there.",
     .message = "{0} is listed, and neither the files nor the game have the package",
     .data    = "object",
     .why     = "The game shows what .int files list in its menus: a player picks a mutator or a "
                "weapon that is not there.",
     .fix     = "Players: install the package, or delete the text. Authors: add the package, or "
                "delete the line.",
     .spec    = "set.md#4.5")
{
	const struct set *u = c->facts;

	report(c, line_of(u, f), value_of(u, f));
}

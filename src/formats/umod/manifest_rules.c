/* The rules for the manifests, and for what they say about the members. */
#include "formats/umod/umod.h"
#include "rule/finding.h"

/* A place in a manifest is a line, counted from 1 as editors do, and some of its characters. */
static struct place line_place(const struct manifest_line *l, struct text_ref t)
{
	struct place p = AT_SPAN(text_span(t).at, text_span(t).len);

	p.record = l->file == MANIFEST_INI ? "manifest_ini.line" : "manifest_int.line";
	p.index = l->number;
	return p;
}

static struct place value_place(const struct manifest_line *l)
{
	return line_place(l, l->value);
}

static struct place header_place(const struct manifest_section *s)
{
	const struct manifest_line line = { .number = s->number, .file = s->file };

	return line_place(&line, s->header);
}

/* Where to point when a manifest lacks something as a whole: its [Setup], its first line, or the size of an empty one. */
static struct place file_place(struct check *c, const struct umod *u, enum manifest_file f, uint32_t member)
{
	const struct manifest *m = &u->manifest;

	if (m->setup[f] != MANIFEST_NONE)
		return header_place(&m->sections[m->setup[f]]);
	for (uint32_t i = 0; i < m->n_lines; i++)
		if (m->lines[i].file == f)
			return line_place(&m->lines[i], m->lines[i].whole);
	return AT(c, umod_entry, &u->members[member].entry, size);
}

/* ---- The text -------------------------------------------------------------------------------------------------------- */

static void judge_member(struct check *c, const struct umod *u, uint32_t group, uint32_t member, const char *name)
{
	const struct group *g = &u->groups[group];
	struct place place;

	if (g->why != STOP_MALFORMED || member == u->n_members)
		return;
	if (!(u->members[member].traits & UMOD_OUTSIDE)) {
		fail(c, AT_SPAN(g->at.at, g->at.len), WORD(name), WORD("is UTF-16 but has an odd number of bytes"));
		return;
	}
	place = AT(c, umod_entry, &u->members[member].entry, offset);
	place.span.len += 4;
	fail(c, place, WORD(name), WORD("lies outside the installer's data"));
}

RULE(MAN001, manifest_undecodable, ERROR, UMOD_DIRECTORY,
     .class   = CLASS_CORRUPTION, .explains = GROUP(UMOD_MANIFEST) | GROUP(UMOD_LOCALE),
     .title   = "The manifests shall be readable texts, and Manifest.ini shall have a [Setup] with a Product.",
     .message = "{0} {1}",
     .data    = "manifest defect",
     .why     = "Setup finds nothing to install, or shows an empty window.",
     .fix     = "Rebuild the installer.",
     .spec    = "umod.md#6.2")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;

	judge_member(c, u, UMOD_MANIFEST, u->manifest_member, "Manifest.ini");
	judge_member(c, u, UMOD_LOCALE, u->locale_member, "Manifest.int");
	if (u->groups[UMOD_MANIFEST].why != STOP_NOT)
		return;
	if (m->setup[MANIFEST_INI] == MANIFEST_NONE)
		fail(c, file_place(c, u, MANIFEST_INI, u->manifest_member), WORD("Manifest.ini"), WORD("has no [Setup] section"));
	else if (!m->product)
		fail(c, file_place(c, u, MANIFEST_INI, u->manifest_member), WORD("Manifest.ini"), WORD("has no Product in its [Setup]"));
}

EACH(MAN020, duplicate_section, WARNING, UMOD_SECTIONS, section,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A manifest should have one section of a name.",
     .message = "section {0} is repeated, first on line {1}",
     .data    = "section first_line",
     .why     = "Some readers join them, some take the first, some the last, and at least one never ends.",
     .fix     = "Join the sections.",
     .spec    = "umod.md#6.2")
{
	const struct umod *u = c->facts;
	const struct manifest_section *first = &u->manifest.sections[section->same_as];

	if (first == section)
		return;
	fail(c, header_place(section), TEXT(section->name), DEC(first->number));
	relate(c, header_place(first), "the first of this name");
}

EACH(MAN025, line_not_understood, NOTE, UMOD_LINES, line,
     .class   = CLASS_HYGIENE,
     .title   = "A manifest's line should be a comment, a section, or key=value inside a section.",
     .message = "line {0} is neither a comment nor a section nor key=value inside one: {1}",
     .data    = "line text",
     .why     = "Setup passes over it; what its author meant does not happen.",
     .fix     = "Correct or remove the line.",
     .spec    = "umod.md#6.2")
{
	if (line->kind == LINE_OTHER || (line->kind == LINE_PAIR && line->section == MANIFEST_NONE))
		fail(c, line_place(line, line->whole), DEC(line->number), TEXT(line->whole));
}

EACH(MAN026, control_character, WARNING, UMOD_LINES, line,
     .class   = CLASS_SECURITY,
     .title   = "A manifest should have no control characters.",
     .message = "line {0} has a control character: {1}",
     .data    = "line text",
     .why     = "The engine stops at a NUL and shows other control characters to the player; other readers see something else.",
     .fix     = "Remove the characters.",
     .spec    = "umod.md#6.2")
{
	if (line->control)
		fail(c, line_place(line, line->whole), DEC(line->number), TEXT(line->whole));
}

RULE(MAN028, locale_without_setup, NOTE, UMOD_LOCALE,
     .class   = CLASS_HYGIENE, .also = GROUP(UMOD_MANIFEST),
     .title   = "Manifest.int should have a [Setup] section.",
     .message = "Manifest.int has no [Setup] section",
     .data    = "",
     .why     = "Setup shows the player raw keys instead of the mod's name.",
     .fix     = "Add a [Setup] with LocalProduct, ReadMe and the rest.",
     .spec    = "umod.md#6.12")
{
	const struct umod *u = c->facts;

	if (u->manifest.setup[MANIFEST_INT] == MANIFEST_NONE)
		fail_plain(c, file_place(c, u, MANIFEST_INT, u->locale_member));
}

/* ---- [Setup] --------------------------------------------------------------------------------------------------------- */

RULE(MAN016, product_is_game, NOTE, UMOD_MANIFEST,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A mod's Product should not be that of a game.",
     .message = "Product is {0}, the name of the game itself",
     .data    = "product",
     .why     = "Setup overwrites what it knows of the game itself; only the game's own patches should.",
     .fix     = "Give the mod a Product of its own.",
     .spec    = "umod.md#6.3")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;

	if (m->product && m->product_known && m->product_known->is_game)
		fail(c, value_place(m->product), TEXT(m->product->value));
}

RULE(MAN018, archive_path_escapes, NOTE, UMOD_MANIFEST,
     .class   = CLASS_HYGIENE,
     .title   = "Archive should be a file name without \"..\".",
     .message = "Archive has a .. component: {0}",
     .data    = "archive",
     .why     = "Only the builder reads it; it tells about the author's folders and nothing else.",
     .fix     = "Nothing; a plain name is tidier.",
     .spec    = "umod.md#6.3")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;

	if (m->archive && m->archive_escapes)
		fail(c, value_place(m->archive), TEXT(m->archive->value));
}

RULE(MAN029, setup_version_unusable, WARNING, UMOD_MANIFEST,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The Version of [Setup] should begin with a number other than 0.",
     .message = "{0}",
     .data    = "defect",
     .why     = "Setup refuses to install a mod without such a version.",
     .fix     = "Give the mod a Version, such as 100.",
     .spec    = "umod.md#6.3")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;

	if (m->setup[MANIFEST_INI] == MANIFEST_NONE)
		return;
	if (!m->version)
		fail(c, header_place(&m->sections[m->setup[MANIFEST_INI]]), WORD("[Setup] has no Version"));
	else if (!m->version_starts_number)
		fail(c, value_place(m->version), WORD("the Version of [Setup] does not begin with a number other than 0"));
}

EACH(MAN015, text_file_missing, WARNING, UMOD_TEXT_FILES, file,
     .class   = CLASS_HYGIENE, .also = GROUP(UMOD_DIRECTORY),
     .title   = "What ReadMe, License and Logo name should be in the installer, as written or in System.",
     .message = "{0} refers to {1}, which is not in the installer",
     .data    = "key name",
     .why     = "Setup shows an empty page or asks the player to agree to nothing.",
     .fix     = "Add the file, or remove the line.",
     .spec    = "umod.md#6.11")
{
	if (file->missing)
		fail(c, value_place(file->line), TEXT(file->line->key), TEXT(file->line->value));
}

EACH(MAN027, url_scheme_unusual, NOTE, UMOD_LINES, line,
     .class   = CLASS_SECURITY,
     .title   = "A URL should have the scheme http, https, ftp or mailto.",
     .message = "{0} has an unusual scheme: {1}",
     .data    = "key url",
     .why     = "Setup passes it to Windows when the player clicks; other schemes start other programs.",
     .fix     = "Use a plain web address.",
     .spec    = "umod.md#6.11")
{
	if (line->odd_scheme && line->section != MANIFEST_NONE)
		fail(c, value_place(line), TEXT(line->key), TEXT(line->value));
}

/* ---- Sections that name one another ---------------------------------------------------------------------------------- */

EACH(MAN002, section_missing, ERROR, UMOD_REFERENCES, r,
     .class   = CLASS_CORRUPTION,
     .title   = "A Group= or Requires= shall name a section of Manifest.ini.",
     .message = "{0} refers to section {1}, which Manifest.ini does not have",
     .data    = "key section",
     .why     = "Setup installs nothing for the group, or cannot tell what the mod requires.",
     .fix     = "Correct the name, or add the section.",
     .spec    = "umod.md#6.4")
{
	if (r->to == MANIFEST_NONE)
		fail(c, value_place(r->line), TEXT(r->line->key), TEXT(r->line->value));
}

EACH(MAN019, group_cycle, ERROR, UMOD_REFERENCES, r,
     .class   = CLASS_CORRUPTION,
     .title   = "No group shall contain itself.",
     .message = "Group={0} leads back to its own section",
     .data    = "section",
     .why     = "A reader that follows groups without a guard never ends.",
     .fix     = "Remove the line.",
     .spec    = "umod.md#6.4")
{
	if (r->closes_cycle)
		fail(c, value_place(r->line), TEXT(r->line->value));
}

EACH(MAN003, group_orphaned, WARNING, UMOD_SECTIONS, section,
     .class   = CLASS_HYGIENE,
     .title   = "[Setup] should have a Group, and every other section should be named by a Group= or Requires=.",
     .message = "{0} {1}",
     .data    = "defect section",
     .why     = "Setup never looks at a section that nothing names: its files are carried but not installed.",
     .fix     = "Name it, or remove it.",
     .spec    = "umod.md#6.4")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;

	if (section->file != MANIFEST_INI || section != &m->sections[section->same_as])
		return;
	if (section->is_setup && !m->has_group)
		fail(c, header_place(section), WORD("there is no Group= in section"), TEXT(section->name));
	else if (!section->is_setup && !section->referenced)
		fail(c, header_place(section), WORD("no Group= or Requires= names section"), TEXT(section->name));
}

/* ---- Requirements ---------------------------------------------------------------------------------------------------- */

EACH(MAN009, requirement_unusual, WARNING, UMOD_REQUIREMENTS, r,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A requirement should name a known product and a version that exists.",
     .message = "{0}: {1}",
     .data    = "reason value",
     .why     = "Setup refuses to install on games that would run the mod well.",
     .fix     = "Require the product and the version that the mod really needs.",
     .spec    = "umod.md#6.5")
{
	if (!r->product)
		fail(c, header_place(r->section), WORD("the requirement has no Product"), TEXT(r->section->name));
	else if (!r->known)
		fail(c, value_place(r->product), WORD("the required Product is not a known game"), TEXT(r->product->value));
	if (!r->version || r->version->value.n_units == 0)
		return;
	if (!r->version_is_number)
		fail(c, value_place(r->version), WORD("the required Version is not a number"), TEXT(r->version->value));
	else if (r->known && r->known->last_version > 0 && r->version_number > r->known->last_version)
		fail(c, value_place(r->version), WORD("the required Version is higher than the last patch"), TEXT(r->version->value));
}

EACH(MAN010, requirement_version_empty, NOTE, UMOD_REQUIREMENTS, r,
     .class   = CLASS_HYGIENE,
     .title   = "A requirement should have a Version.",
     .message = "the requirement {0} has no Version",
     .data    = "section",
     .why     = "Setup accepts any version of the game.",
     .fix     = "Say which version the mod needs.",
     .spec    = "umod.md#6.5")
{
	if (!r->version)
		fail(c, header_place(r->section), TEXT(r->section->name));
	else if (r->version->value.n_units == 0)
		fail(c, value_place(r->version), TEXT(r->section->name));
}

/* ---- Copies and members ---------------------------------------------------------------------------------------------- */

EACH(MAN021, tuple_malformed, WARNING, UMOD_COPIES, copy,
     .class   = CLASS_CORRUPTION,
     .title   = "A File= or Copy= should be a list in parentheses with one Src, and numbers for Size and Flags.",
     .message = "{0} is not a list in parentheses with one Src, and numbers for Size and Flags: {1}",
     .data    = "key value",
     .why     = "Setup installs the file wrongly or not at all.",
     .fix     = "Correct the line.",
     .spec    = "umod.md#6.6")
{
	if (copy->malformed)
		fail(c, value_place(copy->line), TEXT(copy->line->key), TEXT(copy->line->value));
}

EACH(MAN004, member_missing, ERROR, UMOD_COPIES, copy,
     .class   = CLASS_CORRUPTION, .also = GROUP(UMOD_DIRECTORY),
     .title   = "What a File= or Copy= names shall be in the installer.",
     .message = "{0} refers to {1}, which is not in the installer",
     .data    = "key src",
     .why     = "Setup stops in the middle, with half of the mod installed.",
     .fix     = "Rebuild the installer with the file, or without the line.",
     .spec    = "umod.md#6.6")
{
	if (copy->has_src && copy->member == MANIFEST_NONE)
		fail(c, line_place(copy->line, copy->src), TEXT(copy->line->key), TEXT(copy->src));
}

EACH(MAN005, size_disagrees, ERROR, UMOD_COPIES, copy,
     .class   = CLASS_CORRUPTION, .also = GROUP(UMOD_DIRECTORY),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the member is Manifest.ini itself and smaller than its Size; a larger one is normal and not reported",
     .title   = "The Size of a File= or Copy= shall be the member's size in the directory.",
     .message = "Size is {0}, the directory says {1}: {2}",
     .data    = "size actual_size name",
     .why     = "The member is not the file that its author packed, or was changed afterwards.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it.",
     .spec    = "umod.md#6.7")
{
	const struct umod *u = c->facts;
	const struct umod_entry *e;
	struct place place;

	if (copy->member == MANIFEST_NONE || !copy->has_size)
		return;
	e = &u->members[copy->member].entry;
	place = line_place(copy->line, copy->size);
	if (copy->size_number == e->size)
		return;
	if (copy->member != u->manifest_member)
		fail(c, place, SIZE(copy->size_number), SIZE(e->size), TEXT(e->name));
	else if (copy->size_number > e->size)
		fail_lesser(c, place, SIZE(copy->size_number), SIZE(e->size), TEXT(e->name));
}

EACH(MAN006, flags_disagree, WARNING, UMOD_COPIES, copy,
     .class   = CLASS_CORRUPTION, .also = GROUP(UMOD_DIRECTORY),
     .title   = "The Flags of a File= or Copy= should be the member's flags in the directory; without Flags they are 0.",
     .message = "Flags are {0}, the directory says {1}: {2}",
     .data    = "flags actual_flags name",
     .why     = "Setup and extractors disagree on whether the member is installed.",
     .fix     = "Rebuild the installer.",
     .spec    = "umod.md#6.7")
{
	const struct umod *u = c->facts;
	const struct umod_entry *e;

	if (copy->member == MANIFEST_NONE)
		return;
	e = &u->members[copy->member].entry;
	if (copy->flags_number != e->flags)
		fail(c, copy->has_flags ? line_place(copy->line, copy->flags) : value_place(copy->line), DEC(copy->flags_number),
		     DEC(e->flags), TEXT(e->name));
}

EACH(MAN007, member_unlisted, WARNING, UMOD_MEMBERS, m,
     .class   = CLASS_HYGIENE, .also = GROUP(UMOD_MANIFEST),
     .title   = "Every member should be named by a File= or Copy=.",
     .message = "no File= or Copy= names entry {0}: {1}",
     .data    = "entry name",
     .why     = "Setup never installs it: it is dead weight, or hidden.",
     .fix     = "List it, or leave it out.",
     .spec    = "umod.md#6.6")
{
	const struct umod *u = c->facts;
	uint64_t i = (uint64_t)(m - u->members);

	if (u->manifest.listed_by[i] == MANIFEST_NONE && !(m->traits & UMOD_NAME_REPEATED))
		fail(c, AT(c, umod_entry, &m->entry, name), DEC(i), TEXT(m->entry.name));
}

EACH(MAN022, member_listed_twice, WARNING, UMOD_RELISTED, pair,
     .class   = CLASS_HYGIENE, .also = GROUP(UMOD_DIRECTORY),
     .title   = "One File= or Copy= should name a member.",
     .message = "{0} was named before, on line {1}",
     .data    = "src first_line",
     .why     = "Setup installs it twice; a player who leaves out one of the groups still gets it.",
     .fix     = "Remove one of the lines.",
     .spec    = "umod.md#6.6")
{
	fail(c, line_place(pair->second->line, pair->second->src), TEXT(pair->second->src), DEC(pair->first->line->number));
	relate(c, line_place(pair->first->line, pair->first->src), "the first line that names it");
}

/* ---- Where things are installed -------------------------------------------------------------------------------------- */

EACH(MAN008, manifest_overwrites_game, WARNING, UMOD_COPIES, copy,
     .class   = CLASS_SECURITY,
     .title   = "A manifest should be copied with Flags=3 only.",
     .message = "{0} installs a manifest into the game: {1}",
     .data    = "key value",
     .why     = "It replaces the game's own Manifest: later installers and the uninstaller no longer know what is there.",
     .fix     = "Set Flags=3.",
     .spec    = "umod.md#6.8")
{
	if (copy->to_manifest && copy->flags_number != (UMOD_BOOTSTRAP | UMOD_UNBOOTSTRAP))
		fail(c, value_place(copy->line), TEXT(copy->line->key), TEXT(copy->line->value));
}

EACH(MAN011, dest_unsafe, ERROR, UMOD_COPIES, copy,
     .class   = CLASS_SECURITY,
     .title   = "A Dest shall be a relative path that stays below the game's folder.",
     .message = "Dest {0}: {1}",
     .data    = "danger dest",
     .why     = "Setup writes where it is told, outside the game's folder too (CVE-2004-1958).",
     .fix     = "Reject the file: no honest installer needs this.",
     .spec    = "umod.md#6.9")
{
	if (copy->dest_traits & PATH_UNSAFE)
		fail(c, line_place(copy->line, copy->dest), WORD(path_danger(copy->dest_traits)), TEXT(copy->dest));
}

static const char *dest_defect(uint32_t traits)
{
	if (traits & MANIFEST_BECOMES_PROGRAM)
		return "is a program or a script, and Src is not";
	if (traits & PATH_DECEPTIVE)
		return "has an invisible or reordering character, or half of a surrogate pair";
	if (traits & PATH_RESERVED)
		return "has a character that Windows reserves";
	return traits & PATH_SELF ? "has a component that is a single dot" : "has an empty component";
}

#define DEST_UNSOUND (MANIFEST_BECOMES_PROGRAM | (uint32_t)PATH_DECEPTIVE | PATH_RESERVED | PATH_SELF | PATH_EMPTY_COMPONENT)

EACH(MAN030, dest_unsound, WARNING, UMOD_COPIES, copy,
     .class   = CLASS_SECURITY,
     .marks   = DEST_UNSOUND,
     .title   = "A Dest should be as sound as a member's name, and that of a program only if its Src is.",
     .message = "Dest {0}: {1}",
     .data    = "defect dest",
     .why     = "The player gets another file than the members' names tell of.",
     .fix     = "Give the member the name under which it is installed.",
     .spec    = "umod.md#6.9")
{
	if (copy->dest_traits & DEST_UNSOUND)
		fail(c, line_place(copy->line, copy->dest), WORD(dest_defect(copy->dest_traits)), TEXT(copy->dest));
}

EACH(MAN023, dest_shared, WARNING, UMOD_DEST_CLASHES, pair,
     .class   = CLASS_HYGIENE,
     .title   = "Two different members should not be installed to one place.",
     .message = "{0} is installed where line {1} installs {2}",
     .data    = "src first_line first_src",
     .why     = "What the player gets depends on the order of the groups.",
     .fix     = "Give one of them another Dest.",
     .spec    = "umod.md#6.9")
{
	const struct manifest_copy *a = pair->first, *b = pair->second;

	fail(c, line_place(b->line, b->has_dest ? b->dest : b->src), TEXT(b->src), DEC(a->line->number), TEXT(a->src));
	relate(c, line_place(a->line, a->has_dest ? a->dest : a->src), "the same place");
}

/* ---- Actions --------------------------------------------------------------------------------------------------------- */

EACH(MAN012, action_dangerous, WARNING, UMOD_ACTIONS, action,
     .class   = CLASS_SECURITY,
     .title   = "An installer should not delete files, write the registry, make shortcuts, or change settings outside System or of Core.",
     .message = "{0}{1}: {2}",
     .data    = "key reason value",
     .why     = "It changes the player's machine beyond the mod's own files.",
     .fix     = "Check that the mod cannot do without it.",
     .spec    = "umod.md#6.10")
{
	enum manifest_key key = action->line->key_id;
	const char *reason = NULL;

	if (key == KEY_DELETE)
		reason = " deletes a file";
	else if (key == KEY_WIN_REGISTRY)
		reason = " writes the registry";
	else if (key == KEY_SHORTCUT)
		reason = " makes a shortcut";
	else if (action->outside_system)
		reason = " changes a file outside System";
	else if (action->ini_core)
		reason = " changes a setting of Core";
	if (reason)
		fail(c, value_place(action->line), TEXT(action->line->key), WORD(reason), TEXT(action->line->value));
}

EACH(MAN013, ini_value_malformed, WARNING, UMOD_ACTIONS, action,
     .class   = CLASS_CORRUPTION,
     .title   = "Ini= and AddIni= should be <file>.ini,<section>.<key>=<value>.",
     .message = "{0} is not <file>.ini,<section>.<key>=<value>: {1}",
     .data    = "key value",
     .why     = "Setup writes the setting to the wrong place or not at all.",
     .fix     = "Correct the line.",
     .spec    = "umod.md#6.10")
{
	enum manifest_key key = action->line->key_id;

	if ((key == KEY_INI || key == KEY_ADD_INI) && action->ini_malformed)
		fail(c, value_place(action->line), TEXT(action->line->key), TEXT(action->line->value));
}

EACH(MAN014, server_package_missing, WARNING, UMOD_ACTIONS, action,
     .class   = CLASS_CORRUPTION, .also = GROUP(UMOD_DIRECTORY),
     .title   = "A package that is added to ServerPackages should be in the installer.",
     .message = "{0} adds {1} to ServerPackages, the installer has no such package",
     .data    = "key package",
     .why     = "The server does not start: it looks for every package of the list.",
     .fix     = "Add the package, or remove the line.",
     .spec    = "umod.md#6.10")
{
	enum manifest_key key = action->line->key_id;

	if ((key == KEY_INI || key == KEY_ADD_INI) && action->missing_package)
		fail(c, value_place(action->line), TEXT(action->line->key), TEXT(action->package));
}

EACH(MAN024, action_path_unsafe, ERROR, UMOD_ACTIONS, action,
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the key is RemovePath, whose value is a search path and may begin with \"..\"",
     .title   = "The file or folder of an action shall be a relative path that stays below the game's folder.",
     .message = "{0} {1}: {2}",
     .data    = "key danger path",
     .why     = "Setup deletes, moves or changes what it is told, outside the game's folder too (CVE-2004-1958).",
     .fix     = "Reject the file: no honest installer needs this.",
     .spec    = "umod.md#6.10")
{
	struct place place = value_place(action->line);
	const char *danger = path_danger(action->traits);

	if (!(action->traits & PATH_UNSAFE))
		return;
	if (action->line->key_id == KEY_REMOVE_PATH)
		fail_lesser(c, place, TEXT(action->line->key), WORD(danger), TEXT(action->path));
	else
		fail(c, place, TEXT(action->line->key), WORD(danger), TEXT(action->path));
}

/* ---- Languages ------------------------------------------------------------------------------------------------------- */

EACH(MAN017, locale_missing, NOTE, UMOD_LANGUAGES, language,
     .class   = CLASS_HYGIENE,
     .title   = "An installer with texts in a language should have System\\Manifest of that language.",
     .message = "entry {0} is in the language {1}, but there is no System\\Manifest.{1}: {2}",
     .data    = "entry language name",
     .why     = "Players of that language read Setup in English.",
     .fix     = "Add the manifest.",
     .spec    = "umod.md#6.12")
{
	const struct umod *u = c->facts;
	const struct umod_member *m = &u->members[language->first];

	if (language->first < u->n_members && !language->has_manifest)
		fail(c, AT(c, umod_entry, &m->entry, name), DEC(language->first), WORD(language->extension), TEXT(m->entry.name));
}

const struct rule *const manifest_rules[] = {
	&MAN001_rule, &MAN020_rule, &MAN025_rule, &MAN026_rule, &MAN028_rule,
	&MAN016_rule, &MAN018_rule, &MAN029_rule, &MAN015_rule, &MAN027_rule,
	&MAN002_rule, &MAN019_rule, &MAN003_rule,
	&MAN009_rule, &MAN010_rule,
	&MAN021_rule, &MAN004_rule, &MAN005_rule, &MAN006_rule, &MAN007_rule, &MAN022_rule,
	&MAN008_rule, &MAN011_rule, &MAN030_rule, &MAN023_rule,
	&MAN012_rule, &MAN013_rule, &MAN014_rule, &MAN024_rule,
	&MAN017_rule, NULL,
};

/* The rules for the manifests as texts: their lines, sections and requirements. */
#include "formats/umod/install.h"
#include "formats/umod/line_rules.h"

static struct place header_place(const struct manifest *m, uint32_t section)
{
	const struct manifest_line line = manifest_header(m, section);

	return line_place(&line, line.whole);
}

/* Where a finding about a manifest as a whole points: at its [Setup], its first line, or, if it is
 * empty, its size. */
static struct place file_place(struct check *c, const struct umod *u, enum manifest_file f,
			       uint32_t member)
{
	const struct manifest *m = &u->manifest;

	if (m->setup[f] != MANIFEST_NONE)
		return header_place(m, m->setup[f]);
	if (m->first_lines[f].number > 0)
		return line_place(&m->first_lines[f], m->first_lines[f].whole);
	return ENTRY_AT(c, &u->members[member], size);
}

DEFECT_RULE(UMD032, manifest_after_slash, WARNING, UMOD_MEMBERS, m, UMOD_IS_MANIFEST,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The name of a manifest should have \\ as separator.",
     .message = "entry {0} is a manifest with a / in its name, expected a \\: {1}",
     .data    = "entry name",
     .why     = "Setup of Unreal Tournament does not find the manifest, so it has nothing to "
                "install or to show; that of Unreal 227 finds it.",
     .fix     = "Get the installer from its author, who should rebuild it with ucc master.",
     .spec    = "umod.md#6.1")
{
	if (m->traits & PATH_SLASH)
		report_member(c, m, ENTRY_AT(c, m, name));
}

/* ---- The text -------------------------------------------------------------------------------- */

static void report_unreadable(struct check *c, const struct umod_member *m, uint32_t n_more,
			      struct arg name)
{
	const bool is_outside = m->traits & UMOD_OUTSIDE;
	const struct place place = is_outside ? bytes_place(c, m) : AT_SPAN(m->offset, m->size);

	report(c, counted(place, n_more), name,
	       either(is_outside, "is out of range: it does not end before the directory",
		      "is UTF-16 but has an odd number of bytes"));
}

static void check_text(struct check *c, const struct umod *u, uint32_t group, uint32_t member,
		       const char *name)
{
	if (u->groups[group].why == STOP_MALFORMED && member < u->n_members)
		report_unreadable(c, &u->members[member], 0, WORD(name));
}

RULE(MAN001, manifest_undecodable, ERROR, UMOD_DIRECTORY,
     .class   = CLASS_CORRUPTION,
     .explains = BIT(UMOD_MANIFEST) | BIT(UMOD_LOCALE) | BIT(UMOD_TRANSLATIONS),
     .title   = "The manifests shall be readable texts, and Manifest.ini shall have a section "
                "[Setup] with a Product.",
     .message = "{0} {1}",
     .data    = "manifest defect",
     .why     = "Setup finds nothing to install, or shows the player an empty window.",
     .fix     = "Get the file again; if it still fails, its author must save the manifest as "
                "plain text and rebuild the installer.",
     .spec    = "umod.md#6.2")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;
	const struct manifest_notes *others = &m->notes[DEFECT_UNREADABLE];

	check_text(c, u, UMOD_MANIFEST, u->manifest_member, "Manifest.ini");
	check_text(c, u, UMOD_LOCALE, u->locale_member, "Manifest.int");
	for (uint32_t i = 0; i < others->n; i++) {
		const struct umod_member *other = &u->members[others->rows[i].member];

		report_unreadable(c, other, others->rows[i].n_more, member_name(c, other));
	}
	if (u->groups[UMOD_MANIFEST].why != STOP_NOT)
		return;
	if (m->setup[MANIFEST_INI] == MANIFEST_NONE)
		report(c, file_place(c, u, MANIFEST_INI, u->manifest_member), WORD("Manifest.ini"),
		       WORD("has no [Setup] section"));
	else if (!m->has_product)
		report(c, file_place(c, u, MANIFEST_INI, u->manifest_member), WORD("Manifest.ini"),
		       WORD("has no Product in its [Setup]"));
}

EACH(MAN020, duplicate_section, WARNING, UMOD_SECTION_AGAIN, note,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A manifest should have only one section of each name.",
     .message = "section {0} is a duplicate, the first is on line {1}",
     .data    = "section first_line",
     .why     = "Some readers join the two, some take the first and some the last: players get "
                "different parts of the mod.",
     .fix     = "Ask the author to correct the installer: the two sections of the manifest should "
                "be joined.",
     .spec    = "umod.md#6.2")
{
	report_note(c, note, TEXT(note->text), DEC(note->first_number));
	relate_first(c, note, "the first section of this name");
}

EACH(MAN025, line_not_understood, NOTE, UMOD_NOT_UNDERSTOOD, note,
     .class   = CLASS_HYGIENE,
     .title   = "A manifest's line should be a comment, a section, or key=value in a section.",
     .message = "line {0} is neither a comment nor a section nor key=value in a section: {1}",
     .data    = "line text",
     .why     = "Setup ignores the line, so that what its author meant does not happen.",
     .fix     = "None is needed if the mod works. Its author should correct or remove the line.",
     .spec    = "umod.md#6.2")
{
	report_note(c, note, DEC(note->line.number), TEXT(note->line.whole));
}

DEFECT_RULE(MAN026, control_character, ERROR, UMOD_CONTROL, note, umod_control_defects,
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is not a NUL, or nothing but NULs follows up to the end of the text",
     .title   = "A manifest shall have no NUL, and should have no other control characters.",
     .message = "line {0} has a control character: {1}",
     .data    = "line text",
     .why     = "The engine's text ends at a NUL, so Setup may do something else than other "
                "readers see; other control characters are shown to the player.",
     .fix     = "Get the file again; if it still fails, its author must remove these characters "
                "from the manifest.",
     .spec    = "umod.md#6.2")
{
	report_note_as(c, !(note->kind & UMOD_CONTROL_NUL), note, DEC(note->line.number),
		       TEXT(note->line.whole));
}

static const struct defect_words various_words[] = {
	{ UMOD_BLANK_SECTION, "blanks around the section" },
	{ UMOD_BLANK_KEY, "blanks around the key" },
	{ UMOD_BLANK_NAME, "blanks around the section's name" },
	{ UMOD_QUOTED_NAME, "quotes around the section's name" },
	{ UMOD_OTHER_CASE, "the case of letters that are not ASCII" },
	{ UMOD_OTHER_SEPARATOR, "\\ or / as separator" },
};

DEFECT_RULE(MAN034, line_read_variously, WARNING, UMOD_READ_VARIOUSLY, note, umod_various_defects,
     .class   = CLASS_COMPATIBILITY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "readers differ only in quotes around a value",
     .title   = "Sections, keys and the names of sections should be written so that all readers "
                "read the same.",
     .message = "readers disagree about line {0}, by {1}: {2}",
     .data    = "line reason text",
     .why     = "Setup of Unreal Tournament takes blanks as part of a name, drops quotes and "
                "ignores the case of ASCII letters only; other readers do not. Some players do "
                "not get that part of the mod.",
     .fix     = "Ask the author to correct the manifest: it should have no blanks or quotes "
                "there, and each name in one spelling.",
     .spec    = "umod.md#6.2")
{
	report_note_as(c, note->kind & UMOD_QUOTED_NAME, note, DEC(note->line.number),
		       WORD(WORDS_FOR(note->kind, various_words)), TEXT(note->line.whole));
}

DEFECT_RULE(MAN035, text_after_section_header, ERROR, UMOD_AFTER_HEADER, note,
     umod_after_header_defects,
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the rest of the line is not key=value",
     .title   = "Nothing shall follow the first closing bracket of a line that begins with an "
                "opening one.",
     .message = "line {0} has text after the section's header: {1}",
     .data    = "line text",
     .why     = "Unreal 227 reads the text as a line of that section, other games as part of the "
                "name or not at all: the installer does different things on different games.",
     .fix     = "Do not install it before its author says what the line is for; the author must "
                "give it a line of its own.",
     .spec    = "umod.md#6.2")
{
	report_note_as(c, note->kind & UMOD_AFTER_OTHER, note, DEC(note->line.number),
		       TEXT(note->at));
}

EACH(MAN033, key_repeated, WARNING, UMOD_KEY_REPEATED, note,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A key of [Setup] or of a requirement that has only one value should not be "
                "repeated with another one.",
     .message = "{0} is repeated with another value than on line {1}: {2}",
     .data    = "key first_line value",
     .why     = "The engine takes the last value, other readers the first: they disagree about "
                "what the installer is or needs.",
     .fix     = "Ask the author to correct the installer: one of the two lines should be removed.",
     .spec    = "umod.md#6.2")
{
	report_note(c, note, TEXT(note->line.key), DEC(note->first_number), TEXT(note->line.value));
	relate_first(c, note, "the first value");
}

RULE(MAN028, locale_without_setup, NOTE, UMOD_LOCALE,
     .class   = CLASS_HYGIENE, .also = BIT(UMOD_MANIFEST),
     .title   = "Manifest.int should have a [Setup] section.",
     .message = "Manifest.int has no section [Setup]",
     .data    = "",
     .why     = "Setup shows the player the names of its keys instead of the mod's name and its "
                "texts.",
     .fix     = "None is needed to install it. Its author should add a section [Setup] with "
                "LocalProduct, ReadMe and the other texts.",
     .spec    = "umod.md#6.12")
{
	const struct umod *u = c->facts;

	if (u->manifest.setup[MANIFEST_INT] == MANIFEST_NONE)
		report_plain(c, file_place(c, u, MANIFEST_INT, u->locale_member));
}

/* ---- [Setup] --------------------------------------------------------------------------------- */

static struct text setting_text(const struct check *c, const struct manifest_line *l)
{
	const struct umod *u = c->facts;

	return manifest_text(&u->manifest, MANIFEST_INI, l->value);
}

static void judge_product(struct check *c, const struct manifest_line *l)
{
	const struct policy_product *known = l->number > 0 ? policy_product(setting_text(c, l))
							   : NULL;

	if (known && known->is_game)
		report(c, value_place(l), TEXT(l->value));
}

RULE(MAN016, product_is_game, NOTE, UMOD_MANIFEST,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A mod's Product should not be the name of a game.",
     .message = "Product is {0}, which is the name of the game itself",
     .data    = "product",
     .why     = "Setup replaces its record of the game by that of the mod, so that later "
                "installers and the uninstaller fail. Only patches of the game should do so.",
     .fix     = "None is needed for a patch of the game. The author of a mod should give it a "
                "Product of its own.",
     .spec    = "umod.md#6.3")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;

	judge_product(c, &m->product.first);
	judge_product(c, &m->product.last);
}

/* Where Setup keeps what is installed, and how often each file is used. */
static void judge_reserved(struct check *c, const struct manifest_line *l)
{
	const struct text name = setting_text(c, l);

	if (text_is(name, "Setup") || text_is(name, "RefCounts"))
		report(c, value_place(l),
		       WORD("Product is the name of a section that Setup uses itself"),
		       TEXT(l->value));
}

static void judge_master(struct check *c, const struct manifest_line *l)
{
	const struct text value = setting_text(c, l);

	if (text_is(value, "True") || text_is(value, "1"))
		report(c, value_place(l), WORD("IsMasterProduct is set, but Product is not a game"),
		       TEXT(l->value));
}

RULE(MAN044, product_reserved, WARNING, UMOD_MANIFEST,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A mod's Product should not be a section that Setup uses itself, and a mod should "
                "not be the master product.",
     .message = "{0}: {1}",
     .data    = "defect value",
     .why     = "Setup loses its list of what is installed, or its uninstaller removes the mod "
                "where the player wants to remove the game.",
     .fix     = "Ask the author to correct the installer: the mod should have a Product of its "
                "own, and no IsMasterProduct.",
     .spec    = "umod.md#6.3")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;
	const struct policy_product *known = policy_product(setting_text(c, &m->product.first));

	judge_reserved(c, &m->product.first);
	judge_reserved(c, &m->product.last);
	if (known && known->is_game)
		return;
	judge_master(c, &m->is_master.first);
	judge_master(c, &m->is_master.last);
}

static void judge_archive(struct check *c, const struct manifest_line *l)
{
	if (l->number > 0 && path_examine(setting_text(c, l)).traits & PATH_PARENT)
		report(c, value_place(l), TEXT(l->value));
}

RULE(MAN018, archive_path_escapes, NOTE, UMOD_MANIFEST,
     .class   = CLASS_HYGIENE,
     .title   = "Archive should be a file name without a component \"..\".",
     .message = "Archive has a component .., expected a plain file name: {0}",
     .data    = "archive",
     .why     = "Only the tool that built the installer reads it, so players are not harmed; it "
                "tells them the names of the author's folders.",
     .fix     = "None is needed. Its author can write a plain file name.",
     .spec    = "umod.md#6.3")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;

	judge_archive(c, &m->archive.first);
	judge_archive(c, &m->archive.last);
}

/* Setup's numbers have 32 bits and a sign. What it makes of a larger one depends on its C
 * library. */
static bool is_version(struct text t, uint64_t *number)
{
	return text_number(t, number) && *number <= INT32_MAX;
}

/* "100" and "1.0a" begin with a number other than 0, "0", "0.9" and "beta" do not. */
static bool starts_version(struct text t)
{
	uint64_t n = 0, number;

	while (n < t.ref.n_units && text_between(text_unit(t, n), '0', '9'))
		n++;
	return is_version(text_sub(t, 0, n), &number) && number != 0;
}

static void judge_version(struct check *c, const struct manifest_line *l)
{
	if (l->number > 0 && !starts_version(setting_text(c, l)))
		report(c, value_place(l),
		       WORD("the Version of [Setup] does not begin with a number from 1 to "
			    "2147483647"));
}

RULE(MAN029, setup_version_unusable, WARNING, UMOD_MANIFEST,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The Version in [Setup] should begin with a number from 1 to 2147483647.",
     .message = "{0}",
     .data    = "defect",
     .why     = "Setup refuses to install a mod without such a version.",
     .fix     = "Ask the author to correct the installer: the mod should have a Version, such as "
                "100.",
     .spec    = "umod.md#6.3")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;

	if (m->setup[MANIFEST_INI] == MANIFEST_NONE)
		return;
	if (m->version.first.number == 0)
		report(c, header_place(m, m->setup[MANIFEST_INI]), WORD("[Setup] has no Version"));
	judge_version(c, &m->version.first);
	judge_version(c, &m->version.last);
}

EACH(MAN015, text_file_missing, WARNING, UMOD_TEXT_FILE_MISSING, note,
     .class   = CLASS_HYGIENE, .also = BIT(UMOD_DIRECTORY),
     .title   = "The files that ReadMe, License and Logo name should be in the installer, as "
                "written or in System.",
     .message = "{0} refers to {1}, which is not in the installer",
     .data    = "key name",
     .why     = "Setup shows the player an empty page, or asks for consent to a licence that is "
                "not shown.",
     .fix     = "None is needed if the mod works. Its author should add the file, or remove the "
                "line.",
     .spec    = "umod.md#6.11")
{
	report_note(c, note, TEXT(note->line.key), TEXT(note->line.value));
}

EACH(MAN027, url_not_web_address, NOTE, UMOD_ODD_SCHEME, note,
     .class   = CLASS_SECURITY,
     .title   = "A URL should have the scheme http, https, ftp or mailto, or begin with the name "
                "of a host.",
     .message = "{0} is not an address with http, https, ftp, mailto or a host: {1}",
     .data    = "key url",
     .why     = "Setup passes it to Windows when the player clicks on it, and other schemes start "
                "other programs.",
     .fix     = "Do not click on the link. Its author should use a plain web address.",
     .spec    = "umod.md#6.11")
{
	report_note(c, note, TEXT(note->line.key), TEXT(note->line.value));
}

static const struct defect_words url_words[] = {
	{ UMOD_URL_PROGRAM, "names a program or a script" },
	{ UMOD_URL_PATH, "is a path" },
};

DEFECT_RULE(MAN039, url_opens_file, ERROR, UMOD_URL_FILE, note, umod_url_defects,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is a path below the folder System, and does not name a program",
     .title   = "A URL shall not be a path to a file, and not name a program, that Windows opens.",
     .message = "{0} {1}: {2}",
     .data    = "key reason url",
     .why     = "Setup passes it to Windows when the player clicks on it: what is not an address "
                "is opened as a file, and run if it is a program.",
     .fix     = "Do not install it if it leads to a program. Its author must use a plain web "
                "address.",
     .spec    = "umod.md#6.11")
{
	const char *words = WORDS_FOR(note->kind, url_words);

	report_note_as(c, note->kind & UMOD_URL_PATH, note, TEXT(note->line.key),
		       WORD(words ? words : path_danger(note->traits)), TEXT(note->line.value));
}

DEFECT_RULE(MAN040, opened_path_unsafe, ERROR, UMOD_OPENED_PATH, note, umod_opened_defects,
     .class   = CLASS_SECURITY, .sign = SIGN_PATH,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "ReadMe names a program or a script below the game's folder",
     .title   = "Exe, ReadMe, License and Logo shall name a file below the game's folder, and "
                "ReadMe no program.",
     .message = "{0} {1}: {2}",
     .data    = "key reason path",
     .why     = "Setup starts, opens or shows the file that is named, also one outside the game's "
                "folder or on another computer.",
     .fix     = "Do not install it if the path leads outside the game's folder. Its author must "
                "name a text of the mod.",
     .spec    = "umod.md#6.11")
{
	const bool is_program = note->kind & UMOD_OPENED_PROGRAM;

	report_note_as(c, is_program, note, TEXT(note->line.key),
		       WORD(is_program ? "is a program or a script" : path_danger(note->traits)),
		       TEXT(note->line.value));
}

/* ---- Sections that name one another ---------------------------------------------------------- */

EACH(MAN002, section_missing, ERROR, UMOD_SECTION_MISSING, note,
     .class   = CLASS_CORRUPTION,
     .title   = "A Group= or Requires= shall name a section of Manifest.ini.",
     .message = "{0} refers to section {1}, which Manifest.ini does not have",
     .data    = "key section",
     .why     = "Setup stops, or cannot tell what the mod requires: the player gets the mod in "
                "part or not at all.",
     .fix     = "Get the file again; if it still fails, its author must correct the name or add "
                "the section.",
     .spec    = "umod.md#6.4")
{
	report_note(c, note, TEXT(note->line.key), TEXT(note->line.value));
}

EACH(MAN043, section_name_too_long, ERROR, UMOD_NAME_LONG, note,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A Group= or Requires= shall name a section with at most 63 characters.",
     .message = "{0} has {1} {1:character|characters}, the engine's names have 63 at most: {2}",
     .data    = "key length section",
     .why     = "Setup stops, or takes another section than other readers do.",
     .fix     = "Ask the author to correct the installer: the section needs a shorter name.",
     .spec    = "umod.md#6.4")
{
	report_note(c, note, TEXT(note->line.key), DEC(note->line.value.n_units),
		    TEXT(note->line.value));
}

EACH(MAN019, group_cycle, ERROR, UMOD_GROUP_CYCLE, note,
     .class   = CLASS_CORRUPTION,
     .title   = "No group shall contain itself.",
     .message = "Group={0} leads back to the section that contains it",
     .data    = "section",
     .why     = "Setup and other tools that follow the groups may never end: the installer seems "
                "to hang.",
     .fix     = "Ask the author to correct the installer: the line must be removed.",
     .spec    = "umod.md#6.4")
{
	report_note(c, note, TEXT(note->line.value));
}

DEFECT_RULE(MAN003, group_orphaned, WARNING, UMOD_ORPHAN, note, umod_orphan_defects,
     .class   = CLASS_HYGIENE,
     .title   = "[Setup] should have a Group=, and every other section should be named by a "
                "Group=, Requires= or Shortcut=.",
     .message = "{0} {1}",
     .data    = "defect section",
     .why     = "Setup ignores a section that nothing names: its files are in the installer, but "
                "the player does not get them.",
     .fix     = "None is needed if the mod works. Its author should name the section in a Group= "
                "or Requires=, or remove it.",
     .spec    = "umod.md#6.4")
{
	report_note(c, note,
		    either(note->kind & UMOD_SETUP_NO_GROUP, "no Group= is in section",
			   "no Group= or Requires= names section"),
		    TEXT(note->text));
}

/* ---- Requirements ---------------------------------------------------------------------------- */

static struct place term_place(const struct manifest *m, const struct manifest_term *t)
{
	const struct manifest_line line = { .number = manifest_number(m, MANIFEST_INI, t->from),
					    .file = MANIFEST_INI };

	return line_place(&line, manifest_term_value(m, t).ref);
}

static void report_term(struct check *c, const struct manifest_term *t, const char *reason)
{
	const struct umod *u = c->facts;

	report(c, term_place(&u->manifest, t), WORD(reason),
	       TEXT(manifest_term_value(&u->manifest, t).ref));
}

/* NULL: there is no version, or it is a number that is not too high for Setup and the product. */
static const char *version_defect(const struct manifest *m, const struct manifest_term *version,
				  const struct manifest_term *product)
{
	const struct policy_product *known = manifest_product_of(m, product);
	uint64_t number;

	if (!version || version->n_units == 0)
		return NULL;
	if (!is_version(manifest_term_value(m, version), &number))
		return "the required Version is not a number up to 2147483647";
	if (known && known->last_version > 0 && number > known->last_version)
		return "the required Version is higher than the last patch";
	return NULL;
}

static void judge_required_product(struct check *c, const struct manifest *m,
				   const struct manifest_term *product)
{
	if (product && !manifest_product_of(m, product))
		report_term(c, product, "the required Product is not a known game");
}

EACH(MAN009, requirement_unsatisfiable, WARNING, UMOD_REQUIREMENTS, r,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A requirement should name a known product and a version that exists.",
     .message = "{0}: {1}",
     .data    = "reason value",
     .why     = "Setup refuses to install the mod on games that could run it.",
     .fix     = "Check that you have the required product and version. The author should require "
                "the product and the version that the mod needs.",
     .spec    = "umod.md#6.5")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;
	const struct manifest_term *product = r->last_product ? r->last_product : r->product;
	const struct manifest_term *version = r->last_version ? r->last_version : r->version;
	const char *first = version_defect(m, r->version, r->product),
		   *last = version_defect(m, version, product);

	if (!r->product)
		report(c, header_place(m, r->section), WORD("the requirement has no Product"),
		       TEXT(manifest_section_name(m, r->section).ref));
	judge_required_product(c, m, r->product);
	judge_required_product(c, m, r->last_product);
	if (first)
		report_term(c, r->version, first);
	if (last && !(first && version == r->version))
		report_term(c, version, last);
}

EACH(MAN010, requirement_version_empty, NOTE, UMOD_REQUIREMENTS, r,
     .class   = CLASS_HYGIENE,
     .title   = "A requirement should have a Version.",
     .message = "the requirement {0} has no Version, or an empty one",
     .data    = "section",
     .why     = "Setup accepts every version of the game, also one that is too old for the mod.",
     .fix     = "None is needed if the game is up to date. Its author can add the Version that "
                "the mod needs.",
     .spec    = "umod.md#6.5")
{
	const struct umod *u = c->facts;
	const struct manifest *m = &u->manifest;

	if (!r->version)
		report(c, header_place(m, r->section),
		       TEXT(manifest_section_name(m, r->section).ref));
	else if (r->version->n_units == 0)
		report(c, term_place(m, r->version),
		       TEXT(manifest_section_name(m, r->section).ref));
	if (r->last_version && r->last_version->n_units == 0)
		report(c, term_place(m, r->last_version),
		       TEXT(manifest_section_name(m, r->section).ref));
}

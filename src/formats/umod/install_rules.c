/* The rules for the manifests as instructions: what they say about the members, and what else they
 * do. */
#include "formats/umod/install.h"
#include "formats/umod/line_rules.h"

/* ---- Copies and members ---------------------------------------------------------------------- */

static const char *const cut_words[TUPLE_N_PATHS] = {
	[TUPLE_SRC] = "has a Src of which Setup reads only",
	[TUPLE_DEST] = "has a Dest of which Setup reads only",
	[TUPLE_REF] = "has a Ref of which Setup reads only",
};

DEFECT_RULE(MAN021, tuple_malformed, WARNING, UMOD_TUPLE_MALFORMED, note, umod_tuple_defects,
     .class   = CLASS_CORRUPTION,
     .title   = "A File= or Copy= should be a list in parentheses with one Src, with numbers for "
                "Size and Flags, and with quotes around values that have blanks.",
     .message = "{0} {1}: {2}",
     .data    = "key defect value",
     .why     = "Setup takes another name than the one that is meant, or none: the player gets "
                "the file under another name or not at all.",
     .fix     = "Ask the author to correct the line of the manifest and to rebuild the installer.",
     .spec    = "umod.md#6.6")
{
	report_note(c, note, TEXT(note->line.key),
		    either(note->kind & UMOD_PATH_CUT, cut_words[note->path_key],
			   "is not a list in parentheses with one Src, and numbers for Size and "
			   "Flags"),
		    TEXT(note->text));
}

EACH(MAN031, tuple_hides_key, ERROR, UMOD_KEY_HIDDEN, note,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "The Src, Dest and Ref that Setup finds in a File= or Copy= shall be keys of its "
                "list.",
     .message = "{0} has a {1} that Setup finds in another value of its list: {2}",
     .data    = "key hidden value",
     .why     = "Setup installs another file, or to another place, than every other reader of the "
                "line sees.",
     .fix     = "Do not install it: no tool writes such a line. Its author must write the list "
                "with its keys only.",
     .spec    = "umod.md#6.6")
{
	report_note(c, note, TEXT(note->line.key), WORD(install_key_name(note->path_key)),
		    TEXT(note->text));
}

EACH(MAN045, tuple_end_unseen, ERROR, UMOD_LIST_END, note,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "Text around the list of a File= or Copy= shall not change the Src, Dest or Ref "
                "that Setup finds.",
     .message = "{0} has text around its list, with which Setup reads {1} as {2}",
     .data    = "key path value",
     .why     = "Setup of Unreal Tournament takes a parenthesis that a blank follows for a part "
                "of the path: it installs another file, or to another place, than other readers "
                "see.",
     .fix     = "Ask the author to correct the installer: nothing may stand before or after the "
                "list.",
     .spec    = "umod.md#6.6")
{
	report_note(c, note, TEXT(note->line.key), WORD(install_key_name(note->path_key)),
		    TEXT(note->at));
}

EACH(MAN004, member_missing, ERROR, UMOD_MEMBER_MISSING, note,
     .class   = CLASS_CORRUPTION, .also = BIT(UMOD_DIRECTORY),
     .title   = "The file that a File= or Copy= names shall be in the installer.",
     .message = "{0} refers to {1}, which is not in the installer",
     .data    = "key src",
     .why     = "Setup stops in the middle, with half of the mod installed.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it with the file, "
                "or remove the line.",
     .spec    = "umod.md#6.6")
{
	report_note(c, note, TEXT(note->line.key), TEXT(note->at));
}

DEFECT_RULE(MAN047, member_not_unpacked, ERROR, UMOD_NOT_UNPACKED, note, umod_unpacked_defects,
     .class   = CLASS_CORRUPTION, .also = BIT(UMOD_DIRECTORY),
     .title   = "A member from which Setup makes another file shall be a patch, or a download "
                "with the signature 5678.",
     .message = "{1} {0}",
     .data    = "defect src",
     .why     = "Setup stops in the middle, and leaves an empty file in place of the one that it "
                "should make.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it with the file "
                "as it is to be installed.",
     .spec    = "umod.md#6.7")
{
	report_note(c, note,
		    either(note->kind & UMOD_NO_PATCH, "is not a patch, but the line has a Ref",
			   "is to be decompressed, but does not begin with the signature 5678"),
		    TEXT(note->at));
}

DEFECT_RULE(MAN005, listed_size_mismatch, ERROR, UMOD_SIZE, note, umod_size_defects,
     .class   = CLASS_CORRUPTION, .also = BIT(UMOD_DIRECTORY),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the member is Manifest.ini itself and smaller than its Size; a larger one is "
                    "normal and is not reported",
     .title   = "The Size of a File= or Copy= shall be the member's size in the directory.",
     .message = "Size is {0}, the directory says {1}: {2}",
     .data    = "size actual_size name",
     .why     = "The member is not the file that its author packed, or it was changed afterwards: "
                "the player gets another file.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it with ucc "
                "master.",
     .spec    = "umod.md#6.7")
{
	const struct umod *u = c->facts;
	const struct umod_member *m = &u->members[note->member];

	report_note_as(c, note->kind & UMOD_SIZE_OF_ITSELF, note, SIZE(note->number), SIZE(m->size),
		       member_name(c, m));
}

EACH(MAN006, listed_flags_mismatch, WARNING, UMOD_FLAGS, note,
     .class   = CLASS_CORRUPTION, .also = BIT(UMOD_DIRECTORY),
     .title   = "The Flags of a File= or Copy= should be the member's flags in the directory; "
                "without Flags they are 0.",
     .message = "Flags are {0}, the directory says {1}: {2}",
     .data    = "flags actual_flags name",
     .why     = "Setup and extractors disagree about whether the member is installed.",
     .fix     = "Ask the author to rebuild the installer with ucc master, which writes the same "
                "flags in both places.",
     .spec    = "umod.md#6.7")
{
	const struct umod *u = c->facts;
	const struct umod_member *m = &u->members[note->member];

	report_note(c, note, DEC(note->number), DEC(m->flags), member_name(c, m));
}

EACH(MAN007, member_unlisted, WARNING, UMOD_MEMBERS, m,
     .class   = CLASS_HYGIENE, .also = BIT(UMOD_MANIFEST),
     .title   = "Every member should be named by a File= or Copy= line.",
     .message = "no File= or Copy= names entry {0}: {1}",
     .data    = "entry name",
     .why     = "Setup does not install the member; only extractors see it. The line may have "
                "been forgotten.",
     .fix     = "None is needed if the mod works. Its author should list the file in the "
                "manifest, or leave it out.",
     .spec    = "umod.md#6.6")
{
	const struct umod *u = c->facts;

	if (u->manifest.listed_by[m - u->members] == MANIFEST_NONE &&
	    !(m->traits & UMOD_NAME_REPEATED))
		report_member(c, m, ENTRY_AT(c, m, name));
}

DEFECT_RULE(MAN036, member_is_patch, UNDETERMINED, UMOD_MEMBERS, m, UMOD_IS_PATCH,
     .class   = CLASS_COMPATIBILITY, .also = BIT(UMOD_MANIFEST),
     .title   = "A member should be the file that is installed, not a patch of another file.",
     .message = "entry {0} is a patch, the file that Setup makes with it is not judged: {1}",
     .data    = "entry name",
     .why     = "What the player gets depends on a file that is not in the installer, so a broken "
                "or harmful package cannot be ruled out.",
     .fix     = "None is needed if the installer updates an older version of the mod. Otherwise "
                "its author should pack the whole file.",
     .spec    = "umod.md#6.7")
{
	report_member(c, m, ENTRY_AT(c, m, name));
}

EACH(MAN022, member_listing_repeated, WARNING, UMOD_RELISTED, note,
     .class   = CLASS_HYGIENE, .also = BIT(UMOD_DIRECTORY),
     .title   = "A member should be named by one File= or Copy= only.",
     .message = "{0} is listed again, the first time on line {1}",
     .data    = "src first_line",
     .why     = "Setup installs the file for both lines; a player who leaves out one of the "
                "groups still gets it.",
     .fix     = "None is needed if the mod works. Its author should remove one of the lines.",
     .spec    = "umod.md#6.6")
{
	report_note(c, note, TEXT(note->at), DEC(note->first_number));
	relate_first(c, note, "the first line that names the member");
}

/* ---- Where things are installed -------------------------------------------------------------- */

EACH(MAN008, manifest_overwrites_game, WARNING, UMOD_TO_MANIFEST, note,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "A manifest should be copied with Flags=3 only.",
     .message = "{0} installs a manifest into the game without Flags=3: {1}",
     .data    = "key value",
     .why     = "It replaces the game's own manifest: later installers and the uninstaller no "
                "longer know what is installed.",
     .fix     = "Back up the game's System\\Manifest.ini and Manifest.int first. The author "
                "should give the line Flags=3.",
     .spec    = "umod.md#6.8")
{
	report_note(c, note, TEXT(note->line.key), TEXT(note->line.value));
}

EACH(MAN011, dest_unsafe, ERROR, UMOD_DEST_UNSAFE, note,
     .class   = CLASS_SECURITY, .sign = SIGN_PATH,
     .title   = "A Dest or Ref shall be a relative path that stays below the game's folder.",
     .message = "{2} {0}: {1}",
     .data    = "danger dest key",
     .why     = "Setup writes to this path without a check, also outside the game's folder (path "
                "traversal, CVE-2004-1958).",
     .fix     = "Do not install it; no mod needs such a path. Its author must write a path below "
                "the game's folder.",
     .spec    = "umod.md#6.9")
{
	report_note(c, note, WORD(path_danger(note->traits)), TEXT(note->at),
		    WORD(install_key_name(note->path_key)));
}

EACH(MAN046, path_too_long, ERROR, UMOD_TOO_LONG, note,
     .class   = CLASS_SECURITY,
     .title   = "A Dest, a Folder and the file of an Ini=, AddIni= or SaveIni= shall have at most "
                "240 characters.",
     .message = "{0} has a path of {1} {1:character|characters}, at most 240 are allowed: {2}",
     .data    = "key length path",
     .why     = "Setup copies the path, after that of the game, into 256 characters on its stack: "
                "it crashes, or runs code that the path contains.",
     .fix     = "Do not install it; no mod needs such a path. Its author must shorten the path.",
     .spec    = "umod.md#6.9")
{
	report_note(c, note, TEXT(note->line.key), DEC(note->number), TEXT(note->at));
}

static const char *dest_defect(uint32_t traits)
{
	if (traits & MANIFEST_BECOMES_PROGRAM)
		return "is a program or a script, but Src is not";
	if (traits & PATH_DECEPTIVE)
		return "has an invisible or reordering character, or half of a surrogate pair";
	return path_defect(traits & MANIFEST_DEST_UNSOUND);
}

EACH(MAN030, dest_unsound, WARNING, UMOD_DEST_UNSOUND, note,
     .class   = CLASS_SECURITY,
     .title   = "A Dest should be as sound as a member's name, and should be that of a program "
                "only if its Src is.",
     .message = "Dest {0}: {1}",
     .data    = "defect dest",
     .why     = "The player gets a file under another name, or of another kind, than the "
                "directory shows.",
     .fix     = "Check the file before you open it. Its author should give the member the name "
                "under which it is installed.",
     .spec    = "umod.md#6.9")
{
	report_note(c, note, WORD(dest_defect(note->traits)), TEXT(note->at));
}

EACH(MAN023, dest_shared, WARNING, UMOD_DEST_SHARED, note,
     .class   = CLASS_HYGIENE,
     .title   = "Two different members should not be installed to the same path.",
     .message = "{0} is installed to the same path as {2}, on line {1}",
     .data    = "src first_line first_src",
     .why     = "Only one of the two files stays, and which one depends on the order of the "
                "groups.",
     .fix     = "Ask the author to correct the installer: one of the two files needs another Dest.",
     .spec    = "umod.md#6.9")
{
	report_note(c, note, TEXT(note->text), DEC(note->first_number), TEXT(note->first_src));
	relate_first(c, note, "the other line with this path");
}

/* ---- Actions --------------------------------------------------------------------------------- */

static const struct defect_words danger_words[] = {
	{ UMOD_DELETES_FILE, " deletes a file" },
	{ UMOD_WRITES_REGISTRY, " writes the registry" },
	{ UMOD_MAKES_SHORTCUT, " makes a shortcut" },
	{ UMOD_OUTSIDE_SYSTEM, " changes a file outside System" },
	{ UMOD_CHANGES_RECORD, " changes the game's record of what is installed" },
	{ UMOD_CHANGES_CORE, " changes a setting of Core" },
	{ UMOD_STARTS_PROGRAM, " starts a program" },
	{ UMOD_CHOOSES_FOLDER, " chooses the folder of the game" },
};

DEFECT_RULE(MAN012, action_dangerous, WARNING, UMOD_ACTION_DANGEROUS, note, umod_danger_defects,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "An installer should not delete files, write the registry, make shortcuts, start "
                "programs, choose the game's folder, or "
		"change settings outside System or of Core.",
     .message = "{0}{1}: {2}",
     .data    = "key reason value",
     .why     = "It changes the player's game or computer in more than the mod's own files, and "
                "the uninstaller may not undo it.",
     .fix     = "Install it only if you trust its author. An author should leave out the line "
                "unless the mod needs it.",
     .spec    = "umod.md#6.10")
{
	report_note(c, note, TEXT(note->line.key), WORD(WORDS_FOR(note->kind, danger_words)),
		    TEXT(note->line.value));
}

EACH(MAN013, ini_value_malformed, WARNING, UMOD_INI_MALFORMED, note,
     .class   = CLASS_CORRUPTION,
     .title   = "Ini= and AddIni= should name a section and a key.",
     .message = "{0} has an empty section or key: {1}",
     .data    = "key value",
     .why     = "Setup writes a setting that no game reads: that part of the mod does not work.",
     .fix     = "Ask the author to correct the line: it needs the form "
                "<file>,<section>.<key>=<value>.",
     .spec    = "umod.md#6.10")
{
	report_note(c, note, TEXT(note->line.key), TEXT(note->line.value));
}

EACH(MAN014, server_package_missing, WARNING, UMOD_PACKAGE_MISSING, note,
     .class   = CLASS_CORRUPTION, .also = BIT(UMOD_DIRECTORY),
     .title   = "A package that is added to ServerPackages should be in the installer.",
     .message = "{0} adds {1} to ServerPackages, but the installer has no such package",
     .data    = "key package",
     .why     = "The server does not start, because it looks for every package of this list.",
     .fix     = "Remove the package from ServerPackages if your server does not start. Its author "
                "should add the package, or remove the line.",
     .spec    = "umod.md#6.10")
{
	report_note(c, note, TEXT(note->line.key), TEXT(note->text));
}

DEFECT_RULE(MAN024, action_path_unsafe, ERROR, UMOD_ACTION_UNSAFE, note, umod_action_defects,
     .class   = CLASS_SECURITY, .sign = SIGN_PATH,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the key is RemovePath, whose value is a search path and may begin with \"..\"",
     .title   = "The file or folder of an action shall be a relative path that stays below the "
                "game's folder.",
     .message = "{0} {1}: {2}",
     .data    = "key danger path",
     .why     = "Setup deletes, moves or changes this file without a check, also outside the "
                "game's folder (path traversal, CVE-2004-1958).",
     .fix     = "Do not install it; no mod needs such a path. Its author must write a path below "
                "the game's folder.",
     .spec    = "umod.md#6.10")
{
	report_note_as(c, note->kind & UMOD_SEARCH_PATH, note, TEXT(note->line.key),
		       WORD(path_danger(note->traits)), TEXT(note->text));
}

EACH(MAN038, library_loaded, ERROR, UMOD_LIBRARY_LOADED, note,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "An installer shall not have a DirectXHook= line.",
     .message = "{0} has a library that Setup loads and runs: {1}",
     .data    = "key library",
     .why     = "Setup runs the code in this file, whatever its extension, also from another "
                "computer.",
     .fix     = "Do not install it: only the CD of a game needs this line. Its author must remove "
                "it.",
     .spec    = "umod.md#6.10")
{
	report_note(c, note, TEXT(note->line.key), TEXT(note->line.value));
}

static const struct defect_words target_words[] = {
	{ UMOD_TARGET_UNKNOWN, "rewrites a file whose name a placeholder decides" },
	{ UMOD_TARGET_PROGRAM, "rewrites a program or a package" },
	{ UMOD_TARGET_OTHER, "changes a file that is not one of settings" },
};

DEFECT_RULE(MAN041, ini_not_settings, ERROR, UMOD_INI_NOT_SETTINGS, note, umod_target_defects,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the file is neither a program nor of a format that is checked, or the engine "
                    "adds \".ini\" to its name",
     .title   = "The file of an Ini=, AddIni=, SaveIni= or similar line shall be a file of "
                "settings.",
     .message = "{0} {1}: {2}",
     .data    = "key reason file",
     .why     = "The engine rewrites the file as settings: a package is destroyed, a script gets "
                "lines from the installer, and every other file loses what is not a setting.",
     .fix     = "Do not install it if the file is a program or a package. Its author must name an "
                "ini file.",
     .spec    = "umod.md#6.10")
{
	report_note_as(c, note->kind & UMOD_TARGET_OTHER, note, TEXT(note->line.key),
		       WORD(WORDS_FOR(note->kind, target_words)), TEXT(note->text));
}

static const char *const form_words[MANIFEST_N_KEYS] = {
	[KEY_INI] = "<file>,<section>.<key>=<value>",
	[KEY_ADD_INI] = "<file>,<section>.<key>=<value>",
	[KEY_SAVE_INI] = "<file>,<section>.<key>",
	[KEY_WIN_REGISTRY] = "<root>\\<path>\\<name>=<value> with a root that Setup knows",
};

EACH(MAN042, action_stops_setup, ERROR, UMOD_ACTION_STOPS, note,
     .class   = CLASS_CORRUPTION,
     .title   = "Ini=, AddIni=, SaveIni= and WinRegistry= shall have all the parts that Setup "
                "looks for.",
     .message = "{0} does not have the form {1}: {2}",
     .data    = "key form value",
     .why     = "Setup stops in the middle, with half of the mod installed.",
     .fix     = "Get the file again; if it still fails, its author must correct the line of the "
                "manifest.",
     .spec    = "umod.md#6.10")
{
	report_note(c, note, TEXT(note->line.key), WORD(form_words[note->line.key_id]),
		    TEXT(note->line.value));
}

DEFECT_RULE(MAN032, placeholder_in_path, ERROR, UMOD_PLACEHOLDER, note, umod_placeholder_defects,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it stands in the name of a setting, or the key is RemovePath",
     .title   = "No File=, Copy= or path of an action shall have a placeholder that Setup "
                "replaces by text that can change the path.",
     .message = "{0} has the placeholder {1}, which Setup replaces by another text: {2}",
     .data    = "key placeholder value",
     .why     = "Setup does something else than the line says, and may write outside the game's "
                "folder; whoever reads the line cannot see it.",
     .fix     = "Do not install it before its author says what the placeholder is for; the author "
                "must write the path without one.",
     .spec    = "umod.md#6.13")
{
	report_note_as(c, !(note->kind & UMOD_PLACEHOLDER_IN_PATH), note, TEXT(note->line.key),
		       TEXT(note->at), TEXT(note->line.value));
}

EACH(MAN037, placeholder_unknown, UNDETERMINED, UMOD_PLACEHOLDER_UNKNOWN, note,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .title   = "No File=, Copy= or path of an action should have a placeholder that a manifest "
                "of another language may define.",
     .message = "{0} has the placeholder {1}, which a manifest of another language may define: {2}",
     .data    = "key placeholder value",
     .why     = "These manifests are not searched for the key: for players with that language "
                "Setup may write to another path.",
     .fix     = "Ask the author for an installer without the placeholder; the author should write "
                "the path without percent signs.",
     .spec    = "umod.md#6.13")
{
	report_note(c, note, TEXT(note->line.key), TEXT(note->at), TEXT(note->line.value));
}

/* ---- Languages ------------------------------------------------------------------------------- */

EACH(MAN017, locale_missing, NOTE, UMOD_LANGUAGES, language,
     .class   = CLASS_HYGIENE,
     .title   = "An installer with files in a language should have a System\\Manifest of that "
                "language.",
     .message = "entry {0} is in the language {1}, but there is no System\\Manifest.{1}: {2}",
     .data    = "entry language name",
     .why     = "Players with that language see Setup in English.",
     .fix     = "None is needed to install it. Its author can add the manifest.",
     .spec    = "umod.md#6.12")
{
	const struct umod *u = c->facts;
	const struct umod_member *m = &u->members[language->first];

	if (language->first < u->n_members && !language->has_manifest)
		report(c, ENTRY_AT(c, m, name), DEC(language->first), WORD(language->extension),
		       member_name(c, m));
}

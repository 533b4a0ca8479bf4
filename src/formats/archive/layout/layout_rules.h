/* The rules for how the files of an archive lie: one text for all formats of archives.
 *
 * A *_rules.c includes it after it has defined
 *
 *     LAYOUT_ID(LAY010)          the rule's symbol: LAY010, or LAY010_tar (RULE_AGAIN)
 *     LAYOUT_AGAIN(LAY040, files) that of a further body: LAY040_files, or LAY040_files_tar
 *     LAYOUT_TREE                the table of what is told of names (struct lay_row)
 *     LAYOUT_MEMBERS             the table of members
 *     LAYOUT_CONTENT             the group that has the first bytes of members
 *     LAYOUT_MEMBERS_OF(c)       the struct members of the facts
 *     LAYOUT_PLACE(c, m)         where a member is listed
 *
 * and, for zips, of which alone sites read files,
 *
 *     LAYOUT_FILES               the table of what is told of the files that a site reads
 *     LAYOUT_PAYLOADS            that of the bytes of members
 *
 * and, for what is no archive,
 *
 *     LAYOUT_NAME                what it is called in messages
 *     LAYOUT_WHOLE(c)            the place of it as a whole */
#include "formats/archive/layout/layout.h"
#include "rule/finding.h"

#ifndef LAYOUT_NAME
#define LAYOUT_NAME "the archive"
#define LAYOUT_WHOLE(c) AT_SPAN(0, (c)->source->io.size)
#endif

/* DEFECT_RULE for arguments that are macros themselves. */
#define LAYOUT_RULE(ID, NAME, SEVERITY, TABLE, ...) \
	DEFECT_RULE(ID, NAME, SEVERITY, TABLE, __VA_ARGS__)

/* What rules are asked of. An archive in another is not what a site or a game gets. */
#define ASKED_FOR(upload) .uploads = BIT(upload)
#define ASKED_OF_ALL .uploads = BIT(N_UPLOADS) - 1 - BIT(UPLOAD_INSIDE)

static const struct arc_member *member_of(const struct check *c, const struct lay_row *r)
{
	return &LAYOUT_MEMBERS_OF(c)->rows[r->member];
}

static struct place row_place(struct check *c, const struct lay_row *r)
{
	return r->member == LAY_NONE ? LAYOUT_WHOLE(c) : LAYOUT_PLACE(c, member_of(c, r));
}

static struct arg row_name(const struct check *c, const struct lay_row *r)
{
	return r->member == LAY_NONE ? WORD(LAYOUT_NAME) : TEXT_OF(member_of(c, r)->name);
}

static struct arg row_value(const struct lay_row *r)
{
	switch (r->kind) {
	case LAY_NUMBER:
		return DEC(r->value.number);
	case LAY_SIZE:
		return SIZE(r->value.number);
	case LAY_HEX:
		return HEX(r->value.number);
	case LAY_TEXT:
		return TEXT_OF(*r->value.text);
	default:
		return WORD(r->value.word);
	}
}

static void relate_row(struct check *c, const struct lay_row *r, const char *words)
{
	if (r->relative != LAY_NONE)
		relate(c, LAYOUT_PLACE(c, &LAYOUT_MEMBERS_OF(c)->rows[r->relative]), words);
}

/* A container is told wherever it lies. */
LAYOUT_RULE(LAYOUT_ID(LAY051), data_without_container, UNDETERMINED, LAYOUT_TREE, r, LAY_DATA_ALONE,
	    .class = CLASS_COMPATIBILITY, .uploads = BIT(N_UPLOADS) - 1,
	    .title = "A .ucas should have its .utoc beside it.",
	    .message = "{0} has no .utoc beside it, with which it is judged", .data = "name",
	    .why = "The game finds what is in it by the .utoc, and without one it loads nothing of "
		   "it. Nothing in it was checked.",
	    .fix = "Players: look for the .utoc in the same download. Authors: publish all files "
		   "that the packer made.",
	    .spec = "layout.md#2.9")
{
	report(c, row_place(c, r), row_name(c, r));
}

LAYOUT_RULE(LAYOUT_ID(LAY052), archive_of_other_game, WARNING, LAYOUT_TREE, r, LAY_OTHER_GAME,
	    .class = CLASS_COMPATIBILITY, .flags = RULE_HEURISTIC,
	    .uploads = BIT(UPLOAD_UT99) | BIT(UPLOAD_UT2004) | BIT(UPLOAD_UE4_MODS),
	    .title = "An archive should have files for the game that it is checked for.",
	    .message =
		    "the files are for games of {0}, and none is for those of the layout that was "
		    "asked for",
	    .data = "games",
	    .why = "The game that the layout is of loads nothing of it: the mod is for another "
		   "game, or another layout was meant.",
	    .fix = "Players: see which game the mod is for. Authors: name the layout of its game.",
	    .spec = "layout.md#2.10")
{
	report(c, row_place(c, r), row_value(r));
}

/* ---- Whatever it is for ---------------------------------------------------------------------- */

LAYOUT_RULE(LAYOUT_ID(LAY001), archive_without_mod, WARNING, LAYOUT_TREE, r, LAY_NOTHING,
	    .class = CLASS_HYGIENE, .flags = RULE_HEURISTIC, ASKED_OF_ALL,
	    .title = "An archive should have a file in it that a game has a use for.",
	    .message = "none of {0} {0:file|files} is one that a game loads or installs",
	    .data = "files",
	    .why = "There is nothing in it to play with. Most often another file was uploaded, as "
		   "the pictures or the sources of a mod.",
	    .fix = "Players: look for another file of the mod. Authors: upload the mod itself.",
	    .spec = "layout.md#2.1")
{
	report(c, row_place(c, r), DEC(LAYOUT_MEMBERS_OF(c)->n_files));
}

LAYOUT_RULE(
	LAYOUT_ID(LAY002), archive_in_one_folder, NOTE, LAYOUT_TREE, r, LAY_TOP_FOLDER,
	.class = CLASS_HYGIENE, .flags = RULE_HEURISTIC, ASKED_OF_ALL,
	.title = "An archive should begin with the folders of the game, not with one around them.",
	.message = "everything is in the folder {0}, which is none of a game", .data = "folder",
	.why = "Managers leave such a folder out; who unpacks by hand puts the files a folder too "
	       "deep, where the game does not look for them.",
	.fix = "Players: unpack what is in the folder. Authors: pack what is in it.",
	.spec = "layout.md#2.2")
{
	report(c, row_place(c, r), row_value(r));
}

LAYOUT_RULE(LAYOUT_ID(LAY010), archive_clutter, NOTE, LAYOUT_TREE, r, LAY_CLUTTER,
	    .class = CLASS_HYGIENE, ASKED_OF_ALL,
	    .title = "An archive should have nothing in it that a system keeps for itself.",
	    .message = "{0} is what a system keeps for itself", .data = "name",
	    .why = "It is of no use to anybody, and ._X.u looks like a package without being one.",
	    .fix = "Players: delete it. Authors: leave it out, as zip -x does, or pack on another "
		   "system.",
	    .spec = "layout.md#2.3")
{
	report(c, row_place(c, r), row_name(c, r));
}

LAYOUT_RULE(
	LAYOUT_ID(LAY011), archive_workshop, WARNING, LAYOUT_TREE, r, LAY_WORKSHOP,
	.class = CLASS_HYGIENE, ASKED_OF_ALL,
	.title = "An archive should have nothing in it of the folders that its author works with.",
	.message = "{0} belongs to the author's tools and not to the mod", .data = "name",
	.why = "Such folders are large, and tell what was not meant to be told: the history of "
	       "all files, paths and names of users.",
	.fix = "Players: nothing needs to be done. Authors: upload the archive again without the "
	       "folder.",
	.spec = "layout.md#2.4")
{
	report(c, row_place(c, r), row_name(c, r));
}

LAYOUT_RULE(LAYOUT_ID(LAY012), archive_leftover, NOTE, LAYOUT_TREE, r, LAY_LEFTOVER,
	    .class = CLASS_HYGIENE, .flags = RULE_HEURISTIC, ASKED_OF_ALL,
	    .title = "An archive should have no logs, dumps and backups in it.",
	    .message = "{0} is a log, a dump or a backup by its name", .data = "name",
	    .why = "No game loads it, and it may tell of its author's computer.",
	    .fix = "Players: delete it. Authors: leave it out.", .spec = "layout.md#2.5")
{
	report(c, row_place(c, r), row_name(c, r));
}

LAYOUT_RULE(
	LAYOUT_ID(LAY013), archive_replaces_settings, WARNING, LAYOUT_TREE, r, LAY_SETTINGS,
	.class = CLASS_COMPATIBILITY, ASKED_OF_ALL,
	.title =
		"An archive should not have a game's own settings where they replace the player's.",
	.message = "the player's settings of the game are replaced by {0}", .data = "name",
	.why = "Whoever unpacks it into the game loses what keys, name and picture were set to, "
	       "and other mods that are entered there.",
	.fix = "Players: keep a copy of the file that you have. Authors: give the mod an .ini of "
	       "its own, or say which lines to add.",
	.spec = "layout.md#2.6")
{
	report(c, row_place(c, r), row_name(c, r));
}

LAYOUT_RULE(
	LAYOUT_ID(LAY014), archive_of_cache, WARNING, LAYOUT_TREE, r, LAY_CACHE,
	.class = CLASS_HYGIENE, ASKED_OF_ALL,
	.title = "An archive should have packages in it, not a game's cache of downloads.",
	.message = "{0} is out of a game's cache of downloads", .data = "name",
	.why = "The files there have numbers for names: no game finds them by what they are.",
	.fix = "Players: move them to the cache of your game, if you trust where they are from. "
	       "Authors: pack the packages under their own names.",
	.spec = "layout.md#2.7")
{
	report(c, row_place(c, r), row_name(c, r));
}

LAYOUT_RULE(
	LAYOUT_ID(LAY015), package_and_download, NOTE, LAYOUT_TREE, r, LAY_PACKED_TOO,
	.class = CLASS_HYGIENE, ASKED_OF_ALL,
	.title = "An archive should not have a package and its download both.",
	.message = "{0} is a download, and the package that it has in it is there, too",
	.data = "name",
	.why = "A player needs the package, a server that others download from needs the other.",
	.fix = "Players: leave the downloads out. Authors: pack them as an archive of their own, "
	       "for those who run servers.",
	.spec = "layout.md#2.8")
{
	report(c, row_place(c, r), row_name(c, r));
	relate_row(c, r, "the package");
}

/* ---- Thunderstore ---------------------------------------------------------------------------- */

LAYOUT_RULE(
	LAYOUT_ID(LAY003), site_file_misplaced, WARNING, LAYOUT_TREE, r, LAY_MISPLACED,
	.class = CLASS_COMPATIBILITY, ASKED_FOR(UPLOAD_THUNDERSTORE),
	.title = "The files that Thunderstore reads should be at the root, by their very names.",
	.message = "{0} may be meant for {1}, which Thunderstore looks for at the root",
	.data = "name expected",
	.why = "Thunderstore looks them up byte for byte, and says that the file is missing.",
	.fix = "Players: nothing needs to be done. Authors: rename the file, or pack what is in "
	       "the folder and not the folder.",
	.spec = "layout.md#3.1")
{
	report(c, row_place(c, r), row_name(c, r), row_value(r));
}

#define THUNDERSTORE_REFUSES(SYMBOL, TABLE, ROW, DEFECTS) \
	LAYOUT_RULE(SYMBOL, thunderstore_refuses, ERROR, TABLE, ROW, DEFECTS, \
		    .class = CLASS_COMPATIBILITY, ASKED_FOR(UPLOAD_THUNDERSTORE), \
		    .title = "An archive for Thunderstore shall be one that the site takes.", \
		    .message = "{0} {1}: {2}", .data = "name requirement found", \
		    .why = "Thunderstore refuses the upload.", \
		    .fix = "Players: nothing needs to be done. Authors: change what is named, " \
			   "and pack " \
			   "the archive again.", \
		    .spec = "layout.md#3.2")

THUNDERSTORE_REFUSES(LAYOUT_ID(LAY040), LAYOUT_TREE, r, LAY_SITE_REFUSES)
{
	report(c, row_place(c, r), row_name(c, r), WORD(r->words), row_value(r));
	relate_row(c, r, "the other one");
}

#if defined(LAYOUT_FILES)

THUNDERSTORE_REFUSES(LAYOUT_AGAIN(LAY040, files), LAYOUT_FILES, r, LAY_FILE_REFUSED)
{
	report(c, row_place(c, r), row_name(c, r), WORD(r->words), row_value(r));
}

#if defined(LAYOUT_PAYLOADS)

THUNDERSTORE_REFUSES(LAYOUT_AGAIN(LAY040, payload), LAYOUT_PAYLOADS, m,
		     ARC_WRONG_SUM | ARC_TOO_LONG | ARC_TOO_SHORT | ARC_BROKEN)
{
	const bool is_sum = m->payload & ARC_WRONG_SUM;

	report(c, LAYOUT_PLACE(c, m), TEXT_OF(m->name),
	       either(is_sum, "should have the checksum that the archive says",
		      "should decompress to as many bytes as the archive says"),
	       is_sum ? HEX(m->crc) : SIZE(m->size));
}

#endif

LAYOUT_RULE(
	LAYOUT_ID(LAY041), thunderstore_manifest_invalid, ERROR, LAYOUT_FILES, r, LAY_MANIFEST,
	.class = CLASS_COMPATIBILITY, ASKED_FOR(UPLOAD_THUNDERSTORE),
	.title =
		"The manifest.json of a package for Thunderstore shall be one that the site takes.",
	.message = "manifest.json: {0} {1}: {2}", .data = "field requirement found",
	.why = "Thunderstore refuses the upload.",
	.fix = "Players: nothing needs to be done. Authors: change the manifest as the message "
	       "says.",
	.spec = "layout.md#3.3")
{
	report(c, row_place(c, r), WORD(r->field), WORD(r->words), row_value(r));
}

#endif

LAYOUT_RULE(
	LAYOUT_ID(LAY042), file_not_installed, WARNING, LAYOUT_TREE, r, LAY_OUTSIDE,
	.class = CLASS_COMPATIBILITY, .flags = RULE_HEURISTIC, ASKED_FOR(UPLOAD_THUNDERSTORE),
	.title = "What a game loads should be in the folders mod, pak and cfg of a package.",
	.message = "{0} is outside of the folders mod, pak and cfg", .data = "name",
	.why = "Managers install these folders each to its place, and take what is elsewhere "
	       "for a script.",
	.fix = "Players: nothing needs to be done. Authors: move the file to the folder that it "
	       "belongs in.",
	.spec = "layout.md#3.4")
{
	report(c, row_place(c, r), row_name(c, r));
}

/* ---- Nexus Mods ------------------------------------------------------------------------------ */

#define NEXUS_REFUSES \
	.class = CLASS_COMPATIBILITY, ASKED_FOR(UPLOAD_NEXUS), \
	.title = "An archive for Nexus Mods shall have no archives in it, and no password.", \
	.message = "{0} is {1}", .data = "name what", \
	.why = "Nexus Mods quarantines or refuses the upload.", \
	.fix = "Players: nothing needs to be done. Authors: pack the files of the inner " \
	       "archive into the outer one, without a password.", \
	.spec = "layout.md#4.1"

/* EACH for arguments that are macros themselves. */
#define LAYOUT_EACH(ID, NAME, SEVERITY, TABLE, ...) EACH(ID, NAME, SEVERITY, TABLE, __VA_ARGS__)

LAYOUT_EACH(LAYOUT_ID(LAY043), nexus_refuses, ERROR, LAYOUT_MEMBERS, m, NEXUS_REFUSES)
{
	if (m->traits & ARC_ENCRYPTED)
		report(c, LAYOUT_PLACE(c, m), TEXT_OF(m->name), WORD("encrypted"));
}

LAYOUT_RULE(LAYOUT_AGAIN(LAY043, archives), nexus_refuses, ERROR, LAYOUT_MEMBERS, m, ARC_ARCHIVE,
	    NEXUS_REFUSES, .also = BIT(LAYOUT_CONTENT))
{
	report(c, LAYOUT_PLACE(c, m), TEXT_OF(m->name), WORD("an archive itself"));
}

LAYOUT_RULE(LAYOUT_ID(LAY044), installer_without_script, WARNING, LAYOUT_TREE, r, LAY_NO_INSTALLER,
	    .class = CLASS_COMPATIBILITY, ASKED_FOR(UPLOAD_NEXUS),
	    .title = "A folder fomod should have a ModuleConfig.xml in it.",
	    .message = "{0} is in a folder fomod that has no ModuleConfig.xml", .data = "name",
	    .why = "Managers take the archive for one with an installer of its own, and find none.",
	    .fix = "Players: unpack the archive by hand. Authors: add the file, or leave out the "
		   "folder.",
	    .spec = "layout.md#4.2")
{
	report(c, row_place(c, r), row_name(c, r));
}

/* ---- mod.io ---------------------------------------------------------------------------------- */

LAYOUT_RULE(
	LAYOUT_ID(LAY045), modio_paks, ERROR, LAYOUT_TREE, r, LAY_PAKS,
	.class = CLASS_COMPATIBILITY, ASKED_FOR(UPLOAD_MODIO), .lesser = SEVERITY_WARNING,
	.lesser_when = "there are several, of which the first is used",
	.title = "An archive for mod.io shall have one file that ends in .pak.",
	.message = "{0} {0:file ends|files end} in .pak, {1}", .data = "files what",
	.why = "The manager mint installs the first in the list and leaves out the others; without "
	       "one it fails.",
	.fix = "Players: unpack the one that you want. Authors: upload each variant as an archive "
	       "of its own.",
	.spec = "layout.md#5.1")
{
	report_as(c, r->value.number > 0, row_place(c, r), row_value(r),
		  either(r->value.number > 0, "and this one alone is installed",
			 "and one is expected"));
}

/* ---- Games of UE1 and UE2 -------------------------------------------------------------------- */

#define ASKED_FOR_UE1 .uploads = BIT(UPLOAD_UT99) | BIT(UPLOAD_UT2004)

LAYOUT_RULE(LAYOUT_ID(LAY020), package_in_strange_folder, WARNING, LAYOUT_TREE, r,
	    LAY_STRANGE_FOLDER, .class = CLASS_COMPATIBILITY, ASKED_FOR_UE1,
	    .title = "A package should be in the folder of its kind.",
	    .message = "{0} is in the folder of another kind of packages, its own is {1}",
	    .data = "name folder",
	    .why = "Games look for each kind of packages in one folder and do not find it.",
	    .fix = "Players: move it to that folder. Authors: likewise, and pack it again.",
	    .spec = "layout.md#6.1")
{
	report(c, row_place(c, r), row_name(c, r), row_value(r));
}

LAYOUT_RULE(LAYOUT_ID(LAY021), package_in_no_folder, NOTE, LAYOUT_TREE, r, LAY_NO_FOLDER,
	    .class = CLASS_HYGIENE, ASKED_FOR_UE1,
	    .title = "A package should be in a folder of the game.",
	    .message = "{0} is in no folder that games look for packages in, its own is {1}",
	    .data = "name folder",
	    .why = "Whoever installs it has to know where each file belongs.",
	    .fix = "Players: move it to that folder. Authors: pack it in that folder.",
	    .spec = "layout.md#6.2")
{
	report(c, row_place(c, r), row_name(c, r), row_value(r));
}

LAYOUT_RULE(
	LAYOUT_ID(LAY022), packages_of_one_name, WARNING, LAYOUT_TREE, r, LAY_ONE_STEM,
	.class = CLASS_COMPATIBILITY, ASKED_FOR_UE1,
	.title = "No two packages should have one name, whatever their extensions are.",
	.message = "{0} has the name of another package", .data = "name",
	.why = "Games know a package by its name without the extension: they load one of the two "
	       "for both.",
	.fix = "Players: install one of them. Authors: rename one of them, and what refers to it.",
	.spec = "layout.md#6.3")
{
	report(c, row_place(c, r), row_name(c, r));
	relate_row(c, r, "the other one");
}

LAYOUT_RULE(
	LAYOUT_ID(LAY023), stock_package_replaced, WARNING, LAYOUT_TREE, r, LAY_STOCK,
	.class = CLASS_COMPATIBILITY, ASKED_FOR_UE1,
	.title = "A mod should not have packages in it that the game has of its own.",
	.message = "the game has a package {0} of its own, which this one replaces", .data = "name",
	.why = "With another build of such a package a game cannot join servers that have the "
	       "usual one, and other mods may fail. Patches replace them on purpose.",
	.fix = "Players: keep a copy of the file that you have, unless this is a patch. Authors: "
	       "leave it out, and make changes in packages of your own.",
	.spec = "layout.md#6.4")
{
	report(c, row_place(c, r), row_name(c, r));
}

/* ---- Games of UE4 and UE5 -------------------------------------------------------------------- */

LAYOUT_RULE(LAYOUT_ID(LAY030), container_apart, WARNING, LAYOUT_TREE, r, LAY_SET_APART,
	    .class = CLASS_COMPATIBILITY, ASKED_FOR(UPLOAD_UE4_MODS),
	    .title = "The files of a container should be in one folder.",
	    .message = "{0} is in another folder than the file that it belongs with",
	    .data = "name",
	    .why = "The engine looks for the parts of a container beside each other.",
	    .fix = "Players: put them in one folder. Authors: likewise, and pack them again.",
	    .spec = "layout.md#7.1")
{
	report(c, row_place(c, r), row_name(c, r));
	relate_row(c, r, "that file");
}

LAYOUT_RULE(
	LAYOUT_ID(LAY031), container_variants, NOTE, LAYOUT_TREE, r, LAY_VARIANT,
	.class = CLASS_HYGIENE, .flags = RULE_HEURISTIC, ASKED_FOR(UPLOAD_UE4_MODS),
	.title = "An archive should have one container of a name.",
	.message = "{0} has the name of another container, in another folder", .data = "name",
	.why = "These are variants: a player has to choose one, and managers install all or the "
	       "last.",
	.fix = "Players: install the one that you want. Authors: pack each as an archive of its "
	       "own.",
	.spec = "layout.md#7.2")
{
	report(c, row_place(c, r), row_name(c, r));
	relate_row(c, r, "the other one");
}

LAYOUT_RULE(LAYOUT_ID(LAY036), container_loaded_twice, WARNING, LAYOUT_TREE, r, LAY_LOADED_TWICE,
	    .class = CLASS_COMPATIBILITY, ASKED_FOR(UPLOAD_UE4_MODS),
	    .title = "A logic mod should be in LogicMods alone.",
	    .message = "{0} is in LogicMods and in ~mods both", .data = "name",
	    .why = "The game loads both, and what the mod does happens again, or not at all.",
	    .fix = "Players: leave out the one in ~mods. Authors: likewise.",
	    .spec = "layout.md#7.3")
{
	report(c, row_place(c, r), row_name(c, r));
	relate_row(c, r, "the other one");
}

LAYOUT_RULE(
	LAYOUT_ID(LAY032), assets_loose, NOTE, LAYOUT_TREE, r, LAY_LOOSE,
	.class = CLASS_COMPATIBILITY, .flags = RULE_HEURISTIC, ASKED_FOR(UPLOAD_UE4_MODS),
	.title = "Assets should be in a container.",
	.message = "{0} {0:asset is|assets are} in no container", .data = "assets",
	.why = "A shipped game does not load them: they are for the editor, or were unpacked.",
	.fix = "Players: look for an archive with a .pak. Authors: pack them as a .pak, if the mod "
	       "is for players.",
	.spec = "layout.md#7.4")
{
	report(c, row_place(c, r), row_value(r));
}

LAYOUT_RULE(LAYOUT_ID(LAY033), asset_without_head, WARNING, LAYOUT_TREE, r, LAY_HALF,
	    .class = CLASS_CORRUPTION, ASKED_FOR(UPLOAD_UE4_MODS),
	    .title = "A .uexp should have its .uasset or .umap beside it.",
	    .message = "{0} has neither a .uasset nor a .umap beside it", .data = "name",
	    .why = "It is one half of an asset, of which the other is missing.",
	    .fix = "Players: get the mod again. Authors: pack the other file, too.",
	    .spec = "layout.md#7.5")
{
	report(c, row_place(c, r), row_name(c, r));
}

LAYOUT_RULE(LAYOUT_ID(LAY034), ue4ss_mod_without_main, WARNING, LAYOUT_TREE, r, LAY_NO_MAIN,
	    .class = CLASS_COMPATIBILITY, ASKED_FOR(UPLOAD_UE4_MODS),
	    .title = "A mod for UE4SS should have Scripts/main.lua or dlls/main.dll.",
	    .message = "{0} is of a mod that has neither Scripts/main.lua nor dlls/main.dll",
	    .data = "name", .why = "UE4SS loads these, and passes over a mod without them.",
	    .fix = "Players: look for another version of the mod. Authors: add the file.",
	    .spec = "layout.md#7.6")
{
	report(c, row_place(c, r), row_name(c, r));
}

LAYOUT_RULE(LAYOUT_ID(LAY035), ue4ss_mod_not_enabled, NOTE, LAYOUT_TREE, r, LAY_NOT_ENABLED,
	    .class = CLASS_HYGIENE, ASKED_FOR(UPLOAD_UE4_MODS),
	    .title = "A mod for UE4SS should have enabled.txt in its folder.",
	    .message = "{0} is of a mod without enabled.txt, and there is no mods.txt",
	    .data = "name", .why = "Players have to enter it in mods.txt by hand.",
	    .fix = "Players: enter the mod in mods.txt. Authors: add an empty enabled.txt.",
	    .spec = "layout.md#7.7")
{
	report(c, row_place(c, r), row_name(c, r));
}

LAYOUT_RULE(
	LAYOUT_ID(LAY046), pak_without_signature, WARNING, LAYOUT_TREE, r, LAY_NO_SIG,
	.class = CLASS_COMPATIBILITY, .flags = RULE_FOR_SIGNED, ASKED_FOR(UPLOAD_UE4_MODS),
	.title = "A .pak for a game that signs should have its .sig beside it.",
	.message = "{0} has no .sig beside it, which the game asks for", .data = "name",
	.why = "A game that signs refuses a .pak without a .sig. Some managers, as Unverum, put a "
	       "copy of the game's beside it; who installs by hand has none.",
	.fix = "Players: install the mod with such a manager. Authors: add the .sig, or say how to "
	       "install the mod.",
	.spec = "layout.md#7.8")
{
	report(c, row_place(c, r), row_name(c, r));
}

/* ---- Servers that clients download from ------------------------------------------------------ */

LAYOUT_RULE(LAYOUT_ID(LAY050), file_not_served, WARNING, LAYOUT_TREE, r, LAY_NOT_SERVED,
	    .class = CLASS_COMPATIBILITY, ASKED_FOR(UPLOAD_REDIRECT),
	    .title = "What clients download from a server should be packages and their downloads, "
		     "in no folder, by names that an address can have.",
	    .message = "{0} {1}: {2}", .data = "name requirement found",
	    .why = "A client asks for a package by its name, as it is, after the address of the "
		   "server, and cannot join when there is none.",
	    .fix = "Players: nothing needs to be done. Authors: change what is named.",
	    .spec = "layout.md#8.1")
{
	report(c, row_place(c, r), row_name(c, r), WORD(r->words), row_value(r));
	relate_row(c, r, "the package");
}

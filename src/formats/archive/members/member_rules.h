/* The rules for members of archives, of their names, kinds, links and bytes: one text for all
 * formats of archives.
 *
 * A *_rules.c includes it after it has defined
 *
 *     MEMBERS_ID(ARC030)    the rule's symbol: ARC030, or ARC030_tar for a RULE_AGAIN (rule/ids.h)
 *     MEMBERS_ROWS          the table of members (struct arc_member)
 *     MEMBERS_OF(c)         the struct members of the facts
 *     MEMBERS_PLACE(c, m)   where a member is listed
 *     MEMBERS_GROUP         the group of the table of members
 *
 * and, unless members are never compressed, encrypted or checked by themselves,
 *
 *     MEMBERS_PACKED        the same rows, as a table of the traits of arc_packed
 *     MEMBERS_PAYLOADS      the same rows, as a table of the group of their bytes
 *     MEMBERS_PAYLOAD_GROUP that group
 *
 * and perhaps
 *
 *     MEMBERS_ALSO          groups without which it is not known whether there are more members
 *     MEMBERS_OPENS(c, m)   whether what a link leads to is opened under the link's own name */
#include "core/path.h"
#include "core/text_alike.h"
#include "formats/archive/members/members.h"
#include "formats/archive/members/payload_texts.h"
#include "rule/finding.h"

/* DEFECT_RULE for arguments that are macros themselves. */
#define MEMBERS_RULE(ID, NAME, SEVERITY, TABLE, ...) \
	DEFECT_RULE(ID, NAME, SEVERITY, TABLE, __VA_ARGS__)

static const struct arc_member *relative_of(const struct check *c, const struct arc_member *m)
{
	return &MEMBERS_OF(c)->rows[m->relative];
}

static void relate_member(struct check *c, const struct arc_member *m)
{
	relate(c, MEMBERS_PLACE(c, relative_of(c, m)), "the other one");
}

/* ---- Names that lead elsewhere --------------------------------------------------------------- */

MEMBERS_RULE(MEMBERS_ID(ARC030), member_path_absolute, ERROR, MEMBERS_ROWS, m, ARC_ROOTED,
	     .class = CLASS_SECURITY, .sign = SIGN_PATH,
	     .title = "The name of a member shall not begin with / or \\.",
	     .message = "the name {0} begins with a separator", .data = "name",
	     .why = "A program that unpacks it as it is named writes outside the folder "
		    "that the player chose.",
	     .fix = "Players: do not unpack the archive. Authors: pack the folder of the mod, "
		    "not paths from the root of a disk.",
	     .spec = "archive.md#2.1")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

MEMBERS_RULE(MEMBERS_ID(ARC031), member_path_drive, ERROR, MEMBERS_ROWS, m, ARC_DRIVE,
	     .class = CLASS_SECURITY, .sign = SIGN_PATH,
	     .title = "The name of a member shall not begin with a drive or a server.",
	     .message = "the name {0} begins with a drive or a server", .data = "name",
	     .why = "On Windows it is written there, and not to the folder that the player "
		    "chose.",
	     .fix = "Players: do not unpack the archive. Authors: pack the folder of the mod, "
		    "with names that begin in it.",
	     .spec = "archive.md#2.2")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

MEMBERS_RULE(MEMBERS_ID(ARC032), member_path_escapes, ERROR, MEMBERS_ROWS, m, ARC_PARENT,
	     .class = CLASS_SECURITY, .sign = SIGN_PATH,
	     .title = "No part of a member's name shall be \"..\".",
	     .message = "the name {0} has a part that is two dots", .data = "name",
	     .why = "A program that follows it writes outside the folder that the player "
		    "chose, and replaces files there.",
	     .fix = "Players: do not unpack the archive. Authors: pack the folder of the mod "
		    "itself.",
	     .spec = "archive.md#2.3")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

MEMBERS_RULE(MEMBERS_ID(ARC033), member_name_nul, ERROR, MEMBERS_ROWS, m, ARC_NUL,
	     .class = CLASS_SECURITY, .sign = SIGN_NAME,
	     .title = "The name of a member shall have no NUL in it.",
	     .message = "the name {0} has a NUL in it", .data = "name",
	     .why = "Some programs end the name there and others do not, so that what one "
		    "shows as a text another writes as a program.",
	     .fix = "Players: do not unpack the archive. Authors: pack it again with a common "
		    "program.",
	     .spec = "archive.md#2.4")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

/* ---- Names that deceive, or that systems refuse ---------------------------------------------- */

MEMBERS_RULE(MEMBERS_ID(ARC034), member_name_deceptive, WARNING, MEMBERS_ROWS, m, ARC_CONTROL,
	     .class = CLASS_SECURITY, .sign = SIGN_NAME,
	     .title = "The name of a member should have no control characters, and none "
		      "that turns the direction of text.",
	     .message = "the name {0} has a control character, or one that turns the direction "
			"of text",
	     .data = "name",
	     .why = "It can show another ending than the file has, or write to the terminal of "
		    "whoever lists the archive.",
	     .fix = "Players: get the mod elsewhere, unless you know its author. Authors: rename "
		    "the file.",
	     .spec = "archive.md#2.5")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

MEMBERS_RULE(MEMBERS_ID(ARC035), member_name_backslash, WARNING, MEMBERS_ROWS, m, ARC_BACKSLASH,
	     .class = CLASS_COMPATIBILITY, .sign = SIGN_PACKER,
	     .title = "The parts of a member's name should be separated by /.",
	     .message = "the name {0} has a backslash in it", .data = "name",
	     .why = "Some programs take it for a separator and others for a letter of the "
		    "name: then the folders are missing, and sites refuse the archive.",
	     .fix = "Players: nothing, if the files are in their folders after unpacking. "
		    "Authors: pack it again with a common program.",
	     .spec = "archive.md#2.6")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

MEMBERS_RULE(MEMBERS_ID(ARC036), member_name_reserved, WARNING, MEMBERS_ROWS, m, ARC_RESERVED,
	     .class = CLASS_COMPATIBILITY, .sign = SIGN_NAME,
	     .title = "The name of a member should have none of < > : \" | ? *.",
	     .message = "the name {0} has a character that Windows does not allow", .data = "name",
	     .why = "Windows cannot create such a file, and Explorer calls the whole archive "
		    "invalid; after a colon it writes a hidden stream of another file.",
	     .fix = "Players: get the mod again, if files are missing. Authors: rename the file.",
	     .spec = "archive.md#2.7")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

MEMBERS_RULE(MEMBERS_ID(ARC037), member_name_device, WARNING, MEMBERS_ROWS, m, ARC_DEVICE,
	     .class = CLASS_COMPATIBILITY, .sign = SIGN_NAME,
	     .title = "No part of a member's name should be that of a device on Windows.",
	     .message = "the name {0} is that of a device on Windows", .data = "name",
	     .why = "Windows opens the device, and the file is missing.",
	     .fix = "Players: nothing, on other systems. Authors: rename the file.",
	     .spec = "archive.md#2.8")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

MEMBERS_RULE(MEMBERS_ID(ARC038), member_name_trailing, WARNING, MEMBERS_ROWS, m, ARC_TRAILING,
	     .class = CLASS_SECURITY, .sign = SIGN_NAME,
	     .title = "No part of a member's name should end in a dot or a space.",
	     .message = "a part of the name {0} ends in a dot or a space", .data = "name",
	     .why = "Windows drops it, so that the file takes the place of another, or opens "
		    "in its stead.",
	     .fix = "Players: do not open the file from within the archive. Authors: rename "
		    "it.",
	     .spec = "archive.md#2.9")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

MEMBERS_RULE(MEMBERS_ID(ARC044), member_name_long, WARNING, MEMBERS_ROWS, m, ARC_LONG_NAME,
	     .class = CLASS_COMPATIBILITY,
	     .title = "The name of a member should have at most 240 characters, and each part of "
		      "it at most 255 bytes.",
	     .message = "the name {0} has {1} {1:character|characters}, or a part of more than 255 "
			"bytes; at most 240 fit",
	     .data = "name length",
	     .why = "Windows allows 260 characters together with the folder that it is unpacked "
		    "to, and no system allows parts of more than 255 bytes.",
	     .fix = "Players: unpack it to a folder with a short path. Authors: shorten the "
		    "name.",
	     .spec = "archive.md#2.15")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name), DEC(m->name.ref.n_units));
}

MEMBERS_RULE(MEMBERS_ID(ARC045), member_name_empty, ERROR, MEMBERS_ROWS, m, ARC_EMPTY_NAME,
	     .class = CLASS_SECURITY, .sign = SIGN_NAME, .title = "A member shall have a name.",
	     .message = "a member of {0} has no name, or only dots and separators for one",
	     .data = "size",
	     .why = "Some programs write it over the file before it, others leave it out.",
	     .fix = "Players: do not unpack the archive. Authors: pack it again with a common "
		    "program.",
	     .spec = "archive.md#2.16")
{
	report(c, MEMBERS_PLACE(c, m), SIZE(m->size));
}

MEMBERS_RULE(MEMBERS_ID(ARC046), member_name_has_dot, NOTE, MEMBERS_ROWS, m, ARC_SELF,
	     .class = CLASS_HYGIENE, .sign = SIGN_PACKER,
	     .title = "No part of a member's name should be empty, or a dot alone.",
	     .message = "the name {0} has an empty part, or a dot alone", .data = "name",
	     .why = "Programs that unpack drop it. Thunderstore refuses such an archive; tar "
		    "and bsdtar write it for the folder that they pack.",
	     .fix = "Players: nothing needs to be done. Authors: for a site that refuses it "
		    "pack the files by their names, not the folder as a dot.",
	     .spec = "archive.md#2.17")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

/* ---- Encodings ------------------------------------------------------------------------------- */

MEMBERS_RULE(MEMBERS_ID(ARC042), member_name_legacy, WARNING, MEMBERS_ROWS, m,
	     ARC_LEGACY | ARC_UNDECLARED, .class = CLASS_COMPATIBILITY, .lesser = SEVERITY_NOTE,
	     .lesser_when = "the name is UTF-8, and only does not say so",
	     .title = "A name that is not ASCII should be in UTF-8, and say so.",
	     .message = "the name {0} is not ASCII and its encoding is not declared{1}",
	     .data = "name what",
	     .why = "Each program guesses the encoding, and most guess the one of their own "
		    "system: the file has another name on each.",
	     .fix = "Players: rename the file, if a name looks garbled after unpacking. Authors: "
		    "pack it again with a program that writes UTF-8.",
	     .spec = "archive.md#2.13")
{
	const bool legacy = m->traits & ARC_LEGACY;

	report_as(c, !legacy, MEMBERS_PLACE(c, m), TEXT_OF(m->name),
		  either(legacy, ": it is no UTF-8", ": it reads as UTF-8"));
}

MEMBERS_RULE(MEMBERS_ID(ARC043), member_name_miscoded, ERROR, MEMBERS_ROWS, m, ARC_MISCODED,
	     .class = CLASS_COMPATIBILITY, .sign = SIGN_NAME,
	     .title = "A name shall be in the encoding that the archive declares.",
	     .message = "the name {0} is not in the encoding that is declared for it",
	     .data = "name",
	     .why = "Python, Java and programs built on them refuse the whole archive; others "
		    "write another name.",
	     .fix = "Players: get the mod again, if it does not unpack. Authors: pack it again "
		    "with a common program.",
	     .spec = "archive.md#2.14")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

/* ---- Members in each other's way ------------------------------------------------------------- */

static const char *repeat_words(const struct arc_member *m)
{
	if (m->likeness == ARC_ALIKE_DECODED)
		return m->traits & ARC_TWICE
			       ? "with other content, where no encoding is cp437, as zip has it"
			       : "with the same content, where no encoding is cp437, as zip has it";
	if (m->may_repeat && m->traits & ARC_TWICE)
		return "in place of a link or a device, through which some programs write";
	if (m->may_repeat)
		return "in place of the first";
	return m->traits & ARC_TWICE ? "with other content" : "with the same content";
}

MEMBERS_RULE(MEMBERS_ID(ARC039), member_repeated, ERROR, MEMBERS_ROWS, m,
	     ARC_TWICE | ARC_TWICE_ALIKE, .class = CLASS_SECURITY, .sign = SIGN_INTENT,
	     .lesser = SEVERITY_WARNING,
	     .lesser_when = "both have the same content, or the archive is a tar, where the last "
			    "of them counts, and it does not replace a link",
	     .title = "No two members shall have one name.", .message = "{0} is listed again, {1}",
	     .data = "name what",
	     .why = "Programs take the first or the last of them, or write both: what a scanner "
		    "looks at need not be what is installed.",
	     .fix = "Players: do not use the archive, if the contents differ. Authors: pack it "
		    "again from the folder.",
	     .spec = "archive.md#2.10")
{
	const bool alike = !(m->traits & ARC_TWICE);

	report_as(c, alike, MEMBERS_PLACE(c, m), TEXT_OF(m->name), WORD(repeat_words(m)));
	relate_member(c, m);
}

static const char *alike_words(const struct arc_member *m)
{
	if (m->likeness == ARC_ALIKE_WINDOWS)
		return "on Windows and macOS";
	if (m->likeness == ARC_ALIKE_DECODED)
		return "where no encoding is cp437, as zip has it";
	if (m->why & TEXT_LIKE_UNSEEN)
		return "but for what is not seen";
	return m->why & TEXT_LIKE_WIDE ? "but for the width of letters" : "on macOS";
}

/* Parts of a container are found by its name. */
static bool is_part(struct text name)
{
	return text_ends(name, ".utoc") || text_ends(name, ".ucas") || text_ends(name, ".pak");
}

/* Whether the game takes one of two for a part on Windows, and who checks it the other. */
static bool replaces_part(const struct check *c, const struct arc_member *m)
{
	const struct arc_member *other = relative_of(c, m);

	return m->likeness == ARC_ALIKE_WINDOWS && (is_part(m->name) || is_part(other->name)) &&
	       !members_have_same_content(m, other);
}

MEMBERS_RULE(MEMBERS_ID(ARC040), member_names_clash, ERROR, MEMBERS_ROWS, m, ARC_TWIN,
	     .class = CLASS_COMPATIBILITY, .sign = SIGN_NAME, .lesser = SEVERITY_WARNING,
	     .lesser_when = "it is no part of a container, both have the same content, or they "
			    "are two on Windows",
	     .title = "No two members should have names that are one to a common system, or to the "
		      "eye, and no two parts of containers shall.",
	     .message = "{0} has the name of {1} {2}", .data = "name other where",
	     .why = "One of the files replaces the other: Windows and macOS take capital and "
		    "small letters for the same, as games do, and macOS composed and decomposed "
		    "ones. What a scanner looks at need not be what the game mounts.",
	     .fix = "Players: nothing, on Linux. Authors: leave out one of them, or rename it.",
	     .spec = "archive.md#2.11")
{
	report_as(c, !replaces_part(c, m), MEMBERS_PLACE(c, m), TEXT_OF(m->name),
		  TEXT_OF(relative_of(c, m)->name), WORD(alike_words(m)));
	relate_member(c, m);
}

/* Of the ending of a part three letters are left. */
static bool replaces_by_short(const struct check *c, const struct arc_member *m)
{
	return is_part(relative_of(c, m)->name) &&
	       (is_part(m->name) || text_ends(m->name, ".uto") || text_ends(m->name, ".uca"));
}

MEMBERS_RULE(MEMBERS_ID(ARC191), member_name_short, ERROR, MEMBERS_ROWS, m, ARC_SHORT_NAME,
	     .class = CLASS_SECURITY, .sign = SIGN_NAME, .lesser = SEVERITY_WARNING,
	     .lesser_when = "they are no parts of containers",
	     .title = "No part of a member's name should be the short name of another.",
	     .message = "a part of the name {0} is the short name that Windows may give to {1}",
	     .data = "name other",
	     .why = "Where disks have short names, as that of the system has by default, the file "
		    "is written over the other one: the game mounts what no scanner looked at "
		    "under that name.",
	     .fix = "Players: do not unpack the archive, if the other one is a .pak, .ucas or "
		    ".utoc. Authors: leave out the file, or rename it.",
	     .spec = "archive.md#2.23")
{
	report_as(c, !replaces_by_short(c, m), MEMBERS_PLACE(c, m), TEXT_OF(m->name),
		  TEXT_OF(relative_of(c, m)->name));
	relate_member(c, m);
}

MEMBERS_RULE(MEMBERS_ID(ARC041), member_below_file, ERROR, MEMBERS_ROWS, m, ARC_BELOW_FILE,
	     .class = CLASS_SECURITY, .sign = SIGN_INTENT,
	     .title = "No member shall be below one that is a file or a link.",
	     .message = "{0} is below {1}, which is no folder, or has the name of one that is",
	     .data = "name other",
	     .why = "One of them cannot be unpacked; below a link it is written to where the link "
		    "leads.",
	     .fix = "Players: do not unpack the archive. Authors: pack it again from the folder.",
	     .spec = "archive.md#2.12")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name), TEXT_OF(relative_of(c, m)->name));
	relate_member(c, m);
}

/* ---- The archive as a whole ------------------------------------------------------------------ */

#ifndef MEMBERS_ALSO
#define MEMBERS_ALSO 0
#endif

/* The first bytes of members say which are archives. */
#if defined(MEMBERS_PAYLOAD_GROUP)
#define MEMBERS_SEEN BIT(MEMBERS_PAYLOAD_GROUP)
#else
#define MEMBERS_SEEN 0
#endif

#define MEMBERS_FILE_RULE(ID, NAME, SEVERITY, NEEDS, ...) \
	RULE(ID, NAME, SEVERITY, NEEDS, __VA_ARGS__)

MEMBERS_FILE_RULE(MEMBERS_ID(ARC014), archive_empty, WARNING, MEMBERS_GROUP, .class = CLASS_HYGIENE,
		  .also = MEMBERS_ALSO, .title = "An archive should have a file in it.",
		  .message = "the archive has {0} {0:member|members}, and no file among them",
		  .data = "members",
		  .why = "There is nothing to install. Most often another file was to be uploaded.",
		  .fix = "Players: get the mod again. Authors: pack the files of the mod.",
		  .spec = "archive.md#1.8")
{
	if (MEMBERS_OF(c)->n_files == 0)
		report(c, AT_SPAN(0, c->source->io.size), DEC(MEMBERS_OF(c)->n));
}

#ifdef MEMBERS_PACKED

static uint64_t count_encrypted(const struct members *m, const struct arc_member **first)
{
	uint64_t n = 0;

	for (uint64_t i = m->n; i > 0 && m->traits & ARC_ENCRYPTED; i--) {
		if (!(m->rows[i - 1].traits & ARC_ENCRYPTED))
			continue;
		*first = &m->rows[i - 1];
		n++;
	}
	return n;
}

MEMBERS_FILE_RULE(MEMBERS_ID(ARC007), members_encrypted, UNDETERMINED, MEMBERS_GROUP,
		  .class = CLASS_SECURITY, .title = "No member should be encrypted.",
		  .message = "{0} of {1} {1:member|members} {0:is|are} encrypted, the first is {2}",
		  .data = "encrypted members name",
		  .why = "What is in it cannot be checked, and sites refuse it.",
		  .fix = "Players: get the mod from where it needs no password. Authors: pack it "
			 "without one.",
		  .spec = "archive.md#1.5")
{
	const struct arc_member *first = NULL;
	const uint64_t n = count_encrypted(MEMBERS_OF(c), &first);

	if (n > 0)
		report(c, MEMBERS_PLACE(c, first), DEC(n), DEC(MEMBERS_OF(c)->n),
		       TEXT_OF(first->name));
}

MEMBERS_RULE(MEMBERS_ID(ARC010), member_method_unknown, UNDETERMINED, MEMBERS_PACKED, m,
	     ARC_UNKNOWN_METHOD | ARC_UNCOMMON_METHOD, .class = CLASS_COMPATIBILITY,
	     .lesser = SEVERITY_WARNING,
	     .lesser_when = "it is decoded here, and few other programs do",
	     .title = "A member should be stored or compressed in a way that all programs know.",
	     .message = "{0} is compressed by the method {1}, which {2}",
	     .data = "name method what",
	     .why = "What is in it was not checked. Mod managers and Explorer know two methods "
		    "of zip, stored and deflate.",
	     .fix = "Players: nothing, if your program unpacks it. Authors: pack it with the "
		    "common method.",
	     .spec = "archive.md#1.6")
{
	const bool is_known = m->traits & ARC_UNCOMMON_METHOD;

	report_as(c, is_known, MEMBERS_PLACE(c, m), TEXT_OF(m->name), DEC(m->method),
		  either(is_known, "few programs decode", "this program does not decode"));
}

MEMBERS_RULE(MEMBERS_ID(ARC018), member_swells, NOTE, MEMBERS_PACKED, m, ARC_SWELLS, ARC018_TEXTS)
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name), SIZE(m->packed), SIZE(m->size));
}

#endif /* MEMBERS_PACKED */

MEMBERS_RULE(MEMBERS_ID(ARC016), member_archive, NOTE, MEMBERS_ROWS, m, ARC_ARCHIVE,
	     .class = CLASS_HYGIENE, .also = MEMBERS_SEEN,
	     .title = "A member should not be an archive itself.",
	     .message = "{0} is an archive in this one", .data = "name",
	     .why = "Nexus and other sites refuse archives in archives, and managers do not unpack "
		    "them.",
	     .fix = "Players: unpack it, too. Authors: pack its files into the outer archive.",
	     .spec = "archive.md#1.9")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

MEMBERS_RULE(MEMBERS_ID(ARC190), member_pointer, WARNING, MEMBERS_ROWS, m, ARC_POINTER,
	     .class = CLASS_CORRUPTION, .also = MEMBERS_SEEN,
	     .title = "A member should be the file that its name says, and no pointer to it.",
	     .message = "{0} is a pointer of Git LFS, and not the file", .data = "name",
	     .why = "Git keeps large files elsewhere: whoever packs a folder, or downloads one as "
		    "an archive, without Git LFS has pointers of some 130 bytes in their place.",
	     .fix = "Players: get the mod from its page of releases. Authors: run git lfs pull, "
		    "and pack the mod again.",
	     .spec = "archive.md#1.16")
{
	report(c, MEMBERS_PLACE(c, m), TEXT_OF(m->name));
}

#include "formats/archive/members/kind_rules.h"

#ifdef MEMBERS_PACKED

/* ---- The members' bytes ---------------------------------------------------------------------- */

MEMBERS_RULE(MEMBERS_ID(ARC011), member_checksum_mismatch, ERROR, MEMBERS_PAYLOADS, m,
	     ARC_WRONG_SUM, .class = CLASS_CORRUPTION, .sign = SIGN_DATA,
	     .title = "A member shall have the checksum that the archive says.",
	     .message = "{0} has another checksum than {1}, which the archive says",
	     .data = "name checksum",
	     .why = "The file is not what was packed. Programs refuse it, or unpack the "
		    "damaged file with a warning.",
	     .fix = "Players: get the archive again. Authors: pack it again, and test it before "
		    "you publish it.",
	     .spec = "archive.md#3.1")
{
	report(c, AT_SPAN(m->at, m->packed), TEXT_OF(m->name), HEX(m->crc));
}

MEMBERS_RULE(MEMBERS_ID(ARC012), member_size_mismatch, ERROR, MEMBERS_PAYLOADS, m,
	     ARC_TOO_LONG | ARC_TOO_SHORT, .class = CLASS_CORRUPTION, .sign = SIGN_DATA,
	     .title = "A member shall decompress to as many bytes as the archive says.",
	     .message = "{0} decompresses to {1} than {2}, which the archive says",
	     .data = "name what size",
	     .why = "Programs truncate the file, write more than there is room for, or refuse it.",
	     .fix = "Players: get the archive again. Authors: pack it again, and test it before "
		    "you publish it.",
	     .spec = "archive.md#3.2")
{
	report(c, AT_SPAN(m->at, m->packed), TEXT_OF(m->name),
	       either(m->payload & ARC_TOO_LONG, "more", "less"), SIZE(m->size));
}

MEMBERS_RULE(MEMBERS_ID(ARC013), member_undecodable, ERROR, MEMBERS_PAYLOADS, m, ARC_BROKEN,
	     ARC013_TEXTS)
{
	report(c, AT_SPAN(m->at, m->packed), TEXT_OF(m->name), SIZE(m->packed));
}

MEMBERS_RULE(MEMBERS_ID(ARC091), member_bytes_left, ERROR, MEMBERS_PAYLOADS, m, ARC_LEFT_OVER,
	     .class = CLASS_SECURITY, .sign = SIGN_INTENT,
	     .title = "The compressed bytes of a member shall end where its stream does.",
	     .message = "bytes are left after the end of the compressed stream of {0}, which has "
			"{1}",
	     .data = "name packed",
	     .why = "Some programs report it and others do not: it is a place to hide something.",
	     .fix = "Players: get the archive again. Authors: pack it again with a common "
		    "program.",
	     .spec = "archive.md#3.4")
{
	report(c, AT_SPAN(m->at, m->packed), TEXT_OF(m->name), SIZE(m->packed));
}

#endif /* MEMBERS_PACKED */

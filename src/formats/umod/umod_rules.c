/* The rules for the installer itself: trailer, directory, and how the members' bytes lie. */
#include "formats/umod/member_rules.h"

#include "core/mutant.h"

static bool stopped(const struct umod *u, enum umod_group g, enum stop_why why)
{
	return u->groups[g].why == why;
}

/* ---- The file and its trailer ---------------------------------------------------------------- */

RULE(UMD001, file_too_short, ERROR, UMOD_FILE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UMOD_TRAILER),
     .title   = "An installer shall have at least the 20 bytes of its trailer.",
     .message = "the installer has {0}, its trailer alone needs 20",
     .data    = "size",
     .why     = "Setup and every extractor look for the trailer first and find none, so nothing "
                "can be installed. Most often the download is truncated.",
     .fix     = "Get the file again; if it still fails, its author must upload the whole "
                "installer.",
     .spec    = "umod.md#2.1")
{
	const struct umod *u = c->facts;

	if (u->size < UMOD_TRAILER_LEN)
		report(c, AT_SPAN(0, u->size), SIZE(u->size));
}

RULE(UMD002, magic_missing, ERROR, UMOD_FILE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UMOD_TRAILER),
     .title   = "The trailer shall begin with the magic number 0x9FE3C5A3.",
     .message = "no magic number 0x9FE3C5A3 at {0}, where the trailer should begin",
     .data    = "trailer_at",
     .why     = "The engine refuses the installer as incomplete. The file is truncated, has bytes "
                "after its end, or is not an installer.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it with ucc "
                "master and upload it unchanged.",
     .spec    = "umod.md#2.2")
{
	const struct umod *u = c->facts;

	if (u->size >= UMOD_TRAILER_LEN && stopped(u, UMOD_TRAILER, STOP_MALFORMED))
		report(c, AT_SPAN(u->trailer_place.at, 4), HEX(u->trailer_place.at));
}

RULE(UMD003, version_unsupported, ERROR, UMOD_TRAILER,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UMOD_DIRECTORY) | BIT(UMOD_CONTENT),
     .lesser  = SEVERITY_UNDETERMINED,
     .lesser_when = "the version is 2: Ubisoft's format with the same magic number, which uvet "
                    "does not read",
     .title   = "The trailer's version shall be 1.",
     .message = "the trailer has version {0}, the engine accepts version 1 only",
     .data    = "version",
     .why     = "The engine refuses to install from any other version. Version 2 is the .umd of "
                "Ubisoft's games, a different format.",
     .fix     = "Check that the installer is meant for your game; otherwise its author must "
                "rebuild it with the game's own ucc master.",
     .spec    = "umod.md#2.3")
{
	const struct umod *u = c->facts;

	if (u->trailer.version == UMOD_VERSION_UBISOFT)
		report_lesser(c, AT(c, umod_trailer, &u->trailer, version),
			      DEC(u->trailer.version));
	else if (u->trailer.version != UMOD_VERSION)
		report(c, AT(c, umod_trailer, &u->trailer, version), DEC(u->trailer.version));
}

RULE(UMD004, size_mismatch, ERROR, UMOD_TRAILER,
     .class   = CLASS_CORRUPTION,
     .title   = "The trailer's size shall be the size of the installer.",
     .message = "the trailer says {0}, the installer has {1}",
     .data    = "file_size actual_size",
     .why     = "The engine refuses the installer as incomplete, so nothing is installed. Most "
                "often the download is truncated.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it with ucc "
                "master.",
     .spec    = "umod.md#2.4")
{
	const struct umod *u = c->facts;

	if (u->trailer.version != UMOD_VERSION_UBISOFT && u->trailer.file_size != u->end)
		report(c, AT(c, umod_trailer, &u->trailer, file_size), SIZE(u->trailer.file_size),
		       SIZE(u->end));
}

RULE(UMD005, directory_outside_file, ERROR, UMOD_TRAILER,
     .class   = CLASS_CORRUPTION, .explains = BIT(UMOD_DIRECTORY),
     .title   = "The directory shall begin before the trailer.",
     .message = "directory offset {0} is not before the trailer at {1}",
     .data    = "dir_offset trailer_at",
     .why     = "No list of members can be read, so nothing can be installed; extractors seek to "
                "this offset without a check and read past the end.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it with ucc "
                "master.",
     .spec    = "umod.md#2.5")
{
	const struct umod *u = c->facts;

	if (u->trailer.version != UMOD_VERSION_UBISOFT && u->trailer.dir_offset >= u->trailer.at)
		report(c, AT(c, umod_trailer, &u->trailer, dir_offset), HEX(u->trailer.dir_offset),
		       HEX(u->trailer.at));
}

RULE(UMD006, crc_mismatch, ERROR, UMOD_CONTENT,
     .class   = CLASS_CORRUPTION, .sign = SIGN_SUM,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the file's name ends in .exe: the engine does not check the CRC of a "
                    "self-extracting installer",
     .title   = "The trailer's CRC shall be that of every byte before the trailer.",
     .message = "stored CRC {0}, the CRC of bytes 0 to {2} is {1}",
     .data    = "crc computed last",
     .why     = "The engine refuses the installer as corrupt: at least one byte differs from what "
                "its author packed.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it with ucc "
                "master.",
     .spec    = "umod.md#2.6")
{
	const struct umod *u = c->facts;
	uint64_t last = u->trailer.at > 0 ? u->trailer.at - 1 : 0;
	struct place place;

	/* mutant: a CRC of one byte */
	if (u->trailer.crc == u->crc || (MUTANT(10) && (u->trailer.crc ^ u->crc) % 256 == 0))
		return;
	place = AT(c, umod_trailer, &u->trailer, crc);
	if (u->stub.named_exe)
		report_lesser(c, place, HEX(u->trailer.crc), HEX(u->crc), DEC(last));
	else
		report(c, place, HEX(u->trailer.crc), HEX(u->crc), DEC(last));
}

RULE(UMD020, file_too_large, ERROR, UMOD_FILE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "An installer shall not be larger than 2147483647 bytes.",
     .message = "the installer has {0}, the engine can address {1} {1:byte|bytes} at most",
     .data    = "size limit",
     .why     = "The engine keeps sizes and offsets as signed 32-bit numbers, so it refuses a "
                "larger installer: the size never matches that of the trailer.",
     .fix     = "Ask the author for a smaller installer; the author can split the mod into "
                "several.",
     .spec    = "umod.md#1.3")
{
	const struct umod *u = c->facts;

	if (u->end > UMOD_SIZE_MAX)
		report(c, AT_SPAN(u->end - UMOD_TRAILER_LEN, UMOD_TRAILER_LEN), SIZE(u->end),
		       DEC(UMOD_SIZE_MAX));
}

RULE(UMD022, executable_stub, WARNING, UMOD_FILE,
     .class   = CLASS_SECURITY, .sign = SIGN_INTENT,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the file's name ends in .exe, as that of a self-extracting installer should, "
                    "or the program is one for DOS",
     .title   = "An installer that is a Windows executable should be named .exe.",
     .message = "the file begins with {1} of {0}",
     .data    = "image_size program",
     .why     = "Whoever renames the file to .exe and runs it runs that program. Tools that look "
                "at the first bytes take the file for a program, tools that look at the last for "
                "an installer.",
     .fix     = "Scan the program for malware before you run it. An author should name the file "
                ".exe, or publish the installer without the program.",
     .spec    = "umod.md#1.2")
{
	const struct umod *u = c->facts;
	const struct arg size = u->stub.is_pe ? SIZE(u->stub.image_end) : WORD("an unknown size");
	struct place place;

	if (u->stub.program == PROGRAM_NONE)
		return;
	place = AT(c, umod_dos_header, &u->stub.dos, magic);
	if (u->stub.program == PROGRAM_DOS)
		report_lesser(c, place, size, WORD("a program for DOS"));
	else if (u->stub.named_exe)
		report_lesser(c, place, size, WORD("a Windows executable"));
	else
		report(c, place, size, WORD("a Windows executable"));
}

FILE_DEFECT_RULE(
	UMD028, signature_padding_nonzero, WARNING, UMOD_TRAILER, umod, u, UMOD_PADDING_NONZERO,
	.class = CLASS_HYGIENE,
	.title = "The padding between trailer and signature should be "
		 "zero.",
	.message = "{0} between trailer and signature {0:is not|are not all} zero",
	.data = "length",
	.why = "No checksum covers these bytes and no signing tool writes any but zeros there, so "
	       "the file was changed after it was signed.",
	.fix = "Get the file again from its author, who should sign the installer again.",
	.spec = "umod.md#2.7")
{
	report(c, AT_SPAN(u->end, u->stub.security.offset - u->end),
	       SIZE(u->stub.security.offset - u->end));
}

RULE(UMD030, signature_truncated, WARNING, UMOD_FILE,
     .class   = CLASS_CORRUPTION,
     .title   = "The signature of a self-extracting installer should be in the file with all its "
                "bytes.",
     .message = "the signature should have {0} from {1} on, {2} {2:is|are} missing",
     .data    = "length offset missing",
     .why     = "The file was truncated or changed after it was signed: Windows tells the player "
                "that the publisher is unknown.",
     .fix     = "Get the file again; if it still fails, its author should sign the installer "
                "again.",
     .spec    = "umod.md#2.8")
{
	const struct umod *u = c->facts;
	const struct umod_security_directory *s = &u->stub.security;
	uint64_t end = s->offset + s->size, missing;

	if (s->offset == 0 || end <= u->size)
		return;
	missing = end - u->size;
	if (missing > s->size)
		missing = s->size;
	report(c, AT(c, umod_security_directory, s, size), SIZE(s->size), HEX(s->offset),
	       SIZE(missing));
}

static const char *const who_looks[UMOD_N_PLACES] = {
	[PLACE_OWN] = "all readers",
	[PLACE_END] = "readers that ignore signatures",
	[PLACE_OTHER] = "engines that mistake the program for one of 32 bits, or of 64,",
};

FILE_DEFECT_RULE(
	UMD031, trailer_after_signature, ERROR, UMOD_TRAILER, umod, u, UMOD_STRAY_TRAILER,
	.class = CLASS_SECURITY, .sign = SIGN_ATTACK,
	.title = "A program shall have one trailer, before its signature or else at its end, that "
		 "every reader finds.",
	.message = "{0} at {1}, where {2} look for it", .data = "trailer trailer_at readers",
	.why = "The engine on Windows looks for the trailer before the signature, at a place that "
	       "depends on whether the program has 32 or 64 bits; engines elsewhere and most "
	       "extractors look at the end of the file. So two players can install two different "
	       "mods from one file.",
	.fix = "Do not install it; ask its author for another copy. The author must rebuild the "
	       "installer and sign it again: no signing tool writes a trailer there.",
	.spec = "umod.md#2.9")
{
	const bool only = u->trailer_place.at == u->stray.at;

	if (u->trailer.version != UMOD_VERSION_UBISOFT)
		report(c, AT_SPAN(u->stray.at, u->stray.len),
		       WORD(only ? "the only trailer is" : "a second trailer is"), HEX(u->stray.at),
		       WORD(who_looks[u->stray_place]));
}

/* ---- The directory --------------------------------------------------------------------------- */

FILE_DEFECT_RULE(
	UMD007, count_out_of_range, ERROR, UMOD_TRAILER, umod, u,
	UMOD_COUNT_UNREADABLE | UMOD_COUNT_IMPOSSIBLE, .class = CLASS_CORRUPTION,
	.explains = BIT(UMOD_DIRECTORY),
	.title = "The directory's count shall be a compact index, and 15 bytes for each of its "
		 "entries shall fit before the trailer.",
	.message = "the directory claims {0} {0:entry|entries}, {1} {1:has|have} room for {2}",
	.data = "count bytes_left possible",
	.why = "Readers that trust the count allocate memory for it, and run out of memory or "
	       "read past the end of the file.",
	.fix = "Get the file again; if it still fails, its author must rebuild it with ucc master.",
	.spec = "umod.md#3.2")
{
	const struct span left = u->entry_span;

	if (u->defects & UMOD_COUNT_UNREADABLE)
		report(c, AT_SPAN(left.at, left.len), WORD("an unreadable number of"),
		       SIZE(left.len), DEC(0));
	else
		report(c, AT(c, umod_directory, &u->directory, count),
		       SIGNED(u->directory.count.value), SIZE(left.len),
		       DEC(left.len / UMOD_ENTRY_MIN));
}

RULE(UMD008, directory_end_mismatch, ERROR, UMOD_DIRECTORY,
     .class   = CLASS_CORRUPTION, .sign = SIGN_FRAME,
     .title   = "The directory shall end where the trailer begins.",
     .message = "{0} {0:is|are} between the directory's end at {1} and the trailer at {2}",
     .data    = "length directory_end trailer_at",
     .why     = "The directory's count is too small, or bytes were added after the directory: "
                "readers disagree about which files the installer contains.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it with ucc "
                "master.",
     .spec    = "umod.md#3.3")
{
	const struct umod *u = c->facts;
	uint64_t len = u->trailer.at - u->directory_end;

	if (len > 0)
		report(c, AT_SPAN(u->directory_end, len), SIZE(len), HEX(u->directory_end),
		       HEX(u->trailer.at));
}

RULE(UMD016, manifest_missing, ERROR, UMOD_DIRECTORY,
     .class   = CLASS_CORRUPTION, .explains = BIT(UMOD_MANIFEST) | BIT(UMOD_LOCALE),
     .title   = "An installer shall have the members System\\Manifest.ini and "
                "System\\Manifest.int.",
     .message = "no member is named {0}",
     .data    = "name",
     .why     = "Setup reads from Manifest.ini what to install and from Manifest.int what to show "
                "the player; without them it stops.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it with ucc "
                "master, which adds both manifests.",
     .spec    = "umod.md#6.1")
{
	const struct umod *u = c->facts;

	if (u->manifest_member == u->n_members)
		report(c, AT(c, umod_directory, &u->directory, count),
		       WORD("System\\Manifest.ini"));
	if (u->locale_member == u->n_members)
		report(c, AT(c, umod_directory, &u->directory, count),
		       WORD("System\\Manifest.int"));
}

static const struct defect_words name_words[] = {
	{ UMOD_NAME_UNREADABLE, "does not end, with the entry's other fields, before the trailer" },
	{ UMOD_NAME_COUNT_ZERO, "has length 0" },
	{ UMOD_NAME_UNTERMINATED, "does not end in a NUL" },
	{ UMOD_NAME_TOO_LONG, "is longer than 260 characters" },
	{ UMOD_NAME_EMPTY, "is empty" },
	{ UMOD_NAME_INNER_NUL, "has a NUL inside" },
	{ UMOD_NAME_WIDE, "is UTF-16" },
};

DEFECT_RULE(UMD009, name_malformed, ERROR, UMOD_ODD_NAMES, name, umod_odd_name_defects,
     .class   = CLASS_CORRUPTION, .explains = BIT(UMOD_DIRECTORY),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the name is in UTF-16 and otherwise sound",
     .title   = "A member's name shall have 2 to 260 characters with its NUL, which is the last "
                "of them and the only one.",
     .message = "the name of entry {0} {1}",
     .data    = "entry defect",
     .why     = "Extractors copy the name into a buffer of 260 characters and stop at the first "
                "NUL: they crash, or write another file than the directory names.",
     .fix     = "Get the file again; if it still fails, its author must rename the file and "
                "rebuild the installer.",
     .spec    = "umod.md#4.1")
{
	const struct umod *u = c->facts;
	const struct arg defect = WORD(WORDS_FOR(name->defect, name_words));

	if (name->defect & UMOD_NAME_UNREADABLE)
		report(c, AT_SPAN(u->unreadable.at, u->unreadable.len), DEC(name->entry), defect);
	else
		report_as(c, name->defect & UMOD_NAME_WIDE,
			  counted(ENTRY_AT(c, &u->members[name->entry], name), name->n_more),
			  DEC(name->entry), defect);
}

EACH(UMD013, duplicate_name, ERROR, UMOD_DUPLICATES, pair,
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the name is not that of a manifest, System\\Manifest.*",
     .title   = "No two members shall have the same name, compared without case and with / as \\.",
     .message = "entry {0} has the same name as entry {1}: {2}",
     .data    = "entry first name",
     .why     = "The engine installs the first of them, an extractor that overwrites keeps the "
                "last: two players get different files from one installer.",
     .fix     = "Ask the author for an installer without the duplicate; the author must rebuild "
                "it with one of the two files.",
     .spec    = "umod.md#4.4")
{
	const struct umod *u = c->facts;
	const struct umod_member *first = &u->members[pair->first],
				 *second = &u->members[pair->second];

	report_as(c, !(second->traits & UMOD_IS_MANIFEST),
		  counted(ENTRY_AT(c, second, name), pair->n_more), DEC(pair->second),
		  DEC(pair->first), member_name(c, second));
	relate(c, ENTRY_AT(c, first, name), "the first member of this name");
}

DEFECT_RULE(UMD017, flags_unexpected, WARNING, UMOD_MEMBERS, m, UMOD_ODD_FLAGS,
     .class   = CLASS_HYGIENE,
     .title   = "A manifest's flags should be 3, those of any other member 0 or 3.",
     .message = "entry {0} has flags {1}, expected {2}: {3}",
     .data    = "entry flags expected name",
     .why     = "Setup keeps members with flags 3 for itself and installs the others: a manifest "
                "with other flags overwrites that of the game.",
     .fix     = "Get the installer from its author, who should rebuild it with ucc master, which "
                "sets the flags.",
     .spec    = "umod.md#3.4")
{
	report(c, ENTRY_AT(c, m, flags), member_number(c, m), HEX(m->flags),
	       either(m->traits & UMOD_IS_MANIFEST, "3", "0 or 3"), member_name(c, m));
}

DEFECT_RULE(UMD029, flag_compressed, WARNING, UMOD_MEMBERS, m, UMOD_IS_COMPRESSED,
     .class   = CLASS_COMPATIBILITY,
     .title   = "No member should have the flag Compressed (4).",
     .message = "entry {0} has the flag Compressed: {1}",
     .data    = "entry name",
     .why     = "The flag is declared, but no known engine decompresses such a member: the player "
                "gets the bytes as they are in the installer.",
     .fix     = "Get the installer from its author, who should rebuild it with ucc master, "
                "without compression of its own.",
     .spec    = "umod.md#3.6")
{
	report_member(c, m, ENTRY_AT(c, m, flags));
}

EACH(UMD023, index_not_minimal, NOTE, UMOD_LONG_INDEXES, index,
     .class   = CLASS_HYGIENE,
     .title   = "The directory's count and the lengths of names should be written in as few bytes "
                "as they need.",
     .message = "{0} is written in {1}, fewer are enough",
     .data    = "index length",
     .why     = "No known tool builds installers so; an extractor that reads only the short form "
                "misreads the rest of the directory.",
     .fix     = "None is needed to install it. Its author can rebuild the installer with ucc "
                "master.",
     .spec    = "umod.md#3.5")
{
	const struct umod *u = c->facts;

	if (index->of_count)
		report(c, counted(AT(c, umod_directory, &u->directory, count), index->n_more),
		       WORD("the count"), SIZE(index->len));
	else
		report(c, counted(ENTRY_AT(c, &u->members[index->entry], name), index->n_more),
		       WORD("the length of a name"), SIZE(index->len));
}

/* ---- The members' bytes ---------------------------------------------------------------------- */

DEFECT_RULE(UMD010, member_outside_data, ERROR, UMOD_MEMBERS, m, UMOD_OUTSIDE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_COUNT,
     .title   = "A member's bytes shall end before the directory.",
     .message = "entry {0} has {2} at {1}, and the directory begins at {3}: {4}",
     .data    = "entry offset size dir_offset name",
     .why     = "The engine stops with an assertion; extractors read past the end of the file or "
                "install bytes of the directory as part of the mod.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it with ucc "
                "master.",
     .spec    = "umod.md#5.1")
{
	const struct umod *u = c->facts;

	report(c, bytes_place(c, m), member_number(c, m), HEX(m->offset), SIZE(m->size),
	       HEX(u->trailer.dir_offset), member_name(c, m));
}

EACH(UMD011, members_overlap, WARNING, UMOD_OVERLAPS, pair,
     .class   = CLASS_CORRUPTION, .sign = SIGN_SHARED,
     .title   = "Members should not share bytes.",
     .message = "entry {0} begins at {1}, inside entry {2}, which ends at {3}",
     .data    = "entry offset other other_end",
     .why     = "No known tool builds installers so: one of the two files is probably not what "
                "its author packed, and together they unpack to more than the installer holds.",
     .fix     = "Get the file again; if it still fails, its author should rebuild it with ucc "
                "master.",
     .spec    = "umod.md#5.2")
{
	const struct umod *u = c->facts;
	const struct umod_member *a = &u->members[pair->first], *b = &u->members[pair->second];

	report(c, counted(ENTRY_AT(c, b, offset), pair->n_more), DEC(pair->second), HEX(b->offset),
	       DEC(pair->first), HEX(umod_member_end(a)));
	relate(c, ENTRY_AT(c, a, offset), "the entry that it overlaps");
}

EACH(UMD012, gap_between_members, WARNING, UMOD_GAPS, gap,
     .class   = CLASS_HYGIENE,
     .title   = "The bytes before the directory should belong to members, except for fewer than "
                "16 zeros up to a multiple of 16.",
     .message = "{0} at {1} {0:belongs|belong} to no member{2}",
     .data    = "length offset reason",
     .why     = "These bytes are neither installed nor part of any file that is checked: a member "
                "is missing from the directory, or data was added.",
     .fix     = "Get the file again; if it still fails, its author should rebuild it with ucc "
                "master.",
     .spec    = "umod.md#5.3")
{
	const char *reason = NULL;

	if (gap->span.len >= 16u + MUTANT(28)) /* mutant: sixteen zeros are padding */
		reason = ", padding has at most 15 bytes";
	else if (gap->nonzero)
		reason = ", padding has zeros only";
	else if (!gap->last && span_end(gap->span) % 16 != 0)
		reason = ", padding ends at a multiple of 16";
	if (reason)
		report(c, AT_SPAN(gap->span.at, gap->span.len), SIZE(gap->span.len),
		       HEX(gap->span.at), WORD(reason));
}

RULE(UMD021, members_out_of_order, NOTE, UMOD_DIRECTORY,
     .class   = CLASS_HYGIENE,
     .title   = "Members should be stored in the order of the directory.",
     .message = "entry {0} begins at {1}, before the entry that precedes it, at {2}",
     .data    = "entry offset before",
     .why     = "The engine installs it all the same, but every known builder stores members in "
                "order: another tool wrote or changed the file.",
     .fix     = "None is needed if the tool is known; otherwise get the file from its author, who "
                "can rebuild it with ucc master.",
     .spec    = "umod.md#5.4")
{
	const struct umod *u = c->facts;
	const struct umod_member *m = &u->members[u->first_out_of_order];

	if (u->first_out_of_order < u->n_members)
		report(c, ENTRY_AT(c, m, offset), DEC(u->first_out_of_order), HEX(m->offset),
		       HEX(m[-1].offset));
}

DEFECT_RULE(UMD027, member_empty, NOTE, UMOD_MEMBERS, m, UMOD_IS_EMPTY,
     .class   = CLASS_HYGIENE,
     .title   = "A member should have at least one byte.",
     .message = "entry {0} has 0 bytes, expected at least 1: {1}",
     .data    = "entry name",
     .why     = "The game crashes when it loads an empty package. Most often the file was lost "
                "when the installer was built.",
     .fix     = "Ask the author for an installer with the whole file; the author should rebuild "
                "it with the file, or without the entry.",
     .spec    = "umod.md#5.5")
{
	report_member(c, m, ENTRY_AT(c, m, size));
}

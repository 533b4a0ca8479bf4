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
     .message = "the file has {0}, a trailer alone needs 20",
     .data    = "size",
     .why     = "Every reader looks for the trailer first and finds none; most often the download "
                "was cut.",
     .fix     = "Get the file again.",
     .spec    = "umod.md#2.1")
{
	const struct umod *u = c->facts;

	if (u->size < UMOD_TRAILER_LEN)
		report(c, AT_SPAN(0, u->size), SIZE(u->size));
}

RULE(UMD002, magic_missing, ERROR, UMOD_FILE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UMOD_TRAILER),
     .title   = "The trailer shall begin with the magic number 0x9FE3C5A3.",
     .message = "no magic number 0x9FE3C5A3 at {0}, where the trailer should start",
     .data    = "trailer_at",
     .why     = "The engine refuses the installer as incomplete. The file was cut, has bytes "
                "behind its end, or is something else.",
     .fix     = "Get the file again; if it still fails, it is not an installer, or its author must "
                "rebuild it.",
     .spec    = "umod.md#2.2")
{
	const struct umod *u = c->facts;

	if (u->size >= UMOD_TRAILER_LEN && stopped(u, UMOD_TRAILER, STOP_MALFORMED))
		report(c, AT_SPAN(u->trailer_place.at, 4), HEX(u->trailer_place.at));
}

RULE(UMD003, version_unsupported, ERROR, UMOD_TRAILER,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UMOD_DIRECTORY) | BIT(UMOD_CONTENT),
     .lesser  = SEVERITY_UNDETERMINED,
     .lesser_when = "the version is 2: Ubisoft's format of the same magic, which uvet does not "
                    "read",
     .title   = "The trailer's version shall be 1.",
     .message = "version {0}, the engine accepts version 1 only",
     .data    = "version",
     .why     = "The engine refuses every other version. Version 2 is the .umd of Ubisoft's games, "
                "a different format.",
     .fix     = "Rebuild the installer with a tool of Unreal's family.",
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
     .why     = "The engine refuses the installer as incomplete.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it.",
     .spec    = "umod.md#2.4")
{
	const struct umod *u = c->facts;

	if (u->trailer.version != UMOD_VERSION_UBISOFT && u->trailer.file_size != u->end)
		report(c, AT(c, umod_trailer, &u->trailer, file_size), SIZE(u->trailer.file_size),
		       SIZE(u->end));
}

RULE(UMD005, directory_outside_file, ERROR, UMOD_TRAILER,
     .class   = CLASS_CORRUPTION, .explains = BIT(UMOD_DIRECTORY),
     .title   = "The directory offset shall lie before the trailer.",
     .message = "directory offset {0} is not before the trailer at {1}",
     .data    = "dir_offset trailer_at",
     .why     = "Extractors seek there without a check and read past the end.",
     .fix     = "Rebuild the installer.",
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
     .lesser_when = "the file's name ends in .exe: the engine leaves the CRC of a self-extracting "
                    "installer alone",
     .title   = "The trailer's CRC shall be that of every byte before the trailer.",
     .message = "stored CRC {0}, bytes 0 to {2} give {1}",
     .data    = "crc computed last",
     .why     = "The engine refuses the installer as corrupt: at least one byte is not what its "
                "author packed.",
     .fix     = "Get the file again; if it still fails, its author must rebuild it.",
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
     .message = "the installer has {0}, the engine's offsets end at {1}",
     .data    = "size limit",
     .why     = "Sizes and offsets are signed 32-bit numbers in the engine; a larger file cannot "
                "match its own trailer.",
     .fix     = "Split the mod into several installers.",
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
     .lesser_when = "the file's name ends in .exe, as a self-extracting installer's should, or "
                    "what it begins with is a program for DOS",
     .title   = "An installer that is a Windows executable should be named .exe.",
     .message = "the file begins with {1} of {0}",
     .data    = "image_size program",
     .why     = "Whoever renames and runs it runs a stranger's code; a reader that looks at the "
                "first bytes and one that looks at the last "
		"see two different files.",
     .fix     = "Scan the executable, or publish the installer without it.",
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
	.class = CLASS_HYGIENE, .title = "The bytes between trailer and signature should be zero.",
	.message = "{0} between trailer and signature {0:is not|are not all} zero",
	.data = "length",
	.why = "No signing tool writes anything there; something was hidden or went wrong.",
	.fix = "Sign the installer again.", .spec = "umod.md#2.7")
{
	report(c, AT_SPAN(u->end, u->stub.security.offset - u->end),
	       SIZE(u->stub.security.offset - u->end));
}

RULE(UMD030, signature_truncated, WARNING, UMOD_FILE,
     .class   = CLASS_CORRUPTION,
     .title   = "The signature of a self-extracting installer should lie in the file with all its "
                "bytes.",
     .message = "the signature should have {0} from {1} on, {2} {2:is|are} missing",
     .data    = "length offset missing",
     .why     = "The file was cut or changed after it was signed: Windows says that its publisher "
                "is unknown.",
     .fix     = "Get the whole file again, or sign it again.",
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
	[PLACE_OWN] = "all",
	[PLACE_END] = "readers that know of no signatures",
	[PLACE_OTHER] =
		"readers that take the program for one of 32 bits, or of 64, which it is not",
};

FILE_DEFECT_RULE(
	UMD031, trailer_after_signature, ERROR, UMOD_TRAILER, umod, u, UMOD_STRAY_TRAILER,
	.class = CLASS_SECURITY, .sign = SIGN_ATTACK,
	.title = "A program shall have one trailer: before its signature, or else at its end, "
		 "whoever looks for it.",
	.message = "{0} at {1}, where {2} look for it", .data = "trailer trailer_at readers",
	.why = "Engines on Windows look before the signature, each where a program of its own "
	       "width has it, others and most extractors at "
	       "the end of the file: two people install two different mods.",
	.fix = "Reject the file: no tool that signs writes a trailer there.", .spec = "umod.md#2.9")
{
	const bool only = u->trailer_place.at == u->stray.at;

	if (u->trailer.version != UMOD_VERSION_UBISOFT)
		report(c, AT_SPAN(u->stray.at, u->stray.len),
		       WORD(only ? "the only trailer stands" : "a second trailer stands"),
		       HEX(u->stray.at), WORD(who_looks[u->stray_place]));
}

/* ---- The directory --------------------------------------------------------------------------- */

FILE_DEFECT_RULE(
	UMD007, count_out_of_range, ERROR, UMOD_TRAILER, umod, u,
	UMOD_COUNT_UNREADABLE | UMOD_COUNT_IMPOSSIBLE, .class = CLASS_CORRUPTION,
	.explains = BIT(UMOD_DIRECTORY),
	.title = "The directory's count shall be a compact index that its bytes can hold, 15 bytes "
		 "an entry.",
	.message = "the directory claims {0} {0:entry|entries}, {1} {1:has|have} room for {2}",
	.data = "count bytes_left possible",
	.why = "Readers that believe the count allocate for it, and run out of memory or read "
	       "past the end.",
	.fix = "Rebuild the installer.", .spec = "umod.md#3.2")
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
     .class   = CLASS_CORRUPTION,
     .title   = "The directory shall end where the trailer starts.",
     .message = "{0} {0:lies|lie} between the directory's end at {1} and the trailer at {2}",
     .data    = "length directory_end trailer_at",
     .why     = "The count is too small, or something was put behind the directory; readers "
                "disagree about what the file contains.",
     .fix     = "Rebuild the installer.",
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
     .why     = "Setup reads what to install from the one and what to say from the other; without "
                "them it stops.",
     .fix     = "Rebuild the installer with its manifests.",
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
	{ UMOD_NAME_UNREADABLE, "or its fields do not fit before the trailer" },
	{ UMOD_NAME_COUNT_ZERO, "has length 0" },
	{ UMOD_NAME_UNTERMINATED, "does not end in NUL" },
	{ UMOD_NAME_TOO_LONG, "is longer than 260 characters" },
	{ UMOD_NAME_EMPTY, "is empty" },
	{ UMOD_NAME_INNER_NUL, "has a NUL inside" },
	{ UMOD_NAME_WIDE, "is UTF-16" },
};

DEFECT_RULE(UMD009, name_malformed, ERROR, UMOD_ODD_NAMES, name, umod_odd_name_defects,
     .class   = CLASS_CORRUPTION, .explains = BIT(UMOD_DIRECTORY),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the name is UTF-16 but otherwise sound",
     .title   = "A member's name shall be a counted text of 2 to 260 characters, with a NUL at its "
                "end and nowhere else.",
     .message = "the name of entry {0} {1}",
     .data    = "entry defect",
     .why     = "Readers copy the name into a buffer of 260 characters, and stop at the first NUL "
                "or never.",
     .fix     = "Rebuild the installer.",
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
     .title   = "No two members shall have the same name, compared without case and with either "
                "separator.",
     .message = "entry {0} has the name of entry {1}: {2}",
     .data    = "entry first name",
     .why     = "The engine takes the first, an extractor that overwrites keeps the last: two "
                "people install two different files.",
     .fix     = "Rebuild the installer with one of them.",
     .spec    = "umod.md#4.4")
{
	const struct umod *u = c->facts;
	const struct umod_member *first = &u->members[pair->first],
				 *second = &u->members[pair->second];

	report_as(c, !(second->traits & UMOD_IS_MANIFEST),
		  counted(ENTRY_AT(c, second, name), pair->n_more), DEC(pair->second),
		  DEC(pair->first), member_name(c, second));
	relate(c, ENTRY_AT(c, first, name), "the first of this name");
}

DEFECT_RULE(UMD017, flags_unexpected, WARNING, UMOD_MEMBERS, m, UMOD_ODD_FLAGS,
     .class   = CLASS_HYGIENE,
     .title   = "A manifest's flags should be 3, any other member's 0 or 3.",
     .message = "entry {0} has flags {1}, expected {2}: {3}",
     .data    = "entry flags expected name",
     .why     = "Setup takes members with flags 3 for itself and installs the others; a manifest "
                "with other flags ends up in the game.",
     .fix     = "Rebuild the installer; its builder sets the flags by itself.",
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
     .why     = "The flag is declared but no engine ever decompressed such a member; it is "
                "installed as it lies.",
     .fix     = "Rebuild the installer.",
     .spec    = "umod.md#3.6")
{
	report_member(c, m, ENTRY_AT(c, m, flags));
}

EACH(UMD023, index_not_minimal, NOTE, UMOD_LONG_INDEXES, index,
     .class   = CLASS_HYGIENE,
     .title   = "The directory's count and the names' lengths should be written in as few bytes as "
                "they need.",
     .message = "{0} is written in {1}",
     .data    = "index length",
     .why     = "No engine writes it so; tools that read only the short form misread everything "
                "behind it.",
     .fix     = "Rebuild the installer.",
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
     .class   = CLASS_CORRUPTION,
     .title   = "A member's bytes shall lie before the directory.",
     .message = "entry {0} has {2} at {1}, the directory starts at {3}: {4}",
     .data    = "entry offset size dir_offset name",
     .why     = "Extractors read past the end or install the directory's bytes; the engine "
                "asserts.",
     .fix     = "Rebuild the installer.",
     .spec    = "umod.md#5.1")
{
	const struct umod *u = c->facts;

	report(c, bytes_place(c, m), member_number(c, m), HEX(m->offset), SIZE(m->size),
	       HEX(u->trailer.dir_offset), member_name(c, m));
}

EACH(UMD011, members_overlap, WARNING, UMOD_OVERLAPS, pair,
     .class   = CLASS_CORRUPTION,
     .title   = "Members should not share bytes.",
     .message = "entry {0} starts at {1}, inside entry {2}, which ends at {3}",
     .data    = "entry offset other other_end",
     .why     = "No builder does so; changing one file changes another, and the sum of the sizes "
                "is a lie.",
     .fix     = "Rebuild the installer.",
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
     .title   = "The bytes before the directory should belong to members, but for less than 16 "
                "zero bytes up to a multiple of 16.",
     .message = "{0} at {1} {0:belongs|belong} to no member{2}",
     .data    = "length offset reason",
     .why     = "Nobody checks or installs them: data can be hidden there, or a member is missing "
                "from the directory.",
     .fix     = "Rebuild the installer.",
     .spec    = "umod.md#5.3")
{
	const char *reason = NULL;

	if (gap->span.len >= 16u + MUTANT(28)) /* mutant: sixteen zeros are padding */
		reason = ", padding is at most 15";
	else if (gap->nonzero)
		reason = ", padding is zero";
	else if (!gap->last && span_end(gap->span) % 16 != 0)
		reason = ", padding ends at a multiple of 16";
	if (reason)
		report(c, AT_SPAN(gap->span.at, gap->span.len), SIZE(gap->span.len),
		       HEX(gap->span.at), WORD(reason));
}

RULE(UMD021, members_out_of_order, NOTE, UMOD_DIRECTORY,
     .class   = CLASS_HYGIENE,
     .title   = "Members should lie in the order of the directory.",
     .message = "entry {0} starts at {1}, before its predecessor at {2}",
     .data    = "entry offset before",
     .why     = "Every builder writes them in order; this file was made or changed by something "
                "else.",
     .fix     = "Nothing, if the tool is known.",
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
     .message = "entry {0} is empty: {1}",
     .data    = "entry name",
     .why     = "Empty packages crash the game that loads them; most often the file was lost when "
                "the installer was built.",
     .fix     = "Rebuild the installer with the whole file, or without it.",
     .spec    = "umod.md#5.5")
{
	report_member(c, m, ENTRY_AT(c, m, size));
}

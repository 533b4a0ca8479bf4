/* The family FIL: the file as a whole, and its name. */
#include "core/path.h"
#include "formats/upkg/header/file.h"
#include "formats/upkg/header/header.h"
#include "rule/finding.h"

static bool is_unsupported(const struct upkg *u, enum upkg_kind kind)
{
	return u->file.kind == kind;
}

RULE(FIL001, file_empty, ERROR, UPKG_FILE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UPKG_HEADER),
     .title   = "A package shall have bytes.",
     .message = "the file is empty",
     .data    = "",
     .why     = "No engine loads it; some read past its end. Most often an upload or a download "
                "ended before it began.",
     .fix     = "Get the file again.",
     .spec    = "upkg.md#1.2")
{
	const struct upkg *u = c->facts;

	if (u->size == 0)
		report_plain(c, AT_SPAN(0, 0));
}

RULE(FIL002, header_truncated, ERROR, UPKG_FILE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UPKG_HEADER),
     .title   = "A package shall have its whole header.",
     .message = "the file has {0}, the header needs {1}",
     .data    = "size needed",
     .why     = "Every reader begins with the header; most often the download was cut.",
     .fix     = "Get the file again.",
     .spec    = "upkg.md#1.2")
{
	const struct upkg *u = c->facts;
	uint64_t needed = u->tag.version >= UPKG_VERSION_GUID ? 56 : 44;

	if (u->file.kind == UPKG_IS_PACKAGE && u->groups[UPKG_HEADER].why == STOP_MALFORMED)
		report(c, AT_SPAN(0, u->size), SIZE(u->size), SIZE(needed));
}

RULE(FIL003, tag_missing, ERROR, UPKG_FILE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UPKG_HEADER),
     .title   = "A package shall begin with the tag 0x9E2A83C1.",
     .message = "the file does not begin with the tag 0x9E2A83C1 of a package",
     .data    = "",
     .why     = "The engine refuses the file: it is something else, or its first bytes were "
                "changed.",
     .fix     = "Get the file again, or give it the name that belongs to what it is.",
     .spec    = "upkg.md#1.1")
{
	const struct upkg *u = c->facts;

	if (u->size > 0 && u->file.kind == UPKG_IS_OTHER && !(u->traits & FILE_UNIFORM))
		report_plain(c, AT_SPAN(0, u->size < 4 ? u->size : 4));
}

RULE(FIL004, killing_floor_only, NOTE, UPKG_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A package for other games than Killing Floor should have the tag 0x9E2A83C1.",
     .message = "the tag is 0x9E2A83C2: only Killing Floor loads this package",
     .data    = "",
     .why     = "Killing Floor changed the tag of the packages that it saves; the rest of the file "
                "is as in UT2004.",
     .fix     = "None is needed for Killing Floor.",
     .spec    = "upkg.md#2.1")
{
	const struct upkg *u = c->facts;

	if (u->tag.magic == UPKG_MAGIC_KF)
		report_plain(c, AT(c, upkg_tag, &u->tag, magic));
}

RULE(FIL005, big_endian, UNDETERMINED, UPKG_FILE,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UPKG_HEADER),
     .title   = "A package should be little-endian.",
     .message = "the tag is big-endian: a package of a console, which uvet does not read",
     .data    = "",
     .why     = "Nothing behind the tag was judged.",
     .fix     = "Check the package of the PC version.",
     .spec    = "upkg.md#2.1")
{
	const struct upkg *u = c->facts;

	if (is_unsupported(u, UPKG_IS_BIG_ENDIAN))
		report_plain(c, AT_SPAN(0, 4));
}

RULE(FIL006, encrypted_wrapper, UNDETERMINED, UPKG_FILE,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UPKG_HEADER),
     .title   = "A package should not be wrapped.",
     .message = "the file is encrypted as the game Lineage 2 does it, which uvet does not read",
     .data    = "",
     .why     = "Nothing inside the wrapper was judged.",
     .fix     = "Check the package that was wrapped.",
     .spec    = "upkg.md#1.1")
{
	const struct upkg *u = c->facts;

	if (is_unsupported(u, UPKG_IS_WRAPPED))
		report_plain(c, AT_SPAN(0, u->size < 28 ? u->size : 28));
}

RULE(FIL007, content_name_mismatch, WARNING, UPKG_FILE,
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "a package has another extension: games have more of them than are known",
     .title   = "What has a package's name should be a package, and the reverse.",
     .message = "the file is {0}, its name is {1}",
     .data    = "content name",
     .why     = "Who goes by the name takes the file for what it is not: servers hand out packages "
                "without a look inside.",
     .fix     = "Give the file the extension of what it is.",
     .spec    = "upkg.md#1.1")
{
	const struct upkg *u = c->facts;
	bool has_extension = path_extension(u->file.name).ref.n_units > 0;

	if (u->file.named && u->file.kind == UPKG_IS_OTHER && u->file.what)
		report(c, AT_SPAN(0, u->size < 16 ? u->size : 16), WORD(u->file.what),
		       WORD("that of a package"));
	else if (!u->file.named && has_extension && u->file.kind == UPKG_IS_PACKAGE &&
		 u->groups[UPKG_HEADER].why == STOP_NOT)
		report_lesser(c, AT_SPAN(0, 16), WORD(u->file.what), WORD("not that of a package"));
}

#define CONTENT_MISSING \
	(FILE_UNIFORM | FILE_TAIL_TABLE | FILE_TAIL_BODIES | FILE_IMPORT_LOST | FILE_EXPORT_LOST)

FILE_DEFECT_RULE(
	FIL008, content_missing, ERROR, UPKG_FILE, upkg, u, CONTENT_MISSING,
	.class = CLASS_CORRUPTION, .explains = BIT(UPKG_HEADER), .lesser = SEVERITY_WARNING,
	.lesser_when = "only bodies, or the exports of a conformed package, lie where the file is "
		       "zero",
	.title = "The bytes of a package shall be there.", .message = "{0}", .data = "what",
	.why = "Downloads that were cut are often filled up with zeros: the file has its size and "
	       "not its content.",
	.fix = "Get the file again.", .spec = "upkg.md#1.5")
{
	if (u->traits & FILE_UNIFORM)
		report(c, AT_SPAN(0, u->size), WORD("all bytes of the file are the same"));
	else if (u->traits & FILE_TAIL_TABLE)
		report(c, AT_SPAN(u->size - UPKG_TAIL, UPKG_TAIL),
		       WORD("the last 4096 bytes are zero, where a table lies"));
	else if (u->traits & FILE_IMPORT_LOST)
		report(c, AT_SPAN(u->lost_row.at, u->lost_row.len),
		       WORD("an import is nothing but zeros"));
	else if (u->traits & FILE_EXPORT_LOST)
		report(c, AT_SPAN(u->lost_row.at, u->lost_row.len),
		       WORD("an export is nothing but zeros"));
	else
		report_lesser(c, AT_SPAN(u->size - UPKG_TAIL, UPKG_TAIL),
			      WORD("the last 4096 bytes are zero, where bodies or exports lie"));
}

RULE(FIL009, package_too_large, ERROR, UPKG_FILE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A package shall have at most 2147483647 bytes.",
     .message = "the file has {0}, at most {1} can be addressed",
     .data    = "size limit",
     .why     = "Offsets are signed 32-bit numbers.",
     .fix     = "Split the package.",
     .spec    = "upkg.md#1.3")
{
	const struct upkg *u = c->facts;

	if (u->size > UPKG_SIZE_MAX)
		report(c, AT_SPAN(UPKG_SIZE_MAX, u->size - UPKG_SIZE_MAX), SIZE(u->size),
		       SIZE(UPKG_SIZE_MAX));
}

/* Letters, digits and the signs that names of packages are known to have. */
static bool is_usual(uint32_t c)
{
	return text_between(c, 'a', 'z') || text_between(c, 'A', 'Z') ||
	       text_between(c, '0', '9') || text_find(text_from("_-[]() .'+&!%"), c, 0) < 13;
}

static const char *stem_defect(const struct text *name, const struct text *stem)
{
	uint32_t n = stem->ref.n_units;

	if (name->ref.n_units > 0 && text_unit(*name, 0) == '.')
		return "begins with a dot";
	if (n == 0)
		return NULL;
	if (n >= UPKG_NAME_MAX)
		return "is longer than 63 characters";
	if (text_unit(*stem, n - 1) == ' ')
		return "ends in a space";
	if (path_examine(*name).traits & PATH_DEVICE)
		return "is that of a device on Windows";
	for (uint32_t i = 0; i < n; i++)
		if (!is_usual(text_unit(*stem, i)))
			return "has a character that engines or servers do not expect";
	return NULL;
}

RULE(FIL010, file_name_not_portable, WARNING, UPKG_FILE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The name of a package's file should have at most 63 usual characters before its "
                "extension, and be no device's.",
     .message = "the file's name {0}",
     .data    = "defect",
     .why     = "The name of the file is the package's name in the engine: what does not fit there "
                "cannot be loaded or downloaded. "
		"Windows has no files called as devices are.",
     .fix     = "Rename the file, and rebuild what refers to it.",
     .spec    = "upkg.md#1.4")
{
	const struct upkg *u = c->facts;
	const char *defect = stem_defect(&u->file.name, &u->file.stem);

	if (defect)
		report(c, NOWHERE, WORD(defect));
}

RULE(FIL011, file_name_needs_escapes, NOTE, UPKG_FILE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The name of a package's file should have neither spaces nor percent signs.",
     .message = "the file's name has {0}",
     .data    = "what",
     .why     = "Clients put the name into the address of a redirect server as it stands: the "
                "download fails.",
     .fix     = "Rename the file, and rebuild what refers to it.",
     .spec    = "upkg.md#1.4")
{
	const struct upkg *u = c->facts;
	uint32_t n = u->file.name.ref.n_units;

	if (text_find(u->file.name, ' ', 0) < n)
		report(c, NOWHERE, WORD("a space"));
	else if (text_find(u->file.name, '%', 0) < n)
		report(c, NOWHERE, WORD("a percent sign"));
}

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
     .title   = "A package shall not be empty.",
     .message = "the file has 0 bytes, a package has 44 at least",
     .data    = "",
     .why     = "No engine loads it, and some read past its end. Most often an upload or a "
                "download was interrupted before its first byte.",
     .fix     = "Get the file again; if it still fails, its author must upload the whole package.",
     .spec    = "upkg.md#1.2")
{
	const struct upkg *u = c->facts;

	if (u->size == 0)
		report_plain(c, AT_SPAN(0, 0));
}

RULE(FIL002, header_truncated, ERROR, UPKG_FILE,
     .class   = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(UPKG_HEADER),
     .title   = "A package shall contain its whole header.",
     .message = "the file has {0}, its header needs {1}",
     .data    = "size needed",
     .why     = "The game cannot load the package, because every reader begins with the header. "
                "Most often the download is truncated.",
     .fix     = "Get the file again; if it still fails, its author must upload the whole package.",
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
     .message = "the first bytes are not the tag 0x9E2A83C1 of a package",
     .data    = "",
     .why     = "The game refuses the file: it is something else than a package, or its first "
                "bytes were changed.",
     .fix     = "Get the file again; if it still fails, its author must upload the package, or "
                "give the file the extension of what it is.",
     .spec    = "upkg.md#1.1")
{
	const struct upkg *u = c->facts;

	if (u->size > 0 && u->file.kind == UPKG_IS_OTHER && !(u->traits & FILE_UNIFORM))
		report_plain(c, AT_SPAN(0, u->size < 4 ? u->size : 4));
}

RULE(FIL004, killing_floor_only, NOTE, UPKG_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A package for games other than Killing Floor should have the tag 0x9E2A83C1.",
     .message = "the tag is 0x9E2A83C2, expected 0x9E2A83C1: only Killing Floor loads this package",
     .data    = "",
     .why     = "Players of other games cannot load it. Killing Floor changed the tag of packages "
                "that it saves; the rest of the file is as in UT2004.",
     .fix     = "None is needed for Killing Floor. For another game its author should save the "
                "package in that game's UnrealEd.",
     .spec    = "upkg.md#2.1")
{
	const struct upkg *u = c->facts;

	if (u->tag.magic == UPKG_MAGIC_KF)
		report_plain(c, AT(c, upkg_tag, &u->tag, magic));
}

RULE(FIL005, big_endian, UNDETERMINED, UPKG_FILE,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UPKG_HEADER),
     .title   = "A package should be little-endian.",
     .message = "the tag is in big-endian order: this is a package of a console, which uvet does "
                "not read",
     .data    = "",
     .why     = "Games on a PC do not load it, and nothing after the tag was judged.",
     .fix     = "Get the package of the PC version. Its author should check that one before the "
                "upload.",
     .spec    = "upkg.md#2.1")
{
	const struct upkg *u = c->facts;

	if (is_unsupported(u, UPKG_IS_BIG_ENDIAN))
		report_plain(c, AT_SPAN(0, 4));
}

RULE(FIL006, encrypted_wrapper, UNDETERMINED, UPKG_FILE,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UPKG_HEADER),
     .title   = "A package should not be encrypted.",
     .message = "the file is encrypted in the way of Lineage 2, which uvet does not read",
     .data    = "",
     .why     = "Other games do not load it, and nothing in the encrypted package was judged.",
     .fix     = "Use it with Lineage 2 only. Its author should have the package checked before it "
                "is encrypted.",
     .spec    = "upkg.md#1.1")
{
	const struct upkg *u = c->facts;

	if (is_unsupported(u, UPKG_IS_WRAPPED))
		report_plain(c, AT_SPAN(0, u->size < 28 ? u->size : 28));
}

RULE(FIL007, content_name_mismatch, WARNING, UPKG_FILE,
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "a package has an extension that is not known: games have more of them",
     .title   = "A file with the extension of a package should be a package, and a package should "
                "have such an extension.",
     .message = "the file is {0}, but its extension is {1}",
     .data    = "content name",
     .why     = "Servers and clients go by the extension: a package is not found, or a file of "
                "another kind is downloaded as a package without a check.",
     .fix     = "Do not rename or open it before you know what it is; get it again from its "
                "author, who should give it its proper extension.",
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
	.lesser_when = "the zeros are where only bodies, or only exports of a conformed package, "
		       "are stored",
	.title = "The bytes of a package shall be those that its author saved, not filler.",
	.message = "{0}", .data = "what",
	.why = "Parts of the package are missing, so that the game crashes or refuses it. "
	       "Interrupted downloads are often filled up with zeros to the full size.",
	.fix = "Get the file again; if it still fails, its author must upload the whole package.",
	.spec = "upkg.md#1.5")
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
     .message = "the file has {0}, the engine can address {1} at most",
     .data    = "size limit",
     .why     = "The engine keeps offsets as signed 32-bit numbers, so it cannot load what is "
                "stored after that limit.",
     .fix     = "Ask the author for smaller packages; the author must move objects to a second "
                "package in UnrealEd.",
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
     .title   = "The name of a package's file should have at most 63 letters, digits and common "
                "signs before its extension, and should not be that of a device.",
     .message = "the file's name {0}",
     .data    = "defect",
     .why     = "The engine uses the file's name as the package's name: a package with a name "
                "that it does not expect cannot be loaded or downloaded. Windows reserves the "
                "names of devices.",
     .fix     = "Ask the author for a package with another name: renaming it yourself breaks the "
                "packages that refer to it. The author should rename it and rebuild those.",
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
     .why     = "Clients put the name into the address of a redirect server without escaping it, "
                "so that the download fails.",
     .fix     = "None is needed to play it. Its author should rename the file and rebuild the "
                "packages that refer to it.",
     .spec    = "upkg.md#1.4")
{
	const struct upkg *u = c->facts;
	uint32_t n = u->file.name.ref.n_units;

	if (text_find(u->file.name, ' ', 0) < n)
		report(c, NOWHERE, WORD("a space"));
	else if (text_find(u->file.name, '%', 0) < n)
		report(c, NOWHERE, WORD("a percent sign"));
}

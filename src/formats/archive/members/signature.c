/* What the first bytes of a file say: which archive it is. Source: conformance/spec/archive.md,
 * 1.1. */
#include "formats/archive/members/members.h"

#include <string.h>

#include "core/package_tag.h"
#include "core/path.h"

/* The magic numbers that stand at the beginning of a file. A zip may begin with its end, if nothing
 * is in it, or with the mark of what was once split. */
static const struct arc_magic {
	enum arc_signature is;
	uint8_t len;
	const char *bytes;
} magics[] = {
	{ ARC_IS_ZIP, 4, "PK\3\4" },
	{ ARC_IS_ZIP, 4, "PK\5\6" },
	{ ARC_IS_ZIP, 8, "PK\7\10PK\3\4" },
	{ ARC_IS_ZIP, 8, "PK00PK\3\4" },
	{ ARC_IS_7Z, 6, "7z\xBC\xAF\x27\x1C" },
	{ ARC_IS_RAR5, 8, "Rar!\x1A\7\1" }, /* and the NUL that ends the text here */
	{ ARC_IS_RAR4, 7, "Rar!\x1A\7" },
	{ ARC_IS_GZIP, 3, "\x1F\x8B\10" },
	{ ARC_IS_XZ, 6,
	  "\xFD"
	  "7zXZ" },
	{ ARC_IS_ZSTD, 4, "\x28\xB5\x2F\xFD" },
	{ ARC_IS_BZIP2, 3, "BZh" },
};

/* Where the checksum of a tar's header stands, and how long it is. */
enum { TAR_SUM_AT = 148, TAR_SUM_LEN = 8 };

static bool is_octal(uint64_t byte)
{
	return byte >= '0' && byte <= '7';
}

/* Octal digits with spaces before them; they end in a space or a NUL. */
static bool octal(struct held field, uint64_t *out)
{
	uint64_t i = 0, n = 0;

	for (; i < field.len && held_u8(field, i) == ' '; i++)
		;
	for (*out = 0; i < field.len && is_octal(held_u8(field, i)); i++, n++)
		*out = *out * 8 + (held_u8(field, i) - '0');
	return n > 0 && (i == field.len || held_u8(field, i) == ' ' || held_u8(field, i) == 0);
}

/* The sum takes its own field for spaces. Where it counts signed bytes, it may be below 0, and no
 * header says so. */
struct arc_tar_sum arc_tar_sum_of(struct held header)
{
	struct arc_tar_sum s = { .plain = 0 };
	uint64_t high = 0;

	s.is_said = octal(held_part(header, TAR_SUM_AT, TAR_SUM_LEN), &s.said);
	for (uint64_t i = 0; i < header.len; i++) {
		const bool own = i >= TAR_SUM_AT && i < TAR_SUM_AT + TAR_SUM_LEN;
		const uint64_t byte = own ? ' ' : held_u8(header, i);

		s.plain += byte;
		high += byte >= 0x80;
	}
	s.as_signed = s.plain >= 256 * high ? s.plain - 256 * high : UINT64_MAX;
	return s;
}

static bool is_tar(struct held first)
{
	struct arc_tar_sum sum;

	if (first.len < ARC_TAR_HEADER || held_u8(first, 0) == 0)
		return false;
	sum = arc_tar_sum_of(held_part(first, 0, ARC_TAR_HEADER));
	return arc_tar_sum_is_right(&sum);
}

/* A file of Zstandard may begin with a frame that is to be skipped, as those of pzstd do. */
static bool is_skipped_frame(struct held first)
{
	return held_has(first, 0, 4) && held_u8(first, 0) / 16 == 5 &&
	       memcmp(first.bytes + 1, "\x2A\x4D\x18", 3) == 0;
}

enum arc_signature arc_signature_of(struct held first)
{
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (held_has(first, 0, magics[i].len) &&
		    memcmp(first.bytes, magics[i].bytes, magics[i].len) == 0)
			return magics[i].is;
	if (is_skipped_frame(first))
		return ARC_IS_ZSTD;
	if (is_tar(first))
		return ARC_IS_TAR;
	return arc_unread_name(first) ? ARC_IS_UNREAD : ARC_NO_ARCHIVE;
}

const char *arc_signature_name(enum arc_signature s)
{
	static const char *const names[] = { NULL,
					     "zip",
					     "7z",
					     "rar",
					     "rar",
					     "gzip",
					     "xz",
					     "Zstandard",
					     "bzip2",
					     "tar",
					     "archive of another kind" };

	return names[s];
}

enum arc_signature arc_source_signature(struct source *s)
{
	const struct span first = { 0, s->io.size < ARC_SIGNATURE_LEN ? s->io.size
								      : ARC_SIGNATURE_LEN };
	struct held bytes;
	struct cursor c;

	if (!source_window(s, first, &c) || !held_take(&c, first.len, &bytes))
		return ARC_NO_ARCHIVE;
	return arc_signature_of(bytes);
}

/* ---- Names ----------------------------------------------------------------------------------- */

static const struct {
	const char *extension;
	enum arc_signature is;
} promises[] = {
	{ "zip", ARC_IS_ZIP },    { "7z", ARC_IS_7Z },     { "rar", ARC_IS_RAR5 },
	{ "tar", ARC_IS_TAR },    { "gz", ARC_IS_GZIP },   { "tgz", ARC_IS_GZIP },
	{ "xz", ARC_IS_XZ },      { "txz", ARC_IS_XZ },    { "zst", ARC_IS_ZSTD },
	{ "tzst", ARC_IS_ZSTD },  { "bz2", ARC_IS_BZIP2 }, { "tbz", ARC_IS_BZIP2 },
	{ "tbz2", ARC_IS_BZIP2 },
};

enum arc_signature arc_promised(struct text extension)
{
	for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
		if (text_is(extension, promises[i].extension))
			return promises[i].is;
	return ARC_NO_ARCHIVE;
}

/* Documents and programs that are archives inside. Source: conformance/spec/archive.md, 1.9. */
static const char *const documents[] = {
	"jar", "docx", "xlsx", "pptx",  "odt", "ods",  "odp",  "numbers", "pages",
	"key", "apk",  "aar",  "nupkg", "whl", "vsix", "epub", "xpi",     "ipa",
};

static bool is_document(struct text name)
{
	return text_is_one(path_extension(name), documents, sizeof documents / sizeof *documents);
}

bool arc_is_checked(struct held first)
{
	static const char toc[] = "-==--==--==--==-";

	return held_u32(first, 0) == PACKAGE_TAG || arc_signature_of(first) != ARC_NO_ARCHIVE ||
	       (first.len >= sizeof toc - 1 && memcmp(first.bytes, toc, sizeof toc - 1) == 0);
}

/* What Git has in place of a file that Git LFS keeps elsewhere. */
static bool is_pointer(struct held first)
{
	static const char version[] = "version https://git-lfs.github.com/spec/";

	return first.len >= sizeof version - 1 &&
	       memcmp(first.bytes, version, sizeof version - 1) == 0;
}

void members_note_content(struct arc_member *m, struct held first)
{
	if (m->kind != ARC_FILE)
		return;
	if (arc_signature_of(first) != ARC_NO_ARCHIVE && !is_document(m->name))
		m->traits |= ARC_ARCHIVE;
	if (is_pointer(first))
		m->traits |= ARC_POINTER;
	m->is_disguised = arc_begins_as_program(first);
}

void arc_file_look(struct arc_file *f, struct source *s)
{
	f->is = arc_source_signature(s);
	f->promised = arc_promised(path_extension(text_from(s->name)));
}

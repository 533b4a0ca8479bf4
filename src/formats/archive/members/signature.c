/* What the first bytes of a file say: which archive it is. Source: conformance/spec/archive.md,
 * 1.1. */
#include "formats/archive/members/members.h"

#include <string.h>

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

/* Where the checksum of a tar's header stands, how long it is, and how long the header. */
enum { TAR_SUM_AT = 148, TAR_SUM_LEN = 8, TAR_HEADER = 512 };

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

/* The sum takes its own field for spaces. Some old programs added signed bytes. */
static bool is_tar(struct held first)
{
	uint64_t stated, sum = 0, high = 0;

	if (first.len < TAR_HEADER || held_u8(first, 0) == 0 ||
	    !octal(held_part(first, TAR_SUM_AT, TAR_SUM_LEN), &stated))
		return false;
	for (uint64_t i = 0; i < TAR_HEADER; i++) {
		const bool own = i >= TAR_SUM_AT && i < TAR_SUM_AT + TAR_SUM_LEN;
		const uint64_t byte = own ? ' ' : held_u8(first, i);

		sum += byte;
		high += byte >= 0x80;
	}
	return stated == sum || stated + 256 * high == sum;
}

enum arc_signature arc_signature_of(struct held first)
{
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (held_has(first, 0, magics[i].len) &&
		    memcmp(first.bytes, magics[i].bytes, magics[i].len) == 0)
			return magics[i].is;
	return is_tar(first) ? ARC_IS_TAR : ARC_NO_ARCHIVE;
}

const char *arc_signature_name(enum arc_signature s)
{
	static const char *const names[] = { NULL,   "zip", "7z",        "rar",   "rar",
					     "gzip", "xz",  "Zstandard", "bzip2", "tar" };

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

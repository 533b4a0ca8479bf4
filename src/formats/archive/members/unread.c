/* Archives of kinds that this program does not read, by their first bytes. Source:
 * conformance/spec/wrap.md, 1.1. */
#include "formats/archive/members/members.h"

#include <string.h>

#include "codec/crc32.h"

static const struct unread {
	const char *name;
	uint8_t at, len;
	const char *bytes;
} unread[] = {
	{ "cabinet (.cab)", 0, 8, "MSCF\0\0\0\0" },
	{ "file of lzip (.lz)", 0, 5, "LZIP\1" },
	{ "ACE archive (.ace)", 7, 7, "**ACE**" },
	{ "StuffIt archive (.sit)", 0, 8, "StuffIt " },
	{ "StuffIt archive (.sit)", 0, 4, "SIT!" },
	{ "WIM image (.wim)", 0, 8, "MSWIM\0\0\0" },
	{ "xar archive (.xar)", 0, 6, "xar!\0\x1C" },
	{ "Debian package (.deb)", 0, 21, "!<arch>\ndebian-binary" },
	{ "web archive (.warc)", 0, 7, "WARC/1." },
	{ "file of LZ4 (.lz4)", 0, 4, "\x04\x22\x4D\x18" },
	{ "file of lrzip (.lrz)", 0, 4, "LRZI" },
	{ "file of lzop (.lzo)", 0, 9, "\x89LZO\0\r\n\x1A\n" },
	{ "package of RPM (.rpm)", 0, 5, "\xED\xAB\xEE\xDB\3" },
	{ "image of SquashFS (.squashfs)", 0, 4, "hsqs" },
	{ "file of Microsoft's compress (.ex_)", 0, 8, "SZDD\x88\xF0\x27\x33" },
	{ "zoo archive (.zoo)", 20, 4, "\xDC\xA7\xC4\xFD" },
};

/* "-lh5-" and the like: the method of an LHA's first member. */
static bool is_lha(struct held b)
{
	const uint64_t family = held_u8(b, 4), method = held_u8(b, 5);

	return held_u16(b, 2) == 0x6C2D && (family == 'h' || family == 'z') && method >= '0' &&
	       method <= 's' && held_u8(b, 6) == '-';
}

/* The basic header of an ARJ has its checksum behind it. */
static bool is_arj(struct held b)
{
	enum { HEAD_AT = 4, LEAST = 30 };
	const uint64_t len = held_u16(b, 2);
	const struct held head = held_part(b, HEAD_AT, len);

	return held_u16(b, 0) == 0xEA60 && len >= LEAST && head.len == len &&
	       held_has(b, HEAD_AT + len, 4) &&
	       crc32_add(0, head.bytes, len) == held_u32(b, HEAD_AT + len);
}

static bool is_digit(uint64_t c, bool is_hex)
{
	return (c >= '0' && c <= (is_hex ? '9' : '7')) ||
	       (is_hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

/* The first header of cpio in text: digits all through, octal ones in the older form. */
static bool is_cpio(struct held b)
{
	enum { MAGIC_LEN = 6, OLD_LEN = 76, NEW_LEN = 110 };
	const bool is_old = b.len >= OLD_LEN && memcmp(b.bytes, "070707", MAGIC_LEN) == 0;
	const uint64_t len = is_old ? OLD_LEN : NEW_LEN;

	if (!is_old && (b.len < NEW_LEN || (memcmp(b.bytes, "070701", MAGIC_LEN) != 0 &&
					    memcmp(b.bytes, "070702", MAGIC_LEN) != 0)))
		return false;
	for (uint64_t i = MAGIC_LEN; i < len; i++)
		if (!is_digit(held_u8(b, i), !is_old))
			return false;
	return true;
}

/* compress: its flags say how long codes become. */
static bool is_compress(struct held b)
{
	const uint64_t flags = held_u8(b, 2), longest = flags & 0x1F;

	return held_u16(b, 0) == 0x9D1F && (flags & 0x60) == 0 && longest >= 9 && longest <= 16;
}

static bool begins(struct held b, const char *text)
{
	return held_starts(b, text, strlen(text));
}

/* An archive of ar in which linkers look for symbols is a library, whose first member is a table of
 * them. */
static bool is_ar(struct held b)
{
	enum { HEAD_AT = 8, HEAD_LEN = 60, HEAD_END_AT = 66 };
	struct held name, text;

	if (!begins(b, "!<arch>\n") || held_u16(b, HEAD_END_AT) != 0x0A60)
		return false;
	name = held_part(b, HEAD_AT, b.len - HEAD_AT);
	text = held_part(b, HEAD_AT + HEAD_LEN, b.len - HEAD_AT - HEAD_LEN);
	return !begins(name, "/ ") && !begins(name, "/SYM64/") && !begins(name, "__.SYMDEF") &&
	       !(begins(name, "#1/") && begins(text, "__.SYMDEF"));
}

/* A script that unpacks what is in it says so in its first line, or in the one after that of the
 * shell. */
static bool is_shell_archive(struct held b)
{
	uint64_t at = 0;

	if (begins(b, "#!"))
		while (at < b.len && held_u8(b, at++) != '\n')
			;
	return begins(held_part(b, at, b.len - at), "# This is a shell archive");
}

static const char *name_of_text(struct held first)
{
	if (is_ar(first))
		return "archive of ar (.ar)";
	if (arc_is_uuencoded(first))
		return "uuencoded file (.uu)";
	return is_shell_archive(first) ? "shell archive (.shar)" : NULL;
}

const char *arc_unread_name(struct held first)
{
	for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
		const struct held magic = held_part(first, unread[i].at, unread[i].len);

		if (magic.len > 0 && memcmp(magic.bytes, unread[i].bytes, unread[i].len) == 0)
			return unread[i].name;
	}
	if (is_lha(first))
		return "LHA archive (.lzh)";
	if (is_arj(first))
		return "ARJ archive (.arj)";
	if (is_cpio(first))
		return "cpio archive (.cpio)";
	return is_compress(first) ? "file of compress (.Z)" : name_of_text(first);
}

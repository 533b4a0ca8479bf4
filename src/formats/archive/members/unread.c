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
	{ "cabinet (.cab)", 0, 8, "MSCF\0\0\0\0" }, { "file of lzip (.lz)", 0, 5, "LZIP\1" },
	{ "ACE archive (.ace)", 7, 7, "**ACE**" },  { "StuffIt archive (.sit)", 0, 8, "StuffIt " },
	{ "StuffIt archive (.sit)", 0, 4, "SIT!" },
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

/* compress: its flags say how long codes become. */
static bool is_compress(struct held b)
{
	const uint64_t flags = held_u8(b, 2), longest = flags & 0x1F;

	return held_u16(b, 0) == 0x9D1F && (flags & 0x60) == 0 && longest >= 9 && longest <= 16;
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
	return is_compress(first) ? "file of compress (.Z)" : NULL;
}

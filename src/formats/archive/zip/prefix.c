/* Files of other kinds that a zip begins with, which other programs unpack instead: by their first
 * bytes, and of an image of a disc those at a fixed place. Source: conformance/spec/zip.md, 1.12,
 * and archive.md, 1.15. */
#include "formats/archive/zip/zip.h"

/* ---- By the first bytes ---------------------------------------------------------------------- */

static const struct magic {
	const char *name;
	uint8_t len;
	const char *bytes;
} magics[] = {
	{ "cpio", 6, "070701" },
	{ "cpio", 6, "070702" },
	{ "cpio", 6, "070707" },
	{ "xar", 4, "xar!" },
	{ "library (ar)", 8, "!<arch>\n" },
	{ "mtree", 6, "#mtree" },
	{ "web (WARC)", 5, "WARC/" },
};

/* The old cpio: numbers of 16 bits, of which the tenth is the length of the name. */
static bool is_old_cpio(struct held b)
{
	enum { LEN_AT = 20, NAME_AT = 26, NAME_MAX = 1024 };
	const uint64_t magic = held_u16(b, 0), raw = held_u16(b, LEN_AT),
		       len = magic == 0x71C7 ? raw : (raw >> 8 | (raw & 0xFF) << 8);

	return (magic == 0x71C7 || magic == 0xC771) && len > 1 && len <= NAME_MAX &&
	       held_has(b, NAME_AT, len) && held_find(held_part(b, NAME_AT, len), 0) == len - 1;
}

/* ---- Encoded as text ------------------------------------------------------------------------- */

/* How long the text before the first line of what is encoded may be. */
enum { TEXT_MAX = 131072 };

/* ---- All of them ----------------------------------------------------------------------------- */

static const char *name_of(struct held before)
{
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (held_starts(before, magics[i].bytes, magics[i].len))
			return magics[i].name;
	if (is_old_cpio(before))
		return "cpio";
	if (arc_unread_name(before))
		return arc_unread_name(before);
	return arc_has_uuencoded(before) ? "uuencoded" : NULL;
}

static void set(struct zip *z, const char *name, struct span at)
{
	if (z->second.is == ARC_NO_ARCHIVE)
		z->second = (struct arc_second){ .is = ARC_IS_UNREAD, .name = name, .at = at };
}

bool zip_look_at_prefix(struct decode *d, struct zip *z)
{
	const uint64_t len = z->first_at < TEXT_MAX ? z->first_at : TEXT_MAX;
	uint8_t *bytes = decode_alloc(d, ZIP_LOCALS, len, 1);
	const char *name;

	if (!bytes || !decode_copy(d, ZIP_LOCALS, (struct span){ 0, len }, bytes))
		return false;
	name = name_of((struct held){ bytes, len });
	if (name)
		set(z, name, (struct span){ 0, len < 4 ? len : 4 });
	return true;
}

/* The first descriptor of an image stands behind 16 sectors of 2048 bytes. */
bool zip_look_for_disc(struct decode *d, struct zip *z)
{
	enum { DISC_AT = 32768, DISC_LEN = 6, LAST_TYPE = 3, END_TYPE = 255 };
	const struct span at = { DISC_AT, DISC_LEN };
	uint8_t bytes[DISC_LEN];
	const struct held b = { bytes, sizeof bytes };
	uint64_t type;

	if (z->size < DISC_AT + DISC_LEN)
		return true;
	if (!decode_copy(d, ZIP_END, at, bytes))
		return false;
	type = held_u8(b, 0);
	if (memcmp(bytes + 1, "CD001", DISC_LEN - 1) == 0 &&
	    (type <= LAST_TYPE || type == END_TYPE))
		set(z, "disc image (ISO 9660)", at);
	return true;
}

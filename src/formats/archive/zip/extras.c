/* The extra fields of a header. Source: conformance/spec/zip.md, 2.4 and 2.5. */
#include "formats/archive/zip/zip.h"

enum {
	EXTRA_ZIP64 = 0x0001,
	EXTRA_LIBARCHIVE = 0x6C78,
	EXTRA_PATH = 0x7075,
	EXTRA_ASI = 0x756E,
	EXTRA_AES = 0x9901,
	EXTRA_HEAD = 4
};

/* How many bytes may be left after the last field: what pads a name to a multiple of four. */
enum { EXTRA_LEFT_MAX = 3 };

static void take_once(struct zip_extras *x, bool *has)
{
	if (*has)
		x->defects |= ZIP_EXTRA_TWICE;
	*has = true;
}

/* ---- What a member is ------------------------------------------------------------------------ */

/* A mode without a kind says nothing. */
static void take_mode(struct zip_extras *x, uint64_t mode)
{
	if (mode & 0170000)
		x->kinds |= (uint8_t)(1u << arc_mode_kind(mode));
}

/* The mode follows a checksum. Programs look there for links alone. */
static void take_asi(struct zip_extras *x, struct held field)
{
	enum { ASI_MODE = 4 };

	if (arc_mode_kind(held_u16(field, ASI_MODE)) == ARC_SYMLINK)
		take_mode(x, held_u16(field, ASI_MODE));
}

/* The first byte, which goes on in those that follow while the highest bit is set, says which
 * fields of a central header are there: the version it was made by, 16 bits of internal and 32 of
 * external attributes. */
static void take_libarchive(struct zip_extras *x, struct held field)
{
	enum { HAS_MADE_BY = 1, HAS_INTERNAL = 2, HAS_EXTERNAL = 4, GOES_ON = 0x80 };
	enum { HOST_DOS = 0, HOST_UNIX = 3, DOS_FOLDER = 0x10 };
	const uint64_t which = held_u8(field, 0);
	uint64_t at = 0, host = HOST_UNIX, attributes;

	while (held_u8(field, at) & GOES_ON)
		at++;
	at++;
	if (which & HAS_MADE_BY) {
		host = held_u16(field, at) >> 8;
		at += 2;
	}
	at += which & HAS_INTERNAL ? 2 : 0;
	if (!(which & HAS_EXTERNAL) || !held_has(field, at, 4))
		return;
	attributes = held_u32(field, at);
	if (host == HOST_UNIX)
		take_mode(x, attributes >> 16);
	else if (host == HOST_DOS)
		x->kinds |= attributes & DOS_FOLDER ? 1u << ARC_DIRECTORY : 1u << ARC_FILE;
}

/* Of a folder that its name tells a mode of a file says nothing. */
uint8_t zip_other_kinds(const struct zip_extras *x, uint8_t kind)
{
	const unsigned same = kind == ARC_DIRECTORY ? 1u << ARC_FILE : 0;

	return (uint8_t)(x->kinds & ~(same | 1u << kind));
}

/* ---- Fields ---------------------------------------------------------------------------------- */

/* Readers take the first or the last of two. */
static void take_field(struct zip_extras *x, uint64_t id, struct held field)
{
	if (id == EXTRA_ZIP64) {
		take_once(x, &x->has_zip64);
		x->zip64 = field;
	} else if (id == EXTRA_PATH) {
		take_once(x, &x->has_path);
		x->path = field;
	} else if (id == EXTRA_AES) {
		take_once(x, &x->has_aes);
	} else if (id == EXTRA_ASI) {
		take_asi(x, field);
	} else if (id == EXTRA_LIBARCHIVE) {
		take_libarchive(x, field);
	}
}

void zip_read_extras(struct held extra, struct zip_extras *out)
{
	uint64_t at = 0;

	*out = (struct zip_extras){ .defects = 0 };
	while (held_has(extra, at, EXTRA_HEAD)) {
		const uint64_t len = held_u16(extra, at + 2);

		if (!held_has(extra, at + EXTRA_HEAD, len))
			break;
		take_field(out, held_u16(extra, at), held_part(extra, at + EXTRA_HEAD, len));
		at += EXTRA_HEAD + len;
	}
	if (at < extra.len && !held_is_zero(held_part(extra, at, extra.len - at)))
		out->defects |= extra.len - at <= EXTRA_LEFT_MAX ? ZIP_EXTRA_LEFT
								 : ZIP_EXTRA_BROKEN;
}

bool zip_take_zip64(struct zip_extras *x, uint64_t escape, uint64_t *out)
{
	if (*out != escape)
		return true;
	if (!held_has(x->zip64, 0, 8)) {
		x->defects |= ZIP_ZIP64_MISSING;
		return false;
	}
	*out = held_u64(x->zip64, 0);
	x->zip64 = held_part(x->zip64, 8, x->zip64.len - 8);
	return true;
}

/* Signatures at which readers of streams, and those that look for an end, stop. */
bool zip_has_signature(struct held bytes)
{
	static const uint32_t magics[] = { ZIP_LOCAL_MAGIC, ZIP_CENTRAL_MAGIC, ZIP_END_MAGIC,
					   ZIP_RECORD_MAGIC, ZIP_LOCATOR_MAGIC };
	struct held rest = bytes;

	while (rest.len >= 4) {
		const uint64_t at = held_find(rest, 'P');

		rest = held_part(rest, at, rest.len - at);
		for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
			if (rest.len >= 4 && held_u32(rest, 0) == magics[i])
				return true;
		rest = held_part(rest, 1, rest.len > 0 ? rest.len - 1 : 0);
	}
	return false;
}

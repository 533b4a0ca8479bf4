/* The extra fields of a header. Source: conformance/spec/zip.md, 2.4 and 2.5. */
#include "formats/archive/zip/zip.h"

enum { EXTRA_ZIP64 = 0x0001, EXTRA_PATH = 0x7075, EXTRA_AES = 0x9901, EXTRA_HEAD = 4 };

/* How many bytes may be left after the last field: what pads a name to a multiple of four. */
enum { EXTRA_LEFT_MAX = 3 };

static void take_once(struct zip_extras *x, bool *has)
{
	if (*has)
		x->defects |= ZIP_EXTRA_TWICE;
	*has = true;
}

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

/* The extra fields of a header, and names in them. Source: conformance/spec/zip.md, 2.4 and 2.5. */
#include "formats/archive/zip/zip.h"

#include "codec/crc32.h"
#include "core/utf8.h"

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

/* ---- The Unicode path ------------------------------------------------------------------------ */

enum { PATH_HEAD = 5, PATH_VERSION = 1 };

static int hex_digit(uint64_t c)
{
	if (c >= '0' && c <= '9')
		return (int)c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (int)c - 'a' + 10 : -1;
}

/* The number that n hexadecimal digits at `at` are; UINT32_MAX: they are none. */
static uint32_t hex_number(struct held text, uint64_t at, unsigned n)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < n; i++) {
		const int digit = held_has(text, at + i, 1) ? hex_digit(held_u8(text, at + i)) : -1;

		if (digit < 0)
			return UINT32_MAX;
		v = v * 16 + (uint32_t)digit;
	}
	return v;
}

/* How many bytes of a plain name stand for the character c, which it cannot hold: its number after
 * #U or %U (in six digits after #L), or a sign in its place. 0: they are something else. */
static uint64_t escape_len(struct held plain, uint64_t at, uint32_t c)
{
	const uint64_t mark = held_u8(plain, at), letter = held_u8(plain, at + 1) & 0xDF;

	if ((mark == '#' || mark == '%') && letter == 'U') {
		if (hex_number(plain, at + 2, 4) == c)
			return 6;
		if (c > 0xFFFF && hex_number(plain, at + 2, 4) == 0xD800 + ((c - 0x10000) >> 10))
			return 12;
	}
	if (mark == '#' && letter == 'L' && hex_number(plain, at + 2, 6) == c)
		return 8;
	return mark == '?' || mark == '_' ? 1 : 0;
}

/* Whether an ASCII name is the path with characters that it cannot hold written otherwise. */
static bool is_written_for(struct held plain, struct held path)
{
	uint64_t at = 0;
	size_t len;

	for (uint64_t i = 0; i < path.len; i += len) {
		const struct held rest = held_part(path, i, path.len - i);
		uint64_t taken = 1;
		uint32_t c;

		len = utf8_next(rest.bytes, (size_t)rest.len, &c);
		if (len == 0 || !held_has(plain, at, 1))
			return false;
		if (c >= 0x80)
			taken = escape_len(plain, at, c);
		else if (held_u8(plain, at) != c)
			return false;
		if (taken == 0)
			return false;
		at += taken;
	}
	return at == plain.len;
}

static bool is_ascii(struct held name)
{
	for (uint64_t i = 0; i < name.len; i++)
		if (held_u8(name, i) >= 0x80)
			return false;
	return true;
}

static uint64_t count_separators(struct held name)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < name.len; i++)
		n += held_u8(name, i) == '/' || held_u8(name, i) == '\\';
	return n;
}

static bool is_same(struct held a, struct held b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.bytes, b.bytes, (size_t)a.len) == 0);
}

/* What follows the last dot, if that is ASCII; else nothing. */
static struct held plain_ending(struct held name)
{
	struct held ending;
	uint64_t at = name.len;

	while (at > 0 && held_u8(name, at - 1) != '.')
		at--;
	ending = held_part(name, at, name.len - at);
	return is_ascii(ending) ? ending : held_part(name, name.len, 0);
}

/* A name in another encoding is the same name as far as one can see: by its separators and its
 * ending. UTF-8 is told from that. */
static bool may_be_same(struct held plain, struct held path)
{
	if (is_same(plain, path))
		return true;
	if (is_ascii(plain))
		return is_written_for(plain, path);
	return !utf8_valid(plain.bytes, (size_t)plain.len) &&
	       count_separators(plain) == count_separators(path) &&
	       is_same(plain_ending(plain), plain_ending(path));
}

uint64_t zip_unicode_path(struct held path, struct held name, struct held *out)
{
	struct held text;

	*out = (struct held){ path.bytes, 0 };
	if (!held_has(path, 0, PATH_HEAD) || held_u8(path, 0) != PATH_VERSION)
		return 0;
	text = held_part(path, PATH_HEAD, path.len - PATH_HEAD);
	if (held_u32(path, 1) != crc32_add(0, name.bytes, name.len))
		return ZIP_PATH_STALE;
	if (!utf8_valid(text.bytes, (size_t)text.len) || !may_be_same(name, text))
		return ZIP_PATH_DIFFERS;
	*out = text;
	return 0;
}

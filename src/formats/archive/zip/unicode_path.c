/* The Unicode path of a member, held against its plain name. Source: conformance/spec/zip.md,
 * 2.6. */
#include "codec/crc32.h"
#include "core/utf8.h"
#include "formats/archive/zip/zip.h"

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

/* Whether four hexadecimal digits after #U or %U are a number. */
static bool is_escape(struct held plain, uint64_t at, uint32_t number)
{
	const uint64_t mark = held_u8(plain, at);

	return (mark == '#' || mark == '%') && held_u8(plain, at + 1) == 'U' &&
	       hex_number(plain, at + 2, 4) == number;
}

/* How many bytes of a plain name stand for the character c, which it cannot hold: its number after
 * #U or %U (both halves of one beyond 16 bits, or in six digits after #L), or a sign in its place.
 * 0: they are something else. */
static uint64_t escape_len(struct held plain, uint64_t at, uint32_t c)
{
	const uint64_t mark = held_u8(plain, at);

	if (c <= 0xFFFF && is_escape(plain, at, c))
		return 6;
	if (c > 0xFFFF && is_escape(plain, at, 0xD800 + ((c - 0x10000) >> 10)) &&
	    is_escape(plain, at + 6, 0xDC00 + (c & 0x3FF)))
		return 12;
	if (mark == '#' && held_u8(plain, at + 1) == 'L' && hex_number(plain, at + 2, 6) == c)
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

/* ---- Parts ----------------------------------------------------------------------------------- */

static bool is_separator(uint64_t c, bool with_backslash)
{
	return c == '/' || (with_backslash && c == '\\');
}

/* Takes the next part of a name off *rest, which is NULL behind the last. */
static struct held take_part(struct held *rest, bool with_backslash)
{
	const struct held all = *rest;
	uint64_t n = 0;

	while (n < all.len && !is_separator(held_u8(all, n), with_backslash))
		n++;
	*rest = n < all.len ? held_part(all, n + 1, all.len - n - 1) : (struct held){ NULL, 0 };
	return held_part(all, 0, n);
}

/* Whether names are the same as far as ASCII tells: those parts that are ASCII are the same in
 * both. */
static bool have_same_parts(struct held plain, struct held path, bool with_backslash)
{
	struct held a = plain, b = path;

	while (a.bytes && b.bytes) {
		const struct held x = take_part(&a, with_backslash),
				  y = take_part(&b, with_backslash);

		if ((is_ascii(x) || is_ascii(y)) && !is_same(x, y))
			return false;
	}
	return !a.bytes && !b.bytes;
}

static bool has_parent(struct held name)
{
	struct held rest = name;

	while (rest.bytes) {
		const struct held part = take_part(&rest, true);

		if (part.len == 2 && held_u8(part, 0) == '.' && held_u8(part, 1) == '.')
			return true;
	}
	return false;
}

/* A name in another encoding is the same name as far as one can see: by its parts and its ending.
 * In some encodings the second byte of a character may be a backslash. UTF-8 is told from that. */
static bool may_be_same(struct held plain, struct held path)
{
	if (is_same(plain, path))
		return true;
	if (is_ascii(plain))
		return is_written_for(plain, path);
	return !utf8_valid(plain.bytes, (size_t)plain.len) &&
	       (has_parent(path) || !has_parent(plain)) &&
	       is_same(plain_ending(plain), plain_ending(path)) &&
	       (have_same_parts(plain, path, false) || have_same_parts(plain, path, true));
}

/* The name in the field, if its checksum is that of the plain name and its version is known. */
static struct held counting_path(const struct zip_extras *x, struct held name)
{
	const struct held path = x->path;

	if (!x->has_path || !held_has(path, 0, PATH_HEAD) || held_u8(path, 0) != PATH_VERSION ||
	    held_u32(path, 1) != crc32_add(0, name.bytes, name.len))
		return (struct held){ name.bytes, 0 };
	return held_part(path, PATH_HEAD, path.len - PATH_HEAD);
}

uint64_t zip_local_path(const struct zip_extras *local, struct held local_name,
			const struct zip_extras *central, struct held name, struct held *out)
{
	const struct held here = counting_path(local, local_name),
			  there = counting_path(central, name);

	*out = here;
	if (here.len == 0 || is_same(here, there.len > 0 ? there : local_name))
		return 0;
	return there.len == 0 && may_be_same(local_name, here) ? ZIP_PATH_LOCAL : ZIP_PATH_OTHER;
}

uint64_t zip_unicode_path(struct held path, struct held name, struct held *out)
{
	struct held text;

	*out = (struct held){ path.bytes, 0 };
	if (!held_has(path, 0, PATH_HEAD))
		return 0;
	if (held_u8(path, 0) != PATH_VERSION)
		return ZIP_PATH_VERSION;
	text = held_part(path, PATH_HEAD, path.len - PATH_HEAD);
	if (held_u32(path, 1) != crc32_add(0, name.bytes, name.len))
		return ZIP_PATH_STALE;
	if (!utf8_valid(text.bytes, (size_t)text.len) || !may_be_same(name, text))
		return ZIP_PATH_DIFFERS;
	*out = text;
	return 0;
}

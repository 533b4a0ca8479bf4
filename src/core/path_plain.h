/* Plain names, as most are: finds out about a name what path.c does, many bytes at a time. All
 * of it is inline, for loops over a table of names. */
#ifndef UVET_CORE_PATH_PLAIN_H
#define UVET_CORE_PATH_PLAIN_H

#include "core/hash.h"
#include "core/path.h"
#include "core/path_sets.h"

/* Which first bytes and which second bytes go together in names of devices: a component whose
 * first two bytes have no bit in common is none. */
enum { AFTER_AN = 1, AFTER_C = 2, AFTER_L = 4, AFTER_P = 8 };
extern const uint8_t path_first_bytes[256], path_second_bytes[256];

/* A name is hashed by words of eight keys, the first of them in the lowest byte. The last word
 * is the last eight keys, and may overlap the word before it. path_hash_end mixes it in, and
 * adds the number of keys. */
UVET_WRAPS static inline uint32_t path_hash_end(uint64_t sum, uint64_t last_word, uint32_t n)
{
	return (uint32_t)hash_mix(sum, last_word) + n;
}

/* The keys of eight ASCII characters, none of them `/`. */
static inline uint64_t ascii_keys(uint64_t word)
{
	return word | EACH_BYTE(0x20);
}

/* The characters in upper case. */
static inline uint64_t ascii_upper(uint64_t word)
{
	return word ^ (AT_LEAST(word, 'a') & ~AT_LEAST(word, '{') & TOP_BITS) >> 2;
}

static inline uint32_t hash_plain(const uint8_t *p, uint32_t n, uint64_t tail)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i + 8 < n; i += 8)
		sum = hash_mix(sum, ascii_keys(bytes_le64(p + i)));
	return path_hash_end(sum, tail, n);
}

/* hash_plain for up to 32 bytes, as most names have: it is faster without a loop. */
static inline uint32_t hash_short(const uint8_t *p, uint32_t n, uint64_t tail)
{
	uint64_t sum = 0;

	if (n > 8)
		sum = hash_mix(sum, ascii_keys(bytes_le64(p)));
	if (n > 16)
		sum = hash_mix(sum, ascii_keys(bytes_le64(p + 8)));
	if (n > 24)
		sum = hash_mix(sum, ascii_keys(bytes_le64(p + 16)));
	return path_hash_end(sum, tail, n);
}

/* Tells whether a component may have traits: it is empty, ends in a dot, or may be the name of a
 * device: it begins like one, and ends, or has a dot, after three or four bytes. (It cannot end in
 * a space: no plain name has any.) */
static inline bool has_suspect_component(const struct text *t, const struct sets *s)
{
	const uint64_t stops = s->dots | s->separators;
	uint32_t n = t->ref.n_units;
	/* the last byte of each, or the separator before an empty one */
	uint64_t ends = s->separators >> 1 | (uint64_t)1 << (n - 1);

	if (((s->dots | s->separators) & ends) != 0)
		return true;
	for (uint64_t starts = s->separators << 1 | (~s->separators & 1); starts != 0;
	     starts &= starts - 1) {
		uint32_t from = bits_lowest(starts);

		if (from + 2 < n && (from + 4 >= n || (stops >> (from + 3) & 3) != 0) &&
		    (path_first_bytes[t->data[from]] & path_second_bytes[t->data[from + 1]]) != 0)
			return true;
	}
	return false;
}

/* The extension follows the last dot of the last component, which begins at byte p->last. */
static inline void find_extension(struct path *p, const struct text *t, uint64_t dots)
{
	uint32_t n = t->ref.n_units, len;

	dots = dots >> p->last << p->last;
	p->dot = dots != 0 ? bits_highest(dots) : n;
	len = dots != 0 ? n - 1 - p->dot : 0;
	if (len == 0)
		p->extension = 0;
	else if (len <= 4)
		p->extension = (uint32_t)(ascii_upper(bytes_le64(t->data + n - 8)) >>
					  8 * (8 - len));
	else
		p->extension = UINT32_MAX;
}

/* The plain name of a device has three or four characters, or a dot after them. Many other names
 * begin with the same two letters. */
static inline bool may_be_device(const uint8_t *p, uint32_t n)
{
	if (n < 3 || (path_first_bytes[p[0]] & path_second_bytes[p[1]]) == 0)
		return false;
	return n <= 4 || p[3] == '.' || p[4] == '.';
}

/* path_plain_name for a name of less than eight bytes: it is filled up with letters. */
UVET_WRAPS static inline bool short_plain_name(const uint8_t *p, uint32_t n, uint32_t *hash,
					       uint64_t *tail)
{
	uint64_t word = EACH_BYTE('a') << 8 * n;

	for (uint32_t i = 0; i < n; i++)
		word |= (uint64_t)p[i] << 8 * i;
	if (!is_plain_word(word, '/') || (EQUAL(word, '\\') & TOP_BITS) != 0)
		return false;
	*tail = ascii_keys(word) << 8 * (8 - n);
	*hash = path_hash_end(0, *tail, n);
	return true;
}

/* path_plain_name hashes a name, in CP1252, that has no trait and no separator. *tail is the
 * keys of its last eight characters, the last one in the highest byte; missing ones are 0.
 * false: it may have some, and path_examine_at must be asked. */
static inline bool path_plain_name(const uint8_t *p, uint32_t n, uint32_t *hash, uint64_t *tail)
{
	if (n == 0 || n > PLAIN_MAX || p[n - 1] == '.' || may_be_device(p, n))
		return false;
	if (n < PLAIN_MIN)
		return short_plain_name(p, n, hash, tail);
	if (!is_plain_run(p, n))
		return false;
	*tail = ascii_keys(bytes_le64(p + n - 8));
	*hash = n <= 32 ? hash_short(p, n, *tail) : hash_plain(p, n, *tail);
	return true;
}

/* The keys of eight plain characters, some of which may be `/`: that has the key of the other
 * separator. */
UVET_WRAPS static inline uint64_t slashed_keys(uint64_t word)
{
	const uint64_t slashes = (EQUAL(word, '/') & TOP_BITS) >> 7;

	return ascii_keys(word) ^ slashes * (uint64_t)('/' ^ ('\\' | 0x20));
}

/* hash_plain where some characters may be `/`. */
static inline uint32_t hash_slashed(const uint8_t *p, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i + 8 < n; i += 8)
		sum = hash_mix(sum, slashed_keys(bytes_le64(p + i)));
	return path_hash_end(sum, slashed_keys(bytes_le64(p + n - 8)), n);
}

/* path_examine_plain fills *p for a name that is plain, as path_examine_at does; false where the
 * bytes must be looked at one by one. The name is in CP1252, and its components are separated by
 * `separator`, one of the two. */
static inline bool path_examine_plain(const struct text *t, char separator, struct path *p)
{
	uint32_t n = t->ref.n_units;
	const uint32_t separates = separator == '/' ? PATH_SEPARATOR | PATH_SLASH : PATH_SEPARATOR;
	struct sets s;

	if (n < PLAIN_MIN || n > PLAIN_MAX || !find_sets(t->data, n, separator, &s) ||
	    has_suspect_component(t, &s))
		return false;
	p->traits = s.separators & 1 ? separates | PATH_ROOTED : s.separators != 0 ? separates : 0;
	p->first = s.separators != 0 ? bits_lowest(s.separators) : 0;
	p->last = s.separators != 0 ? bits_highest(s.separators) + 1 : 0;
	if (n - p->last > 31)
		p->traits |= PATH_LONG_NAME;
	p->hash = separator == '/'
			  ? hash_slashed(t->data, n)
			  : hash_plain(t->data, n, ascii_keys(bytes_le64(t->data + n - 8)));
	find_extension(p, t, s.dots);
	return true;
}

/* path_is_plain tells whether a path in CP1252, whose components are separated by `/`, is plain and
 * has no trait but PATH_ROOTED and PATH_SEPARATOR. false: it may have some. */
static inline bool path_is_plain(const struct text *t)
{
	const uint32_t n = t->ref.n_units;
	struct sets s;

	return n >= PLAIN_MIN && n <= PLAIN_MAX && find_sets(t->data, n, '/', &s) &&
	       !has_suspect_component(t, &s);
}

/* path_hash_plain is path_is_plain that hashes the path, too; one that begins with `/` is not plain
 * to it. */
static inline bool path_hash_plain(const struct text *t, uint32_t *hash)
{
	const uint32_t n = t->ref.n_units;

	if (!path_is_plain(t) || t->data[0] == '/')
		return false;
	*hash = hash_plain(t->data, n, ascii_keys(bytes_le64(t->data + n - 8)));
	return true;
}

#endif

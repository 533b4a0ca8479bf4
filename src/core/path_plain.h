/* Plain names, which most are: what path.c finds out about a name, without a look at each byte. The whole of it is inline, for loops over
 * a table of names. */
#ifndef UVET_CORE_PATH_PLAIN_H
#define UVET_CORE_PATH_PLAIN_H

#include "core/hash.h"
#include "core/path.h"
#include "core/path_sets.h"

/* What the first two bytes of a component say: devices' names begin with few pairs of letters. */
enum { AFTER_AN = 1, AFTER_C = 2, AFTER_L = 4, AFTER_P = 8 };
extern const uint8_t path_first_bytes[256], path_second_bytes[256];

/* The hash of a name takes up its keys in words of eight, the first of them in the lowest byte. The last word is the last eight keys, of
 * which the word before it may have some too; with it goes the number of keys. */
UVET_WRAPS static inline uint32_t path_hash_end(uint64_t sum, uint64_t last_word, uint32_t n)
{
	return (uint32_t)hash_mix(sum, last_word) + n;
}

/* The keys of eight ASCII characters that are no `/`. */
static inline uint64_t ascii_keys(uint64_t word)
{
	return word | EACH_BYTE(0x20);
}

/* The characters in upper case. */
static inline uint64_t ascii_upper(uint64_t word)
{
	return word ^ (AT_LEAST(word, 'a') & ~AT_LEAST(word, '{') & TOP_BITS) >> 2;
}

static inline uint32_t hash_plain(const uint8_t *p, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i + 8 < n; i += 8)
		sum = hash_mix(sum, ascii_keys(bytes_le64(p + i)));
	return path_hash_end(sum, ascii_keys(bytes_le64(p + n - 8)), n);
}

/* Tells whether a component may have traits: it is empty, ends in a dot, or begins as a device's name does. No plain name has spaces. */
static inline bool has_odd_component(const struct text *t, const struct sets *s)
{
	uint32_t n = t->ref.n_units;
	uint64_t ends = s->separators >> 1 | (uint64_t)1 << (n - 1);    /* the last byte of each, or the separator before an empty one */

	if (((s->dots | s->separators) & ends) != 0)
		return true;
	for (uint64_t starts = s->separators << 1 | (~s->separators & 1); starts != 0; starts &= starts - 1) {
		uint32_t from = bits_lowest(starts);

		if (from + 2 < n && (path_first_bytes[t->data[from]] & path_second_bytes[t->data[from + 1]]) != 0)
			return true;
	}
	return false;
}

/* Where the last component begins at byte `last`, dots at or behind it end its stem. */
static inline void find_extension(struct path *p, const struct text *t, uint64_t dots)
{
	uint32_t n = t->ref.n_units, len;

	dots = dots >> p->last << p->last;
	p->dot = dots != 0 ? bits_highest(dots) : n;
	len = dots != 0 ? n - 1 - p->dot : 0;
	if (len == 0)
		p->extension = 0;
	else if (len <= 4)
		p->extension = (uint32_t)(ascii_upper(bytes_le64(t->data + n - 8)) >> 8 * (8 - len));
	else
		p->extension = UINT32_MAX;
}

/* path_examine_plain fills *p for a name that is plain, as path_examine_at does; false where the bytes must be looked at one by one. The
 * name is in CP1252. */
static inline bool path_examine_plain(const struct text *t, struct path *p)
{
	uint32_t n = t->ref.n_units;
	struct sets s;

	if (n < PLAIN_MIN || n > PLAIN_MAX || !find_sets(t->data, n, &s) || has_odd_component(t, &s))
		return false;
	p->traits = s.separators & 1 ? PATH_SEPARATOR | PATH_ROOTED : s.separators != 0 ? PATH_SEPARATOR : 0;
	p->first = s.separators != 0 ? bits_lowest(s.separators) : 0;
	p->last = s.separators != 0 ? bits_highest(s.separators) + 1 : 0;
	if (n - p->last > 31)
		p->traits |= PATH_LONG_NAME;
	p->hash = hash_plain(t->data, n);
	find_extension(p, t, s.dots);
	return true;
}

#endif

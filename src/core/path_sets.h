/* Finds the separators and dots of a whole name at once. That takes a name of 8 to 64 plain
 * bytes, as most are. Plain is ASCII in which only the separator has a trait, and whose key is the
 * byte with bit 5 set; some such bytes do not count as plain, because the test is faster then. The
 * separator is `\` or `/`, and `other` is the one that it is not. Only path_plain.h includes it. */
#ifndef UVET_CORE_PATH_SETS_H
#define UVET_CORE_PATH_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/compiler.h"
#include "core/cursor.h"

#define EACH_BYTE(byte) ((uint64_t)(byte)*0x0101010101010101u)
#define TOP_BITS EACH_BYTE(0x80)

/* For a word of eight ASCII characters: the top bit of each byte of the result tells whether
 * that character is at least `first`. The other bits mean nothing. */
#define AT_LEAST(word, first) ((word) + EACH_BYTE(0x80 - (first)))

/* The same for characters equal to c. */
#define EQUAL(word, c) ~(((word) ^ EACH_BYTE(c)) + EACH_BYTE(0x7F))

/* Whether all eight are plain. */
UVET_WRAPS static inline bool is_plain_word(uint64_t word, char other)
{
	uint64_t odd = ~AT_LEAST(word, '+') | EQUAL(word, other) |
		       (AT_LEAST(word, ':') & ~AT_LEAST(word, '@')) | AT_LEAST(word, '|');

	return ((odd | word) & TOP_BITS) == 0;
}

/* Which bytes of a name are separators and dots: bit i of a set stands for byte i. */
enum { PLAIN_MIN = 8, PLAIN_MAX = 64 };
struct sets {
	uint64_t separators, dots;
};

#if defined(__SSE2__) && !defined(UVET_PORTABLE)

#include <emmintrin.h>

/* Tells of each byte of v whether it is from `first` to `last`. All are shifted so that `last`
 * becomes the highest signed number; then one comparison is enough. */
static inline __m128i between(__m128i v, char first, char last)
{
	return _mm_cmpgt_epi8(_mm_add_epi8(v, _mm_set1_epi8((char)(INT8_MAX - last))),
			      _mm_set1_epi8((char)(INT8_MAX - last + first - 1)));
}

/* The bytes of v that are plain: from `+` to `{`, but not `other` and not from `:` to `?`. */
static inline __m128i plain_bytes(__m128i v, char other)
{
	return _mm_andnot_si128(
		_mm_or_si128(between(v, ':', '?'), _mm_cmpeq_epi8(v, _mm_set1_epi8(other))),
		between(v, '+', '{'));
}

static inline bool are_all(__m128i bytes)
{
	return _mm_movemask_epi8(bytes) == 0xFFFF;
}

static inline uint64_t set_of(__m128i v, char c)
{
	return (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
}

/* Eight bytes at p, and eight that end at p + n: the lower and the upper half of the result. */
static inline __m128i both_ends(const uint8_t *p, uint32_t n)
{
	return _mm_unpacklo_epi64(_mm_loadl_epi64((const void *)p),
				  _mm_loadl_epi64((const void *)(p + n - 8)));
}

static inline uint64_t spread(uint64_t set, uint32_t n)
{
	return (set & 0xFF) | set >> 8 << (n - 8);
}

/* Fills the sets for n bytes, PLAIN_MIN to PLAIN_MAX; false if they are not plain. The last bytes
 * may be looked at twice. */
static inline bool find_sets(const uint8_t *p, uint32_t n, char separator, struct sets *s)
{
	const char other = (char)('/' ^ '\\' ^ separator); /* of the two */
	__m128i plain = _mm_set1_epi32(-1);

	if (n < 16) {
		__m128i v = both_ends(p, n);

		*s = (struct sets){ spread(set_of(v, separator), n), spread(set_of(v, '.'), n) };
		return are_all(plain_bytes(v, other));
	}
	*s = (struct sets){ 0, 0 };
	for (uint32_t i = 0; i < n; i += 16) {
		uint32_t at = n - i < 16 ? n - 16 : i;
		__m128i v = _mm_loadu_si128((const void *)(p + at));

		plain = _mm_and_si128(plain, plain_bytes(v, other));
		s->separators |= set_of(v, separator) << at;
		s->dots |= set_of(v, '.') << at;
	}
	return are_all(plain);
}

static inline __m128i plain_in_name(__m128i v)
{
	return _mm_andnot_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')), plain_bytes(v, '/'));
}

/* Tells whether n bytes, PLAIN_MIN or more, are plain and no separators. */
static inline bool is_plain_run(const uint8_t *p, uint32_t n)
{
	__m128i plain;

	if (n < 16)
		return are_all(plain_in_name(both_ends(p, n)));
	plain = _mm_and_si128(plain_in_name(_mm_loadu_si128((const void *)(p + n - 16))),
			      plain_in_name(_mm_loadu_si128((const void *)p)));
	for (uint32_t i = 16; i + 16 < n; i += 16)
		plain = _mm_and_si128(plain, plain_in_name(_mm_loadu_si128((const void *)(p + i))));
	return are_all(plain);
}

#else

/* The bytes whose top bits are set, as a set of eight. */
UVET_WRAPS static inline uint64_t set_of(uint64_t marks)
{
	return (marks & TOP_BITS) / 0x80 * 0x0102040810204080u >> 56;
}

static inline bool find_sets(const uint8_t *p, uint32_t n, char separator, struct sets *s)
{
	const char other = (char)('/' ^ '\\' ^ separator); /* of the two */

	*s = (struct sets){ 0, 0 };
	for (uint32_t i = 0; i < n; i += 8) {
		uint32_t at = n - i < 8 ? n - 8 : i;
		uint64_t word = bytes_le64(p + at);

		if (!is_plain_word(word, other))
			return false;
		s->separators |= set_of(EQUAL(word, separator)) << at;
		s->dots |= set_of(EQUAL(word, '.')) << at;
	}
	return true;
}

static inline bool is_plain_run(const uint8_t *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i += 8) {
		uint64_t word = bytes_le64(p + (n - i < 8 ? n - 8 : i));

		if (!is_plain_word(word, '/') || (EQUAL(word, '\\') & TOP_BITS) != 0)
			return false;
	}
	return true;
}

#endif

#endif

/* Narrow text as the engine hashes it: ASCII in lower case, in units of UTF-16LE. */
#ifndef UVET_CORE_TEXT_WIDE_H
#define UVET_CORE_TEXT_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compiler.h"
#include "core/cursor.h"

/* ---- A number of characters ------------------------------------------------------------------ */

/* Each of these writes 2 * n bytes for n characters at p. It returns 0 if they are all ASCII. */
static inline int widen_each(uint8_t *out, const uint8_t *p, uint32_t n)
{
	int all = 0;

	for (uint32_t i = 0; i < n; i++) {
		all |= p[i];
		out[2 * (size_t)i] = (uint8_t)(p[i] >= 'A' && p[i] <= 'Z' ? p[i] + 0x20 : p[i]);
		out[2 * (size_t)i + 1] = 0;
	}
	return all & 0x80;
}

#if defined(__SSE2__) && !defined(UVET_PORTABLE)

#include <emmintrin.h>

/* All bytes are shifted so that `Z` becomes the highest signed number; then one comparison finds
 * the capital letters. */
static inline __m128i lower_case(__m128i v)
{
	const __m128i moved = _mm_add_epi8(v, _mm_set1_epi8(INT8_MAX - 'Z'));
	const __m128i upper = _mm_cmpgt_epi8(moved, _mm_set1_epi8(INT8_MAX - 'Z' + 'A' - 1));

	return _mm_or_si128(v, _mm_and_si128(upper, _mm_set1_epi8(0x20)));
}

static inline int widen_four(uint8_t *out, const uint8_t *p)
{
	const __m128i v = _mm_cvtsi32_si128((int)bytes_le32(p));

	_mm_storel_epi64((void *)out, _mm_unpacklo_epi8(lower_case(v), _mm_setzero_si128()));
	return _mm_movemask_epi8(v);
}

static inline int widen_eight(uint8_t *out, const uint8_t *p)
{
	const __m128i v = _mm_loadl_epi64((const void *)p);

	_mm_storeu_si128((void *)out, _mm_unpacklo_epi8(lower_case(v), _mm_setzero_si128()));
	return _mm_movemask_epi8(v);
}

static inline int widen_sixteen(uint8_t *out, const uint8_t *p)
{
	const __m128i v = _mm_loadu_si128((const void *)p), lower = lower_case(v);

	_mm_storeu_si128((void *)out, _mm_unpacklo_epi8(lower, _mm_setzero_si128()));
	_mm_storeu_si128((void *)(out + 16), _mm_unpackhi_epi8(lower, _mm_setzero_si128()));
	return _mm_movemask_epi8(v);
}

#else

static inline int widen_four(uint8_t *out, const uint8_t *p)
{
	return widen_each(out, p, 4);
}

static inline int widen_eight(uint8_t *out, const uint8_t *p)
{
	return widen_each(out, p, 8);
}

static inline int widen_sixteen(uint8_t *out, const uint8_t *p)
{
	return widen_each(out, p, 16);
}

#endif

/* ---- A text ---------------------------------------------------------------------------------- */

/* text_widen writes 2 * n bytes for n characters; false: they are not all ASCII. Some in the
 * middle may be written twice. */
UVET_MUST_USE static inline bool text_widen(uint8_t *out, const uint8_t *p, uint32_t n)
{
	int high = 0;

	if (n < 4)
		return widen_each(out, p, n) == 0;
	if (n < 8)
		return (widen_four(out, p) | widen_four(out + 2 * (size_t)(n - 4), p + n - 4)) == 0;
	if (n < 16)
		return (widen_eight(out, p) | widen_eight(out + 2 * (size_t)(n - 8), p + n - 8)) ==
		       0;
	for (uint32_t i = 0; i + 16 < n; i += 16)
		high |= widen_sixteen(out + 2 * (size_t)i, p + i);
	return (high | widen_sixteen(out + 2 * (size_t)(n - 16), p + n - 16)) == 0;
}

#endif

/* Narrow text as the engine hashes it: ASCII in lower case, in units of UTF-16LE. */
#ifndef UVET_CORE_TEXT_WIDE_H
#define UVET_CORE_TEXT_WIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/compiler.h"

/* ---- Eight characters --------------------------------------------------------------------------------------------------- */

#if defined(__SSE2__) && !defined(UVET_PORTABLE)

#include <emmintrin.h>

/* Writes 16 bytes for eight at p; what it returns is 0 if they are ASCII. */
static inline int widen_eight(uint8_t *out, const uint8_t *p)
{
	const __m128i v = _mm_loadl_epi64((const void *)p);
	const __m128i upper = _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8('A' - 1)), _mm_cmplt_epi8(v, _mm_set1_epi8('Z' + 1)));
	const __m128i lower = _mm_or_si128(v, _mm_and_si128(upper, _mm_set1_epi8(0x20)));

	_mm_storeu_si128((void *)out, _mm_unpacklo_epi8(lower, _mm_setzero_si128()));
	return _mm_movemask_epi8(v);
}

#else

static inline int widen_eight(uint8_t *out, const uint8_t *p)
{
	int all = 0;

	for (unsigned i = 0; i < 8; i++) {
		all |= p[i];
		out[2 * i] = (uint8_t)(p[i] >= 'A' && p[i] <= 'Z' ? p[i] + 0x20 : p[i]);
		out[2 * i + 1] = 0;
	}
	return all & 0x80;
}

#endif

/* ---- A text --------------------------------------------------------------------------------------------------------------- */

/* text_widen writes 2 * n bytes for n characters; false: they are not all ASCII. The last eight may be written twice. */
UVET_MUST_USE static inline bool text_widen(uint8_t *out, const uint8_t *p, uint32_t n)
{
	uint8_t few[8] = { 0 }, wide[16];
	int odd = 0;

	if (n == 0)                             /* there may be no bytes at all */
		return true;
	if (n < 8) {
		memcpy(few, p, n);
		odd = widen_eight(wide, few);
		memcpy(out, wide, 2 * (size_t)n);
		return odd == 0;
	}
	for (uint32_t i = 0; i + 8 < n; i += 8)
		odd |= widen_eight(out + 2 * (size_t)i, p + i);
	return (odd | widen_eight(out + 2 * (size_t)(n - 8), p + n - 8)) == 0;
}

#endif

/* Control characters among sixteen bytes. Only text.c includes it. */
#ifndef UVET_CORE_TEXT_CONTROLS_H
#define UVET_CORE_TEXT_CONTROLS_H

#include <stdint.h>

#include "core/compiler.h"
#include "core/cursor.h"

#if defined(__SSE2__) && !defined(UVET_PORTABLE)

#include <emmintrin.h>

/* first_control returns the index of the first byte at p that is below 0x20 or a DEL, or 16. */
static inline unsigned first_control(const uint8_t *p)
{
	__m128i v = _mm_loadu_si128((const void *)p),
		low = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);

	return bits_lowest((unsigned)_mm_movemask_epi8(
				   _mm_or_si128(low, _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7F)))) |
			   0x10000u);
}

#else

/* Sets the top bit of bytes that are below 0x20 or DEL. Only the lowest such bit is certain: the
 * subtraction borrows from the bytes above. */
UVET_WRAPS static inline uint64_t control_marks(uint64_t v)
{
	const uint64_t each = 0x0101010101010101u;
	uint64_t del = v ^ each * 0x7F;

	return (((v - each * 0x20) & ~v) | ((del - each) & ~del)) & each * 0x80;
}

static inline unsigned first_control(const uint8_t *p)
{
	for (unsigned i = 0; i < 16; i += 8) {
		uint64_t marks = control_marks(bytes_le64(p + i));

		if (marks != 0)
			return i + bytes_lowest(marks);
	}
	return 16;
}

#endif

#endif

/* CRC-32/BZIP2 through the best library at hand: ISA-L computes it as it is; the others compute the reflected CRC-32, which
 * over bytes with their bits reversed is the same, reversed. */
#include "codec/crc.h"

#include <stddef.h>

#include "core/compiler.h"

#if defined(UVET_WITH_ISAL)

#include <isa-l/crc.h>

const char *crc_library(void)
{
	return "isa-l";
}

void crc_add(struct crc *c, const uint8_t *bytes, uint64_t n)
{
	while (n > 0) {
		uint64_t part = n < 0x40000000 ? n : 0x40000000;

		c->value = crc32_ieee(c->value, bytes, part);
		bytes += part;
		n -= part;
	}
}

#else

#if defined(UVET_WITH_LIBDEFLATE)
#include <libdeflate.h>
#define REFLECTED_CRC(crc, bytes, n) libdeflate_crc32((crc), (bytes), (n))
#else
#include <zlib.h>
#define REFLECTED_CRC(crc, bytes, n) ((uint32_t)crc32((crc), (bytes), (uInt)(n)))
#endif

#include <string.h>

#define REVERSED_MAX ((size_t)16384)

/* Reversing the bits of each byte, eight bytes at a time. The tail is padded by the caller's buffer. */
UVET_WRAPS static inline void reverse_words(const uint8_t *from, uint8_t *to, size_t n)
{
	for (size_t i = 0; i < n; i += 8) {
		uint64_t v = 0;

		memcpy(&v, from + i, n - i < 8 ? n - i : 8);
		v = (v >> 1 & 0x5555555555555555u) + ((v & 0x5555555555555555u) << 1);
		v = (v >> 2 & 0x3333333333333333u) + ((v & 0x3333333333333333u) << 2);
		v = (v >> 4 & 0x0F0F0F0F0F0F0F0Fu) + ((v & 0x0F0F0F0F0F0F0F0Fu) << 4);
		memcpy(to + i, &v, 8);
	}
}

UVET_WRAPS static uint32_t reverse_bits(uint32_t v)
{
	uint32_t out = 0;

	for (unsigned i = 0; i < 32; i++)
		out = out << 1 | (v >> i & 1);
	return out;
}

const char *crc_library(void)
{
#if defined(UVET_WITH_LIBDEFLATE)
	return "libdeflate";
#else
	return "zlib";
#endif
}

void crc_add(struct crc *c, const uint8_t *bytes, uint64_t n)
{
	uint8_t reversed[REVERSED_MAX];
	uint32_t crc = reverse_bits(c->value);

	while (n > 0) {
		size_t part = n < REVERSED_MAX ? (size_t)n : REVERSED_MAX;

		reverse_words(bytes, reversed, part);
		crc = REFLECTED_CRC(crc, reversed, part);
		bytes += part;
		n -= part;
	}
	c->value = reverse_bits(crc);
}

#endif

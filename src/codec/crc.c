/* CRC-32/BZIP2 through the fastest library that the build has. ISA-L computes it; the others
 * compute the reflected CRC-32, which of bytes with reversed bits is the same checksum with
 * reversed bits. */
#include "codec/crc.h"

#include <stddef.h>

#include "codec/cpu.h"
#include "core/compiler.h"

#if defined(UVET_WITH_ISAL)

#include <isa-l/crc.h>
#if defined(CPU_AVX2) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

/* ISA-L 2.30 leaves the upper halves of the vector registers in use, which slows down all vector
 * code after it. Where only the processor itself could tell whether it has them, they stay as
 * they are: asking takes too long. */
#if defined(CPU_FEATURE_ACTIVE)

__attribute__((target("avx"))) static void zero_upper(void)
{
	_mm256_zeroupper();
}

static void clear_vectors(void)
{
	if (CPU_FEATURE_ACTIVE(AVX))
		zero_upper();
}

#else

static void clear_vectors(void)
{
}

#endif

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
	clear_vectors();
}

#else

#if defined(UVET_WITH_LIBDEFLATE)
#include <libdeflate.h>
#define REFLECTED_CRC(crc, bytes, n) libdeflate_crc32((crc), (bytes), (n))
#else
#include <zlib.h>
#define REFLECTED_CRC(crc, bytes, n) ((uint32_t)crc32((crc), (const Bytef *)(bytes), (uInt)(n)))
#endif

#include <string.h>

/* Bytes are reversed a block at a time, into a buffer that stays in the first-level cache. */
#define BLOCK_WORDS ((size_t)512)
#define BLOCK_LEN ((size_t)4096)

/* From this many bytes on it pays to ask what the processor can do. */
#define LARGE ((uint64_t)262144)

static inline uint64_t reverse_word(uint64_t v)
{
	v = (v >> 1 & 0x5555555555555555u) | (v & 0x5555555555555555u) << 1;
	v = (v >> 2 & 0x3333333333333333u) | (v & 0x3333333333333333u) << 2;
	return (v >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (v & 0x0F0F0F0F0F0F0F0Fu) << 4;
}

static inline void reverse_block(const uint8_t *from, uint64_t *to)
{
	for (size_t i = 0; i < BLOCK_WORDS; i++) {
		uint64_t v;

		memcpy(&v, from + 8 * i, 8);
		to[i] = reverse_word(v);
	}
}

/* The same, 32 bytes at a time: each half of a byte is looked up in a table of 16. Compilers
 * make twice as many instructions of the loop above. */
#if defined(CPU_AVX2)
CPU_AVX2 static void reverse_block_avx2(const uint8_t *from, uint64_t *to)
{
	const __m256i half = _mm256_set1_epi8(15);
	const __m256i low = _mm256_broadcastsi128_si256(
		_mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15));
	const __m256i high = _mm256_slli_epi64(low, 4);

	for (size_t i = 0; i < BLOCK_LEN; i += 32) {
		__m256i v = _mm256_loadu_si256((const void *)(from + i));
		__m256i a = _mm256_shuffle_epi8(high, _mm256_and_si256(v, half));
		__m256i b = _mm256_shuffle_epi8(low,
						_mm256_and_si256(_mm256_srli_epi64(v, 4), half));

		_mm256_storeu_si256((void *)((uint8_t *)to + i), _mm256_or_si256(a, b));
	}
}
#else
#define reverse_block_avx2 reverse_block
#endif

static void reverse_part(const uint8_t *from, uint64_t *to, size_t n)
{
	for (size_t i = 0; i < n; i += 8) {
		uint64_t v = 0;

		memcpy(&v, from + i, n - i < 8 ? n - i : 8);
		to[i / 8] = reverse_word(v);
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

/* The answer is kept with the checksum, because there are no globals. */
static bool use_avx2(struct crc *c, uint64_t n)
{
	if (c->means == CRC_NOT_ASKED && n >= LARGE)
		c->means = cpu_has_avx2() ? CRC_AVX2 : CRC_PLAIN;
	return c->means == CRC_AVX2;
}

void crc_add(struct crc *c, const uint8_t *bytes, uint64_t n)
{
	uint64_t reversed[BLOCK_WORDS];
	uint32_t crc = reverse_bits(c->value);
	bool avx2 = use_avx2(c, n);

	for (; n >= BLOCK_LEN; n -= BLOCK_LEN, bytes += BLOCK_LEN) {
		if (avx2)
			reverse_block_avx2(bytes, reversed);
		else
			reverse_block(bytes, reversed);
		crc = REFLECTED_CRC(crc, reversed, BLOCK_LEN);
	}
	reverse_part(bytes, reversed, (size_t)n);
	crc = REFLECTED_CRC(crc, reversed, (size_t)n);
	c->value = reverse_bits(crc);
}

#endif

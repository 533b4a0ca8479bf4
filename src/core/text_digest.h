/* Digests: what is found out about a short text in single bytes, eight at a time. */
#ifndef UVET_CORE_TEXT_DIGEST_H
#define UVET_CORE_TEXT_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/compiler.h"
#include "core/cursor.h"
#include "core/hash.h"

struct text_digest {
	/* the first eight bytes, the first one lowest; 0 for those that are missing */
	uint64_t head;
	/* the same for texts that differ only in the case of ASCII letters; so it is for some
	 * other characters */
	uint32_t hash;
	bool plain; /* all are digits, letters, or one of ? @ [ \ ] ^ _ ` { | } ~ */
};

#define TEXT_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* text_unplain is not 0 where one of eight bytes is not plain: from 0x80 on, 0x7F, or below 0x3F
 * and no digit. */
static inline uint64_t text_unplain(uint64_t bytes)
{
	uint64_t low = bytes & TEXT_EACH(0x7F), digit = low ^ TEXT_EACH('0');
	uint64_t below = ~(low + TEXT_EACH(0x80 - 0x3F)), no_digit = digit + TEXT_EACH(0x80 - 10);

	return (bytes | (low + TEXT_EACH(1)) | (below & no_digit)) & TEXT_EACH(0x80);
}

/* text_short loads n < 8 bytes as a word; missing ones are 0. */
UVET_WRAPS static inline uint64_t text_short(const uint8_t *p, uint32_t n)
{
	if (n >= 4)
		return bytes_le32(p) | bytes_le32(p + n - 4) >> 8 * (8 - n) << 32;
	if (n == 0)
		return 0;
	return (uint64_t)p[0] | (uint64_t)p[n / 2] << 8 * (n / 2) |
	       (uint64_t)p[n - 1] << 8 * (n - 1);
}

/* text_digest computes the digest of n bytes. */
UVET_INLINE UVET_WRAPS static inline struct text_digest text_digest(const uint8_t *p, uint32_t n)
{
	const uint64_t lower_case = TEXT_EACH(0x20);
	uint64_t word, unplain = 0, sum = n;
	struct text_digest d;
	uint32_t i = 0;

	if (n < 8) {
		d.head = text_short(p, n);
		d.hash = (uint32_t)(n > 0 ? hash_mix(sum, d.head | lower_case) : sum);
		d.plain = text_unplain(d.head | TEXT_EACH('0') << 8 * n) == 0;
		return d;
	}
	d.head = bytes_le64(p);
	for (; i + 8 <= n; i += 8) {
		word = bytes_le64(p + i);
		unplain |= text_unplain(word);
		sum = hash_mix(sum, word | lower_case);
	}
	if (i < n) {
		word = bytes_le64(p + n - 8);
		unplain |= text_unplain(word);
		sum = hash_mix(sum, word >> 8 * (i + 8 - n) | lower_case);
	}
	d.hash = (uint32_t)sum;
	d.plain = unplain == 0;
	return d;
}

/* text_low returns a mask of the k lowest bytes of a word, 0 <= k <= 8. */
static inline uint64_t text_low(uint32_t k)
{
	return UINT64_MAX >> 4 * (8 - k) >> 4 * (8 - k);
}

/* text_digest_short is text_digest of 1 to TEXT_SHORT_MAX bytes where TEXT_SHORT_MAX can be
 * read. It has no branch that depends on n: the lengths of names vary, and such a branch would
 * often be mispredicted. */
#define TEXT_SHORT_MAX 16u
UVET_INLINE UVET_WRAPS static inline struct text_digest text_digest_short(const uint8_t *p,
									  uint32_t n)
{
	const uint64_t lower_case = TEXT_EACH(0x20), zeros = TEXT_EACH('0');
	const uint64_t low = text_low(n < 8 ? n : 8), high = text_low(n < 8 ? 0 : n - 8);
	const uint64_t head = bytes_le64(p) & low, tail = bytes_le64(p + 8) & high;
	const uint64_t sum = hash_mix(n, head | lower_case), all = hash_mix(sum, tail | lower_case);

	return (struct text_digest){
		.head = head,
		.hash = (uint32_t)(n > 8 ? all : sum),
		.plain = (text_unplain(head | (zeros & ~low)) |
			  text_unplain(tail | (zeros & ~high))) == 0,
	};
}

#endif

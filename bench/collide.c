/* Names of one hash: their last eight bytes make up for what the others are; and ids of one hash,
 * which are worked out backwards. */
#include "collide.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/text_digest.h"

#define HASH_FACTOR UINT64_C(0x9E3779B97F4A7C15)

/* What hash_mix has made of a name but for its last eight bytes. */
static uint64_t sum_before_last(const char *text)
{
	uint64_t sum = COLLIDE_LEN;

	for (size_t i = 0; i + 8 < COLLIDE_LEN; i += 8)
		sum = hash_mix(sum, bytes_le64((const uint8_t *)text + i) | TEXT_EACH(0x20));
	return sum;
}

/* The inverse of an odd number modulo 2 to the 64th: each step doubles the bits that are right. */
UVET_WRAPS static uint64_t invert(uint64_t odd)
{
	uint64_t x = odd;

	for (unsigned i = 0; i < 6; i++)
		x *= 2 - odd * x;
	return x;
}

static bool are_letters(uint64_t word)
{
	for (unsigned i = 0; i < 8; i++) {
		uint64_t c = word >> 8 * i & 0xFF;

		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9'))
			return false;
	}
	return true;
}

/* Finds the eight bytes that make the hash 0. It is the two halves of a product, one upon the
 * other, so both must be alike; the lower half follows from four bytes of our choice, the upper
 * half of the product from that, and the other four bytes from both. */
UVET_WRAPS static bool find_last(uint64_t sum, char out[8])
{
	const uint64_t back = invert(HASH_FACTOR);

	for (uint64_t k = 0; k < 26 * 26 * 26 * 26; k++) {
		uint64_t low = 'a' + k % 26 + ('a' + k / 26 % 26) * 256 +
			       ('a' + k / 676 % 26) * 65536 + ('a' + k / 17576) * 16777216;
		uint64_t half = ((low ^ sum) * HASH_FACTOR) & 0xFFFFFFFFu,
			 word = ((half << 32 | half) * back) ^ sum;

		if (!are_letters(word))
			continue;
		for (unsigned i = 0; i < 8; i++)
			out[i] = (char)(word >> 8 * i & 0xFF);
		return true;
	}
	return false;
}

bool collide_name(uint64_t number, char out[COLLIDE_LEN + 1])
{
	snprintf(out, COLLIDE_LEN + 1, "%048u%08u", (unsigned)(number * 7919), 0);
	if (!find_last(sum_before_last(out), out + COLLIDE_LEN - 8))
		return false;
	if (text_digest((const uint8_t *)out, COLLIDE_LEN).hash != 0)
		exit(3);
	return true;
}

/* The hash is the upper half of a product: here it is 0, and the number is the lower half. */
UVET_WRAPS uint64_t collide_id(uint64_t number, uint32_t rest)
{
	return number * invert(UINT64_C(0xD6E8FEB86659FD93)) ^ rest * HASH_FACTOR;
}

/* Numbers that follow from the input, so that every run of one input draws the same options and the
 * same faults. */
#ifndef UVET_FUZZ_SUPPORT_RANDOM_H
#define UVET_FUZZ_SUPPORT_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A dice rolls one sequence for each seed. Source: splitmix64, Steele, Lea and Flood. */
struct dice {
	uint64_t state;
};

static inline uint64_t dice_roll(struct dice *d)
{
	uint64_t z = d->state += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

/* dice_below returns a number below n, which is not 0. */
static inline uint64_t dice_below(struct dice *d, uint64_t n)
{
	return dice_roll(d) % n;
}

/* dice_one_in is true once in n times. */
static inline bool dice_one_in(struct dice *d, uint64_t n)
{
	return dice_below(d, n) == 0;
}

/* dice_mostly is true seven times in eight. */
static inline bool dice_mostly(struct dice *d)
{
	return !dice_one_in(d, 8);
}

/* random_word is eight bytes, the first the highest. */
static inline uint64_t random_word(const uint8_t *bytes)
{
	uint64_t v;

	memcpy(&v, bytes, sizeof v);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

static inline uint64_t random_mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9E3779B97F4A7C15u;
	return h ^ h >> 29;
}

/* random_hash hashes bytes, eight at a time. */
static inline uint64_t random_hash(const uint8_t *bytes, size_t n)
{
	uint64_t h = 0xCBF29CE484222325u ^ n, word = 0;
	size_t i = 0;

	for (; n - i >= 8; i += 8) {
		word = random_word(bytes + i);
		h = random_mix(h, word);
	}
	if (i == n)
		return h;
	for (; i < n; i++)
		word = word << 8 | bytes[i];
	return random_mix(h, word);
}

#endif

/* Numbers that follow from the input, so that every run of one input draws the same options and the same faults. */
#ifndef UVET_FUZZ_RANDOM_H
#define UVET_FUZZ_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A dice gives one sequence for each seed. Source: splitmix64, Steele, Lea and Flood. */
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

/* random_hash hashes bytes, eight at a time. */
static inline uint64_t random_hash(const uint8_t *bytes, size_t n)
{
	uint64_t h = 0xCBF29CE484222325u ^ n, word = 0;

	for (size_t i = 0; i < n; i++) {
		word = word << 8 | bytes[i];
		if (i % 8 == 7 || i + 1 == n) {
			h = (h ^ word) * 0x9E3779B97F4A7C15u;
			h ^= h >> 29;
		}
	}
	return h;
}

#endif

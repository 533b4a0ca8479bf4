/* Montgomery's multiplication over words of 32 bits. Libraries for large numbers ask malloc for
 * memory, and end the process when there is none. Source: P. L. Montgomery, "Modular
 * Multiplication Without Trial Division", Mathematics of Computation 44 (1985). */
#include "codec/power.h"

#include <stdbool.h>
#include <string.h>

#include "core/compiler.h"

enum { WORD_BITS = 32, WORDS_MAX = POWER_MODULUS_MAX / 4 };

/* A ring is a modulus, with its lowest word first, and what Montgomery's reduction needs of it.
 * Numbers of the ring have n words and are below the modulus; a number stands for itself times
 * 2^-(32 n). */
struct ring {
	size_t n;
	uint32_t modulus[WORDS_MAX];
	uint32_t inverse; /* of the modulus, negated, modulo 2^32 */
};

static void read_words(uint32_t *words, size_t n, const uint8_t *bytes, size_t len)
{
	memset(words, 0, n * sizeof *words);
	for (size_t i = 0; i < len; i++)
		words[i / 4] |= (uint32_t)bytes[len - 1 - i] << 8 * (i % 4);
}

static void write_words(uint8_t *bytes, size_t len, const uint32_t *words)
{
	for (size_t i = 0; i < len; i++)
		bytes[len - 1 - i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}

/* Newton's iteration: each round doubles the number of correct bits, beginning with 3, because
 * an odd number is its own inverse modulo 8.
 */
UVET_WRAPS static uint32_t negated_inverse(uint32_t odd)
{
	uint32_t inverse = odd;

	for (unsigned bits = 3; bits < WORD_BITS; bits *= 2)
		inverse *= 2 - odd * inverse;
	return 0 - inverse;
}

/* Subtracts the modulus from a number of n words and one more, `above`, unless the number is below
 * it. */
UVET_WRAPS static void reduce(const struct ring *r, uint32_t *number, uint32_t above)
{
	uint32_t difference[WORDS_MAX] UVET_FILLED_LATER;
	uint64_t borrow = 0;

	for (size_t i = 0; i < r->n; i++) {
		const uint64_t word = (uint64_t)number[i] - r->modulus[i] - borrow;

		difference[i] = (uint32_t)word;
		borrow = word >> 63;
	}
	if (above >= borrow)
		memcpy(number, difference, r->n * sizeof *number);
}

static void double_number(const struct ring *r, uint32_t *number)
{
	uint32_t above = 0;

	for (size_t i = 0; i < r->n; i++) {
		const uint32_t word = number[i];

		number[i] = (uint32_t)((uint64_t)word << 1) | above;
		above = word >> 31;
	}
	reduce(r, number, above);
}

/* Writes a times b times 2^-(32 n); out may be either of them. */
UVET_WRAPS static void multiply(const struct ring *r, uint32_t *out, const uint32_t *a,
				const uint32_t *b)
{
	uint32_t t[WORDS_MAX + 2] = { 0 };

	for (size_t i = 0; i < r->n; i++) {
		uint64_t sum = 0;
		uint32_t zeroing;

		for (size_t j = 0; j < r->n; j++) {
			sum = (sum >> WORD_BITS) + (uint64_t)a[j] * b[i] + t[j];
			t[j] = (uint32_t)sum;
		}
		sum = (sum >> WORD_BITS) + t[r->n];
		t[r->n] = (uint32_t)sum;
		t[r->n + 1] = (uint32_t)(sum >> WORD_BITS);

		zeroing = t[0] * r->inverse;
		sum = (uint64_t)zeroing * r->modulus[0] + t[0];
		for (size_t j = 1; j < r->n; j++) {
			sum = (sum >> WORD_BITS) + (uint64_t)zeroing * r->modulus[j] + t[j];
			t[j - 1] = (uint32_t)sum;
		}
		sum = (sum >> WORD_BITS) + t[r->n];
		t[r->n - 1] = (uint32_t)sum;
		t[r->n] = t[r->n + 1] + (uint32_t)(sum >> WORD_BITS);
	}
	reduce(r, t, t[r->n]);
	memcpy(out, t, r->n * sizeof *out);
}

void power_modulo(uint8_t *number, const uint8_t *modulus, size_t len, uint64_t exponent)
{
	struct ring r UVET_FILLED_LATER;
	uint32_t base[WORDS_MAX] UVET_FILLED_LATER, power[WORDS_MAX] UVET_FILLED_LATER;
	const uint32_t one[WORDS_MAX] = { 1 };

	if (NEVER(len == 0 || len > POWER_MODULUS_MAX || exponent == 0))
		return;
	r.n = (len + 3) / 4;
	read_words(r.modulus, r.n, modulus, len);
	r.inverse = negated_inverse(r.modulus[0]);
	read_words(base, r.n, number, len);
	for (size_t i = 0; i < r.n * WORD_BITS; i++)
		double_number(&r, base);
	memcpy(power, base, r.n * sizeof *power);
	for (unsigned bit = bits_highest(exponent); bit > 0; bit--) {
		multiply(&r, power, power, power);
		if (exponent >> (bit - 1) & 1)
			multiply(&r, power, power, base);
	}
	multiply(&r, power, power, one);
	write_words(number, len, power);
}

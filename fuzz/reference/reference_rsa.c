/* Numbers of 512 bits, multiplied bit by bit. */
#include "reference/reference_rsa.h"

#include <string.h>

enum { LIMBS = REFERENCE_SIGNATURE / 4 };

struct number {
	uint32_t limb[LIMBS]; /* the lowest first */
};

static const uint8_t modulus[REFERENCE_SIGNATURE] = {
	0xD4, 0x80, 0xFC, 0xDA, 0x92, 0xD1, 0x29, 0x02, 0x9A, 0x93, 0xF8, 0xBE, 0x2B,
	0x7B, 0xC9, 0x6F, 0x79, 0x89, 0xEC, 0xA5, 0x0D, 0xD9, 0x21, 0x82, 0xD8, 0x42,
	0x8F, 0xE2, 0xD9, 0xF8, 0xA3, 0x84, 0x1E, 0xB3, 0x43, 0x16, 0xF1, 0xEF, 0x8C,
	0xED, 0x01, 0x94, 0x7A, 0x68, 0xA1, 0xFC, 0x5F, 0xA5, 0xF3, 0x49, 0x1A, 0x3F,
	0xE6, 0x14, 0xD0, 0x0C, 0x93, 0xBB, 0xB6, 0xF2, 0x06, 0x2B, 0x6B, 0x31
};

struct signing_key reference_signing_key(void)
{
	struct signing_key k = { .len = REFERENCE_SIGNATURE, .exponent = 3 };

	memcpy(k.modulus, modulus, sizeof modulus);
	return k;
}

static struct number read_number(const uint8_t *p)
{
	struct number n;

	for (int i = 0; i < LIMBS; i++)
		n.limb[LIMBS - 1 - i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
					(uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
	return n;
}

static bool is_less(const struct number *a, const struct number *b)
{
	for (int i = LIMBS; i > 0; i--)
		if (a->limb[i - 1] != b->limb[i - 1])
			return a->limb[i - 1] < b->limb[i - 1];
	return false;
}

/* What there is above 512 bits, after a is added or taken away. */
static uint32_t add(struct number *to, const struct number *a)
{
	uint64_t carry = 0;

	for (int i = 0; i < LIMBS; i++) {
		carry += (uint64_t)to->limb[i] + a->limb[i];
		to->limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return (uint32_t)carry;
}

static void take(struct number *from, const struct number *a)
{
	uint64_t borrow = 0;

	for (int i = 0; i < LIMBS; i++) {
		const uint64_t difference = (uint64_t)from->limb[i] - a->limb[i] - borrow;

		from->limb[i] = (uint32_t)difference;
		borrow = difference >> 63;
	}
}

/* Both are below n, and so is their sum then. */
static void add_modulo(struct number *to, const struct number *a, const struct number *n)
{
	if (add(to, a) > 0 || !is_less(to, n))
		take(to, n);
}

static struct number multiply(const struct number *a, const struct number *b,
			      const struct number *n)
{
	struct number product = { { 0 } };

	for (int i = 32 * LIMBS; i > 0; i--) {
		const struct number before = product;

		add_modulo(&product, &before, n);
		if (a->limb[(i - 1) / 32] >> (i - 1) % 32 & 1)
			add_modulo(&product, b, n);
	}
	return product;
}

bool reference_verifies(const uint8_t *signature, uint64_t len, const uint8_t digest[20])
{
	const struct number n = read_number(modulus);
	uint8_t padded[REFERENCE_SIGNATURE];
	struct number s, square, cube, wanted;

	if (len != REFERENCE_SIGNATURE)
		return false;
	s = read_number(signature);
	if (!is_less(&s, &n))
		return false;
	square = multiply(&s, &s, &n);
	cube = multiply(&square, &s, &n);
	memset(padded, 0xFF, sizeof padded);
	padded[0] = padded[sizeof padded - 21] = 0;
	padded[1] = 1;
	memcpy(padded + sizeof padded - 20, digest, 20);
	wanted = read_number(padded);
	return memcmp(&cube, &wanted, sizeof cube) == 0;
}

/* Small readers, written from the specification. */
#include "reference/reference.h"

#include <stdbool.h>

uint64_t reference_u32(const uint8_t *p)
{
	return p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

void reference_put_u32(uint8_t *p, uint64_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

uint32_t reference_crc(const uint8_t *p, uint64_t n)
{
	static uint32_t table[256];
	uint32_t crc = 0xFFFFFFFFu;

	for (uint32_t i = 0; i < 256 && table[255] == 0; i++) {
		table[i] = i << 24;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] & 0x80000000u ? table[i] << 1 ^ 0x04C11DB7u
							  : table[i] << 1;
	}
	for (uint64_t i = 0; i < n; i++)
		crc = crc << 8 ^ table[crc >> 24 ^ p[i]];
	return ~crc;
}

bool reference_same(const void *a, const void *b, size_t n)
{
	const uint8_t *x = a, *y = b;
	uint8_t differs = 0;

	for (size_t i = 0; i < n; i++)
		differs |= x[i] ^ y[i];
	return differs == 0;
}

bool reference_is_zero(const uint8_t *p, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		if (p[i] != 0)
			return false;
	return true;
}

uint64_t reference_index(const uint8_t *p, uint64_t left, int64_t *value)
{
	uint64_t sum, n = 1, shift = 6;
	bool more, negative;

	if (left == 0)
		return 0;
	negative = p[0] & 0x80;
	more = p[0] & 0x40;
	sum = p[0] & 0x3F;
	while (more) {
		if (n == left)
			return 0;
		if (n == 4) {
			sum |= (uint64_t)p[4] << 27;
			more = false;
		} else {
			sum |= (uint64_t)(p[n] & 0x7F) << shift;
			more = p[n] & 0x80;
		}
		shift += 7;
		n++;
	}
	if (sum > (negative ? 0x80000000u : 0x7FFFFFFFu))
		return 0;
	*value = negative ? -(int64_t)sum : (int64_t)sum;
	return n;
}

unsigned reference_put_index(uint8_t out[5], int64_t value)
{
	uint64_t v = value < 0 ? (uint64_t)-value : (uint64_t)value;
	unsigned n = 1;

	out[0] = (uint8_t)((value < 0 ? 0x80 : 0) | (v & 0x3F));
	for (v >>= 6; v > 0; v >>= 7) {
		out[n - 1] |= n == 1 ? 0x40 : 0x80;
		out[n++] = (uint8_t)(v & 0x7F);
	}
	return n;
}

/* Digests of our own, written from their papers. */
#include "reference/reference_digest.h"

#include <string.h>

/* ---- SHA-1 ----------------------------------------------------------------------------------- */

enum { BLOCK = 64 };

static uint32_t left(uint32_t v, unsigned n)
{
	return v << n | v >> (32 - n);
}

static void sha1_block(uint32_t h[5], const uint8_t *p)
{
	static const uint32_t k[4] = { 0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6 };
	uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
		       (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
	for (int i = 16; i < 80; i++)
		w[i] = left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (int i = 0; i < 80; i++) {
		uint32_t f = i < 20              ? (b & c) | (~b & d)
			     : i >= 40 && i < 60 ? (b & c) | (b & d) | (c & d)
						 : b ^ c ^ d;
		uint32_t t = left(a, 5) + f + e + k[i / 20] + w[i];

		e = d;
		d = c;
		c = left(b, 30);
		b = a;
		a = t;
	}
	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
	h[4] += e;
}

void reference_sha1(const uint8_t *p, uint64_t n, uint8_t out[REFERENCE_DIGEST])
{
	uint32_t h[5] = { 0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0 };
	uint8_t last[2 * BLOCK] = { 0 };
	uint64_t i = 0, rest = n % BLOCK, len = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;

	for (; n - i >= BLOCK; i += BLOCK)
		sha1_block(h, p + i);
	if (rest > 0)
		memcpy(last, p + i, rest);
	last[rest] = 0x80;
	for (unsigned k = 0; k < 8; k++)
		last[len - 1 - k] = (uint8_t)(8 * n >> 8 * k);
	for (i = 0; i < len; i += BLOCK)
		sha1_block(h, last + i);
	for (unsigned k = 0; k < REFERENCE_DIGEST; k++)
		out[k] = (uint8_t)(h[k / 4] >> (24 - 8 * (k % 4)));
}

/* ---- BLAKE3 ---------------------------------------------------------------------------------- */

enum { CHUNK = 1024, CHUNK_START = 1, CHUNK_END = 2, PARENT = 4, ROOT = 8, DEPTH_MAX = 54 };

static const uint32_t start[8] = { 0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
				   0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19 };

static void mix(uint32_t v[16], int a, int b, int c, int d, uint32_t x, uint32_t y)
{
	v[a] += v[b] + x;
	v[d] = left(v[d] ^ v[a], 16);
	v[c] += v[d];
	v[b] = left(v[b] ^ v[c], 20);
	v[a] += v[b] + y;
	v[d] = left(v[d] ^ v[a], 24);
	v[c] += v[d];
	v[b] = left(v[b] ^ v[c], 25);
}

static void blake3_round(uint32_t v[16], uint32_t m[16])
{
	static const uint8_t order[16] = { 2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8 };
	uint32_t next[16];

	for (int i = 0; i < 4; i++)
		mix(v, i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1]);
	for (int i = 0; i < 4; i++)
		mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[8 + 2 * i],
		    m[9 + 2 * i]);
	for (int i = 0; i < 16; i++)
		next[i] = m[order[i]];
	memcpy(m, next, sizeof next);
}

/* Replaces the chaining value h by that of one more block. */
static void compress(uint32_t h[8], const uint8_t block[BLOCK], uint64_t counter, uint32_t len,
		     uint32_t flags)
{
	uint32_t v[16], m[16];

	for (int i = 0; i < 16; i++)
		m[i] = block[4 * i] | (uint32_t)block[4 * i + 1] << 8 |
		       (uint32_t)block[4 * i + 2] << 16 | (uint32_t)block[4 * i + 3] << 24;
	memcpy(v, h, 8 * sizeof *v);
	memcpy(v + 8, start, 4 * sizeof *v);
	v[12] = (uint32_t)counter;
	v[13] = (uint32_t)(counter >> 32);
	v[14] = len;
	v[15] = flags;
	for (int i = 0; i < 7; i++)
		blake3_round(v, m);
	for (int i = 0; i < 8; i++)
		h[i] = v[i] ^ v[i + 8];
}

static void hash_chunk(uint32_t h[8], const uint8_t *p, uint64_t n, uint64_t number, uint32_t root)
{
	uint64_t i = 0;

	memcpy(h, start, sizeof start);
	do {
		uint64_t len = n - i < BLOCK ? n - i : BLOCK;
		uint8_t block[BLOCK] = { 0 };

		if (len > 0)
			memcpy(block, p + i, len);
		compress(h, block, number, (uint32_t)len,
			 (i == 0 ? CHUNK_START : 0) | (i + len == n ? CHUNK_END | root : 0));
		i += len;
	} while (i < n);
}

static void join(uint32_t h[8], const uint32_t before[8], uint32_t root)
{
	uint8_t block[BLOCK];

	for (unsigned i = 0; i < BLOCK; i++)
		block[i] = (uint8_t)((i < 32 ? before[i / 4] : h[i / 4 - 8]) >> 8 * (i % 4));
	memcpy(h, start, sizeof start);
	compress(h, block, 0, BLOCK, PARENT | root);
}

void reference_blake3(const uint8_t *p, uint64_t n, uint8_t out[REFERENCE_DIGEST])
{
	uint32_t h[8], stack[DEPTH_MAX][8];
	uint64_t number = 0, depth = 0;

	for (; n - CHUNK * number > CHUNK && n > CHUNK; depth++) {
		hash_chunk(h, p + CHUNK * number, CHUNK, number, 0);
		for (uint64_t done = ++number; done % 2 == 0; done /= 2)
			join(h, stack[--depth], 0);
		memcpy(stack[depth], h, sizeof h);
	}
	hash_chunk(h, n > 0 ? p + CHUNK * number : p, n - CHUNK * number, number,
		   depth == 0 ? ROOT : 0);
	while (depth > 0) {
		depth--;
		join(h, stack[depth], depth == 0 ? ROOT : 0);
	}
	for (unsigned i = 0; i < REFERENCE_DIGEST; i++)
		out[i] = (uint8_t)(h[i / 4] >> 8 * (i % 4));
}

/* Undoing Epic's Burrows-Wheeler transform. The end of a block counts as a symbol above 255, so no byte is taken for it. */
#include "codec/bwt.h"

#include <string.h>

#include "core/canary.h"
#include "core/cursor.h"

enum bwt_fault bwt_read(const uint8_t *in, uint64_t n, uint64_t at, struct bwt_block *out)
{
	*out = (struct bwt_block){ .at = at };
	if (n - at < BWT_HEADER_LEN)
		return BWT_HEADER_CUT;
	out->len = (uint32_t)bytes_le32(in + at);
	out->first = (uint32_t)bytes_le32(in + at + 4);
	out->last = (uint32_t)bytes_le32(in + at + 8);
	out->bytes = in + at + BWT_HEADER_LEN;
	if (out->len > BWT_LEN_MAX)
		return BWT_LENGTH;
	if (n - at - BWT_HEADER_LEN < (uint64_t)out->len + 1 - (uint64_t)CANARY(42))    /* canary: a block's last byte may be missing */
		return BWT_CUT;
	if (out->first > out->len)
		return BWT_FIRST;
	if (out->last > out->len + (uint32_t)CANARY(43))                /* canary: the end may stand behind the block */
		return BWT_LAST;
	return BWT_FINE;
}

/* Sorting the bytes stably says for each of them where the byte stands that follows it: entry i of steps is byte i, and above it the
 * index of the next. A length is below 2^19, so both fit. */
static void make_steps(const struct bwt_block *b, uint32_t *steps)
{
	const uint8_t *bytes = b->bytes;
	uint32_t rank[256] = { 0 }, sum = 0, len = b->len, last = b->last;

	for (uint32_t i = 0; i <= len; i++) {
		steps[i] = bytes[i];
		rank[bytes[i]]++;
	}
	rank[bytes[last]]--;
	for (unsigned c = 0; c < 256; c++) {
		uint32_t count = rank[c];

		rank[c] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < last; i++)
		steps[rank[bytes[i]]++] |= i << 8;
	for (uint32_t i = last + 1; i <= len; i++)
		steps[rank[bytes[i]]++] |= i << 8;
	steps[len] |= last << 8;
}

/* A walk is a block on its way. */
struct walk {
	const uint32_t *steps;
	uint32_t at;
	uint8_t *out;
};

static void walk_one(struct walk *w, uint32_t n)
{
	uint32_t at = w->at;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t step = w->steps[at];

		w->out[i] = (uint8_t)step;
		at = step >> 8;
	}
	w->at = at;
	w->out += n;
}

/* All four go on by n bytes. */
static void walk_four(struct walk w[BWT_WAYS], uint32_t n)
{
	const uint32_t *from_a = w[0].steps, *from_b = w[1].steps, *from_c = w[2].steps, *from_d = w[3].steps;
	uint8_t *to_a = w[0].out, *to_b = w[1].out, *to_c = w[2].out, *to_d = w[3].out;
	uint32_t a = w[0].at, b = w[1].at, c = w[2].at, d = w[3].at;

	for (uint32_t i = 0; i < n; i++) {
		a = from_a[a];
		b = from_b[b];
		c = from_c[c];
		d = from_d[d];
		to_a[i] = (uint8_t)a;
		to_b[i] = (uint8_t)b;
		to_c[i] = (uint8_t)c;
		to_d[i] = (uint8_t)d;
		a >>= 8;
		b >>= 8;
		c >>= 8;
		d >>= 8;
	}
	w[0].at = a, w[1].at = b, w[2].at = c, w[3].at = d;
	for (unsigned k = 0; k < BWT_WAYS; k++)
		w[k].out += n;
}

static uint32_t shortest(const struct bwt_block *blocks, uint32_t n)
{
	uint32_t least = blocks[0].len;

	for (uint32_t k = 1; k < n; k++)
		if (blocks[k].len < least)
			least = blocks[k].len;
	return least;
}

uint64_t bwt_decode(const struct bwt_block *blocks, uint32_t n, uint32_t *scratch, uint64_t stride, uint8_t *out)
{
	struct walk w[BWT_WAYS];
	uint64_t total = 0;
	uint32_t together = 0;

	for (uint32_t k = 0; k < n; k++) {
		make_steps(&blocks[k], scratch + k * stride);
		w[k] = (struct walk){ scratch + k * stride, blocks[k].first, out + total };
		total += blocks[k].len;
	}
	if (n == BWT_WAYS) {
		together = shortest(blocks, n);
		walk_four(w, together);
	}
	for (uint32_t k = 0; k < n; k++)
		walk_one(&w[k], blocks[k].len - together);
	return total;
}

/* The slow decoder: each stage as the specification says it, a step at a time. */
#include "reference/reference_uz.h"

#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "support/must.h"

enum { START_BITS = 56 };

static int bit_at(const uint8_t *in, uint64_t bit)
{
	return in[bit / 8] >> bit % 8 & 1;
}

static bool next(struct reference_huffman *h, int *bit)
{
	if (h->bit >= h->n_bits)
		return false;
	*bit = bit_at(h->in, h->bit++);
	return true;
}

static bool read_leaf(struct reference_huffman *h, const uint8_t *way, unsigned len)
{
	struct reference_code *c = &h->codes[h->n_codes++];
	int bit;

	memcpy(c->way, way, len);
	c->len = len;
	c->byte = 0;
	h->starts[h->n_codes - 1] = 0;
	for (unsigned i = 0; i < len && i < START_BITS; i++)
		h->starts[h->n_codes - 1] |= (uint64_t)way[i] << i;
	for (unsigned i = 0; i < 8; i++) {
		if (!next(h, &bit))
			return false;
		c->byte |= (uint8_t)(bit << i);
	}
	return true;
}

/* The way to the leaf after this one: the last branch 0 becomes 1. false: there is none. */
static bool next_way(uint8_t *way, unsigned *len)
{
	while (*len > 0 && way[*len - 1] == 1)
		--*len;
	if (*len == 0)
		return false;
	way[*len - 1] = 1;
	return true;
}

enum reference_end reference_tree(struct reference_huffman *h, const uint8_t *in, uint64_t n)
{
	uint8_t way[256];
	unsigned len = 0, n_nodes = 0;
	int bit;

	h->in = in;
	h->n_bits = 8 * n;
	h->bit = 0;
	h->n_codes = 0;
	for (;;) {
		if (!next(h, &bit))
			return REFERENCE_CUT;
		if (bit && len == 255)
			return REFERENCE_DEEP;
		if (bit && ++n_nodes == 256)
			return REFERENCE_WIDE;
		if (bit)
			way[len++] = 0;
		else if (!read_leaf(h, way, len))
			return REFERENCE_CUT;
		if (!bit && !next_way(way, &len))
			return REFERENCE_FINE;
	}
}

/* The next START_BITS bits, with zeros after the last. */
static uint64_t peek(const struct reference_huffman *h)
{
	const uint64_t at = h->bit / 8, n = h->n_bits / 8 - at;
	uint64_t v = 0;

	for (uint64_t i = 0; i < 8 && i < n; i++)
		v |= (uint64_t)h->in[at + i] << 8 * i;
	return v >> h->bit % 8;
}

/* Whether the bits from there on are a code. Most that are not differ in the first of them, which
 * are looked at together. */
static bool is_here(const struct reference_huffman *h, unsigned number, uint64_t bits)
{
	const struct reference_code *c = &h->codes[number];
	const unsigned n = c->len < START_BITS ? c->len : START_BITS;

	if (((bits ^ h->starts[number]) & (((uint64_t)1 << n) - 1)) != 0 ||
	    h->n_bits - h->bit < c->len)
		return false;
	for (unsigned i = n; i < c->len; i++)
		if (bit_at(h->in, h->bit + i) != c->way[i])
			return false;
	return true;
}

uint64_t reference_symbols(struct reference_huffman *h, uint8_t *out, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t bits = peek(h);
		unsigned c = 0;

		while (c < h->n_codes && !is_here(h, c, bits))
			c++;
		if (c == h->n_codes)
			return i;
		out[i] = h->codes[c].byte;
		h->bit += h->codes[c].len;
	}
	return n;
}

void reference_places(uint8_t *bytes, uint64_t n)
{
	uint8_t list[256];

	for (unsigned i = 0; i < 256; i++)
		list[i] = (uint8_t)i;
	for (uint64_t i = 0; i < n; i++) {
		unsigned place = bytes[i];
		uint8_t byte = list[place];

		for (; place > 0; place--)
			list[place] = list[place - 1];
		list[0] = bytes[i] = byte;
	}
}

/* Where each symbol of the sorted block came from, in the order of the symbols. */
static void undo_sorting(const uint8_t *bytes, uint64_t len, uint64_t first, uint64_t last,
			 uint8_t *out)
{
	uint64_t *from = malloc(2 * (size_t)(len + 1) * sizeof *from), *more = from + len + 1,
		 places[257], n = 0, at = first;

	MUST(from, "the machine has memory for a harness");
	for (unsigned symbol = 0; symbol <= 256; symbol++)
		places[symbol] = len + 1;
	for (uint64_t i = len + 1; i-- > 0;) {
		unsigned symbol = i == last ? 256u : bytes[i];

		more[i] = places[symbol];
		places[symbol] = i;
	}
	for (unsigned symbol = 0; symbol <= 256; symbol++)
		for (uint64_t i = places[symbol]; i <= len; i = more[i])
			from[n++] = i;
	for (uint64_t i = 0; i < len; i++) {
		out[i] = bytes[at];
		at = from[at];
	}
	free(from);
}

enum reference_end reference_blocks(const uint8_t *in, uint64_t n, uint8_t *out, uint64_t *n_out)
{
	*n_out = 0;
	for (uint64_t at = 0, len; at < n; at += 13 + len) {
		uint64_t first, last;

		if (n - at < 12)
			return REFERENCE_CUT;
		len = reference_u32(in + at);
		first = reference_u32(in + at + 4);
		last = reference_u32(in + at + 8);
		if (len > 262144 || n - at - 12 < len + 1)
			return REFERENCE_CUT;
		if (first > len || last > len)
			return REFERENCE_BAD;
		undo_sorting(in + at + 12, len, first, last, out + *n_out);
		*n_out += len;
	}
	return REFERENCE_FINE;
}

enum reference_end reference_runs(const uint8_t *in, uint64_t n, uint8_t *out, uint64_t max,
				  uint64_t *n_out)
{
	unsigned count = 0;

	*n_out = 0;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t more = 1;

		count = i > 0 && count > 0 && in[i] == in[i - 1] ? count + 1 : 1;
		if (count == 5) {
			if (i + 1 == n)
				return REFERENCE_CUT;
			if (in[i + 1] < 2)
				return REFERENCE_BAD;
			more = in[i + 1] > 5 ? in[i + 1] - 4u : 1;
		}
		if (more > max - *n_out)
			return REFERENCE_FULL;
		memset(out + *n_out, in[i], (size_t)more);
		*n_out += more;
		if (count == 5) {
			i++;
			count = 0;
		}
	}
	return REFERENCE_FINE;
}

/* Decoding Epic's Huffman code: the tree without recursion, the symbols up to three at a time. */
#include "codec/huffman.h"

#include <string.h>

#include "core/canary.h"
#include "core/cursor.h"

enum { LEAF_END = 256, SYMBOLS_MAX = 3 };

/* A fast entry has up to three bytes, from the lowest on; above them how many bits their codes take, and how many they are: 0 for a
 * code that is longer than the table knows. */
#define FAST_LEN_SHIFT 24
#define FAST_COUNT_SHIFT 28

static inline bool next_bit(struct huffman *h, uint32_t *out)
{
	if (h->bit >= 8 * h->n_in)
		return false;
	*out = h->in[h->bit / 8] >> h->bit % 8 & 1u;
	h->bit++;
	return true;
}

static bool next_byte(struct huffman *h, uint16_t *out)
{
	uint32_t byte = 0, bit;

	for (unsigned i = 0; i < 8; i++) {
		if (!next_bit(h, &bit))
			return false;
		byte |= bit << i;
	}
	*out = (uint16_t)byte;
	return true;
}

/* What is still to be read of a tree: the links that lead to it, the next one on top, with the nodes above each. */
struct pending {
	uint16_t link[HUFFMAN_DEPTH_MAX + 2], depth[HUFFMAN_DEPTH_MAX + 2];
	uint32_t n;
};

static void push(struct pending *p, uint32_t link, uint32_t depth)
{
	p->link[p->n] = (uint16_t)link;
	p->depth[p->n] = (uint16_t)depth;
	p->n++;
}

/* A node waits for both of its branches, that of bit 0 first. */
static enum huffman_fault add_node(struct huffman *h, struct pending *p, uint32_t link, uint32_t depth)
{
	uint32_t node = h->n_nodes;

	if (depth >= HUFFMAN_DEPTH_MAX + (uint32_t)CANARY(40))          /* canary: a tree may be one level too deep */
		return HUFFMAN_TREE_DEEP;
	if (node >= HUFFMAN_LEAVES_MAX - 1)
		return HUFFMAN_TREE_WIDE;
	h->links[link] = (uint16_t)(LEAF_END + node);
	h->n_nodes++;
	if (depth + 1 > h->depth)
		h->depth = depth + 1;
	push(p, 2 + 2 * node, depth + 1);
	push(p, 1 + 2 * node, depth + 1);
	return HUFFMAN_FINE;
}

enum huffman_fault huffman_read_tree(struct huffman *h)
{
	struct pending p = { .n = 0 };
	uint32_t bit;

	h->bit = 0;
	h->n_nodes = h->depth = 0;
	h->has_fast = false;
	push(&p, 0, 0);
	while (p.n > 0) {
		uint32_t link = p.link[--p.n], depth = p.depth[p.n];
		enum huffman_fault fault = HUFFMAN_FINE;

		if (!next_bit(h, &bit))
			return HUFFMAN_TREE_CUT;
		if (bit)
			fault = add_node(h, &p, link, depth);
		else if (!next_byte(h, &h->links[link]))
			fault = HUFFMAN_TREE_CUT;
		if (fault != HUFFMAN_FINE)
			return fault;
	}
	h->tree_bits = h->bit;
	return HUFFMAN_FINE;
}

/* Follows the lowest bits of a pattern from the root; returns the leaf, and how many bits led there. A code that is longer than the
 * table's patterns gives no leaf. */
static uint32_t follow(const struct huffman *h, uint32_t pattern, uint32_t n_bits, uint32_t *len)
{
	uint32_t link = h->links[0];

	for (*len = 0; link >= LEAF_END && *len < n_bits; ++*len)
		link = h->links[1 + 2 * (link - LEAF_END) + (pattern >> *len & 1u)];
	return link;
}

static uint32_t fast_entry(const struct huffman *h, uint32_t pattern)
{
	uint32_t entry = 0, used = 0, count = 0, len;

	while (count < SYMBOLS_MAX) {
		uint32_t leaf = follow(h, pattern >> used, HUFFMAN_FAST_BITS - used, &len);

		if (leaf >= LEAF_END)
			break;
		entry |= leaf << 8 * count++;
		used += len;
	}
	return entry | used << FAST_LEN_SHIFT | count << FAST_COUNT_SHIFT;
}

void huffman_make_fast(struct huffman *h)
{
	if (huffman_is_single(h))
		return;
	for (uint32_t i = 0; i < 1u << HUFFMAN_FAST_BITS; i++)
		h->fast[i] = fast_entry(h, i);
	h->has_fast = true;
}

/* Decodes one symbol; false, and nothing is read, where the bits end. */
static bool decode_one(struct huffman *h, uint8_t *out)
{
	uint64_t start = h->bit;
	uint32_t link = h->links[0], bit;

	while (link >= LEAF_END) {
		if (!next_bit(h, &bit)) {
			h->bit = start;
			return false;
		}
		link = h->links[1 + 2 * (link - LEAF_END) + bit];
	}
	*out = (uint8_t)link;
	return true;
}

/* How many lookups the 57 bits of one load are enough for, and the bytes that they may write: three each, and one of no meaning. */
enum { LOOKUPS = 5, ROOM = LOOKUPS * SYMBOLS_MAX + 1 };

/* Decodes while bits and room last for a whole round, or until a code is too long for the table. */
static uint64_t decode_fast(struct huffman *h, uint8_t *out, uint64_t n)
{
	const uint8_t *in = h->in;
	const uint32_t *fast = h->fast;
	uint64_t done = 0, bit = h->bit, n_in = h->n_in;
	uint32_t count = 1;

	while (n - done >= ROOM - (uint64_t)CANARY(41) * 8 && count > 0 && n_in - bit / 8 >= 8) {       /* canary: too little room */
		uint64_t word = bytes_le64(in + bit / 8) >> bit % 8;

		for (int i = 0; i < LOOKUPS && count > 0; i++) {
			uint32_t entry = fast[word & ((1u << HUFFMAN_FAST_BITS) - 1)], len = entry >> FAST_LEN_SHIFT & 15u;

			count = entry >> FAST_COUNT_SHIFT;
			out[done] = (uint8_t)entry;
			out[done + 1] = (uint8_t)(entry >> 8);
			out[done + 2] = (uint8_t)(entry >> 16);
			out[done + 3] = (uint8_t)(entry >> 24);
			done += count;
			word >>= len;
			bit += len;
		}
	}
	h->bit = bit;
	return done;
}

uint64_t huffman_decode(struct huffman *h, uint8_t *out, uint64_t n)
{
	uint64_t done = 0;

	if (huffman_is_single(h)) {
		if (n > 0)
			memset(out, h->links[0], (size_t)n);
		return n;
	}
	while (done < n) {
		if (h->has_fast)
			done += decode_fast(h, out + done, n - done);
		if (!decode_one(h, out + done))
			break;
		done++;
	}
	return done;
}

/* Decoding Epic's Huffman code: the tree is read without recursion, and up to six symbols are
 * decoded at a time. */
#include "codec/huffman.h"

#include <string.h>

#include "core/mutant.h"
#include "core/cursor.h"

enum { LEAF_END = 256, SYMBOLS_MAX = 6 };

/* An entry of the fast table has up to six decoded bytes, the first in the lowest bits; above
 * them their number; and in the highest byte how many bits their codes take. If the code is
 * longer than the index of the table, both numbers are 0, and the low bits are the link where
 * the bits of the index lead. */
#define FAST_COUNT_SHIFT 48
#define FAST_LEN_SHIFT 56

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

/* A stack of the links of a tree that are still to be read, each with its depth. */
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

/* Both branches of a node are still to be read, that of bit 0 first. */
static enum huffman_fault add_node(struct huffman *h, struct pending *p, uint32_t link,
				   uint32_t depth)
{
	uint32_t node = h->n_nodes;

	/* mutant: a tree may be one level too deep */
	if (depth >= HUFFMAN_DEPTH_MAX + (uint32_t)MUTANT(40))
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
	h->shortest = HUFFMAN_DEPTH_MAX;
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
		else if (depth < h->shortest)
			h->shortest = depth;
		if (fault != HUFFMAN_FINE)
			return fault;
	}
	h->tree_bits = h->bit;
	return HUFFMAN_FINE;
}

/* Follows the lowest bits of a pattern from the root. It returns the leaf, and in *len how many
 * bits led there; a link that is no leaf if the code is longer than n_bits. */
static uint32_t follow(const struct huffman *h, uint32_t pattern, uint32_t n_bits, uint32_t *len)
{
	uint32_t link = h->links[0];

	for (*len = 0; link >= LEAF_END && *len < n_bits; ++*len)
		link = h->links[1 + 2 * (link - LEAF_END) + (pattern >> *len & 1u)];
	return link;
}

static uint64_t fast_entry(const struct huffman *h, uint32_t pattern)
{
	uint64_t entry = 0, count = 0, link;
	uint32_t used = 0, len;

	while (count < SYMBOLS_MAX) {
		link = follow(h, pattern >> used, HUFFMAN_FAST_BITS - used, &len);
		if (link >= LEAF_END)
			break;
		entry |= link << 8 * count++;
		used += len;
	}
	if (count == 0)
		return link;
	return entry | count << FAST_COUNT_SHIFT | (uint64_t)used << FAST_LEN_SHIFT;
}

void huffman_make_fast(struct huffman *h)
{
	if (huffman_is_single(h))
		return;
	for (uint32_t i = 0; i < 1u << HUFFMAN_FAST_BITS; i++)
		h->fast[i] = fast_entry(h, i);
	h->has_fast = true;
}

/* Decodes one symbol, beginning at the link where the next n_read bits lead; false, and nothing is
 * read: the bits end. */
static bool decode_one(struct huffman *h, uint32_t link, uint64_t n_read, uint8_t *out)
{
	uint64_t start = h->bit;
	uint32_t bit;

	for (h->bit += n_read; link >= LEAF_END; link = h->links[1 + 2 * (link - LEAF_END) + bit]) {
		if (!next_bit(h, &bit)) {
			h->bit = start;
			return false;
		}
	}
	*out = (uint8_t)link;
	return true;
}

/* How many lookups the 57 bits of one load are enough for, and how many bytes they may write: six
 * each, and two that mean nothing. */
enum { LOOKUPS = 5, ROUND_LEN = LOOKUPS * SYMBOLS_MAX + 2 };

static inline void put_entry(uint8_t *out, uint64_t entry)
{
	for (unsigned i = 0; i < 8; i++)
		out[i] = (uint8_t)(entry >> 8 * i);
}

/* Decodes as long as there are input bits and output bytes for a whole round, or until a code is
 * too long for the table: then *link is where the bits of the index lead, else it is the root. */
static uint64_t decode_fast(struct huffman *h, uint8_t *out, uint64_t n, uint32_t *link)
{
	const uint8_t *in = h->in;
	const uint64_t *fast = h->fast;
	uint64_t done = 0, bit = h->bit, n_in = h->n_in, entry = 0, count = 1;

	/* mutant: too little room */
	while (n - done >= ROUND_LEN - (uint64_t)MUTANT(41) * 16 && count > 0 &&
	       n_in - bit / 8 >= 8) {
		uint64_t word = bytes_le64(in + bit / 8) >> bit % 8;

		for (int i = 0; i < LOOKUPS && count > 0; i++) {
			entry = fast[word & ((1u << HUFFMAN_FAST_BITS) - 1)];
			put_entry(out + done, entry);
			count = entry >> FAST_COUNT_SHIFT & 255u;
			done += count;
			word >>= entry >> FAST_LEN_SHIFT;
			bit += entry >> FAST_LEN_SHIFT;
		}
	}
	h->bit = bit;
	*link = count > 0 ? h->links[0] : (uint32_t)entry;
	return done;
}

bool huffman_ends_here(const struct huffman *h)
{
	const uint64_t left = 8 * h->n_in - h->bit;

	return left == 0 || (left < 8 && h->in[h->n_in - 1] >> (8 - left) == 0);
}

uint64_t huffman_decode(struct huffman *h, uint8_t *out, uint64_t n)
{
	uint32_t root = h->links[0], link = root;
	uint64_t done = 0;

	if (huffman_is_single(h)) {
		if (n > 0)
			memset(out, (uint8_t)root, (size_t)n);
		return n;
	}
	while (done < n) {
		if (h->has_fast)
			done += decode_fast(h, out + done, n - done, &link);
		if (!decode_one(h, link, link == root ? 0 : HUFFMAN_FAST_BITS, out + done))
			break;
		done++;
	}
	return done;
}

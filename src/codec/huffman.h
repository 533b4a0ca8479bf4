/* The Huffman code of Epic's .uz: a tree, then the symbols' codes, all in bits from the lowest of
 * each byte on. */
#ifndef UVET_CODEC_HUFFMAN_H
#define UVET_CODEC_HUFFMAN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/compiler.h"

enum {
	HUFFMAN_LEAVES_MAX = 256,
	HUFFMAN_DEPTH_MAX = 255, /* the engine reads the tree by recursion */
	HUFFMAN_FAST_BITS = 11,
};

enum huffman_fault {
	HUFFMAN_FINE,
	HUFFMAN_TREE_CUT,  /* the bits end before the tree does */
	HUFFMAN_TREE_WIDE, /* more leaves than there are bytes */
	HUFFMAN_TREE_DEEP, /* a leaf below more than HUFFMAN_DEPTH_MAX nodes */
};

/* A huffman is a stream of codes that is being decoded. The caller sets in and n_in; bits are
 * counted from the start of in. A link is where a node's branch leads: below 256 to the leaf of
 * that byte, else to node link - 256. links[0] is the root, node i has links[1 + 2 * i] for bit
 * 0 and the next for bit 1. */
struct huffman {
	const uint8_t *in;
	uint64_t n_in;      /* bytes */
	uint64_t bit;       /* the next one */
	uint64_t tree_bits; /* what the tree took */
	uint32_t n_nodes, depth;
	uint32_t shortest; /* bits of the shortest code; 0 in a tree of one leaf */
	bool has_fast;
	uint16_t links[2 * HUFFMAN_LEAVES_MAX - 1];
	uint64_t fast[1 << HUFFMAN_FAST_BITS];
};

/* huffman_read_tree reads the tree at the start of the bits: 1 is a node, its branch for 0 comes
 * first; 0 is a leaf, its byte follows. If it fails, `bit` is how far it came. */
UVET_MUST_USE enum huffman_fault huffman_read_tree(struct huffman *h);

/* huffman_is_single tells whether the tree is one leaf, whose symbols take no bits. */
static inline bool huffman_is_single(const struct huffman *h)
{
	return h->n_nodes == 0;
}

/* huffman_make_fast makes the table that decodes several symbols at a time; it pays for thousands
 * of them. */
void huffman_make_fast(struct huffman *h);

/* huffman_decode decodes the next n symbols to out and returns how many there were: fewer if the
 * bits end. */
uint64_t huffman_decode(struct huffman *h, uint8_t *out, uint64_t n);

/* huffman_ends_here tells whether less than a byte is left, and all of it is zero, as after the
 * last code of a file. */
bool huffman_ends_here(const struct huffman *h);

#endif

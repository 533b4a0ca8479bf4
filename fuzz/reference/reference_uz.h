/* A second decoder for each stage of .uz, slow and from the specification: for what the fast one is held against. */
#ifndef UVET_FUZZ_SECOND_UZ_H
#define UVET_FUZZ_SECOND_UZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a stage of it ends; FULL: there was no room for what comes out. */
enum second_end { SECOND_FINE, SECOND_CUT, SECOND_WIDE, SECOND_DEEP, SECOND_BAD, SECOND_FULL };

/* A second_code is a leaf of a Huffman tree: its way from the root, and its byte. */
struct second_code {
	uint8_t way[256];
	unsigned len;
	uint8_t byte;
};

struct second_huffman {
	const uint8_t *in;
	uint64_t n_bits, bit;
	struct second_code codes[257];
	uint64_t starts[257];           /* the first bits of each code's way, the first lowest */
	unsigned n_codes;
};

/* second_tree reads a tree, second_symbols up to n symbols behind it; it returns how many there were. */
enum second_end second_tree(struct second_huffman *h, const uint8_t *in, uint64_t n);
uint64_t second_symbols(struct second_huffman *h, uint8_t *out, uint64_t n);

/* second_places undoes a list of places; second_block one block, and second_runs runs, both to out, with room for max bytes. They set
 * *n_out, and *at to where they stopped. */
void second_places(uint8_t *bytes, uint64_t n);
enum second_end second_blocks(const uint8_t *in, uint64_t n, uint8_t *out, uint64_t *n_out);
enum second_end second_runs(const uint8_t *in, uint64_t n, uint8_t *out, uint64_t max, uint64_t *n_out);

#endif

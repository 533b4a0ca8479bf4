/* A second decoder for each stage of .uz, slow and from the specification, to hold the fast one
 * against. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_UZ_H
#define UVET_FUZZ_REFERENCE_REFERENCE_UZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a stage of it ends; FULL: there was no room for what comes out. */
enum reference_end {
	REFERENCE_FINE,
	REFERENCE_CUT,
	REFERENCE_WIDE,
	REFERENCE_DEEP,
	REFERENCE_BAD,
	REFERENCE_FULL
};

/* A reference_code is a leaf of a Huffman tree: its way from the root, and its byte. */
struct reference_code {
	uint8_t way[256];
	unsigned len;
	uint8_t byte;
};

struct reference_huffman {
	const uint8_t *in;
	uint64_t n_bits, bit;
	struct reference_code codes[257];
	uint64_t starts[257]; /* the first bits of each code's way, the first lowest */
	unsigned n_codes;
};

/* reference_tree reads a tree, reference_symbols up to n symbols after it; it returns how many
 * there were. */
enum reference_end reference_tree(struct reference_huffman *h, const uint8_t *in, uint64_t n);
uint64_t reference_symbols(struct reference_huffman *h, uint8_t *out, uint64_t n);

/* reference_places undoes a list of places; reference_block one block, and reference_runs runs,
 * both to out, with room for max bytes. They set *n_out, and *at to where they stopped. */
void reference_places(uint8_t *bytes, uint64_t n);
enum reference_end reference_blocks(const uint8_t *in, uint64_t n, uint8_t *out, uint64_t *n_out);
enum reference_end reference_runs(const uint8_t *in, uint64_t n, uint8_t *out, uint64_t max,
				  uint64_t *n_out);

#endif

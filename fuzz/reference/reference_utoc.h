/* A reference reading of a .utoc, slow and from the specification; the mutator finds its way by it
 * too. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_UTOC_H
#define UVET_FUZZ_REFERENCE_REFERENCE_UTOC_H

#include <stdbool.h>
#include <stdint.h>

enum { REFERENCE_HEADER = 144 };

/* The parts after the header, in their order. */
enum reference_part {
	REFERENCE_IDS,
	REFERENCE_RANGES,
	REFERENCE_SEEDS,
	REFERENCE_OVERFLOW,
	REFERENCE_BLOCKS,
	REFERENCE_METHODS,
	REFERENCE_SIGNATURES,
	REFERENCE_DIRECTORY,
	REFERENCE_METAS,
	REFERENCE_N
};

struct reference_toc {
	const uint8_t *data;
	uint64_t size;
	uint64_t version, flags, n_chunks, n_blocks, n_seeds, n_overflow, n_methods, name_len,
		block_size, container, n_partitions, partition_len;
	struct {
		uint64_t at, n, row;
	} part[REFERENCE_N];
	uint64_t expected; /* bytes of all of them; UINT64_MAX: more than can be said */
	bool signatures;   /* their sizes make sense, or there are none */
	bool sure;         /* no version says that it could be read in another way, too */
	bool whole;        /* the file has all of them, for sure */
};

/* Where the header has a number, and how many bytes of it. */
enum reference_field {
	AT_VERSION = 16,
	AT_N_CHUNKS = 24,
	AT_N_BLOCKS = 28,
	AT_N_METHODS = 36,
	AT_NAME_LEN = 40,
	AT_BLOCK_SIZE = 44,
	AT_DIRECTORY_LEN = 48,
	AT_N_PARTITIONS = 52,
	AT_CONTAINER = 56,
	AT_FLAGS = 80,
	AT_N_SEEDS = 84,
	AT_PARTITION_LEN = 88,
	AT_N_OVERFLOW = 96
};

/* A block, and where one stands. */
struct reference_block {
	uint64_t at, offset, compressed, uncompressed, method;
};

/* reference_toc_read reads header and sizes; false: the file has no header of a version from 2 to
 * 8. */
bool reference_toc_read(struct reference_toc *t, const uint8_t *data, uint64_t size);

/* The rows, of a container that is whole. Lengths and offsets are as the file has them. */
const uint8_t *reference_row(const struct reference_toc *t, enum reference_part part, uint64_t i);
uint64_t reference_offset(const struct reference_toc *t, uint64_t chunk);
uint64_t reference_length(const struct reference_toc *t, uint64_t chunk);
struct reference_block reference_block(const struct reference_toc *t, uint64_t i);
void reference_put_block(uint8_t *row, const struct reference_block *b);

/* reference_blocks_of tells the blocks of a chunk; *n is 0 for one without bytes. The block size is
 * not 0. */
uint64_t reference_blocks_of(const struct reference_toc *t, uint64_t chunk, uint64_t *n);

/* reference_hash is the hash of perfect hashing: of an id under a seed. */
uint64_t reference_hash(int64_t seed, const uint8_t id[12]);

/* reference_finds looks a chunk's id up as the engine does, by seeds or the list of what
 * overflows, and tells whether that leads to the chunk. */
bool reference_finds(const struct reference_toc *t, uint64_t chunk);

/* reference_read_be reads n bytes, the highest first; reference_read the lowest first. */
uint64_t reference_read_be(const uint8_t *p, unsigned n);
uint64_t reference_read(const uint8_t *p, unsigned n);
void reference_write_be(uint8_t *p, unsigned n, uint64_t v);
void reference_write(uint8_t *p, unsigned n, uint64_t v);

#endif

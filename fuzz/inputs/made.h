/* A small container around chunks whose bytes a harness has: for harnesses whose inputs are only
 * these. */
#ifndef UVET_FUZZ_INPUTS_MADE_H
#define UVET_FUZZ_INPUTS_MADE_H

#include <stddef.h>
#include <stdint.h>

enum {
	MADE_SMALL_BLOCK = 64,
	MADE_LARGE_BLOCK = 65536,
	MADE_BYTES_MAX = 1 << 16, /* of all chunks that have more than a block */
	MADE_CHUNKS_MAX = 36,
	MADE_BLOCKS_MAX = MADE_BYTES_MAX / MADE_SMALL_BLOCK + MADE_CHUNKS_MAX
};

/* A container in the making: version and block_size are set at first, the rest is 0. */
struct made {
	uint64_t version, block_size, offset, stored;
	uint64_t n_chunks, n_blocks;
	struct made_bytes {
		const uint8_t *bytes; /* NULL: zeros */
		uint64_t len;
	} chunks[MADE_CHUNKS_MAX];
	uint8_t ids[12 * MADE_CHUNKS_MAX], ranges[10 * MADE_CHUNKS_MAX],
		blocks[12 * MADE_BLOCKS_MAX];
};

/* made_add adds a chunk after the others: in the container's space at the next block, in the .ucas
 * at the next 16 bytes. Its bytes have to last until made_cas. */
void made_add(struct made *m, uint64_t id, uint64_t index, uint8_t type, struct made_bytes of);

/* made_toc returns the .utoc of a container with that id, made_cas the m->stored bytes of its
 * .ucas; free() frees them. */
uint8_t *made_toc(const struct made *m, uint64_t container, size_t *size);
uint8_t *made_cas(const struct made *m);

#endif

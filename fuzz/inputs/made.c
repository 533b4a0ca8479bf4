/* The small container: the rows of its .utoc, and the blocks of its .ucas. */
#include "inputs/made.h"

#include <stdlib.h>
#include <string.h>

#include "reference/reference_utoc.h"
#include "support/must.h"

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t aligned(uint64_t n)
{
	return (n + 15) / 16 * 16;
}

void made_add(struct made *m, uint64_t id, uint64_t index, uint8_t type, struct made_bytes of)
{
	uint8_t *row = m->ids + 12 * m->n_chunks, *range = m->ranges + 10 * m->n_chunks;

	MUST(m->n_chunks < MADE_CHUNKS_MAX &&
		     of.len / m->block_size < MADE_BLOCKS_MAX - m->n_blocks,
	     "a small container has room");
	m->chunks[m->n_chunks++] = of;
	reference_write(row, 8, id);
	reference_write(row + 8, 2, index);
	row[10] = 0;
	row[11] = type;
	reference_write_be(range, 5, m->offset);
	reference_write_be(range + 5, 5, of.len);
	for (uint64_t at = 0; at < of.len; at += m->block_size) {
		uint64_t n = least(of.len - at, m->block_size);

		reference_put_block(m->blocks + 12 * m->n_blocks++,
				    &(struct reference_block){ 0, m->stored, n, n, 0 });
		m->stored += aligned(n);
		m->offset += m->block_size;
	}
}

static void put_header(uint8_t *toc, const struct made *m, uint64_t container)
{
	memcpy(toc, "-==--==--==--==-", 16);
	toc[AT_VERSION] = (uint8_t)m->version;
	reference_write(toc + 20, 4, REFERENCE_HEADER);
	reference_write(toc + AT_N_CHUNKS, 4, m->n_chunks);
	reference_write(toc + AT_N_BLOCKS, 4, m->n_blocks);
	reference_write(toc + 32, 4, 12);
	reference_write(toc + AT_NAME_LEN, 4, 32);
	reference_write(toc + AT_BLOCK_SIZE, 4, m->block_size);
	reference_write(toc + AT_CONTAINER, 8, container);
	if (m->version >= 3) {
		reference_write(toc + AT_N_PARTITIONS, 4, 1);
		reference_write(toc + AT_PARTITION_LEN, 8, UINT64_MAX);
	}
}

/* Hashes of chunks are left out: zeros stand for none. */
uint8_t *made_toc(const struct made *m, uint64_t container, size_t *size)
{
	const uint64_t meta = m->version >= 8 ? 24 : 33;
	uint8_t *toc, *p;

	*size = REFERENCE_HEADER + m->n_chunks * (12 + 10 + meta) + m->n_blocks * 12;
	toc = calloc(1, *size);
	if (!toc)
		abort();
	put_header(toc, m, container);
	p = toc + REFERENCE_HEADER;
	memcpy(p, m->ids, 12 * m->n_chunks);
	memcpy(p + 12 * m->n_chunks, m->ranges, 10 * m->n_chunks);
	memcpy(p + 22 * m->n_chunks, m->blocks, 12 * m->n_blocks);
	return toc;
}

/* Each block lies where its row says. */
uint8_t *made_cas(const struct made *m)
{
	uint8_t *cas = calloc(1, m->stored > 0 ? m->stored : 1), *p = cas;

	if (!cas)
		abort();
	for (uint64_t i = 0; i < m->n_chunks; i++) {
		const struct made_bytes *of = &m->chunks[i];

		for (uint64_t at = 0; at < of->len; at += m->block_size) {
			const uint64_t n = least(of->len - at, m->block_size);

			if (of->bytes)
				memcpy(p, of->bytes + at, n);
			p += aligned(n);
		}
	}
	return cas;
}

/* The container header: its bytes, in a container that is made around them. */
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"
#include "reference/reference_container_header.h"
#include "reference/reference_utoc.h"
#include "support/formats.h"
#include "targets/harness.h"

/* The input: the version of the .utoc, counted from 2; flags; for how many packages there is a
 * chunk; a byte for their length; and the header. */
enum {
	HINTS = 4,
	VERSIONS = 7,
	CHUNKS_MAX = 32,
	SMALL_BLOCK = 64,
	LARGE_BLOCK = 65536,
	BLOCKS_MAX = CONTAINER_LEN_MAX / SMALL_BLOCK + 1
};
enum hint {
	OTHER_ID = 1,
	SMALL_BLOCKS = 2,
	STRAY_CHUNKS = 4,
	OTHER_LENGTHS = 8,
	SEGMENTS = 16,
	BEHIND_ANOTHER = 32
};

struct made {
	uint64_t version, block_size, offset, stored;
	uint8_t flags;
	uint64_t n_chunks, n_blocks;
	uint8_t ids[12 * (CHUNKS_MAX + 2)], ranges[10 * (CHUNKS_MAX + 2)],
		blocks[12 * (BLOCKS_MAX + CHUNKS_MAX + 1)];
};

/* Adds a chunk after the others: in the container's space at the next block, in the .ucas at the
 * next 16 bytes. */
static void add_chunk(struct made *m, uint64_t id, uint64_t index, uint8_t type, uint64_t length)
{
	uint8_t *row = m->ids + 12 * m->n_chunks, *range = m->ranges + 10 * m->n_chunks++;

	reference_write(row, 8, id);
	reference_write(row + 8, 2, index);
	row[10] = 0;
	row[11] = type;
	reference_write_be(range, 5, m->offset);
	reference_write_be(range + 5, 5, length);
	for (uint64_t at = 0; at < length; at += m->block_size) {
		uint64_t n = length - at < m->block_size ? length - at : m->block_size;

		reference_put_block(m->blocks + 12 * m->n_blocks++,
				    &(struct reference_block){ 0, m->stored, n, n, 0 });
		m->stored += (n + 15) / 16 * 16;
		m->offset += m->block_size;
	}
}

/* Chunks of packages that the header lists, in turn from both of its lists; they are of at most one
 * block. */
static void add_packages(struct made *m, const struct reference_container_header *h, uint64_t n,
			 uint8_t length)
{
	const uint8_t type = m->version >= 5 ? 1 : 2;

	for (uint64_t i = 0; i < n && i < CHUNKS_MAX; i++) {
		const bool optional = m->flags & SEGMENTS && i % 2 == 1;
		const struct reference_packages *l = optional ? &h->optional : &h->packages;
		uint64_t k = m->flags & SEGMENTS ? i / 2 : i, len = length % SMALL_BLOCK;

		if (k >= l->ids.n)
			continue;
		if (h->has_packages && h->form == 0 && 32 * (k + 1) <= l->entries.n &&
		    !(m->flags & OTHER_LENGTHS))
			len = reference_read(h->p + l->entries.at + 32 * k, 8) % (SMALL_BLOCK + 1);
		add_chunk(m,
			  reference_read(h->p + l->ids.at + 8 * k, 8) +
				  (m->flags & STRAY_CHUNKS && k % 3 == 2),
			  optional, type, len);
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
static uint8_t *make_toc(const struct made *m, uint64_t container, size_t *size)
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

/* The blocks of the header, each where its row says. */
static uint8_t *make_cas(const struct made *m, const uint8_t *bytes, size_t len)
{
	uint8_t *cas = calloc(1, m->stored > 0 ? m->stored : 1);
	uint64_t stored = 0;

	if (!cas)
		abort();
	for (uint64_t at = 0; at < len;
	     at += m->block_size, stored += (m->block_size + 15) / 16 * 16)
		memcpy(cas + stored, bytes + at,
		       len - at < m->block_size ? len - at : m->block_size);
	return cas;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct made m;
	static struct reference_container_header h;
	struct fake_file cas_file = { .ending = ".ucas", .state = COMPANION_OPEN };
	struct subject subject = { .format = &utoc_format,
				   .has_folder = true,
				   .companions = &cas_file,
				   .n_companions = 1 };
	const uint8_t *bytes = data + HINTS;
	uint8_t *toc, *cas;
	uint64_t container;

	if (size < HINTS || size - HINTS > CONTAINER_LEN_MAX)
		return 0;
	m = (struct made){ .version = 2 + data[0] % VERSIONS, .flags = data[1] };
	m.block_size = m.flags & SMALL_BLOCKS ? SMALL_BLOCK : LARGE_BLOCK;
	reference_container_header_read(&h, bytes, size - HINTS, m.version);
	container = h.container + (m.flags & OTHER_ID);
	add_chunk(&m, container, 0, m.version >= 5 ? 6 : 10, size - HINTS);
	if (m.flags & BEHIND_ANOTHER)
		add_chunk(&m, container + 1, 0, m.version >= 5 ? 6 : 10, SMALL_BLOCK);
	if (h.has_packages)
		add_packages(&m, &h, data[2], data[3]);
	toc = make_toc(&m, container, &subject.size);
	cas = make_cas(&m, bytes, size - HINTS);
	subject.data = toc;
	cas_file.data = cas;
	cas_file.size = m.stored;
	oracle_check(&subject);
	free(toc);
	free(cas);
	return 0;
}

/* A reference reading of a .utoc: sizes, rows, and the perfect hash. Source:
 * conformance/spec/iostore.md. */
#include "reference/reference_utoc.h"

#include <string.h>

uint64_t reference_read_be(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v = v * 256 + p[i];
	return v;
}

uint64_t reference_read(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = n; i > 0; i--)
		v = v * 256 + p[i - 1];
	return v;
}

void reference_write_be(uint8_t *p, unsigned n, uint64_t v)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * (n - 1 - i));
}

void reference_write(uint8_t *p, unsigned n, uint64_t v)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* Sizes are capped at this, which no file can have. */
#define TOO_MANY ((uint64_t)1 << 60)

static uint64_t u32_at(const struct reference_toc *t, uint64_t at)
{
	return reference_read(t->data + at, 4);
}

static void add_part(struct reference_toc *t, enum reference_part part, uint64_t n, uint64_t row)
{
	t->part[part].at = t->expected;
	t->part[part].n = n;
	t->part[part].row = row;
	t->expected += n * row;
	if (t->expected > TOO_MANY)
		t->expected = TOO_MANY;
}

/* A length, two signatures of that length, and a hash of each block. */
static void add_signatures(struct reference_toc *t)
{
	uint64_t at = t->expected, len = 0;

	t->signatures = true;
	if (!(t->flags & 4)) {
		add_part(t, REFERENCE_SIGNATURES, 0, 1);
		return;
	}
	t->signatures = at + 4 <= t->size;
	if (t->signatures)
		len = u32_at(t, at);
	if (len == 0 || len >= 0x80000000u)
		t->signatures = false;
	add_part(t, REFERENCE_SIGNATURES, 1, 4 + 2 * len + 20 * t->n_blocks);
}

static void add_parts(struct reference_toc *t)
{
	t->expected = REFERENCE_HEADER;
	add_part(t, REFERENCE_IDS, t->n_chunks, 12);
	add_part(t, REFERENCE_RANGES, t->n_chunks, 10);
	add_part(t, REFERENCE_SEEDS, t->n_seeds, 4);
	add_part(t, REFERENCE_OVERFLOW, t->n_overflow, 4);
	add_part(t, REFERENCE_BLOCKS, t->n_blocks, 12);
	add_part(t, REFERENCE_METHODS, t->n_methods, t->name_len);
	add_signatures(t);
	add_part(t, REFERENCE_DIRECTORY, 1, u32_at(t, AT_DIRECTORY_LEN));
	add_part(t, REFERENCE_METAS, t->n_chunks, t->version >= 8 ? 24 : 33);
}

/* Version 6 may have metas of chunks on demand, and version 8 had shorter metas before its
 * release. */
static bool is_sure(const struct reference_toc *t)
{
	if (t->version == 6)
		return !(t->flags & 16) &&
		       t->size != t->expected + 20 * (t->n_chunks + t->n_blocks);
	return t->version != 8 || t->n_chunks == 0 || t->size + 3 * t->n_chunks != t->expected;
}

bool reference_toc_read(struct reference_toc *t, const uint8_t *data, uint64_t size)
{
	memset(t, 0, sizeof *t);
	t->data = data;
	t->size = size;
	if (size < REFERENCE_HEADER || memcmp(data, "-==--==--==--==-", 16) != 0)
		return false;
	t->version = data[AT_VERSION];
	if (t->version < 2 || t->version > 8 || u32_at(t, 20) != REFERENCE_HEADER ||
	    u32_at(t, 32) != 12)
		return false;
	t->n_chunks = u32_at(t, AT_N_CHUNKS);
	t->n_blocks = u32_at(t, AT_N_BLOCKS);
	t->n_methods = u32_at(t, AT_N_METHODS);
	t->name_len = u32_at(t, AT_NAME_LEN);
	t->block_size = u32_at(t, AT_BLOCK_SIZE);
	t->container = reference_read(data + AT_CONTAINER, 8);
	t->flags = data[AT_FLAGS];
	t->n_seeds = t->version >= 4 ? u32_at(t, AT_N_SEEDS) : 0;
	t->n_overflow = t->version >= 5 ? u32_at(t, AT_N_OVERFLOW) : 0;
	t->n_partitions = t->version >= 3 ? u32_at(t, AT_N_PARTITIONS) : 1;
	t->partition_len = t->version >= 3 ? reference_read(data + AT_PARTITION_LEN, 8)
					   : UINT64_MAX;
	add_parts(t);
	t->sure = t->signatures && is_sure(t);
	t->whole = t->sure && t->expected <= size;
	return true;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

const uint8_t *reference_row(const struct reference_toc *t, enum reference_part part, uint64_t i)
{
	return t->data + t->part[part].at + i * t->part[part].row;
}

uint64_t reference_offset(const struct reference_toc *t, uint64_t chunk)
{
	return reference_read_be(reference_row(t, REFERENCE_RANGES, chunk), 5);
}

uint64_t reference_length(const struct reference_toc *t, uint64_t chunk)
{
	return reference_read_be(reference_row(t, REFERENCE_RANGES, chunk) + 5, 5);
}

struct reference_block reference_block(const struct reference_toc *t, uint64_t i)
{
	const uint8_t *p = reference_row(t, REFERENCE_BLOCKS, i);

	return (struct reference_block){ (uint64_t)(p - t->data), reference_read(p, 5),
					 reference_read(p + 5, 3), reference_read(p + 8, 3),
					 p[11] };
}

void reference_put_block(uint8_t *row, const struct reference_block *b)
{
	reference_write(row, 5, b->offset);
	reference_write(row + 5, 3, b->compressed);
	reference_write(row + 8, 3, b->uncompressed);
	row[11] = (uint8_t)b->method;
}

uint64_t reference_blocks_of(const struct reference_toc *t, uint64_t chunk, uint64_t *n)
{
	uint64_t offset = reference_offset(t, chunk), length = reference_length(t, chunk),
		 first = offset / t->block_size;

	*n = 0;
	for (uint64_t at = first * t->block_size;
	     length > 0 && at < offset + length && *n <= t->n_blocks; at += t->block_size)
		++*n;
	return first;
}

/* ---- The perfect hash ------------------------------------------------------------------------ */

uint64_t reference_hash(int64_t seed, const uint8_t id[12])
{
	uint64_t h = seed == 0 ? 0xCBF29CE484222325u : (uint64_t)seed;

	for (unsigned i = 0; i < 12; i++)
		h = h * 0x100000001B3u ^ id[i];
	return h;
}

static int64_t signed_at(const uint8_t *p)
{
	int64_t v = (int64_t)reference_read(p, 4);

	return v >= 0x80000000 ? v - 0x100000000 : v;
}

static bool overflows(const struct reference_toc *t, uint64_t chunk)
{
	for (uint64_t i = 0; i < t->n_overflow; i++)
		if (signed_at(reference_row(t, REFERENCE_OVERFLOW, i)) == (int64_t)chunk)
			return true;
	return false;
}

bool reference_finds(const struct reference_toc *t, uint64_t chunk)
{
	const uint8_t *id = reference_row(t, REFERENCE_IDS, chunk);
	int64_t seed = signed_at(
			reference_row(t, REFERENCE_SEEDS, reference_hash(0, id) % t->n_seeds)),
		slot;

	if (seed == 0)
		return false;
	slot = seed < 0 ? -seed - 1 : (int64_t)(reference_hash(seed, id) % t->n_chunks);
	return slot >= (int64_t)t->n_chunks ? overflows(t, chunk) : slot == (int64_t)chunk;
}

/* A directory index in a .utoc that is otherwise as small as can be: byte 0 is the number of
 * chunks, byte 1 what kind of container it is, the index follows. What is decoded of it is held
 * against a reference reading. */
#include <stdlib.h>
#include <string.h>

#include "codec/aes.h"
#include "codec/cityhash.h"
#include "formats/iostore/utoc.h"
#include "oracle/oracle.h"
#include "oracle/oracle_dirindex.h"
#include "reference/reference.h"
#include "support/buffers.h"
#include "support/memory.h"
#include "support/must.h"
#include "support/random.h"
#include "support/thorough.h"
#include "targets/harness.h"

/* What byte 1 says: the version is 8 and not 3; the index is encrypted, in version 10; it is not,
 * though the container says so. */
enum { IS_NEW = 1, IS_ENCRYPTED = 2, IS_CLAIMED = 4 };

/* A container as it is built. */
struct image {
	uint8_t *bytes;
	uint64_t size, index_at, index_len;
	struct reference_chunks chunks;
	unsigned kind;
};

static const uint8_t key_bytes[32] = "CUE4 and 28 more bytes of a key";

/* ---- The container --------------------------------------------------------------------------- */

/* Packages are named by letters, and below one folder their paths give their ids; every third chunk
 * is bulk data, the last a header. */
static void put_id(struct image *m, uint8_t *row, uint64_t i)
{
	static const uint8_t types[2][3] = { { 2, 3, 10 }, { 1, 2, 6 } };
	char name[] = "/game/mods/a";
	enum reference_kind kind = i % 3 == 2 ? KIND_BULK : KIND_PACKAGE;
	uint64_t id;

	name[sizeof name - 2] = (char)('a' + i % 26);
	id = cityhash64_wide((const uint8_t *)name, sizeof name - 1);
	reference_put_u32(row, id);
	reference_put_u32(row + 4, id >> 32);
	row[8] = (uint8_t)(i / 26);
	if (i > 0 && i + 1 == m->chunks.n)
		kind = KIND_HEADER;
	row[11] = types[(m->kind & IS_NEW) != 0][kind];
	m->chunks.ids[i] = id;
	m->chunks.kinds[i] = (uint8_t)kind;
}

static void put_header(struct image *m, unsigned version, unsigned flags)
{
	uint8_t *p = m->bytes;

	memcpy(p, "-==--==--==--==-", 16);
	p[16] = (uint8_t)version;
	reference_put_u32(p + 20, 144);
	reference_put_u32(p + 24, m->chunks.n);
	reference_put_u32(p + 32, 12);
	reference_put_u32(p + 40, 32);
	reference_put_u32(p + 44, 65536);
	reference_put_u32(p + 48, m->index_len);
	reference_put_u32(p + 52, 1);
	reference_put_u32(p + 56, 77);
	p[80] = (uint8_t)flags;
	memset(p + 88, 0xFF, 8);
	if (version == 10) {
		p[81] = 2;
		reference_put_u32(p + 104, 1);
	}
}

/* Version 3, 8, or 10 where the index is encrypted: in CTR mode one can do that by decrypting. */
static struct image build(unsigned n, unsigned kind, const uint8_t *index, uint64_t len)
{
	struct image m = { .chunks.n = n,
			   .index_len = len,
			   .kind = kind | (kind & IS_ENCRYPTED ? IS_NEW : 0u) };
	uint64_t vectors = kind & IS_ENCRYPTED ? 12 : 0, metas = m.kind & IS_NEW ? 24 : 33;
	uint8_t counter[AES_BLOCK_LEN] = "a vector";
	struct aes aes;

	m.index_at = 144 + 22 * m.chunks.n + vectors;
	m.size = m.index_at + len + metas * m.chunks.n;
	m.bytes = calloc((size_t)m.size, 1);
	MUST(m.bytes, "there is memory for an image");
	put_header(&m,
		   kind & IS_ENCRYPTED ? 10
		   : kind & IS_NEW     ? 8
				       : 3,
		   TOC_INDEXED | (kind & (IS_ENCRYPTED | IS_CLAIMED) ? TOC_ENCRYPTED : 0u));
	for (uint64_t i = 0; i < n; i++)
		put_id(&m, m.bytes + 144 + 12 * i, i);
	if (len > 0)
		memcpy(m.bytes + m.index_at, index, (size_t)len);
	if (!(kind & IS_ENCRYPTED))
		return m;
	memcpy(m.bytes + m.index_at - 12, counter, 12);
	memset(counter + 12, 0, 4);
	aes_for_ctr(&aes, key_bytes);
	aes_ctr(&aes, counter, m.bytes + m.index_at, len);
	return m;
}

/* ---- A check --------------------------------------------------------------------------------- */

static void compare(const struct image *m, const uint8_t *index, const struct key *key)
{
	static struct memory memory, again;
	static struct engine e;
	struct report *r;
	struct arena arena;
	struct source source;
	struct decode d;
	struct dirindex_subject s = { .bytes = index,
				      .len = m->index_len,
				      .chunks = &m->chunks,
				      .encrypted = m->kind & IS_ENCRYPTED,
				      .claimed = m->kind & IS_CLAIMED };

	memory_init(&memory, 0x5A);
	if (e.n_rules == 0)
		engine_init(&e, memory_allocator(&memory));
	e.keys = (struct keys){ .of = { *key }, .n = 1 };
	r = engine_check(&e, &(struct check_input){ .io.size = m->size,
						    .memory = m->bytes,
						    .name = "Mod_P.utoc" });
	MUST(r, "a check that may have memory returns a report");
	memory_init(&again, 0xA5);
	arena_init(&arena, memory_allocator(&again), UINT64_MAX);
	source_init_memory(&source, m->bytes, m->size, "Mod_P.utoc", &arena);
	d = engine_decode(&e, &source, &arena, NULL);
	oracle_dirindex(&s, r, &d, utoc_format.decode(&d));
	MUST(again.peak <= 64 * m->size + (1u << 20), "memory grows with the file");
	report_free(r);
	decode_close(&d);
	arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct key key = { .for_any = true };
	struct image m;
	uint8_t *copy, *index;
	uint64_t hash;

	if (size < 2)
		return 0;
	memcpy(key.bytes, key_bytes, sizeof key.bytes);
	index = buffer_copy(data + 2, size - 2);
	m = build(data[0] % REFERENCE_CHUNKS, data[1] % 8, index, size - 2);
	copy = buffer_copy(m.bytes, (size_t)m.size);
	free(m.bytes);
	m.bytes = copy;
	hash = random_hash(copy, (size_t)m.size);

	/* Each checks the whole file. */
	if (thorough_is_turn(hash, 0, 2))
		compare(&m, index, &key);
	if (thorough_is_turn(hash, 1, 2))
		oracle_check(&(struct subject){ .format = &utoc_format,
						.data = copy,
						.size = (size_t)m.size,
						.name = "Mod_P.utoc",
						.key = &key });
	free(copy);
	free(index);
	return 0;
}

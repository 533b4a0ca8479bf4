/* A container in memory whose tables tests change, its .ucas, and pools that decode it. */
#ifndef UVET_TESTS_BOX_H
#define UVET_TESTS_BOX_H

#include "codec/sha1.h"
#include "engine/engine.h"
#include "engine_state.h"
#include "formats/iostore/utoc.h"

/* ---- A container: version 3, blocks of 64 bytes that are stored as they are ------------------ */

enum { BLOCK = 64, CHUNKS_MAX = 400, BLOCKS_MAX = 1200, META = 33, UCAS_MAX = 300064 };

static struct {
	uint8_t toc[148 + 32 + CHUNKS_MAX * (22 + META) + BLOCKS_MAX * 32];
	uint8_t ucas[UCAS_MAX];
	size_t n_toc, n_ucas, n_chunks, n_blocks;
	uint64_t first[CHUNKS_MAX], length[CHUNKS_MAX];
	uint64_t fail_at; /* reads beyond this place fail */
	/* of the .ucas so far; the read during which the check is cancelled, from 1 */
	unsigned n_reads, cancel_at;
	size_t n_names;   /* of methods, each a row of 32 bytes */
	bool has_digests; /* of blocks, as a signed container has */
	bool in_capitals; /* the .ucas is spelt otherwise */
	struct keys keys;
} box;

static inline void put(uint8_t *p, uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static inline void put_big(uint8_t *p, uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		p[i] = (uint8_t)(v >> 8 * (width - 1 - i));
}

static inline void add_chunk(uint64_t first, uint64_t length)
{
	box.first[box.n_chunks] = first;
	box.length[box.n_chunks++] = length;
}

static inline size_t blocks_at(void)
{
	return 144 + box.n_chunks * 22;
}

static inline size_t metas_at(void)
{
	return blocks_at() + box.n_blocks * 12 + box.n_names * 32 +
	       (box.has_digests ? 6 + box.n_blocks * 20 : 0);
}

/* Two signatures that have no bytes worth a look, and the hash of every block. */
static inline void write_digests(uint8_t *p)
{
	box.toc[80] = TOC_SIGNED;
	put(p, 1, 4);
	for (size_t i = 0; i < box.n_blocks; i++)
		sha1_of(box.ucas + i * BLOCK, BLOCK, p + 6 + i * 20);
}

/* Blocks are full but for the last of each chunk; `at` of block i is i * BLOCK. */
static inline void write_box(void)
{
	uint8_t *t = box.toc;

	memset(t, 0, sizeof box.toc);
	memcpy(t, "-==--==--==--==-", 16);
	t[16] = 3;
	put(t + 20, 144, 4);
	put(t + 24, box.n_chunks, 4);
	put(t + 28, box.n_blocks, 4);
	put(t + 32, 12, 4);
	put(t + 36, box.n_names, 4);
	put(t + 40, 32, 4);
	put(t + 44, BLOCK, 4);
	put(t + 52, 1, 4);
	put(t + 88, UINT64_MAX, 8);
	for (size_t i = 0; i < box.n_blocks; i++) {
		put(t + blocks_at() + i * 12, i * BLOCK, 5);
		put(t + blocks_at() + i * 12 + 5, BLOCK, 3);
		put(t + blocks_at() + i * 12 + 8, BLOCK, 3);
	}
	if (box.has_digests)
		write_digests(t + blocks_at() + box.n_blocks * 12 + box.n_names * 32);
	for (size_t i = 0; i < box.n_chunks; i++) {
		uint8_t *range = t + 144 + box.n_chunks * 12 + i * 10;

		put(t + 144 + i * 12, i + 1, 8);
		t[144 + i * 12 + 11] = 3;
		put_big(range, box.first[i] * BLOCK, 5);
		put_big(range + 5, box.length[i], 5);
		sha1_of(box.ucas + box.first[i] * BLOCK, box.length[i], t + metas_at() + i * META);
	}
	box.n_toc = metas_at() + box.n_chunks * META;
	box.n_ucas = box.n_blocks * BLOCK;
}

/* Chunks of one to three blocks each. */
static inline void fill_box(size_t n_chunks)
{
	uint64_t random = 7;

	memset(&box, 0, sizeof box);
	box.fail_at = UINT64_MAX;
	for (size_t i = 0; i < sizeof box.ucas; i++)
		box.ucas[i] = (uint8_t)unit_random(&random);
	for (size_t i = 0; i < n_chunks; i++) {
		const uint64_t n = 1 + unit_random(&random) % 3;

		add_chunk(box.n_blocks, n * BLOCK);
		box.n_blocks += n;
	}
	write_box();
}

/* Every block is compressed, by the method of that name. */
static inline void name_method(const char *name)
{
	box.n_names = 1;
	write_box();
	memcpy(box.toc + blocks_at() + box.n_blocks * 12, name, strlen(name));
	for (size_t i = 0; i < box.n_blocks; i++) {
		box.toc[blocks_at() + i * 12 + 5] = BLOCK / 2;
		box.toc[blocks_at() + i * 12 + 11] = 1;
	}
}

/* ---- Its files ------------------------------------------------------------------------------- */

static inline bool read_ucas(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	(void)ctx;
	if (at + len > box.fail_at)
		return false;
	if (++box.n_reads == box.cancel_at)
		atomic_store(&is_cancelled, true);
	*n_read = at >= box.n_ucas ? 0 : len < box.n_ucas - at ? len : box.n_ucas - at;
	memcpy(buf, box.ucas + at, *n_read);
	return true;
}

static inline enum companion_state open_ucas(void *ctx, const char *name, void *room,
					     struct source_io *out)
{
	(void)ctx, (void)room;
	if (strcmp(name, box.in_capitals ? "Box_P.UCAS" : "Box_P.ucas") != 0)
		return COMPANION_ABSENT;
	*out = (struct source_io){ .read_at = read_ucas, .size = box.n_ucas };
	return COMPANION_OPEN;
}

static inline void close_ucas(void *ctx, const struct source_io *io)
{
	(void)ctx, (void)io;
}

static const struct siblings siblings = { .open = open_ucas, .close = close_ucas };

/* ---- Decoding it ----------------------------------------------------------------------------- */

static struct arena arena;
static struct fault_memory box_memory;
static struct source source;
static struct decode decoder;
static const struct interrupt box_interrupt = { .cancel = &is_cancelled };

static inline const struct utoc *decode_with(const struct thread_pool *pool)
{
	source_init_memory(&source, box.toc, box.n_toc, "Box_P.utoc", &arena);
	decoder = engine_decode(&engine, &source, &arena, &box_interrupt);
	decoder.siblings = &siblings;
	decoder.keys = &box.keys;
	decoder.threads = pool;
	return utoc_format.decode(&decoder);
}

static inline void leave(void)
{
	if (decoder.source) /* a test that was left out decodes nothing */
		decode_close(&decoder);
	arena_free(&arena);
}

static inline int begin_box(void **state)
{
	begin(state);
	arena = unit_arena(&box_memory, UNIT_PLENTY);
	fill_box(CHUNKS_MAX);
	return 0;
}

static inline int end_box(void **state)
{
	leave();
	return end(state) != 0 || box_memory.n_live != 0;
}

/* A thread pool whose workers run one after another, from the first or from the last. */
static inline void run_forwards(void *ctx, thread_job *job, void *work)
{
	for (unsigned i = 0; i < *(unsigned *)ctx; i++)
		job(work, i);
}

static inline void run_backwards(void *ctx, thread_job *job, void *work)
{
	for (unsigned i = *(unsigned *)ctx; i > 0; i--)
		job(work, i - 1);
}

/* One that is told to stop before it begins. */
static inline void run_cancelled(void *ctx, thread_job *job, void *work)
{
	atomic_store(&is_cancelled, true);
	run_forwards(ctx, job, work);
}

/* One that is told so before its second job. */
static inline void run_cancelled_later(void *ctx, thread_job *job, void *work)
{
	unsigned *n_runs = ctx;

	atomic_store(&is_cancelled, ++*n_runs == 2);
	for (unsigned i = 0; i < 5; i++)
		job(work, i);
}

static unsigned lone = 1, five = 5;
static const struct thread_pool cancelled = { 5, run_cancelled, &five },
				unnumbered = { 0, run_forwards, &lone };
static const struct thread_pool forwards = { 5, run_forwards, &five },
				backwards = { 5, run_backwards, &five };

#endif

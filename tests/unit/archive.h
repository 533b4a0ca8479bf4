/* A .pak in memory, of version 4, whose files and bytes tests change, and pools that decode it. */
#ifndef UVET_TESTS_ARCHIVE_H
#define UVET_TESTS_ARCHIVE_H

#include "codec/sha1.h"
#include "core/keys.h"
#include "engine/engine.h"
#include "engine_state.h"
#include "formats/pak/pak.h"

/* ---- The archive: files of 100 bytes that are stored as they are ----------------------------- */

enum { FILE_LEN = 100, FILES_MAX = 40, ARCHIVE_RECORD = 53, ARCHIVE_NAME = 4 + 8 };

static struct {
	uint8_t bytes[FILES_MAX * (2 * ARCHIVE_RECORD + ARCHIVE_NAME + FILE_LEN) + 128];
	size_t n, n_files;
	size_t flags_at[FILES_MAX]; /* of each file, in the index */
	size_t index_at, footer_at;
	unsigned n_reads, cancel_at; /* the read during which the check is cancelled, from 1 */
	struct keys keys;
} archive;

static inline void add(uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		archive.bytes[archive.n++] = (uint8_t)(v >> 8 * i);
}

static inline void add_text(const char *text)
{
	const size_t len = strlen(text) + 1;

	add(len, 4);
	memcpy(archive.bytes + archive.n, text, len);
	archive.n += len;
}

static inline void add_hash(const uint8_t *bytes, size_t n)
{
	sha1_of(bytes, n, archive.bytes + archive.n);
	archive.n += SHA1_LEN;
}

static inline void add_record(size_t offset, const uint8_t *payload)
{
	add(offset, 8);
	add(FILE_LEN, 8);
	add(FILE_LEN, 8);
	add(0, 4); /* the method: none */
	add_hash(payload, FILE_LEN);
	add(0, 1); /* flags */
	add(0, 4); /* the size of blocks */
}

static inline size_t archive_file_at(size_t i)
{
	return i * (ARCHIVE_RECORD + FILE_LEN);
}

/* Writes it anew: each file's bytes are its number. */
static inline void write_archive(void)
{
	archive.n = 0;
	for (size_t i = 0; i < archive.n_files; i++) {
		uint8_t *const payload = archive.bytes + archive.n + ARCHIVE_RECORD;

		memset(payload, (int)i, FILE_LEN);
		add_record(0, payload);
		archive.n += FILE_LEN;
	}
	archive.index_at = archive.n;
	add_text("../../../Foo/Content/");
	add(archive.n_files, 4);
	for (size_t i = 0; i < archive.n_files; i++) {
		const char name[] = {
			(char)('A' + i / 26), (char)('a' + i % 26), '.', 't', 'x', 't', 0
		};

		add_text(name);
		add_record(archive_file_at(i), archive.bytes + archive_file_at(i) + ARCHIVE_RECORD);
		archive.flags_at[i] = archive.n - 5;
	}
	archive.footer_at = archive.n;
	add(0, 1); /* the index is not encrypted */
	add(0x5A6F12E1, 4);
	add(4, 4);
	add(archive.index_at, 8);
	add(archive.footer_at - archive.index_at, 8);
	add_hash(archive.bytes + archive.index_at, archive.footer_at - archive.index_at);
}

/* ---- Decoding it ----------------------------------------------------------------------------- */

static struct arena arena;
static struct fault_memory archive_memory;
static struct source source;
static struct decode decoder;
static const struct interrupt archive_interrupt = { .cancel = &is_cancelled };

static inline bool read_archive(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	(void)ctx;
	if (++archive.n_reads == archive.cancel_at)
		atomic_store(&is_cancelled, true);
	*n_read = at >= archive.n ? 0 : len < archive.n - at ? len : archive.n - at;
	memcpy(buf, archive.bytes + at, *n_read);
	return true;
}

static inline const struct pak *decode_archive(const struct thread_pool *pool)
{
	const struct source_io io = { .read_at = read_archive, .size = archive.n };

	archive.n_reads = 0;
	source_init(&source, io, "Foo_P.pak", &arena, 512);
	decoder = engine_decode(&engine, &source, &arena, &archive_interrupt);
	decoder.keys = &archive.keys;
	decoder.threads = pool;
	return pak_format.decode(&decoder);
}

static inline void leave_archive(void)
{
	if (decoder.source)
		decode_close(&decoder);
	decoder.source = NULL;
	arena_free(&arena);
}

static inline int begin_archive(void **state)
{
	begin(state);
	arena = unit_arena(&archive_memory, UNIT_PLENTY);
	memset(&archive, 0, sizeof archive);
	archive.n_files = FILES_MAX;
	write_archive();
	return 0;
}

static inline int end_archive(void **state)
{
	leave_archive();
	return end(state) != 0 || archive_memory.n_live != 0;
}

#endif

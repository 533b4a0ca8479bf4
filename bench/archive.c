/* Archives: entries, indexes and the footer. */
#define _GNU_SOURCE 1

#include "archive.h"

#include <stdlib.h>
#include <string.h>

#include "codec/sha1.h"

enum { ENCODED = 11, N_METHODS = 5, METHOD_LEN = 32, GUID_LEN = 16 };

static void die(const char *words)
{
	fprintf(stderr, "bench_pak: %s\n", words);
	exit(1);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static void add_u64(struct heap *h, uint64_t v)
{
	heap_u32(h, v & UINT32_MAX);
	heap_u32(h, v >> 32);
}

static void add_string(struct heap *h, const char *text)
{
	const size_t n = strlen(text) + 1;

	heap_u32(h, n);
	heap_add(h, text, n);
}

static void add_digest(struct heap *h, const struct heap *of)
{
	uint8_t digest[SHA1_LEN];

	sha1_of(of->data, of->len, digest);
	heap_add(h, digest, sizeof digest);
}

static void put(struct archive *a, const void *bytes, size_t n)
{
	if (fwrite(bytes, 1, n, a->file) != n)
		die("cannot write");
	a->at += n;
}

void archive_open(struct archive *a, const char *path, unsigned version)
{
	*a = (struct archive){ .file = fopen(path, "wb"), .version = version };
	if (!a->file)
		die("cannot create the file");
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* The record that stands in the index of version 8, and before the data of all versions. */
static void add_record(struct heap *h, const struct archive_entry *e, uint64_t offset)
{
	add_u64(h, offset);
	add_u64(h, e->size);
	add_u64(h, e->whole_size);
	heap_u32(h, e->method);
	heap_add(h, e->hash, sizeof e->hash);
	if (e->method != 0) {
		heap_u32(h, e->n_blocks);
		for (uint32_t i = 0; i < 2 * e->n_blocks; i++)
			add_u64(h, e->blocks[i]);
	}
	heap_add(h, "", 1);
	heap_u32(h, e->block_size);
}

static bool is_short(uint64_t v)
{
	return v <= UINT32_MAX;
}

static void add_number(struct heap *h, uint64_t v)
{
	if (is_short(v))
		heap_u32(h, v);
	else
		add_u64(h, v);
}

static void add_encoded(struct heap *h, const struct archive_entry *e)
{
	heap_u32(h, (uint32_t)(e->block_size >> 11) | e->n_blocks << 6 | e->method << 23 |
			    (uint32_t)is_short(e->size) << 29 |
			    (uint32_t)is_short(e->whole_size) << 30 |
			    (uint32_t)is_short(e->offset) << 31);
	add_number(h, e->offset);
	add_number(h, e->whole_size);
	if (e->method == 0)
		return;
	add_number(h, e->size);
	for (uint32_t i = 0; e->n_blocks > 1 && i < e->n_blocks; i++)
		heap_u32(h, e->blocks[2 * i + 1] - e->blocks[2 * i]);
}

/* FNV-1a over a path in UTF-16, in lower case. */
static uint64_t hash_text(uint64_t h, const char *text)
{
	for (; *text; text++) {
		h = (h ^ (uint8_t)(*text >= 'A' && *text <= 'Z' ? *text + 32 : *text)) *
		    UINT64_C(0x100000001B3);
		h *= UINT64_C(0x100000001B3);
	}
	return h;
}

static const char *folder_of(const struct archive *a)
{
	return (const char *)a->folder.data;
}

static uint64_t hash_path(const struct archive *a, const char *name)
{
	return hash_text(hash_text(UINT64_C(0xCBF29CE484222325), folder_of(a)), name);
}

void archive_list(struct archive *a, const char *name, const struct archive_entry *e)
{
	const uint64_t at = a->entries.len;

	a->n++;
	if (a->version < ENCODED) {
		heap_u32(&a->entries, a->folder.len + strlen(name));
		heap_add(&a->entries, a->folder.data, a->folder.len - 1);
		heap_add(&a->entries, name, strlen(name) + 1);
		add_record(&a->entries, e, e->offset);
		return;
	}
	add_encoded(&a->entries, e);
	add_u64(&a->hashes, a->same_hash ? a->same_hash : hash_path(a, name));
	heap_u32(&a->hashes, at);
	if (a->is_unlisted)
		return;
	add_string(&a->files, name);
	heap_u32(&a->files, at);
	a->n_files++;
}

void archive_skip(struct archive *a, uint64_t n)
{
	a->at += n;
	if (fseeko(a->file, (off_t)a->at, SEEK_SET) != 0)
		die("cannot seek");
}

void archive_hole(struct archive *a, const char *name, uint64_t n)
{
	const struct archive_entry e = { .offset = a->at, .size = n, .whole_size = n };

	archive_list(a, name, &e);
	archive_skip(a, ARCHIVE_HEADER + n);
}

void archive_store(struct archive *a, const char *name, const uint8_t *bytes, uint64_t n)
{
	struct archive_entry e = { .offset = a->at, .size = n, .whole_size = n };
	struct heap header = { 0 };

	sha1_of(bytes, n, e.hash);
	add_record(&header, &e, 0);
	put(a, header.data, header.len);
	put(a, bytes, (size_t)n);
	archive_list(a, name, &e);
	free(header.data);
}

/* ---- Directories ----------------------------------------------------------------------------- */

static void end_folder(struct archive *a)
{
	if (a->n_files == 0)
		return;
	add_string(&a->directories, *folder_of(a) ? folder_of(a) : "/");
	heap_u32(&a->directories, a->n_files);
	heap_add(&a->directories, a->files.data, a->files.len);
	a->n_directories++;
	a->n_files = 0;
	a->files.len = 0;
}

void archive_folder(struct archive *a, const char *name)
{
	end_folder(a);
	a->folder.len = 0;
	heap_add(&a->folder, name, strlen(name) + 1);
}

/* ---- Index and footer ------------------------------------------------------------------------ */

static void put_counted(struct heap *to, uint32_t n, const struct heap *rows)
{
	heap_u32(to, n);
	heap_add(to, rows->data, rows->len);
}

/* A part of the index that lies behind it: that it is there, where, and its digest. */
static void add_part(struct heap *index, uint64_t *at, const struct heap *part)
{
	heap_u32(index, 1);
	add_u64(index, *at);
	add_u64(index, part->len);
	add_digest(index, part);
	*at += part->len;
}

/* The index of version 11 with the two parts that follow it. Its length does not depend on
 * theirs. */
static void put_encoded(struct archive *a, struct heap *index)
{
	struct heap hashes = { 0 }, directories = { 0 }, no_part = { 0 };
	const uint64_t parts = 2 * (uint64_t)(4 + 8 + 8 + SHA1_LEN);
	uint64_t at = a->at + index->len + 8 + parts + 4 + a->entries.len + 4;

	put_counted(&hashes, a->n, &a->hashes);
	heap_u32(&hashes, 0);
	put_counted(&directories, a->n_directories, &a->directories);
	add_u64(index, 0);
	add_part(index, &at, &hashes);
	add_part(index, &at, &directories);
	put_counted(index, (uint32_t)a->entries.len, &a->entries);
	put_counted(index, 0, &no_part);
	put(a, index->data, index->len);
	put(a, hashes.data, hashes.len);
	put(a, directories.data, directories.len);
	free(hashes.data);
	free(directories.data);
}

static void put_footer(struct archive *a, uint64_t at, const struct heap *index)
{
	static const uint8_t methods[N_METHODS * METHOD_LEN] = "Zlib";
	static const uint8_t lock[GUID_LEN + 1] = { 0 };
	struct heap footer = { 0 };

	heap_add(&footer, lock, sizeof lock);
	heap_u32(&footer, 0x5A6F12E1);
	heap_u32(&footer, a->version);
	add_u64(&footer, at);
	add_u64(&footer, index->len);
	add_digest(&footer, index);
	heap_add(&footer, methods, sizeof methods);
	put(a, footer.data, footer.len);
	free(footer.data);
}

void archive_close(struct archive *a)
{
	const uint64_t at = a->at;
	struct heap index = { 0 };

	end_folder(a);
	add_string(&index, "../../../");
	heap_u32(&index, a->n);
	if (a->version < ENCODED) {
		heap_add(&index, a->entries.data, a->entries.len);
		put(a, index.data, index.len);
	} else {
		put_encoded(a, &index);
	}
	put_footer(a, at, &index);
	if (fclose(a->file) != 0)
		die("cannot write");
	free(index.data);
	free(a->entries.data);
	free(a->hashes.data);
	free(a->directories.data);
	free(a->files.data);
	free(a->folder.data);
}

/* The forge: writing installers for the benchmarks, from one member up to gigabytes, without
 * holding them in memory. */
#ifndef UVET_BENCH_FORGE_H
#define UVET_BENCH_FORGE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "codec/crc.h"

/* A heap is bytes that grow. The programs of this folder end when memory does. */
struct heap {
	uint8_t *data;
	size_t len, max;
};

void heap_add(struct heap *h, const void *bytes, size_t n);
void heap_format(struct heap *h, const char *format, ...);
void heap_u32(struct heap *h, uint64_t v);

/* heap_index adds a compact index. */
void heap_index(struct heap *h, int64_t v);

/* A forge is an installer that is being written. Members are added in order; their entries wait in
 * `directory`. */
struct forge {
	FILE *file;
	uint64_t at;    /* bytes written so far */
	struct crc crc; /* of them */
	struct heap directory;
	uint32_t n_entries;
	int64_t count_claimed; /* what the count says; -1: the truth */
};

/* forge_open starts a file. forge_close writes directory and trailer. */
void forge_open(struct forge *f, const char *path);
void forge_close(struct forge *f);

/* forge_bytes writes bytes that belong to no member yet. */
void forge_bytes(struct forge *f, const void *bytes, size_t n);

/* forge_filler writes n bytes that look like nothing in particular. */
void forge_filler(struct forge *f, uint64_t n);

/* forge_entry adds an entry whatever the bytes are; forge_wide_entry one whose name is UTF-16, n
 * units. forge_named writes a member of 8 bytes under a name without its NUL, and frees the
 * name. forge_member writes the bytes and adds their entry. */
void forge_entry(struct forge *f, const char *name, uint64_t offset, uint64_t size, uint64_t flags);
void forge_wide_entry(struct forge *f, const uint16_t *name, size_t n, uint64_t offset,
		      uint64_t size);
void forge_named(struct forge *f, struct heap *name);
void forge_member(struct forge *f, const char *name, const void *bytes, size_t n, uint64_t flags);

/* forge_manifests writes both manifests: `more` is what follows the opening of Manifest.ini,
 * which ends inside the section of the group "Files". */
void forge_manifests(struct forge *f, const struct heap *more);

/* A forge_kind writes one sort of installer of size n. */
struct forge_kind {
	const char *name;
	void (*write)(struct forge *f, uint32_t n);
};

extern const struct forge_kind directory_kinds[]; /* end in a NULL name */
extern const struct forge_kind manifest_kinds[];  /* end in a NULL name */
extern const struct forge_kind member_kinds[];    /* end in a NULL name */

#endif

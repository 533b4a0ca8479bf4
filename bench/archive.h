/* Archives for the benchmarks: a .pak of version 8 or 11 with any number of entries. What stands
 * here encodes, so it is no part of the library. */
#ifndef UVET_BENCH_ARCHIVE_H
#define UVET_BENCH_ARCHIVE_H

#include "forge.h"

/* An entry as the index has it. */
struct archive_entry {
	uint64_t offset, size, whole_size; /* size: as it is stored */
	uint32_t method;                   /* 0: none, 1: Zlib */
	uint32_t n_blocks, block_size;
	const uint32_t *blocks; /* pairs of begin and end, from the entry's header on */
	uint8_t hash[20];
};

/* Bytes of the header before an entry's data that has no blocks. */
#define ARCHIVE_HEADER UINT64_C(53)

struct archive {
	FILE *file;
	unsigned version; /* 8 or 11 */
	uint64_t at;      /* where the next entry's header goes */
	uint32_t n;
	/* the index of version 8; of version 11 the encoded entries, the paths' hashes and the
	 * files of all directories that have ended */
	struct heap entries, hashes, directories;
	/* of the directory that files are added to */
	struct heap folder; /* its name, with a NUL */
	struct heap files;
	uint32_t n_files, n_directories;
	bool is_unlisted;   /* of version 11: what is added next has a hash, and no path */
	uint64_t same_hash; /* instead of the paths' own hashes; 0: these */
};

/* archive_open begins a file. archive_close writes index and footer. */
void archive_open(struct archive *a, const char *path, unsigned version);
void archive_close(struct archive *a);

/* archive_folder begins a directory: "" is the root, others end in a slash. One without files is
 * not written. */
void archive_folder(struct archive *a, const char *name);

/* archive_list adds an entry to the index, whose file has that name in the current directory.
 * archive_hole lists one of n bytes that are zeros and a header that is not there, for checks of
 * tables, archive_skip leaves out n bytes. archive_store writes header and bytes of one, and lists
 * it. */
void archive_list(struct archive *a, const char *name, const struct archive_entry *e);
void archive_hole(struct archive *a, const char *name, uint64_t n);
void archive_skip(struct archive *a, uint64_t n);
void archive_store(struct archive *a, const char *name, const uint8_t *bytes, uint64_t n);

#endif

/* Containers for the benchmarks: a .utoc, its .ucas and a .pak, of any number of chunks. What
 * stands here encodes, so it is no part of the library. A program plans the chunks, lets their
 * slots be found, stores them one by one, and writes the tables at the end. */
#ifndef UVET_BENCH_CONTAINER_H
#define UVET_BENCH_CONTAINER_H

#include "forge.h"

#define CONTAINER_BLOCK UINT32_C(65536)
#define CONTAINER_NONE UINT32_MAX

/* What a chunk is; each version has its own numbers for them. */
enum container_type { CONTAINER_PACKAGE, CONTAINER_BULK, CONTAINER_HEADER };

enum container_method { METHOD_NONE, METHOD_ZLIB, METHOD_LZ4, METHOD_ZSTD };

struct chunk {
	uint64_t id, offset, length;
	uint8_t hash[20];
	uint8_t type; /* enum container_type */
	bool compressed;
};

/* A table of the directory index is rows that are linked when they are added. */
struct directory_row {
	uint32_t name, first_child, next, first_file, last_child, last_file;
};

struct file_row {
	uint32_t name, next, chunk;
};

struct container {
	char *folder, *stem; /* of the files */
	unsigned version;    /* of the .utoc: 3, 5 or 8 */
	enum container_method method;
	uint64_t id;
	struct heap chunks; /* struct chunk, as they were planned */
	uint32_t n_chunks;
	uint32_t *at_slot;           /* for each place in the tables the chunk that stands there */
	struct heap seeds, overflow; /* as they lie in the file */
	struct heap blocks;          /* likewise */
	/* struct directory_row, struct file_row, and strings as they lie in the file */
	struct heap directories, files, strings;
	uint32_t n_directories, n_files, n_strings;
	const char *mount;
	FILE *ucas;
	uint64_t at;        /* where the next block goes */
	struct heap packed; /* room for one block */
};

/* container_hash is the hash of a name, by which packages and containers go. */
uint64_t container_hash(const char *text);

/* container_open begins a set: path is the .utoc's, version 3, 5 or 8. */
void container_open(struct container *c, const char *path, unsigned version,
		    enum container_method method);

/* container_plan adds a chunk and returns its number. container_chunk is a chunk by its number. */
uint32_t container_plan(struct container *c, uint64_t id, enum container_type type,
			uint64_t length);
struct chunk *container_chunk(struct container *c, uint32_t i);

/* container_place finds a slot for each chunk: by a perfect hash since version 4, else in their
 * order. Nothing is planned after it.
 * container_overflow makes every chunk one without perfect hash, in their order. */
void container_place(struct container *c);
void container_overflow(struct container *c);

/* container_store gives a chunk the next blocks. bytes NULL: blocks that claim to be compressed,
 * of bytes that are not there.
 * container_store_raw stores without compressing, as headers are. container_block adds one block
 * as it is; stored NULL leaves a hole of the same size. */
void container_store(struct container *c, uint32_t i, const uint8_t *bytes);
void container_store_raw(struct container *c, uint32_t i, const uint8_t *bytes);
void container_block(struct container *c, const uint8_t *stored, uint32_t n_stored, uint32_t n,
		     unsigned method);

/* container_write writes the .utoc and the .pak, and ends the set. */
void container_write(struct container *c);

/* ---- Directory index ------------------------------------------------------------------------- */

/* container_string adds a string, container_directory a directory in another one
 * (CONTAINER_NONE: the root itself), container_file a file; all return numbers. */
uint32_t container_string(struct container *c, const char *text);
uint32_t container_directory(struct container *c, uint32_t parent, uint32_t name);
uint32_t container_file(struct container *c, uint32_t directory, uint32_t name, uint32_t chunk);

/* container_index adds the index as it lies in the file. */
void container_index(const struct container *c, struct heap *out);

/* ---- Container header ------------------------------------------------------------------------ */

/* container_header_len is how long the header of n packages is, container_header adds it for
 * those that are planned: each imports two others. */
uint64_t container_header_len(unsigned version, uint64_t n_packages);
void container_header(const struct container *c, struct heap *out);

/* container_claim_imports makes each package of a header claim the imports of all packages after it
 * too. */
void container_claim_imports(const struct container *c, struct heap *header);

/* ---- Packages -------------------------------------------------------------------------------- */

/* What a package is made of: its path, the paths of those that it imports, exports of one length,
 * and how long its bulk data is, which is another chunk; 0: it has none. */
struct zen_plan {
	const char *path;
	const char *const *imports;
	uint32_t n_imports, n_exports, export_len;
	uint64_t bulk_len;
};

/* zen_package writes a package of 5.3 to out, which it empties first. */
void zen_package(const struct zen_plan *plan, struct heap *out);

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* content_of gives n <= 1 MiB bytes that look like what packages hold, others for another
 * number. */
const uint8_t *content_of(uint64_t number, uint64_t n);

/* content_pack compresses n bytes to out, which it empties first; false: that gains nothing. */
bool content_pack(enum container_method method, const uint8_t *bytes, uint32_t n, struct heap *out);

/* content_empty_blocks makes a zlib stream of some n_in bytes, nearly all of them blocks without a
 * byte, that gives n_out zeros. */
void content_empty_blocks(size_t n_in, size_t n_out, struct heap *out);

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* A container_kind writes one sort of set of size n. */
struct container_settings {
	unsigned version; /* 0: the kind's own */
	bool shuffled;    /* the tables' order is not that of the blocks */
};

struct container_kind {
	const char *name;
	void (*write)(const char *path, uint32_t n, const struct container_settings *settings);
	/* what `uvet check` is given with it: "" or "--level structure" where the .ucas holds no
	 * chunks */
	const char *options;
};

/* in order by all rules; end in a NULL name */
extern const struct container_kind container_kinds[];
extern const struct container_kind container_attacks[]; /* end in a NULL name */

#endif

/* A second reading of a directory index, slow and from the specification: what there is, what is reached, and by which path. */
#ifndef UVET_FUZZ_SECOND_DIRINDEX_H
#define UVET_FUZZ_SECOND_DIRINDEX_H

#include <stdbool.h>
#include <stdint.h>

enum { SECOND_ROWS = 512, SECOND_PATH = 4096, SECOND_CHUNKS = 64 };

struct second_string {
	uint64_t at;                    /* of its length */
	const uint8_t *units;
	uint64_t n;                     /* without a zero at its end */
	bool ended;                     /* it has that zero, or no length */
	bool wide, plain;               /* plain: of ASCII, without a zero */
};

struct second_index {
	const uint8_t *data;
	uint64_t size, n_directories, n_files, n_strings, left;
	uint64_t directories, files;    /* where the rows are */
	struct second_string mount, strings[SECOND_ROWS];
	bool begun;                     /* all is there up to the first string */
	bool whole;                     /* all tables and strings are there */
	bool large;                     /* more rows than there is room for: nothing else is said */
	bool sound;                     /* the tree is one */
	bool reached_directory[SECOND_ROWS], reached_file[SECOND_ROWS];
	uint32_t parent[SECOND_ROWS];   /* of a sound tree; of the root itself */
	uint32_t directory_of[SECOND_ROWS];     /* likewise, of a file that is reached */
	bool plain;                     /* the mount point and all strings are plain */
};

/* second_unit is a unit of a string. */
uint32_t second_unit(const struct second_string *s, uint64_t i);

/* second_index_read reads an index. */
void second_index_read(struct second_index *x, const uint8_t *data, uint64_t size);

/* The fields of rows. */
uint32_t second_directory(const struct second_index *x, uint64_t i, unsigned field);
uint32_t second_file(const struct second_index *x, uint64_t i, unsigned field);

/* second_index_path writes the path of a file that is reached in a sound tree of plain strings, from its mount point on, and a zero. It
 * returns the length, which is below SECOND_PATH, or 0 where it is not. */
uint64_t second_index_path(const struct second_index *x, uint64_t file, char out[SECOND_PATH]);

/* Chunks that files may be, of which the harness knows what they are. */
enum second_kind { KIND_PACKAGE, KIND_BULK, KIND_HEADER };
struct second_chunks {
	uint64_t n;
	uint64_t ids[SECOND_CHUNKS];    /* of packages */
	uint8_t kinds[SECOND_CHUNKS];   /* enum second_kind */
};

/* ---- second_dirnames.c: what is odd ----------------------------------------------------------------------------------------- */

/* A count is how many rows break one clause of the specification. */
struct second_count { const char *rule; uint64_t n; };
enum { SECOND_TABLE_COUNTS = 13, SECOND_TREE_COUNTS = 8, SECOND_PATH_COUNTS = 2 };

/* What tables say by themselves; what there is to say of a sound tree; what only plain names tell of one. */
void second_count_tables(const struct second_index *x, const struct second_chunks *chunks, bool encrypted,
	struct second_count out[SECOND_TABLE_COUNTS]);
void second_count_tree(const struct second_index *x, const struct second_chunks *chunks, struct second_count out[SECOND_TREE_COUNTS]);
void second_count_alike(const struct second_index *x, struct second_count out[SECOND_PATH_COUNTS]);

/* How many rows or strings are never reached or used, and how many packages have no file. */
uint64_t second_unreached(const bool *reached, uint64_t n);
uint64_t second_pathless(const struct second_index *x, const struct second_chunks *chunks);

/* second_package_id is the id of the package of a path; 0: there is none that can be told. The path is written over. */
uint64_t second_package_id(char path[SECOND_PATH]);

#endif

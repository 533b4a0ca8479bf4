/* A reference reading of a directory index, slow and from the specification: what there is, what is
 * reached, and by which path. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_DIRINDEX_H
#define UVET_FUZZ_REFERENCE_REFERENCE_DIRINDEX_H

#include <stdbool.h>
#include <stdint.h>

enum { REFERENCE_ROWS = 512, REFERENCE_PATH = 4096, REFERENCE_CHUNKS = 64 };

struct reference_string {
	uint64_t at; /* of its length */
	const uint8_t *units;
	uint64_t n;       /* without a zero at its end */
	bool ended;       /* it has that zero, or no length */
	bool wide, plain; /* plain: of ASCII, without a zero */
};

struct reference_index {
	const uint8_t *data;
	uint64_t size, n_directories, n_files, n_strings, left;
	uint64_t directories, files; /* where the rows are */
	struct reference_string mount, strings[REFERENCE_ROWS];
	bool begun; /* all is there up to the first string */
	bool whole; /* all tables and strings are there */
	bool large; /* more rows than there is room for: nothing else is said */
	bool sound; /* the tree is one */
	bool reached_directory[REFERENCE_ROWS], reached_file[REFERENCE_ROWS];
	uint32_t parent[REFERENCE_ROWS];       /* of a sound tree; of the root itself */
	uint32_t directory_of[REFERENCE_ROWS]; /* likewise, of a file that is reached */
	bool plain;                            /* the mount point and all strings are plain */
};

/* reference_unit is a unit of a string. */
uint32_t reference_unit(const struct reference_string *s, uint64_t i);

/* reference_index_read reads an index. */
void reference_index_read(struct reference_index *x, const uint8_t *data, uint64_t size);

/* The fields of rows. */
uint32_t reference_directory(const struct reference_index *x, uint64_t i, unsigned field);
uint32_t reference_file(const struct reference_index *x, uint64_t i, unsigned field);

/* reference_index_path writes the path of a file that is reached in a sound tree of plain
 * strings, from its mount point on, and a zero. It returns the length, which is below
 * REFERENCE_PATH, or 0 where it is not. */
uint64_t reference_index_path(const struct reference_index *x, uint64_t file,
			      char out[REFERENCE_PATH]);

/* Chunks that files may be, of which the harness knows what they are. */
enum reference_kind { KIND_PACKAGE, KIND_BULK, KIND_HEADER };
struct reference_chunks {
	uint64_t n;
	uint64_t ids[REFERENCE_CHUNKS];  /* of packages */
	uint8_t kinds[REFERENCE_CHUNKS]; /* enum reference_kind */
};

/* ---- reference_dirnames.c: what is odd ------------------------------------------------------- */

/* A count is how many rows break one clause of the specification. */
struct reference_count {
	const char *rule;
	uint64_t n;
};
enum { REFERENCE_TABLE_COUNTS = 13, REFERENCE_TREE_COUNTS = 8, REFERENCE_PATH_COUNTS = 2 };

/* What tables say by themselves; what there is to say of a sound tree; what only plain names tell
 * of one. */
void reference_count_tables(const struct reference_index *x, const struct reference_chunks *chunks,
			    bool encrypted, struct reference_count out[REFERENCE_TABLE_COUNTS]);
void reference_count_tree(const struct reference_index *x, const struct reference_chunks *chunks,
			  struct reference_count out[REFERENCE_TREE_COUNTS]);
void reference_count_alike(const struct reference_index *x,
			   struct reference_count out[REFERENCE_PATH_COUNTS]);

/* How many rows or strings are never reached or used, and how many packages have no file. */
uint64_t reference_unreached(const bool *reached, uint64_t n);
uint64_t reference_pathless(const struct reference_index *x, const struct reference_chunks *chunks);

/* reference_package_id is the id of the package of a path; 0: there is none that can be told. The
 * path is written over. */
uint64_t reference_package_id(char path[REFERENCE_PATH]);

#endif

/* The directory index: which chunk has which path. Source: conformance/spec/iostore.md, 6. */
#ifndef UVET_FORMATS_IOSTORE_DIRECTORY_DIRECTORY_H
#define UVET_FORMATS_IOSTORE_DIRECTORY_DIRECTORY_H

#include "core/text.h"
#include "formats/format.h"
#include "formats/iostore/toc/toc.h"

enum {
	DIRECTORY_DEPTH_MAX = 256, /* levels of directories below the root */
	DIRECTORY_PATH_MAX = 512,  /* characters of a path for which readers have a buffer */
	DIRECTORY_PATH_LONG = 260, /* characters that Windows allows by default */
	DIRECTORY_PAD_MAX = 15,    /* bytes after the strings of an encrypted index */
};

/* The defects by which the tables are not a tree. */
enum {
	DIRECTORY_BROKEN = DIRECTORY_BAD_NAME | DIRECTORY_BAD_LINK | DIRECTORY_AGAIN |
			   DIRECTORY_DEEP,
	FILE_BROKEN = FILE_BAD_NAME | FILE_BAD_LINK | FILE_AGAIN,
};

/* The bits above the traits of strings are an enum name_class. */
enum { STRING_CLASS_SHIFT = string_room, STRING_TRAITS = (1 << STRING_CLASS_SHIFT) - 1 };

/* What chunk a name promises by its extension. */
enum name_class {
	NAME_OF_ANY,
	NAME_OF_ASSET,
	NAME_OF_MAP,
	NAME_OF_BULK,
	NAME_OF_OPTIONAL,
	NAME_OF_MAPPED,
	NAME_OF_SHADERS
};

struct directory_row {
	struct utoc_directory entry;
	uint32_t traits;
};
struct file_row {
	struct utoc_file entry;
	uint32_t traits;
};

/* The last of these rows is the mount point. */
struct string_row {
	uint64_t at, len; /* the whole of it, with its length and its NUL */
	struct text text;
	uint32_t traits;
	bool is_mount;
};

/* Two rows that should not both be there. */
struct directory_pair {
	uint32_t kind; /* enum pair_trait, one of them */
	uint32_t first, second;
};

/* Why the tables cannot be read to their end. */
enum index_fault { INDEX_SOUND, INDEX_STRING_CUT, INDEX_BAD_COUNT };
struct index_break {
	enum index_fault fault;
	const char *what; /* the string or the table */
	/* where its length or count is, from the start of the index; bytes from there to the end */
	uint64_t at, left;
	int64_t value;
};

/* Rows with a defect, of which only the number and the first are kept. */
struct odd_rows {
	uint64_t n;
	uint32_t first;
};

/* The tables as they lie in the index's bytes, decrypted if they were encrypted. */
struct directory {
	struct span at; /* the index in the file */
	/* its bytes; none: there is no index, or it is encrypted and no key opens it */
	struct held held;
	bool was_encrypted;        /* the bytes are a decrypted copy */
	const struct key *key;     /* with which they were decrypted; NULL: with none */
	bool clear_in_encrypted;   /* the container is encrypted, but not its index (DIR001) */
	bool is_another_decrypted; /* and decrypting it gives another index (DIR030) */
	struct text mount;         /* the mount point */
	struct utoc_directory_rows directories;
	struct utoc_file_rows files;
	uint64_t n_directories, n_files, n_strings;
	struct span directories_at, files_at, strings_at;
	uint64_t n_left; /* bytes after the strings */
	struct index_break broken;
	const uint32_t *strings; /* where each string's length is, from the start of the index */
	uint64_t n_chunks;       /* of the .utoc */
	/* for each chunk the file that names it, or TOC_NONE; NULL until the tree was walked */
	const uint32_t *file_of_chunk;
	/* for each file the directory that lists it, or TOC_NONE; NULL likewise */
	const uint32_t *directory_of_file;
	/* for each directory the one around it, or TOC_NONE; NULL likewise */
	const uint32_t *parent;

	/* enum directory_trait of each row; these three are NULL until the tables were read */
	uint8_t *directory_traits;
	uint16_t *file_traits; /* enum file_trait */
	/* enum string_trait and name_class; one more, for the mount point */
	uint16_t *string_traits;
	bool uses_known; /* the whole tree was walked, so that STRING_UNUSED is true of its rows */
	uint32_t all_directory_traits, all_file_traits, all_string_traits; /* what some row has */
	/* for each string the first that is equal without case; NULL: none is */
	const uint32_t *same_name;
	uint32_t longest; /* units of the longest string */
	struct directory_pair *pairs;
	uint64_t n_pairs, max_pairs;
	uint32_t all_pairs;                           /* the kinds that there are */
	struct odd_rows lost_directories, lost_files; /* that are never reached from the root */
	struct odd_rows nameless_directories, nameless_files; /* without the root */
	struct odd_rows pathless; /* packages without a path, if there are files */
};
KEEPS(directory, struct directory, directory_traits[0]);
KEEPS(file, struct directory, file_traits[0]);
KEEPS(string, struct directory, string_traits[0]);

/* directory_decode reads the index and walks its tree. It notes the stops of UTOC_INDEX,
 * UTOC_INDEX_TABLES and UTOC_TREE. */
void directory_decode(struct decode *d, const struct toc *t, struct directory *x);

/* directory_view_x makes rows of a table; see struct table. */
void directory_view_directories(const struct directory *x, uint64_t first, uint64_t n, void *rows);
void directory_view_files(const struct directory *x, uint64_t first, uint64_t n, void *rows);
void directory_view_strings(const struct directory *x, uint64_t first, uint64_t n, void *rows);

/* directory_map lists what lies in the index, one level deep and rows one deeper; false if the sink
 * stopped it. */
bool directory_map(const struct directory *x, map_sink *sink, void *ctx);

/* directory_string gives string i < n_strings, without its NUL. */
struct text directory_string(const struct directory *x, uint64_t i);

/* directory_file_path writes the path of a file, or its name if it was not reached, as UTF-8 and
 * a NUL to buf, mount point first; if that is longer than size - 1, its front is replaced by
 * "...". It returns the length, and makes at most size steps. directory_path is the same for the
 * file of a chunk; 0: it has none. size is at least 8. */
size_t directory_file_path(const struct directory *x, uint64_t file, char *buf, size_t size);
size_t directory_path(const struct directory *x, uint64_t chunk, char *buf, size_t size);

#endif

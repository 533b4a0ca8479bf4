/* What the files of the directory index share and others do not need. */
#ifndef UVET_FORMATS_IOSTORE_DIRECTORY_PARTS_H
#define UVET_FORMATS_IOSTORE_DIRECTORY_PARTS_H

#include "formats/blocks/index_string.h"
#include "formats/iostore/directory/directory.h"

/* ---- Rows ------------------------------------------------------------------------------------ */

struct directory_links {
	uint32_t name, child, sibling, file;
};
struct file_links {
	uint32_t name, next, chunk;
};

static inline struct directory_links directory_links(const struct directory *x, uint64_t i)
{
	const struct utoc_directory_row row = utoc_directory_at(x->directories, i);

	return (struct directory_links){
		(uint32_t)utoc_directory_get_name(row),
		(uint32_t)utoc_directory_get_first_child(row),
		(uint32_t)utoc_directory_get_next_sibling(row),
		(uint32_t)utoc_directory_get_first_file(row),
	};
}

static inline struct file_links file_links(struct utoc_file_rows files, uint64_t i)
{
	const struct utoc_file_row row = utoc_file_at(files, i);

	return (struct file_links){ (uint32_t)utoc_file_get_name(row),
				    (uint32_t)utoc_file_get_next_file(row),
				    (uint32_t)utoc_file_get_user_data(row) };
}

/* string_length reads the length of string i, which was checked to lie in the index; string_text is
 * directory_string, inline for loops. */
static inline int64_t string_length(const struct directory *x, uint64_t i)
{
	return layout_signed(held_u32(x->held, x->strings[i]));
}
static inline struct text string_text(const struct directory *x, uint64_t i)
{
	const int64_t length = string_length(x, i);
	const uint32_t units = index_string_units(length);
	const uint64_t at = x->strings[i] + utoc_count_fixed_len;
	struct text t = {
		held_part(x->held, at, length < 0 ? 2 * (uint64_t)units : units).bytes,
		{ .at = x->at.at + at, .n_units = units, .encoding = index_string_encoding(length) }
	};

	if (units > 0 && !(x->string_traits[i] & STRING_NO_NUL))
		t.ref.n_units--;
	return t;
}

static inline void mark_directory(struct directory *x, uint64_t i, uint32_t traits)
{
	x->directory_traits[i] |= (uint8_t)traits;
	x->all_directory_traits |= traits;
}

static inline void mark_file(struct directory *x, uint64_t i, uint32_t traits)
{
	x->file_traits[i] |= (uint16_t)traits;
	x->all_file_traits |= traits;
}

static inline void count_row(struct odd_rows *rows, uint32_t i)
{
	if (rows->n++ == 0)
		rows->first = i;
}

/* ---- tables.c -------------------------------------------------------------------------------- */

/* directory_read_head reads everything before the strings and leaves c at the first of them; false:
 * x->broken says why. */
UVET_MUST_USE bool directory_read_head(struct directory *x, struct cursor *c);

/* directory_parses tells whether bytes can be an index, by everything before its strings: bytes
 * that were decrypted with a wrong key cannot. */
bool directory_parses(struct span at, struct held bytes);

/* directory_take_string reads a string at c and moves c past it; *text is the string without its
 * NUL. false: x->broken says why. */
UVET_MUST_USE bool directory_take_string(struct directory *x, struct cursor *c, const char *what,
					 struct text *text);

/* directory_check_links looks for rows that refer to rows, strings or chunks that do not exist. */
void directory_check_links(struct directory *x);

/* ---- names.c, pairs.c ------------------------------------------------------------------------ */

/* directory_read_names reads the strings at c and the defects of each; hashes gets a hash of
 * each, the same for strings that are equal without case. */
UVET_MUST_USE bool directory_read_names(struct directory *x, struct cursor *c, uint32_t *strings,
					uint32_t *hashes);

/* directory_same_names finds strings that are equal. */
UVET_MUST_USE bool directory_same_names(struct decode *d, struct directory *x,
					const uint32_t *hashes);

/* directory_add_pair notes a pair. */
UVET_MUST_USE bool directory_add_pair(struct decode *d, struct directory *x,
				      struct directory_pair pair);

/* ---- tree.c, paths.c ------------------------------------------------------------------------- */

UVET_MUST_USE bool directory_walk(struct decode *d, const struct toc *t, struct directory *x);

/* A package_path is the directory part of the package name that a file has by its path:
 * `/game/maps`, in lower case. */
enum { PACKAGE_PATH_MAX = 1024 };
struct package_path {
	uint8_t state; /* enum package_state */
	uint16_t n;
};
enum package_state {
	PACKAGE_OUTSIDE,
	PACKAGE_START,
	PACKAGE_PROJECT,
	PACKAGE_ENGINE,
	PACKAGE_INSIDE
};

/* package_path_mount starts at the mount point, package_path_enter goes into a directory. bytes
 * is the name in UTF-16LE, a buffer of PACKAGE_PATH_MAX units. */
struct package_path package_path_mount(const struct text *mount, uint8_t *bytes);
struct package_path package_path_enter(struct package_path path, const struct text *name,
				       uint8_t *bytes);

/* package_path_id is the id of the package in a file of this name, given without its extension. 0:
 * it is not known. */
uint64_t package_path_id(struct package_path path, const struct text *name, uint8_t *bytes);

#endif

/* bench_pak KIND N FILE writes a .pak with n entries; --list names the kinds with
 * the extension that they need and options of `uvet check`. */
#include "archive.h"

#include <stdlib.h>
#include <string.h>

#include "container.h"

enum { FOLDER_FILES = 1000, HOLE = 11, MEMBER = 1 << 20, NAME_MAX_LEN = 64 };

static const char *name_of(uint32_t i, char text[NAME_MAX_LEN])
{
	snprintf(text, NAME_MAX_LEN, "Thing_%07u.ubulk", i);
	return text;
}

static const char *folder_of(uint32_t i, char text[NAME_MAX_LEN])
{
	snprintf(text, NAME_MAX_LEN, "Game/Content/Folder_%04u/", i / FOLDER_FILES);
	return text;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Entries in folders of a thousand, whose data is not there: for checks of tables. */
static void index_of_holes(struct archive *a, uint32_t n)
{
	char name[NAME_MAX_LEN], folder[NAME_MAX_LEN];

	for (uint32_t i = 0; i < n; i++) {
		if (i % FOLDER_FILES == 0)
			archive_folder(a, folder_of(i, folder));
		archive_hole(a, name_of(i, name), HOLE);
	}
}

/* ---- Attacks --------------------------------------------------------------------------------- */

static void same_range(struct archive *a, uint32_t n)
{
	char name[NAME_MAX_LEN];

	archive_folder(a, "");
	archive_hole(a, "First.ubulk", HOLE);
	for (uint32_t i = 1; i < n; i++)
		archive_list(a, name_of(i, name),
			     &(struct archive_entry){ .size = HOLE, .whole_size = HOLE });
}

/* Every entry reaches up to the last byte of the data. */
static void nested_ranges(struct archive *a, uint32_t n)
{
	const uint64_t step = ARCHIVE_HEADER + 1;
	char name[NAME_MAX_LEN];

	archive_folder(a, "");
	archive_hole(a, "First.ubulk", n * step);
	for (uint32_t i = 1; i < n; i++)
		archive_list(a, name_of(i, name),
			     &(struct archive_entry){ .offset = i * step,
						      .size = (n - i) * step,
						      .whole_size = (n - i) * step });
}

static void deep_folder(struct archive *a, uint32_t n)
{
	struct heap folder = { 0 };

	for (uint32_t i = 0; i < n; i++)
		heap_add(&folder, "d/", 2);
	heap_add(&folder, "", 1);
	archive_folder(a, (const char *)folder.data);
	archive_hole(a, "Thing.ubulk", HOLE);
	free(folder.data);
}

static void equal_hashes(struct archive *a, uint32_t n)
{
	a->same_hash = 1;
	index_of_holes(a, n);
}

/* Every second file has no path. */
static void unlisted(struct archive *a, uint32_t n)
{
	char name[NAME_MAX_LEN];

	archive_folder(a, "");
	for (uint32_t i = 0; i < n; i++) {
		a->is_unlisted = i % 2;
		archive_hole(a, name_of(i, name), HOLE);
	}
}

static void equal_names(struct archive *a, uint32_t n)
{
	archive_folder(a, "");
	for (uint32_t i = 0; i < n; i++)
		archive_hole(a, i % 2 ? "THING.ubulk" : "Thing.ubulk", HOLE);
}

/* One compressed entry whose blocks all begin at its data and end one after the other. */
static void overlapping_blocks(struct archive *a, uint32_t n)
{
	enum { BLOCK = 65536 };
	const uint64_t header = ARCHIVE_HEADER + 4 + UINT64_C(16) * n;
	uint32_t *const blocks = calloc(2 * (size_t)n, sizeof *blocks);
	const struct archive_entry e = { .size = UINT64_C(2) * n,
					 .whole_size = UINT64_C(65536) * n,
					 .method = 1,
					 .n_blocks = n,
					 .block_size = BLOCK,
					 .blocks = blocks };

	for (uint32_t i = 0; blocks && i < n; i++) {
		blocks[2 * i] = (uint32_t)header;
		blocks[2 * i + 1] = (uint32_t)(header + 1 + i);
	}
	archive_folder(a, "");
	if (blocks)
		archive_list(a, "Thing.ubulk", &e);
	free(blocks);
	archive_skip(a, header + e.size);
}

/* ---- Content --------------------------------------------------------------------------------- */

/* Entries of a mebibyte. */
static void content(struct archive *a, uint32_t n)
{
	char name[NAME_MAX_LEN];

	archive_folder(a, "");
	for (uint32_t i = 0; i < n; i++)
		archive_store(a, name_of(i, name), content_of(i, MEMBER), MEMBER);
}

/* ---- The program ----------------------------------------------------------------------------- */

static const struct kind {
	const char *name, *options;
	unsigned version;
	void (*write)(struct archive *a, uint32_t n);
} kinds[] = {
	{ "pak_8", "--level structure", 8, index_of_holes },
	{ "pak_11", "--level structure", 11, index_of_holes },
	{ "pak_same_range_8", "", 8, same_range },
	{ "pak_same_range_11", "", 11, same_range },
	{ "pak_nested_ranges", "", 11, nested_ranges },
	{ "pak_deep_folder", "", 11, deep_folder },
	{ "pak_equal_hashes", "", 11, equal_hashes },
	{ "pak_unlisted", "", 11, unlisted },
	{ "pak_equal_names", "", 8, equal_names },
	{ "pak_overlapping_blocks", "", 8, overlapping_blocks },
	{ "pak_content", "", 11, content },
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

int main(int argc, char **argv)
{
	struct archive a;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (size_t i = 0; i < N_KINDS; i++)
			printf("%s pak %s\n", kinds[i].name, kinds[i].options);
		return 0;
	}
	for (size_t i = 0; argc == 4 && i < N_KINDS; i++) {
		if (strcmp(argv[1], kinds[i].name) != 0)
			continue;
		archive_open(&a, argv[3], kinds[i].version);
		kinds[i].write(&a, (uint32_t)strtoul(argv[2], NULL, 10));
		archive_close(&a);
		return 0;
	}
	fputs("usage: bench_pak KIND N FILE, or bench_pak --list\n", stderr);
	return 2;
}

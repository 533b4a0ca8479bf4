/* Installers whose directory is the point: large and good ones, and the worst that a directory can
 * be. */
#include "forge.h"

#include <stdlib.h>
#include <string.h>

static void no_lines(struct forge *f)
{
	struct heap none = { 0 };

	forge_manifests(f, &none);
}

static void member_name(char name[32], uint32_t i)
{
	snprintf(name, 32, "System\\Pkg%06u.txt", (unsigned)i);
}

/* ---- Good ones ------------------------------------------------------------------------------- */

enum { SMALL_MEMBER = 64 };

/* A member for each line of the manifest. The first n_listed are listed. */
static void write_members(struct forge *f, uint32_t n, uint32_t n_listed)
{
	struct heap lines = { 0 };
	char name[32];

	for (uint32_t i = 0; i < n_listed; i++) {
		member_name(name, i);
		heap_format(&lines, "File=(Src=%s,Size=%d)\r\n", name, SMALL_MEMBER);
	}
	forge_manifests(f, &lines);
	for (uint32_t i = 0; i < n; i++) {
		member_name(name, i);
		forge_entry(f, name, f->at, SMALL_MEMBER, 0);
		forge_filler(f, SMALL_MEMBER);
	}
	free(lines.data);
}

static void write_listed(struct forge *f, uint32_t n)
{
	write_members(f, n, n);
}

static void write_few_listed(struct forge *f, uint32_t n)
{
	write_members(f, n, n < 4 ? n : 4);
}

/* Members that are nothing where they lie, and packages where they are installed: the checks of
 * those are no part of the file's own. */
static void write_aliases(struct forge *f, uint32_t n)
{
	struct heap lines = { 0 };
	char name[32];

	for (uint32_t i = 0; i < n; i++)
		heap_format(&lines, "File=(Src=%u,Dest=a.u)\n", (unsigned)i);
	forge_manifests(f, &lines);
	for (uint32_t i = 0; i < n; i++) {
		snprintf(name, sizeof name, "%u", (unsigned)i);
		forge_entry(f, name, 0, 0, 0);
	}
	free(lines.data);
}

/* One name for all, and a line for each format that they may be. */
static void write_namesakes(struct forge *f, uint32_t n)
{
	static const char *const formats[] = { "u", "umod", "utoc", "uz", "uz2" };
	struct heap lines = { 0 };

	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
		heap_format(&lines, "File=(Src=a,Dest=a.%s)\n", formats[i]);
	forge_manifests(f, &lines);
	for (uint32_t i = 0; i < n; i++)
		forge_entry(f, "a", 0, 0, 0);
	free(lines.data);
}

/* Ten members that make up n megabytes. */
static void write_big(struct forge *f, uint32_t n)
{
	const uint64_t size = (uint64_t)n * 100000;
	struct heap lines = { 0 };
	char name[32];

	for (uint32_t i = 0; i < 10; i++) {
		member_name(name, i);
		heap_format(&lines, "File=(Src=%s,Size=%llu)\r\n", name, (unsigned long long)size);
	}
	forge_manifests(f, &lines);
	for (uint32_t i = 0; i < 10; i++) {
		member_name(name, i);
		forge_entry(f, name, f->at, size, 0);
		forge_filler(f, size);
	}
	free(lines.data);
}

/* One installer of about n bytes. */
static void write_small(struct forge *f, uint32_t n)
{
	const uint32_t fixed = 424, size = n > fixed ? n - fixed : 1;
	struct heap lines = { 0 };

	heap_format(&lines, "File=(Src=System\\Pkg.txt,Size=%u)\r\n", (unsigned)size);
	forge_manifests(f, &lines);
	forge_entry(f, "System\\Pkg.txt", f->at, size, 0);
	forge_filler(f, size);
	free(lines.data);
}

/* ---- Counts that lie ------------------------------------------------------------------------- */

#define COUNT_MAX 0x7FFFFFFF

static void write_count_lies(struct forge *f, uint32_t n)
{
	write_small(f, n);
	f->count_claimed = COUNT_MAX;
}

static void write_name_lies(struct forge *f, uint32_t n)
{
	write_small(f, n);
	heap_index(&f->directory, COUNT_MAX);
	heap_format(&f->directory, "System\\Lie.txt");
	f->n_entries++;
}

static void write_size_lies(struct forge *f, uint32_t n)
{
	write_small(f, n);
	forge_entry(f, "System\\Lie.txt", 0, COUNT_MAX, 0);
	forge_entry(f, "System\\Lie2.txt", COUNT_MAX, COUNT_MAX, 0);
}

/* ---- Bad ones -------------------------------------------------------------------------------- */

static void write_overlap(struct forge *f, uint32_t n)
{
	char name[32];

	no_lines(f);
	for (uint32_t i = 0; i < n; i++) {
		member_name(name, i);
		forge_entry(f, name, 0, f->at, 0);
	}
}

/* Each member is said to be an installer, and all of them are the same bytes. */
static void write_nested(struct forge *f, uint32_t n)
{
	char name[32];

	no_lines(f);
	for (uint32_t i = 0; i < n; i++) {
		snprintf(name, sizeof name, "System\\Mod%06u.umod", (unsigned)i);
		forge_entry(f, name, 0, f->at, 0);
	}
}

/* Each member begins inside the one before and ends behind it, in falling order. */
static void write_staircase(struct forge *f, uint32_t n)
{
	char name[32];

	no_lines(f);
	for (uint32_t i = 0; i < n; i++) {
		member_name(name, i);
		forge_entry(f, name, f->at + n - i, 4, 0);
	}
	forge_filler(f, n + 4);
}

static void write_gaps(struct forge *f, uint32_t n)
{
	char name[32];

	no_lines(f);
	for (uint32_t i = 0; i < n; i++) {
		member_name(name, i);
		forge_entry(f, name, f->at + 2 * i, 1, 0);
	}
	forge_filler(f, 2 * (uint64_t)n);
}

static void write_duplicates(struct forge *f, uint32_t n)
{
	no_lines(f);
	for (uint32_t i = 0; i < n; i++) {
		forge_entry(f, i % 2 ? "System/SAME.txt" : "system\\same.txt", f->at, 8, 0);
		forge_filler(f, 8);
	}
}

/* Names of one hash, all different: to the hash the unit 0x6162 is the letters A and B, so each
 * bit of i chooses one of two spellings that hash alike. */
static void write_collisions(struct forge *f, uint32_t n)
{
	no_lines(f);
	for (uint32_t i = 0; i < n; i++) {
		uint16_t name[64];
		size_t len = 0;

		for (unsigned bit = 0; bit < 20; bit++) {
			if (i >> bit & 1) {
				name[len++] = 0x6162;
			} else {
				name[len++] = 'A';
				name[len++] = 'B';
			}
		}
		forge_wide_entry(f, name, len, f->at, 8);
		forge_filler(f, 8);
	}
}

static void add_long_name(struct forge *f, uint32_t n, char last)
{
	char *name = malloc((size_t)n + 1);

	if (!name)
		exit(1);
	memset(name, 'a', n);
	memcpy(name, "System\\", 7);
	name[n - 1] = last;
	name[n] = '\0';
	forge_entry(f, name, f->at, 8, 0);
	forge_filler(f, 8);
	free(name);
}

/* Sixteen names of n characters, half of them equal, that differ in the last. */
static void write_long_names(struct forge *f, uint32_t n)
{
	no_lines(f);
	for (uint32_t i = 0; i < 16; i++)
		add_long_name(f, n, (char)('a' + i / 2));
}

/* One name of n components, each of which may be a device's. */
static void write_components(struct forge *f, uint32_t n)
{
	struct heap name = { 0 };

	no_lines(f);
	for (uint32_t i = 0; i < n; i++)
		heap_format(&name, "\\com:.");
	forge_named(f, &name);
}

/* One name of n characters none of which is a separator, each of which might begin a device. */
static void write_one_component(struct forge *f, uint32_t n)
{
	struct heap name = { 0 };

	no_lines(f);
	for (uint32_t i = 0; i < n; i++)
		heap_format(&name, " :.");
	forge_named(f, &name);
}

/* Names in which every unit is odd, and bytes that lie outside. */
static void write_odd_names(struct forge *f, uint32_t n)
{
	static const uint16_t odd[] = { 0xD800, 0x202E, 0x0085, 0x0152, 0x4E00, '?', 0xDC00 };

	no_lines(f);
	for (uint32_t i = 0; i < n; i++)
		forge_wide_entry(f, odd, sizeof odd / sizeof odd[0], 0xFFFFFFFF, 0xFFFFFFFF);
}

/* Names that are each counted in five bytes. */
static void write_long_indexes(struct forge *f, uint32_t n)
{
	static const uint8_t five[] = { 0x40 + 4, 0x80, 0x80, 0x80, 0x00, 'A', '.', 't', 0 };

	no_lines(f);
	for (uint32_t i = 0; i < n; i++) {
		heap_add(&f->directory, five, sizeof five);
		heap_u32(&f->directory, f->at);
		heap_u32(&f->directory, 8);
		heap_u32(&f->directory, 7);
		f->n_entries++;
		forge_filler(f, 8);
	}
}

const struct forge_kind directory_kinds[] = {
	{ "listed", write_listed },
	{ "few_listed", write_few_listed },
	{ "aliases", write_aliases },
	{ "namesakes", write_namesakes },
	{ "big", write_big },
	{ "small", write_small },
	{ "count_lies", write_count_lies },
	{ "name_lies", write_name_lies },
	{ "size_lies", write_size_lies },
	{ "overlap", write_overlap },
	{ "nested", write_nested },
	{ "staircase", write_staircase },
	{ "gaps", write_gaps },
	{ "duplicates", write_duplicates },
	{ "collisions", write_collisions },
	{ "long_names", write_long_names },
	{ "components", write_components },
	{ "one_component", write_one_component },
	{ "odd_names", write_odd_names },
	{ "long_indexes", write_long_indexes },
	{ NULL, NULL },
};

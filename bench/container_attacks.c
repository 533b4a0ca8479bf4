/* Containers that are as bad for a reader as a file can be. Most are wrong by some rule. */
#include "container.h"

#include <stdlib.h>
#include <string.h>

#include "collide.h"

/* ---- Chunks ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t v)
{
	v *= UINT64_C(0x9E3779B97F4A7C15);
	return v ^ v >> 32;
}

static void open_set(struct container *c, const char *path,
		     const struct container_settings *settings, enum container_method method)
{
	container_open(c, path, settings->version ? settings->version : 5, method);
	container_directory(c, CONTAINER_NONE, CONTAINER_NONE);
}

/* n blocks of 64 KiB each, all zeros, in 80 bytes. */
static void store_zeros(struct container *c, uint32_t n)
{
	static const uint8_t zeros[CONTAINER_BLOCK];
	struct heap packed = { 0 };

	content_pack(METHOD_ZLIB, zeros, CONTAINER_BLOCK, &packed);
	for (uint32_t i = 0; i < n; i++)
		container_block(c, packed.data, (uint32_t)packed.len, CONTAINER_BLOCK, 1);
	free(packed.data);
}

static void plan_bulk(struct container *c, uint32_t n, uint64_t length)
{
	for (uint32_t i = 0; i < n; i++)
		container_plan(c, mix(i + 1), CONTAINER_BULK, length);
}

/* Blocks give 64 KiB each, so there are fewer of them than of what is small. */
static uint32_t fewer(uint32_t n)
{
	return n / 16 + 1;
}

/* Each of n chunks claims all blocks. */
static void claim_all(const char *path, uint32_t n, const struct container_settings *settings)
{
	struct container c;

	open_set(&c, path, settings, METHOD_ZLIB);
	plan_bulk(&c, n, (uint64_t)fewer(n) * CONTAINER_BLOCK);
	container_place(&c);
	store_zeros(&c, fewer(n));
	container_write(&c);
}

/* Chunk i claims blocks from i on, so that no two claim the same and every two share some. */
static void claim_rest(const char *path, uint32_t n, const struct container_settings *settings)
{
	struct container c;

	n = fewer(n);
	open_set(&c, path, settings, METHOD_ZLIB);
	for (uint32_t i = 0; i < n; i++) {
		container_plan(&c, mix(i + 1), CONTAINER_BULK, (uint64_t)(n - i) * CONTAINER_BLOCK);
		container_chunk(&c, i)->offset = (uint64_t)i * CONTAINER_BLOCK;
	}
	container_place(&c);
	store_zeros(&c, n);
	container_write(&c);
}

/* One chunk of as many blocks, next to nothing in each. */
static void blocks(const char *path, uint32_t n, const struct container_settings *settings)
{
	struct container c;

	n = fewer(n);
	open_set(&c, path, settings, METHOD_ZLIB);
	plan_bulk(&c, 1, (uint64_t)n * CONTAINER_BLOCK);
	container_place(&c);
	store_zeros(&c, n);
	container_write(&c);
}

/* n chunks of one id. */
static void same_ids(const char *path, uint32_t n, const struct container_settings *settings)
{
	struct container c;

	open_set(&c, path, settings, METHOD_NONE);
	for (uint32_t i = 0; i < n; i++)
		container_plan(&c, 7, CONTAINER_BULK, 16);
	container_overflow(&c);
	for (uint32_t i = 0; i < n; i++)
		container_store(&c, i, content_of(i, 16));
	container_write(&c);
}

/* No chunk has a perfect hash, and all of them are listed, last first. */
static void overflow(const char *path, uint32_t n, const struct container_settings *settings)
{
	struct container c;

	open_set(&c, path, settings, METHOD_NONE);
	plan_bulk(&c, n, 16);
	container_overflow(&c);
	for (uint32_t i = 0; i < n; i++)
		container_store(&c, i, content_of(i, 16));
	container_write(&c);
}

/* ---- Directories ----------------------------------------------------------------------------- */

/* A set of one chunk for the directory that `fill` makes of n. */
static void with_directory(const char *path, uint32_t n, const struct container_settings *settings,
			   void (*fill)(struct container *c, uint32_t n))
{
	struct container c;

	open_set(&c, path, settings, METHOD_NONE);
	container_plan(&c, 7, CONTAINER_BULK, 16);
	container_place(&c);
	container_store(&c, 0, content_of(0, 16));
	fill(&c, n);
	container_write(&c);
}

static uint32_t number_name(struct container *c, uint32_t i)
{
	char name[32];

	snprintf(name, sizeof name, "Folder_%u", (unsigned)i);
	return container_string(c, name);
}

static void fill_siblings(struct container *c, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		container_directory(c, 0, number_name(c, i));
}

static void siblings(const char *path, uint32_t n, const struct container_settings *settings)
{
	with_directory(path, n, settings, fill_siblings);
}

static struct directory_row *directories(struct container *c)
{
	return (struct directory_row *)(void *)c->directories.data;
}

static void fill_cycle(struct container *c, uint32_t n)
{
	fill_siblings(c, n);
	directories(c)[n].next = 1;
}

/* The last of n siblings is followed by the first. */
static void cycle(const char *path, uint32_t n, const struct container_settings *settings)
{
	with_directory(path, n, settings, fill_cycle);
}

static void fill_shared(struct container *c, uint32_t n)
{
	fill_siblings(c, n);
	for (uint32_t i = 2; i <= n; i++)
		directories(c)[i].first_child = i - 1;
}

/* Each directory's child is the one before it, which is its sibling too. */
static void shared(const char *path, uint32_t n, const struct container_settings *settings)
{
	with_directory(path, n, settings, fill_shared);
}

/* Each directory lies in the one before, and each has a file, whose path is longer than that of the
 * one before. */
static void depth(const char *path, uint32_t n, const struct container_settings *settings)
{
	struct container c;
	uint32_t name, inner = 0;

	open_set(&c, path, settings, METHOD_NONE);
	plan_bulk(&c, n, 16);
	container_place(&c);
	name = number_name(&c, 0);
	for (uint32_t i = 0; i < n; i++) {
		container_store(&c, i, content_of(i, 16));
		inner = container_directory(&c, inner, name);
		container_file(&c, inner, name, i);
	}
	container_write(&c);
}

/* All strings are one byte long, so that there are as many as there can be, and every file has the
 * same one. */
static void same_names(const char *path, uint32_t n, const struct container_settings *settings)
{
	struct container c;

	open_set(&c, path, settings, METHOD_NONE);
	plan_bulk(&c, n, 16);
	container_place(&c);
	for (uint32_t i = 0; i < n; i++) {
		container_store(&c, i, content_of(i, 16));
		container_string(&c, "A");
		container_file(&c, 0, 0, i);
	}
	container_write(&c);
}

/* ---- Hashes ---------------------------------------------------------------------------------- */

static void fill_colliding(struct container *c, uint32_t n)
{
	char name[COLLIDE_LEN + 1];

	for (uint64_t i = 0, made = 0; made < n; i++) {
		if (!collide_name(i, name))
			continue;
		container_directory(c, 0, container_string(c, name));
		made++;
	}
}

/* Version 3 has no perfect hash that would say whether ids differ. */
static void with_ids(const char *path, uint32_t n, bool collide)
{
	struct container c;

	open_set(&c, path, &(struct container_settings){ .version = 3 }, METHOD_NONE);
	for (uint32_t i = 0; i < n; i++)
		container_plan(&c, collide ? collide_id(i, UINT32_C(3) << 24) : mix(i + 1),
			       CONTAINER_BULK, 16);
	container_place(&c);
	for (uint32_t i = 0; i < n; i++)
		container_store(&c, i, content_of(i, 16));
	container_write(&c);
}

static void distinct_ids(const char *path, uint32_t n, const struct container_settings *settings)
{
	(void)settings;
	with_ids(path, n, false);
}

static void colliding_ids(const char *path, uint32_t n, const struct container_settings *settings)
{
	(void)settings;
	with_ids(path, n, true);
}

/* n siblings of one hash. */
static void colliding_names(const char *path, uint32_t n, const struct container_settings *settings)
{
	with_directory(path, n, settings, fill_colliding);
}

/* ---- Compressed blocks ----------------------------------------------------------------------- */

/* One chunk of one block, or of more where n allows for them, each stored as it is given. */
static void with_blocks(const char *path, uint32_t n_blocks,
			const struct container_settings *settings, const struct heap *stored)
{
	struct container c;

	open_set(&c, path, settings, METHOD_ZLIB);
	for (uint32_t i = 0; i < n_blocks; i++) {
		container_plan(&c, mix(i + 1), CONTAINER_BULK, CONTAINER_BLOCK);
		container_chunk(&c, i)->offset = (uint64_t)i * CONTAINER_BLOCK;
		container_chunk(&c, i)->compressed = true;
		container_block(&c, stored->data, (uint32_t)stored->len, CONTAINER_BLOCK, 1);
	}
	container_place(&c);
	container_write(&c);
}

enum { PER_BOMB = 256 };

/* A block of 60 KB, nearly all of it zlib's blocks without a byte, for every 256 of n. */
static void empty_blocks(const char *path, uint32_t n, const struct container_settings *settings)
{
	struct heap stored = { 0 };

	content_empty_blocks(60000, CONTAINER_BLOCK, &stored);
	with_blocks(path, n < PER_BOMB ? 1 : n / PER_BOMB, settings, &stored);
	free(stored.data);
}

/* The same, longer than what comes out: nobody needs to decode that. */
static void not_smaller(const char *path, uint32_t n, const struct container_settings *settings)
{
	struct heap stored = { 0 };

	content_empty_blocks(CONTAINER_BLOCK + 2048, CONTAINER_BLOCK, &stored);
	with_blocks(path, n < PER_BOMB ? 1 : n / PER_BOMB, settings, &stored);
	free(stored.data);
}

/* ---- The container header -------------------------------------------------------------------- */

/* n packages, each of which claims the imports of all. */
static void import_all(const char *path, uint32_t n, const struct container_settings *settings)
{
	struct heap header = { 0 };
	struct container c;
	uint32_t last;

	open_set(&c, path, settings, METHOD_NONE);
	for (uint32_t i = 0; i < n; i++)
		container_plan(&c, mix(i + 1), CONTAINER_PACKAGE, 16);
	last = container_plan(&c, c.id, CONTAINER_HEADER, container_header_len(c.version, n));
	container_place(&c);
	container_header(&c, &header);
	container_claim_imports(&c, &header);
	for (uint32_t i = 0; i < n; i++)
		container_store(&c, i, content_of(i, 16));
	container_store_raw(&c, last, header.data);
	container_write(&c);
	free(header.data);
}

const struct container_kind container_attacks[] = {
	{ "claim_all", claim_all, "" },
	{ "claim_rest", claim_rest, "" },
	{ "blocks", blocks, "" },
	{ "same_ids", same_ids, "" },
	{ "overflow", overflow, "" },
	{ "siblings", siblings, "" },
	{ "cycle", cycle, "" },
	{ "shared", shared, "" },
	{ "depth", depth, "" },
	{ "same_names", same_names, "" },
	{ "colliding_siblings", colliding_names, "" },
	{ "distinct_ids", distinct_ids, "" },
	{ "colliding_ids", colliding_ids, "" },
	{ "empty_blocks", empty_blocks, "" },
	{ "not_smaller", not_smaller, "" },
	{ "import_all", import_all, "" },
	{ NULL, NULL, NULL },
};

/* Containers that are in order by all rules: packages and their bulk data in folders, and a
 * container header. */
#include "container.h"

#include <stdlib.h>
#include <string.h>

enum { IN_FOLDER = 30, BULK_EVERY = 4 };

/* ---- Paths ----------------------------------------------------------------------------------- */

/* The folders that are open: an area holds 30 zones, a zone 30 places, a place 30 files. */
struct folders {
	uint32_t content, area, zone, place;
	uint32_t open; /* number of the place */
};

static const char *const words[] = { "SM_Rock", "BP_Enemy", "T_Ground", "MI_Wall",
				     "A_Walk",  "SK_Guard", "WBP_Menu", "S_Step" };

static uint32_t add_folder(struct container *c, uint32_t parent, const char *word, uint32_t number)
{
	char name[64];

	snprintf(name, sizeof name, "%s_%u", word, (unsigned)number);
	return container_directory(c, parent, container_string(c, name));
}

static void open_folders(struct container *c, struct folders *f)
{
	uint32_t root = container_directory(c, CONTAINER_NONE, CONTAINER_NONE);

	root = container_directory(c, root, container_string(c, "Bench"));
	*f = (struct folders){ .content = container_directory(c, root,
							      container_string(c, "Content")),
			       .open = CONTAINER_NONE };
}

static void open_place(struct container *c, struct folders *f, uint32_t place)
{
	if (f->open == place)
		return;
	f->open = place;
	if (place % (IN_FOLDER * IN_FOLDER) == 0)
		f->area = add_folder(c, f->content, "Area", place / IN_FOLDER / IN_FOLDER);
	if (place % IN_FOLDER == 0)
		f->zone = add_folder(c, f->area, "Zone", place / IN_FOLDER);
	f->place = add_folder(c, f->zone, "Place", place);
}

static uint64_t package_id(uint32_t number)
{
	const unsigned place = number / IN_FOLDER;
	char path[256];

	snprintf(path, sizeof path, "/Game/Area_%u/Zone_%u/Place_%u/%s_%07u",
		 place / IN_FOLDER / IN_FOLDER, place / IN_FOLDER, place, words[number % 8],
		 (unsigned)number);
	return container_hash(path);
}

/* Every fourth chunk is the bulk data of the package before it. */
static void plan_chunk(struct container *c, struct folders *f, uint32_t i, uint64_t length)
{
	const bool bulk = i % BULK_EVERY == BULK_EVERY - 1;
	const uint32_t package = bulk ? i - 1 : i;
	char name[64];
	uint32_t chunk = container_plan(c, package_id(package),
					bulk ? CONTAINER_BULK : CONTAINER_PACKAGE, length);

	open_place(c, f, package / IN_FOLDER);
	snprintf(name, sizeof name, "%s_%07u.%s", words[package % 8], (unsigned)package,
		 bulk ? "ubulk" : "uasset");
	container_file(c, f->place, container_string(c, name), chunk);
}

/* ---- Sets ------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t v)
{
	v *= UINT64_C(0x9E3779B97F4A7C15);
	return v ^ v >> 32;
}

/* Chunks in the order in which they are stored: that of the tables, or any. */
static uint32_t *storing_order(const struct container *c, bool shuffled)
{
	uint32_t *order = malloc(c->n_chunks * sizeof *order);

	if (!order)
		exit(1);
	memcpy(order, c->at_slot, c->n_chunks * sizeof *order);
	for (uint32_t i = c->n_chunks; shuffled && i-- > 1;) {
		uint32_t other = (uint32_t)(mix(i) % (i + 1)), chunk = order[i];

		order[i] = order[other];
		order[other] = chunk;
	}
	return order;
}

/* A sort of sets: chunks of `least` bytes and up to `more` above that. */
struct sort {
	unsigned version;
	enum container_method method;
	uint32_t least, more;
	bool hollow;
};

static void plan(struct container *c, const struct sort *sort, uint32_t n)
{
	uint32_t n_packages = 0;
	struct folders folders;

	open_folders(c, &folders);
	for (uint32_t i = 0; i + 1 < n; i++) {
		n_packages += i % BULK_EVERY != BULK_EVERY - 1;
		plan_chunk(c, &folders, i, sort->least + mix(i) % sort->more);
	}
	container_plan(c, c->id, CONTAINER_HEADER, container_header_len(c->version, n_packages));
	container_place(c);
}

static void write_set(const char *path, uint32_t n, const struct container_settings *settings,
		      const struct sort *sort)
{
	struct container c;
	struct heap header = { 0 };
	uint32_t *order;

	container_open(&c, path, settings->version ? settings->version : sort->version,
		       sort->method);
	plan(&c, sort, n);
	container_header(&c, &header);
	order = storing_order(&c, settings->shuffled);
	for (uint32_t k = 0; k < c.n_chunks; k++) {
		const struct chunk *chunk = container_chunk(&c, order[k]);

		if (chunk->type == CONTAINER_HEADER)
			container_store_raw(&c, order[k], header.data);
		else
			container_store(&c, order[k],
					sort->hollow ? NULL : content_of(order[k], chunk->length));
	}
	container_write(&c);
	free(header.data);
	free(order);
}

/* Two and a half blocks a chunk, which only claim to be there. */
static void tables(const char *path, uint32_t n, const struct container_settings *settings)
{
	write_set(path, n, settings,
		  &(struct sort){ 5, METHOD_ZLIB, 1, 4 * CONTAINER_BLOCK, true });
}

/* As little as can be stored, so that what counts is the container header. */
static void packages(const char *path, uint32_t n, const struct container_settings *settings)
{
	write_set(path, n, settings, &(struct sort){ 5, METHOD_NONE, 16, 1, false });
}

static void packages_ue4(const char *path, uint32_t n, const struct container_settings *settings)
{
	write_set(path, n, settings, &(struct sort){ 3, METHOD_NONE, 16, 1, false });
}

static void packages_soft(const char *path, uint32_t n, const struct container_settings *settings)
{
	write_set(path, n, settings, &(struct sort){ 8, METHOD_NONE, 16, 1, false });
}

/* Chunks of 64 KiB to 1 MiB, by method. */
static void content(const char *path, uint32_t n, const struct container_settings *settings,
		    enum container_method method)
{
	write_set(path, n, settings,
		  &(struct sort){ 5, method, CONTAINER_BLOCK, 15 * CONTAINER_BLOCK, false });
}

static void content_none(const char *path, uint32_t n, const struct container_settings *settings)
{
	content(path, n, settings, METHOD_NONE);
}

static void content_zlib(const char *path, uint32_t n, const struct container_settings *settings)
{
	content(path, n, settings, METHOD_ZLIB);
}

static void content_lz4(const char *path, uint32_t n, const struct container_settings *settings)
{
	content(path, n, settings, METHOD_LZ4);
}

static void content_zstd(const char *path, uint32_t n, const struct container_settings *settings)
{
	content(path, n, settings, METHOD_ZSTD);
}

/* Chunks of 1 KB, and SHA-1. */
static void content_small(const char *path, uint32_t n, const struct container_settings *settings)
{
	write_set(path, n, settings, &(struct sort){ 3, METHOD_ZLIB, 1025, 128, false });
}

const struct container_kind container_kinds[] = {
	{ "tables", tables, "--level structure" }, { "packages", packages, "" },
	{ "packages_ue4", packages_ue4, "" },      { "packages_soft", packages_soft, "" },
	{ "content_none", content_none, "" },      { "content_zlib", content_zlib, "" },
	{ "content_lz4", content_lz4, "" },        { "content_zstd", content_zstd, "" },
	{ "content_small", content_small, "" },    { NULL, NULL, NULL },
};

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

enum { PATH_MAX_LEN = 256 };

static void package_path(uint32_t number, char path[PATH_MAX_LEN])
{
	const unsigned place = number / IN_FOLDER;

	snprintf(path, PATH_MAX_LEN, "/Game/Area_%u/Zone_%u/Place_%u/%s_%07u",
		 place / IN_FOLDER / IN_FOLDER, place / IN_FOLDER, place, words[number % 8],
		 (unsigned)number);
}

static uint64_t package_id(uint32_t number)
{
	char path[PATH_MAX_LEN];

	package_path(number, path);
	return container_hash(path);
}

static void plan_chunk(struct container *c, struct folders *f, uint32_t chunk, uint32_t package,
		       enum container_type type, uint64_t length)
{
	char name[64];

	container_plan(c, package_id(package), type, length);
	open_place(c, f, package / IN_FOLDER);
	snprintf(name, sizeof name, "%s_%07u.%s", words[package % 8], (unsigned)package,
		 type == CONTAINER_BULK ? "ubulk" : "uasset");
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

/* What the chunks of a set hold besides its header: packages of which nothing but the length is
 * right, packages in order by all rules, or bulk data alone, of packages elsewhere. Of packages
 * every fourth chunk is the bulk data of the one before it, unless all have the same length. */
enum holds { HOLDS_LENGTHS, HOLDS_PACKAGES, HOLDS_BULK };

/* A sort of sets: chunks of `least` bytes and up to `more` above that, or, where `least` is 0,
 * packages with n_exports exports of export_len bytes each. */
struct sort {
	unsigned version;
	enum container_method method;
	enum holds holds;
	uint32_t least, more;
	bool hollow; /* the chunks are not there */
	bool hidden; /* packages claim to be bulk data, so that nobody looks into them */
	uint32_t n_exports, export_len;
};

static enum container_type type_of(const struct sort *sort, uint32_t i)
{
	if (sort->holds == HOLDS_BULK)
		return CONTAINER_BULK;
	return sort->least > 0 && i % BULK_EVERY == BULK_EVERY - 1 ? CONTAINER_BULK
								   : CONTAINER_PACKAGE;
}

static uint32_t package_of(const struct sort *sort, uint32_t i)
{
	return sort->holds != HOLDS_BULK && type_of(sort, i) == CONTAINER_BULK ? i - 1 : i;
}

static uint64_t length_of(const struct sort *sort, uint32_t i)
{
	return sort->least + mix(i) % sort->more;
}

/* ---- Packages with a header ------------------------------------------------------------------ */

struct numbered {
	uint64_t id;
	uint32_t number;
};

static int compare_ids(const void *a, const void *b)
{
	const uint64_t x = ((const struct numbered *)a)->id, y = ((const struct numbered *)b)->id;

	return x < y ? -1 : x > y;
}

/* The packages among n_chunks chunks in the order of their ids, and for each chunk that is one its
 * place there. */
struct packages {
	struct numbered *sorted;
	uint32_t *place;
	uint32_t n, n_chunks;
};

static struct packages list_packages(const struct sort *sort, uint32_t n)
{
	struct packages p = { calloc(n, sizeof *p.sorted), calloc(n, sizeof *p.place), 0, n };

	if (!p.sorted || !p.place)
		exit(1);
	for (uint32_t i = 0; i < n; i++)
		if (type_of(sort, i) == CONTAINER_PACKAGE)
			p.sorted[p.n++] = (struct numbered){ package_id(i), i };
	qsort(p.sorted, p.n, sizeof *p.sorted, compare_ids);
	for (uint32_t i = 0; i < p.n; i++)
		p.place[p.sorted[i].number] = i;
	return p;
}

/* A package imports the two that follow it in the order of ids, as the container header says. */
static void write_package(const struct packages *p, const struct sort *sort, uint32_t number,
			  struct heap *out)
{
	char path[PATH_MAX_LEN], imports[2][PATH_MAX_LEN];
	const char *const imported[] = { imports[0], imports[1] };
	struct zen_plan plan = { .path = path,
				 .imports = imported,
				 .n_imports = p->n > 2 ? 2 : 0,
				 .n_exports = sort->n_exports,
				 .export_len = sort->export_len };

	package_path(number, path);
	for (uint32_t k = 0; k < plan.n_imports; k++)
		package_path(p->sorted[(p->place[number] + k + 1) % p->n].number, imports[k]);
	if (number + 1 < p->n_chunks && type_of(sort, number + 1) == CONTAINER_BULK)
		plan.bulk_len = length_of(sort, number + 1);
	zen_package(&plan, out);
	if (sort->least == 0)
		return;
	plan.export_len = (uint32_t)(length_of(sort, number) - out->len); /* of a single one */
	zen_package(&plan, out);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void plan(struct container *c, const struct sort *sort, const struct packages *p, uint32_t n)
{
	uint32_t n_packages = 0;
	struct folders folders;
	struct heap package = { 0 };

	open_folders(c, &folders);
	for (uint32_t i = 0; i + 1 < n; i++) {
		const enum container_type type = sort->hidden ? CONTAINER_BULK : type_of(sort, i);

		n_packages += type == CONTAINER_PACKAGE;
		if (sort->least == 0)
			write_package(p, sort, i, &package);
		plan_chunk(c, &folders, i, package_of(sort, i), type,
			   sort->least == 0 ? package.len : length_of(sort, i));
	}
	free(package.data);
	container_plan(c, c->id, CONTAINER_HEADER, container_header_len(c->version, n_packages));
	container_place(c);
}

static void store_chunk(struct container *c, const struct sort *sort, const struct packages *p,
			uint32_t i, struct heap *package)
{
	const struct chunk *chunk = container_chunk(c, i);
	const uint8_t *bytes = NULL;

	if (sort->holds == HOLDS_PACKAGES && type_of(sort, i) == CONTAINER_PACKAGE &&
	    chunk->type != CONTAINER_HEADER) {
		write_package(p, sort, i, package);
		bytes = package->data;
	} else if (!sort->hollow) {
		bytes = content_of(i, chunk->length);
	}
	container_store(c, i, bytes);
}

static void write_set(const char *path, uint32_t n, const struct container_settings *settings,
		      const struct sort *sort)
{
	struct container c;
	struct heap header = { 0 }, package = { 0 };
	struct packages p = { .n = 0 };
	uint32_t *order;

	if (sort->holds == HOLDS_PACKAGES)
		p = list_packages(sort, n - 1);
	container_open(&c, path, settings->version ? settings->version : sort->version,
		       sort->method);
	plan(&c, sort, &p, n);
	container_header(&c, &header);
	order = storing_order(&c, settings->shuffled);
	for (uint32_t k = 0; k < c.n_chunks; k++)
		if (container_chunk(&c, order[k])->type == CONTAINER_HEADER)
			container_store_raw(&c, order[k], header.data);
		else
			store_chunk(&c, sort, &p, order[k], &package);
	container_write(&c);
	free(header.data);
	free(package.data);
	free(p.sorted);
	free(p.place);
	free(order);
}

/* Two and a half blocks a chunk, which only claim to be there. */
static void tables(const char *path, uint32_t n, const struct container_settings *settings)
{
	write_set(path, n, settings,
		  &(struct sort){ .version = 5,
				  .method = METHOD_ZLIB,
				  .least = 1,
				  .more = 4 * CONTAINER_BLOCK,
				  .hollow = true });
}

/* As little as can be stored, so that what counts is the container header: the packages are looked
 * at by the kinds below. */
static void packages(const char *path, uint32_t n, const struct container_settings *settings)
{
	write_set(path, n, settings,
		  &(struct sort){ .version = 5, .method = METHOD_NONE, .least = 16, .more = 1 });
}

static void packages_ue4(const char *path, uint32_t n, const struct container_settings *settings)
{
	write_set(path, n, settings,
		  &(struct sort){ .version = 3, .method = METHOD_NONE, .least = 16, .more = 1 });
}

static void packages_soft(const char *path, uint32_t n, const struct container_settings *settings)
{
	write_set(path, n, settings,
		  &(struct sort){ .version = 8, .method = METHOD_NONE, .least = 16, .more = 1 });
}

/* Chunks of 64 KiB to 1 MiB, by method. */
static void content(const char *path, uint32_t n, const struct container_settings *settings,
		    enum container_method method)
{
	write_set(path, n, settings,
		  &(struct sort){ .version = 5,
				  .method = method,
				  .holds = HOLDS_PACKAGES,
				  .least = CONTAINER_BLOCK,
				  .more = 15 * CONTAINER_BLOCK,
				  .n_exports = 1 });
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

/* Chunks of 1 KB, and SHA-1. Without packages: those of Unreal Engine 4 are not
 * what zen_package makes. */
static void content_small(const char *path, uint32_t n, const struct container_settings *settings)
{
	write_set(path, n, settings,
		  &(struct sort){ .version = 3,
				  .method = METHOD_ZLIB,
				  .holds = HOLDS_BULK,
				  .least = 1025,
				  .more = 128 });
}

/* The smallest packages, so that what counts is their number. */
static void zen_small(const char *path, uint32_t n, const struct container_settings *settings)
{
	write_set(path, n, settings,
		  &(struct sort){ .version = 5,
				  .method = METHOD_NONE,
				  .holds = HOLDS_PACKAGES,
				  .n_exports = 1,
				  .export_len = 16 });
}

/* Packages as long as those of real mods are: 2 KB of header, 50 KB of exports. */
static void zen(const char *path, uint32_t n, const struct container_settings *settings,
		enum container_method method, bool hidden)
{
	write_set(path, n, settings,
		  &(struct sort){ .version = 5,
				  .method = method,
				  .holds = HOLDS_PACKAGES,
				  .hidden = hidden,
				  .n_exports = 12,
				  .export_len = 4096 });
}

static void zen_zlib(const char *path, uint32_t n, const struct container_settings *settings)
{
	zen(path, n, settings, METHOD_ZLIB, false);
}

static void zen_none(const char *path, uint32_t n, const struct container_settings *settings)
{
	zen(path, n, settings, METHOD_NONE, false);
}

/* The same bytes, into which nobody looks. */
static void zen_zlib_hidden(const char *path, uint32_t n, const struct container_settings *settings)
{
	zen(path, n, settings, METHOD_ZLIB, true);
}

static void zen_none_hidden(const char *path, uint32_t n, const struct container_settings *settings)
{
	zen(path, n, settings, METHOD_NONE, true);
}

const struct container_kind container_kinds[] = {
	{ "tables", tables, "--level structure" },
	{ "packages", packages, "--level structure" },
	{ "packages_ue4", packages_ue4, "--level structure" },
	{ "packages_soft", packages_soft, "--level structure" },
	{ "content_none", content_none, "" },
	{ "content_zlib", content_zlib, "" },
	{ "content_lz4", content_lz4, "" },
	{ "content_zstd", content_zstd, "" },
	{ "content_small", content_small, "" },
	{ "zen_small", zen_small, "" },
	{ "zen_zlib", zen_zlib, "" },
	{ "zen_none", zen_none, "" },
	{ "zen_zlib_hidden", zen_zlib_hidden, "" },
	{ "zen_none_hidden", zen_none_hidden, "" },
	{ NULL, NULL, NULL },
};

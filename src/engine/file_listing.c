/* Listings: gathering names, and reading the few files that a site reads. */
#include "engine/file_listing.h"

#include <string.h>

#include "core/order.h"

/* ---- Reading --------------------------------------------------------------------------------- */

static bool read_all(const struct source_io *io, uint8_t *to, size_t len)
{
	size_t done = 0, n;

	while (done < len) {
		if (!io->read_at(io->ctx, done, to + done, len - done, &n) || n == 0 ||
		    n > len - done)
			return false;
		done += n;
	}
	return true;
}

/* The first bytes of every archive that mods are uploaded as, and of a tar its magic. */
static bool is_archive(const uint8_t *first, size_t n)
{
	static const struct {
		const char *bytes;
		size_t n, at;
	} magics[] = {
		{ "PK\3\4", 4, 0 },
		{ "PK\5\6", 4, 0 },
		{ "7z\xBC\xAF\x27\x1C", 6, 0 },
		{ "Rar!\x1A\x07", 6, 0 },
		{ "\x1F\x8B\x08", 3, 0 },
		{ "\xFD"
		  "7zXZ",
		  5, 0 },
		{ "BZh", 3, 0 },
		{ "\x28\xB5\x2F\xFD", 4, 0 },
		{ "ustar", 5, 257 },
	};

	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (n >= magics[i].at + magics[i].n &&
		    memcmp(first + magics[i].at, magics[i].bytes, magics[i].n) == 0)
			return true;
	return false;
}

enum { FIRST_LEN = 512 };

static void look_at(struct set_listed *f, const struct source_io *io)
{
	uint8_t first[FIRST_LEN];
	const size_t n = f->size < sizeof first ? (size_t)f->size : sizeof first;

	f->is_archive = read_all(io, first, n) && is_archive(first, n);
}

static bool keep_bytes(struct set_listed *f, struct arena *arena, const struct source_io *io)
{
	uint8_t *bytes;

	if (f->size > UPLOAD_READ_MAX)
		return true;
	bytes = arena_alloc(arena, f->size > 0 ? f->size : 1, 1);
	if (!bytes)
		return false;
	f->is_lost = !io->read_at || !read_all(io, bytes, (size_t)f->size);
	f->bytes = f->is_lost ? NULL : bytes;
	return true;
}

/* ---- Adding ---------------------------------------------------------------------------------- */

static bool make_room(struct file_listing *l, struct arena *arena)
{
	const uint64_t max = l->max > 0 ? 2 * l->max : 64;
	struct set_listed **files;

	if (l->n < l->max)
		return true;
	files = arena_alloc(arena, max, sizeof *files);
	if (!files)
		return false;
	if (l->n > 0)
		memcpy(files, l->files, (size_t)l->n * sizeof *files);
	arena_outgrow(arena, l->files, l->max * sizeof *files);
	l->files = files;
	l->max = max;
	return true;
}

bool file_listing_add(struct file_listing *l, struct arena *arena, enum upload upload,
		      const char *name, size_t folder_len, const struct source_io *io)
{
	const size_t size = strlen(name) + 1;
	const bool has_room = make_room(l, arena);
	struct set_listed *f = has_room ? arena_alloc(arena, 1, sizeof *f) : NULL;
	char *copy = f ? arena_alloc(arena, size, 1) : NULL;

	if (!copy)
		return false;
	memcpy(copy, name, size);
	*f = (struct set_listed){ .name = copy, .size = io->size };
	l->folder_len = folder_len;
	l->files[l->n++] = f;
	look_at(f, io);
	return !upload_reads(upload, name + folder_len) || keep_bytes(f, arena, io);
}

/* ---- Order ----------------------------------------------------------------------------------- */

static uint64_t no_key(const void *table, uint32_t i)
{
	(void)table, (void)i;
	return 0;
}

static int compare_names(const void *table, uint32_t a, uint32_t b)
{
	const struct set_listed *const *files = table;

	return strcmp(files[a]->name, files[b]->name);
}

static bool are_archives(const struct file_listing *l)
{
	for (uint64_t i = 0; i < l->n; i++)
		if (!l->files[i]->is_archive)
			return false;
	return true;
}

bool file_listing_settle(struct file_listing *l, struct arena *arena)
{
	struct set_listed *sorted;
	struct order order;

	if (are_archives(l))
		return true;
	if (l->n >= SET_GAME_ROOT ||
	    !order_by_hash(arena, l->files, (uint32_t)l->n, no_key, compare_names, &order))
		return false;
	sorted = arena_alloc(arena, l->n, sizeof *sorted);
	for (uint32_t i = 0; sorted && i < l->n; i++) {
		const struct set_listed *f = l->files[order_row(&order, i)];

		if (l->n_sorted == 0 || strcmp(sorted[l->n_sorted - 1].name, f->name) != 0)
			sorted[l->n_sorted++] = *f;
	}
	l->sorted = sorted;
	return sorted != NULL;
}

uint32_t file_listing_number(struct file_listing *l, const struct set_file *const *files,
			     uint32_t n)
{
	struct set_listed *of = l->sorted;
	uint32_t at = 0, next = n;

	for (uint32_t i = 0; i < l->n_sorted; i++) {
		while (at < n && strcmp(files[at]->name, of[i].name) < 0)
			at++;
		of[i].companion = at < n && strcmp(files[at]->name, of[i].name) == 0 ? at + 1
										     : ++next;
	}
	return next;
}

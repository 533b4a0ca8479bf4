/* Sets: copying what outlives files, and putting it in order. */
#include "engine/file_set.h"

#include <string.h>

#include "core/ending.h"
#include "core/order.h"
#include "core/path.h"
#include "engine/report_build.h"

void file_set_init(struct file_set *s, struct engine *e)
{
	*s = (struct file_set){ .engine = e };
	arena_init(&s->arena, e->allocator, e->limits.of[LIMIT_memory]);
	s->arena.chunk_len = e->chunk_len;
}

void file_set_free(struct file_set *s)
{
	arena_free(&s->arena);
	*s = (struct file_set){ .engine = s->engine };
}

/* ---- Adding ---------------------------------------------------------------------------------- */

static const char *copy_name(struct arena *arena, const char *name)
{
	const size_t size = strlen(name) + 1;
	char *copy = arena_alloc(arena, size, 1);

	if (copy)
		memcpy(copy, name, size);
	return copy;
}

/* What is behind the arrow of a member that is installed under another name. */
static const char *installed_as(const char *own)
{
	static const char arrow[] = " -> ";
	const char *at = strstr(own, arrow);

	return at ? at + sizeof arrow - 1 : own;
}

/* What came out of a download lies where the download does. */
static void find_folder(struct set_file *f, const struct summary *s)
{
	const char *inner = installed_as(s->own_path);
	const size_t outer = (size_t)(s->own_path - s->path);

	f->outer_len = (uint32_t)(outer > 0 ? outer - 1 : 0);
	f->last_at = (uint32_t)((size_t)(inner - s->path) + folder_len(inner));
	f->stem_len = (uint32_t)path_stem(text_from(s->path + f->last_at)).ref.n_units;
	f->folder_len = f->last_at;
	if (s->is_download && outer > 0)
		f->folder_len = (uint32_t)folder_len_of(s->path, outer - 1);
}

static bool copy_file(struct arena *arena, struct set_file *f, const struct summary *s)
{
	*f = (struct set_file){
		.name = copy_name(arena, s->path),
		.is_download = s->is_download,
		.is_library = s->is_library,
		.gaps = s->gaps,
		.format = s->format,
		.size = s->size,
		.version = s->version,
		.licensee = s->licensee,
		.identity = s->identity,
		.container = s->container,
		.header = s->header,
		.is_container = s->is_container,
		.has_crc = s->digest == SUMMARY_CRC32,
		.crc = s->crc,
	};
	memcpy(f->guid, s->guid, sizeof f->guid);
	find_folder(f, s);
	if (s->package)
		f->package = summary_package_copy(arena, s->package);
	if (s->lines)
		f->lines = summary_lines_copy(arena, s->lines);
	return f->name && (f->package || !s->package) && (f->lines || !s->lines);
}

static bool make_room(struct file_set *s)
{
	const uint64_t max = s->max > 0 ? 2 * s->max : 64;
	struct set_file **files;

	if (s->n < s->max)
		return true;
	files = arena_alloc(&s->arena, max, sizeof *files);
	if (!files)
		return false;
	if (s->n > 0)
		memcpy(files, s->files, (size_t)s->n * sizeof *files);
	arena_outgrow(&s->arena, s->files, s->max * sizeof *files);
	s->files = files;
	s->max = max;
	return true;
}

static void add_file(struct file_set *s, const struct summary *summary, enum set_role role)
{
	const bool has_room = make_room(s);
	const struct arena_mark before = arena_mark(&s->arena);
	struct set_file *f = has_room ? arena_alloc(&s->arena, 1, sizeof *f) : NULL;

	if (!f || !copy_file(&s->arena, f, summary)) {
		arena_rewind(&s->arena, before);
		s->n_lost++;
		return;
	}
	f->role = role;
	s->files[s->n++] = f;
}

/* Whether a file that is no package may have some in it, or be one, that nobody saw. */
static bool is_unseen(const struct report *r)
{
	const struct text extension = path_extension(path_last(text_from(r->own_name)));

	if (r->n_unjudged == 0 || (r->format && r->format->in_sets))
		return false;
	if (r->format)
		return r->format->nested != NULL;
	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->in_sets && (format_has_extension(formats[i], extension) ||
					    format_shares(formats[i], extension)))
			return true;
	return false;
}

void file_set_add(struct file_set *s, const struct report *r, enum set_role role)
{
	s->has_game = s->has_game || role == SET_GAME;
	s->below_root = s->below_root || r->below_root;
	for (const struct report *in = r; in; in = report_next(r, in))
		s->n_unseen += is_unseen(in);
	if (!r->kept)
		return;
	for (const struct summary *f = r->kept->first; f; f = f->next)
		add_file(s, f, role);
	s->n_lost += r->kept->n_lost;
}

void file_set_list(struct file_set *s, const char *name, size_t folder_len,
		   const struct source_io *io)
{
	const enum upload upload = s->engine->upload;

	if (upload != UPLOAD_ANY &&
	    !file_listing_add(&s->listing, &s->arena, upload, name, folder_len, io))
		s->n_lost++;
}

/* ---- Order ----------------------------------------------------------------------------------- */

static uint64_t role_key(const void *table, uint32_t i)
{
	const struct set_file *const *files = table;

	return files[i]->role;
}

static int compare_bytes(const void *a, size_t n_a, const void *b, size_t n_b)
{
	const size_t n = n_a < n_b ? n_a : n_b;
	const int result = n > 0 ? memcmp(a, b, n) : 0;

	return result != 0 ? result : order_numbers(n_a, n_b);
}

#define COMPARE_ROWS(a, b, rows) \
	compare_bytes((a)->rows, (a)->n_##rows * sizeof *(a)->rows, (b)->rows, \
		      (b)->n_##rows * sizeof *(b)->rows)

static uint32_t n_texts(const struct summary_package *p)
{
	return p->n_names > 0 ? p->ends[p->n_names - 1] : 0;
}

static int compare_packages(const struct summary_package *a, const struct summary_package *b)
{
	int result = order_numbers(a->rows_hash, b->rows_hash);

	if (result == 0)
		result = COMPARE_ROWS(a, b, imports);
	if (result == 0)
		result = COMPARE_ROWS(a, b, exports);
	if (result == 0)
		result = COMPARE_ROWS(a, b, generations);
	if (result == 0)
		result = order_numbers(a->flags, b->flags);
	return result != 0 ? result : compare_bytes(a->texts, n_texts(a), b->texts, n_texts(b));
}

static int compare_lines(const struct summary_lines *a, const struct summary_lines *b)
{
	int result = order_numbers(a->n, b->n);

	for (uint32_t i = 0; i < a->n && result == 0; i++)
		result = order_numbers(a->rows[i].at, b->rows[i].at);
	for (uint32_t i = 0; i < a->n && result == 0; i++)
		result = order_numbers((uint64_t)a->rows[i].section << 32 | a->rows[i].value,
				       (uint64_t)b->rows[i].section << 32 | b->rows[i].value);
	return result != 0 ? result : compare_bytes(a->texts, a->n_texts, b->texts, b->n_texts);
}

/* Of files with one name, which hosts may give, it must not count which came first. */
static int compare_contents(const struct set_file *a, const struct set_file *b)
{
	const uint64_t kinds[] = {
		(uint64_t)(a->package != NULL) << 1 | (a->lines != NULL),
		(uint64_t)(b->package != NULL) << 1 | (b->lines != NULL),
	};
	int result = order_numbers(a->size, b->size);

	if (result == 0)
		result = order_numbers(a->gaps, b->gaps);
	if (result == 0)
		result = order_numbers(a->version << 32 | a->licensee,
				       b->version << 32 | b->licensee);
	if (result == 0)
		result = memcmp(a->guid, b->guid, sizeof a->guid);
	if (result == 0)
		result = order_numbers(a->crc, b->crc);
	if (result == 0)
		result = order_numbers(kinds[0], kinds[1]);
	if (result == 0 && a->package && b->package)
		result = compare_packages(a->package, b->package);
	return result == 0 && a->lines && b->lines ? compare_lines(a->lines, b->lines) : result;
}

static int compare_files(const void *table, uint32_t a, uint32_t b)
{
	const struct set_file *const *files = table;
	const int result = strcmp(files[a]->name, files[b]->name);

	return result != 0 ? result : compare_contents(files[a], files[b]);
}

static bool is_again(const struct set_file *a, const struct set_file *b)
{
	return a->role == b->role && strcmp(a->name, b->name) == 0;
}

/* The longest folder that the folders of n files begin with. */
static uint32_t common_folder(const struct set_file *const *files, uint32_t n)
{
	const char *first = files[0]->name;
	uint32_t len = files[0]->folder_len;

	for (uint32_t i = 1; i < n; i++) {
		const struct set_file *f = files[i];
		uint32_t same = 0;

		while (same < len && same < f->folder_len && f->name[same] == first[same])
			same++;
		len = same;
	}
	while (len > 0 && !strchr("/\\!", first[len - 1]))
		len--;
	return len;
}

static void cut_names(struct set_file **files, uint32_t n)
{
	const uint32_t len = n > 0 ? common_folder((const struct set_file *const *)files, n) : 0;

	for (uint32_t i = 0; i < n; i++)
		files[i]->shown_at = len;
}

/* Of a folder that is to be uploaded, that is the folder. */
static bool settle_listing(struct file_set *s, struct set_file **sorted)
{
	struct set_files *out = &s->settled;
	const uint32_t len = (uint32_t)s->listing.folder_len;

	if (!file_listing_settle(&s->listing, &s->arena))
		return false;
	if (s->listing.n_sorted == 0)
		return true;
	for (uint32_t i = 0; i < out->n_given; i++)
		sorted[i]->shown_at = sorted[i]->folder_len < len ? 0 : len;
	out->listed = s->listing.sorted;
	out->n_listed = s->listing.n_sorted;
	out->listed_at = len;
	return true;
}

/* The set is called after the folder, or, where there is none, after the working folder. */
static bool name_set(struct file_set *s)
{
	const struct set_file *first = s->settled.n_given > 0 ? s->settled.files[0] : NULL;
	const char *of = s->settled.n_listed > 0 ? s->settled.listed[0].name
			 : first                 ? first->name
						 : NULL;
	const uint32_t len = s->settled.n_listed > 0 ? s->settled.listed_at
			     : first                 ? first->shown_at
						     : 0;
	char *name;

	s->name = ".";
	if (len == 0)
		return true;
	name = arena_alloc(&s->arena, (uint64_t)len + 1, 1);
	if (!name)
		return false;
	memcpy(name, of, len);
	name[len] = '\0';
	s->name = name;
	return true;
}

/* A file of the game that was given as well is judged, and is no other file. */
static bool is_given_too(const struct set_file *f, const struct set_file *const *sorted,
			 uint32_t n_given, uint32_t *at)
{
	if (f->role != SET_GAME)
		return false;
	while (*at < n_given && strcmp(sorted[*at]->name, f->name) < 0)
		++*at;
	return *at < n_given && strcmp(sorted[*at]->name, f->name) == 0;
}

/* Keeps each file once. */
static void take_sorted(struct file_set *s, const struct order *order, struct set_file **sorted)
{
	struct set_files *out = &s->settled;
	uint32_t at = 0;

	out->files = (const struct set_file *const *)sorted;
	for (uint32_t i = 0; i < s->n; i++) {
		struct set_file *f = s->files[order_row(order, i)];

		if ((out->n > 0 && is_again(sorted[out->n - 1], f)) ||
		    is_given_too(f, out->files, out->n_given, &at))
			continue;
		sorted[out->n++] = f;
		out->n_given += f->role == SET_GIVEN;
	}
	out->n_lost = s->n_lost;
	out->n_unseen = s->n_unseen;
	out->has_game = s->has_game;
}

static bool settle(struct file_set *s)
{
	struct set_file **sorted;
	struct order order;

	if (s->n >= SET_GAME_ROOT ||
	    !order_by_hash(&s->arena, s->files, (uint32_t)s->n, role_key, compare_files, &order))
		return false;
	sorted = arena_alloc(&s->arena, s->n, sizeof *sorted);
	if (!sorted)
		return false;
	take_sorted(s, &order, sorted);
	if (!set_files_number_roots(&s->arena, sorted, s->settled.n))
		return false;
	cut_names(sorted, s->settled.n_given);
	cut_names(sorted + s->settled.n_given, s->settled.n - s->settled.n_given);
	return settle_listing(s, sorted) && name_set(s);
}

/* Where memory does not suffice for the order, all files are lost. */
void file_set_settle(struct file_set *s)
{
	if (settle(s))
		return;
	s->n_lost += s->n;
	s->settled = (struct set_files){ .n_lost = s->n_lost, .has_game = s->has_game };
	s->name = ".";
}

static uint64_t root_key(const void *table, uint32_t i)
{
	const struct set_file *const *files = table;

	return files[i]->root;
}

/* Whether the files from <= place < to of an order are several containers, or a package and
 * something that it may have to do with. */
static bool is_company(const struct set_files *all, const struct order *order, uint32_t from,
		       uint32_t to)
{
	uint32_t n = 0, n_containers = 0;

	for (uint32_t i = from; i < to; i++) {
		n += all->files[order_row(order, i)]->format != NULL;
		n_containers += all->files[order_row(order, i)]->is_container;
	}
	n -= n_containers;
	return n_containers > 1 || (n > 0 && (to - from - n_containers > 1 || all->has_game));
}

/* Files of one root follow one another. */
static bool has_company(struct file_set *s)
{
	const struct set_files *all = &s->settled;
	struct order order;
	uint32_t from = 0;

	if (!order_by_key(&s->arena, all->files, all->n_given, root_key, &order))
		return true;
	for (uint32_t i = 1; i <= all->n_given; i++) {
		if (i < all->n_given && root_key(all->files, order_row(&order, from)) ==
						root_key(all->files, order_row(&order, i)))
			continue;
		if (is_company(all, &order, from, i))
			return true;
		from = i;
	}
	return false;
}

bool file_set_is_worth_a_report(struct file_set *s)
{
	return s->n_lost > 0 || s->settled.n_listed > 0 || has_company(s);
}

/* ---- Judging --------------------------------------------------------------------------------- */

static bool name_companion(struct report *r, struct report_companion *out, const char *name,
			   uint64_t size)
{
	*out = (struct report_companion){ .name = copy_name(r->arena, name),
					  .state = COMPANION_OPEN,
					  .size = size };
	return out->name != NULL;
}

/* The files that were given, and those of a folder that is to be uploaded, are the companions of
 * the report, by which findings name them. They are called by what follows the set's own name. */
static bool list_files(struct report *r, struct file_set *s)
{
	const struct set_files *all = &s->settled;
	const uint32_t n = file_listing_number(&s->listing, all->files, all->n_given);
	struct report_companion *list = arena_alloc(r->arena, n, sizeof *list);

	for (uint32_t i = 0; list && i < all->n_given; i++)
		if (!name_companion(r, &list[i], all->files[i]->name + all->files[i]->shown_at,
				    all->files[i]->size))
			return false;
	for (uint32_t i = 0; list && i < all->n_listed; i++) {
		const struct set_listed *f = &all->listed[i];

		if (f->companion > all->n_given &&
		    !name_companion(r, &list[f->companion - 1], f->name + all->listed_at, f->size))
			return false;
	}
	r->companions = list;
	r->n_companions = list ? n : 0;
	return list != NULL;
}

struct report *file_set_check(struct file_set *s, const struct check_input *in)
{
	const struct check_input input = {
		.memory = (const uint8_t *)"",
		.name = s->name,
		.cancel = in->cancel,
		.timeout = in->timeout,
		.held = s->arena.held,
		.set = &s->settled,
	};
	struct report *r = report_new(s->engine, &input);

	if (!r)
		return NULL;
	r->name = r->own_name = copy_name(r->arena, s->name);
	r->below_root = s->below_root;
	if (r->name && list_files(r, s) && engine_check_into(s->engine, r, &input))
		return r;
	report_free(r);
	return NULL;
}

/* ---- Imports --------------------------------------------------------------------------------- */

static enum map_result result_of(const struct decode *d)
{
	enum map_result result = work_ended(&d->work) ? MAP_CUT : MAP_OK;

	for (size_t g = 0; g < GROUPS_MAX; g++)
		if (d->groups[g].why == STOP_MEMORY)
			return MAP_NO_MEMORY;
		else if (d->groups[g].why == STOP_LIMIT)
			result = MAP_CUT;
	return result;
}

enum map_result file_set_imports(struct file_set *s, const struct check_input *in,
				 set_import_sink *sink, void *ctx)
{
	struct set_files set = s->settled;
	const struct interrupt interrupt = engine_interrupt(s->engine, in);
	enum map_result result = MAP_NO_MEMORY;
	struct source source;
	struct arena arena;
	struct decode *d;

	set.on_import = sink;
	set.on_import_ctx = ctx;
	arena_init(&arena, s->engine->allocator, s->engine->limits.of[LIMIT_memory]);
	arena.chunk_len = s->engine->chunk_len;
	arena.interrupt = &interrupt;
	source_init_memory(&source, (const uint8_t *)"", 0, s->name, &arena);
	d = arena_alloc(&arena, 1, sizeof *d);
	if (d) {
		*d = engine_decode(s->engine, &source, &arena, &interrupt);
		d->set = &set;
		if (formats[format_sniff(d)]->decode(d))
			result = result_of(d);
	}
	arena_free(&arena);
	return result;
}

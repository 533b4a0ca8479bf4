/* Conflicts: the passes over all files, and what is kept of their claims. */
#include "cli/conflicts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/claimants.h"
#include "cli/engines.h"
#include "cli/grow.h"
#include "cli/message.h"
#include "cli/mount.h"
#include "cli/sort.h"
#include "core/ending.h"

static const char *const archives[] = { ".utoc", ".pak" };
static const char *const parts[] = { ".ucas", ".sig" };

static bool ends_in(const char *path, const char *const endings[2])
{
	return ending_is(path, endings[0]) || ending_is(path, endings[1]);
}

/* ---- Claims ---------------------------------------------------------------------------------- */

UVET_WRAPS static uint64_t mix(uint64_t h)
{
	h = (h ^ h >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
	h = (h ^ h >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
	return h ^ h >> 33;
}

UVET_WRAPS static uint64_t key_of(uvet_claim kind, const unsigned char *bytes, size_t len)
{
	uint64_t h = UINT64_C(0xCBF29CE484222325) + (uint64_t)kind;

	for (size_t i = 0; i < len; i++)
		h = (h ^ conflicts_fold(kind, bytes[i])) * UINT64_C(0x100000001B3);
	return mix(h);
}

static uint64_t part_of(uint64_t key)
{
	return key / (UINT64_MAX / CONFLICT_PARTS + 1);
}

/* Keeps a claim by its hash, or, once there is no room for more, counts it. */
static bool keep_row(struct conflicts *c, struct claim_row row)
{
	struct claim_row *rows;

	c->n_of_part[part_of(row.key)]++;
	if (c->overflows || c->n_rows == c->max_rows) {
		c->overflows = true;
		return true;
	}
	rows = grow(c->rows, &c->room_rows, c->n_rows + 1, sizeof *rows);
	if (!rows)
		return false;
	c->rows = rows;
	rows[c->n_rows++] = row;
	return true;
}

/* Whether several sets have a hash: those are sorted. */
static bool is_shared(const struct conflicts *c, uint64_t key, uint32_t kind)
{
	size_t from = 0, to = c->n_rows;

	while (from < to) {
		const size_t middle = from + (to - from) / 2;
		const struct claim_row *r = &c->rows[middle];

		if (r->key == key && r->kind == kind)
			return true;
		if (r->key < key || (r->key == key && r->kind < kind))
			from = middle + 1;
		else
			to = middle;
	}
	return false;
}

/* Keeps a claim with what it says. */
static bool keep_text(struct conflicts *c, struct claim_text t, const unsigned char *bytes)
{
	struct claim_text *texts;
	char *text;

	if (c->text_len + t.len + (c->n_texts + 1) * (sizeof t + SORT_ROOM) > c->max_text) {
		c->cut = true;
		return true;
	}
	texts = grow(c->texts, &c->room_texts, c->n_texts + 1, sizeof t);
	if (!texts)
		return false;
	c->texts = texts;
	text = grow(c->text, &c->room_text, c->text_len + t.len, 1);
	if (!text)
		return false;
	c->text = text;
	t.at = c->text_len;
	memcpy(text + t.at, bytes, t.len);
	c->text_len += t.len;
	texts[c->n_texts++] = t;
	return true;
}

static int take_claim(void *ctx, uvet_claim kind, const void *bytes, size_t len)
{
	struct conflicts *c = ctx;
	const uint64_t key = key_of(kind, bytes, len);
	const uint32_t file = (uint32_t)c->file;
	bool is_kept = true;

	if (part_of(key) < c->first_part || part_of(key) >= c->end_part)
		return 0;
	if (!c->is_second)
		is_kept = keep_row(c, (struct claim_row){ key, file, kind });
	else if (is_shared(c, key, kind))
		is_kept = keep_text(
			c, (struct claim_text){ .len = (uint32_t)len, .file = file, .kind = kind },
			bytes);
	c->no_memory = c->no_memory || !is_kept;
	return is_kept ? 0 : 1;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* A container without a .pak is one that no game looks for, but for the global one. */
static bool is_found(const char *path, size_t stem)
{
	char *pak;
	bool is_there;

	if (!ending_is(path, ".utoc") || mount_order(path) == 0)
		return true;
	pak = malloc(stem + sizeof ".pak");
	if (!pak)
		return true;
	memcpy(pak, path, stem);
	memcpy(pak + stem, ".pak", sizeof ".pak");
	is_there = !input_is_absent(pak);
	free(pak);
	return is_there;
}

static bool add_file(struct conflicts *c, const char *path, uint8_t gaps)
{
	const size_t len = strlen(path) + 1, stem = mount_stem(path);
	struct conflict_file *files = c->n_files < UINT32_MAX ? grow(c->files, &c->max_files,
								     c->n_files + 1, sizeof *files)
							      : NULL;
	char *paths;

	if (!files)
		return false;
	c->files = files;
	paths = grow(c->paths, &c->max_paths, c->paths_len + len, 1);
	if (!paths)
		return false;
	c->paths = paths;
	memcpy(paths + c->paths_len, path, len);
	files[c->n_files++] = (struct conflict_file){
		.path = c->paths_len,
		.stem = (uint32_t)stem,
		.gaps = gaps,
		.is_loose = !ends_in(path, archives),
		.is_found = is_found(path, stem),
		.order = mount_order(path),
	};
	c->paths_len += len;
	return true;
}

bool conflicts_same_set(const struct conflicts *c, uint32_t a, uint32_t b)
{
	const struct conflict_file *x = &c->files[a], *y = &c->files[b];

	return a == b || (x->stem == y->stem &&
			  memcmp(conflicts_path(c, a), conflicts_path(c, b), x->stem) == 0);
}

static void ask_loose(struct conflicts *c, const char *path)
{
	const char *known = mount_loose(path);
	const size_t len = known ? strlen(known) : 0;
	static const char up[] = "../../../";
	char *whole = malloc(sizeof up + len);

	if (!whole) {
		c->no_memory = true;
		return;
	}
	memcpy(whole, up, sizeof up - 1);
	memcpy(whole + sizeof up - 1, known ? known : "", len);
	if (known)
		(void)take_claim(c, UVET_CLAIM_PATH, whole, sizeof up - 1 + len);
	free(whole);
}

/* Asks an archive what it claims, and notes why that may not be all. */
static void ask_archive(struct conflicts *c, struct input *in)
{
	struct conflict_file *f = &c->files[c->file];
	struct input_reader reader;
	unsigned gaps = 0;
	const uvet_status status = uvet_claims_io(c->engine, in->path, input_io(in, NULL, &reader),
						  NULL, take_claim, c, &gaps);

	f->gaps |= (uint8_t)gaps;
	if (status == UVET_UNREADABLE)
		f->gaps |= FILE_CLOSED;
	else if (status == UVET_UNKNOWN_FORMAT)
		f->gaps |= FILE_OTHER;
	else if (status != UVET_OK) /* memory too: the file is too large for it */
		f->gaps |= FILE_CUT;
}

/* The files come again in the same order, if nobody changed the folders meanwhile. */
static bool know_file(struct conflicts *c, const char *path, uint8_t gaps)
{
	c->file = c->next_file++;
	if (c->file == c->n_files && !add_file(c, path, gaps))
		return false;
	if (strcmp(conflicts_path(c, c->file), path) != 0)
		c->files[c->file].gaps |= FILE_CHANGED;
	return true;
}

static void ask(struct conflicts *c, struct input *in)
{
	const struct conflict_file *f = &c->files[c->file];

	if ((f->gaps & FILE_CHANGED) != 0 || (c->is_second && !f->is_wanted))
		return;
	if (f->is_loose && in->kind == INPUT_WALKED)
		ask_loose(c, in->path);
	else
		ask_archive(c, in);
}

/* ---- The walk -------------------------------------------------------------------------------- */

/* Whether a file in a folder is one that may claim something. */
static bool is_asked(const struct conflicts *c, const char *root, const char *path)
{
	const struct settings *s = c->settings;
	const char *below = path + strlen(root);

	below += *below == '/';
	if (globs_match(&s->exclude, below) ||
	    (s->include.n > 0 && !globs_match(&s->include, below)))
		return false;
	return ends_in(path, archives) || (!ends_in(path, parts) && mount_loose(path));
}

static bool take_found(struct conflicts *c, const char *root, enum walk_result result,
		       struct platform_file *file)
{
	struct input in = { .kind = INPUT_WALKED, .path = c->walk.path, .file = *file };
	const bool is_open = result == WALK_FILE;
	const uint8_t gaps = is_open ? 0 : result == WALK_LINK ? FILE_LINK : FILE_CLOSED;
	const bool is_meant = result == WALK_CLOSED || result == WALK_CROWDED ||
			      is_asked(c, root, c->walk.path);
	const bool is_known = !is_meant || know_file(c, c->walk.path, gaps);

	if (is_meant && is_known && is_open)
		ask(c, &in);
	if (is_open)
		input_discard(&in);
	return is_known;
}

/* Whether there are as many files as the user allows. */
static bool is_full(const struct conflicts *c)
{
	return c->settings->max_files > 0 && c->next_file > c->settings->max_files;
}

static bool go_through_folder(struct conflicts *c, const char *root)
{
	struct platform_file file = { 0 };
	enum walk_result result;

	do
		result = walk_next(&c->walk, &file);
	while (result != WALK_END && result != WALK_NO_MEMORY && !c->no_memory && !is_full(c) &&
	       take_found(c, root, result, &file));
	walk_stop(&c->walk);
	c->cut = c->cut || is_full(c);
	return result == WALK_END || is_full(c);
}

static bool take_named(struct conflicts *c, const char *path)
{
	struct input in = { .kind = INPUT_OPENED, .path = path };
	const bool is_open = platform_file_open(path, &in.file);

	if (!know_file(c, path, is_open ? 0 : FILE_CLOSED)) {
		if (is_open)
			input_discard(&in);
		return false;
	}
	if (!is_open)
		return true;
	ask(c, &in);
	input_discard(&in);
	return true;
}

/* One pass over everything. */
static bool go_through(struct conflicts *c)
{
	bool is_fine = true;

	c->next_file = 0;
	c->walk.crosses = c->settings->other_file_systems;
	for (int i = 0; i < c->settings->n_operands && is_fine; i++) {
		const char *path = c->settings->operands[i];
		const enum walk_result result = walk_begin(&c->walk, path);

		if (result == WALK_NO_MEMORY)
			is_fine = false;
		else if (result == WALK_FILE)
			is_fine = go_through_folder(c, path);
		else
			is_fine = take_named(c, path);
	}
	return is_fine && !c->no_memory;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

static int compare_claims(const void *rows, uint32_t a, uint32_t b)
{
	const struct claim_row *x = (const struct claim_row *)rows + a,
			       *y = (const struct claim_row *)rows + b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

/* Notes the files of a run of claims with one hash. Whether they are of several sets. */
static bool note_run(struct conflicts *c, const uint32_t *order, size_t first, size_t end)
{
	const uint32_t file = c->rows[order[first]].file;
	bool is_shared = false;

	for (size_t i = first + 1; i < end && !is_shared; i++)
		is_shared = !conflicts_same_set(c, file, c->rows[order[i]].file);
	for (size_t i = first; i < end && is_shared; i++)
		c->files[c->rows[order[i]].file].is_wanted = true;
	return is_shared;
}

static size_t end_of_run(const struct conflicts *c, const uint32_t *order, size_t i)
{
	size_t end = i + 1;

	while (end < c->n_rows && compare_claims(c->rows, order[i], order[end]) == 0)
		end++;
	return end;
}

/* The claims that several sets have, each once, in their order. false: memory ended. */
static bool gather_shared(struct conflicts *c, const uint32_t *order, struct claim_row **shared,
			  size_t *n, size_t *room)
{
	struct claim_row *more;

	for (size_t i = 0, end; i < c->n_rows; i = end) {
		end = end_of_run(c, order, i);
		if (!note_run(c, order, i, end))
			continue;
		more = grow(*shared, room, *n + 1, sizeof *more);
		if (!more)
			return false;
		*shared = more;
		more[(*n)++] = c->rows[order[i]];
	}
	return true;
}

/* Leaves nothing else of the claims. */
static bool sort_out(struct conflicts *c)
{
	uint32_t *order = sort_rows(c->rows, (uint32_t)c->n_rows, compare_claims);
	struct claim_row *shared = NULL;
	size_t n = 0, room = 0;
	const bool is_fine = order && gather_shared(c, order, &shared, &n, &room);

	free(order);
	free(c->rows);
	c->rows = shared;
	c->n_rows = n;
	c->room_rows = room;
	return is_fine;
}

/* Chooses the next hashes that are kept together. Those of a part that are too many by themselves,
 * which chance does not make, are left out. */
static void next_round(struct conflicts *c)
{
	uint64_t n = 0;

	for (; c->end_part < CONFLICT_PARTS && c->n_of_part[c->end_part] > c->max_rows;
	     c->end_part++)
		c->cut = true;
	c->first_part = c->end_part;
	while (c->end_part < CONFLICT_PARTS && n + c->n_of_part[c->end_part] <= c->max_rows)
		n += c->n_of_part[c->end_part++];
}

static void clear_round(struct conflicts *c)
{
	c->n_rows = c->n_texts = c->text_len = 0;
	c->is_second = c->overflows = false;
	for (size_t i = 0; i < c->n_files; i++)
		c->files[i].is_wanted = false;
}

static bool collect(struct conflicts *c)
{
	clear_round(c);
	return go_through(c);
}

static bool finish_round(struct conflicts *c, const struct teller *to)
{
	if (!sort_out(c))
		return false;
	if (c->n_rows == 0)
		return true;
	c->is_second = true;
	return go_through(c) && claimants_tell(c, to);
}

/* The first pass keeps all hashes if it can, and counts them for when it cannot. */
static bool find(struct conflicts *c, const struct teller *to)
{
	uint64_t counted[CONFLICT_PARTS];
	bool is_fine;

	c->end_part = CONFLICT_PARTS;
	is_fine = collect(c);
	if (!is_fine || !c->overflows)
		return is_fine && finish_round(c, to);
	memcpy(counted, c->n_of_part, sizeof counted);
	for (c->end_part = 0; is_fine && c->end_part < CONFLICT_PARTS;) {
		memcpy(c->n_of_part, counted, sizeof counted);
		next_round(c);
		is_fine = collect(c) && finish_round(c, to);
	}
	return is_fine;
}

int conflicts_find(struct conflicts *c, const struct settings *settings, const struct teller *to)
{
	const uint64_t memory = settings_memory(settings);
	const uint64_t most = memory / 4 / (sizeof(struct claim_row) + SORT_ROOM);

	*c = (struct conflicts){ .settings = settings };
	c->max_rows = most < UINT32_MAX ? (size_t)most : UINT32_MAX - 1;
	c->max_text = memory / 4;
	settings_set_memory(settings, memory / 2);
	(void)uvet_options_set(settings->options, "level", "structure");
	if (uvet_engine_new(settings->options, &c->engine) == UVET_OK && find(c, to))
		return STATUS_DONE;
	message("out of memory");
	return STATUS_TROUBLE;
}

void conflicts_free(struct conflicts *c)
{
	uvet_engine_free(c->engine);
	walk_free(&c->walk);
	free(c->files);
	free(c->paths);
	free(c->rows);
	free(c->texts);
	free(c->text);
	*c = (struct conflicts){ .settings = NULL };
}

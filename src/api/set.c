/* The check of a set: named sources that belong to one upload. What a container asks for beside it
 * is served from the set, and parts of containers have no report of their own, as where the
 * command checks files (cli/parts.h). */
#include "api/api.h"

#include <string.h>

#include "core/ascii.h"
#include "core/container_parts.h"
#include "core/ending.h"
#include "core/mutant.h"
#include "core/order.h"
#include "core/name_list.h"

/* A set_name is a name and the folder that stands before it, with the separator. */
struct set_name {
	const char *folder;
	size_t folder_len;
	const char *last;
};

/* A set_row is one source. */
struct set_row {
	struct set_name name;
	bool is_part;
	bool is_claimed; /* a check asked for it, or it is the signatures beside a container */
};

/* The order is by folders, then by names without regard to the case of letters, then by names. */
struct set {
	uvet_engine *engine;
	const uvet_io *const *ios;
	uint32_t n;
	const uvet_hooks *hooks;
	uvet_report_callback *take;
	void *ctx;
	struct arena arena;
	struct set_row *rows;
	struct order order;
	char *part;      /* room for the name of signatures */
	uvet_set *whole; /* NULL: it is not judged as a whole */
};

/* The host of one check. */
struct set_host {
	struct set *set;
	const struct set_row *input;
};

/* ---- Finding by name ------------------------------------------------------------------------- */

/* What of two names is compared. */
enum compared { FOLDERS, LETTERS, NAMES };

static int compare_folders(const struct set_name *a, const struct set_name *b)
{
	const size_t n = a->folder_len < b->folder_len ? a->folder_len : b->folder_len;
	const int result = memcmp(a->folder, b->folder, n);

	return result != 0 ? result
			   : (a->folder_len > b->folder_len) - (a->folder_len < b->folder_len);
}

static int compare_letters(const char *a, const char *b)
{
	while (*a && ascii_lower(*a) == ascii_lower(*b)) {
		a++;
		b++;
	}
	return (unsigned char)ascii_lower(*a) - (unsigned char)ascii_lower(*b);
}

static int compare(const struct set_name *a, const struct set_name *b, enum compared what)
{
	int result = compare_folders(a, b);

	if (result == 0 && what != FOLDERS)
		result = compare_letters(a->last, b->last);
	return result == 0 && what == NAMES ? strcmp(a->last, b->last) : result;
}

static int compare_rows(const void *table, uint32_t a, uint32_t b)
{
	const struct set_row *rows = table;

	return compare(&rows[a].name, &rows[b].name, NAMES);
}

static uint64_t no_key(const void *table, uint32_t i)
{
	(void)table, (void)i;
	return 0;
}

static struct set_row *row_at(const struct set *s, uint32_t place)
{
	return &s->rows[order_row(&s->order, place)];
}

/* The first place in the order whose row does not stand before a name. */
static uint32_t first_place(const struct set *s, const struct set_name *name, enum compared what)
{
	uint32_t from = 0, to = s->n;

	while (from < to) {
		const uint32_t middle = from + (to - from) / 2;

		if (compare(&row_at(s, middle)->name, name, what) < 0)
			from = middle + 1 +
			       (uint32_t)MUTANT(267); /* mutant: a row is passed over */
		else
			to = middle;
	}
	return from;
}

/* The first row in the order that has a name; NULL: none has. */
static struct set_row *find_row(const struct set *s, const struct set_name *name,
				enum compared what)
{
	const uint32_t place = first_place(s, name, what);

	return place < s->n && compare(&row_at(s, place)->name, name, what) == 0 ? row_at(s, place)
										 : NULL;
}

static struct set_name name_beside(const struct set_row *input, const char *last)
{
	return (struct set_name){ input->name.folder, input->name.folder_len, last };
}

/* ---- Files beside an input ------------------------------------------------------------------- */

static enum companion_state open_beside(void *ctx, const char *name, void *room,
					struct source_io *out)
{
	const struct set_host *host = ctx;
	const struct set_name wanted = name_beside(host->input, name);
	const struct set_row *row = find_row(host->set, &wanted, NAMES);
	const uvet_io *theirs = row ? host->set->ios[row - host->set->rows] : NULL;
	/* that it can be read was seen before the first check */
	const bool is_read = theirs ? api_io_read(room, theirs) : false;

	if (theirs && ALWAYS(is_read)) {
		*out = api_source_of(room);
		return COMPANION_OPEN;
	}
	/* mutant: what cannot be opened is not there */
	return row && !MUTANT(266) ? COMPANION_UNREADABLE : COMPANION_ABSENT;
}

/* What the set has is its owner's, and stays open. */
static void close_beside(void *ctx, const struct source_io *io)
{
	(void)ctx, (void)io;
}

static enum companion_state find_beside(void *ctx, const char *name, char spelling[SPELLING_SIZE])
{
	const struct set_host *host = ctx;
	const struct set_name wanted = name_beside(host->input, name);
	const struct set_row *row = find_row(host->set, &wanted, LETTERS);
	const size_t size = row ? strlen(row->name.last) + 1 : 0;

	if (size == 0 || size > SPELLING_SIZE)
		return COMPANION_ABSENT;
	memcpy(spelling, row->name.last, size);
	return COMPANION_OPEN;
}

/* As in a folder, there is nothing to be found among too many names. */
enum { LISTED_MAX = 4096 };

static bool is_in(const struct set *s, uint32_t place, const struct set_name *folder)
{
	return place < s->n && compare_folders(&row_at(s, place)->name, folder) == 0;
}

static size_t list_beside(void *ctx, const char *ending, char names[][SPELLING_SIZE], size_t max)
{
	const struct set_host *host = ctx;
	const struct set *s = host->set;
	const struct set_name folder = name_beside(host->input, "");
	struct name_list list = { names, max, 0 };
	const uint32_t first = first_place(s, &folder, FOLDERS);

	if (s->n - first > LISTED_MAX && is_in(s, first + LISTED_MAX, &folder))
		return 0;
	for (uint32_t i = first; is_in(s, i, &folder); i++) {
		const char *last = row_at(s, i)->name.last;

		if (i > first && strcmp(last, row_at(s, i - 1)->name.last) == 0)
			continue;
		if (ending_is(last, ending))
			name_list_add(&list, last);
	}
	return list.n;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Notes that a source of that name belongs to a container, if there is one. */
static void claim(const struct set *s, const struct set_row *input, const char *last)
{
	const struct set_name name = name_beside(input, last);
	struct set_row *row = find_row(s, &name, NAMES);

	if (row)
		row->is_claimed = true;
}

/* No check opens signatures, which are those of the .pak. */
static void claim_signatures(const struct set *s, const struct set_row *container)
{
	const size_t stem = strlen(container->name.last) - strlen(PART_CONTAINER);

	memcpy(s->part, container->name.last, stem);
	memcpy(s->part + stem, PART_SIGNATURES, sizeof PART_SIGNATURES);
	claim(s, container, s->part);
}

static void claim_parts(const struct set *s, const struct set_row *input, const struct report *r)
{
	for (size_t i = 0; i < r->n_companions; i++)
		claim(s, input, r->companions[i].name);
	if (ending_is(input->name.last, PART_CONTAINER))
		claim_signatures(s, input);
}

/* ---- Checking -------------------------------------------------------------------------------- */

/* Checks one source and passes its report on. *goes_on becomes false if the host wants no more. */
static uvet_status check_row(struct set *s, uint32_t i, bool *goes_on)
{
	struct set_host host = { s, &s->rows[i] };
	struct siblings siblings = { open_beside, close_beside, find_beside, list_beside, &host };
	struct api_input input;
	const bool is_io = api_input_of_io(&input, s->rows[i].name.folder, s->ios[i]);
	uvet_report *report;
	uvet_status status;

	if (NEVER(!is_io)) /* are_sources looked at them all */
		return UVET_BAD_CALL;
	input.in.siblings = &siblings;
	input.in.held = s->arena.held;
	status = api_check(s->engine, &input.in, s->hooks, &report);
	if (status != UVET_OK)
		return status;
	claim_parts(s, &s->rows[i], api_report(report));
	if (s->whole)
		file_set_add(&s->whole->inner, api_report(report), SET_GIVEN);
	*goes_on = s->take(s->ctx, i, report) == 0;
	return UVET_OK;
}

/* Of what has no file system all names are those of one folder. */
static void list_all(struct set *s)
{
	uvet_io own;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct source_io io = s->ios[i] && api_io_read(&own, s->ios[i])
						    ? api_source_of(&own)
						    : (struct source_io){ .size = 0 };

		file_set_list(&s->whole->inner, s->rows[i].name.folder, 0, &io);
	}
}

static uvet_status check_whole(struct set *s)
{
	uvet_report *report;
	uvet_status status;

	list_all(s);
	status = uvet_set_check(s->whole, s->hooks, &report);

	if (status == UVET_OK && report)
		(void)s->take(s->ctx, s->n, report); /* nothing follows that it could end */
	return status;
}

/* Parts come last: by then it is known which of them belong to a container. */
static uvet_status check_rows(struct set *s)
{
	uvet_status status = UVET_OK;
	bool goes_on = true;

	for (uint32_t i = 0; i < s->n && goes_on && status == UVET_OK; i++)
		if (!s->rows[i].is_part ||
		    MUTANT(265)) /* mutant: parts are checked among the others */
			status = check_row(s, i, &goes_on);
	for (uint32_t i = 0; i < s->n && goes_on && status == UVET_OK; i++)
		/* mutant: all parts are checked */
		if (s->rows[i].is_part && (!s->rows[i].is_claimed || MUTANT(268)))
			status = check_row(s, i, &goes_on);
	return status == UVET_OK && goes_on && s->whole ? check_whole(s) : status;
}

/* A separator of any system ends a folder, because decoders take it so. */
static struct set_row row_of(const char *name)
{
	const size_t len = folder_len(name);

	return (struct set_row){ .name = { name, len, name + len },
				 .is_part = part_may_be(name + len) };
}

static bool open_set(struct set *s, const char *const *names)
{
	const struct engine *e = &s->engine->engine;
	size_t longest = 0;

	arena_init(&s->arena, e->allocator, e->limits.of[LIMIT_memory]);
	s->arena.chunk_len = e->chunk_len;
	s->rows = arena_alloc(&s->arena, s->n, sizeof *s->rows);
	for (uint32_t i = 0; s->rows && i < s->n; i++) {
		const size_t len = strlen(names[i]);

		s->rows[i] = row_of(names[i]);
		longest = len > longest ? len : longest;
	}
	if (!s->rows || !order_by_hash(&s->arena, s->rows, s->n, no_key, compare_rows, &s->order))
		return false;
	s->part = arena_alloc(&s->arena, (uint64_t)longest + 1, 1);
	return s->part != NULL;
}

static bool are_sources(const char *const *names, const uvet_io *const *ios, size_t n)
{
	uvet_io own;

	if (n > 0 && (!names || !ios))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!names[i] || (ios[i] && (!api_io_read(&own, ios[i]) || !own.read_at)))
			return false;
	return true;
}

uvet_status uvet_check_set(uvet_engine *engine, const char *const *names, const uvet_io *const *ios,
			   size_t n, const uvet_hooks *hooks, uvet_report_callback *take, void *ctx)
{
	struct set s = { .engine = engine, .ios = ios, .take = take, .ctx = ctx };
	uvet_status status = UVET_NO_MEMORY;
	uvet_hooks own;

	if (!engine || !take || n >= UINT32_MAX || !are_sources(names, ios, n) ||
	    !api_hooks_read(&own, hooks))
		return UVET_BAD_CALL;
	s.n = (uint32_t)n;
	s.hooks = &own;
	if (open_set(&s, names) &&
	    (!engine->engine.sets || uvet_set_new(engine, &s.whole) == UVET_OK))
		status = check_rows(&s);
	uvet_set_free(s.whole);
	arena_free(&s.arena);
	return status;
}

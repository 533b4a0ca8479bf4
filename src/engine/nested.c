/* Nested files: finding them, sharing memory and work among them, and the way through the tree. */
#include "engine/tree.h"

#include <string.h>

#include "core/canary.h"
#include "core/path.h"

/* ---- Memory --------------------------------------------------------------------------------------------------------------- */

/* An arena may hold what others leave it, and keeps what it has. */
static void set_budget(struct arena *a, uint64_t max, uint64_t others)
{
	a->budget = max > others ? max - others : 0;
	if (a->budget < a->held)
		a->budget = a->held;
}

/* The report of the input itself has room of its own, so that it can say that there was none for the rest. */
void nested_share(struct session *s)
{
	struct arena *reports = &s->tree->root->arena;
	uint64_t max = s->tree->engine->limits.of[LIMIT_memory], own = s->tree->reports_own;
	uint64_t whole = max > UINT64_MAX - own ? UINT64_MAX : max + own;

	set_budget(&s->arena, max, s->beneath + (reports->held - own));
	set_budget(reports, whole, s->beneath + s->arena.held);
}

/* ---- Names ---------------------------------------------------------------------------------------------------------------- */

/* Of a longer name the end is kept, because that is what tells a file's kind. */
enum { MEMBER_NAME_MAX = 260 };

/* A NUL would end the name, and no system has a name with a question mark. */
static size_t write_name(struct text t, uint8_t *out)
{
	bool whole;
	size_t n = text_utf8(t, MEMBER_NAME_MAX, out, &whole);

	for (size_t i = 0; i < n; i++)
		if (out[i] == '\0')
			out[i] = '?';
	return n;
}

/* A shown is a name as it is written, or its end. */
struct shown {
	struct text text;
	size_t n_cut;                   /* bytes of the mark before an end */
};

static const char cut_mark[] = "...", alias_mark[] = " -> ", download_mark[] = ".uz";

static struct shown show(struct text name)
{
	if (name.ref.n_units <= MEMBER_NAME_MAX)
		return (struct shown){ name, 0 };
	return (struct shown){ text_sub(name, name.ref.n_units - MEMBER_NAME_MAX, MEMBER_NAME_MAX), sizeof cut_mark - 1 };
}

static size_t shown_len(const struct shown *s)
{
	return s->n_cut + text_utf8_len(s->text);
}

static char *write_shown(const struct shown *s, char *out)
{
	memcpy(out, cut_mark, s->n_cut);
	out += s->n_cut;
	return out + write_name(s->text, (uint8_t *)out);
}

/* Writes parent!member, or parent!member -> name. */
static bool name_file(struct session *s, const struct nested *n, struct nested_file *f)
{
	struct shown own = show(n->name), alias = show(n->installed_as);
	size_t before = strlen(s->report->name), mark = n->installed_as.ref.n_units > 0 ? sizeof alias_mark - 1 : 0;
	const size_t behind = n->unpacks ? sizeof download_mark - 1 : 0;
	char *out = arena_alloc(&s->tree->root->arena, before + 1 + shown_len(&own) + mark + shown_len(&alias) + behind + 1, 1);

	if (!out)
		return false;
	memcpy(out, s->report->name, before);
	out += before;
	*out++ = '!';
	f->own_name = out;
	f->alias_at = 0;
	out = write_shown(&own, out);
	if (mark > 0) {
		memcpy(out, alias_mark, mark);
		out += mark;
		f->alias_at = (size_t)(out - f->own_name);
		out = write_shown(&alias, out);
		memcpy(out, download_mark, behind);
		out += behind;
	}
	*out = '\0';
	return true;
}

/* ---- Finding -------------------------------------------------------------------------------------------------------------- */

static bool reach(struct session *s, enum limit limit)
{
	s->run.reached[limit] = limit != LIMIT_depth || !CANARY(30);    /* canary: too deep is silence */
	return false;
}

static bool keep_file(struct session *s, const struct nested *n)
{
	struct nested_file *f;

	nested_share(s);
	f = arena_alloc(&s->tree->root->arena, 1, sizeof *f);
	if (!f || !name_file(s, n, f)) {
		s->run.no_memory = true;
		return false;
	}
	f->next = NULL;
	f->span = n->span;
	f->bytes = n->bytes;
	*s->files_end = f;
	s->files_end = &f->next;
	s->n_files++;
	s->tree->n_files++;
	return true;
}

/* A name says whether a file is worth a look; where its bytes are at hand, they may too. */
static bool take_file(void *ctx, const struct nested *n)
{
	struct session *s = ctx;
	const struct limits *limits = &s->tree->engine->limits;

	if (!n->bytes && !format_promised(text_word8(path_extension(n->installed_as.ref.n_units > 0 ? n->installed_as : n->name))))
		return true;
	if (NEVER(!n->bytes && (span_end(n->span) > s->report->size || n->span.len > s->report->size)))
		return reach(s, LIMIT_nested);                          /* formats pass what is there */
	if (s->depth >= limits->of[LIMIT_depth])
		return reach(s, LIMIT_depth);
	if (s->tree->n_files >= limits->of[LIMIT_nested])
		return reach(s, LIMIT_nested);
	return keep_file(s, n);
}

/* Nothing of the facts is needed any more but bytes that nested files lie in. */
static void release_facts(struct session *s)
{
	for (const struct nested_file *f = s->files; f; f = f->next)
		if (f->bytes)
			return;
	if (!source_forget(&s->source))
		return;
	session_leave(s);
	s->facts = NULL;
	arena_free(&s->arena);
}

void nested_find(struct session *s)
{
	struct report *r = s->report;

	if (!s->facts || !s->format->nested || s->tree->alone)
		return;
	if (s->depth == 0)
		s->tree->reports_own = r->arena.held;
	s->format->nested(s->facts, &s->decode, take_file, s);
	s->tree->work = s->decode.work;
	s->run.reached[LIMIT_work] = s->tree->work.exhausted;
	if (s->n_files == 0)
		return;
	r->nested = arena_alloc(&s->tree->root->arena, s->n_files, sizeof(*r->nested));
	if (!r->nested) {
		s->run.no_memory = true;
		s->files = NULL;
	}
	release_facts(s);
}

/* ---- The way through the tree --------------------------------------------------------------------------------------------- */

/* What nested files cost in advance, so that a few bytes that lie in many of them are not looked at for ever: one unit of work for so
 * many bytes. */
enum { BYTES_PER_UNIT = 32 };

static bool can_pay(struct session *s, const struct nested_file *f)
{
	struct work *w = &s->tree->work;

	if (work_spend(w, 1 + f->span.len / BYTES_PER_UNIT))
		return true;
	s->run.reached[LIMIT_work] = w->exhausted;
	return false;
}

static struct session *room_inside(struct session *s)
{
	if (!s->inner) {
		s->inner = arena_alloc(&s->tree->root->arena, 1, sizeof *s->inner);
		if (s->inner)
			s->inner->inner = NULL;
	}
	return s->inner;
}

/* Begins the check of a file; NULL if there is no memory for it. */
static struct session *open_file(struct session *s, const struct nested_file *f)
{
	struct session *inner;
	struct report *r;

	nested_share(s);
	inner = room_inside(s);
	if (!inner)
		return NULL;
	inner->before = arena_mark(&s->tree->root->arena);
	r = report_new_nested(s->tree, s->report, f);
	if (!r)
		return NULL;
	session_open_nested(inner, s, r, f);
	return inner;
}

static void keep_report(struct session *s, struct report *r)
{
	r->place = s->report->n_nested;
	r->number = ++s->tree->n_reports;
	s->report->nested[s->report->n_nested++] = r;
}

/* A file of no format leaves no trace. */
static void forget_file(struct session *s)
{
	s->tree->work = s->decode.work;
	session_discard(s);
	arena_rewind(&s->tree->root->arena, s->before);
}

/* The session's own report tells what work or memory were not left for. */
static struct session *leave_the_rest(struct session *s)
{
	s->files = NULL;
	return NULL;
}

/* Checks the next of the files in a session's, but not what lies in it; NULL: there is none. */
static struct session *check_next(struct session *s)
{
	while (s->files) {
		const struct nested_file *f = s->files;
		struct session *inner;

		if (!can_pay(s, f))
			return leave_the_rest(s);
		inner = open_file(s, f);
		if (!inner) {
			s->run.no_memory = true;
			return leave_the_rest(s);
		}
		s->files = f->next;
		if (session_decode(inner)) {
			keep_report(s, inner->report);
			session_judge(inner);
			nested_find(inner);
			return inner;
		}
		forget_file(inner);
	}
	return NULL;
}

static struct session *close_file(struct session *s)
{
	struct session *outer = s->outer;

	if (!session_close(s)) {
		outer->report->n_nested--;
		outer->run.no_memory = true;
	}
	return outer;
}

void nested_check(struct session *root)
{
	struct session *s = root;

	while (s != root || s->files) {
		struct session *inner = check_next(s);

		if (inner)
			s = inner;
		else if (s != root)
			s = close_file(s);
	}
}

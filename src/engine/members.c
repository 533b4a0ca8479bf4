/* Nested files: which of them are checked, how they are called, and in which order. */
#include "engine/members.h"

#include <string.h>

#include "core/ending.h"
#include "core/mutant.h"
#include "core/path.h"
#include "engine/copies.h"
#include "engine/keep.h"
#include "engine/session_open.h"

/* ---- Names ----------------------------------------------------------------------------------- */

/* Of a longer name the end is kept, because the extension tells the kind of file. */
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

/* A shown is a name as reports show it: the whole, or its end. */
struct shown {
	struct text text;
	size_t n_cut; /* bytes of the mark before an end */
};

static const char cut_mark[] = "...", alias_mark[] = " -> ", download_mark[] = ".uz";

static struct shown show(struct text name)
{
	if (name.ref.n_units <= MEMBER_NAME_MAX)
		return (struct shown){ name, 0 };
	return (struct shown){ text_sub(name, name.ref.n_units - MEMBER_NAME_MAX, MEMBER_NAME_MAX),
			       sizeof cut_mark - 1 };
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

/* How many bytes of a file's name stand before its own last part: folders, and the files around. */
static size_t before_last(const char *name)
{
	const char *inside = strrchr(name, '!');
	const size_t n = folder_len(name), in = inside ? (size_t)(inside - name) + 1 : 0;

	return n > in ? n : in;
}

/* The input's own name may have any character. */
static size_t before_of(const struct session *s, const char *around)
{
	return s->depth > 0 ? before_last(around) : folder_len(around);
}

/* Writes parent!member, or parent!member -> name; of a file beside the parent its path. */
static bool name_member(struct session *s, const struct nested *n, struct member *m)
{
	struct shown own = show(n->name), alias = show(n->installed_as);
	const bool is_beside = n->file > 0;
	const char *around = s->report->name;
	size_t before = is_beside ? before_of(s, around) : strlen(around),
	       arrow = n->installed_as.ref.n_units > 0 ? sizeof alias_mark - 1 : 0;
	const size_t behind = n->unpacks ? sizeof download_mark - 1 : 0;
	char *out = arena_alloc(
		s->report->arena,
		before + 1 + shown_len(&own) + arrow + shown_len(&alias) + behind + 1, 1);

	if (!out)
		return false;
	m->name = out;
	memcpy(out, around, before);
	out += before;
	if (!is_beside)
		*out++ = '!';
	m->own_name = out;
	m->alias_at = 0;
	out = write_shown(&own, out);
	if (arrow > 0) {
		memcpy(out, alias_mark, arrow);
		out += arrow;
		m->alias_at = (size_t)(out - m->own_name);
		out = write_shown(&alias, out);
		memcpy(out, download_mark, behind);
		out += behind;
	}
	*out = '\0';
	return true;
}

/* ---- Counting -------------------------------------------------------------------------------- */

static bool reach(struct session *s, enum limit limit)
{
	/* mutant: too deep is silence */
	s->run.reached[limit] = limit != LIMIT_depth || !MUTANT(30);
	return false;
}

/* A name says whether a file is worth a look; where its bytes are at hand, they may too. */
static bool is_worth_a_look(const struct session *s, const struct nested *n)
{
	const struct text extension = path_extension(
		n->installed_as.ref.n_units > 0 ? n->installed_as : n->name);

	return n->decoded || n->is_seen || format_promised(extension) ||
	       keep_wants_text(s->tree->summaries, extension);
}

/* Gives the next file that is worth a look. */
static bool next_file(const struct session *s, struct nested_walk *walk, struct nested *out)
{
	while (s->format->nested->next(s->facts, &s->decode, walk, out))
		if (is_worth_a_look(s, out))
			return true;
	return false;
}

static bool is_there(struct session *s, const struct nested *n)
{
	const struct source *of = source_numbered(&s->source, n->file);

	return of && n->span.len <= of->io.size && n->span.at <= of->io.size - n->span.len;
}

static bool may_take(struct session *s, const struct nested *n)
{
	const struct limits *limits = &s->tree->engine->limits;

	if (NEVER(!n->decoded && !is_there(s, n)))
		return reach(s, LIMIT_nested); /* formats give what is there */
	if (s->depth >= limits->of[LIMIT_depth])
		return reach(s, LIMIT_depth);
	if (s->tree->n_files >= limits->of[LIMIT_nested])
		return reach(s, LIMIT_nested);
	return true;
}

/* Files are counted before any is opened, so that the limit admits those of the outer file first,
 * even if the first has many. */
static void count_files(struct session *s)
{
	struct nested_walk walk = s->walk;
	struct nested n;

	while (next_file(s, &walk, &n) && may_take(s, &n)) {
		s->n_waiting++;
		s->tree->n_files++;
	}
}

/* Room for the reports of those that were counted, behind those that there are. */
static void make_room(struct session *s)
{
	struct report *r = s->report, **room;

	if (s->n_waiting == 0)
		return;
	session_share(s);
	room = arena_alloc(r->arena, r->n_nested + s->n_waiting, sizeof(*r->nested));
	if (room) {
		if (r->n_nested > 0)
			memcpy(room, r->nested, r->n_nested * sizeof(*room));
		r->nested = room;
		return;
	}
	s->run.no_memory = true;
	s->n_waiting = 0;
}

/* What is in a copy of a file around it was opened there. */
static bool may_open(const struct session *s)
{
	return s->facts && s->format->nested && !s->tree->alone && !s->run.copy_of;
}

void members_begin(struct session *s)
{
	s->walk = (struct nested_walk){ .file = 0 };
	if (!may_open(s))
		return;
	if (s->depth == 0)
		s->tree->reports_own = s->report->arena->held;
	count_files(s);
	make_room(s);
}

/* Decodes what is left of a file when those in it were opened, once, and counts those that only
 * this has found. false: there are none. */
static bool begin_late(struct session *s)
{
	if (s->is_finished || !session_waits(s))
		return false;
	session_finish(s);
	if (!may_open(s) || !s->format->nested->finds_late)
		return false;
	s->walk = (struct nested_walk){ .is_late = true };
	count_files(s);
	make_room(s);
	return s->n_waiting > 0;
}

/* ---- The way through the tree ---------------------------------------------------------------- */

/* Bytes of a nested file that cost one unit of work in advance. Otherwise the same bytes could be
 * checked as part of very many files. */
enum { BYTES_PER_UNIT = 32 };

static bool can_pay(const struct session *s, const struct nested *n)
{
	return work_spend(&s->tree->work, 1 + n->span.len / BYTES_PER_UNIT);
}

static struct session *room_inside(struct session *s)
{
	if (!s->inner) {
		s->inner = arena_alloc(s->report->arena, 1, sizeof *s->inner);
		if (s->inner)
			s->inner->inner = NULL;
	}
	return s->inner;
}

/* A file of no format leaves no trace but in sets. */
static void forget_file(struct session *s)
{
	s->tree->work = s->decode.work;
	session_discard(s);
	arena_rewind(s->outer->report->arena, s->before);
}

/* Of a file that is done but for the last one in it nothing is kept. One that waits for its end is
 * not done, nor is one that the last asks for the files beside it. */
static bool is_done(const struct session *s, const struct nested *n)
{
	return s->n_waiting == 0 && !n->decoded && n->file == 0 && !session_waits(s) &&
	       !s->format->nested->beside;
}

/* Begins the check of a file; NULL: there is no memory for it, or its bytes cannot be had. */
static struct session *open_file(struct session *s, const struct nested *n)
{
	const bool is_last = is_done(s, n);
	struct member m = { .file = n };
	struct session *inner;
	struct report *r;

	session_share(s);
	inner = room_inside(s);
	if (!inner)
		return NULL;
	if (is_last) /* what the report keeps of them is not taken back with the file's */
		session_leave_companions(s);
	inner->before = arena_mark(s->report->arena);
	if (!name_member(s, n, &m))
		return NULL;
	r = report_new_nested(s->report, &m);
	if (!r)
		return NULL;
	if (is_last)
		session_release(s);
	if (session_open_nested(inner, s, r, &m))
		return inner;
	forget_file(inner);
	return NULL;
}

static void keep_report(struct session *s, struct report *r)
{
	r->place = s->report->n_nested;
	r->number = ++s->tree->n_reports;
	s->report->nested[s->report->n_nested++] = r;
}

/* The session's own report says that work or memory ended. */
static struct session *leave_the_rest(struct session *s)
{
	s->n_waiting = 0;
	return NULL;
}

/* A read that failed is told of the source that it is of. */
static bool is_readable(const struct session *s)
{
	for (const struct source *of = &s->source; of; of = of->next)
		if (of->trouble != SOURCE_FINE)
			return false;
	return true;
}

/* A file could not be opened: because work ended while its bytes were decoded, because they could
 * not be read again, or else memory. */
static struct session *run_out(struct session *s)
{
	s->run.reached[LIMIT_work] = s->tree->work.exhausted;
	s->run.no_memory = s->run.no_memory || (!work_ended(&s->tree->work) && is_readable(s));
	return leave_the_rest(s);
}

bool members_judge_first(struct session *s)
{
	if (!session_waits(s))
		return session_judge(s);
	session_pause(s);
	return true;
}

bool members_judge_last(struct session *s)
{
	if (!session_waits(s))
		return true;
	if (!s->is_finished)
		session_finish(s);
	session_resume(s);
	return session_judge(s);
}

/* Files that turn out to belong to one that was opened before are not opened by themselves. */
static struct session *end_early(struct session *s)
{
	s->n_waiting = 0;
	return NULL;
}

/* Checks the next of the files in a session's, but not what lies in it; NULL: there is none. There
 * are as many as were counted. */
static struct session *check_next(struct session *s)
{
	struct nested n;

	while (s->n_waiting > 0) {
		struct session *inner;

		if (!next_file(s, &s->walk, &n))
			return s->format->nested->beside ? end_early(s) : run_out(s);
		if (!can_pay(s, &n))
			return run_out(s);
		s->n_waiting--;
		s->decode.is_undecodable = false;
		inner = open_file(s, &n);
		if (!inner && s->decode.is_undecodable)
			continue;
		if (!inner)
			return run_out(s);
		if (!session_decode(inner)) {
			session_keep_text(inner);
			forget_file(inner);
			continue;
		}
		if (inner->facts && inner->format->nested)
			inner->run.copy_of = copies_find(inner);
		if (!members_judge_first(inner)) {
			forget_file(inner);
			return run_out(s);
		}
		keep_report(s, inner->report);
		members_begin(inner);
		return inner;
	}
	return NULL;
}

static struct session *close_file(struct session *s)
{
	struct session *outer = s->outer;
	const bool is_judged = members_judge_last(s);

	if (!is_judged)
		session_discard(s);
	if (!is_judged || !session_close(s)) {
		outer->report->n_nested--;
		outer->run.no_memory = true;
	}
	return outer;
}

void members_check(struct session *root)
{
	struct session *s = root;

	while (s != root || s->n_waiting > 0 || begin_late(s)) {
		struct session *inner = check_next(s);

		if (inner)
			s = inner;
		else if (s != root && !begin_late(s))
			s = close_file(s);
	}
}

/* The engine, and its check of one input. */
#include <string.h>

#include "core/checked.h"
#include "engine/members.h"

/* So many of the engine's own rules judge what the others explained. */
enum { LAST_RULES = N_RULES - RULE_NUMBER_RUN011 };

void engine_init(struct engine *e, struct allocator allocator)
{
	size_t first, end;

	*e = (struct engine){
		.allocator = allocator,
		.limits = limits_standard(),
		.crew = crew_alone,
		.level = LEVEL_CONTENT,
		.fail_on = SEVERITY_ERROR,
		.window_len = SOURCE_WINDOW,
		.chunk_len = ARENA_CHUNK,
	};
	profile_init(&e->profile);
	e->n_rules = catalog_fill(e->rules);
	for (size_t f = 0; formats[f]; f++) {
		catalog_range(formats[f], &first, &end);
		agenda_fill(&e->agendas[f], e->rules, first, end, e->places);
	}
	catalog_range(NULL, &first, &end);
	agenda_fill(&e->run, e->rules, first, end - LAST_RULES, e->places);
	agenda_fill(&e->last, e->rules, end - LAST_RULES, end, e->places);
}

uint64_t engine_timeout(const struct engine *e, const struct check_input *in)
{
	return in->timeout > 0 ? in->timeout : e->timeout;
}

struct interrupt engine_interrupt(const struct engine *e, const struct check_input *in)
{
	const uint64_t timeout = engine_timeout(e, in);
	struct interrupt i = { .cancel = in->cancel };

	if (timeout == 0 || !e->now)
		return i;
	i.now = e->now;
	i.deadline = capped_add(e->now(), timeout);
	return i;
}

struct decode engine_decode(const struct engine *e, struct source *source, struct arena *arena, const struct interrupt *interrupt)
{
	return (struct decode){
		.source = source,
		.arena = arena,
		.limits = &e->limits,
		.work = { .max = e->limits.of[LIMIT_work], .interrupt = interrupt },
		.level = e->level,
		.keys = &e->keys,
		.oodle = &e->oodle,
		.crew = &e->crew,
	};
}

static void tree_init(struct tree *t, struct engine *e, struct report *root, const struct check_input *in)
{
	t->engine = e;
	t->root = root;
	t->interrupt = engine_interrupt(e, in);
	t->timeout = engine_timeout(e, in);
	t->work = (struct work){ .max = e->limits.of[LIMIT_work], .interrupt = &t->interrupt, .input_len = in->io.size };
	t->reports_own = t->n_files = t->peak = 0;
	t->n_reports = 0;
	t->alone = in->alone;
	t->summaries = in->summaries;
	memset(t->rules, 0, sizeof t->rules);
	memset(t->clean, 0, sizeof t->clean);
}

/* Checks the input with the files inside it; false: memory ended, and the report is of no use. The session lies in the arena of reports, as
 * those of the files inside do: it is too large for the stack of a caller. */
static bool check_tree(struct tree *t, struct report *r, const struct check_input *in)
{
	struct session *s = arena_alloc(r->arena, 1, sizeof *s);

	if (!s)
		return false;
	session_open(s, t, r, in);
	session_decode(s);
	if (!session_judge(s)) {
		session_discard(s);
		return false;
	}
	members_begin(s);
	members_check(s);
	return session_close(s);
}

struct report *engine_check(struct engine *e, const struct check_input *in)
{
	struct report *r = report_new(e, in);
	UVET_FILLED_LATER struct tree t;
	bool whole;

	if (!r)
		return NULL;
	tree_init(&t, e, r, in);
	whole = check_tree(&t, r, in);
	r->memory = t.peak + r->arena->peak;
	if (whole)
		return r;
	report_free(r);
	return NULL;
}

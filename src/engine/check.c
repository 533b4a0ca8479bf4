/* The check: source, sniffing, decoding, evaluation, verdict, report. */
#include "engine/engine.h"

#include <string.h>

#include "core/canary.h"
#include "engine/evaluate.h"
#include "engine/run_rules.h"
#include "engine/verdict.h"

/* Everything that one check needs while it runs. */
struct session {
	struct engine *engine;
	struct report *report;
	struct arena arena;             /* facts; gone when the check ends */
	struct source source;
	struct decode decode;
	const struct format *format;
	const struct agenda *agenda;    /* the format's rules; NULL without a format */
	const void *facts;
	struct run run;
	bool lost;                      /* a finding could not be kept */
};

void engine_init(struct engine *e, struct allocator allocator)
{
	size_t first, end;

	*e = (struct engine){
		.allocator = allocator,
		.limits = limits_standard(),
		.level = LEVEL_DEFAULT,
		.fail_on = SEVERITY_ERROR,
		.window_len = SOURCE_WINDOW,
		.chunk_len = ARENA_CHUNK,
	};
	atomic_init(&e->cancel, false);
	profile_init(&e->profile);
	e->n_rules = catalog_fill(e->rules);
	for (size_t f = 0; formats[f]; f++) {
		catalog_range(formats[f], &first, &end);
		agenda_fill(&e->agendas[f], e->rules, first, end, e->next);
	}
	catalog_range(NULL, &first, &end);
	agenda_fill(&e->run, e->rules, first, end - 1, e->next);
	agenda_fill(&e->unexplained, e->rules, end - 1, end, e->next);
}

static struct report *report_new(struct engine *e, const struct check_input *in)
{
	struct arena arena;
	struct report *r;
	size_t len = strlen(in->name) + 1, n = e->n_rules;
	char *name;
	const struct rule **rules;
	struct results results;

	/* The limits on findings bound the report; a tight memory limit must leave room to say that it was reached. */
	arena_init(&arena, e->allocator, UINT64_MAX);
	arena.chunk_len = e->chunk_len;
	r = arena_alloc(&arena, 1, sizeof *r);
	name = arena_alloc(&arena, len, 1);
	rules = arena_alloc(&arena, n, sizeof(*rules));
	results.status = arena_alloc(&arena, n, 1);
	results.noted = arena_alloc(&arena, n, sizeof *results.noted);
	if (!r || !name || !rules || !results.status || !results.noted) {
		arena_free(&arena);
		return NULL;
	}
	*r = (struct report){ .results = results };
	memset(results.status, RULE_NOT_APPLICABLE, n);
	memcpy(name, in->name, len);
	memcpy(rules, e->rules, n * sizeof(*rules));
	r->name = name;
	r->rules = rules;
	r->n_rules = n;
	r->size = in->io.size;
	r->arena = arena;
	return r;
}

void report_free(struct report *r)
{
	struct arena arena;

	if (!r)
		return;
	arena = r->arena;               /* the report itself lies in it */
	arena_free(&arena);
}

static void session_open(struct session *s, struct engine *e, struct report *r, const struct check_input *in)
{
	s->engine = e;
	s->report = r;
	s->format = NULL;
	s->agenda = NULL;
	s->facts = NULL;
	s->lost = false;
	arena_init(&s->arena, e->allocator, e->limits.of[LIMIT_memory]);
	s->arena.chunk_len = e->chunk_len;
	if (in->memory)
		source_init_memory(&s->source, in->memory, in->io.size, in->name, &s->arena);
	else
		source_init(&s->source, in->io, in->name, &s->arena, e->window_len);
	s->decode = (struct decode){ .source = &s->source, .arena = &s->arena, .limits = &e->limits, .level = e->level };
	s->decode.work = (struct work){ .max = e->limits.of[LIMIT_work], .cancel = &e->cancel };
}

static void session_decode(struct session *s)
{
	struct decode *d = &s->decode;
	size_t number;

	if (!work_spend(&d->work, 0))                   /* cancelled before it began */
		return;
	number = format_sniff(d);
	s->format = formats[number];
	if (!s->format)
		return;
	memset(d->groups, 0, s->format->n_groups * sizeof *d->groups);          /* sniffing left its own stops */
	s->agenda = &s->engine->agendas[number];
	s->facts = s->format->decode(d);
}

/* Room for a block of the widest view, so that evaluating allocates nothing. */
static bool alloc_block(struct session *s, const struct table *tables, size_t n, void **block)
{
	size_t widest = 0;

	*block = NULL;
	for (size_t i = 1; i < n; i++)
		if (tables[i].view && tables[i].row_len > widest)
			widest = tables[i].row_len;
	if (widest == 0)
		return true;
	*block = arena_alloc(&s->arena, TABLE_BLOCK, widest);
	return *block != NULL;
}

static void mark_unevaluated(struct session *s)
{
	for (size_t i = s->agenda->first; i < s->agenda->end; i++)
		results_note(&s->report->results, i, RULE_NOT_EVALUATED, "memory");
}

/* What every evaluation of the session shares. */
static struct evaluation start_evaluation(struct session *s, const void *facts, struct work *work)
{
	return (struct evaluation){
		.check = {
			.facts = facts,
			.source = &s->source,
			.arena = &s->report->arena,
			.rules = s->report->rules,
			.results = s->report->results,
			.settings = s->engine->profile.rules,
			.keep_max = s->engine->limits.of[LIMIT_rule_findings],
		},
		.next = s->engine->next,
		.initial = s->engine->profile.initial,
		.work = work,
	};
}

static void evaluate_format(struct session *s)
{
	UVET_FILLED_LATER struct table tables[TABLES_MAX];
	struct evaluation e = start_evaluation(s, s->facts, &s->decode.work);

	e.groups = s->decode.groups;
	e.group_names = s->format->groups;
	e.n_groups = s->format->n_groups;
	e.check.version = s->format->version(s->facts);
	e.check.tables = tables;
	e.check.n_tables = s->format->tables(s->facts, tables);
	if (alloc_block(s, tables, e.check.n_tables, &e.block))
		evaluate_rules(&e, s->agenda);
	else
		mark_unevaluated(s);
	s->lost = e.check.lost;
}

static const char *trouble_words(const struct check_input *in)
{
	if (!in->unreadable)
		return "a read failed";
	return in->trouble ? in->trouble : "it was not opened";
}

static void note_stop(struct run *r, const struct group *g)
{
	if (g->why == STOP_LIMIT && g->limit != LIMIT_work)
		r->reached[g->limit] = true;
	if (g->why != STOP_CODEC)
		return;
	r->codec = g->codec;
	r->undecoded += g->at.len;
}

static void fill_run(struct session *s, const struct check_input *in)
{
	struct run *r = &s->run;

	source_finish(&s->source);
	*r = (struct run){
		.format = s->format,
		.unreadable = in->unreadable || s->source.trouble == SOURCE_UNREADABLE,
		.trouble = trouble_words(in),
		.changed = s->source.trouble == SOURCE_CHANGED,
		.trouble_at = s->source.trouble_at,
		.no_memory = s->arena.over_budget || s->arena.refused || (s->lost && !CANARY(22)), /* canary: a loss is forgotten */
		.cancelled = s->decode.work.cancelled,
		.want_content = s->engine->level == LEVEL_CONTENT,
	};
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		r->limits[i] = s->engine->limits.of[i];
	for (size_t g = 0; s->format && g < s->format->n_groups; g++)
		note_stop(r, &s->decode.groups[g]);
	r->reached[LIMIT_work] = s->decode.work.exhausted;
}

/* The engine's own rules come last and are few: they have a work counter of their own, so that they always run. */
static void evaluate_run(struct session *s)
{
	struct work work = { .max = UINT64_MAX };
	struct evaluation e = start_evaluation(s, &s->run, &work);

	evaluate_rules(&e, &s->engine->run);
	if (s->format)
		s->run.unexplained = verdict_unexplained(s->report, s->format, s->decode.groups);
	evaluate_rules(&e, &s->engine->unexplained);
	if (!e.check.lost || s->run.no_memory)
		return;
	/* Memory ended only now, so RUN005 was asked too early. */
	s->run.no_memory = true;
	evaluate_rules(&e, &s->engine->run);
}

static void keep_info(void *ctx, const struct info *i)
{
	struct report *r = ctx;

	if (ALWAYS(r->n_infos < INFOS_MAX))     /* formats have fewer; their tests count them */
		r->infos[r->n_infos++] = *i;
}

static void describe(struct session *s)
{
	struct report *r = s->report;

	r->format = s->format;
	if (!s->facts)
		return;
	r->version = s->format->version(s->facts);
	r->explained = s->format->explained(s->facts);
	for (size_t g = 0; g < s->format->n_groups; g++)
		if (s->decode.groups[g].why == STOP_LEVEL || s->decode.groups[g].why == STOP_CODEC)
			r->unread += s->decode.groups[g].at.len;
	s->format->info(s->facts, keep_info, r);
}

static void judge_format(struct session *s)
{
	if (s->facts)
		evaluate_format(s);
	else if (s->format)
		mark_unevaluated(s);
}

/* A file that could not be looked at may be of a known format after all. */
static bool run_is_disturbed(const struct run *r)
{
	return r->unreadable || r->changed || r->no_memory || r->cancelled;
}

struct report *engine_check(struct engine *e, const struct check_input *in)
{
	UVET_FILLED_LATER struct session s;
	struct report *r = report_new(e, in);

	if (!r)
		return NULL;
	session_open(&s, e, r, in);
	if (!in->unreadable)
		session_decode(&s);
	judge_format(&s);
	fill_run(&s, in);
	if (s.format || e->unknown == UNKNOWN_UNDETERMINED || run_is_disturbed(&s.run))
		evaluate_run(&s);
	else
		r->verdict = VERDICT_NOT_APPLICABLE;
	describe(&s);
	r->memory = s.arena.peak + r->arena.peak;
	if (!CANARY(21) || !s.arena.refused)                            /* canary: leaks where memory ended */
		arena_free(&s.arena);
	if (verdict_finish(r))
		return r;
	report_free(r);
	return NULL;
}

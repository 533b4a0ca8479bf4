/* A run: counting and the run's own cap. */
#include "report/run.h"

#include "engine/verdict.h"
#include "report/fingerprint.h"

void run_init(struct run *run, const struct engine *engine, struct tool tool)
{
	uint64_t budget = engine->limits.of[LIMIT_memory];

	*run = (struct run){ .engine = engine, .tool = tool, .totals.verdict = VERDICT_UNDETERMINED };
	arena_init(&run->arena, engine->allocator, budget);
	arena_init(&run->scratch, engine->allocator, budget);
	run->arena.chunk_len = run->scratch.chunk_len = engine->chunk_len;
}

void run_free(struct run *run)
{
	arena_free(&run->arena);
	arena_free(&run->scratch);
}

static uint64_t n_files(const struct run *run)
{
	uint64_t n = 0;

	for (size_t i = 0; i < N_VERDICTS; i++)
		n += run->totals.n_verdicts[i];
	return n;
}

enum run_result run_output(struct run *run, const char *format, out_sink *sink, void *ctx)
{
	const struct writer_type *type = writer_find(format);
	struct writer *w;

	if (!type)
		return RUN_NO_SUCH_FORMAT;
	if (run->ended || n_files(run) > 0)
		return RUN_TOO_LATE;
	w = arena_alloc(&run->arena, 1, sizeof *w);
	if (!w)
		return RUN_NO_MEMORY;
	w->type = type;
	w->engine = run->engine;
	w->tool = run->tool;
	w->begun_list = w->begun_aside = false;
	w->n_aside = 0;
	w->next = NULL;
	out_init(&w->out, sink, ctx);
	spool_init(&w->spool, &run->arena);
	out_init(&w->aside, spool_sink, &w->spool);
	if (run->last)
		run->last->next = w;
	else
		run->first = w;
	run->last = w;
	run->wants_fingerprints = run->wants_fingerprints || type->fingerprints;
	type->begin(w);
	return RUN_OK;
}

/* A failure of the aside is memory that ended, one of the out is a sink that refused. */
static enum run_result result(const struct run *run)
{
	enum run_result worst = run->no_memory ? RUN_NO_MEMORY : RUN_OK;

	for (const struct writer *w = run->first; w; w = w->next) {
		if (w->out.failed)
			return RUN_WRITE_FAILED;
		if (w->aside.failed)
			worst = RUN_NO_MEMORY;
	}
	return worst;
}

static void note_worst(struct totals *t, const struct report *r, size_t n_shown)
{
	for (size_t i = 0; i < n_shown; i++) {
		if (r->findings[i]->severity <= t->worst_severity)
			continue;
		t->worst_severity = r->findings[i]->severity;
		t->worst = r->findings[i]->rule;
	}
}

static void add_scope(struct scope *sum, const struct scope *s, const struct profile *p)
{
	scope_add(sum, s);
	scope_settle(sum, p);
}

static void count(struct run *run, const struct entry *e)
{
	struct totals *t = &run->totals;
	const struct report *r = e->report;

	if (r->verdict != VERDICT_NOT_APPLICABLE)
		t->verdict = totals_judged(t) == 0 ? r->verdict : verdict_worse(t->verdict, r->verdict);
	t->n_verdicts[r->verdict]++;
	if (r->verdict != VERDICT_NOT_APPLICABLE)
		add_scope(&t->scope, &r->scope, &run->engine->profile);
	if (r->verdict == VERDICT_VALID && r->scope.flags != 0) {
		add_scope(&t->valid_scope, &r->scope, &run->engine->profile);
		t->n_narrow++;
	}
	for (size_t i = 0; i < N_SEVERITIES; i++)
		t->n_found[i] += r->n_found[i];
	t->n_shown += e->n_shown;
	note_worst(t, r, e->n_shown);
}

static size_t n_to_show(const struct run *run, const struct report *r)
{
	uint64_t max = run->engine->limits.of[LIMIT_findings];
	uint64_t left = max > run->totals.n_shown ? max - run->totals.n_shown : 0;

	return r->n_findings < left ? r->n_findings : (size_t)left;
}

static void add_entry(struct run *run, const struct report *r, const struct report *top, uint64_t top_id)
{
	struct entry e = { .report = r, .id = n_files(run), .top = top, .top_id = top_id, .n_shown = n_to_show(run, r) };

	if (run->wants_fingerprints && e.n_shown > 0) {
		e.fingerprints = fingerprints_make(&run->scratch, r, e.n_shown);
		if (!e.fingerprints) {
			run->no_memory = true;
			e.n_shown = 0;
		}
	}
	count(run, &e);
	for (struct writer *w = run->first; w; w = w->next)
		w->type->add(w, &e);
	arena_rewind(&run->scratch, (struct arena_mark){ 0 });
}

enum run_result run_add(struct run *run, const struct report *r)
{
	uint64_t id = n_files(run);

	if (run->ended)
		return RUN_TOO_LATE;
	for (const struct report *next = r; next; next = report_next(r, next))
		add_entry(run, next, r, id);
	return result(run);
}

enum run_result run_add_alone(struct run *run, const struct report *r)
{
	if (run->ended)
		return RUN_TOO_LATE;
	add_entry(run, r, r, n_files(run));
	return result(run);
}

enum run_result run_left_out(struct run *run, struct left_out left_out)
{
	if (run->ended)
		return RUN_TOO_LATE;
	run->totals.left_out = left_out;
	return RUN_OK;
}

enum run_result run_end(struct run *run)
{
	if (run->ended)
		return result(run);
	run->ended = true;
	for (struct writer *w = run->first; w; w = w->next) {
		w->type->end(w, &run->totals);
		out_flush(&w->out);
	}
	return result(run);
}

int run_exit_code(const struct run *run)
{
	const struct totals *t = &run->totals;
	enum severity fail_on = run->engine->fail_on;

	if (fail_on != SEVERITY_NONE) {
		for (size_t i = fail_on; i <= SEVERITY_ERROR; i++)
			if (i != SEVERITY_UNDETERMINED && t->n_found[i] > 0)
				return 1;
	}
	if (totals_judged(t) == 0 || t->n_verdicts[VERDICT_UNDETERMINED] > 0 || t->n_found[SEVERITY_UNDETERMINED] > 0)
		return 2;
	return 0;
}

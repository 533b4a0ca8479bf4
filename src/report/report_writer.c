/* A report writer: counting, and the cap on what it shows. */
#include "report/report_writer.h"

#include "engine/verdict.h"
#include "report/writers.h"

void report_writer_init(struct report_writer *rw, const struct engine *engine, struct tool tool)
{
	uint64_t budget = engine->limits.of[LIMIT_memory];

	*rw = (struct report_writer){ .engine = engine,
				      .tool = tool,
				      .totals.verdict = VERDICT_UNDETERMINED };
	arena_init(&rw->arena, engine->allocator, budget);
	arena_init(&rw->scratch, engine->allocator, budget);
	rw->arena.chunk_len = rw->scratch.chunk_len = engine->chunk_len;
}

void report_writer_free(struct report_writer *rw)
{
	arena_free(&rw->arena);
	arena_free(&rw->scratch);
}

enum writer_result report_writer_output(struct report_writer *rw, const char *format,
					out_sink *sink, void *ctx)
{
	const struct writer_type *type = writer_find(format);
	struct writer *w;

	if (!type)
		return WRITER_NO_SUCH_FORMAT;
	if (rw->ended || rw->n_entries > 0)
		return WRITER_TOO_LATE;
	w = arena_alloc(&rw->arena, 1, sizeof *w);
	if (!w)
		return WRITER_NO_MEMORY;
	w->type = type;
	w->engine = rw->engine;
	w->tool = rw->tool;
	w->begun_list = w->begun_deferred = false;
	w->n_deferred = 0;
	w->own = NULL;
	w->next = NULL;
	out_init(&w->out, sink, ctx);
	deferred_init(&w->deferred, &rw->arena);
	out_init(&w->deferred_out, deferred_sink, &w->deferred);
	if (rw->last)
		rw->last->next = w;
	else
		rw->first = w;
	rw->last = w;
	rw->wants_fingerprints = rw->wants_fingerprints || type->fingerprints;
	type->begin(w);
	return WRITER_OK;
}

enum writer_result report_writer_accept(struct report_writer *rw, report_accept *accept, void *ctx)
{
	if (rw->ended || rw->n_entries > 0)
		return WRITER_TOO_LATE;
	rw->accept = accept;
	rw->accept_ctx = ctx;
	return WRITER_OK;
}

/* Deferred output fails when memory ends, the rest when a sink refuses. */
static enum writer_result result(const struct report_writer *rw)
{
	enum writer_result worst = rw->no_memory ? WRITER_NO_MEMORY : WRITER_OK;

	for (const struct writer *w = rw->first; w; w = w->next) {
		if (w->out.failed)
			return WRITER_REFUSED;
		if (w->deferred_out.failed)
			worst = WRITER_NO_MEMORY;
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

/* Counts the findings that fail the run and are not accepted. Those of a level are counted by
 * severity, because memory may have ended before there was a result for their rule. */
static void count_failing(struct totals *t, const struct fail_on *f, const struct entry *e)
{
	for (int s = SEVERITY_NOTE; s <= SEVERITY_ERROR; s++)
		if (fail_on_level(f, (enum severity)s))
			t->n_failing[s] += e->report->n_found[s] - e->n_accepted[s];
}

static void count_failing_class(struct totals *t, const struct fail_on *f, const struct entry *e)
{
	const struct report *r = e->report;

	for (size_t i = 0; f->classes != 0 && (i = report_next_failed(r, i)) < r->n_rules; i++) {
		const size_t index = report_rule(r, i);
		const struct rule *rule = r->rules[index];
		const struct rule_result *result = results_of(&r->results, index);
		const enum rule_class class = report_class(r, rule);

		for (int s = SEVERITY_NOTE; s <= SEVERITY_ERROR; s++)
			if (!fail_on_level(f, (enum severity)s) &&
			    fail_on_counts(f, (enum severity)s, class))
				t->n_failing[s] += result->n_found[s] -
						   entry_accepted(e, rule, (enum severity)s);
	}
}

static void count(struct report_writer *rw, const struct entry *e)
{
	const struct fail_on *fail_on = &rw->engine->fail_on;
	struct totals *t = &rw->totals;
	const struct report *r = e->report;

	if (r->verdict != VERDICT_NOT_APPLICABLE)
		t->verdict = totals_judged(t) == 0 ? r->verdict
						   : verdict_worse(t->verdict, r->verdict);
	t->n_verdicts[r->verdict]++;
	if (r->verdict != VERDICT_NOT_APPLICABLE)
		add_scope(&t->scope, &r->scope, &rw->engine->profile);
	if (r->verdict == VERDICT_VALID && r->scope.flags != 0) {
		add_scope(&t->valid_scope, &r->scope, &rw->engine->profile);
		t->n_narrow++;
	}
	for (size_t i = 0; i < N_SEVERITIES; i++)
		t->n_found[i] += r->n_found[i];
	t->n_shown += e->n_shown;
	t->n_accepted += entry_all_accepted(e);
	count_failing(t, fail_on, e);
	count_failing_class(t, fail_on, e);
	note_worst(t, r, e->n_shown);
}

/* ---- Entries --------------------------------------------------------------------------------- */

static size_t n_to_show(const struct report_writer *rw, const struct report *r)
{
	uint64_t max = rw->engine->limits.of[LIMIT_findings];
	uint64_t left = max > rw->n_planned ? max - rw->n_planned : 0;

	return r->n_findings < left ? r->n_findings : (size_t)left;
}

/* What says that something was not judged is nobody's to accept. */
static const char *ask(const struct report_writer *rw, const struct entry *e, size_t i)
{
	const struct finding *f = e->report->findings[i];
	char digits[FINGERPRINT_LEN + 1];
	const char *reason;

	if (f->severity == SEVERITY_UNDETERMINED || f->rule->flags & RULE_MANDATORY)
		return NULL;
	fingerprint_digits(digits, e->fingerprints[i]);
	reason = rw->accept(rw->accept_ctx, e->report, f, digits);
	return reason && *reason ? reason : NULL;
}

static void ask_all(struct report_writer *rw, struct entry *e)
{
	const char **reasons = arena_alloc(&rw->scratch, e->n_shown, sizeof *reasons);

	if (!reasons) {
		rw->no_memory = true;
		return;
	}
	for (size_t i = 0; i < e->n_shown; i++) {
		reasons[i] = ask(rw, e, i);
		if (!reasons[i])
			continue;
		e->reasons = reasons;
		e->n_accepted[e->report->findings[i]->severity]++;
	}
}

/* What an entry says lies in the scratch. */
static struct entry make_entry(struct report_writer *rw, const struct report *r,
			       const struct report *top, uint64_t top_id)
{
	struct entry e = { .report = r,
			   .id = rw->n_entries++,
			   .top = top,
			   .top_id = top_id,
			   .n_shown = n_to_show(rw, r),
			   .asked = rw->accept != NULL };

	if ((rw->wants_fingerprints || e.asked) && e.n_shown > 0) {
		e.fingerprints = fingerprints_make(&rw->seen, &rw->arena, &rw->scratch, r,
						   e.n_shown);
		if (!e.fingerprints) {
			rw->no_memory = true;
			e.n_shown = 0;
		}
	}
	rw->n_planned += e.n_shown;
	if (e.asked && e.n_shown > 0)
		ask_all(rw, &e);
	e.n_open = r->n_found[SEVERITY_ERROR] - e.n_accepted[SEVERITY_ERROR];
	return e;
}

static void pass_on(struct report_writer *rw, const struct entry *e)
{
	count(rw, e);
	for (struct writer *w = rw->first; w; w = w->next)
		w->type->add(w, e);
}

/* The entries of a tree before any of them is written: what is accepted in a file inside is known
 * when the files around it are told. NULL: memory ended. */
static struct entry *plan(struct report_writer *rw, const struct report *top)
{
	const uint64_t id = rw->n_entries;
	struct entry *entries;
	size_t n = 0;

	for (const struct report *r = top; r; r = report_next(top, r))
		n++;
	entries = arena_alloc(&rw->scratch, n, sizeof *entries);
	if (!entries) {
		rw->no_memory = true;
		return NULL;
	}
	n = 0;
	for (const struct report *r = top; r; r = report_next(top, r))
		entries[n++] = make_entry(rw, r, top, id);
	while (--n > 0)
		entries[entries[n].report->parent->number - top->number].n_open +=
			entries[n].n_open;
	return entries;
}

static void add_tree(struct report_writer *rw, const struct report *top)
{
	const uint64_t id = rw->n_entries;
	const struct entry *planned = rw->accept ? plan(rw, top) : NULL;
	struct entry e;

	for (const struct report *r = top; r; r = report_next(top, r)) {
		e = planned ? *planned++ : make_entry(rw, r, top, id);
		pass_on(rw, &e);
		if (!planned)
			arena_rewind(&rw->scratch, (struct arena_mark){ 0 });
	}
	arena_rewind(&rw->scratch, (struct arena_mark){ 0 });
}

enum writer_result report_writer_add(struct report_writer *rw, const struct report *r)
{
	if (rw->ended)
		return WRITER_TOO_LATE;
	add_tree(rw, r);
	return result(rw);
}

/* What is accepted in a file inside is not known here. */
enum writer_result report_writer_add_alone(struct report_writer *rw, const struct report *r)
{
	struct entry e;

	if (rw->ended)
		return WRITER_TOO_LATE;
	e = make_entry(rw, r, r, rw->n_entries);
	e.n_open += r->inside != NULL;
	pass_on(rw, &e);
	arena_rewind(&rw->scratch, (struct arena_mark){ 0 });
	return result(rw);
}

enum writer_result report_writer_left_out(struct report_writer *rw, struct left_out left_out)
{
	if (rw->ended)
		return WRITER_TOO_LATE;
	rw->totals.left_out = left_out;
	return WRITER_OK;
}

enum writer_result report_writer_end(struct report_writer *rw)
{
	if (rw->ended)
		return result(rw);
	rw->ended = true;
	for (struct writer *w = rw->first; w; w = w->next) {
		w->type->end(w, &rw->totals);
		out_flush(&w->out);
	}
	return result(rw);
}

int report_writer_exit_code(const struct report_writer *rw)
{
	const struct totals *t = &rw->totals;

	if (totals_fail(t))
		return 1;
	if (totals_judged(t) == 0 || t->n_verdicts[VERDICT_UNDETERMINED] > 0 ||
	    t->n_found[SEVERITY_UNDETERMINED] > 0)
		return 2;
	return 0;
}

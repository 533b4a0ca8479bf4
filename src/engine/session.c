/* The session: source, sniffing, decoding, evaluation, verdict of one file. */
#include "engine/session.h"

#include <string.h>

#include "core/mutant.h"
#include "core/checked.h"
#include "engine/evaluate.h"
#include "engine/explain.h"
#include "engine/file_digest.h"
#include "engine/foreign.h"
#include "engine/infos.h"
#include "engine/keep.h"
#include "engine/scripts.h"
#include "engine/sidecar.h"
#include "engine/unjudged_list.h"
#include "engine/verdict.h"

/* ---- Memory ---------------------------------------------------------------------------------- */

/* An arena may hold what others leave of the maximum, but never less than it holds already. */
static void set_budget(struct arena *a, uint64_t max, uint64_t others)
{
	a->budget = max > others ? max - others : 0;
	if (a->budget < a->held)
		a->budget = a->held;
}

/* The report of the input itself has memory of its own, so that it can say that there was none for
 * the rest. */
void session_share(struct session *s)
{
	struct arena *reports = s->report->arena;
	uint64_t max = s->tree->engine->limits.of[LIMIT_memory], own = s->tree->reports_own;
	uint64_t whole = max > UINT64_MAX - own ? UINT64_MAX : max + own;

	set_budget(&s->arena, max, s->beneath + (reports->held - own));
	set_budget(reports, whole, s->beneath + s->arena.held);
}

/* ---- Decoding -------------------------------------------------------------------------------- */

/* A file that could not be read may be of a known format after all. */
static bool is_disturbed(const struct session *s)
{
	return s->run.unreadable || s->source.trouble != SOURCE_FINE || session_memory_ended(s) ||
	       work_ended(&s->decode.work) || s->run.worker_ended || s->run.late;
}

static void decode(struct session *s)
{
	struct decode *d = &s->decode;
	size_t number;

	if (!work_spend(&d->work, 0)) /* interrupted before it began */
		return;
	s->is_sidecar = sidecar_is(&s->source);
	if (s->is_sidecar)
		return;
	number = format_sniff(d);
	s->format = formats[number];
	if (!s->format) {
		s->report->is_no_package = !is_disturbed(s) && foreign_is_package(s->source.name);
		return;
	}
	s->run.other = formats[format_sniff_other(d, number)];
	if (is_disturbed(s)) { /* bytes that could not be had look like those of no format */
		s->format = s->run.other = NULL;
		return;
	}
	s->number = number;
	/* sniffing left its own stops */
	memset(d->groups, 0, s->format->n_groups * sizeof *d->groups);
	d->n_lacks = 0;
	s->index = &s->tree->engine->indexes[number];
	s->facts = s->format->decode(d);
}

bool session_decode(struct session *s)
{
	if (!s->run.unreadable && !s->run.worker_ended && !s->run.late)
		decode(s);
	return s->format || s->depth == 0 || is_disturbed(s);
}

bool session_waits(const struct session *s)
{
	return s->facts && s->format->finish;
}

void session_pause(struct session *s)
{
	s->report->work += s->decode.work.done - s->tree->work.done;
	s->tree->work = s->decode.work;
}

void session_resume(struct session *s)
{
	s->decode.work = s->tree->work;
}

void session_finish(struct session *s)
{
	session_resume(s);
	s->format->finish(s->facts, &s->decode);
	s->is_finished = true;
	session_pause(s);
}

/* ---- Judging --------------------------------------------------------------------------------- */

/* Memory for a block of the widest view, so that evaluating allocates nothing. */
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
	for (size_t i = 0; i < s->report->first_told; i++)
		results_leave(&s->report->results, i, "memory");
}

/* What every evaluation of the session shares. offset is what a rule's number has more than its
 * index among the results. */
static struct evaluation start_evaluation(struct session *s, const void *facts, size_t offset,
					  struct work *work)
{
	const struct engine *e = s->tree->engine;

	return (struct evaluation){
		.check = {
			.facts = facts,
			.source = &s->source,
			.arena = s->report->arena,
			.rules = e->rules,
			.settings = e->profile.rules,
			.results = s->report->results,
			.offset = offset,
			.keep_max = e->limits.of[LIMIT_rule_findings],
		},
		.indexed = e->indexed,
		.initial = e->profile.initial,
		.upload = s->decode.upload,
		.work = work,
	};
}

static void ask_rules(struct session *s, struct evaluation *e)
{
	if (s->depth > 0)
		session_share(s);
	evaluate_rules(e, s->index);
}

static void evaluate_format(struct session *s)
{
	UVET_FILLED_LATER struct table tables[TABLES_MAX];
	struct evaluation e = start_evaluation(s, s->facts, s->index->first, &s->decode.work);

	e.groups = s->decode.groups;
	e.group_names = s->format->groups;
	e.n_groups = s->format->n_groups;
	e.traits = s->format->traits;
	e.check.version = s->format->version(s->facts);
	e.check.tables = tables;
	e.check.n_tables = s->format->tables(s->facts, tables);
	if (alloc_block(s, tables, e.check.n_tables, &e.block))
		ask_rules(s, &e);
	else
		mark_unevaluated(s);
	s->lost = e.check.lost || s->scratch.notes.lost;
}

/* At level structure the tables of files beside the input are asked for only if such files can be
 * opened. */
static void forget_companions(struct decode *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_lacks; i++)
		if (d->lacks[i].why != STOP_COMPANION)
			d->lacks[n++] = d->lacks[i];
	d->n_lacks = n;
}

/* Bytes that members share are counted for each, but there are no more than the file has. */
static void count_unread(struct session *s)
{
	struct report *r = s->report;
	struct decode *d = &s->decode;
	const uint64_t most = s->format->payload_beside ? UINT64_MAX : r->size;

	for (size_t g = 0; g < s->format->n_groups; g++)
		if (d->groups[g].why == STOP_LEVEL)
			r->unread = capped_add(r->unread, d->groups[g].at.len);
	for (size_t i = 0; i < d->n_lacks; i++) {
		r->unread = capped_add(r->unread, d->lacks[i].bytes);
		if (d->lacks[i].bytes > most)
			d->lacks[i].bytes = most;
	}
	if (r->unread > most)
		r->unread = most;
}

/* What a picture costs is no part of the check: without it the same limits are reached. */
static void keep_outline(struct session *s)
{
	struct report *r = s->report;
	const struct work work = s->decode.work;
	const bool over_budget = s->arena.over_budget, refused = s->arena.refused;
	struct outline *outline;

	if (!s->tree->engine->outlines || r->size == 0)
		return;
	outline = arena_alloc(r->arena, 1, sizeof *outline);
	if (!outline)
		return;
	*outline = (struct outline){ .size = r->size };
	(void)s->format->map(s->facts, &s->decode, outline_region, outline);
	s->decode.work = work;
	s->arena.over_budget = over_budget;
	s->arena.refused = refused;
	r->outline = outline;
}

static void describe(struct session *s)
{
	struct report *r = s->report;

	r->version = layout_version(s->format->version(s->facts));
	r->explained = s->format->explained(s->facts);
	count_unread(s);
	s->lost = !infos_keep(r, s->facts) || !scripts_keep(r, s->facts) || s->lost;
	keep_outline(s);
}

/* Tells whether any rule was evaluated that can find an error. If the profile takes none away,
 * only the level or the version can leave out all of them, and that does not count. */
static bool has_rule(const struct session *s)
{
	const struct profile *p = &s->tree->engine->profile;
	const uint8_t *status = s->report->results.status;

	if (p->cuts[s->number].n_off + p->cuts[s->number].n_lowered == 0)
		return true;
	for (size_t i = 0; i < s->report->first_told; i++)
		if ((status[i] == RULE_PASS || status[i] == RULE_FAIL) &&
		    p->rules[s->index->first + i].severity == SEVERITY_ERROR)
			return true;
	return false;
}

/* A file that the caller named should be judged, and so should one whose name promises what it is;
 * one that was only found in a folder or in another may be passed over, and so may a set, which
 * nobody named. */
static bool is_wanted(const struct session *s)
{
	return s->depth == 0 && !s->decode.set &&
	       (s->tree->engine->unknown == UNKNOWN_UNDETERMINED || s->report->is_no_package);
}

/* Whether what happened to it may be said of the file alone, and not of the one around it, whose
 * payload is another's. A file of its own beside that one is no payload. */
static bool is_own_case(const struct session *s)
{
	return !s->outer || s->report->is_beside ||
	       !diagnosis_is_foreign(s->outer->report->diagnosis);
}

/* Without any, an empty source stands for the file, which need not be empty. */
static bool has_bytes(const struct session *s)
{
	return !s->run.unreadable && !s->run.worker_ended && !s->run.late && !s->decode.set;
}

void session_keep_text(struct session *s)
{
	if (s->is_sidecar)
		return;
	keep_text(s->tree->summaries, s->report, &s->decode, s->run.limits->of[LIMIT_text]);
}

bool session_judge(struct session *s)
{
	if (!report_begin_results(s->report, s->tree, s->number, &s->scratch))
		return false;
	s->report->format = s->format;
	s->report->scope.flags = s->tree->engine->level == LEVEL_STRUCTURE ? SCOPE_TABLES : 0;
	if (s->decode.level == LEVEL_STRUCTURE)
		forget_companions(&s->decode);
	if (s->facts) {
		evaluate_format(s);
		describe(s);
		keep_summary(s->tree->summaries, s->report, s->facts, &s->decode,
			     work_ended(&s->decode.work) || session_memory_ended(s) || s->lost);
	} else if (s->format) {
		mark_unevaluated(s);
		keep_nothing(s->tree->summaries, s->report, &s->decode);
	} else if (!is_disturbed(s)) {
		session_keep_text(s);
	}
	if (s->format) {
		scope_add_file(&s->report->scope, s->number, s->decode.level, s->decode.groups);
		s->idle = !has_rule(s);
	}
	s->run.reached[LIMIT_work] = s->decode.work.exhausted;
	s->neighbours.only_looks = true; /* for what may be wrong: what is found is no part of it */
	s->report->work += s->decode.work.done - s->tree->work.done;
	s->tree->work = s->decode.work;
	if (has_bytes(s) && (s->format || is_wanted(s)) && is_own_case(s) &&
	    !work_ended(&s->tree->work) && !session_memory_ended(s) &&
	    !explain_findings(s->report, s->tree, &s->decode, s->facts))
		s->lost = true;
	if (s->tree->engine->sha256 && has_bytes(s))
		file_digest(&s->source, s->report);
	return true;
}

/* ---- The end --------------------------------------------------------------------------------- */

/* What is said of a companion is kept in the report, which outlives the facts. */
static bool keep_companion(struct session *s, struct report_companion *out,
			   const struct companion *c)
{
	size_t len = strlen(c->name) + 1;
	char *name = arena_alloc(s->report->arena, len, 1);

	if (!name)
		return false;
	memcpy(name, c->name, len);
	*out = (struct report_companion){ name, c->state, c->source.io.size, c->source.trouble,
					  c->source.trouble_at };
	return true;
}

static bool keep_companions(struct session *s)
{
	struct decode *d = &s->decode;
	struct report *r = s->report;
	struct report_companion *list = arena_alloc(r->arena, d->n_companions, sizeof *list);

	r->companions = list;
	for (struct companion *c = d->companions; c; c = c->next) {
		if (c->state == COMPANION_OPEN)
			source_finish(&c->source);
		if (!list || !keep_companion(s, &list[r->n_companions], c))
			return false;
		r->n_companions++;
	}
	return true;
}

void session_leave_companions(struct session *s)
{
	if (s->decode.companions && !keep_companions(s))
		s->run.no_memory = true;
	decode_close(&s->decode);
}

void session_release(struct session *s)
{
	if (!source_forget(&s->source))
		return;
	s->facts = NULL;
	arena_free(&s->arena);
}

static bool is_troubled(const struct report *r)
{
	for (size_t i = 0; i < r->n_companions; i++)
		if (companion_is_refused(r->companions[i].state) ||
		    r->companions[i].trouble != SOURCE_FINE)
			return true;
	return false;
}

static void note_stop(struct run *r, const struct group *g)
{
	switch (g->why) {
	case STOP_LIMIT:
		if (g->limit != LIMIT_work || (!r->cancelled && !r->late))
			r->reached[g->limit] = true;
		return;
	case STOP_MEMORY: /* of a worker, perhaps, whose arena is its own */
		r->no_memory = true;
		return;
	case STOP_INPUT: /* likewise */
		r->unreadable = r->unreadable || (!r->changed && !is_troubled(r->report));
		return;
	default:
		return;
	}
}

static void fill_run(struct session *s)
{
	struct run *r = &s->run;

	source_finish(&s->source);
	session_leave_companions(s);
	r->report = s->report;
	r->format = s->format;
	r->unreadable = r->unreadable || s->source.trouble == SOURCE_UNREADABLE;
	r->changed = s->source.trouble == SOURCE_CHANGED;
	r->trouble_at = s->source.trouble_at;
	/* mutant: a loss is forgotten */
	r->no_memory = session_memory_ended(s) || (s->lost && !MUTANT(22));
	r->cancelled = s->tree->work.interrupted == INTERRUPTED_CANCELLED;
	r->late = r->late || s->tree->work.interrupted == INTERRUPTED_TIME;
	r->timeout = s->tree->timeout;
	r->lacks = s->decode.lacks;
	r->n_lacks = s->decode.n_lacks;
	for (size_t g = 0; s->format && g < s->format->n_groups; g++)
		note_stop(r, &s->decode.groups[g]);
}

static bool holds_judged(const struct report *r)
{
	for (size_t i = 0; i < r->n_nested; i++)
		if (r->nested[i]->verdict != VERDICT_NOT_APPLICABLE)
			return true;
	return false;
}

/* The engine's own rules come last and are few: they have a work counter of their own, so that they
 * always run. */
static void evaluate_run(struct session *s)
{
	const struct engine *engine = s->tree->engine;
	struct work work = { .max = UINT64_MAX };
	const size_t offset = s->report->first_own - s->report->first_told;
	const struct comparison comparison = { &engine->reference, s->report };
	struct evaluation e = start_evaluation(s, &s->run, offset, &work);

	evaluate_rules(&e, &engine->run);
	/* Where work or memory ended, rules that explain may not have been asked, or are not known
	 * to have failed; which is said. */
	if (s->format && !work_ended(&s->tree->work) && !s->scratch.notes.lost)
		s->run.unexplained = verdict_unexplained(s->report, s->format, s->decode.groups);
	if (s->format && !s->run.unexplained && !report_is_doubted(s->report))
		s->run.unexplained = s->run.copy_of
					     ? "files inside"
					     : verdict_gap(s->report, s->format, s->decode.groups);
	s->run.nothing_judged = is_wanted(s) && s->idle && !s->run.unexplained &&
				!report_is_doubted(s->report) && !holds_judged(s->report);
	evaluate_rules(&e, &engine->last);
	if (s->format && engine->reference.n > 0 &&
	    !reference_evaluate(&e, &engine->compare, &comparison))
		e.check.lost = true;
	if (!e.check.lost || s->run.no_memory)
		return;
	/* Memory ended only now, so RUN005 was asked too early. */
	s->run.no_memory = true;
	evaluate_rules(&e, &engine->run);
}

/* What the files around it hold may have grown while it was checked. */
static uint64_t beneath(const struct session *s)
{
	const struct session *outer = s->outer;
	const uint64_t now = outer ? outer->beneath + outer->arena.held : 0;

	return now > s->beneath ? now : s->beneath;
}

void session_discard(struct session *s)
{
	struct tree *t = s->tree;

	decode_close(&s->decode);
	s->beneath = beneath(s);
	if (s->beneath + s->arena.peak > t->peak)
		t->peak = s->beneath + s->arena.peak;
	if (!MUTANT(21) || !s->arena.refused) /* mutant: leaks where memory ended */
		arena_free(&s->arena);
}

/* Nothing is judged more widely than what lies in it. */
static void settle_scope(struct session *s)
{
	struct report *r = s->report;

	for (size_t i = 0; i < r->n_nested; i++)
		scope_add(&r->scope, &r->nested[i]->scope);
	scope_settle(&r->scope, &s->tree->engine->profile);
}

bool session_close(struct session *s)
{
	struct report *r = s->report;
	bool listed;

	/* what the engine's own rules say is little, and must be said */
	r->arena->budget = UINT64_MAX;
	fill_run(s);
	if (s->format || s->depth > 0 || is_wanted(s) || is_disturbed(s))
		evaluate_run(s);
	if (!report_is_doubted(r) && (s->idle || !s->format))
		r->verdict = VERDICT_NOT_APPLICABLE;
	settle_scope(s);
	listed = r->verdict == VERDICT_NOT_APPLICABLE ||
		 unjudged_list(r, &s->run, s->decode.groups);
	session_discard(s);
	r->memory = s->arena.peak;
	return listed && verdict_finish(r) && report_keep_results(r, s->tree, s->number);
}

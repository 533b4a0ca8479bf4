/* Calls that check: through every kind of input, with hooks and faults, and the same answer by
 * every way. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "support/must.h"
#include "targets/api_calls.h"
#include "targets/api_look.h"

/* ---- Hooks ----------------------------------------------------------------------------------- */

/* What a callback saw. */
struct seen {
	const uvet_finding *of[256];
	size_t n, stop_at;
};

static int see(void *ctx, const uvet_finding *finding)
{
	struct seen *s = ctx;

	MUST(s->n < s->stop_at, "a callback that wants no more is not called");
	if (s->n < sizeof s->of / sizeof *s->of)
		s->of[s->n] = finding;
	return ++s->n == s->stop_at;
}

/* The findings came in the order of the reports. */
static void check_seen(const struct seen *s, const uvet_report *top)
{
	size_t n = 0;

	for (const uvet_report *r = top; r; r = uvet_report_next(top, r))
		for (size_t i = 0; i < uvet_report_count(r); i++, n++)
			MUST(n >= s->n || n >= sizeof s->of / sizeof *s->of ||
				     s->of[n] == uvet_report_at(r, i),
			     "findings come in their order");
	MUST(s->n == (n < s->stop_at ? n : s->stop_at),
	     "each finding is passed, up to the one that ends it");
}

/* ---- One check ------------------------------------------------------------------------------- */

/* A way to check the input of the world. */
enum way { WAY_MEMORY, WAY_IO, WAY_IO_ALONE, WAY_PATH, WAY_NOTHING, WAY_LOST, WAY_LATE, N_WAYS };

static uvet_status check(struct world *w, enum way way, const struct host_faults *faults,
			 const uvet_hooks *hooks, uvet_report **out)
{
	struct host *h = &w->host;
	const uvet_io io = host_io(h, faults, way == WAY_IO_ALONE);
	uvet_status status = UVET_OK;

	switch (way) {
	case WAY_MEMORY:
		return uvet_check_memory(w->engine, h->path, h->files[0].data, h->files[0].size,
					 hooks, out);
	case WAY_IO:
	case WAY_IO_ALONE:
		status = uvet_check_io(w->engine, h->path, &io, hooks, out);
		break;
	case WAY_PATH:
		host_lay(h);
		status = uvet_check_path(w->engine, h->path, hooks, out);
		host_clear(h);
		break;
	case WAY_NOTHING:
		return uvet_check_io(w->engine, h->path, NULL, hooks, out);
	case WAY_LOST:
		return uvet_check_lost(w->engine, h->path, 0, out);
	default:
		return uvet_check_lost(w->engine, h->path, 1 + calls_number(&w->calls) % UINT32_MAX,
				       out);
	}
	MUST(host_is_closed(h), "what a check opens is closed");
	return status;
}

/* What the circumstances say of a verdict. */
static void check_doubts(const struct world *w, enum way way, const uvet_hooks *hooks,
			 const uvet_report *r)
{
	const uvet_verdict verdict = uvet_report_verdict(r);
	const bool passes = verdict == UVET_VALID || verdict == UVET_NOT_APPLICABLE;

	MUST(strcmp(uvet_report_name(r), w->host.path) == 0, "a report has the input's name");
	if (way == WAY_NOTHING || way == WAY_LOST || way == WAY_LATE) {
		MUST(verdict == UVET_UNDETERMINED && uvet_report_nested_count(r) == 0,
		     "nothing can be said of what was not looked at");
		MUST(look_says(r, way == WAY_NOTHING ? "unreadable"
				  : way == WAY_LOST  ? "worker"
						     : "time"),
		     "the reason is told");
		return;
	}
	if (hooks && hooks->cancellation && w->is_cancelled)
		MUST(verdict == UVET_UNDETERMINED && look_says(r, "cancelled"),
		     "a check that was cancelled before it began judges nothing");
	if (w->memory.refused)
		MUST(!passes && look_says(r, "memory"), "memory that ended is told");
	if (atomic_load(&w->host.failed))
		MUST(!passes && (look_says(r, "unreadable") || look_says(r, "cancelled") ||
				 look_says(r, "time")),
		     "a read that failed is told");
	if (atomic_load(&w->host.cancelled))
		MUST(!passes || !look_says(r, "cancelled"), "a check that was cut never passes");
	if (w->host.faults.changes && (way == WAY_IO || way == WAY_IO_ALONE))
		MUST(!passes, "an input that changed never passes");
	if (!w->timed && !(hooks && hooks->timeout_ms == 1))
		MUST(!look_says(r, "time"), "a time that is not over ends nothing");
}

static void keep(struct world *w, uvet_report *r)
{
	uvet_report **slot = &w->reports[w->next_report++ % REPORTS_MAX];

	uvet_report_free(*slot);
	*slot = r;
}

static void draw_hooks(struct world *w, uvet_hooks *hooks, struct seen *seen)
{
	static const uint64_t times[] = { 0, 0, 1, 3600000, UINT64_MAX, 0 };
	const uint8_t kind = calls_next(&w->calls);

	*hooks = (uvet_hooks){ .struct_size = sizeof(uvet_hooks),
			       .timeout_ms = times[kind / 16 % 6] };
	if (kind & 1) {
		*seen = (struct seen){ .stop_at = kind & 2 ? 1 + calls_next(&w->calls) % 8
							   : SIZE_MAX };
		hooks->on_finding = see;
		hooks->ctx = seen;
	}
	if (kind & 4)
		hooks->cancellation = w->cancellation;
}

static void draw_faults(struct world *w, struct host_faults *faults)
{
	const uint8_t kind = calls_next(&w->calls);

	*faults = (struct host_faults){ .fail_at = UINT64_MAX, .cancel_at = UINT64_MAX };
	if (kind & 1)
		faults->portions = 1 + calls_next(&w->calls);
	if (kind % 16 / 2 == 1)
		faults->fail_at = calls_next(&w->calls) % 32;
	if (kind % 16 / 2 == 2 && w->cancellation) {
		faults->cancel_at = calls_next(&w->calls) % 32;
		faults->cancellation = w->cancellation;
	}
	faults->changes = kind % 16 / 2 == 3;
	if (kind % 16 / 2 == 4)
		w->memory.fail_at = w->memory.n_asked + calls_next(&w->calls) % 64;
	w->memory.forever = kind / 16 % 2;
}

/* A report holds what its allocator gave for it, and nothing else of a check is left. */
static void check_held(const struct world *w, const uvet_report *r, uint64_t live)
{
	MUST(w->memory.live - live == uvet_report_held(r),
	     "a report holds what is left of a check");
	MUST(uvet_report_memory(r) >= uvet_report_held(r), "a check held what its report holds");
}

void call_check(struct world *w)
{
	static struct seen seen;
	const enum way way = (enum way)(calls_next(&w->calls) % N_WAYS);
	struct host_faults faults;
	uvet_report *r = NULL;
	uvet_hooks hooks;
	uvet_status status;
	uint64_t live;

	if (!world_pays(w, PRICE_CHECK))
		return;
	world_engine(w);
	draw_hooks(w, &hooks, &seen);
	draw_faults(w, &faults);
	live = w->memory.live;
	status = check(w, way, &faults, &hooks, &r);
	w->memory.fail_at = MEMORY_NEVER;
	MUST((status == UVET_OK) == (r != NULL), "a call that worked returns a report");
	MUST(status == UVET_OK || (status == UVET_NO_MEMORY && w->memory.refused),
	     "only memory keeps a check from its report");
	if (r) {
		check_held(w, r, live);
		check_doubts(w, way, &hooks, r);
		if (hooks.on_finding && way < WAY_LOST)
			check_seen(&seen, r);
		keep(w, r);
	} else {
		MUST(w->memory.live == live, "a check without a report leaves nothing");
	}
	w->memory.refused = false;
	w->is_cancelled = w->is_cancelled || atomic_load(&w->host.cancelled);
}

/* ---- The same by every way ------------------------------------------------------------------- */

/* A report as JSON, by an engine of its own, whose limits are the standard and which is made
 * once. */
static void write_report(const uvet_report *r, struct capture *p)
{
	static uvet_engine *engine;
	uvet_writer *writer = NULL;

	p->n = 0;
	MUST(engine || uvet_engine_new(NULL, &engine) == UVET_OK, "an engine can be made");
	MUST(uvet_writer_new(engine, &writer) == UVET_OK, "a writer can be made");
	MUST(uvet_writer_output(writer, "json", capture_sink, p) == UVET_OK &&
		     uvet_writer_add(writer, r) == UVET_OK,
	     "a report can be written");
	MUST(uvet_writer_end(writer) == UVET_OK, "a report can be written");
	uvet_writer_free(writer);
}

static void compare(struct world *w, enum way way, const struct host_faults *faults,
		    struct capture *p)
{
	uvet_report *r = NULL;

	MUST(check(w, way, faults, NULL, &r) == UVET_OK && r, "a check returns a report");
	write_report(r, p);
	keep(w, r);
}

/* What came of a set: the report of the input, which is its last source. */
struct taken {
	size_t n, last;
	uvet_report *input;
	bool reported[BUNDLE_PARTS];
};

static int take_report(void *ctx, size_t index, uvet_report *report)
{
	struct taken *t = ctx;

	MUST(report && index <= t->last, "each report is one of a source");
	MUST(!t->reported[index], "a source has one report at most");
	t->n++;
	t->reported[index] = true;
	MUST(index == t->last || t->input, "parts come last");
	if (index == t->last)
		t->input = report;
	else
		uvet_report_free(report);
	return 0;
}

/* A part that a check looked for has no report of its own. */
static void check_parts(const struct taken *t, const struct host_set *set)
{
	const char *companion;

	for (size_t i = 0; (companion = uvet_report_companion_at(t->input, i)) != NULL; i++)
		for (size_t k = 0; k < t->last; k++)
			MUST(!t->reported[k] ||
				     strcmp(strrchr(set->names[k], '/') + 1, companion) != 0,
			     "a part belongs to its container");
}

static void compare_set(struct world *w, struct capture *p)
{
	static struct host_set set;
	struct taken taken = { .n = 0 };
	uvet_status status;

	host_begin_set(&w->host, &set);
	taken.last = set.n - 1;
	status = uvet_check_set(w->engine, set.names, set.ios, set.n, NULL, take_report, &taken);
	host_end_set(&w->host, &set);
	MUST(status == UVET_OK || (w->low && status == UVET_NO_MEMORY && taken.n == 0),
	     "only too little memory for the names keeps a set from being checked");
	if (status != UVET_OK)
		return;
	MUST(taken.input, "what is no part has a report");
	check_parts(&taken, &set);
	write_report(taken.input, p);
	keep(w, taken.input);
}

/* Windows cost memory and work that bytes in memory do not. A check by its path reads the same
 * bytes as one through callbacks, in the same portions, and finds the same files. */
void call_compare(struct world *w)
{
	static struct capture by_path, by_io, by_set, by_memory;
	const uint8_t kind = calls_next(&w->calls);
	const struct host_faults portions = { .portions = 1 + kind,
					      .fail_at = UINT64_MAX,
					      .cancel_at = UINT64_MAX };

	world_engine(w);
	if (w->timed || !world_pays(w, PRICE_COMPARE))
		return;
	if (kind % 2) {
		compare(w, WAY_PATH, NULL, &by_path);
		compare(w, WAY_IO, NULL, &by_io);
		MUST(capture_is_same(&by_path, &by_io),
		     "a file is judged alike by its path and through callbacks");
		compare_set(w, &by_set);
		MUST(w->low || capture_is_same(&by_set, &by_io),
		     "a file is judged alike in a set and through callbacks");
	}
	if (w->low)
		return;
	compare(w, WAY_IO_ALONE, kind % 4 / 2 ? &portions : NULL, &by_io);
	compare(w, WAY_MEMORY, NULL, &by_memory);
	MUST(capture_is_same(&by_memory, &by_io),
	     "a file is judged alike in memory and through callbacks");
}

/* ---- Reports --------------------------------------------------------------------------------- */

void call_look(struct world *w)
{
	uvet_report *r = world_report(w);

	if (r)
		look_at(r, calls_next(&w->calls));
}

void call_free(struct world *w)
{
	uvet_report **slot = &w->reports[calls_next(&w->calls) % REPORTS_MAX];

	uvet_report_free(*slot);
	*slot = NULL;
}

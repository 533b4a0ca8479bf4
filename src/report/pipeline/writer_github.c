/* The github report: workflow commands, which GitHub turns into annotations, severest first,
 * and a line that sums up. Accepted findings are in that line alone. */
#include "report/describe.h"
#include "report/pipeline/told.h"

/* GitHub shows ten annotations of a kind for each step; all stand in the log. */
enum { SHOWN_MAX = 10 };

/* The kinds, in their order. What could not be judged fails a step, and so it is an error. */
enum { KIND_ERROR, KIND_UNJUDGED, KIND_WARNING, KIND_NOTE, N_KINDS };

static const char *const commands[N_KINDS] = { "error", "error", "warning", "notice" };

/* What has to wait until all files are judged. */
struct waiting {
	struct kind {
		struct deferred lines;
		struct out out;
		uint64_t n;
	} of[N_KINDS];
};

static void begin(struct writer *w)
{
	struct waiting *waiting = arena_alloc(w->deferred.arena, 1, sizeof *waiting);

	w->own = waiting;
	if (!waiting) {
		w->deferred_out.failed = true;
		return;
	}
	for (size_t i = 0; i < N_KINDS; i++) {
		struct kind *kind = &waiting->of[i];

		kind->n = 0;
		deferred_init(&kind->lines, w->deferred.arena);
		out_init(&kind->out, deferred_sink, &kind->lines);
	}
}

static size_t kind_of(enum severity s)
{
	switch (s) {
	case SEVERITY_ERROR:
		return KIND_ERROR;
	case SEVERITY_UNDETERMINED:
		return KIND_UNJUDGED;
	case SEVERITY_WARNING:
		return KIND_WARNING;
	default:
		return KIND_NOTE;
	}
}

static void write_message(struct out *o, const struct writer *w, const struct told *t)
{
	struct out text;

	told_render(&text, w, t);
	escape_write(o, ESCAPE_COMMAND_MESSAGE, text.buf, text.n);
	if (!entry_has_path(t->entry)) {
		out_string(o, " [in ");
		escape_string(o, ESCAPE_COMMAND_MESSAGE, t->entry->report->name);
		out_byte(o, ']');
	}
	if (told_has_fix(t)) {
		out_string(o, "%0A");
		told_fix(o, ESCAPE_COMMAND_MESSAGE, t);
	}
}

static void write_told(struct kind *kind, const char *command, const struct writer *w,
		       const struct told *t)
{
	struct out *o = &kind->out;

	kind->n++;
	out_string(o, "::");
	out_string(o, command);
	out_string(o, " file=");
	told_path(o, ESCAPE_COMMAND, t);
	out_string(o, ",title=");
	out_string(o, told_rule(t));
	out_byte(o, ' ');
	out_string(o, told_name(t));
	out_string(o, "::");
	write_message(o, w, t);
	out_byte(o, '\n');
}

static void add(struct writer *w, const struct entry *e)
{
	struct waiting *waiting = w->own;
	const size_t n = told_count(e);

	for (size_t i = 0; waiting && i < n; i++) {
		const struct told t = told_at(e, n, i);
		const size_t kind = kind_of(t.severity);

		if (!t.reason)
			write_told(&waiting->of[kind], commands[kind], w, &t);
	}
}

static void write_summary(struct out *o, const struct totals *t)
{
	out_string(o, "uvet: ");
	totals_describe(o, t);
	out_string(o, "; ");
	describe_found(o, t->n_found);
	describe_accepted(o, t->n_accepted);
	if (totals_cut(t))
		out_string(o, ", not all of them shown");
}

static bool is_crowded(const struct waiting *waiting)
{
	const uint64_t n_errors = waiting->of[KIND_ERROR].n + waiting->of[KIND_UNJUDGED].n;

	return n_errors > SHOWN_MAX || waiting->of[KIND_WARNING].n > SHOWN_MAX ||
	       waiting->of[KIND_NOTE].n > SHOWN_MAX;
}

static void end(struct writer *w, const struct totals *t)
{
	struct waiting *waiting = w->own;

	for (size_t i = 0; waiting && i < N_KINDS; i++) {
		out_flush(&waiting->of[i].out);
		w->deferred_out.failed = w->deferred_out.failed || waiting->of[i].out.failed;
		deferred_write(&waiting->of[i].lines, &w->out);
	}
	write_summary(&w->out, t);
	if (waiting && is_crowded(waiting))
		out_string(&w->out, "; GitHub shows 10 annotations of a kind, this log has all");
	out_byte(&w->out, '\n');
}

const struct writer_type writer_github = {
	.name = "github", .begin = begin, .add = add, .end = end
};

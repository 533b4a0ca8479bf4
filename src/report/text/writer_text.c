/* The text report: for people who read it in a terminal or a log. */
#include "report/writer.h"

#include <string.h>

#include "report/describe.h"
#include "report/escape.h"
#include "report/text/hexdump.h"
#include "report/message.h"

/* Styles are SGR codes: bold, and a colour of the basic eight. */
static const char *const verdict_styles[] = { "\x1b[1;32m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[1m" };
static const char *const severity_styles[] = { "\x1b[1m", "\x1b[1;36m", "\x1b[1;33m", "\x1b[1;35m",
					       "\x1b[1;31m" };

static void write_styled(struct writer *w, const char *style, const char *words)
{
	if (w->type->color)
		out_string(&w->out, style);
	out_string(&w->out, words);
	if (w->type->color)
		out_string(&w->out, "\x1b[0m");
}

static void write_name(struct writer *w, const struct report *r)
{
	escape_string(&w->out, ESCAPE_TERMINAL, r->name);
}

/* The files beside it that were read for it. */
static void write_companions(struct out *o, const struct report *r)
{
	uint64_t n = 0, size = 0;

	for (size_t i = 0; i < r->n_companions; i++) {
		n += r->companions[i].state == COMPANION_OPEN;
		size += r->companions[i].state == COMPANION_OPEN ? r->companions[i].size : 0;
	}
	if (n == 0)
		return;
	out_string(o, " and ");
	out_dec(o, size);
	out_string(o, " in ");
	out_count(o, n, "file");
	out_string(o, " beside it");
}

static void write_head(struct writer *w, const struct report *r)
{
	struct out *o = &w->out;

	write_styled(w, verdict_styles[r->verdict], describe_verdict(r->verdict));
	describe_scope(o, &r->scope);
	out_string(o, "  ");
	write_name(w, r);
	out_string(o, "   ");
	describe_kind(o, r);
	if (r->format || r->size > 0) {
		out_string(o, ", ");
		out_count(o, r->size, "byte");
		write_companions(o, r);
	}
	describe_counts(o, r);
	if (r->unread > 0) {
		out_string(o, ", ");
		out_count(o, r->unread, "byte");
		out_string(o, " not read");
	}
	out_byte(o, '\n');
}

/* What happened and what to do stand right below the verdict. */
static void write_diagnosis(struct writer *w, const struct report *r)
{
	const struct diagnosis *d = &r->diagnosis;
	struct out *o = &w->out;

	if (!d->kind)
		return;
	out_string(o, d->confidence == CONFIDENCE_CERTAIN ? "Cause: " : "Most likely: ");
	message_write_diagnosis(o, d);
	out_string(o, ". ");
	out_string(o, d->kind->player);
	out_string(o, "\n   = for the author: ");
	out_string(o, d->kind->author);
	out_byte(o, '\n');
}

/* The reasons come before all findings. */
static void write_unjudged(struct writer *w, const struct report *r)
{
	for (size_t i = 0; i < r->n_unjudged; i++) {
		out_string(&w->out, "   = not judged: ");
		describe_unjudged(&w->out, &r->unjudged[i], &w->engine->limits);
		out_byte(&w->out, '\n');
	}
}

/* Which nested file is to blame for the verdict. */
static void write_inside(struct writer *w, const struct report *r)
{
	if (!r->inside)
		return;
	out_string(&w->out, "   = inside: ");
	write_name(w, r->inside);
	out_string(&w->out, " is ");
	out_string(&w->out, verdict_name(r->inside->verdict));
	out_byte(&w->out, '\n');
}

static void write_traits(struct out *o, const struct diagnosis *d, const struct rule *rule)
{
	bool security = diagnosis_class(d, rule) == CLASS_SECURITY,
	     heuristic = rule->flags & RULE_HEURISTIC;

	if (security && heuristic)
		out_string(o, "   (security, heuristic)");
	else if (security)
		out_string(o, "   (security)");
	else if (heuristic)
		out_string(o, "   (heuristic)");
}

static void write_place(struct writer *w, const struct report *r, const struct place *p,
			const char *words)
{
	struct out *o = &w->out;

	if (!p->known)
		return;
	out_string(o, "  --> ");
	if (p->file > 0)
		escape_string(o, ESCAPE_TERMINAL, report_file(r, p->file));
	else
		write_name(w, r);
	out_string(o, " @ ");
	out_address(o, p->span.at);
	out_string(o, " +");
	out_dec(o, p->span.len);
	if (message_has_field(p)) {
		out_string(o, "  ");
		message_field(o, p);
	}
	if (words) {
		out_string(o, "  ");
		out_string(o, words);
	}
	out_byte(o, '\n');
}

static void write_advice(struct out *o, const char *label, const char *words)
{
	out_string(o, "   = ");
	out_string(o, label);
	out_string(o, words);
	out_byte(o, '\n');
}

static void write_first_line(struct writer *w, const struct report *r, const struct finding *f)
{
	struct out *o = &w->out;

	write_styled(w, severity_styles[f->severity], severity_name(f->severity));
	out_byte(o, '[');
	out_string(o, f->rule->id);
	out_string(o, "] ");
	out_string(o, f->rule->name);
	out_string(o, "  ");
	message_write(o, f);
	write_traits(o, &r->diagnosis, f->rule);
	out_byte(o, '\n');
}

/* The reason and the fix are written once for each rule. */
static void write_finding(struct writer *w, const struct report *r, const struct finding *f,
			  bool is_first)
{
	out_byte(&w->out, '\n');
	write_first_line(w, r, f);
	write_place(w, r, &f->place, NULL);
	hexdump_write(&w->out, f);
	for (size_t i = 0; i < f->n_related; i++)
		write_place(w, r, &f->related[i].place, f->related[i].words);
	/* what a rule says of attackers is not said of what an accident explains */
	if (is_first && diagnosis_class(&r->diagnosis, f->rule) == f->rule->class) {
		write_advice(&w->out, "", f->rule->why);
		write_advice(&w->out, "help: ", f->rule->fix);
	}
}

/* A reason that is none of the engine's own is the name of a group of facts that is missing. */
static void write_reason(struct out *o, const char *reason)
{
	static const char *const own[][2] = {
		{ "level", "the level does not ask for it" },
		{ "work", "the work limit was reached" },
		{ "memory", "memory ended" },
		{ "version", "nobody measured it in this version" },
		{ "codec", "this build cannot decode it" },
		{ "companion", "no file beside the input was looked for" },
		{ "key", "no key opens it" },
	};

	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		if (strcmp(reason, own[i][0]) == 0) {
			out_string(o, own[i][1]);
			return;
		}
	}
	out_string(o, "needs ");
	out_string(o, reason);
}

/* Rules that were not evaluated for one reason, from the first of them on. */
struct unchecked {
	const char *reason; /* NULL: any other */
	size_t first, n;
};

/* A report has one string for each reason, so that pointers can be compared. */
static bool is_unchecked(const struct report *r, const struct unchecked *u, size_t i)
{
	return r->results.status[i] == RULE_NOT_EVALUATED &&
	       (!u->reason || results_reason(&r->results, i) == u->reason);
}

/* How many rules are named at most; of more only their number is written. */
enum { NAMED_MAX = 12 };

static void write_unchecked(struct out *o, const struct report *r, const struct unchecked *u)
{
	const char *before = "not checked: ";

	if (u->n > NAMED_MAX) {
		out_string(o, before);
		out_count(o, u->n, "rule");
	}
	for (size_t i = u->first; u->n <= NAMED_MAX && i < r->n_rules; i++) {
		if (!is_unchecked(r, u, i))
			continue;
		out_string(o, before);
		out_string(o, r->rules[i]->id);
		before = ", ";
	}
	if (u->reason) {
		out_string(o, " (");
		write_reason(o, u->reason);
		out_byte(o, ')');
	}
	out_byte(o, '\n');
}

/* One line for each reason; at most NOT_CHECKED_LINES, and the rest together. */
enum { NOT_CHECKED_LINES = 16 };

/* Counts rule i by its reason. It returns how many reasons there are; the last of them is for the
 * rest. */
static size_t count_unchecked(const struct report *r, struct unchecked *list, size_t n, size_t i)
{
	size_t k = 0;

	while (k < n && !is_unchecked(r, &list[k], i))
		k++;
	if (k == n) {
		list[k] = (struct unchecked){ k < NOT_CHECKED_LINES ? results_reason(&r->results, i)
								    : NULL,
					      i, 0 };
		n++;
	}
	list[k].n++;
	return n;
}

static void write_not_checked(struct out *o, const struct report *r)
{
	UVET_FILLED_LATER struct unchecked list[NOT_CHECKED_LINES + 1];
	size_t n = 0;

	for (size_t i = 0; i < r->n_rules; i++)
		if (r->results.status[i] == RULE_NOT_EVALUATED)
			n = count_unchecked(r, list, n, i);
	if (n > 0)
		out_byte(o, '\n');
	for (size_t k = 0; k < n; k++)
		write_unchecked(o, r, &list[k]);
}

static bool is_one_line(const struct report *r)
{
	uint64_t n = r->n_found[SEVERITY_NOTE] + r->n_found[SEVERITY_WARNING] +
		     r->n_found[SEVERITY_UNDETERMINED] + r->n_found[SEVERITY_ERROR];

	return n == 0 && (r->verdict == VERDICT_VALID || r->verdict == VERDICT_NOT_APPLICABLE);
}

static void add(struct writer *w, const struct entry *e)
{
	const struct report *r = e->report;
	const struct rule *last = NULL;

	write_head(w, r);
	write_diagnosis(w, r);
	write_unjudged(w, r);
	write_inside(w, r);
	if (is_one_line(r))
		return;
	for (size_t i = 0; i < e->n_shown; i++) {
		write_finding(w, r, r->findings[i], r->findings[i]->rule != last);
		last = r->findings[i]->rule;
	}
	describe_omitted(&w->out, r, e->n_shown, "... ", " not shown\n");
	write_not_checked(&w->out, r);
	out_byte(&w->out, '\n');
}

/* What the verdicts of valid files do not cover, and how many files that concerns. */
static void write_narrow(struct out *o, const struct totals *t)
{
	if (t->n_narrow == 0)
		return;
	if (t->n_narrow < t->n_verdicts[VERDICT_VALID]) {
		out_string(o, ", ");
		out_dec(o, t->n_narrow);
		out_string(o, " of them");
	}
	describe_scope(o, &t->valid_scope);
}

static void write_files(struct out *o, const struct totals *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < N_VERDICTS; i++)
		n += t->n_verdicts[i];
	out_count(o, n, "file");
	out_string(o, ": ");
	if (t->n_verdicts[VERDICT_VALID] > 0) {
		out_dec(o, t->n_verdicts[VERDICT_VALID]);
		out_string(o, " valid");
		write_narrow(o, t);
		out_string(o, ", ");
	}
	out_dec(o, t->n_verdicts[VERDICT_INVALID]);
	out_string(o, " invalid, ");
	out_dec(o, t->n_verdicts[VERDICT_UNDETERMINED]);
	out_string(o, " undetermined");
	if (t->n_verdicts[VERDICT_NOT_APPLICABLE] > 0) {
		out_string(o, ", ");
		out_dec(o, t->n_verdicts[VERDICT_NOT_APPLICABLE]);
		out_string(o, " not applicable");
	}
	out_byte(o, '.');
}

/* Rules that the profile takes away are never silently missing. */
static void write_off(struct writer *w)
{
	uint64_t n_off = 0;

	for (size_t i = 0; i < w->engine->n_rules; i++)
		n_off += !profile_counts(&w->engine->profile, i);
	if (n_off == 0)
		return;
	out_string(&w->out, ", ");
	out_count(&w->out, n_off, "rule");
	out_string(&w->out, " off");
}

static void write_left_out(struct out *o, const struct left_out *l)
{
	const struct {
		uint64_t n;
		const char *what;
	} of[] = {
		{ l->links, "link" },
		{ l->specials, "special file" },
		{ l->mounts, "folder" },
	};
	const char *before = "  Left out in folders: ";

	for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
		if (of[i].n == 0)
			continue;
		out_string(o, before);
		out_count(o, of[i].n, of[i].what);
		before = ", ";
	}
	if (l->mounts > 0)
		out_string(o, " on other file systems");
	if (l->links + l->specials + l->mounts > 0)
		out_byte(o, '.');
}

static void end(struct writer *w, const struct totals *t)
{
	struct out *o = &w->out;

	if (totals_judged(t) == 0) {
		write_styled(w, verdict_styles[t->verdict], describe_verdict(t->verdict));
		out_string(o, "  no file was judged\n");
	}
	write_files(o, t);
	if (totals_found(t) > 0) {
		out_string(o, "  ");
		describe_found(o, t->n_found);
		out_byte(o, '.');
	}
	if (totals_cut(t)) {
		out_string(o, "  Truncated: ");
		out_dec(o, t->n_shown);
		out_string(o, " shown.");
	}
	write_left_out(o, &t->left_out);
	out_string(o, "   ruleset ");
	out_string(o, w->tool.ruleset);
	write_off(w);
	if (t->worst) {
		out_string(o, "   uvet explain ");
		out_string(o, t->worst->id);
	}
	out_byte(o, '\n');
}

static void begin(struct writer *w)
{
	(void)w;
}

const struct writer_type writer_text = { .name = "text", .begin = begin, .add = add, .end = end };
const struct writer_type writer_text_color = {
	.name = "text-color", .color = true, .begin = begin, .add = add, .end = end
};

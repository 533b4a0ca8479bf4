/* The text report: for people who read it in a terminal or a log. */
#include "report/writer.h"

#include <string.h>

#include "report/describe.h"
#include "report/escape.h"
#include "report/message.h"
#include "report/text/findings.h"
#include "report/text/members.h"
#include "report/text/style.h"
#include "report/text/unchecked.h"

/* What a text report keeps for itself. */
struct page {
	struct line line; /* first: that is what styles take for its own */
	struct members members;
};

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

static void write_head(struct writer *w, const struct entry *e)
{
	const struct report *r = e->report;
	const uint64_t n_accepted = entry_all_accepted(e);
	const char *verdict = describe_verdict(r->verdict);
	struct out *o;

	style_verdict(w, r->verdict, verdict);
	o = style_line(w, STYLE_INDENT, strlen(verdict));
	describe_scope(o, &r->scope);
	out_string(o, "  ");
	escape_string(o, ESCAPE_TERMINAL, r->name);
	out_string(o, "   ");
	describe_kind(o, r);
	if (r->format && r->format->takes_sets) {
		out_string(o, ", ");
		out_count(o, r->n_companions, "file");
	} else if (r->format || r->size > 0) {
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
	if (n_accepted > 0) {
		out_string(o, ", ");
		out_count(o, n_accepted, "finding");
		out_string(o, " accepted");
	}
	style_end(w);
}

/* What happened and what to do stand right below the verdict. */
static void write_diagnosis(struct writer *w, const struct report *r)
{
	const struct diagnosis *d = r->diagnosis;
	struct out *o;

	if (!d)
		return;
	o = style_line(w, STYLE_INDENT, 0);
	out_string(o, d->confidence == CONFIDENCE_CERTAIN ? "Cause: " : "Most likely: ");
	message_write_diagnosis(o, d);
	out_string(o, ". ");
	out_string(o, d->kind->player);
	style_end(w);
	style_advice(w, "for the author: ", d->kind->author);
}

static void write_reason(struct writer *w, const struct unjudged *u)
{
	struct out *o = style_line(w, STYLE_INDENT, 0);

	out_string(o, "   = not judged: ");
	describe_unjudged(o, u, &w->engine->limits);
	style_end(w);
}

/* How many reasons are told where not all are asked for. */
enum { UNJUDGED_SHORT = 4 };

/* The reasons come before all findings. */
static void write_unjudged(struct writer *w, const struct report *r)
{
	const bool all = w->engine->verbose || r->n_unjudged <= UNJUDGED_SHORT;
	const size_t n = all ? r->n_unjudged : UNJUDGED_SHORT;

	for (size_t i = 0; i < n; i++)
		write_reason(w, &r->unjudged[i]);
	if (all)
		return;
	out_string(&w->out, "   = not judged: ");
	out_count(&w->out, r->n_unjudged - n, "more part");
	out_string(&w->out, r->n_unjudged - n == 1 ? "; -v shows it\n" : "; -v shows them\n");
}

/* Which nested file is to blame for the verdict. */
static void write_inside(struct writer *w, const struct report *r)
{
	struct out *o;

	if (!r->inside)
		return;
	o = style_line(w, STYLE_INDENT, 0);
	out_string(o, "   = inside: ");
	escape_string(o, ESCAPE_TERMINAL, r->inside->name);
	out_string(o, " is ");
	out_string(o, verdict_name(r->inside->verdict));
	style_end(w);
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
	struct page *page = w->own;
	struct view view;

	if (!page)
		return;
	if (e->report == e->top)
		members_end(&page->members, w);
	view = members_view(&page->members, w, e, !is_one_line(r));
	if (!view.is_shown)
		return;
	write_head(w, e);
	if (view.has_findings || r == e->top) {
		write_diagnosis(w, r);
		write_unjudged(w, r);
	}
	write_inside(w, r);
	if (!view.has_findings)
		return;
	findings_write(w, e, view.findings);
	unchecked_write(w, r);
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
static void write_off(struct out *o, const struct writer *w)
{
	uint64_t n_off = 0;

	for (size_t i = 0; i < w->engine->n_rules; i++)
		n_off += !profile_counts(&w->engine->profile, i);
	if (n_off == 0)
		return;
	out_string(o, ", ");
	out_count(o, n_off, "rule");
	out_string(o, " off");
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

/* An invalid file says by itself why the run fails. */
static void write_failing(struct out *o, const struct fail_on *f, const struct totals *t)
{
	if (!totals_fail(t) || t->n_failing[SEVERITY_ERROR] > 0)
		return;
	out_string(o, "  Fails: ");
	describe_found(o, t->n_failing);
	out_string(o, ", by --fail-on ");
	describe_fail_on(o, f);
	out_byte(o, '.');
}

static void write_totals(struct writer *w, const struct totals *t)
{
	struct out *o = style_line(w, STYLE_INDENT, 0);

	write_files(o, t);
	if (totals_found(t) > 0) {
		out_string(o, "  ");
		describe_found(o, t->n_found);
		describe_accepted(o, t->n_accepted);
		out_byte(o, '.');
	}
	write_failing(o, &w->engine->fail_on, t);
	if (totals_cut(t)) {
		out_string(o, w->engine->verbose ? "  Shown: " : "  Kept: ");
		out_dec(o, t->n_shown);
		out_string(o, " of ");
		out_count(o, totals_found(t), "finding");
		out_byte(o, '.');
	}
	write_left_out(o, &t->left_out);
	out_string(o, "   ruleset ");
	out_string(o, w->tool.ruleset);
	write_off(o, w);
	if (t->worst) {
		out_string(o, "   uvet explain ");
		out_string(o, t->worst->id);
	}
	style_end(w);
}

static void end(struct writer *w, const struct totals *t)
{
	struct page *page = w->own;

	if (!page)
		return;
	members_end(&page->members, w);
	if (totals_judged(t) == 0) {
		style_verdict(w, t->verdict, describe_verdict(t->verdict));
		out_string(&w->out, "  no file was judged\n");
	}
	write_totals(w, t);
}

/* Where memory ends the report is not written. */
static void begin(struct writer *w)
{
	struct page *page = arena_alloc(w->deferred.arena, 1, sizeof *page);

	w->own = page;
	if (page)
		page->members = (struct members){ .n_lines = 0 };
	else
		w->deferred_out.failed = true;
}

const struct writer_type writer_text = { .name = "text", .begin = begin, .add = add, .end = end };
const struct writer_type writer_text_color = {
	.name = "text-color", .color = true, .begin = begin, .add = add, .end = end
};

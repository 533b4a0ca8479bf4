/* The markdown report: for forums and comments on GitHub. A table of the files, and below it
 * what was found in each. Whatever a stranger chose stands in code spans, where nothing is a
 * link, a mention, HTML or the end of a cell. It is kept so short that a comment can hold it. */
#include "report/describe.h"
#include "report/message.h"
#include "report/writer.h"

#include <string.h>

/* A comment on GitHub has 65,536 characters; a row takes about 100, a finding 400. */
enum { SOUND_MAX = 50, ROWS_MAX = 150, FINDINGS_MAX = 80 };

struct counts {
	uint64_t n_sound, n_rows, n_left_out, n_findings;
};

static void begin(struct writer *w)
{
	struct counts *counts = arena_alloc(w->deferred.arena, 1, sizeof *counts);

	w->own = counts;
	if (!counts) {
		w->deferred_out.failed = true;
		return;
	}
	*counts = (struct counts){ 0 };
	out_string(&w->out, "## uvet report\n\n| verdict | file | format | findings |\n"
			    "| --- | --- | --- | --- |\n");
}

/* A code span needs something in it. */
static void write_name(struct out *o, const char *name)
{
	out_byte(o, '`');
	escape_string(o, ESCAPE_CODE, *name ? name : "\"\"");
	out_byte(o, '`');
}

static void write_code(struct out *o, const struct out *text)
{
	out_byte(o, '`');
	escape_write(o, ESCAPE_CODE_AGAIN, text->buf, text->n);
	out_byte(o, '`');
}

/* A message: what it quotes becomes code, quotes and all. */
static void write_prose(struct out *o, const struct out *text)
{
	const uint8_t *at = text->buf, *end = at + text->n, *stop;

	while (at < end) {
		stop = memchr(at, '"', (size_t)(end - at));
		stop = stop ? stop : end;
		escape_write(o, ESCAPE_MARKDOWN, at, (size_t)(stop - at));
		if (stop == end)
			return;
		at = memchr(stop + 1, '"', (size_t)(end - stop - 1));
		at = at ? at + 1 : end;
		out_byte(o, '`');
		escape_write(o, ESCAPE_CODE_AGAIN, stop, (size_t)(at - stop));
		out_byte(o, '`');
	}
}

/* ---- The table ------------------------------------------------------------------------------- */

static bool has_row(struct counts *c, const struct report *r)
{
	const bool is_sound = r->verdict == VERDICT_VALID || r->verdict == VERDICT_NOT_APPLICABLE;

	if (c->n_rows >= ROWS_MAX || (is_sound && c->n_sound >= SOUND_MAX)) {
		c->n_left_out++;
		return false;
	}
	c->n_rows++;
	c->n_sound += is_sound;
	return true;
}

static void write_row(struct out *o, const struct entry *e)
{
	const struct report *r = e->report;

	out_string(o, "| **");
	out_string(o, describe_verdict(r->verdict));
	out_string(o, "**");
	describe_scope(o, &r->scope);
	out_string(o, " | ");
	write_name(o, r->name);
	out_string(o, " | ");
	describe_format(o, r->format, r->version);
	out_string(o, " | ");
	describe_found(o, r->n_found);
	describe_accepted(o, entry_all_accepted(e));
	out_string(o, " |\n");
}

/* ---- What was found -------------------------------------------------------------------------- */

static void write_diagnosis(struct out *o, const struct diagnosis *d)
{
	struct out text;

	if (!d)
		return;
	out_init(&text, NULL, NULL);
	message_write_diagnosis(&text, d);
	out_string(o, d->confidence == CONFIDENCE_CERTAIN ? "**Cause:** " : "**Most likely:** ");
	write_prose(o, &text);
	out_string(o, ". ");
	escape_string(o, ESCAPE_MARKDOWN, d->kind->player);
	out_string(o, "\n\n");
}

static void write_unjudged(struct writer *w, const struct report *r)
{
	struct out text, *o = &w->deferred_out;

	for (size_t i = 0; i < r->n_unjudged; i++) {
		out_init(&text, NULL, NULL);
		describe_unjudged(&text, &r->unjudged[i], &w->engine->limits);
		out_string(o, "- not judged: ");
		write_code(o, &text);
		out_byte(o, '\n');
	}
	if (r->inside) {
		out_string(o, "- in it, ");
		write_name(o, r->inside->own_name);
		out_string(o, " is ");
		out_string(o, verdict_name(r->inside->verdict));
		out_byte(o, '\n');
	}
}

static void write_place(struct out *o, const struct report *r, const struct place *p)
{
	const char *file = report_file(r, p->file);

	if (*file) {
		out_string(o, ", in ");
		write_name(o, file);
	}
	if (!p->known)
		return;
	out_string(o, ", at `");
	out_address(o, p->span.at);
	out_byte(o, '+');
	out_dec(o, p->span.len);
	out_byte(o, '`');
	if (message_has_field(p)) {
		out_string(o, " (`");
		message_field(o, p);
		out_string(o, "`)");
	}
}

static void write_finding(struct out *o, const struct report *r, const struct finding *f,
			  const char *reason)
{
	struct out text;

	message_render(&text, f);
	out_string(o, "- **");
	out_string(o, severity_name(f->severity));
	out_string(o, "** ");
	out_string(o, f->rule->id);
	out_byte(o, ' ');
	out_string(o, f->rule->name);
	out_string(o, ": ");
	write_prose(o, &text);
	write_place(o, r, &f->place);
	if (reason) {
		out_string(o, "  \n  *Accepted:* `");
		escape_string(o, ESCAPE_CODE, reason);
		out_byte(o, '`');
	}
	if (report_advises(r, f)) {
		out_string(o, "  \n  *Fix:* ");
		escape_string(o, ESCAPE_MARKDOWN, f->rule->fix);
	}
	out_byte(o, '\n');
}

static void write_details(struct writer *w, struct counts *c, const struct entry *e)
{
	const struct report *r = e->report;
	struct out *o = &w->deferred_out;

	if (e->n_shown == 0 && r->n_unjudged == 0 && !r->inside)
		return;
	out_string(o, "\n### ");
	write_name(o, r->name);
	out_string(o, "\n\n");
	write_diagnosis(o, r->diagnosis);
	write_unjudged(w, r);
	for (size_t i = 0; i < e->n_shown; i++)
		if (c->n_findings++ < FINDINGS_MAX)
			write_finding(o, r, r->findings[i], entry_reason(e, i));
}

static void add(struct writer *w, const struct entry *e)
{
	struct counts *c = w->own;

	if (!c || !has_row(c, e->report))
		return;
	write_row(&w->out, e);
	if (c->n_findings < FINDINGS_MAX)
		write_details(w, c, e);
}

static void write_summary(struct out *o, const struct counts *c, const struct totals *t)
{
	uint64_t n_listed = c->n_findings < FINDINGS_MAX ? c->n_findings : FINDINGS_MAX;

	out_byte(o, '\n');
	if (c->n_left_out > 0) {
		out_count(o, c->n_left_out, "more file");
		out_string(o, " not listed here.\n\n");
	}
	totals_describe(o, t);
	out_string(o, ". ");
	describe_found(o, t->n_found);
	describe_accepted(o, t->n_accepted);
	if (totals_found(t) > n_listed) {
		out_string(o, "; ");
		out_dec(o, totals_found(t) - n_listed);
		out_string(o, " of these are not listed here");
	}
	out_string(o, ".\n");
}

static void end(struct writer *w, const struct totals *t)
{
	const struct counts *c = w->own;

	if (!c)
		return;
	write_summary(&w->out, c, t);
	out_flush(&w->deferred_out);
	deferred_write(&w->deferred, &w->out);
}

const struct writer_type writer_markdown = {
	.name = "markdown", .begin = begin, .add = add, .end = end
};

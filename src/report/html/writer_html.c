/* The html report: one page without scripts and without anything from elsewhere. A table of
 * the files, and below it what was found in each, with its bytes. Its elements are closed as in
 * XML, so that readers of either take it. */
#include <string.h>

#include "report/describe.h"
#include "report/html/html_map.h"
#include "report/html/style.h"
#include "report/markup.h"
#include "report/message.h"
#include "report/text/hexdump.h"
#include "report/writer.h"

static void begin(struct writer *w)
{
	out_string(&w->out,
		   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		   "style-src 'sha256-" HTML_STYLE_DIGEST "'; base-uri 'none'; "
		   "form-action 'none'\"/>\n"
		   "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
		   "<title>uvet report</title>\n<style>" HTML_STYLE "</style>\n</head>\n<body>\n"
		   "<h1>uvet report</h1>\n<table>\n<caption>Files</caption>\n<thead><tr>"
		   "<th scope=\"col\">Verdict</th><th scope=\"col\">File</th>"
		   "<th scope=\"col\">Format</th><th scope=\"col\">Findings</th></tr></thead>\n"
		   "<tbody>\n");
}

/* Text that is escaped as for a terminal. */
static void write_rendered(struct out *o, const struct out *text)
{
	escape_write(o, ESCAPE_MARKUP_AGAIN, text->buf, text->n);
}

static void write_paragraph(struct out *o, const char *label, const char *text)
{
	out_string(o, "<p><strong>");
	out_string(o, label);
	out_string(o, "</strong> ");
	escape_string(o, ESCAPE_MARKUP, text);
	out_string(o, "</p>\n");
}

/* ---- The table ------------------------------------------------------------------------------- */

static bool has_section(const struct entry *e)
{
	const struct report *r = e->report;

	return e->n_shown > 0 || r->n_unjudged > 0 || r->inside || r->diagnosis || r->outline;
}

static void write_verdict(struct out *o, const struct report *r)
{
	struct out text;

	out_init(&text, NULL, NULL);
	out_string(&text, describe_verdict(r->verdict));
	describe_scope(&text, &r->scope);
	out_string(o, "<strong class=\"");
	out_string(o, r->verdict == VERDICT_NOT_APPLICABLE ? "none" : verdict_name(r->verdict));
	out_string(o, "\">");
	write_rendered(o, &text);
	out_string(o, "</strong>");
}

static void write_row(struct out *o, const struct entry *e)
{
	const struct report *r = e->report;

	out_string(o, "<tr><td>");
	write_verdict(o, r);
	out_string(o, "</td><th scope=\"row\">");
	if (has_section(e)) {
		out_string(o, "<a href=\"#file-");
		out_dec(o, e->id);
		out_string(o, "\">");
	}
	escape_string(o, ESCAPE_MARKUP, r->name);
	out_string(o, has_section(e) ? "</a></th><td>" : "</th><td>");
	describe_format(o, r->format, r->version);
	out_string(o, "</td><td>");
	describe_found(o, r->n_found);
	describe_accepted(o, entry_all_accepted(e));
	out_string(o, "</td></tr>\n");
}

/* ---- A file ---------------------------------------------------------------------------------- */

static void write_diagnosis(struct out *o, const struct diagnosis *d)
{
	struct out text;

	if (!d)
		return;
	out_init(&text, NULL, NULL);
	message_write_diagnosis(&text, d);
	out_string(o, d->confidence == CONFIDENCE_CERTAIN ? "<p><strong>Cause:</strong> "
							  : "<p><strong>Most likely:</strong> ");
	write_rendered(o, &text);
	out_string(o, ".</p>\n");
	write_paragraph(o, "What to do:", d->kind->player);
	write_paragraph(o, "For the author:", d->kind->author);
}

static void write_unjudged(struct out *o, const struct writer *w, const struct report *r)
{
	struct out text;

	for (size_t i = 0; i < r->n_unjudged; i++) {
		out_init(&text, NULL, NULL);
		describe_unjudged(&text, &r->unjudged[i], &w->engine->limits);
		out_string(o, "<p><strong>Not judged:</strong> ");
		write_rendered(o, &text);
		out_string(o, "</p>\n");
	}
	if (r->inside) {
		out_string(o, "<p><strong>Inside:</strong> ");
		escape_string(o, ESCAPE_MARKUP, r->inside->own_name);
		out_string(o, " is ");
		out_string(o, verdict_name(r->inside->verdict));
		out_string(o, "</p>\n");
	}
}

static void write_place(struct out *o, const struct report *r, const struct place *p,
			const char *words)
{
	if (!p->known && !*report_file(r, p->file))
		return;
	out_string(o, "<p>");
	describe_path(o, ESCAPE_MARKUP, r, p->file);
	if (p->known) {
		out_string(o, " at ");
		out_address(o, p->span.at);
		out_string(o, ", ");
		out_count(o, p->span.len, "byte");
	}
	if (message_has_field(p)) {
		out_string(o, ", <code>");
		message_field(o, p);
		out_string(o, "</code>");
	}
	if (words) {
		out_string(o, ": ");
		escape_string(o, ESCAPE_MARKUP, words);
	}
	out_string(o, "</p>\n");
}

/* A line break is markup's own business; all else of a line is text. */
static void write_bytes(struct out *o, const struct finding *f)
{
	const uint8_t *at, *end, *stop;
	struct out text;

	out_init(&text, NULL, NULL);
	hexdump_write(&text, f);
	if (text.n == 0)
		return;
	out_string(o, "<pre>");
	for (at = text.buf, end = at + text.n; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (NEVER(!stop)) /* every line of a dump ends */
			break;
		escape_write(o, ESCAPE_MARKUP_AGAIN, at, (size_t)(stop - at));
		out_byte(o, '\n');
	}
	out_string(o, "</pre>\n");
}

static void write_message(struct out *o, const struct finding *f)
{
	struct out text;

	message_render(&text, f);
	write_rendered(o, &text);
}

static void write_finding(struct out *o, const struct report *r, const struct finding *f,
			  const char *reason)
{
	out_string(o, "<article>\n<h3><span class=\"");
	out_string(o, severity_name(f->severity));
	out_string(o, "\">");
	out_string(o, severity_name(f->severity));
	out_string(o, "</span> ");
	out_string(o, f->rule->id);
	out_byte(o, ' ');
	out_string(o, f->rule->name);
	out_string(o, "</h3>\n<p>");
	write_message(o, f);
	out_string(o, "</p>\n");
	write_place(o, r, &f->place, NULL);
	write_bytes(o, f);
	for (size_t i = 0; i < f->n_related; i++)
		write_place(o, r, &f->related[i].place, f->related[i].words);
	if (reason)
		write_paragraph(o, "Accepted:", reason);
	if (report_advises(r, f)) {
		write_paragraph(o, "Why:", f->rule->why);
		write_paragraph(o, "Fix:", f->rule->fix);
	}
	out_string(o, "</article>\n");
}

static void write_section(struct writer *w, const struct entry *e)
{
	const struct report *r = e->report;
	struct out *o = &w->deferred_out;

	out_string(o, "<section id=\"file-");
	out_dec(o, e->id);
	out_string(o, "\">\n<h2>");
	escape_string(o, ESCAPE_MARKUP, r->name);
	out_string(o, "</h2>\n<p>");
	write_verdict(o, r);
	out_string(o, ", ");
	out_count(o, r->size, "byte");
	out_string(o, "</p>\n");
	write_diagnosis(o, r->diagnosis);
	write_unjudged(o, w, r);
	html_map(o, e);
	for (size_t i = 0; i < e->n_shown; i++)
		write_finding(o, r, r->findings[i], entry_reason(e, i));
	describe_omitted(o, r, e->n_shown, "<p>", " not shown</p>\n");
	out_string(o, "</section>\n");
}

static void add(struct writer *w, const struct entry *e)
{
	write_row(&w->out, e);
	if (has_section(e))
		write_section(w, e);
}

static void end(struct writer *w, const struct totals *t)
{
	struct out *o = &w->out;

	out_string(o, "</tbody>\n</table>\n<p>");
	totals_describe(o, t);
	out_string(o, "; ");
	describe_found(o, t->n_found);
	describe_accepted(o, t->n_accepted);
	out_string(o, "</p>\n");
	out_flush(&w->deferred_out);
	deferred_write(&w->deferred, o);
	out_string(o, "<footer><p>uvet ");
	escape_string(o, ESCAPE_MARKUP, w->tool.version);
	out_string(o, ", ruleset ");
	escape_string(o, ESCAPE_MARKUP, w->tool.ruleset);
	out_string(o, "</p></footer>\n</body>\n</html>\n");
}

const struct writer_type writer_html = { .name = "html", .begin = begin, .add = add, .end = end };

/* The checkstyle report: the XML that Checkstyle writes and many tools read, one <file> a file
 * and one <error> for each thing that is told of it and that nobody accepts. A file inside another
 * is one of its own. */
#include "report/markup.h"
#include "report/pipeline/told.h"

/* What could not be judged is an error, so that no gate takes it for sound. */
static const char *level(enum severity s)
{
	return s == SEVERITY_NOTE ? "info" : s == SEVERITY_WARNING ? "warning" : "error";
}

static void begin(struct writer *w)
{
	out_string(&w->out, MARKUP_XML "<checkstyle version=\"8.0\">\n");
}

/* Readers want a line; a mod file has one. */
static void write_told(struct writer *w, const struct told *t)
{
	struct out *o = &w->out, text;

	told_render(&text, w, t);
	out_string(o, "<error line=\"1\"");
	markup_attribute(o, "severity", level(t->severity));
	out_string(o, " message=\"");
	escape_write(o, ESCAPE_MARKUP_AGAIN, text.buf, text.n);
	told_advice(o, ESCAPE_MARKUP, t);
	out_string(o, "\" source=\"uvet.");
	out_string(o, told_rule(t));
	out_string(o, "\"/>\n");
}

static void add(struct writer *w, const struct entry *e)
{
	const size_t n = told_count(e);
	struct told t;

	out_string(&w->out, "<file");
	markup_attribute(&w->out, "name", e->report->name);
	out_string(&w->out, ">\n");
	for (size_t i = 0; i < n; i++) {
		t = told_at(e, n, i);
		if (!t.reason)
			write_told(w, &t);
	}
	out_string(&w->out, "</file>\n");
}

static void end(struct writer *w, const struct totals *t)
{
	(void)t;
	out_string(&w->out, "</checkstyle>\n");
}

const struct writer_type writer_checkstyle = {
	.name = "checkstyle", .begin = begin, .add = add, .end = end
};

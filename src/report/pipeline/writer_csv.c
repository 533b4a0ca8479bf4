/* The csv report: RFC 4180, a row for each thing that is told of a file, and a header. What
 * explains the findings is a row like the others: columns stay as they are, and the first row of a
 * file says what happened to it. */
#include "report/describe.h"
#include "report/message.h"
#include "report/pipeline/told.h"

static void begin(struct writer *w)
{
	out_string(&w->out, "path,verdict,rule,name,severity,class,offset,length,field,message,fix,"
			    "fingerprint,accepted\r\n");
}

static void write_field(struct out *o, const char *s)
{
	out_string(o, ",\"");
	escape_string(o, ESCAPE_CSV, s);
	out_byte(o, '"');
}

static void write_place(struct out *o, const struct finding *f)
{
	if (!f || !f->place.known) {
		out_string(o, ",,,");
		return;
	}
	out_byte(o, ',');
	out_dec(o, f->place.span.at);
	out_byte(o, ',');
	out_dec(o, f->place.span.len);
	out_byte(o, ',');
	if (message_has_field(&f->place)) {
		out_byte(o, '"');
		message_field(o, &f->place);
		out_byte(o, '"');
	}
}

static void write_message(struct writer *w, const struct told *t)
{
	struct out text;

	if (t->finding)
		message_render(&text, t->finding);
	else
		told_render(&text, w, t);
	out_string(&w->out, ",\"");
	escape_write(&w->out, ESCAPE_CSV_AGAIN, text.buf, text.n);
	out_byte(&w->out, '"');
}

static void write_row(struct writer *w, const struct told *t)
{
	const struct finding *f = t->finding;
	struct out *o = &w->out;

	out_byte(o, '"');
	describe_path(o, ESCAPE_CSV, t->entry->report, f ? f->place.file : 0);
	out_byte(o, '"');
	write_field(o, verdict_name(t->entry->report->verdict));
	write_field(o, told_rule(t));
	write_field(o, told_name(t));
	write_field(o, severity_name(t->severity));
	write_field(o, told_class(t));
	write_place(o, f);
	write_message(w, t);
	out_string(o, ",\"");
	told_fix(o, ESCAPE_CSV, t);
	out_string(o, "\",");
	if (f)
		told_fingerprint(o, t);
	write_field(o, t->reason ? t->reason : "");
	out_string(o, "\r\n");
}

static void add(struct writer *w, const struct entry *e)
{
	const size_t n = told_count(e);
	struct told t;

	for (size_t i = 0; i < n; i++) {
		t = told_at(e, n, i);
		write_row(w, &t);
	}
}

static void end(struct writer *w, const struct totals *t)
{
	(void)w;
	(void)t;
}

const struct writer_type writer_csv = {
	.name = "csv", .fingerprints = true, .begin = begin, .add = add, .end = end
};

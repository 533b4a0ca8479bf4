/* The concise report: one line for each finding and one for each file, as editors and grep like
 * it. What explains the findings of a file stands before them. */
#include "report/describe.h"
#include "report/escape.h"
#include "report/message.h"
#include "report/writer.h"

static void write_finding(struct out *o, const struct finding *f, const char *reason)
{
	out_string(o, severity_name(f->severity));
	out_byte(o, '[');
	out_string(o, f->rule->id);
	out_string(o, "] ");
	message_write(o, f);
	if (reason) {
		out_string(o, " [accepted: ");
		escape_string(o, ESCAPE_TERMINAL, reason);
		out_byte(o, ']');
	}
	out_byte(o, '\n');
}

static void write_place(struct out *o, const struct place *p)
{
	if (p->known) {
		out_address(o, p->span.at);
		out_byte(o, '+');
		out_dec(o, p->span.len);
		out_string(o, ": ");
	}
}

static void write_diagnosis(struct out *o, const struct report *r)
{
	const struct diagnosis *d = r->diagnosis;

	if (!d)
		return;
	escape_string(o, ESCAPE_LINE, r->name);
	out_string(o, ": diagnosis[");
	out_string(o, d->kind->id);
	out_string(o, "] ");
	describe_diagnosis(o, d);
	out_string(o, ". ");
	describe_advice(o, ESCAPE_TERMINAL, d);
	out_byte(o, '\n');
}

static void add(struct writer *w, const struct entry *e)
{
	const struct report *r = e->report;
	struct out *o = &w->out;

	write_diagnosis(o, r);
	for (size_t i = 0; i < e->n_shown; i++) {
		describe_path(o, ESCAPE_LINE, r, r->findings[i]->place.file);
		out_byte(o, ':');
		if (!r->findings[i]->place.known)
			out_byte(o, ' ');
		write_place(o, &r->findings[i]->place);
		write_finding(o, r->findings[i], entry_reason(e, i));
	}
	escape_string(o, ESCAPE_LINE, r->name);
	out_string(o, ": ");
	out_string(o, describe_verdict(r->verdict));
	describe_scope(o, &r->scope);
	out_string(o, ", ");
	describe_found(o, r->n_found);
	describe_accepted(o, entry_all_accepted(e));
	describe_omitted(o, r, e->n_shown, ", ", " not shown");
	if (r->inside) {
		out_string(o, ", inside: ");
		escape_string(o, ESCAPE_LINE, r->inside->name);
		out_string(o, " is ");
		out_string(o, verdict_name(r->inside->verdict));
	}
	out_byte(o, '\n');
}

static void begin(struct writer *w)
{
	(void)w;
}

static void end(struct writer *w, const struct totals *t)
{
	if (totals_judged(t) == 0) {
		out_string(&w->out, describe_verdict(t->verdict));
		out_string(&w->out, ", no file was judged\n");
	}
}

const struct writer_type writer_concise = {
	.name = "concise", .begin = begin, .add = add, .end = end
};

/* One rule explained, for people. */
#include <string.h>

#include "engine/report.h"
#include "report/rules.h"
#include "report/text/line.h"

enum { LINE_WIDTH = 96, INDENT = 10 };

static void write_paragraph(struct out *o, const char *label, const char *words)
{
	UVET_FILLED_LATER struct line l;
	struct out *to;

	out_string(o, label);
	out_repeat(o, ' ', INDENT - strlen(label));
	to = line_begin(&l, o, LINE_WIDTH, INDENT, INDENT);
	out_string(to, words);
	line_end(&l);
}

static void write_severity(struct out *o, const struct rule *r)
{
	out_string(o, "severity  ");
	out_string(o, severity_name(r->severity));
	if (r->lesser != SEVERITY_NONE) {
		out_string(o, "; ");
		out_string(o, severity_name(r->lesser));
		out_string(o, " when ");
		out_string(o, r->lesser_when);
	}
	out_byte(o, '\n');
}

/* A rule that is asked of everything but files inside others names none. */
static void write_uploads(struct out *o, const struct rule *r)
{
	const char *label = "layout    ";

	for (int u = 0; u < N_UPLOADS; u++) {
		if (!(r->uploads & BIT(u)) || r->uploads & BIT(UPLOAD_ANY) ||
		    !upload_word((enum upload)u))
			continue;
		out_string(o, label);
		out_string(o, upload_word((enum upload)u));
		label = ", ";
	}
	if (r->uploads && !(r->uploads & BIT(UPLOAD_ANY)))
		out_byte(o, '\n');
}

void explain_rule(struct out *o, const struct rule *r)
{
	out_string(o, r->id);
	out_byte(o, ' ');
	out_string(o, r->name);
	out_string(o, "\n\n");
	write_paragraph(o, "rule", r->title);
	write_severity(o, r);
	write_paragraph(o, "class", rule_class_name(r->class));
	write_uploads(o, r);
	if (r->flags & RULE_MANDATORY)
		write_paragraph(o, "note", "This rule can be neither ignored nor lowered.");
	if (r->flags & RULE_HEURISTIC)
		write_paragraph(o, "note", "This rule judges by likelihood.");
	write_paragraph(o, "message", r->message);
	write_paragraph(o, "why", r->why);
	write_paragraph(o, "fix", r->fix);
	write_paragraph(o, "clause", r->spec);
}

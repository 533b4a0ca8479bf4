/* The page of rules: conformance/rules.md. */
#include <string.h>

#include "engine/report.h"
#include "report/escape.h"
#include "report/rules.h"

static bool same_family(const struct rule *a, const struct rule *b)
{
	return memcmp(a->id, b->id, 3) == 0;
}

static void write_words(struct out *o, const char *label, const char *words)
{
	out_string(o, label);
	escape_string(o, ESCAPE_MARKDOWN, words);
	out_string(o, "\n\n");
}

static void write_contents_row(struct out *o, const struct rule *r)
{
	out_string(o, "| [");
	out_string(o, r->id);
	out_string(o, "](#");
	out_string(o, r->id);
	out_string(o, ") | ");
	out_string(o, r->name);
	out_string(o, " | ");
	out_string(o, severity_name(r->severity));
	out_string(o, " | ");
	out_string(o, rule_class_name(r->class));
	out_string(o, " |\n");
}

static void write_contents(struct out *o)
{
	struct catalog_walk walk = { 0 };
	const struct rule *r;

	out_string(o, "| rule | name | severity | class |\n| --- | --- | --- | --- |\n");
	while ((r = catalog_next_listed(&walk)))
		write_contents_row(o, r);
}

static void write_severity(struct out *o, const struct rule *r)
{
	out_string(o, severity_name(r->severity));
	if (r->lesser != SEVERITY_NONE) {
		out_string(o, "; ");
		out_string(o, severity_name(r->lesser));
		out_string(o, " when ");
		escape_string(o, ESCAPE_MARKDOWN, r->lesser_when);
	}
	out_string(o, " · ");
	out_string(o, rule_class_name(r->class));
	if (r->flags & RULE_MANDATORY)
		out_string(o, " · mandatory");
	if (r->flags & RULE_HEURISTIC)
		out_string(o, " · heuristic");
	if (r->flags & RULE_FOR_ENGINE)
		out_string(o, " · with --engine");
	if (r->flags & RULE_FOR_SIGNED)
		out_string(o, " · with --game-signs");
	out_string(o, " · [");
	escape_string(o, ESCAPE_MARKDOWN, r->spec);
	out_string(o, "](spec/");
	out_string(o, r->spec);
	out_string(o, ")\n\n");
}

static void write_rule(struct out *o, const struct rule *r)
{
	out_string(o, "### <a id=\"");
	out_string(o, r->id);
	out_string(o, "\"></a>");
	out_string(o, r->id);
	out_byte(o, ' ');
	out_string(o, r->name);
	out_string(o, "\n\n");
	write_severity(o, r);
	write_words(o, "", r->title);
	write_words(o, "**Message:** ", r->message);
	write_words(o, "**Why:** ", r->why);
	write_words(o, "**Fix:** ", r->fix);
}

void rules_md(struct out *o)
{
	struct catalog_walk walk = { 0 };
	const struct rule *r, *before = NULL;

	out_string(o, "# Rules\n\nWritten by `uvet rules --format md`; do not edit. ");
	out_string(o, "In a message, `{0}` and its like stand for values, `{0:is|are}` for the "
		      "first word where value 0 is 1, else for the "
		      "second.\n\n");
	write_contents(o);
	for (; (r = catalog_next_listed(&walk)); before = r) {
		if (!before || !same_family(r, before)) {
			out_string(o, before ? "## " : "\n## ");
			out_bytes(o, r->id, 3);
			out_string(o, "\n\n");
		}
		write_rule(o, r);
	}
}

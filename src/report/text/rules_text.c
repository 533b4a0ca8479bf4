/* The list of rules: one line each. */
#include <string.h>

#include "engine/report.h"
#include "report/rules.h"

static void write_column(struct out *o, const char *s, size_t width)
{
	size_t len = strlen(s);

	out_string(o, s);
	out_repeat(o, ' ', len < width ? width - len : 1);
}

void rules_text(struct out *o)
{
	struct catalog_walk walk = { 0 };
	const struct rule *r;

	while ((r = catalog_next_listed(&walk))) {
		write_column(o, r->id, 8);
		write_column(o, severity_name(r->severity), 14);
		write_column(o, rule_class_name(r->class), 15);
		write_column(o, r->name, 28);
		out_string(o, r->title);
		out_byte(o, '\n');
	}
}

/* The ndjson report: one JSON object a line, each finding, then its artifact, and at the end a
 * summary. Whoever reads it gets the lines of an artifact when it was judged. */
#include "report/json/objects.h"

static void add_finding(struct writer *w, const struct item *item)
{
	struct json j;

	json_init(&j, &w->out);
	objects_finding(&j, item);
	out_byte(&w->out, '\n');
}

static void add(struct writer *w, const struct entry *e)
{
	struct json j;

	for (size_t i = 0; i < e->n_shown; i++)
		add_finding(w, &(struct item){ e->report->findings[i], e, e->fingerprints[i],
					       entry_reason(e, i), "finding" });
	json_init(&j, &w->out);
	objects_artifact(&j, NULL, w, e, "artifact");
	out_byte(&w->out, '\n');
	out_flush(&w->out);
}

static void begin(struct writer *w)
{
	(void)w;
}

static void end(struct writer *w, const struct totals *t)
{
	struct json j;

	json_init(&j, &w->out);
	json_object(&j, NULL);
	objects_verdicts(&j, t);
	objects_found(&j, t);
	objects_left_out(&j, &t->left_out);
	objects_policy(&j, w);
	json_string(&j, "schema", "uvet-report/1");
	objects_scope(&j, &t->scope);
	objects_tool(&j, w);
	json_bool(&j, "truncated", totals_cut(t));
	json_string(&j, "type", "summary");
	json_string(&j, "verdict", verdict_name(t->verdict));
	json_end(&j);
	out_byte(&w->out, '\n');
}

const struct writer_type writer_ndjson = {
	.name = "ndjson", .fingerprints = true, .begin = begin, .add = add, .end = end
};

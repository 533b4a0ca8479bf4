/* The json report: one object, uvet-report/1. Artifacts are written as they come; findings follow
 * after them, and are deferred. */
#include "report/json/objects.h"

static void begin(struct writer *w)
{
	out_string(&w->out, "{\"artifacts\":[");
}

static void add_finding(struct writer *w, const struct item *item)
{
	struct json j;

	json_init(&j, &w->deferred_out);
	if (w->begun_deferred)
		out_byte(&w->deferred_out, ',');
	w->begun_deferred = true;
	objects_finding(&j, item);
}

static void add(struct writer *w, const struct entry *e)
{
	struct json j;

	json_init(&j, &w->out);
	if (w->begun_list)
		out_byte(&w->out, ',');
	w->begun_list = true;
	objects_artifact(&j, NULL, w, e, NULL);
	for (size_t i = 0; i < e->n_shown; i++)
		add_finding(w, &(struct item){ e->report->findings[i], e, e->fingerprints[i],
					       entry_reason(e, i), NULL });
}

/* What follows the findings has the same members whatever was found, so it is an object without its
 * first bracket. */
static void write_rest(struct writer *w, const struct totals *t)
{
	struct json j;

	json_init(&j, &w->out);
	objects_policy(&j, w);
	json_string(&j, "schema", "uvet-report/1");
	json_object(&j, "summary");
	objects_verdicts(&j, t);
	objects_found(&j, t);
	objects_left_out(&j, &t->left_out);
	objects_scope(&j, &t->scope);
	json_bool(&j, "truncated", totals_cut(t));
	json_string(&j, "verdict", verdict_name(t->verdict));
	json_end(&j);
	objects_tool(&j, w);
}

static void end(struct writer *w, const struct totals *t)
{
	out_flush(&w->deferred_out);
	out_string(&w->out, "],\"findings\":[");
	deferred_write(&w->deferred, &w->out);
	out_string(&w->out, "],");
	write_rest(w, t);
	out_string(&w->out, "}\n");
}

const struct writer_type writer_json = {
	.name = "json", .fingerprints = true, .begin = begin, .add = add, .end = end
};

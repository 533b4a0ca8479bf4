/* The sarif reports: SARIF 2.1.0 as the standard has it, and the flavour that GitHub's code
 * scanning shows best. */
#include <string.h>

#include "report/describe.h"
#include "report/message.h"
#include "report/json/objects.h"
#include "report/sarif/sarif_rules.h"
#include "report/writer.h"

/* GitHub keeps 5,000 results of an upload and shows none of the rest. */
enum { GITHUB_RESULTS_MAX = 5000 };

static void begin(struct writer *w)
{
	w->own = sarif_classes_make(w->deferred.arena, w->engine->n_rules);
	if (!w->own) {
		w->deferred_out.failed = true;
		return;
	}
	out_string(&w->out, "{\"$schema\":\"https://json.schemastore.org/"
			    "sarif-2.1.0.json\",\"runs\":[{\"artifacts\":[");
}

/* Numbers that json_number would write as strings are left out: the standard wants integers. */
static bool is_integer(uint64_t n)
{
	return n < (uint64_t)1 << 53;
}

/* A nested artifact's path begins with a slash and says where it lies in its parent. */
static void write_path_inside(struct out *o, const char *name)
{
	size_t n;

	out_byte(o, '/');
	name += strspn(name, "/\\");
	for (;;) {
		n = strcspn(name, "\\");
		escape_write(o, ESCAPE_URI, name, n);
		name += n;
		if (!*name)
			return;
		out_byte(o, '/');
		name++;
	}
}

/* What paths below the engine's path_root are relative to. GitHub takes all for paths in the
 * repository. */
#define PATH_ROOT_ID "PATHROOT"

static void write_base(struct json *j, const struct report *r, bool github)
{
	if (r->below_root && !github)
		json_string(j, "uriBaseId", PATH_ROOT_ID);
}

static void write_artifact_location(struct json *j, const char *key, const struct entry *e,
				    bool github)
{
	json_object(j, key);
	json_number(j, "index", e->id);
	json_open_string(j, "uri");
	if (entry_has_path(e))
		escape_string(j->out, ESCAPE_URI, e->report->name);
	else
		write_path_inside(j->out, e->report->own_name);
	json_close_string(j);
	if (entry_has_path(e))
		write_base(j, e->report, github);
	json_end(j);
}

/* A companion is no artifact of its own. */
static void write_companion_location(struct json *j, const char *key, const struct report *r,
				     uint32_t file, bool github)
{
	json_object(j, key);
	json_open_string(j, "uri");
	describe_path(j->out, ESCAPE_URI, r, file);
	json_close_string(j);
	write_base(j, r, github);
	json_end(j);
}

/* GitHub knows only files of a repository: findings in a nested file are shown at the outermost
 * one. */
static void write_result_location(struct json *j, const char *key, const struct entry *e,
				  uint32_t file, bool github)
{
	const struct entry outer = entry_file(e);

	if (*report_file(e->report, file))
		write_companion_location(j, key, e->report, file, github);
	else
		write_artifact_location(j, key, github ? &outer : e, github);
}

static void write_hashes(struct json *j, const struct report *r)
{
	char sha256[2 * FILE_DIGEST_LEN + 1];

	if (!r->has_sha256)
		return;
	describe_sha256(sha256, r->sha256);
	json_object(j, "hashes");
	json_string(j, "sha-256", sha256);
	json_end(j);
}

static void add_artifact(struct writer *w, const struct entry *e)
{
	const struct report *r = e->report;
	struct json j;

	json_init(&j, &w->out);
	if (w->begun_list)
		out_byte(&w->out, ',');
	w->begun_list = true;
	json_object(&j, NULL);
	write_hashes(&j, r);
	if (is_integer(r->size))
		json_number(&j, "length", r->size);
	write_artifact_location(&j, "location", e, w->type->github);
	if (!entry_has_path(e)) {
		if (!r->decoded && is_integer(r->at.at))
			json_number(&j, "offset", r->at.at);
		json_number(&j, "parentIndex", entry_parent(e));
	}
	json_object(&j, "properties");
	objects_diagnosis(&j, r->diagnosis);
	if (r->format)
		json_string(&j, "format", r->format->name);
	objects_unjudged(&j, "not_judged", r);
	objects_scope(&j, &r->scope);
	json_string(&j, "verdict", verdict_name(r->verdict));
	json_end(&j);
	json_array(&j, "roles");
	json_string(&j, NULL, "analysisTarget");
	json_end(&j);
	json_end(&j);
}

/* The bytes themselves are written only if all of them are at hand. */
static void write_snippet(struct json *j, const struct finding *f, const struct place *p)
{
	uint64_t from;

	if (p != &f->place || p->span.len == 0 || f->snippet_len == 0)
		return;
	from = p->span.at - f->snippet_at;
	if (from > f->snippet_len || p->span.len > f->snippet_len - from)
		return;
	json_object(j, "snippet");
	json_base64(j, "binary", f->snippet + from, (size_t)p->span.len);
	json_end(j);
}

static void write_bytes(struct json *j, const struct finding *f, const struct place *p, bool github)
{
	json_number(j, "byteLength", p->span.len);
	json_number(j, "byteOffset", p->span.at);
	if (!github)
		write_snippet(j, f, p);
}

/* GitHub shows only results that have a line. */
static void write_region(struct json *j, const struct finding *f, const struct place *p,
			 bool github)
{
	bool has_bytes = p->known && is_integer(p->span.at) && is_integer(p->span.len);

	if (!has_bytes && !github)
		return;
	json_object(j, "region");
	if (github && has_bytes)
		json_object(j, "properties");
	if (has_bytes)
		write_bytes(j, f, p, github);
	if (github && has_bytes)
		json_end(j);
	if (github)
		json_number(j, "startLine", 1);
	json_end(j);
}

static void write_logical_locations(struct json *j, const struct place *p)
{
	if (!message_has_field(p))
		return;
	json_array(j, "logicalLocations");
	json_object(j, NULL);
	objects_field(j, "fullyQualifiedName", p);
	json_string(j, "kind", "member");
	json_end(j);
	json_end(j);
}

static void write_location(struct json *j, const struct item *item, const struct place *p,
			   const char *words, bool github)
{
	json_object(j, NULL);
	write_logical_locations(j, p);
	if (words) {
		json_object(j, "message");
		sarif_text(j, "text", words, strlen(words), github);
		json_end(j);
	}
	json_object(j, "physicalLocation");
	write_result_location(j, "artifactLocation", item->entry, p->file, github);
	write_region(j, item->finding, p, github);
	json_end(j);
	json_end(j);
}

static void write_locations(struct json *j, const struct item *item, bool github)
{
	json_array(j, "locations");
	write_location(j, item, &item->finding->place, NULL, github);
	json_end(j);
}

static void write_related(struct json *j, const struct item *item, bool github)
{
	const struct finding *f = item->finding;

	if (f->n_related == 0)
		return;
	json_array(j, "relatedLocations");
	for (size_t i = 0; i < f->n_related; i++)
		write_location(j, item, &f->related[i].place, f->related[i].words, github);
	json_end(j);
}

static void write_message(struct json *j, const struct item *item, bool github)
{
	const struct finding *f = item->finding;
	struct out o;

	message_render(&o, f);
	if (github && !entry_has_path(item->entry)) {
		out_string(&o, " [in ");
		escape_string(&o, ESCAPE_QUOTED, item->entry->report->name);
		out_byte(&o, ']');
	}
	if (github && f->place.known) {
		out_string(&o, " [bytes ");
		out_address(&o, f->place.span.at);
		out_byte(&o, '+');
		out_dec(&o, f->place.span.len);
		out_byte(&o, ']');
	}
	json_object(j, "message");
	sarif_text(j, "text", (const char *)o.buf, o.n, github);
	json_end(j);
}

/* What SARIF knows a rule by: its number among those that are listed. *listed gets the number of
 * that one in the catalog. */
static size_t rule_index(const struct engine *e, const struct rule *rule, size_t *listed)
{
	size_t i = 0, n_again = 0;

	while (ALWAYS(i < e->n_rules) &&
	       (e->rules[i]->is_again || strcmp(e->rules[i]->id, rule->id) != 0))
		n_again += e->rules[i++]->is_again;
	*listed = i;
	return i - n_again;
}

/* Either all results of a run have them or none (SARIF 2.1.0, 3.27.23). */
static void write_suppressions(struct json *j, const struct item *item)
{
	if (!item->entry->asked)
		return;
	json_array(j, "suppressions");
	if (item->reason) {
		json_object(j, NULL);
		json_text(j, "justification", item->reason, strlen(item->reason));
		json_string(j, "kind", "external");
		json_string(j, "status", "accepted");
		json_end(j);
	}
	json_end(j);
}

static void write_result(struct json *j, const struct writer *w, const struct item *item,
			 size_t rule, enum rule_class class)
{
	const struct finding *f = item->finding;
	const bool github = w->type->github;

	json_object(j, NULL);
	json_string(j, "kind", f->severity == SEVERITY_UNDETERMINED ? "open" : "fail");
	json_string(j, "level", sarif_level(f->severity));
	write_locations(j, item, github);
	write_message(j, item, github);
	json_object(j, "partialFingerprints");
	objects_fingerprint(j, "uvet/v2", item->fingerprint);
	json_end(j);
	json_object(j, "properties");
	json_string(j, "class", rule_class_name(class));
	json_end(j);
	write_related(j, item, github);
	json_string(j, "ruleId", f->rule->id);
	json_number(j, "ruleIndex", rule);
	write_suppressions(j, item);
	json_end(j);
}

static void add_result(struct writer *w, const struct item *item)
{
	const struct rule *rule = item->finding->rule;
	const enum rule_class class = report_class(item->entry->report, rule);
	size_t listed;
	const size_t index = rule_index(w->engine, rule, &listed);
	struct json j;

	sarif_classes_add(w->own, listed, class == rule->class);
	if (w->type->github && w->n_deferred >= GITHUB_RESULTS_MAX)
		return;
	json_init(&j, &w->deferred_out);
	if (w->n_deferred++ > 0)
		out_byte(&w->deferred_out, ',');
	write_result(&j, w, item, index, class);
}

static void add(struct writer *w, const struct entry *e)
{
	if (!w->own)
		return;
	add_artifact(w, e);
	for (size_t i = 0; i < e->n_shown; i++)
		add_result(w, &(struct item){ e->report->findings[i], e, e->fingerprints[i],
					      entry_reason(e, i), NULL });
}

static bool is_truncated(const struct writer *w, const struct totals *t)
{
	return totals_cut(t) || t->n_shown > w->n_deferred;
}

/* Readers of SARIF do not look at properties: whoever is shown a part is told so. */
static void write_notification(struct json *j, const struct writer *w, const struct totals *t)
{
	json_array(j, "toolExecutionNotifications");
	json_object(j, NULL);
	json_string(j, "level", "warning");
	json_object(j, "message");
	json_open_string(j, "text");
	out_dec(j->out, w->n_deferred);
	out_string(j->out, " of ");
	out_count(j->out, totals_found(t), "finding");
	out_string(j->out, totals_found(t) == 1 ? " is in this report" : " are in this report");
	json_close_string(j);
	json_end(j);
	json_end(j);
	json_end(j);
}

static void write_invocation(struct json *j, const struct writer *w, const struct totals *t)
{
	json_object(j, NULL);
	json_bool(j, "executionSuccessful", true);
	if (is_truncated(w, t))
		write_notification(j, w, t);
	json_end(j);
}

/* The absolute path of a root as a URI: that of a folder ends in a slash. */
static void write_root_uri(struct json *j, const struct path_root *p)
{
	const bool has_drive = p->prefix == 3, has_server = p->prefix == 2;
	const char *path = p->whole + (has_drive || has_server ? 2 : 0);

	json_open_string(j, "uri");
	out_string(j->out, "file://");
	if (has_drive) {
		out_byte(j->out, '/');
		out_bytes(j->out, p->whole, 2);
	}
	escape_string(j->out, ESCAPE_URI, path);
	if (path[0] == '\0' || path[strlen(path) - 1] != '/')
		out_byte(j->out, '/');
	json_close_string(j);
}

/* A root that was typed as a relative path has no URI: the reader knows where it lies. */
static void write_root(struct json *j, const struct path_root *p)
{
	json_object(j, "originalUriBaseIds");
	json_object(j, PATH_ROOT_ID);
	json_object(j, "description");
	json_string(j, "text", "the folder that paths are relative to");
	json_end(j);
	if (path_root_is_absolute(p))
		write_root_uri(j, p);
	json_end(j);
	json_end(j);
}

static void write_properties(struct json *j, struct writer *w, const struct totals *t)
{
	json_object(j, "properties");
	objects_found(j, t);
	objects_left_out(j, &t->left_out);
	objects_policy(j, w);
	objects_scope(j, &t->scope);
	json_bool(j, "truncated", is_truncated(w, t));
	json_string(j, "verdict", verdict_name(t->verdict));
	json_end(j);
}

static void end(struct writer *w, const struct totals *t)
{
	struct json j;

	if (!w->own)
		return;
	out_flush(&w->deferred_out);
	out_string(&w->out, "],\"automationDetails\":{\"id\":\"uvet/\"},\"invocations\":[");
	json_init(&j, &w->out);
	write_invocation(&j, w, t);
	out_string(&w->out, "],");
	json_init(&j, &w->out);
	if (w->engine->path_root.is_set && !w->type->github) {
		write_root(&j, &w->engine->path_root);
		out_byte(&w->out, ',');
		json_init(&j, &w->out);
	}
	write_properties(&j, w, t);
	out_string(&w->out, ",\"results\":[");
	deferred_write(&w->deferred, &w->out);
	out_string(&w->out, "],");
	json_init(&j, &w->out);
	sarif_tool(&j, w);
	out_string(&w->out, "}],\"version\":\"2.1.0\"}\n");
}

const struct writer_type writer_sarif = {
	.name = "sarif", .fingerprints = true, .begin = begin, .add = add, .end = end
};
const struct writer_type writer_sarif_github = { .name = "sarif-github",
						 .fingerprints = true,
						 .github = true,
						 .begin = begin,
						 .add = add,
						 .end = end };

/* The list of rules as JSON, keys sorted. */
#include <string.h>

#include "engine/catalog.h"
#include "engine/report.h"
#include "report/json/json.h"
#include "report/rules.h"

static void write_data(struct json *j, const char *names)
{
	json_array(j, "data");
	while (*names) {
		size_t len = strcspn(names, " ");

		json_text(j, NULL, names, len);
		names += len;
		names += strspn(names, " ");
	}
	json_end(j);
}

/* The names that a rule had before. */
static void write_aliases(struct json *j, const char *id)
{
	const struct catalog_alias *a;

	json_array(j, "aliases");
	for (size_t i = 0; (a = catalog_alias_at(i)); i++)
		if (strcmp(a->id, id) == 0)
			json_string(j, NULL, a->name);
	json_end(j);
}

/* "all", "3", "1-3", "3+". */
static void write_versions(struct json *j, struct layout_versions v)
{
	json_open_string(j, "versions");
	if (v.first == 0 && (v.last == 0 || v.last == UINT32_MAX)) {
		out_string(j->out, "all");
	} else {
		out_dec(j->out, v.first);
		if (v.last == UINT32_MAX)
			out_byte(j->out, '+');
		else if (v.last != v.first) {
			out_byte(j->out, '-');
			out_dec(j->out, v.last);
		}
	}
	json_close_string(j);
}

static void write_layouts(struct json *j, const struct rule *r)
{
	json_array(j, "layouts");
	for (int u = 0; u < N_UPLOADS; u++)
		if (r->uploads & BIT(u) && !(r->uploads & BIT(UPLOAD_ANY)) &&
		    upload_word((enum upload)u))
			json_string(j, NULL, upload_word((enum upload)u));
	json_end(j);
}

static void write_rule(struct json *j, const struct rule *r)
{
	json_object(j, NULL);
	write_aliases(j, r->id);
	json_string(j, "class", rule_class_name(r->class));
	write_data(j, r->data);
	json_text(j, "family", r->id, 3);
	json_string(j, "fix", r->fix);
	json_bool(j, "heuristic", r->flags & RULE_HEURISTIC);
	json_string(j, "id", r->id);
	write_layouts(j, r);
	json_string(j, "lesser", severity_name(r->lesser));
	json_string(j, "lesser_when", r->lesser_when ? r->lesser_when : "");
	json_bool(j, "mandatory", r->flags & RULE_MANDATORY);
	json_string(j, "message", r->message);
	json_string(j, "name", r->name);
	json_string(j, "severity", severity_name(r->severity));
	json_string(j, "spec", r->spec);
	json_string(j, "title", r->title);
	write_versions(j, r->versions);
	json_string(j, "why", r->why);
	json_end(j);
}

void rules_json(struct out *o, const char *ruleset)
{
	struct catalog_walk walk = { 0 };
	const struct rule *r;
	struct json j;

	json_init(&j, o);
	json_object(&j, NULL);
	json_array(&j, "rules");
	while ((r = catalog_next_listed(&walk)))
		write_rule(&j, r);
	json_end(&j);
	json_string(&j, "ruleset", ruleset);
	json_string(&j, "schema", "uvet-rules/1");
	json_end(&j);
	out_byte(o, '\n');
}

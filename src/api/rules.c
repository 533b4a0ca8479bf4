/* The public interface to rules and limits. */
#include <string.h>

#include "api/api.h"
#include "engine/catalog.h"
#include "report/rules.h"

/* Families need strings of their own, because an id does not end after its three letters: one
 * for each rule, of which the first of a family is taken. */
#define RULE_ID(id) { #id[0], #id[1], #id[2], '\0' },
#define RULE_AGAIN(id, user)
static const char families[][4] = {
#include "rule/ids/all.def"
};
#undef RULE_ID
#undef RULE_AGAIN

static const char *family_of(const struct rule *r)
{
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (memcmp(families[i], r->id, 3) == 0)
			return families[i];
	return "";
}

static const char *words(const char *s)
{
	return s ? s : "";
}

static int fill_rule(const struct rule *r, uvet_rule *out)
{
	return api_rule_write(out, &(uvet_rule){
					   .id = r->id,
					   .name = r->name,
					   .family = family_of(r),
					   .title = words(r->title),
					   .message = words(r->message),
					   .why = words(r->why),
					   .fix = words(r->fix),
					   .spec = words(r->spec),
					   .rule_class = rule_class_name(r->class),
					   .lesser_when = words(r->lesser_when),
					   .severity = (uvet_severity)r->severity,
					   .lesser = (uvet_severity)r->lesser,
					   .mandatory = (r->flags & RULE_MANDATORY) != 0,
					   .heuristic = (r->flags & RULE_HEURISTIC) != 0,
				   });
}

size_t uvet_rule_count(void)
{
	return sizeof families / sizeof *families;
}

int uvet_rule_at(size_t index, uvet_rule *out)
{
	struct catalog_walk walk = { 0 };
	const struct rule *r;

	while ((r = catalog_next_listed(&walk)) && index > 0)
		index--;
	return out && r ? fill_rule(r, out) : 0;
}

static const struct rule *find(const char *id_or_name)
{
	size_t i = id_or_name ? catalog_find(id_or_name, strlen(id_or_name)) : catalog_count();

	return i < catalog_count() ? catalog_rule(i) : NULL;
}

int uvet_rule_find(const char *id_or_name, uvet_rule *out)
{
	const struct rule *r = find(id_or_name);

	return out && r ? fill_rule(r, out) : 0;
}

static uvet_status finish(struct out *o)
{
	out_flush(o);
	return o->failed ? UVET_WRITE_FAILED : UVET_OK;
}

uvet_status uvet_rules_write(const char *format, uvet_sink *sink, void *ctx)
{
	struct out o;

	if (!format || !sink)
		return UVET_BAD_CALL;
	out_init(&o, sink, ctx);
	if (strcmp(format, "text") == 0)
		rules_text(&o);
	else if (strcmp(format, "json") == 0)
		rules_json(&o, uvet_ruleset());
	else if (strcmp(format, "md") == 0)
		rules_md(&o);
	else if (strcmp(format, "layouts") == 0)
		layouts_md(&o);
	else
		return UVET_BAD_OPTION;
	return finish(&o);
}

uvet_status uvet_explain(const char *id_or_name, uvet_sink *sink, void *ctx)
{
	const struct rule *r = find(id_or_name);
	struct out o;

	if (!id_or_name || !sink)
		return UVET_BAD_CALL;
	if (!r)
		return UVET_BAD_OPTION;
	out_init(&o, sink, ctx);
	explain_rule(&o, r);
	return finish(&o);
}

size_t uvet_limit_count(void)
{
	return LIMIT_COUNT;
}

int uvet_limit_at(size_t index, uvet_limit *out)
{
	if (!out || index >= LIMIT_COUNT)
		return 0;
	return api_limit_write(out, &(uvet_limit){
					    .option = limit_infos[index].option,
					    .meaning = limit_infos[index].meaning,
					    .standard = limit_infos[index].standard,
				    });
}

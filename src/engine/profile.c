/* Profiles: reading selectors and applying them, all or nothing. */
#include "engine/profile.h"

#include <string.h>

#include "core/mutant.h"

static bool asks(const struct profile *p, const struct rule_setting *r)
{
	return r->mandatory || (r->selected && !r->off && (p->only || !r->ignored));
}

/* The engine's own rules, which are nobody's to take away, come last. */
static void count_cuts(struct profile *p)
{
	size_t i = 0;

	memset(p->cuts, 0, sizeof p->cuts);
	for (size_t f = 0; formats[f]; f++)
		for (const struct rule *const *r = formats[f]->rules; *r; r++, i++) {
			if (!profile_counts(p, i))
				p->cuts[f].n_off++;
			else if (p->rules[i].severity < (*r)->severity)
				p->cuts[f].n_lowered++;
		}
}

static enum rule_status initial_of(const struct profile *p, const struct rule_setting *r)
{
	if (!asks(p, r))
		return RULE_IGNORED;
	return (r->aims & ~p->aims) == 0 ? RULE_PASS : RULE_NOT_APPLICABLE;
}

void profile_settle(struct profile *p)
{
	for (size_t i = 0; i < CATALOG_MAX; i++)
		p->initial[i] = (uint8_t)initial_of(p, &p->rules[i]);
	count_cuts(p);
}

void profile_init(struct profile *p)
{
	struct catalog_walk walk = { 0 };
	const struct rule *r;

	*p = (struct profile){ 0 };
	for (size_t i = 0; (r = catalog_next(&walk)); i++)
		p->rules[i] = (struct rule_setting){
			.selected = true,
			.mandatory = r->flags & RULE_MANDATORY,
			.severity = (uint8_t)r->severity,
			.lesser = (uint8_t)r->lesser,
			.aims = r->flags & (RULE_FOR_ENGINE | RULE_FOR_SIGNED),
		};
	profile_settle(p);
}

void profile_aim(struct profile *p, unsigned aims)
{
	p->aims = aims;
	profile_settle(p);
}

static const char *const class_names[] = { "corruption", "security", "compatibility", "hygiene",
					   "resource" };

/* All bodies of a rule have its id. named NULL: no rule is. */
static bool is_of(const struct rule *r, const struct rule *named)
{
	return named && strcmp(r->id, named->id) == 0;
}

/* A selector that is not what one rule is called is a family, a class, or "all". */
static bool matches(const struct rule *r, const char *text, size_t len)
{
	return catalog_is_word(class_names[r->class], text, len) ||
	       catalog_is_word("all", text, len) || (len == 3 && memcmp(r->id, text, 3) == 0);
}

static bool refuse(struct profile_error *error, const char *words, const char *text, size_t len)
{
	*error = (struct profile_error){ words, text, len };
	return false;
}

enum change { SELECT, IGNORE };

static void change_rule(struct rule_setting *r, enum change change)
{
	if (change == SELECT)
		r->selected = true;
	else
		r->ignored = true;
}

/* Naming a mandatory rule by itself is refused; as one of a family or class it is passed over. */
static bool change_matching(struct profile *p, const char *text, size_t len, enum change change,
			    struct profile_error *error)
{
	struct catalog_walk walk = { 0 };
	const struct rule *r, *named = catalog_rule(catalog_find(text, len));
	size_t matched = 0, open = 0;

	for (size_t i = 0; (r = catalog_next(&walk)); i++) {
		if (!is_of(r, named) && !matches(r, text, len))
			continue;
		matched++;
		if (change == IGNORE && r->flags & RULE_MANDATORY)
			continue;
		open++;
		change_rule(&p->rules[i], change);
	}
	if (matched == 0)
		return refuse(error, "no rule, family or class has this name", text, len);
	if (open == 0)
		return refuse(error, "this rule is mandatory: it cannot be ignored", text, len);
	return true;
}

static size_t word_len(const char *list)
{
	size_t n = 0;

	while (list[n] && list[n] != ',')
		n++;
	return n;
}

/* The first select takes the place of "all rules". */
static void narrow(struct profile *p)
{
	if (p->narrowed)
		return;
	p->narrowed = true;
	for (size_t i = 0; i < CATALOG_MAX; i++)
		p->rules[i].selected = false;
}

/* Changes what a list names, up to the first word that is refused. */
static bool change_each(struct profile *p, const char *list, enum change change,
			struct profile_error *error)
{
	for (;;) {
		size_t len = word_len(list);

		if (!change_matching(p, list, len, change, error))
			return false;
		if (!list[len])
			return true;
		list += len + 1;
	}
}

/* Changes all that a list names, or nothing. */
static bool change_list(struct profile *p, const char *list, enum change change,
			struct profile_error *error)
{
	struct profile changed = *p;
	bool done;

	if (change == SELECT)
		narrow(&changed);
	done = change_each(&changed, list, change, error);
	if (!done && !MUTANT(23)) /* mutant: half a list stays */
		return false;
	*p = changed;
	profile_settle(p);
	return done;
}

bool profile_select(struct profile *p, const char *list, struct profile_error *error)
{
	return change_list(p, list, SELECT, error);
}

bool profile_only(struct profile *p, const char *list, struct profile_error *error)
{
	if (!profile_select(p, list, error))
		return false;
	p->only = true;
	profile_settle(p);
	return true;
}

bool profile_ignore(struct profile *p, const char *list, struct profile_error *error)
{
	return change_list(p, list, IGNORE, error);
}

static bool severity_of(const char *text, enum severity *out)
{
	static const char *const words[] = { "off", "note", "warning", "undetermined", "error" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strcmp(text, words[i]) == 0) {
			*out = (enum severity)i;
			return true;
		}
	}
	return false;
}

/* A rule that is raised says nothing below what it is raised to, one that is lowered nothing
 * above. */
static enum severity lesser_at(const struct rule *r, enum severity s)
{
	if (r->lesser == SEVERITY_NONE)
		return SEVERITY_NONE;
	return s >= r->severity || s < r->lesser ? s : r->lesser;
}

static void assign(struct rule_setting *to, const struct rule *r, enum severity s)
{
	to->off = s == SEVERITY_NONE;
	if (s != SEVERITY_NONE) {
		to->severity = (uint8_t)s;
		to->lesser = (uint8_t)lesser_at(r, s);
	}
}

/* Sets it for all bodies of a rule. */
static bool set_severity(struct profile *p, size_t rule, enum severity s,
			 struct profile_error *error)
{
	const struct rule *r = catalog_rule(rule), *body;
	struct catalog_walk walk = { 0 };

	if (r->flags & RULE_MANDATORY && s < r->severity)
		return refuse(error, "this rule is mandatory: it cannot be lowered", r->id,
			      strlen(r->id));
	for (size_t i = 0; (body = catalog_next(&walk)); i++)
		if (is_of(body, r))
			assign(&p->rules[i], r, s);
	profile_settle(p);
	return true;
}

bool profile_severity(struct profile *p, const char *assignment, struct profile_error *error)
{
	const char *equal = strchr(assignment, '=');
	size_t len = equal ? (size_t)(equal - assignment) : strlen(assignment),
	       rule = catalog_find(assignment, len);
	enum severity s;

	if (!equal)
		return refuse(error, "expected RULE=LEVEL", assignment, len);
	if (rule == catalog_count())
		return refuse(error, "no rule has this id or name", assignment, len);
	if (!severity_of(equal + 1, &s))
		return refuse(error, "expected error, warning, note, undetermined or off",
			      equal + 1, strlen(equal + 1));
	return set_severity(p, rule, s, error);
}

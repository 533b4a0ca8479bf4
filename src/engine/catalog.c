/* The catalog: the formats' rules one after another, then the engine's own. */
#include "engine/catalog.h"

#define RULE_ID(id) &id##_rule,
#define RULE_AGAIN(id, user) &id##_##user##_rule,
static const struct rule *const own_rules[] = {
#include "rule/ids/engine.def"
	NULL
};
#undef RULE_ID
#undef RULE_AGAIN

_Static_assert((int)N_RULES <= (int)CATALOG_MAX, "an engine has room for the rules");

/* The rules of format f; past the last format come the engine's own. */
static const struct rule *const *rules_of(size_t f)
{
	return formats[f] ? formats[f]->rules : own_rules;
}

size_t catalog_count_of(const struct format *f)
{
	const struct rule *const *rules = f ? f->rules : own_rules;
	size_t n = 0;

	while (rules[n])
		n++;
	return n;
}

size_t catalog_first(const struct format *f)
{
	size_t n = 0;

	for (size_t i = 0; formats[i] && formats[i] != f; i++)
		n += catalog_count_of(formats[i]);
	return n;
}

void catalog_range(const struct format *f, size_t *first, size_t *end)
{
	*first = catalog_first(f);
	*end = *first + catalog_count_of(f);
}

const struct rule *catalog_next(struct catalog_walk *w)
{
	for (;;) {
		const struct rule *r = rules_of(w->format)[w->rule];

		if (r) {
			w->rule++;
			return r;
		}
		if (!formats[w->format])
			return NULL;
		w->format++;
		w->rule = 0;
	}
}

const struct rule *catalog_next_listed(struct catalog_walk *w)
{
	const struct rule *r;

	do
		r = catalog_next(w);
	while (r && r->is_again);
	return r;
}

size_t catalog_count(void)
{
	return catalog_first(NULL) + catalog_count_of(NULL);
}

const struct rule *catalog_rule(size_t i)
{
	struct catalog_walk walk = { 0 };
	const struct rule *r;

	while ((r = catalog_next(&walk)) && i > 0)
		i--;
	return r;
}

size_t catalog_fill(const struct rule *rules[CATALOG_MAX])
{
	struct catalog_walk walk = { 0 };
	const struct rule *r;
	size_t n = 0;

	while ((r = catalog_next(&walk)))
		rules[n++] = r;
	return n;
}

/* Most words differ early, so that their lengths need not be known. */
bool catalog_is_word(const char *word, const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && word[i] && word[i] == text[i])
		i++;
	return i == len && !word[i];
}

#define ALIAS(name, id) { #name, id##_id },
static const struct catalog_alias aliases[] = {
#include "rule/aliases.def"
};
#undef ALIAS

const struct catalog_alias *catalog_alias_at(size_t i)
{
	return i < sizeof aliases / sizeof *aliases ? &aliases[i] : NULL;
}

/* The id of the rule that was called so before; NULL: there is none. */
static const char *id_of_alias(const char *word, size_t len)
{
	const struct catalog_alias *a;

	for (size_t i = 0; (a = catalog_alias_at(i)); i++)
		if (catalog_is_word(a->name, word, len))
			return a->id;
	return NULL;
}

size_t catalog_find(const char *word, size_t len)
{
	const char *id = id_of_alias(word, len);
	struct catalog_walk walk = { 0 };
	const struct rule *r;
	size_t n = 0;

	for (; (r = catalog_next(&walk)); n++)
		if (!r->is_again &&
		    (catalog_is_word(r->id, word, len) || catalog_is_word(r->name, word, len) ||
		     (id && strcmp(id, r->id) == 0)))
			break;
	return n;
}

/* The catalog: the formats' rule lists one after another, then the engine's own. */
#include "engine/catalog.h"

#include "engine/run_rules.h"

static const struct rule *const *const own_lists[] = { run_rules, engine_rules, NULL };

/* A place in the catalog: list `l` of format `f`; past the last format come the engine's own lists. */
static const struct rule *const *const *lists_of(size_t f)
{
	return formats[f] ? formats[f]->rule_lists : own_lists;
}

static size_t list_len(const struct rule *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n;
}

static size_t lists_len(const struct rule *const *const *lists)
{
	size_t n = 0;

	for (; *lists; lists++)
		n += list_len(*lists);
	return n;
}

size_t catalog_first(const struct format *f)
{
	size_t n = 0;

	for (size_t i = 0; formats[i] && formats[i] != f; i++)
		n += lists_len(lists_of(i));
	return n;
}

void catalog_range(const struct format *f, size_t *first, size_t *end)
{
	*first = catalog_first(f);
	*end = *first + lists_len(f ? f->rule_lists : own_lists);
}

size_t catalog_count(void)
{
	size_t first, end;

	catalog_range(NULL, &first, &end);
	return end;
}

struct catalog_walk catalog_begin(void)
{
	const struct rule *const *const *first = lists_of(0);

	return (struct catalog_walk){ 0, first, *first };
}

const struct rule *catalog_next(struct catalog_walk *w)
{
	while (!*w->rule) {
		if (!*++w->list && !formats[w->format])
			return NULL;
		if (!*w->list)
			w->list = lists_of(++w->format);
		w->rule = *w->list;
	}
	return *w->rule++;
}

const struct rule *catalog_rule(size_t i)
{
	struct catalog_walk w = catalog_begin();
	const struct rule *r = catalog_next(&w);

	for (; r && i > 0; i--)
		r = catalog_next(&w);
	return r;
}

size_t catalog_fill(const struct rule *rules[CATALOG_MAX])
{
	struct catalog_walk w = catalog_begin();
	size_t n = 0;

	for (const struct rule *r = catalog_next(&w); r; r = catalog_next(&w))
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

size_t catalog_find(const char *id_or_name, size_t len)
{
	struct catalog_walk w = catalog_begin();
	size_t n = 0;

	for (const struct rule *r = catalog_next(&w); r; r = catalog_next(&w), n++)
		if (catalog_is_word(r->id, id_or_name, len) || catalog_is_word(r->name, id_or_name, len))
			break;
	return n;
}

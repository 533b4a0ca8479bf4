/* The catalog: every rule of every format, then the engine's own, in the order of evaluation. */
#ifndef UVET_ENGINE_CATALOG_H
#define UVET_ENGINE_CATALOG_H

#include "formats/format.h"
#include "rule/rule.h"

/* How many rules there can be, and how many of them the engine's own; the unit test of the catalog
 * fails when there are more. */
enum { CATALOG_MAX = 1280, CATALOG_OWN_MAX = 24 };

/* catalog_count is the number of rules. catalog_rule gives rule i; NULL: there are not so many. */
size_t catalog_count(void);
const struct rule *catalog_rule(size_t i);

/* catalog_fill lists all rules, and returns how many there are. */
size_t catalog_fill(const struct rule *rules[CATALOG_MAX]);

/* A catalog_walk is how far a walk over all rules has come; it begins with zeros. catalog_next
 * gives the next rule; NULL: there are no more. A list of all would be too large for the stack
 * of a caller. */
struct catalog_walk {
	size_t format, rule; /* the numbers of a format, and of a rule among its own */
};
const struct rule *catalog_next(struct catalog_walk *w);

/* A rule may have several bodies, for several formats or tables (rule/ids.h), each of which has a
 * number. catalog_next_listed passes over further bodies: it is for those who list rules. */
const struct rule *catalog_next_listed(struct catalog_walk *w);

/* catalog_first is the number of the first rule of a format; its rules follow one another.
 * catalog_count_of is how many it has, and catalog_range gives also the number behind the last of
 * them. NULL: the engine's own. */
size_t catalog_first(const struct format *f);
size_t catalog_count_of(const struct format *f);
void catalog_range(const struct format *f, size_t *first, size_t *end);

/* catalog_is_word tells whether a text of len bytes is a word of ours. */
bool catalog_is_word(const char *word, const char *text, size_t len);

/* A catalog_alias is a name that a rule had before. catalog_alias_at gives them by the rules' ids;
 * NULL: there are no more. */
struct catalog_alias {
	const char *name, *id;
};
const struct catalog_alias *catalog_alias_at(size_t i);

/* catalog_find returns the number of a rule by id, name or alias, the one that is listed, or
 * catalog_count(). */
size_t catalog_find(const char *word, size_t len);

#endif

/* Agendas: the rules of one stretch of the catalog, laid out in the order in which they are asked. */
#ifndef UVET_ENGINE_AGENDA_H
#define UVET_ENGINE_AGENDA_H

#include "engine/catalog.h"

#define AGENDA_END UINT16_MAX
_Static_assert(CATALOG_MAX < AGENDA_END, "a rule's number fits a list");

/* For each table the rules that judge its rows are a list, in the order of the catalog; the list of table 0 has those that judge the
 * file. Behind rule i comes rule next[i], or AGENDA_END; all agendas of a catalog share the array `next`. */
struct agenda {
	size_t first, end;              /* the stretch: rules first <= i < end */
	uint16_t head[TABLES_MAX];
	bool by_version;                /* some rule is not about every version */
};

/* agenda_fill lays out a stretch of the catalog; it writes the stretch's part of next, which has room for the whole catalog. */
void agenda_fill(struct agenda *a, const struct rule *const *rules, size_t first, size_t end, uint16_t *next);

/* agenda_limits_versions tells whether a rule names the versions that it is about. */
static inline bool agenda_limits_versions(const struct rule *r)
{
	return r->versions.first != 0 || r->versions.last != 0;
}

#endif

/* Agendas: the rules of one stretch of the catalog, laid out in the order in which they are asked. */
#ifndef UVET_ENGINE_AGENDA_H
#define UVET_ENGINE_AGENDA_H

#include "engine/catalog.h"

#define AGENDA_END UINT16_MAX
_Static_assert(CATALOG_MAX < AGENDA_END, "a rule's number fits a list");

/* What an agenda keeps of each rule. */
struct agenda_place {
	uint64_t tells;                 /* the rule's */
	uint64_t needs;                 /* the fact groups that the rule stands on */
	struct layout_versions versions;
	uint16_t next;                  /* the rule behind it in its list, or AGENDA_END */
};

/* For each table the rules that judge its rows are a list, in the order of the catalog; the list of table 0 has those that judge the
 * file. All agendas of a catalog share the array of places. */
struct agenda {
	size_t first, end;              /* the stretch: rules first <= i < end */
	uint16_t head[TABLES_MAX];
	bool by_version;                /* some rule is not about every version */
};

/* agenda_fill lays out a stretch of the catalog; it writes the stretch's part of places, which has room for the whole catalog. */
void agenda_fill(struct agenda *a, const struct rule *const *rules, size_t first, size_t end, struct agenda_place *places);

#endif

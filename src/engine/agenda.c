/* Laying out the catalog for evaluation. */
#include "engine/agenda.h"

#include <string.h>

void agenda_fill(struct agenda *a, const struct rule *const *rules, size_t first, size_t end, struct agenda_place *places)
{
	*a = (struct agenda){ .first = first, .end = end };
	memset(a->head, 0xFF, sizeof a->head);
	for (size_t i = end; i > first; i--) {
		const struct rule *r = rules[i - 1];
		const bool by_version = r->versions.first != 0 || r->versions.last != 0;

		places[i - 1] = (struct agenda_place){
			.needs = r->needs | r->also,
			.tells = r->tells,
			.versions = by_version ? r->versions : (struct layout_versions)ALL,
			.next = a->head[r->table],
		};
		a->head[r->table] = (uint16_t)(i - 1);
		a->by_version = a->by_version || by_version;
	}
}

/* Laying out the catalog for evaluation. */
#include "engine/agenda.h"

#include <string.h>

void agenda_fill(struct agenda *a, const struct rule *const *rules, size_t first, size_t end, uint16_t *next)
{
	*a = (struct agenda){ .first = first, .end = end };
	memset(a->head, 0xFF, sizeof a->head);
	for (size_t i = end; i > first; i--) {
		const struct rule *r = rules[i - 1];

		next[i - 1] = a->head[r->table];
		a->head[r->table] = (uint16_t)(i - 1);
		a->by_version = a->by_version || agenda_limits_versions(r);
	}
}

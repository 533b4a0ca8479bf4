/* Making rule indexes. */
#include "engine/rule_index.h"

#include <string.h>

void rule_index_fill(struct rule_index *index, const struct rule *const *rules, size_t first,
		     size_t end, struct indexed_rule *indexed)
{
	*index = (struct rule_index){ .first = first, .end = end };
	memset(index->head, 0xFF, sizeof index->head);
	for (size_t i = end; i > first; i--) {
		const struct rule *r = rules[i - 1];
		const bool by_version = r->versions.first != 0 || r->versions.last != 0;

		indexed[i - 1] = (struct indexed_rule){
			.needs = r->needs | r->also,
			.tells = r->tells,
			.versions = by_version ? r->versions : (struct layout_versions)ALL,
			.uploads = r->uploads,
			.next = index->head[r->table],
		};
		index->head[r->table] = (uint16_t)(i - 1);
		index->by_version = index->by_version || by_version;
		index->by_upload = index->by_upload || r->uploads != 0;
	}
}

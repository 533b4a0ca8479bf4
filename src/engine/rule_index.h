/* Rule indexes: for each table the rules that judge its rows, in the order in which they are
 * evaluated. */
#ifndef UVET_ENGINE_RULE_INDEX_H
#define UVET_ENGINE_RULE_INDEX_H

#include "engine/catalog.h"

#define RULE_INDEX_END UINT16_MAX
_Static_assert(CATALOG_MAX < RULE_INDEX_END, "a rule's number fits a list");

/* What evaluating needs of a rule before it is called. */
struct indexed_rule {
	uint64_t tells; /* the rule's */
	uint64_t needs; /* the fact groups without which it is not evaluated */
	struct layout_versions versions;
	uint64_t uploads; /* the rule's */
	uint16_t next;    /* the next rule of its list, or RULE_INDEX_END */
};

/* A rule_index is of a range of the catalog. For each table the rules that judge its rows are a
 * linked list, in the order of the catalog; the list of table 0 has those that judge the file.
 * All indexes of a catalog share one array of indexed rules, by the rules' numbers. */
struct rule_index {
	size_t first, end; /* the range: rules first <= i < end */
	uint16_t head[TABLES_MAX];
	bool by_version; /* some rule is not about every version */
	bool by_upload;  /* some rule is not asked of everything */
};

/* rule_index_fill makes the index of a range of the catalog, and writes that range of indexed, an
 * array for the whole catalog. */
void rule_index_fill(struct rule_index *index, const struct rule *const *rules, size_t first,
		     size_t end, struct indexed_rule *indexed);

#endif

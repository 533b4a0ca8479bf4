/* Evaluation: asking every rule of a list, each table in one pass. */
#ifndef UVET_ENGINE_EVALUATE_H
#define UVET_ENGINE_EVALUATE_H

#include "core/upload.h"
#include "core/work.h"
#include "engine/rule_index.h"
#include "rule/finding.h"

/* An evaluation asks rules about one set of facts. */
struct evaluation {
	struct check check;                 /* down to keep_max the caller's to fill */
	const struct indexed_rule *indexed; /* the catalog's */
	/* the profile's: for each rule of the catalog RULE_PASS or RULE_IGNORED */
	const uint8_t *initial;
	const struct group *groups; /* the facts' stops; NULL: all facts are there */
	const struct format_group *group_names;
	uint32_t n_groups;
	const struct format_traits
		*traits;    /* of the rows of each table; NULL: they are not known */
	enum upload upload; /* rules that are not asked of it do not apply */
	struct work *work;
	void *block; /* room for TABLE_BLOCK rows of the widest view, or NULL if there is none */
};

/* evaluate_rules evaluates the rules of an index. */
void evaluate_rules(struct evaluation *e, const struct rule_index *index);

#endif

/* Evaluation: asking every rule of a list, each table in one pass. */
#ifndef UVET_ENGINE_EVALUATE_H
#define UVET_ENGINE_EVALUATE_H

#include "core/work.h"
#include "engine/profile.h"
#include "rule/finding.h"

/* An evaluation is one stretch of the catalog over one set of facts. */
struct evaluation {
	struct check check;             /* down to keep_max the caller's to fill */
	bool only;                      /* the profile's */
	const struct group *groups;     /* the facts' stops; NULL: all facts are there */
	const struct format_group *group_names;
	uint32_t n_groups;
	struct work *work;
	void *block;                    /* room for TABLE_BLOCK rows of the widest view, or NULL if there is none */
};

/* evaluate_rules evaluates the rules first <= i < end. */
void evaluate_rules(struct evaluation *e, size_t first, size_t end);

#endif

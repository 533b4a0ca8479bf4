/* What the rules of rar share: how they get at the facts, and places. */
#ifndef UVET_FORMATS_ARCHIVE_RAR_FACTS_RULES_H
#define UVET_FORMATS_ARCHIVE_RAR_FACTS_RULES_H

#include "formats/archive/rar/rar.h"
#include "rule/finding.h"

/* RAR_ID is the symbol of a rule that archives share, which is listed with those of zip
 * (rule/ids.h). */
#define RAR_ID(id) id##_rar

static inline const struct rar *rar_of(const struct check *c)
{
	return c->facts;
}

static inline struct place block_place(const struct rar *r, const struct rar_block *b)
{
	return (struct place){ .span = { b->at, b->head_len },
			       .record = "block",
			       .index = (uint64_t)(b - r->blocks),
			       .known = true };
}

/* member_place is the header of a member. */
static inline struct place member_place(const struct rar *r, const struct arc_member *m)
{
	return (struct place){ .span = { m->head_at, m->head_len },
			       .record = "member",
			       .index = rar_row(r, m),
			       .known = true };
}

/* entry_member is the other row of a member. */
static inline const struct arc_member *entry_member(const struct rar *r, const struct rar_member *e)
{
	return &r->members->rows[e - r->entries];
}

#endif

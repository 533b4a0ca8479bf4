/* What the rules of zip share: how they get at the facts of an entry, and places. */
#ifndef UVET_FORMATS_ARCHIVE_ZIP_FACTS_RULES_H
#define UVET_FORMATS_ARCHIVE_ZIP_FACTS_RULES_H

#include "formats/archive/zip/zip.h"
#include "rule/finding.h"

/* member_of is the other row of an entry, name_of its name. */
static inline const struct arc_member *member_of(const struct check *c, const struct zip_entry *e)
{
	const struct zip *z = c->facts;

	return &z->members->rows[e - z->entries];
}

static inline struct arg name_of(const struct check *c, const struct zip_entry *e)
{
	return TEXT_OF(member_of(c, e)->name);
}

/* field is a field of its central header, by its number in the layout. */
static inline struct place field(struct check *c, const struct zip_entry *e, size_t number)
{
	return check_place(c, &zip_central_layout, e, member_of(c, e)->head_at, number);
}

#endif

/* The rules for names and kinds of members of a tar. */
#include "formats/archive/tar/tar.h"

#define MEMBERS_ID(id) id##_tar
#define MEMBERS_ROWS TAR_ROWS
#define MEMBERS_OF(c) (&((const struct tar *)(c)->facts)->members)
#define MEMBERS_PLACE(c, m) AT_SPAN((m)->head_at, (m)->head_len)
#define MEMBERS_GROUP TAR_MEMBERS
#define MEMBERS_ALSO BIT(TAR_END)
#define MEMBERS_OPENS(c, m) opens_link((c)->facts, m)

/* A hard link is opened as what it leads to, if that is a file. */
static inline bool opens_link(const struct tar *t, const struct arc_member *m)
{
	const struct tar_entry *e = &t->entries[m - t->members.rows];

	return t->members.rows[e->content].kind == ARC_FILE;
}

#include "formats/archive/members/member_rules.h"

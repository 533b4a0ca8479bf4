/* The rules for names and kinds of members of a tar. */
#include "formats/archive/tar/tar.h"

#define MEMBERS_ID(id) id##_tar
#define MEMBERS_ROWS TAR_ROWS
#define MEMBERS_OF(c) (&((const struct tar *)(c)->facts)->members)
#define MEMBERS_PLACE(c, m) AT_SPAN((m)->head_at, (m)->head_len)
#define MEMBERS_GROUP TAR_MEMBERS
#define MEMBERS_ALSO BIT(TAR_END)

#include "formats/archive/members/member_rules.h"

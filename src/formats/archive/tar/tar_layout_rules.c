/* The rules for how files lie that all archives share, for those of a tar. */
#include "formats/archive/tar/tar.h"

#define LAYOUT_ID(id) id##_tar
#define LAYOUT_AGAIN(id, user) id##_##user##_tar
#define LAYOUT_TREE TAR_TREE_ROWS
#define LAYOUT_MEMBERS TAR_ROWS
#define LAYOUT_CONTENT TAR_MEMBERS
#define LAYOUT_MEMBERS_OF(c) (&((const struct tar *)(c)->facts)->members)
#define LAYOUT_PLACE(c, m) AT_SPAN((m)->head_at, (m)->head_len)
#include "formats/archive/layout/layout_rules.h"

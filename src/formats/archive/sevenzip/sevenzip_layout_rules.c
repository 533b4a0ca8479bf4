/* The rules for how files lie that all archives share, for those of a 7z. */
#include "formats/archive/sevenzip/facts_rules.h"

#define LAYOUT_ID(id) id##_sevenzip
#define LAYOUT_AGAIN(id, user) id##_##user##_sevenzip
#define LAYOUT_TREE SEVENZIP_TREE_ROWS
#define LAYOUT_MEMBERS SEVENZIP_MEMBERS
#define LAYOUT_CONTENT SEVENZIP_PAYLOAD
#define LAYOUT_MEMBERS_OF(c) (((const struct sevenzip *)(c)->facts)->members)
#define LAYOUT_PLACE(c, m) sevenzip_member_place(c, m)
#include "formats/archive/layout/layout_rules.h"

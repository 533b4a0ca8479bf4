/* The rules for how files lie that all archives share, for those of a rar. */
#include "formats/archive/rar/facts_rules.h"

#define LAYOUT_ID(id) id##_rar
#define LAYOUT_AGAIN(id, user) id##_##user##_rar
#define LAYOUT_TREE RAR_TREE_ROWS
#define LAYOUT_MEMBERS RAR_MEMBER_ROWS
#define LAYOUT_CONTENT RAR_PAYLOAD
#define LAYOUT_MEMBERS_OF(c) (rar_of(c)->members)
#define LAYOUT_PLACE(c, m) member_place(rar_of(c), m)
#include "formats/archive/layout/layout_rules.h"

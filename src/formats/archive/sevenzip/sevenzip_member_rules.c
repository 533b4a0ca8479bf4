/* The rules for members that all archives share, for those of a 7z. */
#include "formats/archive/sevenzip/facts_rules.h"

#define MEMBERS_ID(id) id##_sevenzip
#define MEMBERS_ROWS SEVENZIP_MEMBERS
#define MEMBERS_PACKED SEVENZIP_PACKED
#define MEMBERS_PAYLOADS SEVENZIP_PAYLOADS
#define MEMBERS_GROUP SEVENZIP_NAMES
#define MEMBERS_PAYLOAD_GROUP SEVENZIP_PAYLOAD
#define MEMBERS_OF(c) (((const struct sevenzip *)(c)->facts)->members)
#define MEMBERS_PLACE(c, m) sevenzip_member_place(c, m)
#include "formats/archive/members/member_rules.h"

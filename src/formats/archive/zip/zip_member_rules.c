/* The rules for members that all archives share, for those of a zip. */
#include "formats/archive/zip/zip.h"

#define MEMBERS_ID(id) id
#define MEMBERS_ROWS ZIP_MEMBERS
#define MEMBERS_PAYLOADS ZIP_PAYLOADS
#define MEMBERS_GROUP ZIP_NAMES
#define MEMBERS_PAYLOAD_GROUP ZIP_PAYLOAD
#define MEMBERS_OF(c) (((const struct zip *)(c)->facts)->members)
#define MEMBERS_PLACE(c, m) check_place(c, &zip_central_layout, m, (m)->head_at, 0)
#include "formats/archive/members/member_rules.h"

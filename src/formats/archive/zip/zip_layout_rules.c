/* The rules for how files lie that all archives share, for those of a zip. */
#include "formats/archive/zip/zip.h"

#define LAYOUT_ID(id) id
#define LAYOUT_AGAIN(id, user) id##_##user
#define LAYOUT_TREE ZIP_TREE_ROWS
#define LAYOUT_FILES ZIP_SITE_ROWS
#define LAYOUT_MEMBERS ZIP_MEMBERS
#define LAYOUT_PAYLOADS ZIP_PAYLOADS
#define LAYOUT_CONTENT ZIP_PAYLOAD
#define LAYOUT_MEMBERS_OF(c) (((const struct zip *)(c)->facts)->members)
#define LAYOUT_PLACE(c, m) check_place(c, &zip_central_layout, m, (m)->head_at, 0)
#include "formats/archive/layout/layout_rules.h"

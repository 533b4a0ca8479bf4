/* Expands LAYOUT_FILE into tables. Included once per format, by the file that decodes. */
#include "core/layout.h"

/* The tables. */
/* clang-format off */
#define RECORD(r, meaning)                              static const struct layout_field r##_list[] = {
#define FIELD(r, wire, kind, field, versions, meaning) \
	{ #field, LAYOUT_##wire, LAYOUT_##kind, versions, meaning, LAYOUT_ALWAYS, 0, 0 },
#define FIELD_IF(r, wire, kind, field, versions, flags, mask, meaning) \
	{ #field, LAYOUT_##wire, LAYOUT_##kind, versions, meaning, LAYOUT_IF, r##_field_##flags, mask },
#define FIELD_UNLESS(r, wire, kind, field, versions, flags, mask, meaning) \
	{ #field, LAYOUT_##wire, LAYOUT_##kind, versions, meaning, LAYOUT_UNLESS, r##_field_##flags, mask },
#define FIELD_FOR(r, wire, kind, field, versions, mask, meaning) \
	{ #field, LAYOUT_##wire, LAYOUT_##kind, versions, meaning, LAYOUT_FOR, 0, mask },
#define FIELD_NOT_FOR(r, wire, kind, field, versions, mask, meaning) \
	{ #field, LAYOUT_##wire, LAYOUT_##kind, versions, meaning, LAYOUT_NOT_FOR, 0, mask },
#define END(r, len)                                     };
/* clang-format on */
#include "core/layout_alike_records.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

/* clang-format off */
#define RECORD(r, meaning)                              const struct layout r##_layout = { #r, meaning, r##_list, r##_n_fields,
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)                                     len };
/* clang-format on */
#include "core/layout_alike.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

/* The fixed lengths are what the fields add up to; 0 stands for a record that has none, such as one
 * with a field that depends on flags. */
/* clang-format off */
#define LAYOUT_NOT_FIXED                                + UINT32_MAX / 2
#define RECORD(r, meaning)                              enum { r##_len_check = 0
#define FIELD(r, wire, kind, field, versions, meaning)  + LAYOUT_LEN_##wire
#define FIELD_IF(r, wire, kind, field, versions, flags, mask, meaning)          LAYOUT_NOT_FIXED
#define FIELD_UNLESS(r, wire, kind, field, versions, flags, mask, meaning)      LAYOUT_NOT_FIXED
#define FIELD_FOR(r, wire, kind, field, versions, mask, meaning)                LAYOUT_NOT_FIXED
#define FIELD_NOT_FOR(r, wire, kind, field, versions, mask, meaning)            LAYOUT_NOT_FIXED
#define END(r, len)                                     }; \
	_Static_assert((len) == 0 || (len) == r##_len_check, #r " is not as long as its fields"); \
	_Static_assert((int)r##_n_fields <= (int)LAYOUT_FIELDS_MAX, #r " has more fields than a walk can leave out");
/* clang-format on */
#include "core/layout_alike_records.h"
#include LAYOUT_FILE
#include "core/layout_end.h"
#undef LAYOUT_NOT_FIXED

/* Expands LAYOUT_FILE into tables. Included once per format, by the file that decodes. */
#include "core/layout.h"

/* The tables. */
#define RECORD(r, meaning)                              static const struct layout_field r##_list[] = {
#define FIELD(r, wire, kind, field, versions, meaning)  { #field, LAYOUT_##wire, LAYOUT_##kind, versions, meaning },
#define END(r, len)                                     };
#include "core/layout_alike.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

#define RECORD(r, meaning)                              const struct layout r##_layout = { #r, meaning, r##_list, r##_n_fields,
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)                                     len };
#include "core/layout_alike.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

/* The fixed lengths are what the fields add up to; 0 stands for a record that has none. */
#define RECORD(r, meaning)                              enum { r##_len_check = 0
#define FIELD(r, wire, kind, field, versions, meaning)  + LAYOUT_LEN_##wire
#define END(r, len)                                     }; \
	_Static_assert((len) == 0 || (len) == r##_len_check, #r " is not as long as its fields");
#include "core/layout_alike.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

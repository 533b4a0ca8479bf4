/* Expands LAYOUT_FILE into decoders and tables. Included once per format, by the file that decodes. */
#include <string.h>

#include "core/layout.h"

#define LAYOUT_READ_u8          cursor_u8
#define LAYOUT_READ_u16         cursor_u16
#define LAYOUT_READ_u32         cursor_u32
#define LAYOUT_READ_u64         cursor_u64
#define LAYOUT_READ_index       layout_read_index
#define LAYOUT_READ_string      layout_read_string

#define LAYOUT_LEN_u8           1
#define LAYOUT_LEN_u16          2
#define LAYOUT_LEN_u32          4
#define LAYOUT_LEN_u64          8
#define LAYOUT_LEN_index        0
#define LAYOUT_LEN_string       0

/* The lengths of records that have one, else 0. */
#define RECORD(r, meaning)
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)                                     enum { r##_fixed_len = (len) };
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

/* The decoders. They read into *out and undo it when they fail: a copy at the end would wait for every field to reach memory. The
 * cursor is a copy, which no store to *out can change. A record of fixed length fails before its first field or not at all. */
#define RECORD(r, meaning) \
	bool r##_read(struct cursor *c, uint64_t version, struct r *out) \
	{ \
		struct cursor here = *c; \
		struct r before; \
		(void)version; \
		if (layout_has((struct layout_versions)ALL, version) && !layout_fits(c, r##_fixed_len)) \
			return false; \
		if (r##_fixed_len == 0) \
			before = *out; \
		out->at = cursor_at(c);
#define FIELD(r, wire, kind, field, versions, meaning) \
		if (!layout_has((struct layout_versions)versions, version)) { \
			memset(&out->field, 0, sizeof out->field); \
		} else if (!LAYOUT_READ_##wire(&here, &out->field)) { \
			if (r##_fixed_len == 0) \
				*out = before; \
			return false; \
		}
#define END(r, len) \
		c->pos = here.pos; \
		return true; \
	}
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

/* The tables. */
#define RECORD(r, meaning)                              static const struct layout_field r##_list[] = {
#define FIELD(r, wire, kind, field, versions, meaning)  { #field, LAYOUT_##wire, LAYOUT_##kind, versions, meaning },
#define END(r, len)                                     };
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

#define RECORD(r, meaning)                              const struct layout r##_layout = { #r, meaning, r##_list, r##_n_fields,
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)                                     len };
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

/* The fixed lengths are what the fields add up to; 0 stands for a record that has none. */
#define RECORD(r, meaning)                              enum { r##_len_check = 0
#define FIELD(r, wire, kind, field, versions, meaning)  + LAYOUT_LEN_##wire
#define END(r, len)                                     }; \
	_Static_assert((len) == 0 || (len) == r##_len_check, #r " is not as long as its fields");
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

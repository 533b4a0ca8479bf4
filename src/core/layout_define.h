/* Expands LAYOUT_FILE into decoders and tables. Included once per format, by the file that decodes. */
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

/* The decoders. They read into *out and undo it when they fail: a copy at the end would wait for every field to reach memory. */
#define RECORD(r, meaning) \
	bool r##_read(struct cursor *c, uint64_t version, struct r *out) \
	{ \
		const struct r before = *out; \
		const uint64_t pos = c->pos; \
		(void)version; \
		*out = (struct r){ .at = cursor_at(c) };
#define FIELD(r, wire, kind, field, versions, meaning) \
		if (layout_has((struct layout_versions)versions, version) && !LAYOUT_READ_##wire(c, &out->field)) { \
			c->pos = pos; \
			*out = before; \
			return false; \
		}
#define END(r, len) \
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

/* Expands LAYOUT_FILE into host structs, field enums and decoders. Included once per format, by its header. */
#include <string.h>

#include "core/layout.h"

#define LAYOUT_HOST_u8          uint64_t
#define LAYOUT_HOST_u16         uint64_t
#define LAYOUT_HOST_u24         uint64_t
#define LAYOUT_HOST_u32         uint64_t
#define LAYOUT_HOST_u40         uint64_t
#define LAYOUT_HOST_u40be       uint64_t
#define LAYOUT_HOST_u64         uint64_t
#define LAYOUT_HOST_i32          int64_t
#define LAYOUT_HOST_index       struct layout_index
#define LAYOUT_HOST_string      struct text_ref
#define LAYOUT_HOST_zstring     struct text_ref

#define LAYOUT_READ_u8          cursor_u8
#define LAYOUT_READ_u16         cursor_u16
#define LAYOUT_READ_u24         layout_read_u24
#define LAYOUT_READ_u32         cursor_u32
#define LAYOUT_READ_u40         layout_read_u40
#define LAYOUT_READ_u40be       layout_read_u40be
#define LAYOUT_READ_u64         cursor_u64
#define LAYOUT_READ_i32          layout_read_i32
#define LAYOUT_READ_index       layout_read_index
#define LAYOUT_READ_string      layout_read_string
#define LAYOUT_READ_zstring     layout_read_zstring

/* The most bytes of a field that layout_few_x reads. */
#define LAYOUT_MOST_u8          1
#define LAYOUT_MOST_u16         2
#define LAYOUT_MOST_u24         3
#define LAYOUT_MOST_u32         4
#define LAYOUT_MOST_u40         5
#define LAYOUT_MOST_u40be       5
#define LAYOUT_MOST_u64         8
#define LAYOUT_MOST_i32         4
#define LAYOUT_MOST_index       4
#define LAYOUT_MOST_string      (1 + LAYOUT_FEW_TEXT)
#define LAYOUT_MOST_zstring     0

/* The host structs. */
#define RECORD(r, meaning)                              struct r { uint64_t at;
#define FIELD(r, wire, kind, field, versions, meaning)  LAYOUT_HOST_##wire field;
#define END(r, len)                                     };
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

/* The field numbers: r_field_x. */
#define RECORD(r, meaning)                              enum r##_fields {
#define FIELD(r, wire, kind, field, versions, meaning)  r##_field_##field,
#define END(r, len)                                     r##_n_fields };
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

/* The tables, the most bytes that r_few reads, and the lengths of records that have one, else 0. */
#define RECORD(r, meaning)                              extern const struct layout r##_layout; enum { r##_most = 0
#define FIELD(r, wire, kind, field, versions, meaning)  + LAYOUT_MOST_##wire
#define END(r, len)                                     , r##_fixed_len = (len) };
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

/* The decoders. r_read reads one record of a version; or it fails, moves nothing and clears *out. They are inline, so that the cursor
 * of a loop over records stays in registers, and go by a copy of it, which no store to *out can change. A record of fixed length fails
 * before its first field or not at all. */
#define RECORD(r, meaning) \
	UVET_MUST_USE static inline bool r##_read(struct cursor *c, uint64_t version, struct r *out) \
	{ \
		struct cursor here = *c; \
		(void)version; \
		if (layout_has((struct layout_versions)ALL, version) && !layout_fits(c, r##_fixed_len)) { \
			memset(out, 0, sizeof *out); \
			return false; \
		} \
		out->at = cursor_at(c);
#define FIELD(r, wire, kind, field, versions, meaning) \
		if (!layout_has((struct layout_versions)versions, version)) { \
			memset(&out->field, 0, sizeof out->field); \
		} else if (!LAYOUT_READ_##wire(&here, &out->field)) { \
			memset(out, 0, sizeof *out); \
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

/* The quick decoders. r_few reads a record of whose fields none is unusual, as nearly all are, and asks once whether the window has as
 * many bytes as that could take. Where it fails, it moves nothing, *out holds nothing, and r_read tells. */
#define RECORD(r, meaning) \
	UVET_MUST_USE static inline bool r##_few(struct cursor *c, uint64_t version, struct r *out) \
	{ \
		struct cursor ahead = *c; \
		const uint8_t *p; \
		uint64_t n, done = 0; \
		(void)version; \
		if (!cursor_take(&ahead, r##_most, &p)) \
			return false; \
		out->at = cursor_at(c);
#define FIELD(r, wire, kind, field, versions, meaning) \
		if (!layout_has((struct layout_versions)versions, version)) { \
			memset(&out->field, 0, sizeof out->field); \
		} else { \
			n = layout_few_##wire(p + done, out->at + done, &out->field); \
			if (n == 0) \
				return false; \
			done += n; \
		}
#define END(r, len) \
		c->pos += done; \
		return true; \
	}
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

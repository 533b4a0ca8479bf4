/* Expands LAYOUT_FILE into host structs, field enums, decoders of records and readers of rows.
 * Included once per format, by its header. */
#include <string.h>

#include "core/layout.h"
#include "core/rows.h"

#define LAYOUT_HOST_u8 uint64_t
#define LAYOUT_HOST_u16 uint64_t
#define LAYOUT_HOST_u24 uint64_t
#define LAYOUT_HOST_u32 uint64_t
#define LAYOUT_HOST_u40 uint64_t
#define LAYOUT_HOST_u40be uint64_t
#define LAYOUT_HOST_u64 uint64_t
#define LAYOUT_HOST_i32 int64_t
#define LAYOUT_HOST_index struct layout_index
#define LAYOUT_HOST_string struct text_ref
#define LAYOUT_HOST_zstring struct text_ref

#define LAYOUT_READ_u8 cursor_u8
#define LAYOUT_READ_u16 cursor_u16
#define LAYOUT_READ_u24 layout_read_u24
#define LAYOUT_READ_u32 cursor_u32
#define LAYOUT_READ_u40 layout_read_u40
#define LAYOUT_READ_u40be layout_read_u40be
#define LAYOUT_READ_u64 cursor_u64
#define LAYOUT_READ_i32 layout_read_i32
#define LAYOUT_READ_index layout_read_index
#define LAYOUT_READ_string layout_read_string
#define LAYOUT_READ_zstring layout_read_zstring

/* How many bytes a field has; 0: that varies. */
#define LAYOUT_LEN_u8 1
#define LAYOUT_LEN_u16 2
#define LAYOUT_LEN_u24 3
#define LAYOUT_LEN_u32 4
#define LAYOUT_LEN_u40 5
#define LAYOUT_LEN_u40be 5
#define LAYOUT_LEN_u64 8
#define LAYOUT_LEN_i32 4
#define LAYOUT_LEN_index 0
#define LAYOUT_LEN_string 0
#define LAYOUT_LEN_zstring 0

/* The most bytes that layout_fast_x reads. */
#define LAYOUT_MOST_u8 1
#define LAYOUT_MOST_u16 2
#define LAYOUT_MOST_u24 3
#define LAYOUT_MOST_u32 4
#define LAYOUT_MOST_u40 5
#define LAYOUT_MOST_u40be 5
#define LAYOUT_MOST_u64 8
#define LAYOUT_MOST_i32 4
#define LAYOUT_MOST_index 4
#define LAYOUT_MOST_string (1 + LAYOUT_FAST_TEXT)
#define LAYOUT_MOST_zstring 0

/* The host structs. */
/* clang-format off */
#define RECORD(r, meaning)                              struct r { uint64_t at;
#define FIELD(r, wire, kind, field, versions, meaning)  LAYOUT_HOST_##wire field;
#define END(r, len)                                     };
/* clang-format on */
#include "core/layout_alike.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

/* The field numbers: r_field_x. */
/* clang-format off */
#define RECORD(r, meaning)                              enum r##_fields {
#define FIELD(r, wire, kind, field, versions, meaning)  r##_field_##field,
#define END(r, len)                                     r##_n_fields };
/* clang-format on */
#include "core/layout_alike.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

/* The layouts, and the length of each record in bytes; 0: that varies. */
/* clang-format off */
#define RECORD(r, meaning)                              extern const struct layout r##_layout; enum { r##_fixed_len =
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)                                     (len) };
/* clang-format on */
#include "core/layout_alike.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

/* The decoders. r_read reads one record in a context (layout_context). If it fails, it does not
 * move the cursor, and clears *out. It is inline, so that the cursor of a loop over records
 * stays in registers, and works on a copy of the cursor, which the compiler knows no store to
 * *out can change. A record of fixed length fails before its first field or not at all. */
/* clang-format off */
#define RECORD(r, meaning) \
	UVET_MUST_USE static inline bool r##_read(struct cursor *c, uint64_t context, struct r *out) \
	{ \
		const uint64_t version = layout_version(context); \
		struct cursor here = *c; \
		(void)version; \
		if (!layout_fits(c, r##_fixed_len)) { \
			memset(out, 0, sizeof *out); \
			return false; \
		} \
		out->at = cursor_at(c);
#define FIELD(r, wire, kind, field, versions, meaning) \
		LAYOUT_FIELD_WHERE(layout_is_in((struct layout_versions)versions, version), wire, field)
#define FIELD_IF(r, wire, kind, field, versions, flags, mask, meaning) \
		LAYOUT_FIELD_WHERE(layout_is_in((struct layout_versions)versions, version) && (out->flags & (mask)) != 0, wire, field)
#define FIELD_UNLESS(r, wire, kind, field, versions, flags, mask, meaning) \
		LAYOUT_FIELD_WHERE(layout_is_in((struct layout_versions)versions, version) && (out->flags & (mask)) == 0, wire, field)
#define FIELD_FOR(r, wire, kind, field, versions, mask, meaning) \
		LAYOUT_FIELD_WHERE(layout_is_in((struct layout_versions)versions, version) && layout_is_for(context, (mask)), wire, field)
#define FIELD_NOT_FOR(r, wire, kind, field, versions, mask, meaning) \
		LAYOUT_FIELD_WHERE(layout_is_in((struct layout_versions)versions, version) && !layout_is_for(context, (mask)), wire, field)
#define LAYOUT_FIELD_WHERE(exists, wire, field) \
		if (!(exists)) { \
			memset(&out->field, 0, sizeof out->field); \
		} else if (!LAYOUT_READ_##wire(&here, &out->field)) { \
			memset(out, 0, sizeof *out); \
			return false; \
		}
#define END(r, len) \
		c->pos = here.pos; \
		return true; \
	}
#define ROWS(r, meaning)
#define COLUMN(r, wire, kind, field, meaning)
#define ROWS_END(r, len)
/* clang-format on */
#include "core/layout_alike_fast.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

#undef LAYOUT_FIELD_WHERE

/* The most bytes that r_fast reads. */
/* clang-format off */
#define FAST_RECORD(r, meaning)                                 enum { r##_most = 0
#define FAST_FIELD(r, wire, kind, field, versions, meaning)     + LAYOUT_MOST_##wire
#define FAST_END(r, len)                                        };
/* clang-format on */
#include "core/layout_fast_only.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

/* The fast decoders, of each FAST_RECORD. Its fields may depend on the version, but not on
 * flags. r_fast reads a record whose fields all have the usual form, as nearly all records do,
 * and checks the bounds of the window once, for the most bytes that such a record can have. If
 * it fails, it does not move the cursor, *out has no meaning, and r_read has to read the record. */
/* clang-format off */
#define FAST_RECORD(r, meaning) \
	UVET_MUST_USE static inline bool r##_fast(struct cursor *c, uint64_t version, struct r *out) \
	{ \
		struct cursor ahead = *c; \
		const uint8_t *p; \
		uint64_t n, done = 0; \
		(void)version; \
		if (!cursor_take(&ahead, r##_most, &p)) \
			return false; \
		out->at = cursor_at(c);
#define FAST_FIELD(r, wire, kind, field, versions, meaning) \
		if (!layout_is_in((struct layout_versions)versions, version)) { \
			memset(&out->field, 0, sizeof out->field); \
		} else { \
			n = layout_fast_##wire(p + done, out->at + done, &out->field); \
			if (n == 0) \
				return false; \
			done += n; \
		}
#define FAST_END(r, len) \
		c->pos += done; \
		return true; \
	}
/* clang-format on */
#include "core/layout_fast_only.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

/* Rows. An r_rows is an array of rows in memory, and an r_row is one of them. r_at returns row
 * i, or a row of zeros if it is out of range. r_in makes an array of as many whole rows as the
 * bytes hold. r_part returns n rows from `first` on, or none if any is out of range. r_fetch
 * prefetches n rows, r_fetch_one one. r_get_x reads field x of a row. r_word reads the i-th four
 * bytes of a row and r_byte the i-th byte, whatever fields they belong to; 0 past its end. */
/* clang-format off */
#define ROWS(r, meaning)                                enum r##_places {
#define COLUMN(r, wire, kind, field, meaning) \
	r##_place_##field, r##_last_##field = r##_place_##field + LAYOUT_LEN_##wire - 1,
#define ROWS_END(r, size)                                r##_places_end }; \
	struct r##_rows { const uint8_t *bytes; uint64_t n; }; \
	struct r##_row { const uint8_t *bytes; }; \
	_Static_assert(r##_places_end == (size), #r " is not as long as its fields"); \
	_Static_assert((size) <= ROWS_LONGEST, #r " is longer than the row of zeros"); \
	UVET_INLINE static inline struct r##_row r##_at(struct r##_rows t, uint64_t i) \
	{ \
		return (struct r##_row){ rows_place(t.bytes, t.n, i, (size)) }; \
	} \
	static inline struct r##_rows r##_in(struct held h) \
	{ \
		return (struct r##_rows){ h.bytes, h.len / (size) }; \
	} \
	UVET_INLINE static inline struct r##_rows r##_part(struct r##_rows t, uint64_t first, uint64_t n) \
	{ \
		if (n > t.n || first > t.n - n) \
			return (struct r##_rows){ rows_zeros, 0 }; \
		return (struct r##_rows){ t.bytes + first * (size), n }; \
	} \
	UVET_INLINE static inline void r##_fetch_one(struct r##_rows t, uint64_t i) \
	{ \
		rows_fetch_one(t.bytes, i, (size)); \
	} \
	UVET_INLINE static inline void r##_fetch(struct r##_rows t, uint64_t first, uint64_t n) \
	{ \
		rows_fetch(t.bytes, t.n, first, n, (size)); \
	} \
	UVET_INLINE static inline uint64_t r##_word(struct r##_row row, uint64_t i) \
	{ \
		return i < ROWS_LONGEST && 4 * i + 4 <= (size) ? bytes_le32(row.bytes + 4 * i) : 0; \
	} \
	UVET_INLINE static inline uint64_t r##_byte(struct r##_row row, uint64_t i) \
	{ \
		return i < (size) ? row.bytes[i] : 0; \
	}
/* clang-format on */
#include "core/layout_rows_only.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

#define ROWS(r, meaning)
#define COLUMN(r, wire, kind, field, meaning) \
	UVET_INLINE static inline LAYOUT_HOST_##wire r##_get_##field(struct r##_row row) \
	{ \
		return layout_get_##wire(row.bytes, r##_place_##field, r##_places_end); \
	}
#define ROWS_END(r, len)
#include "core/layout_rows_only.h"
#include LAYOUT_FILE
#include "core/layout_end.h"

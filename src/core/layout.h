/* Layouts: what a record's fields are, as data, so that decoder, reports, map, docs and mutator
 * share one list.
 *
 * A format writes its records in x.def:
 *
 *     RECORD(umod_trailer, "the last 20 bytes")
 *     FIELD (umod_trailer, u32, MAGIC, magic, ALL, "Magic: 0x9FE3C5A3")
 *     END   (umod_trailer, 20)
 *
 * A field may exist in some versions only (ALL, SINCE, UNTIL, BETWEEN), and depend on flags: on a
 * field of kind FLAGS that the record has before it, or on those of the context (layout_context).
 *
 *     FIELD_IF        (toy_header, u32, ID, shop, ALL, flags, 1, "if bit 0 of flags is set")
 *     FIELD_UNLESS    (toy_header, u32, ID, shop, ALL, flags, 6, "if neither bit 1 nor 2 is set")
 *     FIELD_FOR       (toy_item, u32, ID, id, ALL, TOY_LONG, "exists if the context has that flag")
 *     FIELD_NOT_FOR   (toy_item, u16, ID, short_id, ALL, TOY_LONG, "exists if it has not")
 *
 * Such a record has no fixed length: END says 0. A record that is read very often is written
 * FAST_RECORD, FAST_FIELD, FAST_END, and gets a second decoder, which reads only rows of the usual
 * form.
 *
 * Tables whose records all have the same length are rows. They are not decoded one after another,
 * but read in place, by number (core/rows.h):
 *
 *     ROWS    (utoc_seed, "a seed of the perfect hash")
 *     COLUMN  (utoc_seed, i32, VALUE, value, "above 0 a seed; below 0 a slot, -slot - 1")
 *     ROWS_END(utoc_seed, 4)
 *
 * x.h sets LAYOUT_FILE to it and includes core/layout_declare.h: for each record a struct
 * (integers as u64, texts as text_ref, `at` = where the record lies), an enum of its fields and
 * its decoder. x.c does the same with core/layout_define.h: the tables. */
#ifndef UVET_CORE_LAYOUT_H
#define UVET_CORE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compiler.h"
#include "core/cursor.h"
#include "core/span.h"
#include "core/text.h"

/* How a field is stored. Integers are unsigned and little-endian unless it says otherwise. */
enum layout_wire {
	LAYOUT_u8,
	LAYOUT_u16,
	LAYOUT_u24,
	LAYOUT_u32,
	LAYOUT_u40,
	LAYOUT_u64,
	LAYOUT_u40be, /* big-endian */
	LAYOUT_i32,   /* signed */
	LAYOUT_index, /* Unreal's compact index, signed, 1 to 5 bytes */
	/* a compact index, which counts the units with the NUL (negative: UTF-16LE), then the
	 * units */
	LAYOUT_string,
	LAYOUT_zstring, /* bytes up to a NUL */
};

/* What a field means to whoever shows or mutates it. */
enum layout_kind {
	LAYOUT_MAGIC,
	LAYOUT_VERSION,
	LAYOUT_OFFSET,
	LAYOUT_SIZE,
	LAYOUT_COUNT,
	LAYOUT_FLAGS,
	LAYOUT_CHECKSUM,
	LAYOUT_NAME,
	LAYOUT_ID, /* a part of an identifier */
	LAYOUT_VALUE,
};

/* The format versions in which a field exists, both ends included. */
struct layout_versions {
	uint32_t first, last;
};

#define ALL \
	{ \
		0, UINT32_MAX \
	}
#define SINCE(v) \
	{ \
		(v), UINT32_MAX \
	}
#define UNTIL(v) \
	{ \
		0, (v) \
	}
#define BETWEEN(v, w) \
	{ \
		(v), (w) \
	}

/* The same with a prefix, for macros that pass `versions` on to FIELD as LAYOUT_##versions. The
 * ## keeps it from being expanded too early, when the comma in its expansion would split it in
 * two. */
#define LAYOUT_ALL ALL
#define LAYOUT_SINCE(v) SINCE(v)
#define LAYOUT_UNTIL(v) UNTIL(v)
#define LAYOUT_BETWEEN(v, w) BETWEEN(v, w)

/* On which flags a field depends. */
enum layout_condition { LAYOUT_ALWAYS, LAYOUT_IF, LAYOUT_UNLESS, LAYOUT_FOR, LAYOUT_NOT_FOR };

struct layout_field {
	const char *name;
	enum layout_wire wire;
	enum layout_kind kind;
	struct layout_versions versions;
	const char *meaning; /* begins with Epic's name of the field where there is one */
	enum layout_condition condition;
	/* LAYOUT_IF and LAYOUT_UNLESS: the number of the field with the flags, which is of kind
	 * FLAGS */
	uint8_t on;
	uint32_t mask; /* the flags */
};

/* How many fields a record may have at most. */
enum { LAYOUT_FIELDS_MAX = 64 };

struct layout {
	const char *name;
	const char *meaning;
	const struct layout_field *fields;
	size_t n_fields;
	size_t fixed_len; /* bytes of the record in every version, or 0 */
};

/* A layout_index is a compact index as it was read. */
struct layout_index {
	int64_t value;
	uint32_t len;  /* bytes it took */
	uint32_t form; /* enum index_form */
};

/* layout_any_string reads any counted text at c. It returns how many bytes the text takes, its
 * count included; 0, with *out unchanged, if the count cannot be read or the units do not fit in
 * the window. What else may be wrong with the text is in its flags. */
UVET_MUST_USE uint64_t layout_any_string(struct cursor c, struct text_ref *out);

/* layout_fast_string reads the counted text at p, whose offset in the source is `at`, if it has
 * the usual form: up to LAYOUT_FAST_TEXT units of one byte, of which the last is NUL. At p, 1 +
 * LAYOUT_FAST_TEXT bytes can be read, or 1 + p[0] where that is fewer. It returns how many bytes
 * the text takes; 0: only layout_any_string can read it. */
#define LAYOUT_FAST_TEXT 63 /* bytes of a text with its NUL: what a count of one byte can say */
static inline uint64_t layout_fast_string(const uint8_t *p, uint64_t at, struct text_ref *out)
{
	const uint32_t n = p[0];

	if (n == 0 || n > LAYOUT_FAST_TEXT || p[n] != 0)
		return 0;
	*out = (struct text_ref){ at + 1, n - 1, TEXT_CP1252, 0, 1 };
	return n + 1;
}

/* layout_read_string is layout_any_string, and moves the cursor; false where that returns 0. */
UVET_MUST_USE static inline bool layout_read_string(struct cursor *c, struct text_ref *out)
{
	const uint8_t *p = cursor_here(c), *units;
	struct cursor ahead = *c;
	uint64_t n;

	if (cursor_u8(&ahead, &n) && cursor_take(&ahead, n, &units))
		n = layout_fast_string(p, cursor_at(c), out);
	else
		n = 0;
	if (n == 0)
		n = layout_any_string(*c, out);
	c->pos += n;
	return n > 0;
}

/* layout_read_zstring reads bytes up to a NUL; false if there is none. */
UVET_MUST_USE static inline bool layout_read_zstring(struct cursor *c, struct text_ref *out)
{
	struct cursor ahead = *c;
	const uint8_t *bytes, *nul;
	uint64_t n = cursor_left(c);

	if (n == 0 || !cursor_bytes(&ahead, n, &bytes))
		return false;
	nul = memchr(bytes, 0, (size_t)n);
	if (!nul)
		return false;
	n = (uint64_t)(nul - bytes);
	*out = (struct text_ref){ .at = cursor_at(c), .n_units = (uint32_t)n };
	c->pos += n + 1;
	return true;
}

/* layout_signed returns the number that 32 bits are in two's complement. */
static inline int64_t layout_signed(uint64_t bits)
{
	return (int64_t)(bits ^ 0x80000000) - 0x80000000;
}

/* layout_read_i32 reads a signed number. */
UVET_MUST_USE static inline bool layout_read_i32(struct cursor *c, int64_t *out)
{
	uint64_t v;

	if (!cursor_u32(c, &v))
		return false;
	*out = layout_signed(v);
	return true;
}

/* layout_read_u24, layout_read_u40 and layout_read_u40be read numbers of three and five bytes. */
UVET_MUST_USE static inline bool layout_read_u24(struct cursor *c, uint64_t *out)
{
	return cursor_uint(c, 3, out);
}
UVET_MUST_USE static inline bool layout_read_u40(struct cursor *c, uint64_t *out)
{
	return cursor_uint(c, 5, out);
}
UVET_MUST_USE static inline bool layout_read_u40be(struct cursor *c, uint64_t *out)
{
	return cursor_uint_be(c, 5, out);
}

/* layout_read_index reads a compact index. */
UVET_MUST_USE static inline bool layout_read_index(struct cursor *c, struct layout_index *out)
{
	uint64_t start = c->pos;
	enum index_form form;

	if (!cursor_index(c, &out->value, &form))
		return false;
	out->len = (uint32_t)(c->pos - start);
	out->form = form;
	return true;
}

/* layout_fast_x reads a field stored as x at p, where LAYOUT_MOST_x bytes can be read; `at` is
 * its offset in the source. It returns how many bytes the field takes; 0: it does not have the
 * usual form, as an index of five bytes, and only layout_read_x can read it. layout_fast_string
 * is above. */
#define LAYOUT_FAST(wire, len, value) \
	static inline uint64_t layout_fast_##wire(const uint8_t *p, uint64_t at, uint64_t *out) \
	{ \
		(void)at; \
		*out = value; \
		return len; \
	}
LAYOUT_FAST(u8, 1, p[0])
LAYOUT_FAST(u16, 2, bytes_le16(p))
LAYOUT_FAST(u24, 3, bytes_le16(p) + ((uint64_t)p[2] << 16))
LAYOUT_FAST(u32, 4, bytes_le32(p))
LAYOUT_FAST(u40, 5, bytes_le32(p) + ((uint64_t)p[4] << 32))
LAYOUT_FAST(u40be, 5, bytes_be40(p))
LAYOUT_FAST(u64, 8, bytes_le64(p))
#undef LAYOUT_FAST
static inline uint64_t layout_fast_i32(const uint8_t *p, uint64_t at, int64_t *out)
{
	(void)at;
	*out = layout_signed(bytes_le32(p));
	return 4;
}
static inline uint64_t layout_fast_index(const uint8_t *p, uint64_t at, struct layout_index *out)
{
	(void)at;
	out->len = (uint32_t)index_short(p, &out->value);
	out->form = INDEX_MINIMAL;
	return out->len;
}
static inline uint64_t layout_fast_zstring(const uint8_t *p, uint64_t at, struct text_ref *out)
{
	(void)p, (void)at, (void)out;
	return 0;
}

/* layout_get_x reads a field at offset `at` of a row of len bytes. Where enough bytes of the row
 * follow, fields of three and five bytes are read by one longer load. */
#define LAYOUT_GET(wire, value) \
	UVET_INLINE static inline uint64_t layout_get_##wire(const uint8_t *row, uint64_t at, \
							     uint64_t len) \
	{ \
		(void)len; \
		return value; \
	}
LAYOUT_GET(u8, row[at])
LAYOUT_GET(u16, bytes_le16(row + at))
LAYOUT_GET(u24, at + 4 <= len ? bytes_le32(row + at) & 0xFFFFFF
			      : bytes_le16(row + at) + ((uint64_t)row[at + 2] << 16))
LAYOUT_GET(u32, bytes_le32(row + at))
LAYOUT_GET(u40, at + 8 <= len ? bytes_le64(row + at) & UINT64_C(0xFFFFFFFFFF)
			      : bytes_le32(row + at) + ((uint64_t)row[at + 4] << 32))
LAYOUT_GET(u40be, at + 8 <= len ? bytes_be64(row + at) >> 24 : bytes_be40(row + at))
LAYOUT_GET(u64, bytes_le64(row + at))
#undef LAYOUT_GET
UVET_INLINE static inline int64_t layout_get_i32(const uint8_t *row, uint64_t at, uint64_t len)
{
	(void)len;
	return layout_signed(bytes_le32(row + at));
}

/* layout_fits tells whether a record of len bytes is left. */
static inline bool layout_fits(const struct cursor *c, uint64_t len)
{
	return len <= cursor_left(c);
}

/* A context is what the fields of a record depend on besides the record: the format version of
 * the file, in the lower half, and flags of the format's own, in the upper. Without such flags
 * it is just the version. layout_is_for tells whether a context has one of the flags. */
static inline uint64_t layout_context(uint64_t version, uint64_t flags)
{
	return (version & UINT32_MAX) | flags << 32;
}
static inline uint64_t layout_version(uint64_t context)
{
	return context & UINT32_MAX;
}
static inline bool layout_is_for(uint64_t context, uint64_t flags)
{
	return (context >> 32 & flags) != 0;
}

/* layout_is_in tells whether a version is one of these, layout_has whether a context's version
 * is. */
static inline bool layout_is_in(struct layout_versions v, uint64_t version)
{
	return version >= v.first && version <= v.last;
}
static inline bool layout_has(struct layout_versions v, uint64_t context)
{
	return layout_is_in(v, layout_version(context));
}

/* A layout_value is a field's place and value, as shown by map. */
struct layout_value {
	/* used by layout_walk alone: fields that flags before them leave out, a bit each */
	uint64_t absent;
	const struct layout_field *field;
	struct span at;
	int64_t number;       /* of integers and indexes */
	struct text_ref text; /* of strings */
};

/* layout_walk reads the next field of a record: the walk starts with *i = 0 and a cursor at the
 * record's start, and *out is the same in all its steps. It returns false at the record's end,
 * with out->field NULL, or if the window ends first, with out->field the one that could not be
 * read. The value in *out is then still that of the field before. */
UVET_MUST_USE bool layout_walk(const struct layout *l, uint64_t context, struct cursor *c,
			       size_t *i, struct layout_value *out);

/* layout_place finds where a field of a record lies; c is at the record's start. false: the
 * field does not exist in this context, or the window ends before it does. */
UVET_MUST_USE bool layout_place(const struct layout *l, uint64_t context, struct cursor c,
				size_t field, struct span *out);

#endif

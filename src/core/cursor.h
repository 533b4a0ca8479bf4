/* The bounded reader: the only code that turns an offset into a pointer. */
#ifndef UVET_CORE_CURSOR_H
#define UVET_CORE_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/compiler.h"
#include "core/span.h"

/* A cursor reads a window of a source and cannot leave it. It owns nothing;
 * the window's bytes outlive it. Every function either succeeds and advances,
 * or fails and changes nothing: neither the cursor nor what out points to.
 * Offsets and lengths are in bytes. */
struct cursor {
	const uint8_t *data;
	uint64_t len, pos;
	uint64_t origin; /* where data[0] lies in the source: findings are absolute */
};

/* An index_form says how a compact index was written. Every reader accepts
 * all three; the engine writes only the first. */
enum index_form {
	INDEX_MINIMAL,
	INDEX_OVERLONG,      /* a shorter encoding of the same value exists */
	INDEX_NEGATIVE_ZERO, /* the sign bit on zero, of any length */
};

/* An index_result says how reading a compact index ended. */
enum index_result {
	INDEX_OK,
	INDEX_SHORT,   /* the window ends before the index does */
	INDEX_ILLEGAL, /* the value does not fit in 32 bits: readers disagree on it */
};

/*@ predicate readable_cursor(struct cursor *c) =
      \valid_read(c) && c->pos <= c->len && c->origin + c->len <= UINT64_MAX &&
      \valid_read(c->data + (0 .. c->len - 1));

    predicate valid_cursor(struct cursor *c) =
      \valid(c) && readable_cursor(c) && \separated(c, c->data + (0 .. c->len - 1));

    predicate apart(struct cursor *c, uint64_t *out) =
      \separated(c, out, c->data + (0 .. c->len - 1));

    predicate advanced{A, B}(struct cursor *c, integer n) =
      \at(c->data, A) == \at(c->data, B) && \at(c->len, A) == \at(c->len, B) &&
      \at(c->origin, A) == \at(c->origin, B) && \at(c->pos, A) + n == \at(c->pos, B);

    predicate unchanged{A, B}(struct cursor *c) = advanced{A, B}(c, 0);

    predicate inside(struct cursor *c, integer at, integer n) =
      c->origin <= at && at + n <= c->origin + c->len;

    logic integer left(struct cursor *c) = c->len - c->pos;

    logic uint8_t *here(struct cursor *c) = c->data + c->pos;

    logic integer le16(uint8_t *p) = p[0] + 256 * p[1];
    logic integer le32(uint8_t *p) = le16(p) + 65536 * le16(p + 2);
    logic integer le64(uint8_t *p) = le32(p) + 4294967296 * le32(p + 4);

    logic integer le(uint8_t *p, integer n) = n <= 0 ? 0 : p[0] + 256 * le(p + 1, n - 1);
    logic integer be(uint8_t *p, integer n) = n <= 0 ? 0 : 256 * be(p, n - 1) + p[n - 1];

    logic integer index_length(uint8_t *p) =
      p[0] % 128 < 64 ? 1 : p[1] < 128 ? 2 : p[2] < 128 ? 3 : p[3] < 128 ? 4 : 5;

    logic integer index_magnitude(uint8_t *p, integer n) =
      p[0] % 64 + (n > 1 ? p[1] % 128 * 64 : 0) + (n > 2 ? p[2] % 128 * 8192 : 0) +
      (n > 3 ? p[3] % 128 * 1048576 : 0) + (n > 4 ? p[4] * 134217728 : 0);

    predicate index_short(struct cursor *c) =
      left(c) < 1 || left(c) < index_length(here(c));

    predicate index_legal(uint8_t *p, integer n) =
      index_magnitude(p, n) <= (p[0] < 128 ? 2147483647 : 2147483648);

    logic integer index_value(uint8_t *p, integer n) =
      p[0] < 128 ? index_magnitude(p, n) : -index_magnitude(p, n);

    logic integer index_written(uint8_t *p, integer n) =
      p[0] >= 128 && index_magnitude(p, n) == 0 ? INDEX_NEGATIVE_ZERO :
      n > 1 && p[n - 1] == 0 ? INDEX_OVERLONG : INDEX_MINIMAL;
 */

/* cursor_init returns a cursor at the start of len bytes at data, which lie
 * at origin in their source. data may be NULL where len is 0; origin + len
 * does not wrap. */
/*@ requires origin + len <= UINT64_MAX;
    requires \valid_read(data + (0 .. len - 1));
    assigns \result \from data, len, origin;
    ensures \result.len == len && \result.pos == 0 && \result.origin == origin;
    ensures \result.data == data || len == 0;
 */
static inline struct cursor cursor_init(const uint8_t *data, uint64_t len, uint64_t origin)
{
	static const uint8_t nothing[1];
	struct cursor c = { 0 };

	/* NULL + 0 is undefined, and cursor_take computes it. */
	c.data = data ? data : nothing;
	c.len = len;
	c.origin = origin;
	return c;
}

/* cursor_left returns how many bytes lie between c and its window's end. */
/*@ requires readable_cursor(c);
    assigns \nothing;
    ensures \result == left(c);
 */
static inline uint64_t cursor_left(const struct cursor *c)
{
	return c->len - c->pos;
}

/* cursor_at returns the absolute offset of c in its source. */
/*@ requires readable_cursor(c);
    assigns \nothing;
    ensures \result == c->origin + c->pos;
 */
static inline uint64_t cursor_at(const struct cursor *c)
{
	return c->origin + c->pos;
}

/* cursor_take advances c over n bytes and points out at the first of them. All bounds checks of
 * the cursor come down to its one comparison. */
/*@ requires valid_cursor(c) && \valid(out) && \separated(c, out);
    requires \separated(out, c->data + (0 .. c->len - 1));
    assigns c->pos \from c->pos, c->len, n;
    assigns *out \from *out, c->data, c->pos, c->len, n;
    behavior success:
      assumes n <= left(c);
      ensures \result == \true && advanced{Pre, Post}(c, n) && valid_cursor(c);
      ensures *out == \old(here(c)) && \valid_read(*out + (0 .. n - 1));
    behavior failure:
      assumes n > left(c);
      ensures \result == \false && unchanged{Pre, Post}(c) && *out == \old(*out);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE static inline bool cursor_take(struct cursor *c, uint64_t n, const uint8_t **out)
{
	if (n > c->len - c->pos)
		return false;
	*out = c->data + c->pos;
	c->pos += n;
	return true;
}

/* cursor_here returns a pointer to the byte at the position. The cursor_left bytes from there on
 * can be read through it, for as long as the window lives. */
/*@ requires readable_cursor(c) && c->pos <= c->len;
    assigns \nothing;
    ensures \result == here(c);
 */
static inline const uint8_t *cursor_here(const struct cursor *c)
{
	return c->data + c->pos;
}

/* bytes_le16, bytes_le32 and bytes_le64 return the little-endian number at p. They shift and
 * add: every compiler turns that into one load, but not products. */
/*@ requires \valid_read(p + (0 .. 1));
    assigns \nothing;
    ensures \result == le16(p) && \result < 65536;
 */
static inline uint64_t bytes_le16(const uint8_t *p)
{
	return p[0] + ((uint64_t)p[1] << 8);
}

/*@ requires \valid_read(p + (0 .. 3));
    assigns \nothing;
    ensures \result == le32(p) && \result < 4294967296;
 */
static inline uint64_t bytes_le32(const uint8_t *p)
{
	return bytes_le16(p) + (bytes_le16(p + 2) << 16);
}

/*@ requires \valid_read(p + (0 .. 7));
    assigns \nothing;
    ensures \result == le64(p);
 */
static inline uint64_t bytes_le64(const uint8_t *p)
{
	return bytes_le32(p) + (bytes_le32(p + 4) << 32);
}

/* bytes_be32, bytes_be40 and bytes_be64 return the big-endian number at p. */
/*@ requires \valid_read(p + (0 .. 3));
    assigns \nothing;
    ensures \result == be(p, 4) && \result < 4294967296;
 */
static inline uint64_t bytes_be32(const uint8_t *p)
{
	return ((uint64_t)p[0] << 24) + ((uint64_t)p[1] << 16) + ((uint64_t)p[2] << 8) + p[3];
}

/*@ requires \valid_read(p + (0 .. 4));
    assigns \nothing;
    ensures \result == 256 * be(p, 4) + p[4];
 */
static inline uint64_t bytes_be40(const uint8_t *p)
{
	return (bytes_be32(p) << 8) + p[4];
}

/*@ requires \valid_read(p + (0 .. 7));
    assigns \nothing;
    ensures \result == 4294967296 * be(p, 4) + be(p + 4, 4);
 */
static inline uint64_t bytes_be64(const uint8_t *p)
{
	return (bytes_be32(p) << 32) + bytes_be32(p + 4);
}

/* bytes_lowest returns the number, from 0, of the lowest byte of a word whose top bit is set.
 * The word is not 0, and no other bits are set in it. */
UVET_WRAPS static inline uint32_t bytes_lowest(uint64_t marks)
{
	return (uint32_t)(((marks & (0 - marks)) >> 7) * 0x0001020304050607u >> 56);
}

/* cursor_u8 reads one byte. As in all of these, *out has 64 bits: so have all numbers that come
 * from a file. */
/*@ requires valid_cursor(c) && \valid(out) && apart(c, out);
    assigns c->pos, *out;
    behavior success:
      assumes 1 <= left(c);
      ensures \result == \true && advanced{Pre, Post}(c, 1) && valid_cursor(c);
      ensures *out == \old(here(c)[0]);
    behavior failure:
      assumes 1 > left(c);
      ensures \result == \false && unchanged{Pre, Post}(c) && *out == \old(*out);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE static inline bool cursor_u8(struct cursor *c, uint64_t *out)
{
	const uint8_t *p;

	if (!cursor_take(c, 1, &p))
		return false;
	*out = p[0];
	return true;
}

/* cursor_u16 reads two bytes, little-endian. */
/*@ requires valid_cursor(c) && \valid(out) && apart(c, out);
    assigns c->pos, *out;
    behavior success:
      assumes 2 <= left(c);
      ensures \result == \true && advanced{Pre, Post}(c, 2) && valid_cursor(c);
      ensures *out == \old(le16(here(c)));
    behavior failure:
      assumes 2 > left(c);
      ensures \result == \false && unchanged{Pre, Post}(c) && *out == \old(*out);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE static inline bool cursor_u16(struct cursor *c, uint64_t *out)
{
	const uint8_t *p;

	if (!cursor_take(c, 2, &p))
		return false;
	*out = bytes_le16(p);
	return true;
}

/* cursor_u32 reads four bytes, little-endian. */
/*@ requires valid_cursor(c) && \valid(out) && apart(c, out);
    assigns c->pos, *out;
    behavior success:
      assumes 4 <= left(c);
      ensures \result == \true && advanced{Pre, Post}(c, 4) && valid_cursor(c);
      ensures *out == \old(le32(here(c)));
    behavior failure:
      assumes 4 > left(c);
      ensures \result == \false && unchanged{Pre, Post}(c) && *out == \old(*out);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE static inline bool cursor_u32(struct cursor *c, uint64_t *out)
{
	const uint8_t *p;

	if (!cursor_take(c, 4, &p))
		return false;
	*out = bytes_le32(p);
	return true;
}

/* cursor_u64 reads eight bytes, little-endian. */
/*@ requires valid_cursor(c) && \valid(out) && apart(c, out);
    assigns c->pos, *out;
    behavior success:
      assumes 8 <= left(c);
      ensures \result == \true && advanced{Pre, Post}(c, 8) && valid_cursor(c);
      ensures *out == \old(le64(here(c)));
    behavior failure:
      assumes 8 > left(c);
      ensures \result == \false && unchanged{Pre, Post}(c) && *out == \old(*out);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE static inline bool cursor_u64(struct cursor *c, uint64_t *out)
{
	const uint8_t *p;

	if (!cursor_take(c, 8, &p))
		return false;
	*out = bytes_le64(p);
	return true;
}

/* cursor_uint reads width bytes, little-endian. It fails for a width that is
 * not 1 to 8. */
/*@ requires valid_cursor(c) && \valid(out) && apart(c, out);
    assigns c->pos, *out;
    behavior success:
      assumes 1 <= width <= 8 && width <= left(c);
      ensures \result == \true && advanced{Pre, Post}(c, width) && valid_cursor(c);
      ensures *out == \old(le(here(c), width));
    behavior failure:
      assumes !(1 <= width <= 8 && width <= left(c));
      ensures \result == \false && unchanged{Pre, Post}(c) && *out == \old(*out);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE bool cursor_uint(struct cursor *c, unsigned width, uint64_t *out);

/* cursor_uint_be reads width bytes, big-endian. It fails for a width that is
 * not 1 to 8. */
/*@ requires valid_cursor(c) && \valid(out) && apart(c, out);
    assigns c->pos, *out;
    behavior success:
      assumes 1 <= width <= 8 && width <= left(c);
      ensures \result == \true && advanced{Pre, Post}(c, width) && valid_cursor(c);
      ensures *out == \old(be(here(c), width));
    behavior failure:
      assumes !(1 <= width <= 8 && width <= left(c));
      ensures \result == \false && unchanged{Pre, Post}(c) && *out == \old(*out);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE bool cursor_uint_be(struct cursor *c, unsigned width, uint64_t *out);

/* cursor_index_form reads one of Unreal's compact indexes, 1 to 5 bytes: sign,
 * continue and 6 bits, then three times continue and 7 bits, then a whole
 * byte. The value fits in a signed 32-bit integer: a fifth byte above 0x0F is
 * illegal, save 0x10 in the one encoding of INT32_MIN. */
/*@ requires valid_cursor(c) && \valid(value) && \valid(form);
    requires \separated(c, value, form, c->data + (0 .. c->len - 1));
    assigns c->pos, *value, *form;
    ensures \result != INDEX_OK ==>
      unchanged{Pre, Post}(c) && *value == \old(*value) && *form == \old(*form);
    ensures \result == INDEX_OK ==> INT32_MIN <= *value <= INT32_MAX;
    ensures \result == INDEX_OK ==> \old(c->pos) + 1 <= c->pos <= \old(c->pos) + 5;
    ensures valid_cursor(c);
    behavior short:
      assumes index_short(c);
      ensures \result == INDEX_SHORT;
    behavior illegal:
      assumes !index_short(c) && !index_legal(here(c), index_length(here(c)));
      ensures \result == INDEX_ILLEGAL;
    behavior success:
      assumes !index_short(c) && index_legal(here(c), index_length(here(c)));
      ensures \result == INDEX_OK;
      ensures advanced{Pre, Post}(c, \old(index_length(here(c))));
      ensures *value == \old(index_value(here(c), index_length(here(c))));
      ensures *form == \old(index_written(here(c), index_length(here(c))));
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE enum index_result cursor_index_form(struct cursor *c, int64_t *value,
						  enum index_form *form);

/* index_short reads the compact index at p, where four bytes can be read, if it has one to four
 * bytes and is written in the shortest form. It returns how many bytes it takes; 0: only
 * cursor_index_form can read it. */
/*@ requires \valid_read(p + (0 .. 3)) && \valid(value) && \separated(value, p + (0 .. 3));
    assigns *value;
    ensures 0 <= \result <= 4;
    ensures \result > 0 ==> \result == index_length(p);
    ensures \result > 0 ==> *value == index_value(p, \result);
    ensures \result > 0 ==> -134217727 <= *value <= 134217727;
    ensures \result > 0 ==> index_legal(p, \result);
    ensures \result > 0 ==> index_written(p, \result) == INDEX_MINIMAL;
 */
static inline uint64_t index_short(const uint8_t *p, int64_t *value)
{
	uint64_t n, last, sum;

	if (p[0] == 128)
		return 0;
	if (p[0] % 128 < 64) {
		*value = p[0] < 64 ? (int64_t)p[0] : 128 - (int64_t)p[0];
		return 1;
	}
	n = 2;
	last = p[1];
	sum = p[0] % 64 + last % 128 * 64;
	if (last >= 128) {
		n = 3;
		last = p[2];
		sum += last % 128 * 8192;
		if (last >= 128) {
			n = 4;
			last = p[3];
			sum += last % 128 * 1048576;
		}
	}
	if (last == 0 || last >= 128)
		return 0;
	/*@ assert sum == index_magnitude(p, n) && 0 < sum <= 134217727; */
	*value = p[0] < 128 ? (int64_t)sum : -(int64_t)sum;
	return n;
}

/* cursor_index is cursor_index_form for callers that do not ask why it failed, with a fast path
 * for short indexes. */
/*@ requires valid_cursor(c) && \valid(value) && \valid(form);
    requires \separated(c, value, form, c->data + (0 .. c->len - 1));
    assigns c->pos, *value, *form;
    behavior success:
      assumes !index_short(c) && index_legal(here(c), index_length(here(c)));
      ensures \result == \true && valid_cursor(c);
      ensures advanced{Pre, Post}(c, \old(index_length(here(c))));
      ensures *value == \old(index_value(here(c), index_length(here(c))));
      ensures *form == \old(index_written(here(c), index_length(here(c))));
      ensures INT32_MIN <= *value <= INT32_MAX;
    behavior failure:
      assumes index_short(c) || !index_legal(here(c), index_length(here(c)));
      ensures \result == \false && unchanged{Pre, Post}(c);
      ensures *value == \old(*value) && *form == \old(*form);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE static inline bool cursor_index(struct cursor *c, int64_t *value,
					      enum index_form *form)
{
	struct cursor ahead = *c;
	const uint8_t *p;
	int64_t fast;
	uint64_t n = cursor_take(&ahead, 4, &p) ? index_short(p, &fast) : 0;

	if (n == 0)
		return cursor_index_form(c, value, form) == INDEX_OK;
	*value = fast;
	*form = INDEX_MINIMAL;
	c->pos += n;
	return true;
}

/* cursor_skip advances over n bytes and says in out where they lie. */
/*@ requires valid_cursor(c) && \valid(out);
    requires \separated(c, out, c->data + (0 .. c->len - 1));
    assigns c->pos, *out;
    behavior success:
      assumes n <= left(c);
      ensures \result == \true && advanced{Pre, Post}(c, n) && valid_cursor(c);
      ensures out->at == \old(c->origin + c->pos) && out->len == n;
    behavior failure:
      assumes n > left(c);
      ensures \result == \false && unchanged{Pre, Post}(c) && *out == \old(*out);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE bool cursor_skip(struct cursor *c, uint64_t n, struct span *out);

/* cursor_bytes advances over n bytes and points out at them, for as long as
 * the window lives. */
/*@ requires valid_cursor(c) && \valid(out);
    requires \separated(c, out, c->data + (0 .. c->len - 1));
    assigns c->pos \from c->pos, c->len, n;
    assigns *out \from *out, c->data, c->pos, c->len, n;
    behavior success:
      assumes n <= left(c);
      ensures \result == \true && advanced{Pre, Post}(c, n) && valid_cursor(c);
      ensures *out == \old(here(c)) && \valid_read(*out + (0 .. n - 1));
    behavior failure:
      assumes n > left(c);
      ensures \result == \false && unchanged{Pre, Post}(c) && *out == \old(*out);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE static inline bool cursor_bytes(struct cursor *c, uint64_t n, const uint8_t **out)
{
	return cursor_take(c, n, out);
}

/* cursor_window sets out to a cursor at the start of s, which must lie inside the window of c,
 * before or after its position. c does not move. */
/*@ requires readable_cursor(c) && \valid(out);
    requires \separated(c, out, c->data + (0 .. c->len - 1));
    assigns *out \from *out, *c, s;
    behavior success:
      assumes inside(c, s.at, s.len);
      ensures \result == \true && out->pos == 0 && out->len == s.len && out->origin == s.at;
      ensures s.len > 0 ==> out->data == c->data + (s.at - c->origin);
      ensures valid_cursor(out);
    behavior failure:
      assumes !inside(c, s.at, s.len);
      ensures \result == \false && *out == \old(*out);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE bool cursor_window(const struct cursor *c, struct span s, struct cursor *out);

/* cursor_fits reports whether `count` records of `each` bytes are left. Ask it before any loop
 * or allocation whose size is a count from the file. */
/*@ requires readable_cursor(c);
    assigns \nothing;
    ensures \result == \true <==> count * each <= left(c);
 */
UVET_MUST_USE bool cursor_fits(const struct cursor *c, uint64_t count, uint64_t each);

/* cursor_seek moves c to the absolute offset at, which must lie in its window or at its end. */
/*@ requires valid_cursor(c);
    assigns c->pos;
    behavior success:
      assumes inside(c, at, 0);
      ensures \result == \true && valid_cursor(c) && c->origin + c->pos == at;
    behavior failure:
      assumes !inside(c, at, 0);
      ensures \result == \false && unchanged{Pre, Post}(c);
    complete behaviors;
    disjoint behaviors;
 */
UVET_MUST_USE static inline bool cursor_seek(struct cursor *c, uint64_t at)
{
	struct cursor from_start = *c;
	const uint8_t *p;

	from_start.pos = 0;
	if (at < c->origin || !cursor_take(&from_start, at - c->origin, &p))
		return false;
	c->pos = from_start.pos;
	return true;
}

#endif

/* Rows of tables, and other bytes that stay in memory. Besides the cursor this is the only code
 * that turns an offset into a pointer. What is out of range reads as zeros. */
#ifndef UVET_CORE_ROWS_H
#define UVET_CORE_ROWS_H

#include <string.h>

#include "core/cursor.h"

/* Zeros, which are returned for a row that is out of range; no row of a layout is longer. */
enum { ROWS_LONGEST = 160 };
extern const uint8_t rows_zeros[ROWS_LONGEST];

/* A held is bytes that stay in memory for as long as the facts do. The struct does not own them. */
struct held {
	const uint8_t *bytes;
	uint64_t len;
};

/*@ predicate readable_held(struct held h) = \valid_read(h.bytes + (0 .. h.len - 1));
 */

/* held_has tells whether n bytes lie at `at`. */
/*@ assigns \nothing;
    ensures \result == \true <==> at + n <= h.len;
 */
static inline bool held_has(struct held h, uint64_t at, uint64_t n)
{
	return n <= h.len && at <= h.len - n;
}

/* held_u8, held_u16, held_u32 and held_u64 read the little-endian number at `at`; 0 if it is out
 * of range. */
/*@ requires readable_held(h);
    assigns \nothing;
    ensures at + 1 <= h.len ==> \result == h.bytes[at];
 */
static inline uint64_t held_u8(struct held h, uint64_t at)
{
	return held_has(h, at, 1) ? h.bytes[at] : 0;
}

/*@ requires readable_held(h);
    assigns \nothing;
    ensures at + 2 <= h.len ==> \result == le16(h.bytes + at);
 */
static inline uint64_t held_u16(struct held h, uint64_t at)
{
	return held_has(h, at, 2) ? bytes_le16(h.bytes + at) : 0;
}

/*@ requires readable_held(h);
    assigns \nothing;
    ensures at + 4 <= h.len ==> \result == le32(h.bytes + at);
 */
static inline uint64_t held_u32(struct held h, uint64_t at)
{
	return held_has(h, at, 4) ? bytes_le32(h.bytes + at) : 0;
}

/*@ requires readable_held(h);
    assigns \nothing;
    ensures at + 8 <= h.len ==> \result == le64(h.bytes + at);
 */
static inline uint64_t held_u64(struct held h, uint64_t at)
{
	return held_has(h, at, 8) ? bytes_le64(h.bytes + at) : 0;
}

/* held_part returns the n bytes from `at` on; none if they are out of range. */
/*@ requires readable_held(h);
    assigns \nothing;
    ensures readable_held(\result);
    ensures at + n <= h.len ==> \result.bytes == h.bytes + at && \result.len == n;
    ensures at + n > h.len ==> \result.len == 0;
 */
static inline struct held held_part(struct held h, uint64_t at, uint64_t n)
{
	if (!held_has(h, at, n))
		return (struct held){ h.bytes, 0 };
	return (struct held){ h.bytes + at, n };
}

/* held_is_zero tells whether all bytes are 0, or there are none. */
/*@ requires readable_held(h);
    assigns \nothing;
 */
static inline bool held_is_zero(struct held h)
{
	uint64_t all = 0;

	/*@ loop invariant 0 <= i <= h.len;
	    loop assigns i, all;
	    loop variant h.len - i;
	 */
	for (uint64_t i = 0; i < h.len; i++)
		all |= held_u8(h, i);
	return all == 0;
}

/* held_equal tells whether both have the same bytes. */
static inline bool held_equal(struct held a, struct held b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.bytes, b.bytes, (size_t)a.len) == 0);
}

/* held_starts tells whether the first bytes are these n. */
static inline bool held_starts(struct held h, const char *bytes, uint64_t n)
{
	return held_has(h, 0, n) && memcmp(h.bytes, bytes, (size_t)n) == 0;
}

/* held_find returns where the first byte of this value lies, or the length if there is none. */
static inline uint64_t held_find(struct held h, uint8_t byte)
{
	const uint8_t *found = h.len > 0 ? memchr(h.bytes, byte, (size_t)h.len) : NULL;

	return found ? (uint64_t)(found - h.bytes) : h.len;
}

/* held_fetch prefetches the byte at `at`. It reads nothing, so `at` may be out of range. */
UVET_INLINE UVET_WRAPS static inline void held_fetch(struct held h, uint64_t at)
{
	memory_fetch((const void *)((uintptr_t)h.bytes + (uintptr_t)at));
}

/* held_take is cursor_bytes that returns a held. */
UVET_MUST_USE static inline bool held_take(struct cursor *c, uint64_t n, struct held *out)
{
	const uint8_t *bytes;

	if (!cursor_bytes(c, n, &bytes))
		return false;
	*out = (struct held){ bytes, n };
	return true;
}

/* cursor_part returns the n bytes at offset `at` of the source, wherever in its window the
 * cursor is; none if the window does not have them. */
/*@ requires \valid_read(c) && \valid_read(c->data + (0 .. c->len - 1));
    assigns \nothing;
    ensures readable_held(\result);
    ensures \result.len == 0 ||
            (c->origin <= at && at - c->origin + n <= c->len && \result.len == n &&
             \result.bytes == c->data + (at - c->origin));
 */
static inline struct held cursor_part(const struct cursor *c, uint64_t at, uint64_t n)
{
	if (at < c->origin)
		return (struct held){ c->data, 0 };
	return held_part((struct held){ c->data, c->len }, at - c->origin, n);
}

/* rows_place returns a pointer to row i of n rows of `each` bytes, or to a row of zeros if i is
 * out of range. The rows are in memory, so n * each does not wrap. */
/*@ requires each <= ROWS_LONGEST && n * each <= UINT64_MAX;
    requires \valid_read(bytes + (0 .. n * each - 1));
    assigns \nothing;
    ensures i < n ==> \result == bytes + i * each;
    ensures i >= n ==> \result == (const uint8_t *)rows_zeros;
    ensures \valid_read(\result + (0 .. each - 1));
 */
static inline const uint8_t *rows_place(const uint8_t *bytes, uint64_t n, uint64_t i, uint64_t each)
{
	return i < n ? bytes + i * each : rows_zeros;
}

/* Rows whose length comes from the file. rows_at returns row i, or no bytes if i is out of
 * range. */
struct rows {
	const uint8_t *bytes;
	uint64_t n, each;
};
/*@ requires r.n * r.each <= UINT64_MAX && \valid_read(r.bytes + (0 .. r.n * r.each - 1));
    assigns \nothing;
    ensures readable_held(\result);
    ensures i < r.n ==> \result.bytes == r.bytes + i * r.each && \result.len == r.each;
    ensures i >= r.n ==> \result.len == 0;
 */
static inline struct held rows_at(struct rows r, uint64_t i)
{
	if (i >= r.n)
		return (struct held){ rows_zeros, 0 };
	return (struct held){ r.bytes + i * r.each, r.each };
}

/* rows_fetch_one prefetches row i; it reads nothing, so i may be out of range. rows_fetch
 * prefetches n rows from row `first` on, or none if any is out of range. */
UVET_INLINE UVET_WRAPS static inline void rows_fetch_one(const uint8_t *bytes, uint64_t i,
							 uint64_t each)
{
	const uintptr_t first = (uintptr_t)bytes + (uintptr_t)(i * each);

	memory_fetch((const void *)first);
	if (each > 8)
		/* it may lie across two cache lines */
		memory_fetch((const void *)(first + (uintptr_t)each - 1));
}
UVET_INLINE static inline void rows_fetch(const uint8_t *bytes, uint64_t n_rows, uint64_t first,
					  uint64_t n, uint64_t each)
{
	const uint64_t len = n <= n_rows && first <= n_rows - n ? n * each : 0;

	for (uint64_t i = 0; i < len; i += 64)
		memory_fetch(bytes + first * each + i);
}

#endif

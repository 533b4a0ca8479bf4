/* Parts that the bodies of many classes have: counts, lists, texts; and how a body ends. */
#ifndef UVET_FORMATS_UPKG_BODY_PARTS_H
#define UVET_FORMATS_UPKG_BODY_PARTS_H

#include "formats/upkg/body/reader.h"

/* body_leave counts the rest of a body among what is left out of a group whose form was not
 * measured in this version; it returns true. For objects of classes that write something in
 * every version there is body_leave_some. */
bool body_leave(struct body *b, uint32_t group);

/* body_leave_bytes counts n bytes among what no reader knows in any version; body_leave_other all
 * the rest of a body, and returns true. */
void body_leave_bytes(struct body *b, uint64_t at, uint64_t n);
bool body_leave_other(struct body *b);

/* body_count reads a count of elements that take `least` bytes each at least, body_list one of
 * 32 bits with the capacity of the list, body_lazy the head of an array that can be skipped: *n
 * bytes follow, and *count is where their count is. body_text reads a counted text of *len bytes
 * in units of *width bytes, and passes it; body_string does so too, and notes one that has units
 * and does not end in a NUL as a flaw of this kind. */
UVET_MUST_USE bool body_count(struct body *b, uint64_t least, int64_t *n);
UVET_MUST_USE bool body_list(struct body *b, uint64_t least, enum upkg_flaw_kind kind, int64_t *n);
UVET_MUST_USE bool body_lazy(struct body *b, uint64_t *n, struct span *count);
UVET_MUST_USE bool body_text(struct body *b, uint64_t *width, uint64_t *len);
UVET_MUST_USE bool body_string(struct body *b, enum upkg_flaw_kind kind);

/* body_cut notes that the body is truncated, and returns false; body_note_cut is body_cut
 * without the result. body_end notes that the body does not end here. */
void body_note_cut(struct body *b);
void body_end(struct body *b);

static inline bool body_cut(struct body *b)
{
	body_note_cut(b);
	return false;
}

/* body_whole is body_cut for what was read only in part, body_closed body_end for what was read
 * to its end; both return is_read. */
UVET_MUST_USE static inline bool body_whole(struct body *b, bool is_read)
{
	if (!is_read)
		body_cut(b);
	return is_read;
}
UVET_MUST_USE static inline bool body_closed(struct body *b, bool is_read)
{
	if (is_read)
		body_end(b);
	return is_read;
}

/* body_leave_some is body_leave, and body_cut where nothing is left. */
UVET_MUST_USE static inline bool body_leave_some(struct body *b, uint32_t group)
{
	if (!body_whole(b, body_left(b) > 0))
		return false;
	return body_leave(b, group);
}

/* body_step is body_skip, and body_cut where the body ends before. body_array counts elements of
 * that length and skips them. */
UVET_MUST_USE static inline bool body_step(struct body *b, uint64_t n)
{
	return body_whole(b, body_skip(b, n));
}
UVET_MUST_USE static inline bool body_array(struct body *b, uint64_t len, int64_t *n)
{
	if (!body_count(b, len, n))
		return false;
	body_pass(b, (uint64_t)*n * len);
	return true;
}

#endif

/* Parts that the bodies of many classes have: counts, lists, texts; and how a body ends. */
#include "formats/upkg/body/parts.h"

#include "core/mutant.h"

/* ---- What is left out ------------------------------------------------------------------------ */

static void count_left(struct body *b, uint32_t group, uint64_t n)
{
	struct group *g = &b->d->groups[group];

	if (g->why == STOP_UNVERIFIED)
		g->at.len += n;
}

bool body_leave(struct body *b, uint32_t group)
{
	count_left(b, group, body_left(b));
	return true;
}

void body_leave_bytes(struct body *b, uint64_t at, uint64_t n)
{
	if (n > 0)
		decode_stop(b->d, UPKG_OTHER_DATA, STOP_UNVERIFIED, (struct span){ at, 0 });
	count_left(b, UPKG_OTHER_DATA, n);
}

bool body_leave_other(struct body *b)
{
	body_leave_bytes(b, body_at(b), body_left(b));
	return true;
}

/* ---- How bodies end -------------------------------------------------------------------------- */

void body_note_cut(struct body *b)
{
	const bool index = b->bad_index_at == body_at(b);

	body_note(b, index ? FLAW_NATIVE_BITS : FLAW_NATIVE_CUT, 0, body_at(b),
		  index ? 5 : body_left(b), (int64_t)body_left(b), 0);
}

void body_end(struct body *b)
{
	if (body_left(b) > 0)
		body_flaw(b, FLAW_BODY_END, body_at(b), body_left(b), (int64_t)body_left(b), 0);
}

/* ---- Counts and texts ------------------------------------------------------------------------ */

bool body_count(struct body *b, uint64_t least, int64_t *n)
{
	uint64_t at = body_at(b);

	if (!body_index(b, n))
		return body_cut(b);
	if (*n < 0)
		return body_flaw(b, FLAW_COUNT_NEGATIVE, at, body_at(b) - at, *n, 0);
	if (!MUTANT(78) && (uint64_t)*n > body_left(b) / least) /* mutant: a count is believed */
		return body_flaw(b, FLAW_COUNT, at, body_at(b) - at, *n, (int64_t)body_left(b));
	return true;
}

bool body_list(struct body *b, uint64_t least, enum upkg_flaw_kind kind, int64_t *n)
{
	uint64_t at = body_at(b);
	int64_t capacity;

	if (!body_i32(b, n) || !body_i32(b, &capacity))
		return body_cut(b);
	if (*n < 0)
		return body_flaw(b, kind, at, 8, *n, capacity);
	if ((uint64_t)*n > body_left(b) / least)
		return body_flaw(b, FLAW_COUNT, at, 4, *n, (int64_t)body_left(b));
	if (*n > capacity)
		body_flaw(b, kind, at, 8, *n, capacity);
	return true;
}

/* Since version 62 the place where the data ends comes before the count. */
bool body_lazy(struct body *b, uint64_t *n, struct span *count)
{
	uint64_t at = body_at(b), end = 0;
	const bool has_end = b->u->tag.version >= 62;
	int64_t bytes;

	if (has_end && !body_u32(b, &end))
		return body_cut(b);
	count->at = body_at(b);
	if (!body_count(b, 1, &bytes))
		return false;
	count->len = body_at(b) - count->at;
	*n = (uint64_t)bytes;
	if (has_end && end != body_at(b) + *n)
		body_flaw(b, FLAW_LAZY_END, at, 4, (int64_t)end, (int64_t)(body_at(b) + *n));
	return true;
}

bool body_text(struct body *b, uint64_t *width, uint64_t *len)
{
	const uint64_t at = body_at(b);
	uint64_t text_at;
	int64_t count;

	if (!body_index(b, &count))
		return body_cut(b);
	text_at = body_at(b);
	*width = count < 0 ? 2 : 1;
	*len = (uint64_t)(count < 0 ? -count : count) * *width;
	if (!body_skip(b, *len))
		return body_flaw(b, FLAW_COUNT, at, text_at - at, (int64_t)*len,
				 (int64_t)body_left(b));
	return true;
}

bool body_string(struct body *b, enum upkg_flaw_kind kind)
{
	uint64_t width, len, last;

	if (!body_text(b, &width, &len))
		return false;
	if (len == 0)
		return true;
	body_move(b, body_at(b) - width);
	if (!(width == 2 ? body_u16(b, &last) : body_u8(b, &last)))
		return body_cut(b);
	if (last != 0)
		body_flaw_plain(b, kind, body_at(b) - width, width);
	return true;
}

/* Whether a file is a copy of one that it lies in. Only files of one size are compared, a piece at
 * a time, up to the first that differs. */
#include "engine/copies.h"

#include <string.h>

enum { PIECE = 4096 };

/* The comparison of a file's bytes with those of one around it. */
struct comparing {
	struct work *work;
	struct source *other;
	uint8_t piece[PIECE];
};

/* false: they differ, or it cannot be known. */
static bool compare(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	struct comparing *c = ctx;

	for (uint64_t done = 0; done < n; done += PIECE) {
		const struct span span = { at + done, n - done < PIECE ? n - done : PIECE };

		if (!work_spend(c->work, work_of_bytes(span.len)) ||
		    !source_copy(c->other, span, c->piece) ||
		    memcmp(bytes + done, c->piece, (size_t)span.len) != 0)
			return false;
	}
	return true;
}

const struct report *copies_find(struct session *s)
{
	const struct span whole = { 0, s->source.io.size };
	UVET_FILLED_LATER struct comparing c;

	c.work = &s->decode.work;
	for (struct session *in = s; in->outer && whole.len > 0; in = in->outer) {
		c.other = &in->outer->source;
		if (!in->report->is_beside && c.other->io.size == whole.len &&
		    source_stream(&s->source, whole, compare, &c))
			return in->outer->report;
	}
	return NULL;
}

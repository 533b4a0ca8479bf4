/* The faulty source: bounds are checked here too, because an engine that reads outside its input
 * has a bug. */
#include "support/faulty_source.h"

#include <string.h>

#include "support/must.h"

static bool faulty_read(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	struct faulty_source *s = ctx;
	uint64_t number = s->n_reads++;

	MUST(len > 0 && at <= s->size && len <= s->size - at,
	     "reads ask for bytes that the input has");
	if (number == s->fail_at && (s->fault == FAULT_ERROR || s->fault == FAULT_SHORT)) {
		s->struck = true;
		*n_read = 0;
		return s->fault == FAULT_SHORT;
	}
	*n_read = s->whole ? len : 1 + (size_t)dice_below(&s->dice, len);
	memcpy(buf, s->data + at, *n_read);
	return true;
}

static bool faulty_unchanged(void *ctx)
{
	struct faulty_source *s = ctx;

	s->struck = s->struck || s->fault == FAULT_CHANGED;
	return s->fault != FAULT_CHANGED;
}

struct source_io faulty_source_io(struct faulty_source *s)
{
	return (struct source_io){ faulty_read, faulty_unchanged, s, s->size };
}

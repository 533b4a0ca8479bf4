/* The tape: bounds are checked here too, because an engine that reads outside its input has a bug. */
#include "support/faulty_source.h"

#include <string.h>

#include "support/must.h"

static bool tape_read(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	struct tape *t = ctx;
	uint64_t number = t->n_reads++;

	MUST(len > 0 && at <= t->size && len <= t->size - at, "reads ask for bytes that the input has");
	if (number == t->fail_at && (t->fault == TAPE_ERROR || t->fault == TAPE_SHORT)) {
		t->struck = true;
		*n_read = 0;
		return t->fault == TAPE_SHORT;
	}
	*n_read = t->whole ? len : 1 + (size_t)dice_below(&t->dice, len);
	memcpy(buf, t->data + at, *n_read);
	return true;
}

static bool tape_unchanged(void *ctx)
{
	struct tape *t = ctx;

	t->struck = t->struck || t->fault == TAPE_CHANGED;
	return t->fault != TAPE_CHANGED;
}

struct source_io tape_io(struct tape *t)
{
	return (struct source_io){ tape_read, tape_unchanged, t, t->size };
}

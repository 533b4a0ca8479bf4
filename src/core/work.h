/* The work counter: a timeout that does not depend on the machine, and the place where a check
 * notices that it was interrupted. */
#ifndef UVET_CORE_WORK_H
#define UVET_CORE_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/compiler.h"
#include "core/interrupt.h"

/* One unit of work is one record decoded, one row judged by one rule, or WORK_BYTES bytes read. */
#define WORK_BYTES ((uint64_t)64)

/* How many units are spent between two looks at the clock. */
#define WORK_LOOK ((uint64_t)4096)

struct work {
	uint64_t done;
	uint64_t max;
	uint64_t unpacked; /* bytes that came out of compressed files, or would have */
	uint64_t packed;   /* bytes of those files that were decoded */
	/* bytes of the input that all of them lie in; 0: the file that is decoded is the input */
	uint64_t input_len;
	const struct interrupt *interrupt; /* may be NULL */
	/* at this value of `done` the clock is looked at again */
	uint64_t look_at;
	bool exhausted;
	enum interrupted interrupted;
};

/* work_of_bytes is how many units reading n bytes costs. */
static inline uint64_t work_of_bytes(uint64_t n)
{
	return n / WORK_BYTES + (n % WORK_BYTES != 0);
}

/* work_ended tells whether the counter refuses everything from now on. */
static inline bool work_ended(const struct work *w)
{
	return w->exhausted || w->interrupted != INTERRUPTED_NOT;
}

static inline void work_look(struct work *w)
{
	if (w->interrupted != INTERRUPTED_NOT || !w->interrupt)
		return;
	if (w->done >= w->look_at) {
		w->look_at = w->done + WORK_LOOK;
		w->interrupted = interrupt_look(w->interrupt);
	} else if (interrupt_cancelled(w->interrupt)) {
		w->interrupted = INTERRUPTED_CANCELLED;
	}
}

/* work_spend charges n units. It returns false, and goes on returning false, once the limit is
 * reached or the check was interrupted. */
UVET_MUST_USE static inline bool work_spend(struct work *w, uint64_t n)
{
	work_look(w);
	if (n > w->max - w->done)
		w->exhausted = true;
	if (work_ended(w))
		return false;
	w->done += n;
	return true;
}

#endif

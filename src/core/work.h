/* The work counter: a timeout that does not depend on the machine, and the place where a check notices that it was cancelled. */
#ifndef UVET_CORE_WORK_H
#define UVET_CORE_WORK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/compiler.h"

/* One unit of work is one record decoded, one row judged by one rule, or one window of payload read. */
struct work {
	uint64_t done;
	uint64_t max;
	const atomic_bool *cancel;      /* set by another thread; may be NULL */
	bool exhausted, cancelled;
};

/* work_spend charges n units. It returns false, and goes on returning false, once the limit is
 * reached or the check was cancelled. */
UVET_MUST_USE static inline bool work_spend(struct work *w, uint64_t n)
{
	if (w->cancel && atomic_load_explicit(w->cancel, memory_order_relaxed))
		w->cancelled = true;
	if (n > w->max - w->done)
		w->exhausted = true;
	if (w->cancelled || w->exhausted)
		return false;
	w->done += n;
	return true;
}

#endif

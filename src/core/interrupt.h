/* The interrupt: how a check is ended from outside before it is done. */
#ifndef UVET_CORE_INTERRUPT_H
#define UVET_CORE_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why a check was ended from outside. */
enum interrupted {
	INTERRUPTED_NOT,
	INTERRUPTED_CANCELLED,
	INTERRUPTED_TIME, /* its deadline passed */
};

/* An interrupt is shared by all threads of one check, and does not change while they run. */
struct interrupt {
	const atomic_bool *cancel; /* set by another thread when the check shall end; may be NULL */
	/* a clock that never goes back, in nanoseconds; NULL: there is no deadline */
	uint64_t (*now)(void);
	uint64_t deadline; /* on that clock */
};

/* interrupt_cancelled tells whether the check was cancelled. It costs one load. */
static inline bool interrupt_cancelled(const struct interrupt *i)
{
	return i->cancel && atomic_load_explicit(i->cancel, memory_order_relaxed);
}

/* interrupt_look also looks at the clock, which takes about as long as decoding a few rows of a
 * table. i may be NULL. */
static inline enum interrupted interrupt_look(const struct interrupt *i)
{
	if (!i)
		return INTERRUPTED_NOT;
	if (interrupt_cancelled(i))
		return INTERRUPTED_CANCELLED;
	return i->now && i->now() >= i->deadline ? INTERRUPTED_TIME : INTERRUPTED_NOT;
}

#endif

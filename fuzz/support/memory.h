/* A counting allocator that fills what it hands out, fails on demand, and notices what comes back
 * wrong or not at all. */
#ifndef UVET_FUZZ_SUPPORT_MEMORY_H
#define UVET_FUZZ_SUPPORT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"

#define MEMORY_NEVER UINT64_MAX

struct memory {
	int fill;         /* the byte that new memory holds */
	uint64_t fail_at; /* the request, from 0, that is refused; MEMORY_NEVER: none */
	bool forever;     /* and all after it */
	uint64_t n_asked; /* requests */
	/* pieces and bytes that were not given back, and the most bytes at a time */
	uint64_t n_live, live, peak;
	bool refused; /* a request was refused */
};

/* memory_init makes an allocator that refuses nothing. */
void memory_init(struct memory *m, int fill);

/* memory_allocator returns the callbacks; m outlives what is allocated. */
struct allocator memory_allocator(struct memory *m);

#endif

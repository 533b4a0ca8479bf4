/* Deferred output: bytes that are known before their place in the report is reached. */
#ifndef UVET_REPORT_DEFERRED_H
#define UVET_REPORT_DEFERRED_H

#include "core/arena.h"
#include "report/out.h"

struct deferred_chunk;

/* A deferred keeps bytes, in order, in an arena that outlives it. */
struct deferred {
	struct arena *arena;
	struct deferred_chunk *first, *last;
};

void deferred_init(struct deferred *d, struct arena *arena);

/* deferred_sink is the out_sink that adds to a struct deferred, its ctx; it refuses when memory
 * ends. */
int deferred_sink(void *ctx, const void *bytes, size_t len);

/* deferred_write writes what was kept, in order. */
void deferred_write(const struct deferred *d, struct out *o);

#endif

/* The spool: bytes that stand further down in a report than they are known. */
#ifndef UVET_REPORT_SPOOL_H
#define UVET_REPORT_SPOOL_H

#include "core/arena.h"
#include "report/out.h"

struct spool_chunk;

/* A spool keeps bytes in an arena, which outlives it. */
struct spool {
	struct arena *arena;
	struct spool_chunk *first, *last;
};

void spool_init(struct spool *s, struct arena *arena);

/* spool_sink is an out_sink over a struct spool; it refuses when memory ends. */
int spool_sink(void *ctx, const void *bytes, size_t len);

/* spool_replay writes everything kept, in order. */
void spool_replay(const struct spool *s, struct out *o);

#endif

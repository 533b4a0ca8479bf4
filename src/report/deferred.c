/* Deferred output: a list of chunks. */
#include "report/deferred.h"

#include <string.h>

/* With its header, half of a chunk of the arena. */
enum { DEFERRED_CHUNK = 16000 };

struct deferred_chunk {
	struct deferred_chunk *next;
	size_t n;
	uint8_t bytes[DEFERRED_CHUNK];
};

void deferred_init(struct deferred *d, struct arena *arena)
{
	*d = (struct deferred){ .arena = arena };
}

static bool add_chunk(struct deferred *d)
{
	struct deferred_chunk *chunk = arena_alloc(d->arena, 1, sizeof *chunk);

	if (!chunk)
		return false;
	chunk->next = NULL;
	chunk->n = 0;
	if (d->last)
		d->last->next = chunk;
	else
		d->first = chunk;
	d->last = chunk;
	return true;
}

int deferred_sink(void *ctx, const void *bytes, size_t len)
{
	struct deferred *d = ctx;
	const uint8_t *p = bytes;

	while (len > 0) {
		size_t part;

		if ((!d->last || d->last->n == DEFERRED_CHUNK) && !add_chunk(d))
			return 1;
		part = DEFERRED_CHUNK - d->last->n < len ? DEFERRED_CHUNK - d->last->n : len;
		memcpy(d->last->bytes + d->last->n, p, part);
		d->last->n += part;
		p += part;
		len -= part;
	}
	return 0;
}

void deferred_write(const struct deferred *d, struct out *o)
{
	for (const struct deferred_chunk *c = d->first; c; c = c->next)
		out_bytes(o, c->bytes, c->n);
}

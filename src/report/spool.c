/* The spool: a list of chunks. */
#include "report/spool.h"

#include <string.h>

/* With its header a chunk takes half of one of the arena's. */
enum { SPOOL_CHUNK = 16000 };

struct spool_chunk {
	struct spool_chunk *next;
	size_t n;
	uint8_t bytes[SPOOL_CHUNK];
};

void spool_init(struct spool *s, struct arena *arena)
{
	*s = (struct spool){ .arena = arena };
}

static bool add_chunk(struct spool *s)
{
	struct spool_chunk *chunk = arena_alloc(s->arena, 1, sizeof *chunk);

	if (!chunk)
		return false;
	chunk->next = NULL;
	chunk->n = 0;
	if (s->last)
		s->last->next = chunk;
	else
		s->first = chunk;
	s->last = chunk;
	return true;
}

int spool_sink(void *ctx, const void *bytes, size_t len)
{
	struct spool *s = ctx;
	const uint8_t *p = bytes;

	while (len > 0) {
		size_t part;

		if ((!s->last || s->last->n == SPOOL_CHUNK) && !add_chunk(s))
			return 1;
		part = SPOOL_CHUNK - s->last->n < len ? SPOOL_CHUNK - s->last->n : len;
		memcpy(s->last->bytes + s->last->n, p, part);
		s->last->n += part;
		p += part;
		len -= part;
	}
	return 0;
}

void spool_replay(const struct spool *s, struct out *o)
{
	for (const struct spool_chunk *c = s->first; c; c = c->next)
		out_bytes(o, c->bytes, c->n);
}

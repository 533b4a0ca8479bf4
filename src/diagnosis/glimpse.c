/* A glimpse of a file: its first bytes, and others on demand. */
#include "diagnosis/glimpse.h"

#include <string.h>

bool glimpse_take(struct source *s, struct glimpse *out)
{
	out->source = s;
	out->size = s->io.size;
	out->n = out->size < sizeof out->head ? (size_t)out->size : sizeof out->head;
	return source_copy(s, (struct span){ 0, out->n }, out->head);
}

bool glimpse_at(const struct glimpse *g, uint64_t at, uint8_t *out, uint64_t n)
{
	return n <= g->size && at <= g->size - n &&
	       source_copy(g->source, (struct span){ at, n }, out);
}

bool glimpse_has(const struct glimpse *g, size_t at, const char *bytes, size_t n)
{
	return n <= g->n && at <= g->n - n && memcmp(g->head + at, bytes, n) == 0;
}

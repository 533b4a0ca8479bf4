/* Decoding one input by itself. */
#include "engine/decoded.h"

bool decoded_lacks_memory(const struct decoded *d)
{
	return d->arena.over_budget || d->arena.refused;
}

bool decoded_was_cut(const struct decoded *d)
{
	bool cut = work_ended(&d->decode.work);

	for (size_t g = 0; g < GROUPS_MAX; g++)
		cut = cut || d->decode.groups[g].why == STOP_LIMIT;
	return cut;
}

bool decoded_is_troubled(const struct decoded *d)
{
	const struct companion *c = d->decode.companions;
	const struct source *s = &d->source;

	while (s && s->trouble == SOURCE_FINE)
		s = s->next;
	while (c && !companion_is_refused(c->state))
		c = c->next;
	return s != NULL || c != NULL;
}

static enum map_result decode_source(struct decoded *d)
{
	d->format = formats[format_sniff(&d->decode)];
	if (d->source.trouble != SOURCE_FINE)
		return MAP_UNREADABLE;
	if (!d->format)
		return decoded_lacks_memory(d) ? MAP_NO_MEMORY : MAP_UNKNOWN_FORMAT;
	for (size_t g = 0; g < GROUPS_MAX; g++)
		d->decode.groups[g] = (struct group){ .why = STOP_NOT };
	d->facts = d->format->decode(&d->decode);
	return !d->facts || decoded_lacks_memory(d) ? MAP_NO_MEMORY : MAP_OK;
}

enum map_result decoded_open(struct decoded *d, struct engine *e, const struct check_input *in)
{
	d->interrupt = engine_interrupt(e, in);
	d->format = NULL;
	d->facts = NULL;
	arena_init(&d->arena, e->allocator, e->limits.of[LIMIT_memory]);
	d->arena.chunk_len = e->chunk_len;
	d->arena.interrupt = &d->interrupt;
	if (in->memory)
		source_init_memory(&d->source, in->memory, in->io.size, in->name, &d->arena);
	else
		source_init(&d->source, in->io, in->name, &d->arena, e->window_len);
	d->source.interrupt = &d->interrupt;
	d->decode = engine_decode(e, &d->source, &d->arena, &d->interrupt);
	d->decode.siblings = e->no_siblings ? NULL : in->siblings;
	return in->unreadable ? MAP_UNREADABLE : decode_source(d);
}

void decoded_close(struct decoded *d)
{
	decode_close(&d->decode);
	arena_free(&d->arena);
}

/* The map: every region in the order of the files, and what lies between them unexplained. */
#include "core/order.h"
#include "engine/engine.h"

/* The regions of a file and its companions, counted first and then kept. */
struct collection {
	struct region *regions; /* NULL while counting */
	uint64_t n, max;
	uint32_t file; /* of the last one */
};

static bool collect(void *ctx, const struct region *r)
{
	struct collection *c = ctx;

	/* a map is the same each time, and goes from file to file */
	if (NEVER(c->n == c->max || r->file < c->file))
		return false;
	c->file = r->file;
	if (c->regions)
		c->regions[c->n] = *r;
	c->n++;
	return true;
}

static uint64_t region_key(const void *regions, uint32_t i)
{
	return ((const struct region *)regions)[i].span.at;
}

/* What one call of engine_map works with. */
struct mapping {
	struct arena arena;
	struct source source;
	struct interrupt interrupt;
	struct decode decode;
	const struct format *format;
	const void *facts;
	uint64_t version;
	engine_map_sink *sink;
	void *ctx;
};

/* A decoder that runs out of memory gives what it has by then; a map of that would be wrong. */
static bool out_of_memory(const struct mapping *m)
{
	return m->arena.over_budget || m->arena.refused;
}

/* Why the regions are not complete: memory ended, or work, or the check was interrupted. */
static enum map_result lack(const struct mapping *m)
{
	return out_of_memory(m) ? MAP_NO_MEMORY : MAP_CUT;
}

static bool tell_region(struct mapping *m, const struct region *r)
{
	return m->sink(m->ctx, &m->decode, m->format, m->version, r);
}

static enum map_result tell_unexplained(struct mapping *m, uint32_t file, uint64_t from,
					uint64_t to)
{
	struct region r = {
		.file = file, .kind = "unexplained", .label = "unexplained", .index = UINT64_MAX
	};

	if (from >= to)
		return MAP_OK;
	r.span = (struct span){ from, to - from };
	return tell_region(m, &r) ? MAP_OK : MAP_STOPPED;
}

/* Tells the n regions of one file. */
static enum map_result tell_file(struct mapping *m, const struct source *file,
				 const struct region *regions, uint32_t n)
{
	struct order order;
	uint64_t end = 0;

	if (!order_by_key(&m->arena, regions, n, region_key, &order))
		return lack(m);
	for (uint32_t i = 0; i < n; i++) {
		const struct region *r = &regions[order_row(&order, i)];

		if (tell_unexplained(m, file->number, end, r->span.at) != MAP_OK ||
		    !tell_region(m, r))
			return MAP_STOPPED;
		if (span_end(r->span) > end)
			end = span_end(r->span);
	}
	return tell_unexplained(m, file->number, end, file->io.size);
}

static enum map_result tell_files(struct mapping *m, const struct collection *c)
{
	enum map_result result = MAP_OK;
	uint64_t at = 0, end;

	for (const struct source *file = &m->source; file && result == MAP_OK;
	     file = file->next, at = end) {
		/* formats tell what is open */
		if (NEVER(at < c->n && c->regions[at].file < file->number))
			break;
		for (end = at; end < c->n && c->regions[end].file == file->number; end++)
			;
		result = tell_file(m, file, c->regions + at, (uint32_t)(end - at));
	}
	return result;
}

static enum map_result tell(struct mapping *m)
{
	struct collection c = { .max = UINT32_MAX };
	bool counted = m->format->map(m->facts, &m->decode, collect, &c), kept;

	if (!counted)
		return lack(m);
	c.max = c.n;
	c.n = c.file = 0;
	c.regions = arena_alloc(&m->arena, c.max, sizeof *c.regions);
	if (!c.regions)
		return MAP_NO_MEMORY;
	kept = m->format->map(m->facts, &m->decode, collect, &c);
	if (!kept)
		return lack(m);
	return tell_files(m, &c);
}

static bool was_cut(const struct decode *d)
{
	bool cut = work_ended(&d->work);

	for (size_t g = 0; g < GROUPS_MAX; g++)
		cut = cut || d->groups[g].why == STOP_LIMIT;
	return cut;
}

/* A companion that is there and could not be opened counts: a map without it would be wrong. */
static bool is_troubled(const struct mapping *m)
{
	const struct companion *c = m->decode.companions;
	const struct source *s = &m->source;

	while (s && s->trouble == SOURCE_FINE)
		s = s->next;
	while (c && !companion_is_refused(c->state))
		c = c->next;
	return s != NULL || c != NULL;
}

static enum map_result map_source(struct mapping *m)
{
	enum map_result result;

	m->format = formats[format_sniff(&m->decode)];
	if (m->source.trouble != SOURCE_FINE)
		return MAP_UNREADABLE;
	if (!m->format)
		return out_of_memory(m) ? MAP_NO_MEMORY : MAP_UNKNOWN_FORMAT;
	for (size_t g = 0; g < GROUPS_MAX; g++)
		m->decode.groups[g] = (struct group){ .why = STOP_NOT };
	m->facts = m->format->decode(&m->decode);
	if (!m->facts || out_of_memory(m))
		return MAP_NO_MEMORY;
	m->version = m->format->version(m->facts);
	result = tell(m);
	if (is_troubled(m))
		return MAP_UNREADABLE;
	if (out_of_memory(m)) /* whoever writes the regions reads their fields */
		return MAP_NO_MEMORY;
	return result == MAP_OK && was_cut(&m->decode) ? MAP_CUT : result;
}

enum map_result engine_map(struct engine *e, const struct check_input *in, engine_map_sink *sink,
			   void *ctx)
{
	struct mapping m = { .sink = sink, .ctx = ctx, .interrupt = engine_interrupt(e, in) };
	enum map_result result;

	if (in->unreadable)
		return MAP_UNREADABLE;
	arena_init(&m.arena, e->allocator, e->limits.of[LIMIT_memory]);
	m.arena.chunk_len = e->chunk_len;
	m.arena.interrupt = &m.interrupt;
	if (in->memory)
		source_init_memory(&m.source, in->memory, in->io.size, in->name, &m.arena);
	else
		source_init(&m.source, in->io, in->name, &m.arena, e->window_len);
	m.source.interrupt = &m.interrupt;
	m.decode = engine_decode(e, &m.source, &m.arena, &m.interrupt);
	m.decode.siblings = e->no_siblings ? NULL : in->siblings;
	result = map_source(&m);
	decode_close(&m.decode);
	arena_free(&m.arena);
	return result;
}

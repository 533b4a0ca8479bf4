/* The map: every region in the order of the files, and what lies between them unexplained. */
#include "core/order.h"
#include "engine/decoded.h"

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
	struct decoded d;
	uint64_t version;
	engine_map_sink *sink;
	void *ctx;
};

/* Why the regions are not complete: memory ended, or work, or the check was interrupted. */
static enum map_result lack(const struct mapping *m)
{
	return decoded_lacks_memory(&m->d) ? MAP_NO_MEMORY : MAP_CUT;
}

static bool tell_region(struct mapping *m, const struct region *r)
{
	return m->sink(m->ctx, &m->d.decode, m->d.format, m->version, r);
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

	if (!order_by_key(&m->d.arena, regions, n, region_key, &order))
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

	for (const struct source *file = &m->d.source; file && result == MAP_OK;
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
	bool counted = m->d.format->map(m->d.facts, &m->d.decode, collect, &c), kept;

	if (!counted)
		return lack(m);
	c.max = c.n;
	c.n = c.file = 0;
	c.regions = arena_alloc(&m->d.arena, c.max, sizeof *c.regions);
	if (!c.regions)
		return MAP_NO_MEMORY;
	kept = m->d.format->map(m->d.facts, &m->d.decode, collect, &c);
	if (!kept)
		return lack(m);
	return tell_files(m, &c);
}

static enum map_result map_decoded(struct mapping *m)
{
	enum map_result result;

	m->version = m->d.format->version(m->d.facts);
	result = tell(m);
	if (decoded_is_troubled(&m->d))
		return MAP_UNREADABLE;
	if (decoded_lacks_memory(&m->d)) /* whoever writes the regions reads their fields */
		return MAP_NO_MEMORY;
	return result == MAP_OK && decoded_was_cut(&m->d) ? MAP_CUT : result;
}

enum map_result engine_map(struct engine *e, const struct check_input *in, engine_map_sink *sink,
			   void *ctx)
{
	struct mapping m = { .sink = sink, .ctx = ctx };
	enum map_result result = decoded_open(&m.d, e, in);

	if (result == MAP_OK)
		result = map_decoded(&m);
	decoded_close(&m.d);
	return result;
}

/* The oracle of facts: what the format says of the bytes is sorted, complete and inside the file. */
#include "oracle.h"

#include <string.h>

#include "must.h"

/* ---- Groups ------------------------------------------------------------------------------------------------------------ */

/* Whether a stop means that something was not judged. */
static bool is_open_question(enum stop_why why)
{
	return why != STOP_NOT && why != STOP_LEVEL && why != STOP_UNVERIFIED && why != STOP_CODEC && why != STOP_NEEDS;
}

static void check_tables(const struct format *f, const void *facts)
{
	struct table tables[TABLES_MAX] = { { 0 } };
	size_t n = f->tables(facts, tables);

	MUST(n <= TABLES_MAX, "tables fit");
	for (size_t i = 1; i < n; i++)
		MUST(tables[i].n == 0 || tables[i].rows || tables[i].view, "a table that has rows has them somewhere");
}

/* Decoding is repeated without the engine, so that the verdict is held against the decoder's own word. */
static void check_groups(const struct trial *t, const struct report *r)
{
	struct memory memory;
	struct arena arena;
	struct source source;
	struct decode d = { .source = &source, .arena = &arena, .limits = &t->engine.limits, .level = t->engine.level };
	const void *facts;
	bool open = false;

	memory_init(&memory, 0xC3);
	arena_init(&arena, memory_allocator(&memory), UINT64_MAX);
	source_init_memory(&source, t->subject->data, t->subject->size, t->name, &arena);
	d.work.max = t->engine.limits.of[LIMIT_work];
	facts = r->format->decode(&d);
	MUST(facts, "decoding gives facts where there is memory");
	check_tables(r->format, facts);
	if (strcmp(r->format->name, "upkg") == 0)
		oracle_properties(facts, t->subject->data);
	for (size_t g = 0; g < r->format->n_groups; g++)
		open = open || is_open_question(d.groups[g].why);
	MUST(!open || r->verdict != VERDICT_VALID, "a file that was not decoded to its end is never valid");
	arena_free(&arena);
	MUST(memory.n_live == 0, "an arena gives everything back");
}

/* ---- Regions ----------------------------------------------------------------------------------------------------------- */

struct regions {
	const struct trial *trial;
	uint64_t end;                   /* of what was told so far */
	uint64_t at;                    /* of the last region */
	uint64_t covered, unexplained;
};

/* The fields of a record lie one behind the other from its start on. */
static void check_fields(struct decode *d, uint64_t version, const struct region *r)
{
	struct layout_value v;
	struct cursor c;
	uint64_t end = r->span.at;
	size_t i = 0;

	if (!source_peek(d->source, r->span, &c))
		return;
	while (layout_walk(r->layout, version, &c, &i, &v)) {
		MUST(v.at.at == end, "fields lie one behind the other");
		end = span_end(v.at);
	}
	MUST(i >= r->layout->n_fields && end == span_end(r->span), "a record's fields are the whole record");
}

static bool take_region(void *ctx, struct decode *d, const struct format *f, uint64_t version, const struct region *r)
{
	struct regions *s = ctx;
	uint64_t size = s->trial->subject->size, end = span_end(r->span);

	MUST(f && r->kind && r->label && r->span.len > 0, "a region is something");
	MUST(r->span.at <= size && r->span.len <= size - r->span.at, "a region lies in the file");
	MUST(r->span.at >= s->at, "regions are told in the order of the file");
	s->at = r->span.at;
	if (r->layout)
		check_fields(d, version, r);
	if (r->kind[0] == 'u') {
		MUST(r->span.at == s->end, "what is unexplained lies behind what is explained");
		s->unexplained += r->span.len;
	}
	if (r->depth > 0)
		MUST(end <= s->end, "an inner region lies in an outer one");
	MUST(r->span.at <= s->end, "regions leave no hole");
	if (end > s->end) {
		s->covered += end - s->end;
		s->end = end;
	}
	return true;
}

static void check_regions(const struct trial *base, const struct report *r)
{
	struct regions s = { .trial = base };
	struct check_input in = { .io.size = base->subject->size, .memory = base->subject->data, .name = base->name };
	struct memory memory;
	static struct engine e;

	memory_init(&memory, 0x3C);
	oracle_copy_engine(&e, &base->engine);
	e.allocator = memory_allocator(&memory);
	MUST(engine_map(&e, &in, take_region, &s) == (oracle_found(r, "RUN001") > 0 ? MAP_CUT : MAP_OK), "what was checked can be mapped");
	MUST(s.end == base->subject->size && s.covered == s.end, "regions cover the file");
	MUST(r->explained == s.covered - s.unexplained, "the report counts what the map explains");
	MUST(memory.n_live == 0, "a map gives its memory back");
}

void oracle_facts(const struct trial *t, const struct report *r)
{
	if (!r->format)
		return;
	check_groups(t, r);
	if (t->default_limits && r->size > 0)
		check_regions(t, r);
}

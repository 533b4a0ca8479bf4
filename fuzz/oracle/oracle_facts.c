/* The oracle of facts: what the format says of the bytes is sorted, complete and inside the
 * file. */
#include "oracle/oracle_facts.h"

#include <string.h>

#include "oracle/oracle_formats.h"
#include "oracle/oracle_results.h"
#include "support/memory.h"
#include "support/must.h"

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Whether a stop means that something was asked for and not judged. */
static bool is_open_question(const struct decode *d, size_t group)
{
	switch (d->groups[group].why) {
	case STOP_NOT:
	case STOP_NEEDS:
	case STOP_UNVERIFIED:
		return false;
	case STOP_LEVEL:
	case STOP_COMPANION:
		return d->level == LEVEL_CONTENT;
	default:
		return true;
	}
}

static void check_tables(const struct format *f, const void *facts)
{
	struct table tables[TABLES_MAX] = { { 0 } };
	size_t n = f->tables(facts, tables);

	MUST(n <= TABLES_MAX, "tables fit");
	for (size_t i = 1; i < n; i++)
		MUST(tables[i].n == 0 || tables[i].rows || tables[i].view,
		     "a table that has rows has them somewhere");
}

/* Decoding is repeated without the engine, so that the verdict is held against the decoder's own
 * word. */
static void check_groups(const struct trial *t, const struct report *r)
{
	struct memory memory;
	struct arena arena;
	struct source source;
	struct decode d = engine_decode(t->engine, &source, &arena, NULL);
	struct limits limits = t->engine->limits;
	const void *facts;
	bool open = false;

	/* a row for each flaw, also where no finding would be kept of it */
	limits.of[LIMIT_rule_findings] = UINT64_MAX;
	d.limits = &limits;
	memory_init(&memory, 0xC3);
	arena_init(&arena, memory_allocator(&memory), UINT64_MAX);
	source_init_memory(&source, t->subject->data, t->subject->size, t->name, &arena);
	d.work.max = t->engine->limits.of[LIMIT_work];
	if (t->subject->has_folder && !t->engine->no_siblings)
		d.siblings = &t->siblings;
	facts = r->format->decode(&d);
	MUST(facts, "decoding returns facts where there is memory");
	check_tables(r->format, facts);
	if (oracle_format(r->format)->compare_facts)
		oracle_format(r->format)->compare_facts(t, facts);
	for (size_t g = 0; g < r->format->n_groups; g++)
		open = open || is_open_question(&d, g);
	MUST(!open || r->verdict != VERDICT_VALID,
	     "a file that was not decoded to its end is never valid");
	decode_close(&d);
	arena_free(&arena);
	MUST(memory.n_live == 0, "an arena gives everything back");
}

/* ---- Regions --------------------------------------------------------------------------------- */

struct regions {
	const struct report *report;
	uint32_t file;
	uint64_t end;                  /* of what was told so far */
	uint64_t at;                   /* of the last region */
	uint64_t covered, unexplained; /* in the file */
	uint64_t explained;            /* of the input */
};

static uint64_t file_size(const struct regions *s)
{
	return s->file == 0 ? s->report->size : s->report->companions[s->file - 1].size;
}

/* Called after the last region of a file. */
static void end_file(struct regions *s)
{
	MUST(s->end == file_size(s) && s->covered == s->end, "regions cover the file");
	if (s->file == 0)
		s->explained = s->covered - s->unexplained;
	s->end = s->at = s->covered = s->unexplained = 0;
}

/* The fields of a record follow one another from its start. */
static void check_fields(struct decode *d, uint64_t version, const struct region *r)
{
	struct layout_value v;
	struct cursor c;
	uint64_t end = r->span.at;
	size_t i = 0;

	if (!source_peek(d->source, r->span, &c))
		return;
	while (layout_walk(r->layout, version, &c, &i, &v)) {
		MUST(v.at.at == end, "fields lie one after another");
		end = span_end(v.at);
	}
	MUST(i >= r->layout->n_fields && end == span_end(r->span),
	     "a record's fields are the whole record");
}

static bool take_region(void *ctx, struct decode *d, const struct format *f, uint64_t version,
			const struct region *r)
{
	struct regions *s = ctx;
	uint64_t size, end = span_end(r->span);

	MUST(r->file >= s->file && r->file <= s->report->n_companions,
	     "files are told one after the other");
	if (r->file > s->file)
		end_file(s);
	s->file = r->file;
	size = file_size(s);
	MUST(f && r->kind && r->label && r->span.len > 0, "a region is something");
	MUST(r->span.at <= size && r->span.len <= size - r->span.at, "a region lies in the file");
	MUST(r->span.at >= s->at, "regions are told in the order of the file");
	s->at = r->span.at;
	if (r->layout)
		check_fields(d, version, r);
	if (r->kind[0] == 'u') {
		MUST(r->span.at == s->end, "what is unexplained lies after what is explained");
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

/* How a map ends whose check said this: a file beside the input that is there and could not be
 * opened counts for more than a limit. */
static enum map_result map_end(const struct report *r)
{
	if (oracle_found(r, "RUN002") > 0)
		return MAP_UNREADABLE;
	return oracle_found(r, "RUN001") > 0 ? MAP_CUT : MAP_OK;
}

/* A map does not decode what a check decodes last, nor the holes of a sparse tar: it does not reach
 * the limits of these. */
static bool is_end(const struct report *r, enum map_result end)
{
	const bool decodes_less = r->format->finish || strcmp(r->format->name, "tar") == 0;

	return end == map_end(r) || (end == MAP_OK && map_end(r) == MAP_CUT && decodes_less);
}

static void check_regions(const struct trial *base, const struct report *r)
{
	struct regions s = { .report = r };
	struct check_input in = oracle_input(base);
	struct memory memory;
	static struct engine e;

	memory_init(&memory, 0x3C);
	oracle_copy_engine(&e, base->engine);
	e.allocator = memory_allocator(&memory);
	MUST(is_end(r, engine_map(&e, &in, take_region, &s)), "what was checked can be mapped");
	end_file(&s);
	MUST(r->explained == s.explained, "the report counts what the map explains");
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

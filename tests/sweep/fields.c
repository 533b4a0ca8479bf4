/* Fields that cannot be read: each field of each body of the sound packages fails once. fields LIST
 *
 * Through windows of one byte each field is a read of its own. */
#include <stdlib.h>
#include <string.h>

#include "formats/upkg/tables/objects.h"
#include "formats/upkg/upkg.h"

#include "api/api.h"
#include "fault/faults.h"
#include "reference/reference.h"
#include "show.h"
#include "sweep.h"

static void add_index(struct page *p, int64_t v)
{
	uint8_t bytes[5];

	page_sink(p, bytes, reference_put_index(bytes, v));
}

static void add_u32(struct page *p, uint32_t v)
{
	uint8_t bytes[4];

	reference_put_u32(bytes, v);
	page_sink(p, bytes, sizeof bytes);
}

static void add_export(struct page *table, const struct upkg *u, const struct upkg_export *e,
		       size_t at)
{
	const struct upkg_export_entry entry = upkg_export_entry_of(u, e);

	add_index(table, e->class);
	add_index(table, entry.super.value);
	add_u32(table, (uint32_t)e->outer);
	add_index(table, e->name);
	add_u32(table, (uint32_t)entry.flags);
	add_index(table, e->size);
	if (e->size > 0)
		add_index(table, (int64_t)at);
}

/* A package once more, its bodies and then its exports after all the rest: so no window of a table
 * holds a body. What its lazy arrays say of their ends is wrong then. */
static void move_bodies(const struct seed *s, const struct upkg *u, struct page *out)
{
	struct page table;
	size_t at = s->n;

	page_init(&table);
	page_sink(out, s->bytes, s->n);
	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++) {
		const struct upkg_export *e = &u->exports[i];

		add_export(&table, u, e, at);
		page_sink(out, s->bytes + e->offset, (size_t)e->size);
		at += (size_t)e->size;
	}
	reference_put_u32((uint8_t *)out->text + 24, at); /* where the header says that they are */
	page_sink(out, table.text, table.n);
	page_free(&table);
}

static void move_seed(const struct seed *s, struct engine *e, struct page *out)
{
	struct source source;
	struct arena arena;
	struct decode d = engine_decode(e, &source, &arena, NULL);

	arena_init(&arena, e->allocator, e->limits.of[LIMIT_memory]);
	source_init_memory(&source, s->bytes, s->n, s->file, &arena);
	d.work = (struct work){ .max = e->limits.of[LIMIT_work] };
	move_bodies(s, upkg_format.decode(&d), out);
	arena_free(&arena);
}

static struct shown run(const struct seed *s, uvet_engine *engine, struct fault_input *input)
{
	const uvet_io io = {
		.struct_size = sizeof(uvet_io), .read_at = fault_read_at, .ctx = input, .size = s->n
	};

	return show_seed(engine, s, &io, FORM_JSON, NULL);
}

/* Fails one read, and tells whether it is made at all. */
static bool fail_read(const struct seed *s, uvet_engine *engine, uint64_t at)
{
	struct fault_input input = {
		.bytes = s->bytes, .size = s->n, .fault_at = at, .fault = FAULT_FAILS
	};
	struct shown o = run(s, engine, &input);

	page_sink(&o.page, "", 1);
	if (input.n_reads >= at && !strstr(o.page.text, "\"rule\":\"RUN002\""))
		sweep_fail(s, "read %llu fails, and the report does not say so",
			   (unsigned long long)at);
	page_free(&o.page);
	return input.n_reads >= at;
}

static uint64_t fail_fields(const struct seed *seed, uvet_engine *engine)
{
	struct seed s = *seed;
	struct page moved;
	uint64_t at = 1;

	page_init(&moved);
	move_seed(seed, &engine->engine, &moved);
	s.bytes = (uint8_t *)moved.text;
	s.n = moved.n;
	while (fail_read(&s, engine, at))
		at++;
	page_free(&moved);
	return at;
}

int main(int argc, char **argv)
{
	uvet_engine *engine;
	struct seeds seeds;
	uint64_t n = 0;

	if (argc != 2 || uvet_engine_new(NULL, &engine) != UVET_OK)
		return 3;
	engine->engine.window_len = 1;
	seeds = seeds_load(argv[1], SIZE_MAX);
	for (size_t i = 0; i < seeds.n; i++)
		if (strncmp(seeds.of[i].name, "upkg/good_", 10) == 0)
			n += fail_fields(&seeds.of[i], engine);
	seeds_free(&seeds);
	uvet_engine_free(engine);
	return sweep_end("fields", n);
}

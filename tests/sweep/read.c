/* Reads that fail: every read of every seed fails, or gives half, one byte, or nothing. read LIST
 *
 * A short read is no fault: the report must be the undisturbed one. A failing one must never leave the file valid. Every
 * window size gives the same report. Decoding reads no byte twice; findings may, to show the bytes around them, and so do
 * files that lie in a large one. Of a container this holds for the files beside it, too, but for how often a byte is read. */
#include <stdlib.h>
#include <string.h>

#include "formats/upkg/upkg.h"  /* before what has another WORD */

#include "api/api.h"
#include "fault/faults.h"
#include "second.h"
#include "strict.h"
#include "sweep.h"

enum { SEED_MAX = 1 << 21, READS_MAX = 40 };

/* An input that also counts how often each byte was given. */
struct watched {
	struct sweep_folder folder;     /* the first: sweep_open is given it */
	uint8_t *n_read;
};

static int watched_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	struct watched *w = ctx;
	int result = fault_read_at(&w->folder.input, offset, buf, len, n_read);

	for (size_t i = 0; result == 0 && i < *n_read; i++)
		w->n_read[offset + i]++;
	return result;
}

static int watched_unchanged(void *ctx)
{
	return fault_unchanged(&((struct watched *)ctx)->folder.input);
}

/* run checks a seed and gives its report on a page; the caller frees that. */
static uvet_verdict run(const struct seed *s, uvet_engine *engine, struct watched *w, struct page *page)
{
	uvet_io io = { .read_at = watched_read, .unchanged = watched_unchanged, .ctx = w, .size = s->n, .open_sibling = sweep_open };
	uvet_report *report = NULL;
	uvet_verdict verdict;
	uvet_run *r;

	page_init(page);
	memset(w->n_read, 0, s->n);
	if (uvet_check_io(engine, s->file, &io, NULL, &report) != UVET_OK || uvet_run_new(engine, &r) != UVET_OK ||
	    uvet_run_write(r, "json", page_sink, page) != UVET_OK || uvet_run_add(r, report) != UVET_OK || uvet_run_end(r) != UVET_OK)
		exit(2);
	verdict = uvet_report_verdict(report);
	uvet_run_free(r);
	uvet_report_free(report);
	return verdict;
}

static bool same(const struct page *a, const struct page *b)
{
	return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

static void expect_read_once(const struct seed *s, const struct watched *w)
{
	for (size_t i = 0; i < s->n; i++) {
		if (w->n_read[i] <= 1)
			continue;
		sweep_fail(s, "byte %zu was read %u times", i, w->n_read[i]);
		return;
	}
}

/* The file that is disturbed: the seed itself, or one beside it. */
static struct fault_input *input_of(struct watched *w, size_t file)
{
	return file == 0 ? &w->folder.input : &w->folder.beside[file - 1];
}

static void disturb(const struct seed *s, uvet_engine *engine, struct watched *w, const struct page *good, size_t file, uint64_t at)
{
	static const enum fault_read faults[] = { FAULT_FAILS, FAULT_HALF, FAULT_ONE_BYTE, FAULT_NO_BYTES };

	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		bool harmless = faults[i] == FAULT_HALF || faults[i] == FAULT_ONE_BYTE;
		struct page page;
		uvet_verdict verdict;

		sweep_serve(&w->folder, s);
		input_of(w, file)->fault_at = at;
		input_of(w, file)->fault = faults[i];
		verdict = run(s, engine, w, &page);
		if (harmless && !same(good, &page))
			sweep_fail(s, "a short read %llu of file %zu changes the report", (unsigned long long)at, file);
		if (!harmless && (verdict == UVET_VALID || verdict == UVET_NOT_APPLICABLE))
			sweep_fail(s, "read %llu of file %zu fails, but the verdict is %s", (unsigned long long)at, file, uvet_verdict_name(verdict));
		if (!strict_json((const uint8_t *)page.text, page.n))
			sweep_fail(s, "read %llu fails: the report is not JSON", (unsigned long long)at);
		page_free(&page);
	}
}

/* Every read of one file fails, or gives less. */
static uint64_t disturb_file(const struct seed *s, uvet_engine *engine, struct watched *w, const struct page *good, size_t file)
{
	uint64_t n_reads = input_of(w, file)->n_reads;

	for (uint64_t at = 1; at <= n_reads; at += 1 + n_reads / READS_MAX)
		disturb(s, engine, w, good, file, at);
	return 4 * (n_reads < READS_MAX ? n_reads : READS_MAX);
}

/* One window size; whole is the report of the largest. */
static uint64_t sweep(const struct seed *s, uvet_engine *engine, uint64_t window_len, const struct page *whole)
{
	struct watched w = { .n_read = malloc(s->n + 1) };
	struct page good, again;
	uint64_t n = 1;

	if (!w.n_read)
		exit(2);
	sweep_serve(&w.folder, s);
	engine->engine.window_len = window_len;
	run(s, engine, &w, &good);
	if (whole && !same(whole, &good))
		sweep_fail(s, "windows of %llu bytes change the report", (unsigned long long)window_len);
	for (size_t file = 0; file <= s->n_beside; file++) {
		sweep_serve(&w.folder, s);
		run(s, engine, &w, &again);             /* to count its reads */
		page_free(&again);
		n += disturb_file(s, engine, &w, &good, file);
	}
	page_free(&good);
	free(w.n_read);
	return n;
}

static const uint64_t windows[] = { SOURCE_WINDOW, 64, 4096, 7 };

static uint64_t sweep_windows(const struct seed *s, uvet_engine *engine)
{
	struct watched w = { .n_read = malloc(s->n + 1) };
	struct page whole;
	uint64_t n = 0;

	if (!w.n_read)
		exit(2);
	engine->engine.keys = s->keys;
	sweep_serve(&w.folder, s);
	engine->engine.window_len = SOURCE_WINDOW;
	run(s, engine, &w, &whole);
	for (size_t i = 0; i < (seed_is_good(s) ? 4 : 2); i++)
		n += sweep(s, engine, windows[i], &whole);
	page_free(&whole);
	free(w.n_read);
	return n;
}

/* ---- Each field of a body fails once ----------------------------------------------------------------------------------------- */

static void add_index(struct page *p, int64_t v)
{
	uint8_t bytes[5];

	page_sink(p, bytes, second_put_index(bytes, v));
}

static void add_u32(struct page *p, uint32_t v)
{
	uint8_t bytes[4];

	second_put_u32(bytes, v);
	page_sink(p, bytes, sizeof bytes);
}

static void add_export(struct page *table, const struct upkg_export *e, size_t at)
{
	add_index(table, e->class);
	add_index(table, e->super);
	add_u32(table, (uint32_t)e->outer);
	add_index(table, e->name);
	add_u32(table, e->flags);
	add_index(table, e->size);
	if (e->size > 0)
		add_index(table, (int64_t)at);
}

/* A package once more, its bodies and then its exports behind all the rest: so no window of a table holds a body. What its lazy arrays say
 * of their ends is wrong then. */
static void move_bodies(const struct seed *s, const struct upkg *u, struct page *out)
{
	struct page table;
	size_t at = s->n;

	page_init(&table);
	page_sink(out, s->bytes, s->n);
	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++) {
		const struct upkg_export *e = &u->exports[i];

		add_export(&table, e, at);
		page_sink(out, s->bytes + e->offset, (size_t)e->size);
		at += (size_t)e->size;
	}
	second_put_u32((uint8_t *)out->text + 24, at);          /* where the header says that they are */
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

/* Through windows of one byte each field is a read of its own. */
static uint64_t fail_fields(const struct seed *seed, uvet_engine *engine)
{
	struct page moved, page;
	struct seed s = *seed;
	struct watched w;
	uint64_t n_reads, at = 1;

	page_init(&moved);
	move_seed(seed, &engine->engine, &moved);
	s.bytes = (uint8_t *)moved.text;
	s.n = moved.n;
	w = (struct watched){ .n_read = malloc(s.n + 1) };
	if (!w.n_read)
		exit(2);
	sweep_serve(&w.folder, &s);
	engine->engine.window_len = 1;
	run(&s, engine, &w, &page);
	page_free(&page);
	for (n_reads = w.folder.input.n_reads; at <= n_reads; at++) {
		w.folder.input = (struct fault_input){ .bytes = s.bytes, .size = s.n, .fault_at = at, .fault = FAULT_FAILS };
		run(&s, engine, &w, &page);
		page_sink(&page, "", 1);
		if (!strstr(page.text, "\"rule\":\"RUN002\""))
			sweep_fail(&s, "read %llu fails, and the report does not say so", (unsigned long long)at);
		page_free(&page);
	}
	free(w.n_read);
	page_free(&moved);
	return at;
}

/* ---- All seeds --------------------------------------------------------------------------------------------------------------- */

/* Without rules, and without files within files, there is only decoding. */
static void decode_only(const struct seed *s, uvet_engine *silent)
{
	struct watched w = { .n_read = malloc(s->n + 1) };
	struct page page;

	if (!w.n_read)
		exit(2);
	silent->engine.keys = s->keys;
	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
		silent->engine.window_len = windows[i];
		sweep_serve(&w.folder, s);
		run(s, silent, &w, &page);
		page_free(&page);
		expect_read_once(s, &w);
	}
	free(w.n_read);
}

int main(int argc, char **argv)
{
	uvet_options *options;
	uvet_engine *engine, *silent;
	struct seeds seeds;
	uint64_t n = 0;

	if (argc != 2 || uvet_options_new(&options) != UVET_OK || uvet_options_set(options, "show-passed", "yes") != UVET_OK ||
	    uvet_engine_new(options, &engine) != UVET_OK || uvet_options_set(options, "ignore", "all") != UVET_OK ||
	    uvet_options_set(options, "max-depth", "0") != UVET_OK || uvet_engine_new(options, &silent) != UVET_OK)
		return 3;
	seeds = seeds_load(argv[1], SEED_MAX);
	for (size_t i = 0; i < seeds.n; i++) {
		n += sweep_windows(&seeds.of[i], engine);
		decode_only(&seeds.of[i], silent);
		if (strncmp(seeds.of[i].name, "upkg/good_", 10) == 0)
			n += fail_fields(&seeds.of[i], engine);
	}
	seeds_free(&seeds);
	uvet_engine_free(engine);
	uvet_engine_free(silent);
	uvet_options_free(options);
	return sweep_end("read", n);
}

/* Memory that ends: every request of every seed refused, once and from then on. memory LIST
 *
 * Arenas ask for memory in chunks; with chunks of no length each request of theirs is one that can be refused. Whatever happens,
 * nothing crashes, nothing is lost, a file that was not fully checked is never called valid, and a report that says it is
 * complete is the undisturbed one. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "fault/faults.h"
#include "strict.h"
#include "sweep.h"

#if defined(UVET_COVERAGE)
enum { SEED_MAX = 65536, REQUESTS_MAX = 30 };           /* that build is slow, and each place is reached all the same */
#else
enum { SEED_MAX = 1 << 21, REQUESTS_MAX = 400 };
#endif

/* What came of one run: a check and its report, or the map or the info of the same file. */
enum output { REPORT, MAP, INFO };

struct outcome {
	uvet_status check;
	uvet_verdict verdict;           /* if check is UVET_OK */
	uint64_t n_in_check;            /* requests when the check was done */
	uvet_status output;             /* the worst of the calls that write */
	struct page page;
};

static const char *const names[] = { "report", "map", "info" };

static uvet_status write_report(uvet_engine *engine, const uvet_report *report, struct page *page)
{
	uvet_run *run = NULL;
	uvet_status status = uvet_run_new(engine, &run), more;

	if (status == UVET_OK)
		status = uvet_run_write(run, "json", page_sink, page);
	if (status == UVET_OK)
		status = uvet_run_add(run, report);
	if (run) {
		more = uvet_run_end(run);
		if (status == UVET_OK)
			status = more;
	}
	uvet_run_free(run);
	return status;
}

static void write_output(uvet_engine *engine, const struct seed *s, enum output output, struct outcome *o, const struct fault_memory *m)
{
	struct sweep_folder folder;
	uvet_io io = { .read_at = fault_read_at, .unchanged = fault_unchanged, .ctx = &folder, .size = s->n, .open_sibling = sweep_open };
	uvet_report *report = NULL;

	sweep_serve(&folder, s);
	if (output == MAP)
		o->output = uvet_map_io(engine, s->file, &io, "json", page_sink, &o->page);
	if (output == INFO)
		o->output = uvet_info_io(engine, s->file, &io, "json", page_sink, &o->page);
	if (output != REPORT)
		return;
	o->check = uvet_check_io(engine, s->file, &io, NULL, &report);
	o->n_in_check = m->n_asked;
	if (o->check == UVET_OK) {
		o->verdict = uvet_report_verdict(report);
		o->output = write_report(engine, report, &o->page);
	}
	uvet_report_free(report);
}

static struct outcome run(const struct seed *s, const uvet_options *options, size_t chunk_len, enum output output, struct fault_memory *m)
{
	struct outcome o = { .check = UVET_NO_MEMORY, .output = UVET_NO_MEMORY };
	uvet_engine *engine;

	page_init(&o.page);
	if (uvet_engine_new(options, &engine) == UVET_OK) {
		engine->engine.chunk_len = chunk_len;
		write_output(engine, s, output, &o, m);
		uvet_engine_free(engine);
	}
	if (m->n_live != 0)
		sweep_fail(s, "%llu pieces of memory were not given back", (unsigned long long)m->n_live);
	return o;
}

/* Nobody may claim success for less than the whole. A report is about a check, whose outcome may be that memory ended; what is written
 * after that check, or without one, is the same or an error. */
static void judge(const struct seed *s, enum output output, const struct outcome *good, const struct outcome *o, uint64_t at)
{
	bool same = o->page.n == good->page.n && memcmp(o->page.text, good->page.text, o->page.n) == 0;

	if (o->check == UVET_OK && o->verdict == UVET_VALID && at <= o->n_in_check)
		sweep_fail(s, "request %llu refused while it was checked, but it is called valid", (unsigned long long)at);
	if (o->output != UVET_OK)
		return;
	if (!strict_json((const uint8_t *)o->page.text, o->page.n))
		sweep_fail(s, "request %llu refused: the %s is not JSON", (unsigned long long)at, names[output]);
	if (at > o->n_in_check && !same)
		sweep_fail(s, "request %llu refused: the %s differs, but no error says so", (unsigned long long)at, names[output]);
}

static uint64_t sweep(const struct seed *s, uvet_options *options, size_t chunk_len, enum output output)
{
	struct fault_memory m = { 0 };
	struct outcome good, o;
	uint64_t n, step;

	uvet_options_allocator(options, fault_alloc, fault_release, &m);
	good = run(s, options, chunk_len, output, &m);
	judge(s, output, &good, &good, UINT64_MAX);
	n = m.n_asked;
	step = 1 + n / REQUESTS_MAX;
	for (uint64_t at = 1; at <= n; at += step) {
		for (int forever = 0; forever < 2; forever++) {
			m = (struct fault_memory){ .fail_at = at, .forever = forever };
			o = run(s, options, chunk_len, output, &m);
			judge(s, output, &good, &o, at);
			page_free(&o.page);
		}
	}
	page_free(&good.page);
	return 2 * (n / step);
}

/* An info is a check again, so that of the good seeds is enough. */
static uint64_t sweep_all(const struct seed *s, uvet_options *options)
{
	uint64_t n = sweep(s, options, ARENA_CHUNK, REPORT) + sweep(s, options, 0, REPORT) + sweep(s, options, 0, MAP);

	return seed_is_good(s) ? n + sweep(s, options, 0, INFO) : n;
}

int main(int argc, char **argv)
{
	uvet_options *options;
	struct seeds seeds;
	uint64_t n = 0;

	if (argc != 2 || uvet_options_new(&options) != UVET_OK || uvet_options_set(options, "show-passed", "yes") != UVET_OK)
		return 3;
	seeds = seeds_load(argv[1], SEED_MAX);
	for (size_t i = 0; i < seeds.n; i++)
		if (seeds.of[i].keys.n > 0 && uvet_options_key(options, NULL, seeds.of[i].keys.of[0].bytes) != UVET_OK)
			return 3;
	for (size_t i = 0; i < seeds.n; i++)
		n += sweep_all(&seeds.of[i], options);
	seeds_free(&seeds);
	uvet_options_free(options);
	return sweep_end("memory", n);
}

/* Outputs that fail: sinks that stop taking bytes at every place of every output. output LIST
 *
 * A call whose output was not taken whole says UVET_WRITE_FAILED, and what was taken is the beginning of the whole. */
#include <stdlib.h>
#include <string.h>

#include "sweep.h"
#include "uvet/uvet.h"

enum { SEED_MAX = 65536, EVERY_BYTE = 500, STEP = 211 };

/* A writer is a call that writes to a sink: it returns the worst status. */
struct writer {
	uvet_status (*write)(const struct writer *w, uvet_sink *sink, void *ctx);
	const char *format;
	uvet_engine *engine;
	const struct seed *seed;
};

static uvet_status worse(uvet_status a, uvet_status b)
{
	return a != UVET_OK ? a : b;
}

static uvet_status write_run(const struct writer *w, uvet_sink *sink, void *ctx)
{
	uvet_report *report;
	uvet_run *run;
	uvet_status status;

	if (uvet_check_memory(w->engine, w->seed->file, w->seed->bytes, w->seed->n, NULL, &report) != UVET_OK ||
	    uvet_run_new(w->engine, &run) != UVET_OK)
		exit(2);
	status = uvet_run_write(run, w->format, sink, ctx);
	status = worse(status, uvet_run_add(run, report));
	status = worse(status, uvet_run_add(run, report));
	if (status != UVET_OK && uvet_run_end(run) != UVET_WRITE_FAILED)
		sweep_fail(w->seed, "%s: the run forgets that its output failed", w->format);
	status = worse(status, uvet_run_end(run));
	uvet_run_free(run);
	uvet_report_free(report);
	return status;
}

static int read_seed(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	const struct seed *s = ctx;

	*n_read = offset >= s->n ? 0 : len < s->n - offset ? len : (size_t)(s->n - offset);
	memcpy(buf, s->bytes + (offset < s->n ? offset : 0), *n_read);
	return 0;
}

static uvet_io io_of(const struct writer *w)
{
	return (uvet_io){ .read_at = read_seed, .ctx = (void *)(uintptr_t)w->seed, .size = w->seed->n };
}

static uvet_status write_map(const struct writer *w, uvet_sink *sink, void *ctx)
{
	uvet_io io = io_of(w);

	return uvet_map_io(w->engine, w->seed->file, &io, w->format, sink, ctx);
}

static uvet_status write_info(const struct writer *w, uvet_sink *sink, void *ctx)
{
	uvet_io io = io_of(w);

	return uvet_info_io(w->engine, w->seed->file, &io, w->format, sink, ctx);
}

static uvet_status write_rules(const struct writer *w, uvet_sink *sink, void *ctx)
{
	return uvet_rules_write(w->format, sink, ctx);
}

static uvet_status write_explain(const struct writer *w, uvet_sink *sink, void *ctx)
{
	(void)w;
	return uvet_explain("UMD005", sink, ctx);
}

static uint64_t sweep(const struct writer *w)
{
	struct page whole, part;
	uint64_t n = 0;

	page_init(&whole);
	if (w->write(w, page_sink, &whole) != UVET_OK || whole.n == 0)
		sweep_fail(w->seed, "%s: nothing was written", w->format);
	for (size_t limit = 0; limit <= whole.n; limit += limit < EVERY_BYTE ? 1 : STEP) {
		uvet_status status;

		page_init(&part);
		part.limit = limit;
		status = w->write(w, page_sink, &part);
		if (status != (limit < whole.n ? UVET_WRITE_FAILED : UVET_OK))
			sweep_fail(w->seed, "%s cut at %zu of %zu: %s", w->format, limit, whole.n, uvet_status_name(status));
		if (part.n > 0 && memcmp(part.text, whole.text, part.n) != 0)
			sweep_fail(w->seed, "%s cut at %zu is not the beginning of the whole", w->format, limit);
		page_free(&part);
		n++;
	}
	page_free(&whole);
	return n;
}

static uint64_t sweep_seed(uvet_engine *engine, const struct seed *s)
{
	static const char *const runs[] = { "text", "text-color", "concise", "json", "ndjson", "sarif", "sarif-github" };
	static const char *const shows[] = { "text", "json" };
	uint64_t n = 0;

	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
		n += sweep(&(struct writer){ write_run, runs[i], engine, s });
	for (size_t i = 0; i < sizeof shows / sizeof *shows; i++) {
		n += sweep(&(struct writer){ write_map, shows[i], engine, s });
		n += sweep(&(struct writer){ write_info, shows[i], engine, s });
	}
	return n;
}

static bool is_chosen(const struct seed *s)
{
	static const char *const chosen[] = { "good_utf16_names", "UMD014_path_unsafe", "MAN022_member_listed_twice" };

	for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
		if (strcmp(strchr(s->name, '/') + 1, chosen[i]) == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	static const char *const pages[] = { "text", "json", "md", "layouts" };
	uvet_engine *engine;
	struct seeds seeds;
	uint64_t n = 0;

	if (argc != 2 || uvet_engine_new(NULL, &engine) != UVET_OK)
		return 3;
	seeds = seeds_load(argv[1], SEED_MAX);
	for (size_t i = 0; i < seeds.n; i++)
		if (is_chosen(&seeds.of[i]))
			n += sweep_seed(engine, &seeds.of[i]);
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
		n += sweep(&(struct writer){ write_rules, pages[i], engine, NULL });
	n += sweep(&(struct writer){ write_explain, "explain", engine, NULL });
	seeds_free(&seeds);
	uvet_engine_free(engine);
	return sweep_end("output", n);
}

/* Outputs that fail: sinks that refuse at every call of every output of a seed. output LIST
 *
 * A call whose output was not taken whole says UVET_WRITE_FAILED, and what was taken is the
 * beginning of the whole. A sink that has refused is not asked again, so that to refuse once
 * and to refuse from then on are the same run; how many of a call's bytes it took it cannot
 * say, so that all places within one call are.
 *
 * With UVET_SWEEP_ALL it is every seed, else a sample of them. */
#include <stdlib.h>
#include <string.h>

#include "show.h"
#include "sweep.h"
#include "uvet/uvet.h"

enum { SEED_STEP = SWEEP_IS_SLOW ? 149 : 29 };

/* A writer is a call that writes to a sink: it returns the first failure. */
struct writer {
	uvet_status (*write)(const struct writer *w, uvet_sink *sink, void *ctx);
	const char *name;
	enum form form;
	uvet_engine *engine;
	const struct seed *seed;
	const uvet_report *report;
};

static int read_seed(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	const struct seed *s = ctx;

	*n_read = offset >= s->n ? 0 : len < s->n - offset ? len : (size_t)(s->n - offset);
	memcpy(buf, s->bytes + (offset < s->n ? offset : 0), *n_read);
	return 0;
}

static uvet_io io_of(const struct seed *s)
{
	return (uvet_io){ .struct_size = sizeof(uvet_io),
			  .read_at = read_seed,
			  .ctx = (void *)(uintptr_t)s,
			  .size = s->n };
}

/* A writer that goes on after its output has failed, with a second file, does not forget it. */
static uvet_status write_run(const struct writer *w, uvet_sink *sink, void *ctx)
{
	uvet_writer *writer;
	uvet_status status;

	if (uvet_writer_new(w->engine, &writer) != UVET_OK)
		sweep_give_up("no writer of", w->name);
	status = uvet_writer_output(writer, w->name, sink, ctx);
	status = first_failure(status, uvet_writer_add(writer, w->report));
	status = first_failure(status, uvet_writer_add(writer, w->report));
	if (status != UVET_OK && uvet_writer_end(writer) != UVET_WRITE_FAILED)
		sweep_fail(w->seed, "%s: the writer forgets that its output failed", w->name);
	status = first_failure(status, uvet_writer_end(writer));
	uvet_writer_free(writer);
	return status;
}

static uvet_status write_facts(const struct writer *w, uvet_sink *sink, void *ctx)
{
	const uvet_io io = io_of(w->seed);

	return show_facts(w->engine, w->seed, &io, w->form, sink, ctx);
}

static uvet_status write_rules(const struct writer *w, uvet_sink *sink, void *ctx)
{
	return uvet_rules_write(w->name, sink, ctx);
}

static uvet_status write_schema(const struct writer *w, uvet_sink *sink, void *ctx)
{
	return uvet_schema_write(w->name, sink, ctx);
}

static uvet_status write_explain(const struct writer *w, uvet_sink *sink, void *ctx)
{
	return uvet_explain(w->name, sink, ctx);
}

/* ---- A sink that refuses --------------------------------------------------------------------- */

/* It holds what it takes against the whole. */
struct picky {
	const struct writer *writer;
	const struct page *whole; /* NULL: this is the first time */
	struct page taken;        /* then this is filled */
	size_t n_taken;
	uint64_t n_calls, refuses; /* the call, from 1; 0: none */
};

static int picky_sink(void *ctx, const void *bytes, size_t len)
{
	struct picky *p = ctx;
	const struct writer *w = p->writer;

	if (++p->n_calls > p->refuses && p->refuses > 0)
		sweep_fail(w->seed, "%s: the sink refused, and is asked again", w->name);
	if (!p->whole)
		page_sink(&p->taken, bytes, len);
	else if (len > p->whole->n - p->n_taken ||
		 memcmp(p->whole->text + p->n_taken, bytes, len) != 0)
		sweep_fail(w->seed, "%s: call %llu is not what comes next", w->name,
			   (unsigned long long)p->n_calls);
	if (p->n_calls == p->refuses)
		return 1;
	p->n_taken += len;
	return 0;
}

static uint64_t sweep(const struct writer *w)
{
	struct picky first = { .writer = w };
	uvet_status good, status;

	page_init(&first.taken);
	good = w->write(w, picky_sink, &first);
	if (good == UVET_WRITE_FAILED || good == UVET_NO_MEMORY || first.n_calls == 0)
		sweep_fail(w->seed, "%s: nothing was written: %s", w->name, uvet_status_name(good));
	for (uint64_t at = 0; at <= first.n_calls; at++) {
		struct picky p = { .writer = w, .whole = &first.taken, .refuses = at };

		status = w->write(w, picky_sink, &p);
		if (status != (at > 0 ? UVET_WRITE_FAILED : good))
			sweep_fail(w->seed, "%s: call %llu refused: %s", w->name,
				   (unsigned long long)at, uvet_status_name(status));
		if (at == 0 && p.n_taken != first.taken.n)
			sweep_fail(w->seed, "%s: %zu of %zu bytes", w->name, p.n_taken,
				   first.taken.n);
	}
	page_free(&first.taken);
	return 1 + first.n_calls;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static uint64_t sweep_seed(uvet_engine *engine, const struct seed *s)
{
	static const char *const reports[] = { "text",       "text-color", "concise",      "json",
					       "ndjson",     "sarif",      "sarif-github", "junit",
					       "checkstyle", "github",     "gitlab",       "csv",
					       "markdown",   "html" };
	static const enum form facts[] = { FORM_MAP, FORM_MAP_TEXT, FORM_INFO, FORM_INFO_TEXT };
	uvet_report *report;
	uint64_t n = 0;

	if (uvet_check_memory(engine, s->file, s->bytes, s->n, NULL, &report) != UVET_OK)
		sweep_give_up("cannot check", s->name);
	for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
		n += sweep(&(struct writer){ .write = write_run,
					     .name = reports[i],
					     .engine = engine,
					     .seed = s,
					     .report = report });
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		n += sweep(&(struct writer){ .write = write_facts,
					     .name = form_name(facts[i]),
					     .form = facts[i],
					     .engine = engine,
					     .seed = s });
	uvet_report_free(report);
	return n;
}

int main(int argc, char **argv)
{
	static const char *const pages[] = { "text", "json", "md", "layouts" };
	uvet_engine *engine;
	struct seeds seeds;
	uint64_t n = 0;

	if (argc != 2 || uvet_engine_new(NULL, &engine) != UVET_OK)
		return 3;
	seeds = seeds_load(argv[1], SIZE_MAX);
	for (size_t i = 0; i < seeds.n; i += sweep_is_whole() ? 1 : SEED_STEP)
		n += sweep_seed(engine, &seeds.of[i]);
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
		n += sweep(&(struct writer){ .write = write_rules, .name = pages[i] });
	for (size_t i = 0; uvet_schema_name(i); i++)
		n += sweep(&(struct writer){ .write = write_schema, .name = uvet_schema_name(i) });
	n += sweep(&(struct writer){ .write = write_explain, .name = "UMD005" });
	seeds_free(&seeds);
	uvet_engine_free(engine);
	return sweep_end("output", n);
}

/* Files that fail: reads of every seed, opened by its path, fail, are interrupted, or return
 * half, one byte, or nothing. files LIST
 *
 * As read.c, but through the library's own files, with the system's ways to fail. The linker
 * sends every pread here; the reads of a file and of those beside it count together, as they
 * come. A read that is interrupted for ever would never end, so that it is three times.
 *
 * With UVET_SWEEP_ALL it is every read, else some of each seed, as far apart from each other
 * as there are more. Two seeds are left out, and counted: beside them lie files of 2 GiB,
 * nearly all of it holes, whose blocks one loop reads some hundred times. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "api/api.h"
#include "show.h"
#include "sweep.h"

enum {
	/* of a seed that are disturbed, but with UVET_SWEEP_ALL */
	READS_MAX = SWEEP_IS_SLOW ? 2 : 8,
	LOOP_MAX = 600 /* a seed with more reads is left out */
};

/* What happens to the reads. */
enum fault { FAILS, ENDS, HALF, ONE_BYTE, INTERRUPTED };

static struct script {
	uint64_t n_reads, fault_at; /* from 1; 0: none */
	bool forever;
	enum fault fault;
	unsigned n_interrupts; /* still to come */
} script;

typedef ssize_t reader(int fd, void *buf, size_t len, off_t at);

static ssize_t fail_with(int error)
{
	errno = error;
	return -1;
}

static ssize_t scripted(reader *real, int fd, void *buf, size_t len, off_t at)
{
	if (script.n_interrupts > 0 && script.n_reads + 1 == script.fault_at) {
		script.n_interrupts--;
		return fail_with(EINTR);
	}
	script.n_reads++;
	if (script.fault_at == 0 ||
	    (script.forever ? script.n_reads < script.fault_at : script.n_reads != script.fault_at))
		return real(fd, buf, len, at);
	switch (script.fault) {
	case FAILS:
		return fail_with(EIO);
	case ENDS:
		return 0;
	case HALF:
		return real(fd, buf, (len + 1) / 2, at);
	case ONE_BYTE:
		return real(fd, buf, 1, at);
	default:
		return real(fd, buf, len, at);
	}
}

reader __real_pread, __wrap_pread, __real_pread64, __wrap_pread64;

ssize_t __wrap_pread(int fd, void *buf, size_t len, off_t at)
{
	return scripted(__real_pread, fd, buf, len, at);
}

ssize_t __wrap_pread64(int fd, void *buf, size_t len, off_t at)
{
	return scripted(__real_pread64, fd, buf, len, at);
}

/* ---- One seed -------------------------------------------------------------------------------- */

/* Checks a file and writes its report; the caller frees the page. */
static uvet_verdict run(const struct seed *s, uvet_engine *engine, struct script how,
			struct page *page)
{
	uvet_report *report;
	uvet_verdict verdict;

	page_init(page);
	script = how;
	if (uvet_check_path(engine, s->path, NULL, &report) != UVET_OK)
		sweep_give_up("cannot check", s->path);
	script.fault_at = 0;
	verdict = uvet_report_verdict(report);
	if (show_report(engine, report, FORM_JSON, page_sink, page) != UVET_OK)
		sweep_give_up("cannot show", s->path);
	uvet_report_free(report);
	return verdict;
}

static void disturb(const struct seed *s, uvet_engine *engine, const struct page *good,
		    struct script how)
{
	const bool harmless = how.fault != FAILS && how.fault != ENDS;
	const unsigned long long at = how.fault_at;
	struct page page;
	const uvet_verdict verdict = run(s, engine, how, &page);

	if (script.n_reads < at)
		sweep_fail(s, "read %llu is no longer made", at);
	if (harmless && !page_same(good, &page))
		sweep_fail(s, "read %llu is short or interrupted, which changes the report", at);
	if (!harmless && (verdict == UVET_VALID || verdict == UVET_NOT_APPLICABLE))
		sweep_fail(s, "read %llu fails, but the verdict is %s", at,
			   uvet_verdict_name(verdict));
	if (!form_is_sound(FORM_JSON, &page))
		sweep_fail(s, "read %llu fails: the report is malformed", at);
	page_free(&page);
}

/* Reads that all return half are the same ones whichever was the first. */
static uint64_t sweep(const struct seed *s, uvet_engine *engine, unsigned *n_left_out)
{
	struct page good;
	uint64_t n_reads, step, n_runs = 1;

	engine->engine.keys = s->keys;
	run(s, engine, (struct script){ 0 }, &good);
	n_reads = script.n_reads <= LOOP_MAX ? script.n_reads : 0;
	if (n_reads < script.n_reads) {
		printf("files: %s is left out: %llu reads\n", s->name,
		       (unsigned long long)script.n_reads);
		++*n_left_out;
	}
	step = sweep_step(n_reads, READS_MAX);
	for (uint64_t at = 1; at <= n_reads; at += step, n_runs += 8) {
		disturb(s, engine, &good, (struct script){ .fault_at = at, .fault = FAILS });
		disturb(s, engine, &good,
			(struct script){ .fault_at = at, .fault = FAILS, .forever = true });
		disturb(s, engine, &good, (struct script){ .fault_at = at, .fault = ENDS });
		disturb(s, engine, &good,
			(struct script){ .fault_at = at, .fault = ENDS, .forever = true });
		disturb(s, engine, &good,
			(struct script){ .fault_at = at, .fault = HALF, .forever = at == 1 });
		disturb(s, engine, &good, (struct script){ .fault_at = at, .fault = ONE_BYTE });
		disturb(s, engine, &good,
			(struct script){ .fault_at = at, .fault = INTERRUPTED, .n_interrupts = 1 });
		disturb(s, engine, &good,
			(struct script){ .fault_at = at, .fault = INTERRUPTED, .n_interrupts = 3 });
	}
	page_free(&good);
	return n_runs;
}

int main(int argc, char **argv)
{
	uvet_options *options;
	uvet_engine *engine;
	struct seeds seeds;
	uint64_t n = 0;
	unsigned n_left_out = 0;

	if (argc != 2 || uvet_options_new(&options) != UVET_OK ||
	    uvet_options_set(options, "show-passed", "yes") != UVET_OK ||
	    uvet_engine_new(options, &engine) != UVET_OK)
		return 3;
	seeds = seeds_load(argv[1], SIZE_MAX);
	for (size_t i = 0; i < seeds.n; i++)
		n += sweep(&seeds.of[i], engine, &n_left_out);
	seeds_free(&seeds);
	uvet_engine_free(engine);
	uvet_options_free(options);
	printf("files: %u seeds left out\n", n_left_out);
	if (n_left_out > 4)
		sweep_fail(NULL, "more seeds are left out than it is known of");
	return sweep_end("files", n);
}

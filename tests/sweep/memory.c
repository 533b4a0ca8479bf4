/* Memory that ends: requests of every seed refused, once and from then on. memory LIST
 *
 * Arenas ask for memory in chunks; with chunks of no length each request of theirs is one that
 * can be refused. Whatever happens, nothing crashes, nothing is lost, a file that was not fully
 * checked is never called valid, and a report that says it is complete is the undisturbed one.
 *
 * With UVET_SWEEP_ALL every request is refused, in every form that a seed can be shown in. Else
 * it is some dozens of each seed, as far apart from each other as there are more, in three
 * forms.
 *
 * No run is made twice: until the check is done, what it asks for does not depend on what will
 * be written, so that the first format stands for all; and where nothing more was asked for
 * after the one refusal, refusing what comes after it is the same run. */
#include <stdlib.h>

#include "api/api.h"
#include "fault/faults.h"
#include "show.h"
#include "sweep.h"

#if defined(UVET_COVERAGE)
enum { REQUESTS_MAX = 20 }; /* so that each place is reached */
#elif SWEEP_STEP > 1
enum { REQUESTS_MAX = 6 };
#else
enum { REQUESTS_MAX = 400 };
#endif

static bool is_swept(enum form form)
{
	return sweep_is_whole() || form == FORM_JSON || form == FORM_MAP || form == FORM_INFO;
}

/* One way to run a seed. */
struct way {
	enum form form;
	size_t chunk_len;
	unsigned n_workers;
	uvet_options *options;
};

/* Workers that work one after the other, so that each run asks for memory in the same order; the
 * last comes first. */
static void run_backward(void *ctx, thread_job *job, void *work)
{
	const struct thread_pool *pool = ctx;

	for (unsigned i = pool->n; i > 0; i--)
		job(work, i - 1);
}

static struct shown run(const struct seed *s, const struct way *way, struct fault_memory *m)
{
	struct shown o = { .check = UVET_NO_MEMORY, .output = UVET_NO_MEMORY };
	struct sweep_folder folder;
	uvet_io io = { .struct_size = sizeof(uvet_io),
		       .read_at = fault_read_at,
		       .unchanged = fault_unchanged,
		       .ctx = &folder,
		       .size = s->n,
		       .open_sibling = sweep_open };
	uvet_engine *engine;

	sweep_serve(&folder, s);
	uvet_options_allocator(way->options, fault_alloc, fault_release, m);
	if (uvet_engine_new(way->options, &engine) == UVET_OK) {
		engine->engine.chunk_len = way->chunk_len;
		engine->engine.threads = (struct thread_pool){ way->n_workers, run_backward,
							       &engine->engine.threads };
		o = show_seed(engine, s, &io, way->form, &m->n_asked);
		uvet_engine_free(engine);
	}
	if (m->n_live != 0)
		sweep_fail(s, "%llu pieces of memory were not given back",
			   (unsigned long long)m->n_live);
	return o;
}

/* Nobody may claim success for less than the whole. A report is about a check, whose outcome may
 * be that memory ended; what is written after that check, or without one, is the same or an
 * error. */
static void judge(const struct seed *s, const struct way *way, const struct shown *good,
		  const struct shown *o, uint64_t at)
{
	const char *form = form_name(way->form);

	if (o->check == UVET_OK && o->verdict == UVET_VALID && at <= o->check_ended)
		sweep_fail(s, "request %llu refused while it was checked, but it is called valid",
			   (unsigned long long)at);
	if (o->output != UVET_OK)
		return;
	if (!form_is_sound(way->form, &o->page))
		sweep_fail(s, "request %llu refused: the %s is malformed", (unsigned long long)at,
			   form);
	if (at > o->check_ended && !page_same(&o->page, &good->page))
		sweep_fail(s, "request %llu refused: the %s differs, but no error says so",
			   (unsigned long long)at, form);
}

/* Refuses a request, once and from then on, and returns the number of runs that it took. */
static uint64_t refuse(const struct seed *s, const struct way *way, const struct shown *good,
		       uint64_t at)
{
	uint64_t n_runs = 0;

	for (int forever = 0; forever < 2; forever++) {
		struct fault_memory m = { .fail_at = at, .forever = forever };
		struct shown o = run(s, way, &m);

		n_runs++;
		judge(s, way, good, &o, at);
		page_free(&o.page);
		if (m.n_asked < at)
			sweep_fail(s, "request %llu is no longer made", (unsigned long long)at);
		if (m.n_asked == at)
			break;
	}
	return n_runs;
}

/* Refuses the requests that are made after the check, or all. */
static uint64_t sweep(const struct seed *s, const struct way *way, bool after_check)
{
	struct fault_memory m = { 0 };
	struct shown good = run(s, way, &m);
	const uint64_t n_before = after_check ? good.check_ended : 0,
		       step = sweep_step(m.n_asked - n_before, REQUESTS_MAX);
	uint64_t n_runs = 1;

	judge(s, way, &good, &good, UINT64_MAX);
	for (uint64_t at = n_before + 1; at <= m.n_asked; at += step)
		n_runs += refuse(s, way, &good, at);
	page_free(&good.page);
	return n_runs;
}

static uint64_t sweep_all(const struct seed *s, uvet_options *options)
{
	uint64_t n = 0;

	for (enum form form = 0; form < FORMS; form++) {
		const bool after_check = form_is_report(form) && form > 0;

		if (!is_swept(form))
			continue;
		n += sweep(s, &(struct way){ form, ARENA_CHUNK, 1, options }, after_check);
		n += sweep(s, &(struct way){ form, 0, 1, options }, after_check);
	}
	return s->n_beside > 0 ? n + sweep(s, &(struct way){ FORM_JSON, 0, 3, options }, false) : n;
}

/* Tells whether a seed before this one has the same key. */
static bool has_key_before(const struct seeds *seeds, size_t i)
{
	const struct key *own = &seeds->of[i].keys.of[0];

	for (size_t k = 0; k < i; k++)
		if (seeds->of[k].keys.n > 0 &&
		    memcmp(seeds->of[k].keys.of[0].bytes, own->bytes, sizeof own->bytes) == 0)
			return true;
	return false;
}

static bool add_keys(const struct seeds *seeds, uvet_options *options)
{
	for (size_t i = 0; i < seeds->n; i++) {
		const struct keys *own = &seeds->of[i].keys;

		if (own->n > 0 && !has_key_before(seeds, i) &&
		    uvet_options_key(options, NULL, own->of[0].bytes) != UVET_OK)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	uvet_options *options;
	struct seeds seeds;
	uint64_t n = 0;

	if (argc != 2 || uvet_options_new(&options) != UVET_OK ||
	    uvet_options_set(options, "show-passed", "yes") != UVET_OK)
		return 3;
	seeds = seeds_load(argv[1], SIZE_MAX);
	if (!add_keys(&seeds, options))
		return 3;
	for (size_t i = 0; i < seeds.n; i++)
		n += sweep_all(&seeds.of[i], options);
	seeds_free(&seeds);
	uvet_options_free(options);
	return sweep_end("memory", n);
}

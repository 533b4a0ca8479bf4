/* Tests of thread pools: every worker runs once, in threads of their own as far as they can be
 * started. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "api/api.h"
#include "unit/unit.h"

static struct {
	unsigned n_started, n_allowed;
} threads;

int __real_pthread_create(pthread_t *out, const pthread_attr_t *attr, void *(*run)(void *),
			  void *ctx);
int __wrap_pthread_create(pthread_t *out, const pthread_attr_t *attr, void *(*run)(void *),
			  void *ctx);

/* The linker sends every pthread_create here. */
int __wrap_pthread_create(pthread_t *out, const pthread_attr_t *attr, void *(*run)(void *),
			  void *ctx)
{
	if (threads.n_started == threads.n_allowed)
		return EAGAIN;
	threads.n_started++;
	return __real_pthread_create(out, attr, run, ctx);
}

struct shared {
	atomic_uint n_runs[API_JOBS_MAX];
};

static void job(void *work, unsigned worker)
{
	struct shared *w = work;

	atomic_fetch_add(&w->n_runs[worker], 1);
}

static void expect_threads(const char *jobs, unsigned n_allowed, unsigned n_started)
{
	struct shared work = { { 0 } };
	uvet_options *options;
	uvet_engine *e;

	threads.n_started = 0;
	threads.n_allowed = n_allowed;
	assert_int_equal(uvet_options_new(&options), UVET_OK);
	assert_int_equal(uvet_options_set(options, "jobs", jobs), UVET_OK);
	assert_int_equal(uvet_engine_new(options, &e), UVET_OK);
	e->engine.threads.run(e->engine.threads.ctx, job, &work);
	assert_int_equal(threads.n_started, n_started);
	for (unsigned i = 0; i < API_JOBS_MAX; i++)
		assert_int_equal(atomic_load(&work.n_runs[i]), i < e->engine.threads.n);
	uvet_engine_free(e);
	uvet_options_free(options);
}

static void every_worker_runs(void **state)
{
	(void)state;
	expect_threads("2", 64, 1);
	expect_threads("7", 64, 6);
	expect_threads("64", 64, 63);
}

static void one_makes_no_thread(void **state)
{
	(void)state;
	expect_threads("1", 64, 0);
	thread_pool_single.run(thread_pool_single.ctx, job, &(struct shared){ { 0 } });
}

static void who_cannot_be_started_is_replaced(void **state)
{
	(void)state;
	expect_threads("8", 0, 0);
	expect_threads("8", 3, 3);
}

static void as_many_as_processors(void **state)
{
	const unsigned n = platform_processors() < API_JOBS_MAX ? platform_processors()
								: API_JOBS_MAX;

	(void)state;
	expect_threads("0", 64, n - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_worker_runs),
		cmocka_unit_test(one_makes_no_thread),
		cmocka_unit_test(who_cannot_be_started_is_replaced),
		cmocka_unit_test(as_many_as_processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of jobs: whoever works on what, reports come in the order of the inputs. The linker puts
 * the test's checks in the place of the real ones. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "cli/jobs.h"
#include "unit/unit.h"

enum { FILES_MAX = 100 };

static pthread_t main_thread;
static atomic_uint n_judged_elsewhere; /* by other threads than this one */
static atomic_bool main_waits;
static bool in_lock_step;
static bool main_is_first; /* others begin when this thread has begun */
static atomic_bool main_began;
/* checks of this thread before it waits for the first time, of others after that */
static atomic_uint n_begun_before_wait, n_begun_after;
static uint64_t held;         /* by each report, in bytes; 0: there is none */
static atomic_int n_reports;  /* that were made and not freed */
static const char *bad;       /* for which memory is refused */
static bool has_enough_alone; /* unless it has all of it */
static const char *crowded;   /* for which too many files are open the first time */

enum { SHARE = 100 };

static struct engines shared = { .memory = SHARE }, alone;
static atomic_uint n_judged_alone, n_running;
/* another check ran during one that had all memory, or had left a report then */
static atomic_bool met;
static atomic_uint n_crowded; /* checks of the crowded one */
static bool met_crowded;      /* another check ran during its last one */

/* Reports: the first of the crowded one, and any other. */
static struct report {
	unsigned shortages;
} reports[2] = { { UVET_SHORT_OF_FILES }, { 0 } };

unsigned __wrap_uvet_report_shortages(const uvet_report *report);
unsigned __wrap_uvet_report_shortages(const uvet_report *report)
{
	return ((const struct report *)report)->shortages;
}

uint64_t __wrap_uvet_report_held(const uvet_report *report);
uint64_t __wrap_uvet_report_held(const uvet_report *report)
{
	(void)report;
	return held;
}

void __wrap_uvet_report_free(uvet_report *report);
void __wrap_uvet_report_free(uvet_report *report)
{
	atomic_fetch_sub(&n_reports, report != NULL);
}

static void wait_for(const atomic_bool *flag)
{
	while (!atomic_load(flag))
		sched_yield();
}

/* In lock step, this thread begins when another one works, and that one ends when this one waits
 * for it. */
uvet_status __wrap_engines_check(const struct engines *j, struct input *in, uvet_report **out);
uvet_status __wrap_engines_check(const struct engines *j, struct input *in, uvet_report **out)
{
	const bool is_here = pthread_equal(pthread_self(), main_thread);
	const unsigned n = atomic_fetch_add(&n_running, 1);
	const int n_others = atomic_load(&n_reports);
	const bool is_crowded = crowded && strcmp(in->path, crowded) == 0;

	*out = held > 0 ? (uvet_report *)&reports[1] : NULL;
	if (is_crowded)
		*out = (uvet_report *)&reports[atomic_fetch_add(&n_crowded, 1) > 0];
	atomic_fetch_add(&n_reports, *out != NULL);
	if (is_crowded)
		met_crowded = n > 0;
	if (j == &alone) {
		atomic_fetch_add(&n_judged_alone, 1);
		atomic_store(&met, atomic_load(&met) || n > 0 || n_others > 0);
	} else {
		atomic_fetch_add(&n_begun_before_wait, is_here && !atomic_load(&main_waits));
		atomic_fetch_add(&n_begun_after, !is_here && atomic_load(&main_waits) &&
							 atomic_load(&n_judged_alone) == 0);
	}
	if (is_here)
		atomic_store(&main_began, true);
	atomic_fetch_add(&n_judged_elsewhere, !is_here);
	while (in_lock_step && is_here && atomic_load(&n_judged_elsewhere) == 0)
		sched_yield();
	if (in_lock_step && !is_here)
		wait_for(&main_waits);
	atomic_fetch_sub(&n_running, 1);
	if (!bad || strcmp(in->path, bad) != 0 || (j == &alone && has_enough_alone))
		return UVET_OK;
	atomic_fetch_sub(&n_reports, *out != NULL);
	*out = NULL;
	return UVET_NO_MEMORY;
}

/* ---- The monitor ----------------------------------------------------------------------------- */

static _Thread_local bool is_inside;
/* a thread left it, waited in it or woke others without having entered it, or entered it twice */
static atomic_bool is_misused;

static void expect_inside(bool inside)
{
	if (is_inside != inside)
		atomic_store(&is_misused, true);
}

void __real_platform_monitor_enter(struct platform_monitor *m);
void __wrap_platform_monitor_enter(struct platform_monitor *m);
void __wrap_platform_monitor_enter(struct platform_monitor *m)
{
	if (main_is_first && !pthread_equal(pthread_self(), main_thread))
		wait_for(&main_began);
	expect_inside(false);
	__real_platform_monitor_enter(m);
	is_inside = true;
}

void __real_platform_monitor_leave(struct platform_monitor *m);
void __wrap_platform_monitor_leave(struct platform_monitor *m);
void __wrap_platform_monitor_leave(struct platform_monitor *m)
{
	expect_inside(true);
	is_inside = false;
	__real_platform_monitor_leave(m);
}

void __real_platform_monitor_wait(struct platform_monitor *m, int condition);
void __wrap_platform_monitor_wait(struct platform_monitor *m, int condition);
void __wrap_platform_monitor_wait(struct platform_monitor *m, int condition)
{
	expect_inside(true);
	if (pthread_equal(pthread_self(), main_thread))
		atomic_store(&main_waits, true);
	__real_platform_monitor_wait(m, condition);
}

void __real_platform_monitor_wake_all(struct platform_monitor *m, int condition);
void __wrap_platform_monitor_wake_all(struct platform_monitor *m, int condition);
void __wrap_platform_monitor_wake_all(struct platform_monitor *m, int condition)
{
	expect_inside(true);
	__real_platform_monitor_wake_all(m, condition);
}

/* ---- A run ----------------------------------------------------------------------------------- */

static char names[FILES_MAX][8];
static char *operands[FILES_MAX];
static size_t n_taken;

static uvet_status take(void *ctx, const struct input *in, const uvet_report *report)
{
	(void)ctx;
	assert_true(!report || report == (const uvet_report *)&reports[1]);
	assert_string_equal(in->path, names[n_taken]);
	n_taken++;
	return UVET_OK;
}

static uvet_status run(unsigned n_files, unsigned n_threads)
{
	const struct settings settings = { .operands = operands, .n_operands = (int)n_files };
	const struct jobs_plan plan = { n_threads, &shared, n_threads > 1 ? &alone : NULL, NULL };
	struct inputs inputs;
	uvet_status status;

	n_taken = 0;
	main_thread = pthread_self();
	atomic_store(&n_judged_elsewhere, 0);
	atomic_store(&main_waits, false);
	atomic_store(&n_judged_alone, 0);
	atomic_store(&main_began, false);
	atomic_store(&n_begun_before_wait, 0);
	atomic_store(&n_begun_after, 0);
	alone.memory = SHARE * (n_threads + 1);
	assert_int_equal(inputs_open(&inputs, &settings), STATUS_DONE);
	status = jobs_run(&inputs, &plan, take, NULL);
	inputs_close(&inputs);
	assert_false(atomic_load(&is_misused));
	assert_int_equal(atomic_load(&n_reports), 0);
	return status;
}

static int begin(void **state)
{
	(void)state;
	in_lock_step = has_enough_alone = main_is_first = false;
	held = 0;
	atomic_store(&met, false);
	bad = crowded = NULL;
	atomic_store(&n_crowded, 0);
	for (size_t i = 0; i < FILES_MAX; i++) {
		snprintf(names[i], sizeof names[i], "%u", (unsigned)i);
		operands[i] = names[i];
	}
	return 0;
}

static void reports_come_in_order(void **state)
{
	static const unsigned n_threads[] = { 1, 2, 3, 64 };

	(void)state;
	for (size_t i = 0; i < LENGTH(n_threads); i++) {
		assert_int_equal(run(FILES_MAX, n_threads[i]), UVET_OK);
		assert_int_equal(n_taken, FILES_MAX);
	}
	assert_int_equal(run(0, 2), UVET_OK);
	assert_int_equal(n_taken, 0);
}

/* Two files, one for each thread; this one is done first, and has nothing better to do. */
static void the_oldest_is_waited_for(void **state)
{
	(void)state;
	in_lock_step = true;
	assert_int_equal(run(2, 2), UVET_OK);
	assert_int_equal(n_taken, 2);
	assert_int_equal(atomic_load(&n_judged_elsewhere), 1);
	assert_true(atomic_load(&main_waits));
}

static void a_check_that_fails_ends_the_run(void **state)
{
	static const unsigned n_threads[] = { 1, 2, 7 };

	(void)state;
	bad = "40";
	for (size_t i = 0; i < LENGTH(n_threads); i++) {
		assert_int_equal(run(FILES_MAX, n_threads[i]), UVET_NO_MEMORY);
		assert_int_equal(n_taken, 40);
	}
}

/* One for which its share is not enough is judged once more, while no other is, and the order
 * stays. */
static void a_check_may_need_all_memory(void **state)
{
	static const unsigned n_threads[] = { 2, 3, 64 };

	(void)state;
	bad = "40";
	has_enough_alone = true;
	held = 1;
	for (size_t i = 0; i < LENGTH(n_threads); i++) {
		assert_int_equal(run(FILES_MAX, n_threads[i]), UVET_OK);
		assert_int_equal(n_taken, FILES_MAX);
		assert_int_equal(atomic_load(&n_judged_alone), 1);
		assert_false(atomic_load(&met));
	}
}

/* A check begins only if the checks that run and the reports that wait leave a share of memory for
 * it: here those of this thread, while another one is at work on the file before them. This thread
 * checks the first file, too, which no report waits for. */
static void a_check_begins_when_there_is_memory_for_it(void **state)
{
	static const struct {
		uint64_t held;
		unsigned n_begun;
	} cases[] = { { 0, 14 },
		      { 1, 14 },
		      { SHARE / 2 - 1, 3 },
		      { SHARE / 2, 3 },
		      { SHARE / 2 + 1, 2 },
		      { SHARE, 2 },
		      { SHARE + 1, 1 },
		      { 3 * SHARE, 1 },
		      { 3 * SHARE + 1, 1 },
		      { UINT64_MAX / FILES_MAX, 1 } };

	(void)state;
	in_lock_step = main_is_first = true;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		held = cases[i].held;
		assert_int_equal(run(16, 2), UVET_OK);
		assert_int_equal(n_taken, 16);
		assert_int_equal(atomic_load(&n_begun_before_wait), 1 + cases[i].n_begun);
	}
}

/* While one that needs all memory waits for those that run to end, no other is begun. */
static void nothing_is_begun_before_a_check_with_all_memory(void **state)
{
	(void)state;
	in_lock_step = main_is_first = has_enough_alone = true;
	bad = "0";
	held = 1;
	assert_int_equal(run(16, 2), UVET_OK);
	assert_int_equal(n_taken, 16);
	assert_true(atomic_load(&main_waits));
	assert_int_equal(atomic_load(&n_judged_alone), 1);
	assert_int_equal(atomic_load(&n_begun_after), 0);
	assert_false(atomic_load(&met));
}

/* One for which too many files were open is judged once more, with its share of memory, while no
 * other is; alone it is not. */
static void a_check_may_need_the_files_of_others(void **state)
{
	static const unsigned n_threads[] = { 2, 3, 64 };

	(void)state;
	crowded = "40";
	for (size_t i = 0; i < LENGTH(n_threads); i++) {
		atomic_store(&n_crowded, 0);
		assert_int_equal(run(FILES_MAX, n_threads[i]), UVET_OK);
		assert_int_equal(n_taken, FILES_MAX);
		assert_int_equal(atomic_load(&n_crowded), 2);
		assert_int_equal(atomic_load(&n_judged_alone), 1);
		assert_false(met_crowded);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(reports_come_in_order, begin),
		cmocka_unit_test_setup(the_oldest_is_waited_for, begin),
		cmocka_unit_test_setup(a_check_that_fails_ends_the_run, begin),
		cmocka_unit_test_setup(a_check_may_need_all_memory, begin),
		cmocka_unit_test_setup(a_check_begins_when_there_is_memory_for_it, begin),
		cmocka_unit_test_setup(nothing_is_begun_before_a_check_with_all_memory, begin),
		cmocka_unit_test_setup(a_check_may_need_the_files_of_others, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

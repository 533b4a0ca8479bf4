/* Tests of cancellations with threads: a call ends early if it was given what is set, and no other
 * does. */
#include <stdatomic.h>

#include "api/api.h"
#include "build.h"
#include "unit.h"

static struct build good;
static uvet_engine *engine;
static uvet_cancellation *first, *second;
static atomic_uint n_reading; /* hosts that wait in a read */
static atomic_bool go;        /* they go on */

static int begin(void **state)
{
	(void)state;
	build_good(&good);
	atomic_store(&n_reading, 0);
	atomic_store(&go, false);
	return uvet_engine_new(NULL, &engine) != UVET_OK ||
	       uvet_cancellation_new(&first) != UVET_OK ||
	       uvet_cancellation_new(&second) != UVET_OK;
}

static int end(void **state)
{
	(void)state;
	uvet_cancellation_free(first);
	uvet_cancellation_free(second);
	uvet_engine_free(engine);
	return 0;
}

/* One call in a thread of its own, which waits in its first read until all go on. */
struct call {
	struct fault_input input;
	bool is_map, has_waited;
	const uvet_cancellation *cancellation;
	struct platform_thread *thread;
	uvet_status status;
	uvet_report *report;
};

static int read_and_wait(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	struct call *c = ctx;

	if (!c->has_waited) {
		c->has_waited = true;
		atomic_fetch_add(&n_reading, 1);
		while (!atomic_load(&go))
			;
	}
	return fault_read_at(&c->input, offset, buf, len, n_read);
}

static int no_bytes(void *ctx, const void *bytes, size_t len)
{
	(void)ctx, (void)bytes, (void)len;
	return 0;
}

static void run(void *ctx)
{
	struct call *c = ctx;
	const uvet_hooks hooks = { .struct_size = sizeof hooks, .cancellation = c->cancellation };
	const uvet_io io = {
		.struct_size = sizeof io, .read_at = read_and_wait, .ctx = c, .size = good.n
	};

	c->status = c->is_map ? uvet_map_io(engine, "a.umod", &io, &hooks, "text", no_bytes, NULL)
			      : uvet_check_io(engine, "a.umod", &io, &hooks, &c->report);
}

/* Begins all calls, sets a cancellation when each is in its first read, and lets them go on to
 * their ends. */
static void run_all(struct call *calls, unsigned n, uvet_cancellation *cancellation)
{
	for (unsigned i = 0; i < n; i++) {
		calls[i].input = (struct fault_input){ .bytes = good.bytes, .size = good.n };
		assert_true(platform_thread_start(run, &calls[i], &calls[i].thread));
	}
	while (atomic_load(&n_reading) < n)
		;
	uvet_cancellation_set(cancellation);
	atomic_store(&go, true);
	for (unsigned i = 0; i < n; i++)
		platform_thread_join(calls[i].thread);
}

static void expect(struct call *c, uvet_verdict verdict)
{
	assert_int_equal(c->status, UVET_OK);
	assert_int_equal(uvet_report_verdict(c->report), verdict);
	if (verdict == UVET_UNDETERMINED)
		assert_string_equal(uvet_finding_rule(uvet_report_at(c->report, 0)), "RUN006");
	uvet_report_free(c->report);
}

static void one_check_ends_and_others_go_on(void **state)
{
	struct call calls[] = { { .cancellation = first },
				{ .cancellation = second },
				{ .cancellation = NULL } };

	(void)state;
	run_all(calls, LENGTH(calls), first);
	expect(&calls[0], UVET_UNDETERMINED);
	expect(&calls[1], UVET_VALID);
	expect(&calls[2], UVET_VALID);
}

/* A host that ends all that an engine does gives all its calls the same; the engine is as good as
 * before. */
static void calls_may_share_what_ends_them(void **state)
{
	struct call calls[] = { { .cancellation = first },
				{ .cancellation = first },
				{ .cancellation = first, .is_map = true } };
	struct call after = { .cancellation = second };

	(void)state;
	run_all(calls, LENGTH(calls), first);
	expect(&calls[0], UVET_UNDETERMINED);
	expect(&calls[1], UVET_UNDETERMINED);
	assert_int_equal(calls[2].status, UVET_CUT);
	run_all(&after, 1, NULL);
	expect(&after, UVET_VALID);
}

static void what_is_set_stays_set(void **state)
{
	const uvet_hooks hooks = { .struct_size = sizeof hooks, .cancellation = first };
	uvet_report *report;

	(void)state;
	uvet_cancellation_set(first);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(
			uvet_check_memory(engine, "a.umod", good.bytes, good.n, &hooks, &report),
			UVET_OK);
		assert_int_equal(uvet_report_verdict(report), UVET_UNDETERMINED);
		uvet_report_free(report);
	}
}

/* Infos and maps end early too. */
static void infos_and_maps_end_early(void **state)
{
	struct fault_input input = { .bytes = good.bytes, .size = good.n };
	const uvet_io io = {
		.struct_size = sizeof io, .read_at = fault_read_at, .ctx = &input, .size = good.n
	};
	const uvet_hooks hooks = { .struct_size = sizeof hooks, .cancellation = first };

	(void)state;
	assert_int_equal(uvet_info_io(engine, "a.umod", &io, &hooks, "text", no_bytes, NULL),
			 UVET_OK);
	uvet_cancellation_set(first);
	assert_int_equal(uvet_info_io(engine, "a.umod", &io, &hooks, "text", no_bytes, NULL),
			 UVET_CUT);
	assert_int_equal(uvet_map_io(engine, "a.umod", &io, &hooks, "text", no_bytes, NULL),
			 UVET_CUT);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		T(one_check_ends_and_others_go_on),
		T(calls_may_share_what_ends_them),
		T(what_is_set_stays_set),
		T(infos_and_maps_end_early),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

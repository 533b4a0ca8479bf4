/* Tests of what ends a check from outside: cancelling, and time. */
#include "core/order.h"
#include "core/work.h"
#include "engine_state.h"
#include "formats/decode.h"

/* A clock that a test sets, and that counts who looks at it. */
static uint64_t clock_now, n_looks;
static uint64_t clock_step; /* how far it goes on at each look */

static uint64_t look_at_clock(void)
{
	n_looks++;
	clock_now += clock_step;
	return clock_now;
}

static int begin_clock(void **state)
{
	clock_now = 1000;
	clock_step = n_looks = 0;
	return begin(state);
}

/* ---- The counter ----------------------------------------------------------------------------- */

static void cancelling_ends_work(void **state)
{
	atomic_bool cancel = false;
	const struct interrupt i = { .cancel = &cancel };
	struct work w = { .max = 100, .interrupt = &i };

	(void)state;
	assert_true(work_spend(&w, 1));
	atomic_store(&cancel, true);
	assert_false(work_spend(&w, 0));
	assert_int_equal(w.interrupted, INTERRUPTED_CANCELLED);
	assert_int_equal(interrupt_look(&i), INTERRUPTED_CANCELLED);
	assert_int_equal(interrupt_look(NULL), INTERRUPTED_NOT);
}

/* A deadline is met when it is reached, not before, and stays met. */
static void a_deadline_ends_work(void **state)
{
	const struct interrupt i = { .now = look_at_clock, .deadline = 2000 };
	struct work w = { .max = UINT64_MAX, .interrupt = &i };

	(void)state;
	clock_now = 1999;
	assert_true(work_spend(&w, WORK_LOOK));
	assert_true(work_spend(&w, 1));
	clock_now = 2000;
	assert_true(work_spend(&w, WORK_LOOK - 1)); /* not looked at yet */
	assert_false(work_spend(&w, 1));
	assert_int_equal(w.interrupted, INTERRUPTED_TIME);
	clock_now = 0;
	assert_false(work_spend(&w, 0));
	assert_false(w.exhausted);
}

static void the_clock_is_looked_at_seldom(void **state)
{
	const struct interrupt i = { .now = look_at_clock, .deadline = UINT64_MAX };
	struct work w = { .max = UINT64_MAX, .interrupt = &i };

	(void)state;
	for (unsigned n = 0; n < 10 * WORK_LOOK; n++)
		assert_true(work_spend(&w, 1));
	assert_int_equal(n_looks, 10);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static bool take(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	uint64_t *sum = ctx;

	(void)at, (void)bytes;
	*sum += n;
	return true;
}

enum { LEN = 64 * 1000 + 1 };

static struct decode reading(struct source *s, struct arena *a, const struct limits *l,
			     const struct interrupt *i)
{
	return (struct decode){
		.source = s, .arena = a, .limits = l, .work = { .max = UINT64_MAX, .interrupt = i }
	};
}

/* Whether the bytes are in memory or not: what they cost is the same. */
static void bytes_that_are_read_are_work(void **state)
{
	static uint8_t bytes[LEN], copy[LEN];
	const struct limits limits = limits_standard();
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);
	struct source s;
	struct decode d;
	struct cursor c;
	uint64_t sum = 0;

	(void)state;
	source_init_memory(&s, bytes, LEN, "a", &arena);
	s.window_len = 64 * 100;
	d = reading(&s, &arena, &limits, NULL);
	assert_true(decode_stream(&d, 0, (struct span){ 0, LEN }, take, &sum));
	assert_int_equal(sum, LEN);
	assert_int_equal(d.work.done, 1001);
	assert_true(decode_copy(&d, 0, (struct span){ 0, 65 }, copy));
	assert_int_equal(d.work.done, 1003);
	assert_true(decode_window(&d, 0, (struct span){ 1, 64 }, &c));
	assert_int_equal(d.work.done, 1004);
	d.work.max = d.work.done + 150;
	sum = 0;
	assert_false(decode_stream(&d, 7, (struct span){ 0, LEN }, take, &sum));
	assert_int_equal(sum, 64 * 100);
	assert_int_equal(d.groups[7].why, STOP_LIMIT);
	assert_int_equal(d.groups[7].limit, LIMIT_work);
	arena_free(&arena);
}

/* A read may take any time, so each asks for it. */
static void each_read_asks_for_the_time(void **state)
{
	static uint8_t bytes[LEN], copy[1];
	const struct interrupt interrupt = { .now = look_at_clock, .deadline = 2000 };
	const struct limits limits = limits_standard();
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);
	struct source s;
	struct decode d;
	struct cursor c;

	(void)state;
	source_init_memory(&s, bytes, LEN, "a", &arena);
	for (unsigned i = 0; i < 3; i++) {
		uint64_t sum = 0;

		clock_now = 0;
		d = reading(&s, &arena, &limits, &interrupt);
		assert_true(decode_copy(&d, 0, (struct span){ 0, 1 }, copy));
		clock_now = 2000;
		if (i == 0)
			assert_false(decode_copy(&d, 0, (struct span){ 0, 1 }, copy));
		else if (i == 1)
			assert_false(decode_window(&d, 0, (struct span){ 0, 1 }, &c));
		else
			assert_false(decode_stream(&d, 0, (struct span){ 0, LEN }, take, &sum));
		assert_int_equal(d.work.interrupted, INTERRUPTED_TIME);
		assert_int_equal(sum, 0);
	}
	arena_free(&arena);
}

/* An input that returns ten bytes at a time; the check is cancelled by its first read. */
static atomic_bool read_cancels;

static bool read_and_cancel(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	(void)ctx, (void)at;
	*n_read = len < 10 ? len : 10;
	memset(buf, 0, *n_read);
	atomic_store(&read_cancels, true);
	return true;
}

/* What was broken off in the middle of a read is no trouble of the input. */
static void a_read_that_is_broken_off_is_an_interruption(void **state)
{
	const struct interrupt interrupt = { .cancel = &read_cancels };
	const struct limits limits = limits_standard();
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);
	struct source s;
	struct decode d;
	struct cursor c;

	(void)state;
	source_init(&s, (struct source_io){ .read_at = read_and_cancel, .size = LEN }, "a", &arena,
		    SOURCE_WINDOW);
	s.interrupt = &interrupt;
	atomic_store(&read_cancels, false);
	d = reading(&s, &arena, &limits, &interrupt);
	assert_false(decode_window(&d, 2, (struct span){ 0, 50 }, &c));
	assert_int_equal(d.groups[2].why, STOP_LIMIT);
	assert_int_equal(d.groups[2].limit, LIMIT_work);
	assert_int_equal(d.work.interrupted, INTERRUPTED_CANCELLED);
	assert_int_equal(s.trouble, SOURCE_FINE);
	arena_free(&arena);
}

/* ---- Sorting --------------------------------------------------------------------------------- */

/* Rows whose keys are the same, so that all is left to comparisons, or not. */
enum { ROWS = 1 << 19 };

static atomic_bool cancelled;
static uint64_t n_compared, cancel_at;

static uint64_t same_key(const void *table, uint32_t i)
{
	(void)table, (void)i;
	return 7;
}

static uint64_t falling_key(const void *table, uint32_t i)
{
	(void)table;
	n_compared++;
	if (n_compared == cancel_at)
		atomic_store(&cancelled, true);
	return UINT64_MAX - i;
}

static int compare_rows(const void *table, uint32_t a, uint32_t b)
{
	(void)table;
	n_compared++;
	if (n_compared == cancel_at)
		atomic_store(&cancelled, true);
	return a < b ? 1 : a > b ? -1 : 0;
}

static bool sort(struct arena *arena, bool by_hash)
{
	const struct arena_mark mark = arena_mark(arena);
	struct order o;
	bool done;

	n_compared = 0;
	atomic_store(&cancelled, false);
	done = by_hash ? order_by_hash(arena, NULL, ROWS, same_key, compare_rows, &o)
		       : order_by_key(arena, NULL, ROWS, falling_key, &o);
	for (uint32_t i = 1; done && i < ROWS; i++)
		assert_true(by_hash ? order_row(&o, i) < order_row(&o, i - 1)
				    : order_row(&o, i) != order_row(&o, i - 1));
	arena_rewind(arena, mark);
	return done;
}

/* A sort ends soon after the check was cancelled, wherever that happens, and says that it is not
 * done. */
static void a_sort_can_be_interrupted(void **state)
{
	const struct interrupt interrupt = { .cancel = &cancelled };
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);
	uint64_t all;

	(void)state;
	cancel_at = 0;
	assert_true(sort(&arena, true));
	all = n_compared;
	arena.interrupt = &interrupt;
	assert_true(sort(&arena, true));
	assert_int_equal(n_compared, all);
	for (cancel_at = 1000; cancel_at + ROWS < all; cancel_at += all / 5) {
		assert_false(sort(&arena, true));
		assert_true(n_compared <= cancel_at + ROWS);
	}
	cancel_at = 1000;
	assert_false(sort(&arena, false));
	assert_false(arena.refused || arena.over_budget);
	arena_free(&arena);
}

/* What sorted for a decoder only says that it could not; the decoder knows better why. */
static void a_sort_that_was_interrupted_is_no_lack_of_memory(void **state)
{
	const struct interrupt interrupt = { .cancel = &cancelled };
	const struct limits limits = limits_standard();
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);
	struct source s;
	struct decode d;

	(void)state;
	source_init_memory(&s, (const uint8_t *)"", 0, "a", &arena);
	atomic_store(&cancelled, false);
	d = reading(&s, &arena, &limits, &interrupt);
	assert_false(decode_stop(&d, 3, STOP_MEMORY, (struct span){ 0, 0 }));
	assert_int_equal(d.groups[3].why, STOP_MEMORY);
	atomic_store(&cancelled, true);
	assert_false(decode_stop(&d, 4, STOP_MEMORY, (struct span){ 0, 0 }));
	assert_int_equal(d.groups[4].why, STOP_LIMIT);
	assert_int_equal(d.groups[4].limit, LIMIT_work);
	assert_int_equal(d.work.interrupted, INTERRUPTED_CANCELLED);
	assert_false(decode_stop(&d, 6, STOP_MEMORY, (struct span){ 0, 0 }));
	assert_int_equal(d.groups[6].why, STOP_LIMIT);
	arena.refused = true;
	assert_false(decode_stop(&d, 5, STOP_MEMORY, (struct span){ 0, 0 }));
	assert_int_equal(d.groups[5].why, STOP_MEMORY);
	arena_free(&arena);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static struct report *check_input(struct check_input in)
{
	struct report *r;

	in.io.size = file.n;
	in.memory = file.bytes;
	in.name = "a.umod";
	r = engine_check(&engine, &in);
	assert_non_null(r);
	return r;
}

static void expect_only(struct report *r, enum verdict verdict, const char *rule)
{
	assert_int_equal(r->verdict, verdict);
	assert_int_equal(r->n_findings, rule ? 1 : 0);
	if (rule)
		assert_string_equal(r->findings[0]->rule->id, rule);
	report_free(r);
}

/* A check that was cancelled leaves the next one alone. */
static void one_check_can_be_cancelled(void **state)
{
	atomic_bool cancel = true;

	(void)state;
	expect_only(check_input((struct check_input){ .cancel = &cancel }), VERDICT_UNDETERMINED,
		    "RUN006");
	expect_only(check_input((struct check_input){ .cancel = NULL }), VERDICT_VALID, NULL);
	atomic_store(&cancel, false);
	expect_only(check_input((struct check_input){ .cancel = &cancel }), VERDICT_VALID, NULL);
}

/* Wherever the time ends, the check is undetermined or was done before. */
static void time_can_end_anywhere(void **state)
{
	uint64_t n_valid = 0;

	(void)state;
	engine.now = look_at_clock;
	clock_step = 10;
	for (uint64_t timeout = 1; n_valid < 2; timeout++) {
		struct report *r = check_input((struct check_input){ .timeout = timeout });

		assert_true(timeout < 10000);
		n_valid += r->verdict == VERDICT_VALID;
		assert_true(n_valid == 0 || r->verdict == VERDICT_VALID);
		assert_true(timeout > 10 || n_valid == 0);
		expect_only(r, n_valid > 0 ? VERDICT_VALID : VERDICT_UNDETERMINED,
			    n_valid > 0 ? NULL : "RUN010");
	}
}

/* The engine's time counts where the check has none of its own. */
static void whose_time_counts(void **state)
{
	(void)state;
	clock_step = 1000000;
	engine.timeout = 1;
	/* there is no clock */
	expect_only(check_input((struct check_input){ .timeout = 0 }), VERDICT_VALID, NULL);
	engine.now = look_at_clock;
	expect_only(check_input((struct check_input){ .timeout = 0 }), VERDICT_UNDETERMINED,
		    "RUN010");
	expect_only(check_input((struct check_input){ .timeout = UINT64_MAX }), VERDICT_VALID,
		    NULL);
	engine.timeout = 0;
	expect_only(check_input((struct check_input){ .timeout = 0 }), VERDICT_VALID, NULL);
}

static void a_lost_check_is_undetermined(void **state)
{
	(void)state;
	expect_only(check_input((struct check_input){ .lost = true }), VERDICT_UNDETERMINED,
		    "RUN012");
	expect_only(check_input((struct check_input){ .lost = true, .timeout = 5000000 }),
		    VERDICT_UNDETERMINED, "RUN010");
	engine.unknown = UNKNOWN_SKIP;
	expect_only(check_input((struct check_input){ .lost = true }), VERDICT_UNDETERMINED,
		    "RUN012");
	expect_only(check_input((struct check_input){ .lost = true, .timeout = 1 }),
		    VERDICT_UNDETERMINED, "RUN010");
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, begin_clock, end)
	const struct CMUnitTest tests[] = {
		T(cancelling_ends_work),
		T(a_deadline_ends_work),
		T(the_clock_is_looked_at_seldom),
		T(bytes_that_are_read_are_work),
		T(each_read_asks_for_the_time),
		T(a_read_that_is_broken_off_is_an_interruption),
		T(a_sort_can_be_interrupted),
		T(a_sort_that_was_interrupted_is_no_lack_of_memory),
		T(one_check_can_be_cancelled),
		T(time_can_end_anywhere),
		T(whose_time_counts),
		T(a_lost_check_is_undetermined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

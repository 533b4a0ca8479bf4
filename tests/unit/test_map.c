/* Tests of the engine's map: its order, gaps that nothing explains, sinks that stop, and inputs
 * that cannot be mapped. */
#include "engine_state.h"

struct seen {
	uint64_t at, end; /* of the last region, and the farthest that any reached */
	unsigned n, stop_after;
	uint64_t unexplained;
};

static bool see(void *ctx, struct decode *d, const struct format *f, uint64_t version,
		const struct region *r)
{
	struct seen *s = ctx;

	(void)version;
	assert_non_null(d);
	assert_string_equal(f->name, "umod");
	assert_true(r->span.at >= s->at);
	assert_true(r->span.at <= s->end);
	s->at = r->span.at;
	if (span_end(r->span) > s->end)
		s->end = span_end(r->span);
	if (strcmp(r->kind, "unexplained") == 0)
		s->unexplained += r->span.len;
	return ++s->n != s->stop_after;
}

static enum map_result map(struct seen *s, const char *name)
{
	struct check_input in = {
		.io.size = file.n, .memory = file.bytes, .name = name, .cancel = &is_cancelled
	};

	return engine_map(&engine, &in, see, s);
}

static void regions_come_in_order_and_leave_nothing_out(void **state)
{
	struct seen s = { .n = 0 };

	(void)state;
	assert_int_equal(map(&s, "a.umod"), MAP_OK);
	assert_int_equal(s.end, file.n);
	assert_int_equal(s.unexplained, 0);
	assert_true(s.n >= 9);
}

/* A byte between two members, and one after the directory. */
static void what_nothing_explains_is_told(void **state)
{
	struct seen s = { .n = 0 };
	uint32_t size;

	(void)state;
	size = sizeof build_ini - 2;
	set_u32(&file, file.dir_at + 2 + sizeof "System\\Manifest.ini" + 4, size);
	file.bytes[file.dir_at] = 2;
	assert_int_equal(map(&s, "a.umod"), MAP_OK);
	assert_int_equal(s.end, file.n);
	assert_true(s.unexplained > 1);
	s = (struct seen){ .n = 0 };
	file.bytes[file.trailer_at] = 0;
	assert_int_equal(map(&s, "a.umod"), MAP_OK);
	assert_int_equal(s.unexplained, file.n);
}

static void sinks_may_stop_at_any_region(void **state)
{
	struct seen whole = { .n = 0 };

	(void)state;
	file.bytes[file.dir_at] = 2;
	assert_int_equal(map(&whole, "a.umod"), MAP_OK);
	for (unsigned n = 1; n <= whole.n; n++) {
		struct seen s = { .stop_after = n };

		assert_int_equal(map(&s, "a.umod"), MAP_STOPPED);
		assert_int_equal(s.n, n);
	}
}

static void members_outside_have_no_region(void **state)
{
	struct seen s = { .n = 0 };

	(void)state;
	set_u32(&file, file.dir_at + 2 + sizeof "System\\Manifest.ini", 0x7FFFFFFF);
	assert_int_equal(map(&s, "a.umod"), MAP_OK);
	assert_int_equal(s.unexplained, sizeof build_ini - 1);
}

static void limits_cut_the_map(void **state)
{
	struct limits standard = engine.limits;
	struct seen s = { .n = 0 };
	bool whole = false;

	(void)state;
	engine.limits.of[LIMIT_entries] = 1;
	assert_int_equal(map(&s, "a.umod"), MAP_CUT);
	assert_int_equal(s.end, file.n);
	assert_true(s.unexplained > 0);
	engine.limits = standard;
	for (uint64_t work = 0; !whole && work < 1000; work++) {
		s = (struct seen){ .n = 0 };
		engine.limits.of[LIMIT_work] = work;
		whole = map(&s, "a.umod") == MAP_OK;
		assert_int_equal(s.end, file.n);
	}
	assert_true(whole);
	engine.limits = standard;
	atomic_store(&is_cancelled, true);
	s = (struct seen){ .n = 0 };
	assert_int_equal(map(&s, "a.umod"), MAP_CUT);
}

static enum map_result map_input(struct fault_input *input, const char *name)
{
	struct check_input in = {
		.name = name,
		.io = { .read_at = fault_source_read, .ctx = input, .size = input->size }
	};
	struct seen s = { .n = 0 };

	return engine_map(&engine, &in, see, &s);
}

static void what_cannot_be_read_has_no_map(void **state)
{
	struct check_input missing = { .name = "a.umod", .unreadable = true };
	struct fault_input input = { .bytes = file.bytes, .size = file.n };
	struct seen s = { .n = 0 };
	uint64_t n_reads;

	(void)state;
	assert_int_equal(engine_map(&engine, &missing, see, &s), MAP_UNREADABLE);
	engine.window_len = 16;
	assert_int_equal(map_input(&input, "a.umod"), MAP_OK);
	n_reads = input.n_reads;
	for (uint64_t at = 1; at <= n_reads; at++) {
		input = (struct fault_input){
			.bytes = file.bytes, .size = file.n, .fault_at = at, .fault = FAULT_FAILS
		};
		assert_int_equal(map_input(&input, "a.umod"), MAP_UNREADABLE);
		input.n_reads = 0;
		assert_int_equal(map_input(&input, "a"), MAP_UNREADABLE);
	}
	file.n = BUILD_MAX;
	input = (struct fault_input){
		.bytes = file.bytes, .size = file.n, .fault_at = 1, .fault = FAULT_FAILS
	};
	assert_int_equal(map_input(&input, "a.umod"), MAP_UNREADABLE);
}

static void unknown_formats_have_no_map(void **state)
{
	struct seen s = { .n = 0 };

	(void)state;
	file.bytes[file.trailer_at] = 0;
	assert_int_equal(map(&s, "a"), MAP_UNKNOWN_FORMAT);
	assert_int_equal(s.n, 0);
}

/* Whatever request is refused, the map is whole or there is none. */
static void memory_that_ends_is_told(void **state)
{
	struct seen whole = { .n = 0 };
	struct fault_input input = { .bytes = file.bytes, .size = file.n };
	uint64_t n_asked;

	(void)state;
	engine.chunk_len = 0;
	assert_int_equal(map(&whole, "a.umod"), MAP_OK);
	n_asked = memory.n_asked;
	for (uint64_t at = 1; at <= n_asked; at++) {
		struct seen s = { .n = 0 };

		memory = (struct fault_memory){ .fail_at = at };
		assert_int_equal(map(&s, "a.umod"), MAP_NO_MEMORY);
		memory = (struct fault_memory){ .fail_at = 1 };
		assert_int_equal(map_input(&input, "a"), MAP_NO_MEMORY);
	}
	memory = (struct fault_memory){ 0 };
	engine.limits.of[LIMIT_memory] = 100;
	assert_int_equal(map(&whole, "a.umod"), MAP_NO_MEMORY);
	assert_int_equal(map_input(&input, "a"), MAP_NO_MEMORY);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		T(regions_come_in_order_and_leave_nothing_out),
		T(what_nothing_explains_is_told),
		T(sinks_may_stop_at_any_region),
		T(members_outside_have_no_region),
		T(limits_cut_the_map),
		T(what_cannot_be_read_has_no_map),
		T(unknown_formats_have_no_map),
		T(memory_that_ends_is_told),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

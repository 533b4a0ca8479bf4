/* Tests of the arena: alignment, budget, refusal, peak, and giving scratch memory back. */
#include "unit.h"

enum { CHUNK = 32768 };

static void alloc_is_aligned_and_apart(void **state)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	unsigned char *before = NULL;

	(void)state;
	for (uint64_t n = 0; n < 200; n++) {
		unsigned char *p = arena_alloc(&a, n, 3);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % 16, 0);
		memset(p, (int)n, n * 3);
		if (n > 1)
			assert_int_equal(before[3 * (n - 1) - 1], n - 1);
		before = p;
	}
	arena_free(&a);
	assert_int_equal(m.n_live, 0);
	assert_int_equal(a.held, 0);
}

static void empty_arena_frees_nothing(void **state)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);

	(void)state;
	arena_free(&a);
	assert_int_equal(m.n_asked, 0);
	assert_null(arena_mark(&a).chunk);
	arena_rewind(&a, arena_mark(&a));
	assert_int_equal(a.peak, 0);
}

static void budget_counts_whole_chunks(void **state)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, CHUNK - 1);

	(void)state;
	assert_null(arena_alloc(&a, 1, 1));
	assert_true(a.over_budget);
	assert_false(a.refused);
	assert_int_equal(m.n_asked, 0);
	a = unit_arena(&m, CHUNK);
	assert_non_null(arena_alloc(&a, 1, 1));
	assert_null(arena_alloc(&a, 1, CHUNK));
	assert_true(a.over_budget);
	assert_non_null(arena_alloc(&a, 1, 1));
	arena_free(&a);
	assert_int_equal(m.n_live, 0);
}

static void product_beyond_the_budget_is_refused(void **state)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, UINT64_MAX);

	(void)state;
	assert_null(arena_alloc(&a, UINT64_MAX, 2));
	assert_true(a.over_budget);
	a = unit_arena(&m, UINT64_MAX);
	assert_null(arena_alloc(&a, UINT64_MAX / 2 + 1, 1));
	assert_true(a.over_budget);
	a = unit_arena(&m, 1000);
	assert_null(arena_alloc(&a, 1001, 1));
	assert_true(a.over_budget);
	assert_int_equal(m.n_asked, 0);
}

static void refusal_is_told_apart_from_budget(void **state)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);

	(void)state;
	m.fail_at = 2;
	assert_non_null(arena_alloc(&a, 1, 1));
	assert_null(arena_alloc(&a, 1, CHUNK));
	assert_true(a.refused);
	assert_false(a.over_budget);
	assert_non_null(arena_alloc(&a, 1, CHUNK));
	arena_free(&a);
	assert_int_equal(m.n_live, 0);
}

static void large_request_gets_its_own_chunk(void **state)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	unsigned char *p = arena_alloc(&a, 10, 40000);

	(void)state;
	assert_non_null(p);
	memset(p, 1, 400000);
	assert_int_equal(m.n_live, 1);
	assert_true(a.held >= 400000 && a.held < 400000 + 128);
	assert_int_equal(a.held, m.bytes_live);
	arena_free(&a);
}

static void long_chunk_is_rounded_up_within_the_budget(void **state)
{
	const uint64_t page = 2 << 20;
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);

	(void)state;
	assert_non_null(arena_alloc(&a, 10, 190000));
	assert_int_equal(a.held, page);
	assert_non_null(arena_alloc(&a, 10, 10000));
	assert_int_equal(m.n_live, 1);
	assert_non_null(arena_alloc(&a, 2, page - 1000));
	assert_int_equal(a.held, 3 * page);
	arena_free(&a);
	a = unit_arena(&m, page - 1);
	assert_non_null(arena_alloc(&a, 10, 190000));
	assert_true(a.held >= 1900000 && a.held < 1900000 + 128);
	arena_free(&a);
}

/* A page that would be half empty is not asked for. */
static void little_is_rounded_up(void **state)
{
	const uint64_t page = 2 << 20;
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);

	(void)state;
	assert_non_null(arena_alloc(&a, 10, 100000));
	assert_true(a.held >= 1000000 && a.held < 1000000 + 128);
	arena_free(&a);
	assert_non_null(arena_alloc(&a, 1, page + 1));
	assert_true(a.held > page && a.held < page + 128);
	arena_free(&a);
	assert_non_null(arena_alloc(&a, 1, 4 * page + page / 2 + 1));
	assert_int_equal(a.held, 5 * page);
	arena_free(&a);
}

/* A piece that was copied elsewhere goes with its chunk, but only if it is alone in it and not in
 * the newest. */
static void outgrown_pieces_are_given_back(void **state)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	void *first = arena_alloc(&a, 1, 1000), *alone = arena_alloc(&a, 1, 100000), *last, *shared;

	(void)state;
	assert_true(first && alone);
	arena_outgrow(&a, alone, 100000);
	assert_int_equal(m.n_live, 2);
	last = arena_alloc(&a, 1, 150000);
	arena_outgrow(&a, alone, 99000);
	arena_outgrow(&a, (char *)alone + 16, 100000 - 16);
	arena_outgrow(&a, first, 1000);
	assert_int_equal(m.n_live, 2);
	assert_int_equal(a.held, m.bytes_live);
	arena_outgrow(&a, alone, 100000);
	assert_int_equal(m.n_live, 1);
	assert_int_equal(a.held, m.bytes_live);
	memset(last, 1, 150000);
	shared = arena_alloc(&a, 1, 2000);
	assert_non_null(arena_alloc(&a, 1, 3000));
	assert_non_null(arena_alloc(&a, 1, CHUNK));
	arena_outgrow(&a, shared, 2000);
	assert_int_equal(a.held, m.bytes_live);
	assert_int_equal(m.n_live, 3);
	arena_free(&a);
	assert_int_equal(m.n_live, 0);
}

static void rewind_gives_chunks_back_and_peak_stays(void **state)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	struct arena_mark none = arena_mark(&a), mark;
	unsigned char *keep = arena_alloc(&a, 1, 16), *first, *again;
	uint64_t peak;

	(void)state;
	keep[0] = 42;
	mark = arena_mark(&a);
	first = arena_alloc(&a, 1, 16);
	assert_non_null(arena_alloc(&a, 1, 100000));
	assert_non_null(arena_alloc(&a, 1, 100000));
	peak = a.held;
	arena_rewind(&a, mark);
	assert_int_equal(m.n_live, 1);
	assert_int_equal(a.held, m.bytes_live);
	assert_int_equal(a.peak, peak);
	again = arena_alloc(&a, 1, 16);
	assert_ptr_equal(first, again);
	assert_int_equal(keep[0], 42);
	arena_rewind(&a, none);
	assert_int_equal(m.n_live, 0);
	assert_non_null(arena_alloc(&a, 1, 1));
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alloc_is_aligned_and_apart),
		cmocka_unit_test(empty_arena_frees_nothing),
		cmocka_unit_test(budget_counts_whole_chunks),
		cmocka_unit_test(product_beyond_the_budget_is_refused),
		cmocka_unit_test(refusal_is_told_apart_from_budget),
		cmocka_unit_test(large_request_gets_its_own_chunk),
		cmocka_unit_test(long_chunk_is_rounded_up_within_the_budget),
		cmocka_unit_test(little_is_rounded_up),
		cmocka_unit_test(outgrown_pieces_are_given_back),
		cmocka_unit_test(rewind_gives_chunks_back_and_peak_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of limits, the work counter, checked arithmetic and spans. */
#include "core/checked.h"
#include "core/limits.h"
#include "core/span.h"
#include "core/work.h"
#include "unit.h"

static void limits_are_the_table(void **state)
{
	struct limits l = limits_standard();

	(void)state;
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		assert_int_equal(l.of[i], limit_infos[i].standard);
		assert_true(l.of[i] > 0);
		assert_int_equal(strncmp(limit_infos[i].option, "max-", 4), 0);
		assert_true(limit_infos[i].name[0] && limit_infos[i].meaning[0]);
		for (size_t j = 0; j < i; j++) {
			assert_string_not_equal(limit_infos[i].name, limit_infos[j].name);
			assert_string_not_equal(limit_infos[i].option, limit_infos[j].option);
		}
	}
}

static void work_ends_at_its_limit_and_stays_ended(void **state)
{
	struct work w = { .max = 10 };

	(void)state;
	assert_true(work_spend(&w, 0));
	assert_true(work_spend(&w, 10));
	assert_true(work_spend(&w, 0));
	assert_false(w.exhausted);
	assert_false(work_spend(&w, 1));
	assert_true(w.exhausted);
	assert_false(work_spend(&w, 0));
	assert_int_equal(w.done, 10);
	w = (struct work){ .max = 10, .done = 5 };
	assert_false(work_spend(&w, UINT64_MAX));
	assert_int_equal(w.done, 5);
}

static void checked_arithmetic_says_when_it_would_wrap(void **state)
{
	uint64_t v = 7;

	(void)state;
	assert_true(checked_add(UINT64_MAX - 1, 1, &v));
	assert_true(v == UINT64_MAX);
	v = 7;
	assert_false(checked_add(UINT64_MAX, 1, &v));
	assert_false(checked_mul(UINT64_C(1) << 32, UINT64_C(1) << 32, &v));
	assert_int_equal(v, 7);
	assert_true(checked_mul(0, UINT64_MAX, &v));
	assert_int_equal(v, 0);
	assert_true(checked_mul(UINT64_MAX / 3, 3, &v));
	assert_true(v == UINT64_MAX);
	assert_true(checked_mul(UINT64_MAX, 0, &v));
	assert_int_equal(v, 0);
}

static void span_end_does_not_wrap(void **state)
{
	(void)state;
	assert_int_equal(span_end((struct span){ 5, 7 }), 12);
	assert_true(span_end((struct span){ UINT64_MAX - 1, 1 }) == UINT64_MAX);
	assert_true(span_end((struct span){ UINT64_MAX - 1, 9 }) == UINT64_MAX);
	assert_true(span_end((struct span){ UINT64_MAX, UINT64_MAX }) == UINT64_MAX);
}

static void capped_add_ends_at_the_most(void **state)
{
	(void)state;
	assert_true(capped_add(2, 3) == 5);
	assert_true(capped_add(UINT64_MAX, 0) == UINT64_MAX);
	assert_true(capped_add(0, UINT64_MAX) == UINT64_MAX);
	assert_true(capped_add(1, UINT64_MAX - 1) == UINT64_MAX);
	assert_true(capped_add(2, UINT64_MAX - 1) == UINT64_MAX);
	assert_true(capped_add(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(capped_add_ends_at_the_most),
		cmocka_unit_test(limits_are_the_table),
		cmocka_unit_test(work_ends_at_its_limit_and_stays_ended),
		cmocka_unit_test(checked_arithmetic_says_when_it_would_wrap),
		cmocka_unit_test(span_end_does_not_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

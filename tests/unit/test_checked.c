/* Tests of numbers that do not wrap: ends of spans, sums and products. */
#include "core/checked.h"
#include "core/span.h"
#include "unit.h"

static void span_end_saturates(void **state)
{
	(void)state;
	assert_true(span_end((struct span){ 10, 0 }) == 10);
	assert_true(span_end((struct span){ 10, 5 }) == 15);
	assert_true(span_end((struct span){ UINT64_MAX - 5, 5 }) == UINT64_MAX);
	assert_true(span_end((struct span){ UINT64_MAX - 5, 6 }) == UINT64_MAX);
	assert_true(span_end((struct span){ UINT64_MAX, UINT64_MAX }) == UINT64_MAX);
}

static void checked_add_refuses_to_wrap(void **state)
{
	uint64_t out = 7;

	(void)state;
	assert_true(checked_add(2, 3, &out));
	assert_true(out == 5);
	assert_true(checked_add(UINT64_MAX, 0, &out));
	assert_true(out == UINT64_MAX);
	assert_true(checked_add(1, UINT64_MAX - 1, &out));
	assert_true(out == UINT64_MAX);
	out = 7;
	assert_false(checked_add(1, UINT64_MAX, &out));
	assert_false(checked_add(UINT64_MAX, UINT64_MAX, &out));
	assert_true(out == 7);
}

static void checked_mul_refuses_to_wrap(void **state)
{
	uint64_t out = 7;

	(void)state;
	assert_true(checked_mul(0, UINT64_MAX, &out));
	assert_true(out == 0);
	assert_true(checked_mul(UINT64_MAX, 0, &out));
	assert_true(out == 0);
	assert_true(checked_mul(UINT64_MAX, 1, &out));
	assert_true(out == UINT64_MAX);
	assert_true(checked_mul(UINT32_MAX, UINT64_C(0x100000001), &out));
	assert_true(out == UINT64_MAX);
	out = 7;
	assert_false(checked_mul(UINT64_C(0x100000000), UINT64_C(0x100000000), &out));
	assert_false(checked_mul(2, UINT64_C(0x8000000000000000), &out));
	assert_false(checked_mul(UINT64_MAX, UINT64_MAX, &out));
	assert_true(out == 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(span_end_saturates),
		cmocka_unit_test(checked_add_refuses_to_wrap),
		cmocka_unit_test(checked_mul_refuses_to_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

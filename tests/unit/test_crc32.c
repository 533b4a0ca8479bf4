/* Tests of CRC-32: the check value of ISO 3309, and that pieces add up. */
#include "codec/crc32.h"
#include "unit.h"

static void check_value(void **state)
{
	(void)state;
	assert_int_equal(crc32_add(0, (const uint8_t *)"123456789", 9), 0xCBF43926);
	assert_int_equal(crc32_add(0, NULL, 0), 0);
	assert_int_equal(crc32_add(7, NULL, 0), 7);
}

static void pieces_add_up(void **state)
{
	uint8_t bytes[300];
	uint64_t seed = 1;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)unit_random(&seed);
	for (size_t n = 0; n <= sizeof bytes; n++)
		assert_int_equal(crc32_add(crc32_add(0, bytes, n), bytes + n, sizeof bytes - n),
				 crc32_add(0, bytes, sizeof bytes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check_value),
		cmocka_unit_test(pieces_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

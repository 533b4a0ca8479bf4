/* Tests of CRC-32/BZIP2: check values, chaining at every split, and a bitwise reference. */
#define _DEFAULT_SOURCE 1

#include <stdlib.h>

#include "build.h"
#include "codec/crc.h"
#include "fence.h"
#include "unit.h"

static uint32_t computed(const uint8_t *bytes, size_t n)
{
	struct crc c = { 0 };

	crc_add(&c, bytes, n);
	return c.value;
}

static void check_values(void **state)
{
	(void)state;
	assert_int_equal(computed((const uint8_t *)"", 0), 0);
	assert_int_equal(computed((const uint8_t *)"\0", 1), 0xB1F7404B);
	assert_int_equal(computed((const uint8_t *)"123456789", 9), 0xFC891918);
}

static void chaining_at_every_split(void **state)
{
	uint8_t bytes[600];
	uint32_t whole;
	uint64_t seed = 5;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)unit_random(&seed);
	whole = build_crc(bytes, sizeof bytes);
	for (size_t split = 0; split <= sizeof bytes; split++) {
		struct crc c = { 0 };

		crc_add(&c, bytes, split);
		crc_add(&c, bytes + split, sizeof bytes - split);
		assert_int_equal(c.value, whole);
	}
}

/* Lengths around every buffer that a library may use. */
static void lengths_up_to_70000(void **state)
{
	enum { MOST = 70000, STEP = 517 };
	uint8_t *bytes = malloc(MOST);
	uint64_t seed = 11;

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < MOST; i++)
		bytes[i] = (uint8_t)unit_random(&seed);
	for (size_t n = 0; n < 300; n++)
		assert_int_equal(computed(bytes + n % 8, n), build_crc(bytes + n % 8, n));
	for (size_t n = 1; n <= MOST; n += STEP)
		assert_int_equal(computed(bytes, n), build_crc(bytes, n));
	for (size_t n = 16380; n < 16390; n++)
		assert_int_equal(computed(bytes, n), build_crc(bytes, n));
	free(bytes);
}

/* Nothing is read past the last byte. */
static void inputs_end_where_they_end(void **state)
{
	(void)state;
	for (size_t n = 1; n < 300; n++) {
		struct fence fence;
		uint8_t *bytes = fence_open(&fence, n);

		memset(bytes, (int)n, n);
		assert_int_equal(computed(bytes, n), build_crc(bytes, n));
		fence_close(&fence);
	}
}

/* Above some length other instructions may be used. */
static void long_inputs(void **state)
{
	static const size_t lengths[] = { 262143, 262144, 262145, 266240, 524287, 600001 };
	enum { MOST = 600016 };
	uint8_t *bytes = malloc(MOST);
	uint64_t seed = 13;

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < MOST; i++)
		bytes[i] = (uint8_t)unit_random(&seed);
	for (size_t i = 0; i < LENGTH(lengths); i++)
		assert_int_equal(computed(bytes + i % 2, lengths[i]),
				 build_crc(bytes + i % 2, lengths[i]));
	free(bytes);
}

static void the_library_has_a_name(void **state)
{
	(void)state;
	assert_true(strlen(crc_library()) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check_values),        cmocka_unit_test(chaining_at_every_split),
		cmocka_unit_test(lengths_up_to_70000), cmocka_unit_test(inputs_end_where_they_end),
		cmocka_unit_test(long_inputs),         cmocka_unit_test(the_library_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

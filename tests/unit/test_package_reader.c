/* Tests of reading the headers of packages while their blocks are decoded. */
#include "formats/iostore/content/package.h"

#include "unit/unit.h"

enum { HEADER = 100, WHOLE = 230 };

/* A package of 5.3 as far as its size goes: its header's size stands behind the first number. */
static void fill(uint8_t bytes[WHOLE], uint8_t header)
{
	for (size_t i = 0; i < WHOLE; i++)
		bytes[i] = (uint8_t)i;
	memset(bytes, 0, 8);
	bytes[4] = header;
}

static const struct package_claims form = { .version = 4 };
static struct fault_memory memory;

static struct package_reader open_reader(uint64_t budget)
{
	struct package_reader r;

	memory = (struct fault_memory){ 0 };
	package_reader_open(&r, (struct allocator){ fault_alloc, fault_release, &memory }, budget,
			    &form);
	return r;
}

static void close_reader(struct package_reader *r)
{
	package_reader_close(r);
	assert_int_equal(memory.n_live, 0);
}

/* Gives the package in pieces of n bytes, each from the same place. */
static void give(struct package_reader *r, const uint8_t *bytes, uint64_t length, uint64_t n)
{
	uint8_t block[WHOLE];

	package_reader_begin(r, length);
	for (uint64_t at = 0, some; at < length; at += some) {
		some = n < length - at ? n : length - at;
		memcpy(block, bytes + at, (size_t)some);
		package_reader_add(r, (struct held){ n == length ? bytes : block, some });
		memset(block, 0xEE, sizeof block);
	}
}

static void the_header_comes_in_any_blocks(void **state)
{
	struct package_reader r = open_reader(UNIT_PLENTY);
	uint8_t bytes[WHOLE];

	(void)state;
	fill(bytes, HEADER);
	for (uint64_t n = 1; n <= WHOLE; n++) {
		give(&r, bytes, WHOLE, n);
		assert_non_null(r.header);
		assert_int_equal(r.header_len, HEADER);
		assert_memory_equal(r.header, bytes, HEADER);
		assert_int_equal(r.n_last, PACKAGE_LAST);
		assert_memory_equal(r.last, bytes + WHOLE - PACKAGE_LAST, PACKAGE_LAST);
	}
	assert_ptr_equal(r.header, bytes); /* where it lies in one block, it is not copied */
	close_reader(&r);
}

static void a_short_package_is_its_own_header(void **state)
{
	struct package_reader r = open_reader(UNIT_PLENTY);
	uint8_t bytes[WHOLE];

	(void)state;
	fill(bytes, HEADER);
	for (uint64_t length = 1; length < PACKAGE_FIRST; length++) {
		give(&r, bytes, length, 1);
		assert_non_null(r.header);
		assert_true(r.header_len <= length);
		assert_int_equal(r.n_last, length < PACKAGE_LAST ? length : PACKAGE_LAST);
	}
	close_reader(&r);
}

static void a_block_without_bytes_changes_nothing(void **state)
{
	struct package_reader r = open_reader(UNIT_PLENTY);
	uint8_t bytes[WHOLE];

	(void)state;
	fill(bytes, HEADER);
	for (uint64_t n = 0; n <= WHOLE; n++) {
		package_reader_begin(&r, WHOLE);
		package_reader_add(&r, (struct held){ bytes, n });
		package_reader_add(&r, (struct held){ bytes, 0 });
		package_reader_add(&r, (struct held){ bytes + n, WHOLE - n });
		assert_int_equal(r.header_len, HEADER);
		assert_memory_equal(r.header, bytes, HEADER);
		assert_int_equal(r.n_last, PACKAGE_LAST);
		assert_memory_equal(r.last, bytes + WHOLE - PACKAGE_LAST, PACKAGE_LAST);
	}
	close_reader(&r);
}

static void a_block_that_is_lost_loses_the_package(void **state)
{
	struct package_reader r = open_reader(UNIT_PLENTY);
	uint8_t bytes[WHOLE];

	(void)state;
	fill(bytes, HEADER);
	package_reader_begin(&r, WHOLE);
	package_reader_add(&r, (struct held){ NULL, 50 });
	package_reader_add(&r, (struct held){ bytes, 180 });
	assert_null(r.header);
	give(&r, bytes, WHOLE, 64); /* but not the next one */
	assert_non_null(r.header);
	close_reader(&r);
}

static void a_long_header_is_left_alone(void **state)
{
	struct package_reader r = open_reader(UNIT_PLENTY);
	uint8_t bytes[WHOLE];

	(void)state;
	fill(bytes, 0);
	bytes[6] = 0x10; /* 1 MiB */
	bytes[4] = 1;    /* and one */
	package_reader_begin(&r, PACKAGE_HEADER_MAX + 100);
	package_reader_add(&r, (struct held){ bytes, WHOLE });
	assert_null(r.header);
	assert_false(r.no_memory);
	close_reader(&r);
}

static void memory_that_ends_is_told(void **state)
{
	struct package_reader r = open_reader(0);
	uint8_t bytes[WHOLE];

	(void)state;
	fill(bytes, HEADER);
	give(&r, bytes, WHOLE, 64);
	assert_null(r.header);
	assert_true(r.no_memory);
	close_reader(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_comes_in_any_blocks),
		cmocka_unit_test(a_short_package_is_its_own_header),
		cmocka_unit_test(a_block_without_bytes_changes_nothing),
		cmocka_unit_test(a_block_that_is_lost_loses_the_package),
		cmocka_unit_test(a_long_header_is_left_alone),
		cmocka_unit_test(memory_that_ends_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

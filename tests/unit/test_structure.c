/* Tests of what stands elsewhere in files whose first bytes say too little of what they are. */
#include "diagnosis/structure.h"
#include "unit.h"

enum { SIZE = 100 };

static void put(uint8_t *at, uint32_t number)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(number >> 8 * i);
}

static bool is_zen(const uint8_t *bytes, size_t n)
{
	struct source s;
	struct glimpse g;
	struct fault_memory memory;
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);
	bool is;

	source_init_memory(&s, bytes, n, "a file", &arena);
	assert_true(glimpse_take(&s, &g));
	is = structure_zen(&g);
	arena_free(&arena);
	return is;
}

/* Each number is as a zen package has it, or one of them is not. */
static void zen_packages_are_told_by_head_and_end(void **state)
{
	static const struct {
		uint32_t first, header, tag;
		bool is;
	} rows[] = {
		{ 0, 64, 0x9E2A83C1, true },  { 1, SIZE - 4, 0x9E2A83C1, true },
		{ 2, 64, 0x9E2A83C1, false }, { 0, 63, 0x9E2A83C1, false },
		{ 0, 97, 0x9E2A83C1, false }, { 0, 64, 0x9E2A83C2, false },
	};
	uint8_t bytes[SIZE] = { 0 };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		put(bytes, rows[i].first);
		put(bytes + 4, rows[i].header);
		put(bytes + SIZE - 4, rows[i].tag);
		assert_int_equal(is_zen(bytes, SIZE), rows[i].is);
		assert_false(is_zen(bytes, 63));
	}
}

/* Behind what a glimpse holds the tag may not be readable. */
static void a_tag_that_cannot_be_read_is_none(void **state)
{
	static uint8_t bytes[2 * GLIMPSE_MAX];

	(void)state;
	put(bytes + 4, 64);
	put(bytes + sizeof bytes - 4, 0x9E2A83C1);
	for (unsigned fails = 0; fails < 2; fails++) {
		struct fault_input input = { .bytes = bytes,
					     .size = sizeof bytes,
					     .fails_over = fails > 0,
					     .bad_offset = sizeof bytes - 1 };
		struct fault_memory memory;
		struct arena arena = unit_arena(&memory, UNIT_PLENTY);
		struct source s;
		struct glimpse g;

		source_init(&s, (struct source_io){ fault_source_read, NULL, &input, input.size },
			    "a file", &arena, 16);
		assert_true(glimpse_take(&s, &g));
		assert_int_equal(structure_zen(&g), fails == 0);
		arena_free(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zen_packages_are_told_by_head_and_end),
		cmocka_unit_test(a_tag_that_cannot_be_read_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of the cursor: fixed widths, and where in its bytes it may be. Indexes have a file of their
 * own. */
#include "cursor_state.h"

#include "core/rows.h"

static const uint8_t bytes[8] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF };

/* start returns a cursor over the first len of bytes. */
static struct cursor start(uint64_t len)
{
	return cursor_init(bytes, len, ORIGIN);
}

static void cursor_starts_at_its_origin(void **state)
{
	struct cursor c = start(8);

	(void)state;
	assert_ptr_equal(c.data, bytes);
	assert_true(cursor_left(&c) == 8);
	assert_true(cursor_at(&c) == ORIGIN);
	assert_true(cursor_seek(&c, ORIGIN + 3));
	assert_true(cursor_left(&c) == 5);
	assert_true(cursor_at(&c) == ORIGIN + 3);
}

static void empty_window_needs_no_memory(void **state)
{
	struct cursor c = cursor_init(NULL, 0, UINT64_MAX), was = c;
	const uint8_t *p = NULL;
	uint64_t value;

	(void)state;
	assert_true(cursor_left(&c) == 0);
	assert_true(cursor_at(&c) == UINT64_MAX);
	assert_false(cursor_u8(&c, &value));
	assert_same(&c, &was);
	assert_true(cursor_bytes(&c, 0, &p));
	assert_non_null(p);
	assert_true(cursor_seek(&c, UINT64_MAX));
	assert_same(&c, &was);
}

typedef bool reader(struct cursor *c, uint64_t *out);

/* check_fixed reads width bytes with read from windows of every length. */
static void check_fixed(reader *read, uint64_t width, uint64_t expected)
{
	for (uint64_t len = 0; len <= 8; len++) {
		struct cursor c = start(len), was = c;
		uint64_t value = 7;

		assert_true(read(&c, &value) == (len >= width));
		assert_true(value == (len >= width ? expected : 7));
		was.pos = len >= width ? width : 0;
		assert_same(&c, &was);
	}
}

static void fixed_widths_are_little_endian(void **state)
{
	(void)state;
	check_fixed(cursor_u8, 1, 0x01);
	check_fixed(cursor_u16, 2, 0x2301);
	check_fixed(cursor_u32, 4, 0x67452301);
	check_fixed(cursor_u64, 8, UINT64_C(0xEFCDAB8967452301));
}

static void fixed_widths_follow_each_other(void **state)
{
	struct cursor c = start(8);
	uint64_t value = 0;

	(void)state;
	assert_true(cursor_u8(&c, &value));
	assert_true(cursor_u32(&c, &value));
	assert_true(value == UINT64_C(0x89674523));
	assert_false(cursor_u32(&c, &value));
	assert_true(value == UINT64_C(0x89674523));
	assert_true(cursor_u16(&c, &value));
	assert_true(value == 0xCDAB);
	assert_false(cursor_u16(&c, &value));
	assert_true(cursor_u8(&c, &value));
	assert_true(value == 0xEF);
	assert_false(cursor_u8(&c, &value));
	assert_true(cursor_at(&c) == ORIGIN + 8);
}

/* A byte above 0x7F is not a negative number on its way to 64 bits. */
static void high_bytes_are_not_extended(void **state)
{
	uint8_t high[16] = { 0 };
	struct cursor c = cursor_init(high, sizeof(high), 0);
	uint64_t value = 0;

	(void)state;
	memset(high, 0xFF, sizeof(high));
	assert_true(cursor_u8(&c, &value) && value == 0xFF);
	assert_true(cursor_u16(&c, &value) && value == 0xFFFF);
	assert_true(cursor_u32(&c, &value) && value == UINT32_MAX);
	assert_true(cursor_u64(&c, &value) && value == UINT64_MAX);
	for (unsigned width = 1; width <= 8; width++) {
		c = cursor_init(high, sizeof(high), 0);
		assert_true(cursor_uint(&c, width, &value));
		assert_true(value == UINT64_MAX >> (64 - 8 * width));
		assert_true(cursor_uint_be(&c, width, &value));
		assert_true(value == UINT64_MAX >> (64 - 8 * width));
	}
}

typedef bool wide_reader(struct cursor *c, unsigned width, uint64_t *out);

/* check_uint reads every width from windows of every length; expected is what
 * eight bytes hold, and drops_low whether a shorter read loses its low end. */
static void check_uint(wide_reader *read, uint64_t expected, bool drops_low)
{
	for (unsigned width = 1; width <= 8; width++) {
		unsigned unread = 64 - 8 * width;
		uint64_t part = drops_low ? expected >> unread : expected & (UINT64_MAX >> unread);

		for (uint64_t len = 0; len <= 8; len++) {
			struct cursor c = start(len), was = c;
			uint64_t value = 7;

			assert_true(read(&c, width, &value) == (len >= width));
			assert_true(value == (len >= width ? part : 7));
			was.pos = len >= width ? width : 0;
			assert_same(&c, &was);
		}
	}
}

static void every_width_is_read_in_both_orders(void **state)
{
	(void)state;
	check_uint(cursor_uint, UINT64_C(0xEFCDAB8967452301), false);
	check_uint(cursor_uint_be, UINT64_C(0x0123456789ABCDEF), true);
}

static void other_widths_fail(void **state)
{
	static const unsigned widths[] = { 0, 9, 256, UINT32_MAX };
	static const uint8_t plenty[300];

	(void)state;
	for (size_t i = 0; i < LENGTH(widths); i++) {
		struct cursor c = cursor_init(plenty, sizeof(plenty), 0), was = c;
		uint64_t value = 7;

		assert_false(cursor_uint(&c, widths[i], &value));
		assert_false(cursor_uint_be(&c, widths[i], &value));
		assert_true(value == 7);
		assert_same(&c, &was);
	}
}

static void skip_says_where(void **state)
{
	struct cursor c = start(8), was;
	struct span s = { 7, 7 };

	(void)state;
	assert_true(cursor_skip(&c, 3, &s));
	assert_true(s.at == ORIGIN && s.len == 3);
	assert_true(cursor_skip(&c, 0, &s));
	assert_true(s.at == ORIGIN + 3 && s.len == 0);
	was = c;
	assert_false(cursor_skip(&c, 6, &s));
	assert_false(cursor_skip(&c, UINT64_MAX, &s));
	assert_false(cursor_skip(&c, UINT64_MAX - 2, &s));
	assert_true(s.at == ORIGIN + 3 && s.len == 0);
	assert_same(&c, &was);
	assert_true(cursor_skip(&c, 5, &s));
	assert_true(s.at == ORIGIN + 3 && s.len == 5);
	assert_true(cursor_left(&c) == 0);
	assert_false(cursor_skip(&c, 1, &s));
	assert_true(cursor_skip(&c, 0, &s));
	assert_true(s.at == ORIGIN + 8 && s.len == 0);
}

static void bytes_point_into_the_window(void **state)
{
	struct cursor c = start(8), was;
	const uint8_t *p = NULL;

	(void)state;
	assert_true(cursor_bytes(&c, 3, &p));
	assert_ptr_equal(p, bytes);
	was = c;
	assert_false(cursor_bytes(&c, 6, &p));
	assert_false(cursor_bytes(&c, UINT64_MAX, &p));
	assert_ptr_equal(p, bytes);
	assert_same(&c, &was);
	assert_true(cursor_bytes(&c, 5, &p));
	assert_ptr_equal(p, bytes + 3);
	assert_true(cursor_bytes(&c, 0, &p));
	assert_ptr_equal(p, bytes + 8);
	assert_false(cursor_bytes(&c, 1, &p));
}

static void check_window(const struct cursor *c, uint64_t at, uint64_t len)
{
	struct cursor child, was = *c;

	assert_true(cursor_window(c, (struct span){ at, len }, &child));
	assert_ptr_equal(child.data, bytes + (at - ORIGIN));
	assert_true(child.len == len && child.pos == 0 && child.origin == at);
	assert_true(cursor_at(&child) == at);
	assert_same(c, &was);
}

static void window_lies_anywhere_inside(void **state)
{
	struct cursor c = start(8);

	(void)state;
	assert_true(cursor_seek(&c, ORIGIN + 5));
	check_window(&c, ORIGIN, 8);
	check_window(&c, ORIGIN, 0);
	check_window(&c, ORIGIN + 2, 3);
	check_window(&c, ORIGIN + 7, 1);
	check_window(&c, ORIGIN + 8, 0);
}

static void window_outside_fails(void **state)
{
	static const struct span outside[] = {
		{ ORIGIN, 9 },
		{ ORIGIN + 7, 2 },
		{ ORIGIN + 8, 1 },
		{ ORIGIN + 9, 0 },
		{ ORIGIN - 1, 0 },
		{ ORIGIN - 1, 1 },
		{ 0, 0 },
		{ 0, ORIGIN + 8 },
		{ UINT64_MAX, 0 },
		{ UINT64_MAX, 1 },
		{ ORIGIN, UINT64_MAX },
		{ ORIGIN + 4, UINT64_MAX - ORIGIN },
		{ UINT64_MAX, UINT64_MAX },
	};
	struct cursor c = start(8), child = start(1), was = c, child_was = child;

	(void)state;
	for (size_t i = 0; i < LENGTH(outside); i++) {
		assert_false(cursor_window(&c, outside[i], &child));
		assert_same(&c, &was);
		assert_same(&child, &child_was);
	}
}

/* A child knows nothing of what its parent has beyond it. */
static void window_knows_only_itself(void **state)
{
	struct cursor c = start(8), child, grandchild;
	uint64_t value;

	(void)state;
	assert_true(cursor_window(&c, (struct span){ ORIGIN + 2, 4 }, &child));
	assert_true(cursor_u16(&child, &value) && value == 0x6745);
	assert_true(cursor_at(&child) == ORIGIN + 4 && cursor_left(&child) == 2);
	assert_false(cursor_u32(&child, &value));
	assert_false(cursor_window(&child, (struct span){ ORIGIN + 1, 1 }, &grandchild));
	assert_false(cursor_window(&child, (struct span){ ORIGIN + 5, 2 }, &grandchild));
	assert_true(cursor_window(&child, (struct span){ ORIGIN + 5, 1 }, &grandchild));
	assert_true(cursor_u8(&grandchild, &value) && value == 0xAB);
}

static void fits_cannot_wrap(void **state)
{
	struct cursor c = start(8), was;

	(void)state;
	assert_true(cursor_seek(&c, ORIGIN + 2));
	was = c;
	assert_true(cursor_fits(&c, 0, 0));
	assert_true(cursor_fits(&c, 0, UINT64_MAX));
	assert_true(cursor_fits(&c, UINT64_MAX, 0));
	assert_true(cursor_fits(&c, 6, 1));
	assert_true(cursor_fits(&c, 1, 6));
	assert_true(cursor_fits(&c, 2, 3));
	assert_false(cursor_fits(&c, 7, 1));
	assert_false(cursor_fits(&c, 1, 7));
	assert_false(cursor_fits(&c, UINT64_MAX, 1));
	assert_false(cursor_fits(&c, UINT64_C(0x100000000), UINT64_C(0x100000000)));
	assert_false(cursor_fits(&c, UINT64_C(0x8000000000000001), 2));
	assert_false(cursor_fits(&c, UINT64_MAX, UINT64_MAX));
	assert_same(&c, &was);
}

static void seek_stays_inside(void **state)
{
	static const uint64_t outside[] = { 0, ORIGIN - 1, ORIGIN + 9, UINT64_MAX };
	struct cursor c = start(8);

	(void)state;
	for (uint64_t at = ORIGIN + 8; at >= ORIGIN; at--) {
		struct cursor was;

		assert_true(cursor_seek(&c, at));
		assert_true(cursor_at(&c) == at);
		assert_true(cursor_left(&c) == ORIGIN + 8 - at);
		was = c;
		for (size_t i = 0; i < LENGTH(outside); i++) {
			assert_false(cursor_seek(&c, outside[i]));
			assert_same(&c, &was);
		}
	}
}

/* Wherever the cursor is, bytes are those at a place of the source; outside there are none. */
static void parts_lie_inside(void **state)
{
	static const struct span outside[] = {
		{ ORIGIN - 1, 1 },          { 0, 9 },         { ORIGIN, 9 }, { ORIGIN + 8, 1 },
		{ ORIGIN + 1, UINT64_MAX }, { UINT64_MAX, 1 }
	};
	struct cursor c = start(8);
	struct held part;

	(void)state;
	assert_true(cursor_seek(&c, ORIGIN + 5));
	part = cursor_part(&c, ORIGIN + 2, 6);
	assert_ptr_equal(part.bytes, bytes + 2);
	assert_int_equal(part.len, 6);
	assert_int_equal(cursor_part(&c, ORIGIN, 8).len, 8);
	for (size_t i = 0; i < LENGTH(outside); i++)
		assert_int_equal(cursor_part(&c, outside[i].at, outside[i].len).len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cursor_starts_at_its_origin),
		cmocka_unit_test(empty_window_needs_no_memory),
		cmocka_unit_test(fixed_widths_are_little_endian),
		cmocka_unit_test(fixed_widths_follow_each_other),
		cmocka_unit_test(high_bytes_are_not_extended),
		cmocka_unit_test(every_width_is_read_in_both_orders),
		cmocka_unit_test(other_widths_fail),
		cmocka_unit_test(skip_says_where),
		cmocka_unit_test(bytes_point_into_the_window),
		cmocka_unit_test(window_lies_anywhere_inside),
		cmocka_unit_test(window_outside_fails),
		cmocka_unit_test(window_knows_only_itself),
		cmocka_unit_test(fits_cannot_wrap),
		cmocka_unit_test(seek_stays_inside),
		cmocka_unit_test(parts_lie_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

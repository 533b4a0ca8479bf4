/* Tests of the cursor and of the two small headers it stands on. */
#include "unit.h"

#include "core/checked.h"
#include "core/cursor.h"
#include "core/span.h"

#define ORIGIN 1000

static const uint8_t bytes[8] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF };

/* start returns a cursor over the first len of bytes. */
static struct cursor start(uint64_t len)
{
	return cursor_init(bytes, len, ORIGIN);
}

/* assert_same fails unless two cursors are equal in every field. */
static void assert_same(const struct cursor *a, const struct cursor *b)
{
	assert_ptr_equal(a->data, b->data);
	assert_true(a->len == b->len);
	assert_true(a->pos == b->pos);
	assert_true(a->origin == b->origin);
}

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

/* An index_case is one encoding and what a reader shall make of it. */
struct index_case {
	uint8_t bytes[5];
	uint64_t len;
	enum index_result result;
	int64_t value;
	enum index_form form;
};

#define GOOD(len, value) len, INDEX_OK, value, INDEX_MINIMAL
#define LONG(len, value) len, INDEX_OK, value, INDEX_OVERLONG
#define ZERO(len) len, INDEX_OK, 0, INDEX_NEGATIVE_ZERO
#define BAD INDEX_ILLEGAL, 0, INDEX_MINIMAL

static const struct index_case index_cases[] = {
	{ { 0x00 }, GOOD(1, 0) },
	{ { 0x01 }, GOOD(1, 1) },
	{ { 0x81 }, GOOD(1, -1) },
	{ { 0x3F }, GOOD(1, 63) },
	{ { 0xBF }, GOOD(1, -63) },
	{ { 0x40, 0x01 }, GOOD(2, 64) },
	{ { 0xC0, 0x01 }, GOOD(2, -64) },
	{ { 0x7F, 0x7F }, GOOD(2, 8191) },
	{ { 0xFF, 0x7F }, GOOD(2, -8191) },
	{ { 0x40, 0x80, 0x01 }, GOOD(3, 8192) },
	{ { 0xC0, 0x80, 0x01 }, GOOD(3, -8192) },
	{ { 0x7F, 0xFF, 0x7F }, GOOD(3, 1048575) },
	{ { 0xFF, 0xFF, 0x7F }, GOOD(3, -1048575) },
	{ { 0x40, 0x80, 0x80, 0x01 }, GOOD(4, 1048576) },
	{ { 0xC0, 0x80, 0x80, 0x01 }, GOOD(4, -1048576) },
	{ { 0x7F, 0xFF, 0xFF, 0x7F }, GOOD(4, 134217727) },
	{ { 0xFF, 0xFF, 0xFF, 0x7F }, GOOD(4, -134217727) },
	{ { 0x40, 0x80, 0x80, 0x80, 0x01 }, GOOD(5, 134217728) },
	{ { 0xC0, 0x80, 0x80, 0x80, 0x01 }, GOOD(5, -134217728) },
	{ { 0x7F, 0xFF, 0xFF, 0xFF, 0x0F }, GOOD(5, INT32_MAX) },
	{ { 0xFF, 0xFF, 0xFF, 0xFF, 0x0F }, GOOD(5, -INT32_MAX) },
	{ { 0xC0, 0x80, 0x80, 0x80, 0x10 }, GOOD(5, INT32_MIN) },

	{ { 0xC8, 0x00 }, LONG(2, -8) },
	{ { 0x40, 0x00 }, LONG(2, 0) },
	{ { 0x7F, 0xFF, 0x00 }, LONG(3, 8191) },
	{ { 0x40, 0x80, 0x00 }, LONG(3, 0) },
	{ { 0x40, 0x80, 0x80, 0x00 }, LONG(4, 0) },
	{ { 0x7F, 0xFF, 0xFF, 0x00 }, LONG(4, 1048575) },
	{ { 0x40, 0x80, 0x80, 0x80, 0x00 }, LONG(5, 0) },
	{ { 0xFF, 0xFF, 0xFF, 0xFF, 0x00 }, LONG(5, -134217727) },

	{ { 0x80 }, ZERO(1) },
	{ { 0xC0, 0x00 }, ZERO(2) },
	{ { 0xC0, 0x80, 0x00 }, ZERO(3) },
	{ { 0xC0, 0x80, 0x80, 0x00 }, ZERO(4) },
	{ { 0xC0, 0x80, 0x80, 0x80, 0x00 }, ZERO(5) },

	{ { 0x40, 0x80, 0x80, 0x80, 0x10 }, 5, BAD },
	{ { 0xC1, 0x80, 0x80, 0x80, 0x10 }, 5, BAD },
	{ { 0xC0, 0x81, 0x80, 0x80, 0x10 }, 5, BAD },
	{ { 0xC0, 0x80, 0x81, 0x80, 0x10 }, 5, BAD },
	{ { 0xC0, 0x80, 0x80, 0x81, 0x10 }, 5, BAD },
	{ { 0x40, 0x80, 0x80, 0x80, 0x11 }, 5, BAD },
	{ { 0xC0, 0x80, 0x80, 0x80, 0x11 }, 5, BAD },
	{ { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF }, 5, BAD },
};

/* check_index reads one case from a window of len bytes, with both readers.
 * What follows the case is nothing that a reader could take for zero. */
static void check_index(const struct index_case *k, uint64_t len, enum index_result expected)
{
	uint8_t room[8] = { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF };
	struct cursor was = cursor_init(room, len, ORIGIN), c = was, d = was;
	int64_t value = 7, plain_value = 7;
	enum index_form form = (enum index_form)7, plain_form = (enum index_form)7;
	bool good = expected == INDEX_OK;

	memcpy(room, k->bytes, len < k->len ? len : k->len);
	assert_true(cursor_index_form(&c, &value, &form) == expected);
	assert_true(cursor_index(&d, &plain_value, &plain_form) == good);
	assert_true(value == (good ? k->value : 7));
	assert_true(form == (good ? k->form : (enum index_form)7));
	assert_true(plain_value == value && plain_form == form);
	was.pos = good ? k->len : 0;
	assert_same(&c, &was);
	assert_same(&d, &was);
}

static void index_boundaries(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(index_cases); i++) {
		const struct index_case *k = &index_cases[i];

		for (uint64_t len = 0; len < k->len; len++)
			check_index(k, len, INDEX_SHORT);
		check_index(k, k->len, k->result);
		check_index(k, k->len + 1, k->result);
	}
}

/* encode writes value in the only form that the engine writes, and returns
 * its length. It is written from the format's page, not from the reader. */
static uint64_t encode(int64_t value, uint8_t out[5])
{
	uint64_t rest = value < 0 ? (uint64_t)-value : (uint64_t)value, n = 1;

	out[0] = (uint8_t)((value < 0 ? 0x80 : 0) | (rest & 0x3F));
	rest >>= 6;
	if (rest > 0)
		out[0] |= 0x40;
	for (; rest > 0; n++) {
		out[n] = (uint8_t)(n < 4 ? rest & 0x7F : rest);
		rest = n < 4 ? rest >> 7 : 0;
		if (rest > 0)
			out[n] |= 0x80;
	}
	return n;
}

static void check_round_trip(int64_t value)
{
	struct index_case k = { .value = value, .form = INDEX_MINIMAL };

	k.len = encode(value, k.bytes);
	check_index(&k, k.len, INDEX_OK);
	check_index(&k, k.len - 1, INDEX_SHORT);
}

static void index_round_trip(void **state)
{
	static const int64_t edges[] = { 0, 63, 8191, 1048575, 134217727, INT32_MAX - 70 };

	(void)state;
	for (size_t i = 0; i < LENGTH(edges); i++) {
		for (int64_t near = edges[i] - 70; near <= edges[i] + 70; near++) {
			check_round_trip(near);
			check_round_trip(-near);
		}
	}
	for (int64_t value = INT32_MIN; value <= INT32_MAX; value += 49999)
		check_round_trip(value);
}

/* Every index of one and two bytes: its value from the bits, its form from
 * whether writing that value again gives the same bytes. */
static void index_of_one_or_two_bytes(void **state)
{
	(void)state;
	for (unsigned pair = 0; pair < 65536; pair++) {
		struct index_case k = { .bytes = { (uint8_t)(pair & 0xFF), (uint8_t)(pair >> 8) } };
		uint8_t again[5];

		k.value = k.bytes[0] & 0x3F;
		k.len = 1;
		if (k.bytes[0] & 0x40) {
			if (k.bytes[1] & 0x80) {
				check_index(&k, 2, INDEX_SHORT);
				continue;
			}
			k.value += k.bytes[1] << 6;
			k.len = 2;
		}
		if (k.bytes[0] & 0x80)
			k.value = -k.value;
		k.form = INDEX_MINIMAL;
		if (encode(k.value, again) != k.len)
			k.form = INDEX_OVERLONG;
		if (k.value == 0 && k.bytes[0] & 0x80)
			k.form = INDEX_NEGATIVE_ZERO;
		check_index(&k, 2, INDEX_OK);
	}
}

/* Every fifth byte, under both signs, over zero and over full lower bits. */
static void index_fifth_byte(void **state)
{
	static const struct index_case lows[] = {
		{ { 0x40, 0x80, 0x80, 0x80 }, GOOD(5, 0) },
		{ { 0xC0, 0x80, 0x80, 0x80 }, GOOD(5, 0) },
		{ { 0x7F, 0xFF, 0xFF, 0xFF }, GOOD(5, 134217727) },
		{ { 0xFF, 0xFF, 0xFF, 0xFF }, GOOD(5, -134217727) },
	};

	(void)state;
	for (unsigned fifth = 1; fifth < 256; fifth++) {
		for (size_t i = 0; i < LENGTH(lows); i++) {
			struct index_case k = lows[i];
			bool lowest = i == 1 && fifth == 0x10;

			k.bytes[4] = (uint8_t)fifth;
			k.value += (i % 2 ? -1 : 1) * (int64_t)fifth * 134217728;
			check_index(&k, 5, fifth <= 0x0F || lowest ? INDEX_OK : INDEX_ILLEGAL);
		}
	}
}

static void indexes_follow_each_other(void **state)
{
	static const uint8_t two[] = { 0x40, 0x01, 0x81, 0x40 };
	struct cursor c = cursor_init(two, sizeof(two), 0);
	enum index_form form;
	int64_t value = 0;

	(void)state;
	assert_true(cursor_index(&c, &value, &form) && value == 64);
	assert_true(cursor_index(&c, &value, &form) && value == -1);
	assert_false(cursor_index(&c, &value, &form));
	assert_true(value == -1 && cursor_left(&c) == 1);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(span_end_saturates),
		cmocka_unit_test(checked_add_refuses_to_wrap),
		cmocka_unit_test(checked_mul_refuses_to_wrap),
		cmocka_unit_test(cursor_starts_at_its_origin),
		cmocka_unit_test(empty_window_needs_no_memory),
		cmocka_unit_test(fixed_widths_are_little_endian),
		cmocka_unit_test(fixed_widths_follow_each_other),
		cmocka_unit_test(high_bytes_are_not_extended),
		cmocka_unit_test(every_width_is_read_in_both_orders),
		cmocka_unit_test(other_widths_fail),
		cmocka_unit_test(index_boundaries),
		cmocka_unit_test(index_round_trip),
		cmocka_unit_test(index_of_one_or_two_bytes),
		cmocka_unit_test(index_fifth_byte),
		cmocka_unit_test(indexes_follow_each_other),
		cmocka_unit_test(skip_says_where),
		cmocka_unit_test(bytes_point_into_the_window),
		cmocka_unit_test(window_lies_anywhere_inside),
		cmocka_unit_test(window_outside_fails),
		cmocka_unit_test(window_knows_only_itself),
		cmocka_unit_test(fits_cannot_wrap),
		cmocka_unit_test(seek_stays_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

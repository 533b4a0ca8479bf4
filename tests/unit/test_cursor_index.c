/* Tests of the cursor with indexes, the integers of one to five bytes that packages have. */
#include "cursor_state.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(index_boundaries),          cmocka_unit_test(index_round_trip),
		cmocka_unit_test(index_of_one_or_two_bytes), cmocka_unit_test(index_fifth_byte),
		cmocka_unit_test(indexes_follow_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of the strings of an index: a signed length, and units of one byte or two. */
#include "formats/blocks/index_string.h"
#include "unit.h"

static void a_string_has_a_signed_length(void **state)
{
	static const struct {
		uint8_t bytes[12];
		uint64_t n;
		bool is_read;
		int64_t length;
		uint32_t n_units;
		bool wide, open;
	} cases[] = {
		{ { 3, 0, 0, 0, 'a', 'b', 0, 'x' }, 8, true, 3, 2, false, false },
		{ { 2, 0, 0, 0, 'a', 'b', 0 }, 7, true, 2, 2, false, true },
		{ { 0xFE, 0xFF, 0xFF, 0xFF, 'a', 0, 0, 0, 'x' }, 9, true, -2, 1, true, false },
		{ { 0xFF, 0xFF, 0xFF, 0xFF, 'a', 1, 0, 0 }, 8, true, -1, 1, true, true },
		{ { 0, 0, 0, 0 }, 4, true, 0, 0, false, true },
		{ { 1, 0, 0, 0, 0 }, 5, true, 1, 0, false, false },
		{ { 4, 0, 0, 0, 'a', 'b', 0 }, 7, false, 4, 0, false, false },
		{ { 0xFE, 0xFF, 0xFF, 0xFF, 'a', 0, 0 }, 7, false, -2, 0, false, false },
		{ { 0, 0, 0, 0x80, 'a' }, 5, false, INT32_MIN, 0, false, false },
		{ { 1, 0, 0 }, 3, false, 0, 0, false, false },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct cursor c = cursor_init(cases[i].bytes, cases[i].n, 1000);
		struct text t = { 0 };
		int64_t length = 77;

		assert_int_equal(index_string_read(&c, &t, &length), cases[i].is_read);
		assert_int_equal(length, cases[i].length);
		assert_int_equal(t.ref.n_units, cases[i].n_units);
		if (!cases[i].is_read) {
			assert_true(cursor_at(&c) == 1000 && !t.data);
			continue;
		}
		assert_ptr_equal(t.data, cases[i].bytes + INDEX_STRING_HEAD);
		assert_int_equal(t.ref.at, 1000 + INDEX_STRING_HEAD);
		assert_int_equal(t.ref.encoding, cases[i].wide ? TEXT_UTF16LE : TEXT_CP1252);
		assert_int_equal(t.ref.flags, cases[i].open ? TEXT_UNTERMINATED : 0);
		assert_int_equal(cursor_at(&c),
				 t.ref.at + index_string_units(length) * (cases[i].wide ? 2 : 1));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_string_has_a_signed_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of what characters stand for in names that are alike. */
#include "core/text_alike.h"
#include "unit.h"

static uint32_t fnv(uint32_t digest, uint32_t unit)
{
	return (uint32_t)((uint64_t)(digest ^ unit) * 16777619 & UINT32_MAX);
}

static uint32_t unit(const uint8_t *out, uint32_t i)
{
	return out[2 * (size_t)i] | (uint32_t)out[2 * (size_t)i + 1] << 8;
}

/* The number was computed by the clause (archive.md, 2) from the tables of Unicode. */
static void characters_stand_for_what_the_clause_says(void **state)
{
	uint32_t digest = 2166136261;
	unsigned n_other = 0;

	(void)state;
	for (uint32_t c = 0; c < 0x11000; c++) {
		uint8_t out[2 * TEXT_ALIKE_MAX];
		uint32_t n = 0;
		unsigned why;

		if (text_between(c, 0xD800, 0xDFFF) || c >= 0x10000)
			continue;
		why = text_alike_put(c, out, &n);
		assert_true(n <= TEXT_ALIKE_MAX);
		assert_true((why == 0) == (n == 1 && unit(out, 0) == c));
		if (why == 0)
			continue;
		n_other++;
		digest = fnv(digest, c);
		for (uint32_t i = 0; i < n; i++)
			digest = fnv(digest, unit(out, i));
	}
	assert_int_equal(n_other, 12250);
	assert_int_equal(digest, 0x7A4B096B);
}

static void marks_go_before_those_of_higher_classes(void **state)
{
	static const uint32_t marks[] = { 'e', 0x301, 0x302, 0x323, 0x334, 'x' };
	static const uint32_t want[] = { 'e', 0x334, 0x323, 0x301, 0x302, 'x' };
	uint8_t out[2 * LENGTH(marks)];
	uint32_t n = 0;

	(void)state;
	for (size_t i = 0; i < LENGTH(marks); i++)
		text_alike_put(marks[i], out, &n);
	assert_int_equal(n, LENGTH(want));
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(unit(out, i), want[i]);
}

static void very_many_marks_stay_where_they_are(void **state)
{
	enum { MANY = 40 };
	uint8_t out[2 * (MANY + 1)];
	uint32_t n = 0;

	(void)state;
	for (unsigned i = 0; i < MANY; i++)
		text_alike_put(0x301, out, &n);
	text_alike_put(0x323, out, &n);
	assert_int_equal(n, MANY + 1);
	assert_int_equal(unit(out, MANY - 30), 0x323);
}

static void what_has_no_place_in_the_plane_is_a_pair(void **state)
{
	uint8_t out[2 * TEXT_ALIKE_MAX];
	uint32_t n = 0;

	(void)state;
	assert_int_equal(text_alike_put(0x1F600, out, &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(unit(out, 0), 0xD83D);
	assert_int_equal(unit(out, 1), 0xDE00);
	assert_int_equal(text_alike_put(0xE0041, out, &n), TEXT_LIKE_UNSEEN);
	assert_int_equal(n, 2);
}

/* What does not stand alone is all that could make a name another's. */
static void whole_letters_stand_alone(void **state)
{
	static const uint32_t alone[] = { 'a',    0x7F,   0x80,   0xE9,   0x3B1,  0x439, 0x4E2D,
					  0xAC00, 0x304C, 0xFF0F, 0xFF3C, 0x1EC7, 0x0628 };
	static const uint32_t others[] = { 0xAD,   0xB5,   0xDF,   0x149,  0x17F,  0x301,
					   0x344,  0x37E,  0x487,  0x1100, 0x11FF, 0x1E9E,
					   0x1F71, 0x200D, 0x212A, 0x3099, 0xFB03, 0xFF21 };

	(void)state;
	for (size_t i = 0; i < LENGTH(alone); i++)
		assert_true(text_stands_alone(alone[i]));
	for (size_t i = 0; i < LENGTH(others); i++)
		assert_false(text_stands_alone(others[i]));
}

static void code_page_437_is_the_table(void **state)
{
	uint32_t digest = 2166136261;

	(void)state;
	for (unsigned i = 0; i < 256; i++)
		digest = fnv(digest, text_cp437((uint8_t)i));
	assert_int_equal(digest, 0x4D308040);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_stand_for_what_the_clause_says),
		cmocka_unit_test(marks_go_before_those_of_higher_classes),
		cmocka_unit_test(very_many_marks_stay_where_they_are),
		cmocka_unit_test(what_has_no_place_in_the_plane_is_a_pair),
		cmocka_unit_test(whole_letters_stand_alone),
		cmocka_unit_test(code_page_437_is_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

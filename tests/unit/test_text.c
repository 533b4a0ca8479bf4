/* Tests of untrusted text: the CP1252 table, UTF-16 in both orders, folding, comparing, numbers,
 * UTF-8. */
#include "core/text.h"
#include "core/text_digest.h"
#include "core/text_wide.h"
#include "unit.h"

static struct text bytes(const void *data, size_t n)
{
	return (struct text){ data, { .n_units = (uint32_t)n } };
}

static struct text wide(const void *data, size_t n_units, enum text_encoding encoding)
{
	return (struct text){ data,
			      { .n_units = (uint32_t)n_units, .encoding = (uint8_t)encoding } };
}

#define BYTES(literal) bytes(literal, sizeof(literal) - 1)

/* The 27 characters that CP1252 puts where Latin-1 has controls, after Unicode's mapping table
 * CP1252.TXT. */
static const struct {
	uint8_t byte;
	uint32_t c;
} cp1252[] = { { 0x80, 0x20AC }, { 0x82, 0x201A }, { 0x83, 0x0192 }, { 0x84, 0x201E },
	       { 0x85, 0x2026 }, { 0x86, 0x2020 }, { 0x87, 0x2021 }, { 0x88, 0x02C6 },
	       { 0x89, 0x2030 }, { 0x8A, 0x0160 }, { 0x8B, 0x2039 }, { 0x8C, 0x0152 },
	       { 0x8E, 0x017D }, { 0x91, 0x2018 }, { 0x92, 0x2019 }, { 0x93, 0x201C },
	       { 0x94, 0x201D }, { 0x95, 0x2022 }, { 0x96, 0x2013 }, { 0x97, 0x2014 },
	       { 0x98, 0x02DC }, { 0x99, 0x2122 }, { 0x9A, 0x0161 }, { 0x9B, 0x203A },
	       { 0x9C, 0x0153 }, { 0x9E, 0x017E }, { 0x9F, 0x0178 } };

static uint32_t expected_cp1252(unsigned byte)
{
	for (size_t i = 0; i < LENGTH(cp1252); i++)
		if (cp1252[i].byte == byte)
			return cp1252[i].c;
	return byte;
}

static void cp1252_is_the_table(void **state)
{
	(void)state;
	for (unsigned b = 0; b < 256; b++) {
		uint8_t byte = (uint8_t)b;

		assert_int_equal(text_unit(bytes(&byte, 1), 0), expected_cp1252(b));
	}
}

static void utf16_is_read_in_both_orders(void **state)
{
	static const uint8_t data[] = { 0x41, 0x26, 0x3A, 0x00 };

	(void)state;
	assert_int_equal(text_unit(wide(data, 2, TEXT_UTF16LE), 0), 0x2641);
	assert_int_equal(text_unit(wide(data, 2, TEXT_UTF16LE), 1), 0x3A);
	assert_int_equal(text_unit(wide(data, 2, TEXT_UTF16BE), 0), 0x4126);
	assert_int_equal(text_unit(wide(data, 2, TEXT_UTF16BE), 1), 0x3A00);
	assert_int_equal(text_width(TEXT_CP1252), 1);
	assert_int_equal(text_width(TEXT_UTF16BE), 2);
	assert_int_equal(text_span(wide(data, 2, TEXT_UTF16LE).ref).len, 4);
}

static void surrogates_join_or_stay_alone(void **state)
{
	/* U+1F600, a high half before a letter, a low half, a high half at the end */
	static const uint8_t data[] = { 0x3D, 0xD8, 0x00, 0xDE, 0x3D, 0xD8,
					0x41, 0x00, 0x00, 0xDE, 0xFF, 0xDB };
	static const uint32_t expected[] = { 0x1F600, 0xD83D, 0x41, 0xDE00, 0xDBFF };
	struct text t = wide(data, 6, TEXT_UTF16LE);
	uint64_t i = 0;

	(void)state;
	for (size_t k = 0; k < LENGTH(expected); k++)
		assert_int_equal(text_next(t, &i), expected[k]);
	assert_int_equal(i, 6);
}

static void surrogate_ranges_have_their_ends(void **state)
{
	static const struct {
		uint8_t data[4];
		uint32_t c;
		uint64_t n;
	} rows[] = {
		{ { 0x00, 0xD8, 0x00, 0xDC }, 0x10000, 2 },
		{ { 0xFF, 0xDB, 0xFF, 0xDF }, 0x10FFFF, 2 },
		{ { 0xFF, 0xD7, 0x00, 0xDC }, 0xD7FF, 1 },
		{ { 0x00, 0xDC, 0x00, 0xDC }, 0xDC00, 1 },
		{ { 0x00, 0xD8, 0xFF, 0xDB }, 0xD800, 1 },
		{ { 0x00, 0xD8, 0x00, 0xE0 }, 0xD800, 1 },
	};

	(void)state;
	for (size_t k = 0; k < LENGTH(rows); k++) {
		uint64_t i = 0;

		assert_int_equal(text_next(wide(rows[k].data, 2, TEXT_UTF16LE), &i), rows[k].c);
		assert_int_equal(i, rows[k].n);
	}
}

static uint32_t expected_fold(uint32_t c)
{
	if ((c >= 'a' && c <= 'z') || (c >= 0xE0 && c <= 0xFE && c != 0xF7))
		return c - 0x20;
	switch (c) {
	case 0xFF:
		return 0x178;
	case 0x153:
		return 0x152;
	case 0x161:
		return 0x160;
	case 0x17E:
		return 0x17D;
	default:
		return c;
	}
}

static void folding_is_ascii_latin1_and_cp1252(void **state)
{
	(void)state;
	for (uint32_t c = 0; c < 0x11000; c++)
		assert_int_equal(text_fold(c), expected_fold(c));
}

/* A step of FNV-1a of 32 bits, with the product kept to them: the integer sanitizer asks about a
 * product that wraps. */
static uint32_t fnv(uint32_t digest, uint32_t unit)
{
	return (uint32_t)((uint64_t)(digest ^ unit) * 16777619 & UINT32_MAX);
}

/* Letters with their two forms, and such as have one of their own for all that they look like
 * others. */
static void letters_beyond_latin1_have_one_form(void **state)
{
	static const uint16_t pairs[][2] = {
		{ 0x0100, 0x0101 }, { 0x012E, 0x012F }, { 0x0132, 0x0133 }, { 0x0139, 0x013A },
		{ 0x0147, 0x0148 }, { 0x0176, 0x0177 }, { 0x017D, 0x017E }, { 0x0191, 0x0192 },
		{ 0x01C4, 0x01C6 }, { 0x018E, 0x01DD }, { 0x024E, 0x024F }, { 0x0181, 0x0253 },
		{ 0x018F, 0x0259 }, { 0x01B7, 0x0292 }, { 0x0386, 0x03AC }, { 0x0391, 0x03B1 },
		{ 0x03A3, 0x03C2 }, { 0x03A3, 0x03C3 }, { 0x03F9, 0x03F2 }, { 0x03FE, 0x037C },
		{ 0x0410, 0x0430 }, { 0x042F, 0x044F }, { 0x0401, 0x0451 }, { 0x04C0, 0x04CF },
		{ 0x04C1, 0x04C2 }, { 0x052E, 0x052F }, { 0x0531, 0x0561 }, { 0x0556, 0x0586 },
		{ 0x1E00, 0x1E01 }, { 0x1EFE, 0x1EFF }, { 0xFF21, 0xFF41 }, { 0xFF3A, 0xFF5A }
	};
	static const uint16_t single[] = { 0x0130, 0x0131, 0x0138, 0x0149, 0x017F, 0x01C5,
					   0x0345, 0x0390, 0x03D0, 0x03F5, 0x0560, 0x0587,
					   0x10D0, 0x1E9B, 0x1E9E, 0x1F00, 0x1F08, 0x212A,
					   0x212B, 0x2C65, 0xFF40, 0xFF5B };
	/* Over each letter and its form. The number was computed from Unicode's simple
	 * mappings to upper case, and from U+0191, which folds to U+0192. */
	uint32_t digest = 2166136261;
	unsigned n = 0;

	(void)state;
	for (size_t i = 0; i < LENGTH(pairs); i++)
		assert_true(text_fold_far(pairs[i][0]) == text_fold_far(pairs[i][1]));
	for (size_t i = 0; i < LENGTH(single); i++)
		assert_int_equal(text_fold_far(single[i]), single[i]);
	for (uint32_t c = 0; c < 0x11000; c++) {
		if (text_fold_far(c) != c) {
			digest = fnv(digest, c);
			digest = fnv(digest, text_fold_far(c));
			n++;
		}
		assert_int_equal(text_fold_far(text_fold_far(c)), text_fold_far(c));
		assert_true(c >= 0x100 || text_fold_far(c) == c);
	}
	assert_int_equal(n, 554);
	assert_int_equal(digest, 0xEA32CC71);
}

static void names_differ_in_case_or_otherwise(void **state)
{
	static const struct {
		const char *a, *b;
		bool differ;
	} cases[] = {
		{ "Mod_P.ucas", "mod_P.UCAS", true },
		{ "a", "A", true },
		{ "AZ", "az", true },
		{ "Mod", "Mod", false },
		{ "", "", false },
		{ "Mod", "Mo", false },
		{ "MOD", "modx", false },
		{ "MOd", "moq", false },
		{ "@", "`", false },
		{ "[", "{", false },
		{ "?", "_", false },
		{ "M\xC3\x96", "m\xC3\xB6", false },
		{ "M\xC3\x96", "m\xC3\x96", true },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_int_equal(text_differs_in_case(cases[i].a, cases[i].b), cases[i].differ);
		assert_int_equal(text_differs_in_case(cases[i].b, cases[i].a), cases[i].differ);
	}
}

static void sub_and_trim_stay_inside(void **state)
{
	struct text t = BYTES(" \tab\t ");

	(void)state;
	t.ref.at = 100;
	assert_int_equal(text_sub(t, 2, 2).ref.at, 102);
	assert_int_equal(text_sub(t, 2, 2).ref.n_units, 2);
	assert_int_equal(text_sub(t, 2, UINT64_MAX).ref.n_units, 4);
	assert_int_equal(text_sub(t, UINT64_MAX, 5).ref.n_units, 0);
	assert_int_equal(text_sub(t, UINT64_MAX, 5).ref.at, 106);
	assert_true(text_is(text_trim(t), "ab"));
	assert_int_equal(text_trim(t).ref.at, 102);
	assert_int_equal(text_trim(BYTES(" \t ")).ref.n_units, 0);
	assert_int_equal(text_trim((struct text){ 0 }).ref.n_units, 0);
	assert_int_equal(text_sub((struct text){ 0 }, 0, 4).ref.n_units, 0);
}

static void at_reads_through_the_window(void **state)
{
	static const uint8_t data[] = "abcdef";
	struct cursor window = cursor_init(data, 6, 1000);

	(void)state;
	assert_true(
		text_is(text_at(&window, (struct text_ref){ .at = 1002, .n_units = 3 }), "cde"));
	assert_int_equal(
		text_at(&window, (struct text_ref){ .at = 1002, .n_units = 5 }).ref.n_units, 0);
	assert_int_equal(text_at(&window, (struct text_ref){ .at = 999, .n_units = 1 }).ref.n_units,
			 0);
	assert_int_equal(text_at(&window, (struct text_ref){ .at = 999, .n_units = 1 }).ref.at,
			 999);
	assert_int_equal(
		text_at(&window,
			(struct text_ref){ .at = 1000, .n_units = 4, .encoding = TEXT_UTF16LE })
			.ref.n_units,
		0);
	assert_int_equal(
		text_at(&window,
			(struct text_ref){ .at = 1000, .n_units = 3, .encoding = TEXT_UTF16LE })
			.ref.n_units,
		3);
}

static void find_gives_the_place_or_the_length(void **state)
{
	struct text t = BYTES("a=b=c");

	(void)state;
	assert_int_equal(text_find(t, '=', 0), 1);
	assert_int_equal(text_find(t, '=', 2), 3);
	assert_int_equal(text_find(t, '=', 4), 5);
	assert_int_equal(text_find(t, '=', 9), 5);
	assert_int_equal(text_find(BYTES("a\xE9"
					 "b\x80"),
				   0xE9, 0),
			 1);
	assert_int_equal(text_find(BYTES("a\xE9"
					 "b\x80"),
				   0x20AC, 0),
			 3);
	assert_int_equal(text_find(BYTES("a\xE9"
					 "b\x80"),
				   0x80, 0),
			 4);
}

static bool is_control(unsigned c)
{
	return c < 0x20 || c == 0x7F;
}

/* One byte of every value at every place of texts of every length around the sixteen bytes that
 * are looked at at a time, between bytes that are one off a control character. */
static void find_control_gives_the_first(void **state)
{
	static const uint8_t neighbours[] = { 0x20, 0x7E, 0x80, 0xFF };
	uint8_t data[40];

	(void)state;
	for (unsigned c = 0; c < 256 * LENGTH(neighbours); c++) {
		for (size_t n = 0; n <= sizeof data; n++) {
			size_t at = n > 0 ? (c + n) % n : 0;

			memset(data, neighbours[c % LENGTH(neighbours)], sizeof data);
			data[at] = (uint8_t)(c / LENGTH(neighbours));
			if (n > 0 && n < sizeof data)
				data[n] = 0;
			assert_int_equal(
				text_find_control(
					&(struct text){ data, { .n_units = (uint32_t)n } }, 0),
				n > 0 && is_control(data[at]) ? at : n);
		}
	}
	data[3] = data[20] = data[39] = 0x1F;
	for (uint64_t from = 21; from <= sizeof data; from++)
		assert_int_equal(
			text_find_control(&(struct text){ data, { .n_units = sizeof data } }, from),
			from < 40 ? 39 : 40);
}

static void words_compare_without_case(void **state)
{
	static const uint8_t setup_be[] = { 0, 's', 0, 'E', 0, 't', 0, 'u', 0, 'P' };

	(void)state;
	assert_true(text_is(BYTES("SETUP"), "setup"));
	assert_true(text_is(wide(setup_be, 5, TEXT_UTF16BE), "Setup"));
	assert_false(text_is(BYTES("setups"), "setup"));
	assert_false(text_is(BYTES("setu"), "setup"));
	assert_true(text_is(BYTES(""), ""));
	assert_true(text_starts(BYTES("Core.System"), "core."));
	assert_false(text_starts(BYTES("Core"), "core."));
	assert_true(text_starts(BYTES("Core"), ""));
	assert_true(text_is(text_from("abc"), "ABC"));
}

static void compare_orders_by_folded_units(void **state)
{
	static const uint8_t o_slash_le[] = { 0xF8, 0x00 };

	(void)state;
	assert_int_equal(text_compare(BYTES("abc"), BYTES("ABC")), 0);
	assert_int_equal(text_compare(BYTES("abc"), BYTES("abcd")), -1);
	assert_int_equal(text_compare(BYTES("abcd"), BYTES("abc")), 1);
	assert_int_equal(text_compare(BYTES("abd"), BYTES("abc")), 1);
	assert_int_equal(text_compare(BYTES("abb"), BYTES("abc")), -1);
	assert_int_equal(text_compare(BYTES("\xD8"), wide(o_slash_le, 1, TEXT_UTF16LE)), 0);
	assert_int_equal(text_compare(BYTES(""), BYTES("")), 0);
}

static void numbers_end_at_their_limit(void **state)
{
	uint64_t v = 7;

	(void)state;
	assert_true(text_number(BYTES("0"), &v) && v == 0);
	assert_true(text_number(BYTES("007"), &v) && v == 7);
	assert_true(text_number(BYTES("9223372036854775807"), &v));
	assert_true(v == (uint64_t)INT64_MAX);
	v = 7;
	assert_false(text_number(BYTES("9223372036854775808"), &v));
	assert_false(text_number(BYTES("92233720368547758070"), &v));
	assert_false(text_number(BYTES("99999999999999999999999999"), &v));
	assert_false(text_number(BYTES(""), &v));
	assert_false(text_number(BYTES("-1"), &v));
	assert_false(text_number(BYTES("1 "), &v));
	assert_false(text_number(BYTES("0x1"), &v));
	assert_false(text_number(BYTES("1\xB2"), &v));
	assert_int_equal(v, 7);
}

static void utf8_has_each_length(void **state)
{
	static const uint8_t data[] = { 0x7F, 0x00, 0x80, 0x00, 0xFF, 0x07, 0x00, 0x08,
					0xFF, 0xFF, 0x00, 0xD8, 0x00, 0xDC, 0x00, 0xDC };
	static const char expected[] = "\x7F"
				       "\xC2\x80"
				       "\xDF\xBF"
				       "\xE0\xA0\x80"
				       "\xEF\xBF\xBF"
				       "\xF0\x90\x80\x80"
				       "\xEF\xBF\xBD";
	uint8_t buf[64];
	bool whole;
	size_t n = text_utf8(wide(data, 8, TEXT_UTF16LE), 7, buf, &whole);

	(void)state;
	assert_true(whole);
	assert_int_equal(n, sizeof expected - 1);
	assert_memory_equal(buf, expected, n);
	assert_int_equal(text_utf8_len(wide(data, 8, TEXT_UTF16LE)), n);
	assert_int_equal(text_utf8_len(BYTES("")), 0);
	assert_int_equal(text_utf8(wide(data, 8, TEXT_UTF16LE), 6, buf, &whole), n - 3);
	assert_false(whole);
	assert_int_equal(text_utf8(BYTES("ab"), 0, buf, &whole), 0);
	assert_false(whole);
	assert_int_equal(text_utf8(BYTES(""), 0, buf, &whole), 0);
	assert_true(whole);
	assert_int_equal(text_utf8(BYTES("\x80"), 4, buf, &whole), 3);
	assert_memory_equal(buf, "\xE2\x82\xAC", 3);
}

/* The prefix comes in the text's encoding, and nothing is written after the text. */
static void a_prefix_takes_the_encoding(void **state)
{
	static const struct {
		enum text_encoding encoding;
		const char *units;
		size_t n_units;
		const char *expected;
		size_t len;
	} rows[] = {
		{ TEXT_CP1252, "c\x80", 2, "A\\c\x80", 4 },
		{ TEXT_CP1252, "", 0, "A\\", 2 },
		{ TEXT_UTF16LE, "c\0\xAC\x20", 2, "A\0\\\0c\0\xAC\x20", 8 },
		{ TEXT_UTF16BE, "\0c\x20\xAC", 2, "\0A\0\\\0c\x20\xAC", 8 },
		{ TEXT_UTF16BE, "", 0, "\0A\0\\", 4 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		uint8_t buf[16];
		struct text out;

		memset(buf, 0xEE, sizeof buf);
		out = text_prefixed("A\\", wide(rows[i].units, rows[i].n_units, rows[i].encoding),
				    buf);
		assert_ptr_equal(out.data, buf);
		assert_int_equal(out.ref.encoding, rows[i].encoding);
		assert_int_equal(out.ref.n_units, 2 + rows[i].n_units);
		assert_memory_equal(buf, rows[i].expected, rows[i].len);
		for (size_t k = rows[i].len; k < sizeof buf; k++)
			assert_int_equal(buf[k], 0xEE);
	}
}

/* Of all lengths, and of bytes that are plain, are not, or stand after the text. */
static void a_short_digest_is_the_same(void **state)
{
	static const char signs[] = "09@AZ[_`az{~\x7F/:;<=>?^]\\|}\x01 .\x80\xFF\xDF";
	uint64_t seed = 3, n_plain = 0;

	(void)state;
	for (uint32_t turn = 0; turn < 20000; turn++) {
		uint32_t n = 1 + turn % TEXT_SHORT_MAX,
			 n_signs = turn % 3 == 0 ? sizeof signs - 1 : 12;
		struct text_digest whole, few;
		uint8_t text[TEXT_SHORT_MAX];

		for (size_t i = 0; i < sizeof text; i++)
			text[i] = (uint8_t)
				signs[unit_random(&seed) % (i < n ? n_signs : sizeof signs - 1)];
		whole = text_digest(text, n);
		few = text_digest_short(text, n);
		assert_true(few.head == whole.head);
		assert_int_equal(few.hash, whole.hash);
		assert_int_equal(few.plain, whole.plain);
		n_plain += whole.plain;
	}
	assert_in_range(n_plain, 5000, 18000);
}

static void names_are_widened(void **state)
{
	uint64_t random = 5;

	(void)state;
	for (uint32_t n = 0; n < 300; n++) {
		uint8_t name[300], wide[602];
		bool ascii = true;

		memset(wide, 0x55, sizeof wide);
		for (uint32_t i = 0; i < n; i++)
			name[i] = (uint8_t)(unit_random(&random) % (n % 4 == 0 ? 132 : 128));
		for (uint32_t i = 0; i < n; i++)
			ascii = ascii && name[i] < 0x80;
		assert_int_equal(text_widen(wide, name, n), ascii);
		for (uint32_t i = 0; ascii && i < n; i++) {
			assert_int_equal(wide[2 * i],
					 name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i]);
			assert_int_equal(wide[2 * i + 1], 0);
		}
		assert_int_equal(wide[2 * (size_t)n], 0x55);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cp1252_is_the_table),
		cmocka_unit_test(utf16_is_read_in_both_orders),
		cmocka_unit_test(surrogates_join_or_stay_alone),
		cmocka_unit_test(surrogate_ranges_have_their_ends),
		cmocka_unit_test(folding_is_ascii_latin1_and_cp1252),
		cmocka_unit_test(letters_beyond_latin1_have_one_form),
		cmocka_unit_test(names_differ_in_case_or_otherwise),
		cmocka_unit_test(sub_and_trim_stay_inside),
		cmocka_unit_test(at_reads_through_the_window),
		cmocka_unit_test(find_gives_the_place_or_the_length),
		cmocka_unit_test(find_control_gives_the_first),
		cmocka_unit_test(words_compare_without_case),
		cmocka_unit_test(compare_orders_by_folded_units),
		cmocka_unit_test(numbers_end_at_their_limit),
		cmocka_unit_test(utf8_has_each_length),
		cmocka_unit_test(a_prefix_takes_the_encoding),
		cmocka_unit_test(a_short_digest_is_the_same),
		cmocka_unit_test(names_are_widened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

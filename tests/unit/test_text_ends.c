/* Tests of texts at their ends: what follows one is not looked at, eight units still fit a word, no
 * bit of a character is lost. */
#include "core/path.h"
#include "core/text.h"
#include "unit.h"

static struct text bytes(const void *data, size_t n)
{
	return (struct text){ data, { .n_units = (uint32_t)n } };
}

/* A character as one or two units of UTF-16. */
static struct text character(uint32_t c, uint8_t buf[4])
{
	uint32_t units[2] = { c, 0 };
	uint32_t n = 1;

	if (c >= 0x10000) {
		units[0] = 0xD800 + ((c - 0x10000) >> 10);
		units[1] = 0xDC00 + ((c - 0x10000) & 0x3FF);
		n = 2;
	}
	for (uint32_t i = 0; i < n; i++) {
		buf[2 * i] = (uint8_t)units[i];
		buf[2 * i + 1] = (uint8_t)(units[i] >> 8);
	}
	return (struct text){ buf, { .n_units = n, .encoding = TEXT_UTF16LE } };
}

/* A character from UTF-8, by the number of leading ones in its first byte. */
static uint32_t from_utf8(const uint8_t *p, size_t n)
{
	static const uint8_t lead[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
	uint32_t c = p[0] & lead[n];

	for (size_t i = 1; i < n; i++) {
		assert_int_equal(p[i] & 0xC0, 0x80);
		c = c << 6 | (p[i] & 0x3F);
	}
	return c;
}

static void utf8_keeps_every_bit(void **state)
{
	uint8_t in[4], out[4];
	bool whole;

	(void)state;
	for (uint32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 61) {
		const size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

		if (c >= 0xD800 && c <= 0xDFFF)
			continue;
		assert_int_equal(text_utf8(character(c, in), 1, out, &whole), len);
		assert_true(whole);
		assert_int_equal(from_utf8(out, len), c);
		assert_int_equal(text_utf8_len(character(c, in)), len);
	}
}

/* One text is the beginning of the other, and more of what does not belong to it follows. */
static void what_follows_is_not_compared(void **state)
{
	static const char *const longer[] = { "Maps0", "Mapsz", "Maps\\", "Maps\xFF" };

	(void)state;
	for (size_t i = 0; i < LENGTH(longer); i++) {
		const struct text begins = bytes("MapsMMMM", 4), whole = bytes(longer[i], 5);

		assert_int_equal(text_compare(begins, whole), -1);
		assert_int_equal(text_compare(whole, begins), 1);
		assert_int_equal(path_compare(begins, whole), -1);
		assert_int_equal(path_compare(whole, begins), 1);
		assert_false(path_is_spelt_alike(&begins, &whole));
	}
	assert_int_equal(text_compare(bytes("Maps1", 4), bytes("Maps2", 4)), 0);
	assert_int_equal(path_compare(bytes("Maps1", 4), bytes("Maps2", 4)), 0);
}

/* Up to eight ASCII characters are a word, the first one lowest, in capitals. */
static void eight_characters_are_a_word(void **state)
{
	static const char letters[] = "aZ[q0~.Xm";
	uint8_t units[18];
	uint64_t word = 0;

	(void)state;
	for (uint32_t i = 0; i < 9; i++) {
		units[2 * i] = (uint8_t)letters[i];
		units[2 * i + 1] = 0;
	}
	for (uint32_t n = 0; n <= 8; n++) {
		const struct text wide = { units, { .n_units = n, .encoding = TEXT_UTF16LE } };

		assert_true(text_word8(bytes(letters, n)) == word);
		assert_true(text_word8(wide) == word);
		word |= n < 8 ? (uint64_t)text_fold((uint32_t)letters[n]) << 8 * n : 0;
	}
	assert_true(text_word8(bytes(letters, 9)) == 0);
}

/* What is no ASCII, or would end a C string, is in no word, wherever it stands. */
static void other_characters_are_in_no_word(void **state)
{
	static const uint8_t others[] = { 0x00, 0x80, 0xFF };

	(void)state;
	for (size_t k = 0; k < LENGTH(others); k++) {
		for (size_t i = 0; i < 8; i++) {
			char word[] = "abcdefgh";

			word[i] = (char)others[k];
			assert_true(text_word8(bytes(word, 8)) == 0);
		}
	}
	assert_true(text_word8(bytes("\x01\x7F", 2)) == 0x7F01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_keeps_every_bit),
		cmocka_unit_test(what_follows_is_not_compared),
		cmocka_unit_test(eight_characters_are_a_word),
		cmocka_unit_test(other_characters_are_in_no_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

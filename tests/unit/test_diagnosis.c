/* Tests of what explains findings: the census of bytes, what other formats look like, and whom a
 * diagnosis keeps from being suspected. conformance/damage tests the diagnoses themselves. */
#include "diagnosis/census.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/other_format.h"
#include "unit.h"

static struct census take(const void *bytes, size_t n, uint32_t mark, struct probe *probes,
			  size_t n_probes)
{
	struct census c;
	struct source s;
	struct fault_memory memory;
	struct arena arena = unit_arena(&memory, UNIT_PLENTY);

	source_init_memory(&s, bytes, n, "a file", &arena);
	assert_true(census_take(&s, mark, probes, n_probes, &c));
	arena_free(&arena);
	return c;
}

static struct census take_text(const char *text, size_t n)
{
	return take(text, n, 0, NULL, 0);
}
#define TAKE(text) take_text(text, sizeof(text) - 1)

static void line_ends_are_counted(void **state)
{
	struct census c = TAKE("a\r\nb\rc\nd\n\r\n");

	(void)state;
	assert_int_equal(c.n, 11);
	assert_int_equal(c.n_cr, 3);
	assert_int_equal(c.n_lf, 4);
	assert_int_equal(c.n_pairs, 2);
	assert_int_equal(c.n_binary_lf, 0);
	assert_int_equal(c.n_controls, 0);
	c = TAKE("\x01\n\x02"
		 "\x80\r\n\xFF"
		 "x\n\x03"
		 "\x04\n"
		 "y"
		 "\n");
	assert_int_equal(c.n_lf, 5);
	assert_int_equal(c.n_binary_lf, 2);
	assert_int_equal(c.n_controls, 4);
	/* a LF that is the first byte has nothing before it */
	c = TAKE("\n\x01");
	assert_int_equal(c.n_lf, 0);
	assert_int_equal(c.n_binary_lf, 0);
}

static void utf8_is_known(void **state)
{
	static const struct {
		const char *text;
		bool is_utf8;
		unsigned n_sequences, n_replaced;
	} rows[] = {
		{ "plain", true, 0, 0 },
		{ "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", true, 3, 0 },
		{ "\xEF\xBF\xBD\xEF\xBF\xBD", true, 2, 2 },
		{ "\xEF\xBF\xBC", true, 1, 0 },
		{ "\xC3", false, 0, 0 },                    /* truncated */
		{ "\xC3x", false, 0, 0 },                   /* not continued */
		{ "\x80", false, 0, 0 },                    /* continues nothing */
		{ "\xC1\x81", false, 0, 0 },                /* two bytes where one is enough */
		{ "\xE0\x80\x80", false, 1, 0 },            /* likewise three */
		{ "\xED\xA0\x80", false, 1, 0 },            /* half of a surrogate pair */
		{ "\xED\x9F\xBF\xEE\x80\x80", true, 2, 0 }, /* around these */
		{ "\xF4\x8F\xBF\xBF", true, 1, 0 },         /* the last character */
		{ "\xF4\x90\x80\x80", false, 0, 0 },        /* after it */
		{ "\xF5\x80\x80\x80", false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct census c = take_text(rows[i].text, strlen(rows[i].text));

		assert_int_equal(c.is_utf8, rows[i].is_utf8);
		assert_int_equal(c.n_sequences, rows[i].n_sequences);
		assert_int_equal(c.n_replaced, rows[i].n_replaced);
	}
}

static void zeros_are_found_where_probes_are(void **state)
{
	static uint8_t bytes[40000];
	struct probe probes[] = {
		{ .place = { 0, 4 } },        /* before any zeros */
		{ .place = { 999, 1 } },      /* ends where they begin */
		{ .place = { 1200, 8 } },     /* in the middle */
		{ .place = { 1512, 4 } },     /* right after them */
		{ .place = { 1513, 4 } },     /* one byte farther */
		{ .place = { 20000, 19000 } } /* in front of the tail */
	};
	struct census c;

	(void)state;
	memset(bytes, 'x', sizeof bytes);
	memset(bytes + 1000, 0, CENSUS_RUN_MIN);
	memset(bytes + 3000, 0, CENSUS_RUN_MIN - 1);
	memset(bytes + 39000, 0, 1000);
	c = take(bytes, sizeof bytes, 0, probes, sizeof probes / sizeof *probes);
	assert_int_equal(c.head_zeros, 0);
	assert_int_equal(c.tail_zeros, 1000);
	assert_int_equal(probes[0].zeros.len, 0);
	for (size_t i = 1; i < 4; i++) {
		assert_int_equal(probes[i].zeros.at, 1000);
		assert_int_equal(probes[i].zeros.len, CENSUS_RUN_MIN);
	}
	assert_int_equal(probes[4].zeros.len, 0);
	assert_int_equal(probes[5].zeros.at, 39000);
	memset(bytes, 0, sizeof bytes);
	c = take(bytes, sizeof bytes, 0, NULL, 0);
	assert_int_equal(c.head_zeros, sizeof bytes);
	assert_int_equal(c.tail_zeros, sizeof bytes);
	assert_int_equal(c.n_odd_zeros, sizeof bytes / 2);
}

static void a_mark_is_found_last(void **state)
{
	const uint8_t bytes[] = { 0xA3, 0xC5, 0xE3, 0x9F, 1, 0xA3, 0xC5, 0xE3, 0x9F, 2 };
	struct census c = take(bytes, sizeof bytes, 0x9FE3C5A3, NULL, 0);

	(void)state;
	assert_int_equal(c.mark_at, 5);
	c = take(bytes, 4, 0x9FE3C5A3, NULL, 0);
	assert_int_equal(c.mark_at, 0);
	c = take(bytes + 1, 3, 0x9FE3C5A3, NULL, 0);
	assert_true(c.mark_at == UINT64_MAX);
}

/* The same bytes have the same census wherever they lie: runs, ends of lines, characters and
 * marks go on over the end of what is read at once. */
static void pieces_do_not_matter(void **state)
{
	static const uint8_t pattern[] = { 0xC3, 0xA9, '\r', '\n', 1,    0,    0,
					   0,    'x',  '\n', 2,    0xE2, 0x82, 0xAC,
					   0xA3, 0xC5, 0xE3, 0x9F, 0,    '\n' };
	enum { ROOM = 4096 + 64 };
	static uint8_t bytes[2 * ROOM];

	(void)state;
	for (size_t at = 1; at + sizeof pattern + 5 <= 2 * ROOM; at += at == 40 ? 4030 : 1) {
		const size_t n = at + sizeof pattern + 5;
		struct census c;

		memset(bytes, 'x', n);
		memcpy(bytes + at, pattern, sizeof pattern);
		c = take(bytes, n, 0x9FE3C5A3, NULL, 0);
		assert_false(c.is_utf8);
		assert_int_equal(c.n_cr, 1);
		assert_int_equal(c.n_lf, 3);
		assert_int_equal(c.n_pairs, 1);
		assert_int_equal(c.n_binary_lf, 1);
		assert_int_equal(c.n_controls, 6);
		assert_int_equal(c.most_zeros.at, at + 5);
		assert_int_equal(c.most_zeros.len, 3);
		assert_int_equal(c.n_odd_zeros,
				 (at + 8) / 2 - (at + 5) / 2 + (at + 19) / 2 - (at + 18) / 2);
		assert_int_equal(c.mark_at, at + 14);
		assert_int_equal(c.tail_zeros, 0);
		/* up to the mark it is UTF-8 */
		c = take(bytes, at + 14, 0, NULL, 0);
		assert_true(c.is_utf8);
		assert_int_equal(c.n_sequences, 2);
	}
}

static void formats_are_named(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		enum texts texts;
		const char *own, *name;
	} rows[] = {
		{ "PK\x03\x04rest", 8, TEXTS_NONE, "upkg", "a zip archive" },
		{ "PK\x03", 3, TEXTS_NONE, "upkg", NULL },
		{ "RIFF\x10\0\0\0WAVEfmt ", 16, TEXTS_NONE, "upkg", "a WAV file" },
		{ "RIFF\x10\0\0\0AVI LIST", 16, TEXTS_NONE, "upkg", NULL },
		{ "\xC1\x83\x2A\x9E\x45\0", 6, TEXTS_NONE, "umod", "an Unreal package" },
		{ "\xC1\x83\x2A\x9E\x45\0", 6, TEXTS_NONE, "upkg", NULL },
		{ "\x2E\x16\0\0\x05", 5, TEXTS_NONE, "upkg", "a .uz download" },
		{ "\x2E\x16\0\0\x05", 5, TEXTS_NONE, "uz3", NULL },
		{ "\xEF\xBB\xBF \r\n<!DOCTYPE HTML><html>", 26, TEXTS_ALL, NULL, "an HTML page" },
		{ "<!DOCTYPE HTML><html>", 21, TEXTS_NONE, NULL, NULL },
		{ "{\"error\": \"not found\"}", 22, TEXTS_KNOWN, NULL, "a JSON document" },
		{ "[Setup]\nProduct=Mod", 19, TEXTS_KNOWN, NULL, NULL },
		{ "[Setup]\nProduct=Mod", 19, TEXTS_ALL, NULL, "a text file" },
		{ "[\"a\", \"b\", \"c\", 1]", 18, TEXTS_KNOWN, NULL, "a JSON document" },
		{ "wYMqnkUAHAAAAAAAQAAAAGAA", 24, TEXTS_KNOWN, NULL,
		  "base64, the text form of a binary file" },
		{ "too short", 9, TEXTS_ALL, NULL, NULL },
		{ "", 0, TEXTS_ALL, NULL, NULL },
		{ "<!doc", 5, TEXTS_KNOWN, NULL, NULL },
		{ "<?xml version=\"1.0\"?>", 21, TEXTS_KNOWN, NULL, "an XML document" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *name = other_format((const uint8_t *)rows[i].bytes, rows[i].n,
						rows[i].texts, rows[i].own);

		assert_int_equal(!name, !rows[i].name);
		if (name)
			assert_string_equal(name, rows[i].name);
	}
}

static void accidents_suspect_nobody(void **state)
{
	static const struct diagnosis_kind all = { .id = "truncated", .explains = EXPLAINS_ALL },
					   data = { .id = "damaged", .explains = EXPLAINS_DATA },
					   none = { .id = "appended", .explains = EXPLAINS_NONE };
	static const enum rule_sign signs[] = { SIGN_NONE, SIGN_DATA, SIGN_PATH, SIGN_ATTACK,
						SIGN_INTENT };
	static const bool expected[3][5] = { { true, true, false, false, false },
					     { false, true, false, false, false },
					     { false, false, false, false, false } };
	const struct diagnosis of[3] = { { .kind = &all }, { .kind = &data }, { .kind = &none } };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct rule r = { .class = CLASS_SECURITY, .sign = signs[i] };

		for (size_t k = 0; k < 3; k++) {
			assert_int_equal(diagnosis_explains(&of[k], &r), expected[k][i]);
			assert_int_equal(diagnosis_class(&of[k], &r),
					 expected[k][i] ? CLASS_CORRUPTION : CLASS_SECURITY);
		}
		assert_false(diagnosis_explains(NULL, &r));
		r.class = CLASS_HYGIENE;
		assert_int_equal(diagnosis_class(&of[0], &r), CLASS_HYGIENE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_ends_are_counted),
		cmocka_unit_test(utf8_is_known),
		cmocka_unit_test(zeros_are_found_where_probes_are),
		cmocka_unit_test(a_mark_is_found_last),
		cmocka_unit_test(pieces_do_not_matter),
		cmocka_unit_test(formats_are_named),
		cmocka_unit_test(accidents_suspect_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

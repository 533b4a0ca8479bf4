/* Tests of how findings become words: arguments that are copied and cut, and what messages make of
 * them. */
#include <stdlib.h>

#include "report/message.h"
#include "unit.h"

/* ---- A finding ------------------------------------------------------------------------------- */

static const struct rule sample_rule = { .id = "TST001",
					 .name = "sample",
					 .message = "a {0} b",
					 .data = "name",
					 .severity = SEVERITY_ERROR };

/* A made is one finding of a rule that fails with one argument, and the message that it comes
 * to. */
static struct {
	struct fault_memory memory;
	struct arena arena;
	uint8_t status[1];
	uint8_t why[1];
	struct rule_result result[1];
	struct results_notes notes;
	const struct finding *finding;
	struct out out;
} made;

static int begin_making(void **state)
{
	(void)state;
	memset(&made, 0, sizeof made);
	made.notes.own = made.result;
	made.arena = unit_arena(&made.memory, UNIT_PLENTY);
	return 0;
}

static int end_making(void **state)
{
	(void)state;
	arena_free(&made.arena);
	return made.memory.n_live != 0;
}

/* Returns the argument as the finding keeps it. */
static const struct finding_arg *keep_arg(const struct rule *rule, struct arg arg)
{
	const struct rule *rules[] = { rule };
	const struct rule_setting setting = { .severity = SEVERITY_ERROR };
	struct check c = {
		.arena = &made.arena,
		.rules = rules,
		.results = { made.status, made.why, &made.notes },
		.settings = &setting,
		.keep_max = UINT64_MAX,
	};

	made.status[0] = RULE_PASS;
	report_finding(&c, false, NOWHERE, &arg, 1);
	assert_non_null(c.made);
	made.finding = c.made;
	return &c.made->args[0];
}

static void expect_message(const char *expected)
{
	message_render(&made.out, made.finding);
	assert_int_equal(made.out.n, strlen(expected));
	assert_memory_equal(made.out.buf, expected, strlen(expected));
}

/* ---- Names of files -------------------------------------------------------------------------- */

static const char *repeated(const char *s, size_t n)
{
	static char buf[4 * ARG_NAME_MAX];

	buf[0] = '\0';
	for (size_t i = 0; i < n; i++)
		memcpy(buf + i * strlen(s), s, strlen(s) + 1);
	return buf;
}

static void names_are_utf8(void **state)
{
	const struct finding_arg *a = keep_arg(&sample_rule, file_name("M\xC3\xB6"
								       "d_\xE6\xA8\xA1_P.ucas"));

	(void)state;
	assert_false(a->cut);
	expect_message("a \"M\xC3\xB6"
		       "d_\xE6\xA8\xA1_P.ucas\" b");
}

/* No file system has a longer name than 255 units, which are 765 bytes, but a host may have. */
static void names_are_whole_or_cut_between_characters(void **state)
{
	static const struct {
		const char *part;
		size_t n, kept;
		bool cut;
	} rows[] = {
		{ "n", 64, 64, false },
		{ "n", 65, 65, false },
		{ "n", 255, 255, false },
		{ "n", 1024, 1024, false },
		{ "n", 1025, 1024, true },
		{ "n", 4000, 1024, true },
		{ "\xC3\xB6", 512, 1024, false },
		{ "\xC3\xB6", 513, 1024, true },
		{ "\xE6\xA8\xA1", 255, 765, false },
		{ "\xE6\xA8\xA1", 341, 1023, false },
		{ "\xE6\xA8\xA1", 342, 1023, true },
		{ "\xF0\x9F\x98\x80", 256, 1024, false },
		{ "\xF0\x9F\x98\x80", 257, 1024, true },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *name = repeated(rows[i].part, rows[i].n);
		const struct finding_arg *a = keep_arg(&sample_rule, file_name(name));

		assert_int_equal(a->text_len, rows[i].kept);
		assert_memory_equal(a->text, name, rows[i].kept);
		assert_int_equal(a->cut, rows[i].cut);
		message_render(&made.out, made.finding);
		assert_int_equal(made.out.n, 6 + rows[i].kept + (rows[i].cut ? 3 : 0));
		assert_memory_equal(made.out.buf + made.out.n - 3, rows[i].cut ? ". b" : "\" b", 3);
	}
}

/* Names that are no UTF-8 are shown byte by byte, and cut anywhere. */
static void names_may_be_any_bytes(void **state)
{
	(void)state;
	keep_arg(&sample_rule, file_name("M\xF6"
					 "d\x84_P.ucas"));
	expect_message("a \"M\\xF6d\\x84_P.ucas\" b");
	assert_int_equal(keep_arg(&sample_rule, file_name(repeated("\x84", 1500)))->text_len, 1021);
	assert_true(made.finding->args[0].cut);
	assert_int_equal(keep_arg(&sample_rule, file_name(repeated("\xF6", 1500)))->text_len, 1024);
}

/* ---- Ids ------------------------------------------------------------------------------------- */

static void bytes_stand_in_their_order(void **state)
{
	static const uint8_t id[] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB,
				      0xCD, 0xEF, 0x00, 0x80, 0x84, 0xFF };

	(void)state;
	keep_arg(&sample_rule, HEX_BYTES(id, sizeof id));
	expect_message("a 0123456789abcdef008084ff b");
	keep_arg(&sample_rule, HEX_BYTES(id, 1));
	expect_message("a 01 b");
	for (size_t n = ARG_BYTES_MAX - 1; n <= ARG_NAME_MAX + 1; n++) {
		const struct finding_arg *a = keep_arg(
			&sample_rule, HEX_BYTES((const uint8_t *)repeated("n", n), n));

		assert_int_equal(a->text_len, n < ARG_NAME_MAX ? n : ARG_NAME_MAX);
		assert_int_equal(a->cut, n > ARG_NAME_MAX);
	}
}

/* ---- Texts that no source has ---------------------------------------------------------------- */

static void texts_are_copied_from_memory(void **state)
{
	static const uint8_t wide[] = { 'a', 0, 0xF6, 0 };
	const struct text t = { wide, { .at = 1 << 20, .n_units = 2, .encoding = TEXT_UTF16LE } };
	const struct arg text = TEXT_OF(t), utf8 = UTF8("x\xC3\xB6", 3);

	(void)state;
	assert_int_equal(text.kind, ARG_TEXT);
	assert_ptr_equal(text.units, wide);
	assert_false(text.is_utf8);
	assert_int_equal(utf8.kind, ARG_TEXT);
	assert_true(utf8.is_utf8);
	assert_int_equal(utf8.text.n_units, 3);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin_making, end_making)
	const struct CMUnitTest tests[] = {
		T(names_are_utf8),
		T(names_are_whole_or_cut_between_characters),
		T(names_may_be_any_bytes),
		T(bytes_stand_in_their_order),
		cmocka_unit_test(texts_are_copied_from_memory),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

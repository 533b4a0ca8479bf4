/* Tests of what a text report makes of many findings, of lines that are longer than the terminal is
 * wide, and of counts of one. */
#include <stdio.h>

#include "report/describe.h"
#include "report/text/line.h"
#include "report_writer_state.h"

static struct bench b;

/* Findings about rows of a table. */
static void open_rows(size_t n, enum severity severity)
{
	bench_open(&b, "a.umod", n, severity);
	for (size_t i = 0; i < n; i++) {
		b.findings[i].place = (struct place){
			.span = { i, 4 }, .record = "entry", .index = i, .known = true
		};
		b.findings[i].n_related = 0;
	}
}

static const char *written(void)
{
	assert_int_equal(write_all(&b, "text", KEPT_MAX - 1), WRITER_OK);
	kept.bytes[kept.n] = 0;
	bench_close(&b);
	return (const char *)kept.bytes;
}

static size_t count(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)) != NULL; text++)
		n++;
	return n;
}

/* ---- Many findings --------------------------------------------------------------------------- */

static void findings_of_one_rule_share_lines(void **state)
{
	const char *text;

	(void)state;
	open_rows(12, SEVERITY_WARNING);
	b.findings[7].place.index = 30;
	text = written();
	assert_int_equal(count(text, "warning[TST001]"), 1);
	assert_int_equal(count(text, "\n   also \"::x"), 4);
	assert_int_equal(count(text, "::x.#.[y]"), 1);
	assert_int_equal(count(text, "   = because\n"), 1);
	assert_non_null(strstr(text, "  --> @ 0x01 +4  entry[1]\n"));
	assert_non_null(strstr(text, "   = TST001 x 12 in all: entry 0-6, 30, 8-11\n"));
	assert_non_null(strstr(text, "  12 warnings.   ruleset"));
}

static void five_findings_need_no_sum(void **state)
{
	(void)state;
	open_rows(5, SEVERITY_WARNING);
	assert_null(strstr(written(), " in all"));
	open_rows(6, SEVERITY_WARNING);
	assert_non_null(strstr(written(), "TST001 x 6 in all: entry 0-5\n"));
}

static void rows_that_are_not_told_are_others(void **state)
{
	(void)state;
	open_rows(12, SEVERITY_WARNING);
	b.result[0].n_found[SEVERITY_WARNING] = b.report.n_found[SEVERITY_WARNING] = 5000;
	assert_non_null(strstr(written(), "TST001 x 5000 in all: entry 0-11 and others\n"));
	open_rows(12, SEVERITY_WARNING);
	b.findings[11].place.record = "line";
	assert_non_null(strstr(written(), "TST001 x 12 in all: entry 0-10 and others\n"));
	open_rows(20, SEVERITY_WARNING);
	for (size_t i = 0; i < 20; i++)
		b.findings[i].place.index = 2 * i;
	assert_non_null(strstr(written(),
			       "TST001 x 20 in all: entry 0, 2, 4, 6, 8, 10, 12, 14 and others\n"));
}

static void verbose_shows_all_with_their_bytes(void **state)
{
	const char *text;

	(void)state;
	open_rows(12, SEVERITY_WARNING);
	b.engine->verbose = true;
	text = written();
	assert_int_equal(count(text, "warning[TST001]"), 12);
	assert_int_equal(count(text, "::x.#.[y]"), 12);
	assert_int_equal(count(text, "   = because\n"), 1);
	assert_null(strstr(text, " in all"));
}

/* A report of several rules, each with one finding. */
enum { RULES_MAX = 40 };
static char ids[RULES_MAX][8];
static struct rule copies[RULES_MAX];
static const struct rule *rules[RULES_MAX];
static uint8_t status[RULES_MAX], why[RULES_MAX];
static struct rule_result results[RULES_MAX];

static void add_rule(size_t i, enum severity severity)
{
	memcpy(ids[i], "TST000", 7);
	ids[i][4] = (char)('0' + i / 10);
	ids[i][5] = (char)('0' + i % 10);
	copies[i] = sample_rule;
	copies[i].id = ids[i];
	rules[i] = b.findings[i].rule = &copies[i];
	status[i] = RULE_FAIL;
	results[i] = (struct rule_result){ .status = RULE_FAIL, .n_kept = 1 };
	results[i].n_found[severity] = 1;
	b.findings[i].severity = severity;
	b.report.n_found[severity]++;
}

static void open_rules(size_t n)
{
	bench_open(&b, "a.umod", n, SEVERITY_NONE);
	b.report.verdict = VERDICT_INVALID;
	b.report.rules = rules;
	b.report.n_rules = n;
	b.report.results = (struct results){ status, why, &b.notes };
	b.notes.own = results;
	for (size_t i = 0; i < n; i++)
		b.findings[i].n_related = 0;
}

static void severest_come_first(void **state)
{
	static const enum severity severities[] = { SEVERITY_WARNING, SEVERITY_ERROR,
						    SEVERITY_UNDETERMINED, SEVERITY_ERROR };
	static const char *const order[] = { "error[TST001]", "error[TST003]",
					     "undetermined[TST002]", "warning[TST000]" };
	const char *at;

	(void)state;
	open_rules(LENGTH(severities));
	for (size_t i = 0; i < LENGTH(severities); i++)
		add_rule(i, severities[i]);
	at = written();
	for (size_t i = 0; i < LENGTH(order); i++) {
		at = strstr(at, order[i]);
		assert_non_null(at);
	}
}

static const char *written_notes(enum verdict verdict, size_t n_notes, bool verbose)
{
	open_rules(1 + n_notes);
	add_rule(0, SEVERITY_ERROR);
	for (size_t i = 1; i <= n_notes; i++)
		add_rule(i, SEVERITY_NOTE);
	b.report.verdict = verdict;
	b.engine->verbose = verbose;
	return written();
}

static void notes_of_invalid_files_are_counted(void **state)
{
	const char *text = written_notes(VERDICT_INVALID, 1, false);

	(void)state;
	assert_null(strstr(text, "note["));
	assert_non_null(strstr(text, "\n... 1 note not shown; -v shows it\n"));
	assert_non_null(strstr(text, "1 error, 1 note."));
	text = written_notes(VERDICT_INVALID, 2, false);
	assert_non_null(strstr(text, "\n... 2 notes not shown; -v shows them\n"));
	text = written_notes(VERDICT_INVALID, 2, true);
	assert_int_equal(count(text, "note[TST"), 2);
	assert_null(strstr(text, "not shown"));
	text = written_notes(VERDICT_VALID, 2, false);
	assert_int_equal(count(text, "note[TST"), 2);
}

static void many_rules_fit_on_a_page(void **state)
{
	const char *text;

	(void)state;
	open_rules(RULES_MAX);
	for (size_t i = 0; i < RULES_MAX; i++)
		add_rule(i, SEVERITY_ERROR);
	text = written();
	assert_true(count(text, "\n") <= 60);
	assert_int_equal(count(text, "   = because\n"), 5);
	assert_int_equal(count(text, "error[TST"), 13);
	assert_non_null(strstr(text, "\nerror[TST005] sample  \"::x"));
	assert_non_null(strstr(text, "\n... 27 more rules not shown; -v shows them\n"));
	assert_non_null(strstr(text, "  40 errors.   ruleset"));
}

static const char *written_unjudged(size_t n)
{
	static const struct unjudged list[] = {
		{ .reason = UNJUDGED_MEMORY, .what = "", .file = "" },
		{ .reason = UNJUDGED_CHANGED, .what = "", .file = "" },
		{ .reason = UNJUDGED_CANCELLED, .what = "", .file = "" },
		{ .reason = UNJUDGED_TIME, .what = "", .file = "" },
		{ .reason = UNJUDGED_WORKER, .what = "", .file = "" },
		{ .reason = UNJUDGED_RULES, .what = "", .file = "" },
	};

	bench_open(&b, "a.umod", 0, SEVERITY_NONE);
	b.report.verdict = VERDICT_UNDETERMINED;
	b.report.unjudged = list;
	b.report.n_unjudged = n;
	return written();
}

static void four_reasons_are_told(void **state)
{
	const char *text = written_unjudged(4);

	(void)state;
	assert_int_equal(count(text, "   = not judged: "), 4);
	assert_null(strstr(text, "-v"));
	text = written_unjudged(5);
	assert_non_null(strstr(text, "too long\n   = not judged: 1 more part; -v shows it\n"));
	text = written_unjudged(6);
	assert_non_null(strstr(text, "too long\n   = not judged: 2 more parts; -v shows them\n"));
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void expect_line(size_t width, const char *words, const char *expected)
{
	struct out o;
	struct line l;

	out_init(&o, NULL, NULL);
	out_string(line_begin(&l, &o, width, 4, 0), words);
	line_end(&l);
	assert_int_equal(o.n, strlen(expected));
	assert_memory_equal(o.buf, expected, o.n);
}

#define TEN "123456789 "

static void lines_are_broken_between_words(void **state)
{
	(void)state;
	expect_line(0, TEN TEN TEN TEN TEN "1", TEN TEN TEN TEN TEN "1\n");
	expect_line(40, TEN TEN TEN "1234567890", TEN TEN TEN "1234567890\n");
	expect_line(40, TEN TEN TEN "12345678901", TEN TEN "123456789\n    12345678901\n");
	expect_line(40, "  = " TEN TEN TEN TEN "1", "  = " TEN TEN "123456789\n    " TEN "1\n");
	/* a break takes the place of the spaces */
	expect_line(40, TEN TEN TEN TEN TEN TEN TEN TEN,
		    TEN TEN TEN "123456789\n    " TEN TEN "123456789\n    123456789\n");
	/* a terminal can be too narrow for anything */
	expect_line(1, TEN TEN TEN "1234567890 1", TEN TEN TEN "1234567890\n    1\n");
}

#define FORTY "1234567890123456789012345678901234567890"

static void words_are_never_divided(void **state)
{
	(void)state;
	expect_line(40, FORTY FORTY " 1", FORTY FORTY "\n    1\n");
	expect_line(40, "12345 " FORTY FORTY " 1", "12345\n    " FORTY FORTY "\n    1\n");
}

static void characters_are_counted(void **state)
{
	(void)state;
	expect_line(40, TEN TEN TEN "\xC3\xA4\xC3\xB6\xE2\x82\xAC\xC3\xBC\xC3\xA4 1234",
		    TEN TEN TEN "\xC3\xA4\xC3\xB6\xE2\x82\xAC\xC3\xBC\xC3\xA4 1234\n");
}

/* A word may be longer than what is held of it. */
static void long_words_are_passed_on(void **state)
{
	static char words[3 * LINE_WORD_MAX], expected[3 * LINE_WORD_MAX + 8];

	(void)state;
	memset(words, 'x', sizeof words - 1);
	memcpy(words, "12345 ", 6);
	snprintf(expected, sizeof expected, "12345\n    %s\n", words + 6);
	expect_line(40, words, expected);
}

static void reports_are_as_wide_as_asked(void **state)
{
	const char *line;

	(void)state;
	open_rows(12, SEVERITY_WARNING);
	b.engine->width = 50;
	for (line = written(); *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 50 || strchr(line, '|') != NULL);
}

/* ---- Counts of one --------------------------------------------------------------------------- */

static void expect_count(const char *name, uint64_t n, const char *expected)
{
	const struct info info = { .name = name, .number = n };
	const struct report report = { .infos = &info, .n_infos = 1 };
	struct out o;

	out_init(&o, NULL, NULL);
	describe_counts(&o, &report);
	o.buf[o.n] = 0;
	assert_string_equal((const char *)o.buf, expected);
}

static void one_is_singular(void **state)
{
	(void)state;
	expect_count("members", 0, ", 0 members");
	expect_count("members", 1, ", 1 member");
	expect_count("members", 2, ", 2 members");
	expect_count("unpacked_bytes", 1, ", 1 unpacked byte");
	expect_count("data", 1, ", 1 data");
	expect_count("", 1, ", 1 ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_of_one_rule_share_lines),
		cmocka_unit_test(five_findings_need_no_sum),
		cmocka_unit_test(rows_that_are_not_told_are_others),
		cmocka_unit_test(verbose_shows_all_with_their_bytes),
		cmocka_unit_test(severest_come_first),
		cmocka_unit_test(notes_of_invalid_files_are_counted),
		cmocka_unit_test(many_rules_fit_on_a_page),
		cmocka_unit_test(four_reasons_are_told),
		cmocka_unit_test(lines_are_broken_between_words),
		cmocka_unit_test(words_are_never_divided),
		cmocka_unit_test(characters_are_counted),
		cmocka_unit_test(long_words_are_passed_on),
		cmocka_unit_test(reports_are_as_wide_as_asked),
		cmocka_unit_test(one_is_singular),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

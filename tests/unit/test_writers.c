/* Tests of what writers do with reports of every sort: rules that guess, places beyond what numbers
 * can say, and far too much of all. */
#include <stdio.h>

#include "report/map.h"
#include "report/sarif/sarif_rules.h"
#include "report_writer_state.h"
#include "taken.h"

static struct bench b;

/* Writes a report in a format and expects a text in it. */
static void expect_written(const char *format, const char *text)
{
	assert_int_equal(write_all(&b, format, KEPT_MAX - 1), WRITER_OK);
	expect_words(format, text);
	bench_close(&b);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

/* A report with one finding of a rule. */
static void open_of_rule(const struct rule *rule)
{
	bench_open(&b, "a.umod", 1, SEVERITY_WARNING);
	b.rules[0] = b.findings[0].rule = b.engine->rules[0] = rule;
	b.findings[0].n_args = 0;
	b.engine->n_rules = 1;
}

#define SAMPLE(...) \
	{ \
		.id = "TST002", .name = "sample", .title = "A sample should be.", \
		.message = "it is not", .why = "because", .fix = "do", .spec = "x.md#1", \
		.severity = SEVERITY_WARNING, __VA_ARGS__ \
	}

static const struct rule plain = SAMPLE(.data = "", .class = CLASS_HYGIENE);
static const struct rule guess = SAMPLE(.data = "", .class = CLASS_HYGIENE,
					.flags = RULE_HEURISTIC);
static const struct rule dangerous = SAMPLE(.data = "", .class = CLASS_SECURITY);
static const struct rule dangerous_guess = SAMPLE(.data = "", .class = CLASS_SECURITY,
						  .flags = RULE_HEURISTIC);

static void what_is_guessed_is_said_to_be(void **state)
{
	static const struct {
		const struct rule *rule;
		const char *format, *text;
	} cases[] = {
		{ &plain, "text", "sample  it is not\n" },
		{ &guess, "text", "sample  it is not   (heuristic)\n" },
		{ &dangerous, "text", "sample  it is not   (security)\n" },
		{ &dangerous_guess, "text", "sample  it is not   (security, heuristic)\n" },
		{ &plain, "json", "\"class\":\"hygiene\",\"confidence\":\"certain\"," },
		{ &dangerous_guess, "ndjson",
		  "\"class\":\"security\",\"confidence\":\"heuristic\"," },
		{ &dangerous, "sarif",
		  "\"properties\":{\"precision\":\"very-high\",\"security-severity\":\"5.0\","
		  "\"tags\":[\"security\",\"TST\"]}" },
		{ &guess, "sarif",
		  "\"properties\":{\"precision\":\"medium\",\"tags\":[\"hygiene\",\"TST\"]}" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		open_of_rule(cases[i].rule);
		expect_written(cases[i].format, cases[i].text);
	}
}

/* Keys are in the order of their bytes, and have room for 31. */
/* What stands after a quote that nothing closes is code to the end of the message. */
static void open_quotes_end_with_the_message(void **state)
{
	static const struct rule open = { .id = "TST002",
					  .name = "sample",
					  .message = "it is 5\" long",
					  .data = "",
					  .fix = "do",
					  .spec = "x.md#1",
					  .severity = SEVERITY_WARNING };

	(void)state;
	open_of_rule(&open);
	expect_written("markdown", "it is 5`\" long`");
}

static void names_of_values_are_sorted_and_cut(void **state)
{
	static const struct rule rule =
		SAMPLE(.data = "zz a_name_that_is_longer_than_thirty_one_bytes m");

	(void)state;
	open_of_rule(&rule);
	b.findings[0].n_args = 3;
	for (size_t i = 0; i < 3; i++)
		b.findings[0].args[i] = (struct finding_arg){ .kind = ARG_DEC, .number = i };
	expect_written("ndjson",
		       "\"data\":{\"a_name_that_is_longer_than_thir\":1,\"m\":2,\"zz\":0}");
}

/* Rules that were left out for one reason share a line, wherever its words stand. */
static void expect_reasons(bool verbose)
{
	static const char level[] = "level", again[] = "level";
	const struct rule *rules[] = { &plain, &guess, &dangerous };
	uint8_t status[] = { RULE_NOT_EVALUATED, RULE_NOT_EVALUATED, RULE_NOT_EVALUATED };
	uint8_t why[LENGTH(rules)];
	struct results results = { status, why, &b.notes };
	struct rule copy = plain;

	assert_ptr_not_equal(level, again);
	copy.id = "TST003";
	rules[1] = &copy;
	bench_open(&b, "a.umod", 0, SEVERITY_NONE);
	b.report.verdict = VERDICT_UNDETERMINED;
	b.report.rules = rules;
	b.report.n_rules = LENGTH(rules);
	b.report.results = results;
	b.notes.first_own = LENGTH(rules);
	results_leave(&results, 0, level);
	results_leave(&results, 1, "work");
	results_leave(&results, 2, again);
	b.engine->verbose = verbose;
	expect_written("text",
		       verbose ? "\nnot checked: TST002, TST002 (the level leaves them out)\nnot "
				 "checked: TST003 (the work limit was reached)\n"
			       : "\nnot checked: 2 rules that the level leaves out; 1 that the "
				 "work limit cut off\n");
	assert_int_equal(b.notes.n_reasons, 2);
}

static void reasons_are_the_same_by_their_words(void **state)
{
	(void)state;
	expect_reasons(true);
	expect_reasons(false);
}

/* A reason has the words of a group of the format, if it is one. */
static void reasons_may_be_groups(void **state)
{
	static const struct format_group groups[] = { { .name = "index", .meaning = "the index" } };
	static const struct format format = {
		.name = "own", .title = "own", .groups = groups, .n_groups = 1
	};
	const struct rule *rules[] = { &plain, &guess };
	uint8_t status[] = { RULE_NOT_EVALUATED, RULE_NOT_EVALUATED }, why[LENGTH(rules)];
	struct results results = { status, why, &b.notes };

	(void)state;
	bench_open(&b, "a.umod", 0, SEVERITY_NONE);
	b.report.verdict = VERDICT_UNDETERMINED;
	b.report.format = &format;
	b.report.rules = rules;
	b.report.n_rules = LENGTH(rules);
	b.report.results = results;
	b.notes.first_own = LENGTH(rules);
	results_leave(&results, 0, "index");
	results_leave(&results, 1, "other");
	expect_written("text", "\nnot checked: 1 rule that needs the index; 1 that needs other\n");
}

/* Sixteen reasons have a line each; the rules of all others share the last one, and no rule that
 * was evaluated stands there. In short, four have words. */
static void expect_many_reasons(bool verbose, const char *text)
{
	enum { N_WRITTEN = 21, N_LINES = 16, PASSED = 17 };
	static char ids[N_WRITTEN][8], reasons[N_WRITTEN][8];
	static struct rule copies[N_WRITTEN];
	const struct rule *rules[N_WRITTEN];
	uint8_t status[N_WRITTEN], why[N_WRITTEN] = { 0 };
	struct results results = { status, why, &b.notes };

	bench_open(&b, "a.umod", 0, SEVERITY_NONE);
	b.engine->verbose = verbose;
	b.report.verdict = VERDICT_UNDETERMINED;
	b.report.rules = rules;
	b.report.n_rules = N_WRITTEN;
	b.report.results = results;
	b.notes.first_own = N_WRITTEN;
	for (size_t i = 0; i < N_WRITTEN; i++) {
		snprintf(ids[i], sizeof ids[i], "TST%03u", (unsigned)i);
		snprintf(reasons[i], sizeof reasons[i], "r%u", (unsigned)i);
		copies[i] = plain;
		copies[i].id = ids[i];
		rules[i] = &copies[i];
		status[i] = i == PASSED ? RULE_PASS : RULE_NOT_EVALUATED;
		if (i != PASSED)
			results_leave(&results, i, reasons[i]);
	}
	expect_written("text", text);
}

static void reasons_beyond_sixteen_share_a_line(void **state)
{
	(void)state;
	expect_many_reasons(true, "\nnot checked: TST015 (needs r15)\nnot checked: TST016, "
				  "TST018, TST019, TST020\n");
	expect_many_reasons(false,
			    "\nnot checked: 1 rule that needs r0; 1 that needs r1; 1 that needs "
			    "r2; 1 that needs r3; 16 for other reasons\n\n");
}

/* The folder itself has no shorter name. */
static void paths_lose_what_means_nothing(void **state)
{
	(void)state;
	bench_open(&b, "././x/a.umod", 1, SEVERITY_ERROR);
	expect_written("github", " file=x/a.umod");
	bench_open(&b, "./", 1, SEVERITY_ERROR);
	expect_written("github", " file=./,");
}

/* ---- Places ---------------------------------------------------------------------------------- */

static void places_that_end_nowhere(void **state)
{
	(void)state;
	bench_open(&b, "a.umod", 1, SEVERITY_WARNING);
	b.findings[0].place = AT_SPAN(8, UINT64_MAX - 4);
	expect_written("text", "   ... | 18446744073709551583 more bytes\n");
	bench_open(&b, "a.umod", 1, SEVERITY_WARNING);
	b.findings[0].place = AT_SPAN(8, UINT64_MAX - 4);
	expect_written("json", "\"location\":{\"length\":\"0xFFFFFFFFFFFFFFFB\",\"offset\":8}");
}

/* SARIF wants integers, so what is larger than they may be has no bytes there; a line is what
 * GitHub shows. */
static void sarif_leaves_out_what_is_no_integer(void **state)
{
	const struct {
		struct place place;
		const char *format, *text;
	} cases[] = {
		{ AT_SPAN(4, 2), "sarif",
		  "\"uri\":\"a.umod\"},\"region\":{\"byteLength\":2,\"byteOffset\":4," },
		{ AT_SPAN((uint64_t)1 << 53, 2), "sarif",
		  "\"physicalLocation\":{\"artifactLocation\":{\"index\":0,\"uri\":\"a.umod\"}}}]"
		  "," },
		{ AT_SPAN(4, (uint64_t)1 << 53), "sarif",
		  "\"physicalLocation\":{\"artifactLocation\":{\"index\":0,\"uri\":\"a.umod\"}}}]"
		  "," },
		{ AT_SPAN(4, (uint64_t)1 << 53), "sarif-github",
		  "\"uri\":\"a.umod\"},\"region\":{\"startLine\":1}}}]," },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		bench_open(&b, "a.umod", 1, SEVERITY_WARNING);
		b.findings[0].place = cases[i].place;
		expect_written(cases[i].format, cases[i].text);
	}
}

/* Adds a report that lies in another one. */
static void expect_nested_artifact(bool decoded, uint64_t at, const char *text)
{
	struct report *list[1], inner;

	bench_open(&b, "a.umod", 0, SEVERITY_NONE);
	inner = b.report;
	inner.name = "a.umod!System\\b.u";
	inner.own_name = "System\\b.u";
	inner.parent = &b.report;
	inner.number = 1;
	inner.decoded = decoded;
	inner.at = (struct span){ at, 962 };
	list[0] = &inner;
	b.report.nested = list;
	b.report.n_nested = 1;
	expect_written("sarif", text);
}

static void sarif_tells_where_a_nested_file_lies(void **state)
{
	(void)state;
	expect_nested_artifact(false, 77,
			       "\"location\":{\"index\":1,\"uri\":\"/System/"
			       "b.u\"},\"offset\":77,\"parentIndex\":0,");
	expect_nested_artifact(
		true, 77, "\"location\":{\"index\":1,\"uri\":\"/System/b.u\"},\"parentIndex\":0,");
	expect_nested_artifact(
		false, (uint64_t)1 << 53,
		"\"location\":{\"index\":1,\"uri\":\"/System/b.u\"},\"parentIndex\":0,");
}

static void sarif_text_begins_as_it_is(void **state)
{
	struct out o;
	struct json j;

	(void)state;
	out_init(&o, NULL, NULL);
	json_init(&j, &o);
	sarif_text(&j, NULL, "(x](y", 5, false);
	assert_int_equal(o.n, 11);
	assert_memory_equal(o.buf, "\"(x]\\\\x28y\"", 11);
}

/* ---- Too much -------------------------------------------------------------------------------- */

enum { REPORTS = 5000 / FINDINGS_MAX + 1 };

/* Writes so many results that GitHub would not keep them all, and counts those that are there. */
static size_t count_results(const char *format)
{
	size_t n = 0;

	take_anew();
	bench_open(&b, "a.umod", FINDINGS_MAX, SEVERITY_WARNING);
	b.engine->limits.of[LIMIT_findings] = UINT64_MAX;
	assert_int_equal(report_writer_output(&b.writer, format, take, NULL), WRITER_OK);
	for (size_t i = 0; i < REPORTS; i++)
		assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
	assert_int_equal(report_writer_end(&b.writer), WRITER_OK);
	bench_close(&b);
	for (const char *at = taken.bytes; (at = strstr(at, "\"ruleIndex\"")) != NULL; at++)
		n++;
	return n;
}

/* GitHub keeps 5,000 results of an upload: more are not sent, and the report says that there
 * were. */
static void github_gets_what_it_keeps(void **state)
{
	(void)state;
	assert_int_equal(count_results("sarif"), REPORTS * FINDINGS_MAX);
	assert_non_null(strstr(taken.bytes, "\"truncated\":false"));
	assert_int_equal(count_results("sarif-github"), 5000);
	assert_non_null(strstr(taken.bytes, "\"truncated\":true"));
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static void nothing_is_added_behind_the_end(void **state)
{
	size_t before;

	(void)state;
	bench_open(&b, "a.umod", 1, SEVERITY_ERROR);
	assert_int_equal(write_all(&b, "concise", KEPT_MAX - 1), WRITER_OK);
	before = kept.n;
	assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_TOO_LATE);
	assert_int_equal(report_writer_add_alone(&b.writer, &b.report), WRITER_TOO_LATE);
	assert_int_equal(kept.n, before);
	assert_int_equal(b.writer.totals.n_found[SEVERITY_ERROR], 1);
	bench_close(&b);
}

/* An invalid file may hold what could not be judged, too; and with --fail-on never that is what is
 * left to say. */
static void what_is_not_judged_counts_in_invalid_files(void **state)
{
	(void)state;
	for (int is_asked = 0; is_asked < 2; is_asked++) {
		bench_open(&b, "a.umod", 1, SEVERITY_ERROR);
		b.engine->fail_on.level = is_asked ? SEVERITY_ERROR : SEVERITY_NONE;
		b.report.n_found[SEVERITY_UNDETERMINED] = 1;
		assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
		assert_int_equal(report_writer_exit_code(&b.writer), is_asked ? 1 : 2);
		bench_close(&b);
	}
}

/* ---- Outs and infos -------------------------------------------------------------------------- */

/* An out without a sink keeps what it has room for. */
static void what_nobody_takes_is_kept(void **state)
{
	static const char more[2 * OUT_LEN] = "more";
	struct out o;

	(void)state;
	out_init(&o, NULL, NULL);
	out_string(&o, "text");
	out_flush(&o);
	assert_int_equal(o.n, 4);
	out_bytes_on(&o, more, sizeof more);
	assert_int_equal(o.n, OUT_LEN);
	assert_int_equal(o.total, 4 + sizeof more);
	assert_memory_equal(o.buf, "textmore", 8);
	out_byte(&o, '!');
	assert_int_equal(o.n, OUT_LEN);
	assert_int_equal(o.total, 5 + sizeof more);
	assert_false(o.failed);
}

static void long_names_of_facts_have_a_space_behind_them(void **state)
{
	static const struct info infos[] = { { .name = "a_name_of_twenty_one_", .number = 7 },
					     { .name = "short", .word = "yes" } };
	static const struct report report = {
		.name = "a.own", .size = 1, .n_infos = LENGTH(infos), .infos = infos
	};
	struct out o;

	(void)state;
	out_init(&o, NULL, NULL);
	info_text(&report, MAP_OK, &o);
	o.buf[o.n] = '\0';
	assert_string_equal((const char *)o.buf,
			    "file                a.own\nformat              no known format\nsize  "
			    "              1 byte\n"
			    "a_name_of_twenty_one_ 7\nshort               yes\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_guessed_is_said_to_be),
		cmocka_unit_test(open_quotes_end_with_the_message),
		cmocka_unit_test(names_of_values_are_sorted_and_cut),
		cmocka_unit_test(reasons_are_the_same_by_their_words),
		cmocka_unit_test(reasons_may_be_groups),
		cmocka_unit_test(reasons_beyond_sixteen_share_a_line),
		cmocka_unit_test(paths_lose_what_means_nothing),
		cmocka_unit_test(places_that_end_nowhere),
		cmocka_unit_test(sarif_leaves_out_what_is_no_integer),
		cmocka_unit_test(sarif_tells_where_a_nested_file_lies),
		cmocka_unit_test(sarif_text_begins_as_it_is),
		cmocka_unit_test(github_gets_what_it_keeps),
		cmocka_unit_test(nothing_is_added_behind_the_end),
		cmocka_unit_test(what_is_not_judged_counts_in_invalid_files),
		cmocka_unit_test(what_nobody_takes_is_kept),
		cmocka_unit_test(long_names_of_facts_have_a_space_behind_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of accepted findings: what a host is asked, what its answer changes, and what every format
 * says of it. */
#include <stdio.h>

#include "core/utf8.h"
#include "report_writer_state.h"

static struct bench b;

/* ---- A host that answers --------------------------------------------------------------------- */

/* A host accepts the first findings that it is asked about, and notes the last question. */
static struct host {
	const char *reason;
	size_t n_asked, n_accepts;
	char fingerprint[FINGERPRINT_LEN + 1];
} host;

static const char *answer(void *ctx, const struct report *r, const struct finding *f,
			  const char *fingerprint)
{
	struct host *h = ctx;

	assert_ptr_equal(r, &b.report);
	assert_true(f == &b.findings[h->n_asked]);
	assert_int_equal(strlen(fingerprint), FINGERPRINT_LEN);
	memcpy(h->fingerprint, fingerprint, sizeof h->fingerprint);
	return h->n_asked++ < h->n_accepts ? h->reason : NULL;
}

static void open_host(size_t n, enum severity severity, size_t n_accepts, const char *reason)
{
	bench_open(&b, "a.umod", n, severity);
	host = (struct host){ .reason = reason, .n_accepts = n_accepts };
	assert_int_equal(report_writer_accept(&b.writer, answer, &host), WRITER_OK);
}

/* ---- What it changes ------------------------------------------------------------------------- */

static void what_is_accepted_does_not_count(void **state)
{
	static const struct {
		size_t n, n_accepts;
		enum severity found;
		struct fail_on fail_on;
		uint64_t max_findings;
		int code;
	} cases[] = {
		{ 2, 2, SEVERITY_ERROR, { SEVERITY_ERROR, 0 }, 9, 0 },
		{ 2, 1, SEVERITY_ERROR, { SEVERITY_ERROR, 0 }, 9, 1 },
		{ 2, 0, SEVERITY_ERROR, { SEVERITY_ERROR, 0 }, 9, 1 },
		{ 2, 2, SEVERITY_ERROR, { SEVERITY_ERROR, 0 }, 1, 1 },
		{ 2, 2, SEVERITY_NOTE, { SEVERITY_NONE, 1u << CLASS_CORRUPTION }, 9, 0 },
		{ 2, 1, SEVERITY_NOTE, { SEVERITY_NONE, 1u << CLASS_CORRUPTION }, 9, 1 },
		{ 2, 2, SEVERITY_NOTE, { SEVERITY_NONE, 1u << CLASS_CORRUPTION }, 1, 1 },
		{ 2, 2, SEVERITY_WARNING, { SEVERITY_WARNING, 0 }, 9, 0 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		open_host(cases[i].n, cases[i].found, cases[i].n_accepts, "known");
		b.engine->fail_on = cases[i].fail_on;
		b.engine->limits.of[LIMIT_findings] = cases[i].max_findings;
		assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
		assert_int_equal(report_writer_exit_code(&b.writer), cases[i].code);
		assert_int_equal(b.writer.totals.verdict, b.report.verdict);
		bench_close(&b);
	}
}

/* The digits are those that JSON has, also of findings that are alike. */
static void the_question_has_the_fingerprint_of_reports(void **state)
{
	char expected[64];

	(void)state;
	open_host(2, SEVERITY_ERROR, 2, "known");
	assert_int_equal(write_all(&b, "json", KEPT_MAX - 1), WRITER_OK);
	assert_int_equal(host.n_asked, 2);
	snprintf(expected, sizeof expected, "\"fingerprint\":\"%s\"", host.fingerprint);
	expect_words("json", expected);
	bench_close(&b);
}

static void what_was_not_judged_is_not_asked_about(void **state)
{
	static struct rule mandatory;

	(void)state;
	open_host(2, SEVERITY_UNDETERMINED, 2, "known");
	assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
	assert_int_equal(report_writer_exit_code(&b.writer), 2);
	assert_int_equal(host.n_asked, 0);
	bench_close(&b);
	open_host(2, SEVERITY_ERROR, 2, "known");
	mandatory = sample_rule;
	mandatory.flags |= RULE_MANDATORY;
	b.rules[0] = b.findings[0].rule = b.findings[1].rule = &mandatory;
	assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
	assert_int_equal(report_writer_exit_code(&b.writer), 1);
	assert_int_equal(host.n_asked, 0);
	bench_close(&b);
}

static void a_reason_has_words(void **state)
{
	(void)state;
	open_host(1, SEVERITY_ERROR, 1, "");
	assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
	assert_int_equal(report_writer_exit_code(&b.writer), 1);
	assert_int_equal(b.writer.totals.n_accepted, 0);
	bench_close(&b);
}

static void nobody_answers_after_the_first_report(void **state)
{
	(void)state;
	open_host(1, SEVERITY_ERROR, 1, "known");
	assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
	assert_int_equal(report_writer_accept(&b.writer, NULL, NULL), WRITER_TOO_LATE);
	bench_close(&b);
	open_host(1, SEVERITY_ERROR, 1, "known");
	assert_int_equal(report_writer_end(&b.writer), WRITER_OK);
	assert_int_equal(report_writer_accept(&b.writer, NULL, NULL), WRITER_TOO_LATE);
	bench_close(&b);
	open_host(1, SEVERITY_ERROR, 1, "known");
	assert_int_equal(report_writer_accept(&b.writer, NULL, NULL), WRITER_OK);
	assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
	assert_int_equal(report_writer_exit_code(&b.writer), 1);
	bench_close(&b);
}

/* ---- What formats say ------------------------------------------------------------------------ */

/* Of one accepted error, and of two of which one is accepted. */
static const struct saying {
	const char *format, *all, *half;
} sayings[] = {
	{ "text", "   = accepted: known\n", "1 finding accepted" },
	{ "text", "1 error, 1 accepted.", "2 errors, 1 accepted." },
	{ "concise", " [accepted: known]\n", "INVALID, 2 errors, 1 accepted\n" },
	{ "json", "{\"accepted\":{\"reason\":\"known\"},\"artifact\":0,", "\"suppressed\":1," },
	{ "ndjson", "{\"accepted\":{\"reason\":\"known\"},\"artifact\":0,", "\"suppressed\":1," },
	{ "sarif",
	  "\"suppressions\":[{\"justification\":\"known\",\"kind\":\"external\",\"status\":"
	  "\"accepted\"}]}",
	  "\"suppressions\":[]}" },
	{ "junit", "<skipped message=\"accepted: ", "<failure message=" },
	{ "junit", " (accepted: known)\n", " (accepted: known)\n" },
	{ "checkstyle", "<file name=\"a.umod\">\n</file>", "<error line=\"1\" severity=\"error\"" },
	{ "github", "uvet: 1 file: 0 valid, 1 invalid, 0 undetermined; 1 error, 1 accepted\n",
	  "::error file=a.umod" },
	{ "gitlab", "[\n]\n", "\"severity\":\"critical\"" },
	{ "csv", ",\"known\"\r\n", ",\"\"\r\n" },
	{ "markdown", "  \n  *Accepted:* `known`  \n", "| 2 errors, 1 accepted |" },
	{ "html", "<p><strong>Accepted:</strong> known</p>", "<td>2 errors, 1 accepted</td>" },
};

static void formats_say_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(sayings); i++) {
		open_host(1, SEVERITY_ERROR, 1, "known");
		assert_int_equal(write_all(&b, sayings[i].format, KEPT_MAX - 1), WRITER_OK);
		expect_words(sayings[i].format, sayings[i].all);
		bench_close(&b);
		open_host(2, SEVERITY_ERROR, 1, "known");
		assert_int_equal(write_all(&b, sayings[i].format, KEPT_MAX - 1), WRITER_OK);
		expect_words(sayings[i].format, sayings[i].half);
		bench_close(&b);
	}
}

/* Of many findings of a rule some have lines of their own, of many rules each has one. */
static void text_counts_what_it_does_not_list(void **state)
{
	(void)state;
	open_host(FINDINGS_MAX, SEVERITY_ERROR, FINDINGS_MAX - 1, "known");
	assert_int_equal(write_all(&b, "text", KEPT_MAX - 1), WRITER_OK);
	expect_words("text", "  (accepted: known)\n");
	expect_words("text", " in all, ");
	bench_close(&b);
}

/* What a rule found at two severities is counted apart. */
static void severities_are_counted_apart(void **state)
{
	enum { ERRORS = 6 };

	(void)state;
	open_host(ERRORS + 1, SEVERITY_ERROR, ERRORS + 1, "known");
	b.findings[ERRORS].severity = SEVERITY_WARNING;
	b.result[0].n_found[SEVERITY_ERROR] = b.report.n_found[SEVERITY_ERROR] = ERRORS;
	b.result[0].n_found[SEVERITY_WARNING] = b.report.n_found[SEVERITY_WARNING] = 1;
	assert_int_equal(write_all(&b, "text", KEPT_MAX - 1), WRITER_OK);
	expect_words("text", "   = TST001 x 6 in all, 6 accepted");
	bench_close(&b);
}

/* Whether a class fails a run is asked of each rule with what is accepted of that rule alone. */
static void rules_are_counted_apart(void **state)
{
	static const struct rule other = { .id = "TST009",
					   .name = "other",
					   .message = "it is",
					   .data = "",
					   .fix = "do",
					   .spec = "x.md#1" };
	static uint8_t status[2] = { RULE_FAIL, RULE_FAIL }, why[2];
	static struct rule_result results[2];
	static const struct rule *rules[2] = { &sample_rule, &other };

	(void)state;
	for (size_t n_accepts = 1; n_accepts <= 2; n_accepts++) {
		open_host(2, SEVERITY_NOTE, n_accepts, "known");
		b.engine->fail_on = (struct fail_on){ SEVERITY_NONE, 1u << CLASS_CORRUPTION };
		b.findings[1].rule = &other;
		b.report.rules = rules;
		b.report.n_rules = 2;
		b.report.results = (struct results){ status, why, &b.notes };
		b.notes.own = results;
		for (size_t i = 0; i < 2; i++) {
			results[i] = (struct rule_result){ .status = RULE_FAIL, .n_kept = 1 };
			results[i].n_found[SEVERITY_NOTE] = 1;
		}
		assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
		assert_int_equal(report_writer_exit_code(&b.writer), n_accepts < 2);
		bench_close(&b);
	}
}

/* Where all errors are accepted, what was not judged is still told, once. */
static void what_was_not_judged_is_told_beside_accepted_errors(void **state)
{
	const char *at;

	(void)state;
	open_host(2, SEVERITY_ERROR, 2, "known");
	b.findings[1].severity = SEVERITY_UNDETERMINED;
	b.result[0].n_found[SEVERITY_ERROR] = b.report.n_found[SEVERITY_ERROR] = 1;
	b.result[0].n_found[SEVERITY_UNDETERMINED] = 1;
	b.report.n_found[SEVERITY_UNDETERMINED] = 1;
	assert_int_equal(write_all(&b, "checkstyle", KEPT_MAX - 1), WRITER_OK);
	expect_words("checkstyle", "message=\"not judged: ");
	at = strstr((const char *)kept.bytes, "<error ");
	assert_non_null(at);
	assert_null(strstr(at + 1, "<error "));
	bench_close(&b);
}

/* A writer that is asked nothing says nothing of suppressions, in any result. */
static void without_a_host_there_are_no_suppressions(void **state)
{
	(void)state;
	bench_open(&b, "a.umod", 1, SEVERITY_ERROR);
	assert_int_equal(write_all(&b, "sarif", KEPT_MAX - 1), WRITER_OK);
	kept.bytes[kept.n] = 0;
	assert_null(strstr((const char *)kept.bytes, "suppressions"));
	bench_close(&b);
}

static void reasons_are_escaped(void **state)
{
	static const char *const reasons[] = { "\n::error::x", "##vso[task.complete]",
					       "\x1b[2J\xff", "</p><script>`|](x)\"'&-->,=1" };

	(void)state;
	for (size_t i = 0; i < LENGTH(sayings); i++) {
		for (size_t n = 0; n < LENGTH(reasons); n++) {
			open_host(1, SEVERITY_WARNING, 1, reasons[n]);
			assert_int_equal(write_all(&b, sayings[i].format, KEPT_MAX - 1), WRITER_OK);
			kept.bytes[kept.n] = 0;
			assert_null(strstr((const char *)kept.bytes, "\n::error"));
			assert_null(strstr((const char *)kept.bytes, "##vso"));
			assert_null(strstr((const char *)kept.bytes, "\x1b[2J"));
			if (strcmp(sayings[i].format, "html") == 0)
				assert_null(strstr((const char *)kept.bytes, "<script"));
			assert_true(utf8_valid(kept.bytes, kept.n));
			bench_close(&b);
		}
	}
}

/* ---- Files in files -------------------------------------------------------------------------- */

static const char *accept_all(void *ctx, const struct report *r, const struct finding *f,
			      const char *fingerprint)
{
	(void)r;
	(void)f;
	(void)fingerprint;
	return ctx;
}

/* A file that is invalid because of one in it, whose error is accepted or not. */
static void write_outer(const char *format, bool is_accepted, bool is_alone)
{
	static uint8_t status[1], why[1];
	static struct report outer, *nested[1];

	bench_open(&b, "a.umod!b.u", 1, SEVERITY_ERROR);
	nested[0] = &b.report;
	b.report.own_name = "b.u";
	outer = (struct report){ .name = "a.umod",
				 .own_name = "a.umod",
				 .rules = b.rules,
				 .results = { status, why, &b.notes },
				 .verdict = VERDICT_INVALID,
				 .inside = &b.report,
				 .nested = nested,
				 .n_nested = 1 };
	b.report.parent = &outer;
	b.report.number = 1;
	assert_int_equal(report_writer_accept(&b.writer, accept_all, is_accepted ? "known" : NULL),
			 WRITER_OK);
	keep(KEPT_MAX - 1);
	assert_int_equal(report_writer_output(&b.writer, format, keep_sink, &kept), WRITER_OK);
	assert_int_equal(is_alone ? report_writer_add_alone(&b.writer, &outer)
				  : report_writer_add(&b.writer, &outer),
			 WRITER_OK);
	assert_int_equal(report_writer_end(&b.writer), WRITER_OK);
	kept.bytes[kept.n] = 0;
}

static void the_file_around_an_accepted_one_fails_nothing(void **state)
{
	static const struct {
		const char *format, *accepted, *open;
	} cases[] = {
		{ "junit", "<skipped message=\"the file is invalid: in it, ",
		  "<failure message=\"the file is invalid: in it, " },
		{ "github", "2 invalid, 0 undetermined; 1 error, 1 accepted",
		  "::error file=a.umod,title=verdict invalid::" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		write_outer(cases[i].format, true, false);
		expect_words(cases[i].format, cases[i].accepted);
		assert_null(strstr((const char *)kept.bytes, cases[i].open));
		assert_int_equal(report_writer_exit_code(&b.writer), 0);
		bench_close(&b);
		write_outer(cases[i].format, false, false);
		expect_words(cases[i].format, cases[i].open);
		assert_int_equal(report_writer_exit_code(&b.writer), 1);
		bench_close(&b);
		write_outer(cases[i].format, true, true);
		expect_words(cases[i].format, cases[i].open);
		bench_close(&b);
	}
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Where memory ends nothing is accepted that cannot be told. */
static void memory_failure(void **state)
{
	enum writer_result result;

	(void)state;
	for (uint64_t at = 1; at < 8; at++) {
		bench_open(&b, "a.umod", FINDINGS_MAX, SEVERITY_ERROR);
		b.engine->chunk_len = 64;
		report_writer_free(&b.writer);
		report_writer_init(&b.writer, b.engine, (struct tool){ "0", "R", NULL });
		b.memory.fail_at = b.memory.n_asked + at;
		b.memory.forever = true;
		assert_int_equal(report_writer_accept(&b.writer, accept_all, "known"), WRITER_OK);
		keep(KEPT_MAX);
		result = report_writer_output(&b.writer, "json", keep_sink, &kept);
		if (result == WRITER_OK) {
			report_writer_add(&b.writer, &b.report);
			result = report_writer_end(&b.writer);
		}
		assert_int_equal(result, b.memory.n_asked >= b.memory.fail_at ? WRITER_NO_MEMORY
									      : WRITER_OK);
		bench_close(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_accepted_does_not_count),
		cmocka_unit_test(the_question_has_the_fingerprint_of_reports),
		cmocka_unit_test(what_was_not_judged_is_not_asked_about),
		cmocka_unit_test(a_reason_has_words),
		cmocka_unit_test(nobody_answers_after_the_first_report),
		cmocka_unit_test(formats_say_it),
		cmocka_unit_test(text_counts_what_it_does_not_list),
		cmocka_unit_test(severities_are_counted_apart),
		cmocka_unit_test(rules_are_counted_apart),
		cmocka_unit_test(what_was_not_judged_is_told_beside_accepted_errors),
		cmocka_unit_test(without_a_host_there_are_no_suppressions),
		cmocka_unit_test(reasons_are_escaped),
		cmocka_unit_test(the_file_around_an_accepted_one_fails_nothing),
		cmocka_unit_test(memory_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

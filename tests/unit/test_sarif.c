/* Tests of what SARIF says of rules and of the run, for those who show and sort alerts. */
#include <stdio.h>

#include "report_writer_state.h"

static struct bench b;

static void write_sarif(const struct rule *rule, const char *format, const char *rules_uri)
{
	bench_open(&b, "a.umod", 2, SEVERITY_WARNING);
	b.rules[0] = b.engine->rules[0] = b.findings[0].rule = b.findings[1].rule = rule;
	b.engine->n_rules = 1;
	b.writer.tool.rules_uri = rules_uri;
	assert_int_equal(write_all(&b, format, KEPT_MAX - 1), WRITER_OK);
	kept.bytes[kept.n] = 0;
	bench_close(&b);
}

static bool has(const char *words)
{
	return strstr((const char *)kept.bytes, words) != NULL;
}

static void test_help(void **state)
{
	struct rule rule = sample_rule;

	(void)state;
	rule.why = "a_b *c* \"d\"";
	rule.fix = "do `e` [f]";
	write_sarif(&rule, "sarif", "https://a.example/rules.md");
	expect_words("sarif", "\"help\":{\"markdown\":\"**Why:** a\\\\_b \\\\*c\\\\* \\\"d\\\""
			      "\\n\\n**What to do:** do \\\\`e\\\\` \\\\[f\\\\]\\n\\n`uvet "
			      "explain TST001` says more.\",\"text\":\"do `e` [f]\"},"
			      "\"helpUri\":\"https://a.example/rules.md#TST001\",\"id\":");
	write_sarif(&rule, "sarif", NULL);
	assert_false(has("helpUri"));
}

/* A number stands only with rules of the class security. */
static void test_security_severity(void **state)
{
	static const struct {
		enum severity severity;
		const char *number;
	} cases[] = {
		{ SEVERITY_ERROR, "8.0" },
		{ SEVERITY_WARNING, "5.0" },
		{ SEVERITY_NOTE, "2.0" },
	};
	struct rule rule = sample_rule;
	char expected[64];

	(void)state;
	rule.class = CLASS_CORRUPTION;
	write_sarif(&rule, "sarif", NULL);
	assert_false(has("security-severity"));
	rule.class = CLASS_SECURITY;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		rule.severity = cases[i].severity;
		write_sarif(&rule, "sarif-github", NULL);
		snprintf(expected, sizeof expected,
			 "\"security-severity\":\"%s\",\"tags\":", cases[i].number);
		expect_words("sarif-github", expected);
	}
}

/* A root has a URI if it was typed as an absolute path, in the forms of all systems. */
static void test_path_root(void **state)
{
	static const struct {
		bool backslashes;
		const char *typed, *uri;
	} cases[] = {
		{ false, "/a b/c", ",\"uri\":\"file:///a%20b/c/\"" },
		{ false, "/", ",\"uri\":\"file:///\"" },
		{ false, "C:/a", "" },
		{ true, "C:\\a", ",\"uri\":\"file:///C:/a/\"" },
		{ true, "C:\\", ",\"uri\":\"file:///C:/\"" },
		{ true, "\\\\server\\a", ",\"uri\":\"file://server/a/\"" },
		{ true, "\\\\", ",\"uri\":\"file:///\"" },
		{ true, "a", "" },
	};
	char expected[200];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		bench_open(&b, "a.umod", 0, SEVERITY_WARNING);
		b.engine->path_root.backslashes = cases[i].backslashes;
		strcpy(b.engine->path_root.typed, cases[i].typed);
		path_root_settle(&b.engine->path_root);
		assert_int_equal(write_all(&b, "sarif", KEPT_MAX - 1), WRITER_OK);
		kept.bytes[kept.n] = 0;
		bench_close(&b);
		snprintf(expected, sizeof expected,
			 "],\"originalUriBaseIds\":{\"PATHROOT\":{\"description\":{\"text\":\"the "
			 "folder that paths are relative to\"}%s}},\"properties\":",
			 cases[i].uri);
		assert_true(has(expected));
	}
}

static void test_run(void **state)
{
	(void)state;
	write_sarif(&sample_rule, "sarif", NULL);
	expect_words("sarif", "\"automationDetails\":{\"id\":\"uvet/\"},"
			      "\"invocations\":[{\"executionSuccessful\":true}]");
	expect_words("sarif", "\"semanticVersion\":\"0\",\"version\":\"0\"");
}

/* A report with a part of the findings says so where readers of SARIF look. */
static void test_truncated(void **state)
{
	(void)state;
	bench_open(&b, "a.umod", 3, SEVERITY_ERROR);
	b.engine->limits.of[LIMIT_findings] = 2;
	assert_int_equal(write_all(&b, "sarif", KEPT_MAX - 1), WRITER_OK);
	expect_words("sarif", "{\"executionSuccessful\":true,\"toolExecutionNotifications\":[{"
			      "\"level\":\"warning\",\"message\":{\"text\":\"2 of 3 findings "
			      "are in this report\"}}]}");
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_help),      cmocka_unit_test(test_security_severity),
		cmocka_unit_test(test_path_root), cmocka_unit_test(test_run),
		cmocka_unit_test(test_truncated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

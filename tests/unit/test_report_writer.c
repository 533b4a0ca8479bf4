/* Tests of report writers: what writers do when sinks and memory fail, counts and caps, exit codes,
 * lines that stay ours. */
#include "core/utf8.h"
#include "report_writer_state.h"

static const char *const output_formats[] = { "text",       "text-color", "concise",      "json",
					      "ndjson",     "sarif",      "sarif-github", "junit",
					      "checkstyle", "gitlab",     "csv",          "github",
					      "markdown",   "html" };

/* A sink that refuses at any byte is not asked again, and the writer says so. */
static void test_sink_failure_is_sticky(void **state)
{
	static struct bench b;
	size_t full;

	(void)state;
	for (size_t i = 0; i < LENGTH(output_formats); i++) {
		bench_open(&b, "a.umod", FINDINGS_MAX, SEVERITY_ERROR);
		assert_int_equal(write_all(&b, output_formats[i], KEPT_MAX), WRITER_OK);
		full = kept.n;
		bench_close(&b);
		for (size_t max = 0; max < full; max += 1 + max / 64) {
			bench_open(&b, "a.umod", FINDINGS_MAX, SEVERITY_ERROR);
			assert_int_equal(write_all(&b, output_formats[i], max), WRITER_REFUSED);
			assert_int_equal(kept.n_refused, 1);
			bench_close(&b);
		}
	}
}

/* Writes a report where memory ends at a request; it returns how many there were. */
static uint64_t write_short_of_memory(const char *format, size_t chunk_len, uint64_t at)
{
	static struct bench b;
	enum writer_result result;
	uint64_t n_asked;

	bench_open(&b, "a.umod", FINDINGS_MAX, SEVERITY_ERROR);
	b.writer.arena.chunk_len = b.writer.scratch.chunk_len = chunk_len;
	b.memory.fail_at = at;
	b.memory.forever = true;
	keep(KEPT_MAX);
	result = report_writer_output(&b.writer, format, keep_sink, &kept);
	if (result == WRITER_OK) {
		report_writer_add(&b.writer, &b.report);
		result = report_writer_end(&b.writer);
	}
	n_asked = b.memory.n_asked;
	assert_int_equal(result, n_asked >= at ? WRITER_NO_MEMORY : WRITER_OK);
	bench_close(&b);
	return n_asked;
}

/* Memory that ends at any request leaves no leak, and either a whole report or a status that says
 * otherwise. */
static void test_memory_failure(void **state)
{
	static const size_t chunks[] = { ARENA_CHUNK, 64 };

	(void)state;
	for (size_t i = 0; i < LENGTH(output_formats); i++)
		for (size_t c = 0; c < LENGTH(chunks); c++)
			for (uint64_t at = 1;
			     write_short_of_memory(output_formats[i], chunks[c], at) >= at; at++)
				;
}

/* The commands of a report for GitHub, and headings, are a writer's own: they are taken out. */
static void take_out(const char *own)
{
	char *at = (char *)kept.bytes;

	while ((at = strstr(at, own)))
		memset(at, 'x', strlen(own));
}

static void take_out_own(const char *format)
{
	if (strcmp(format, "github") == 0)
		take_out("::warning file=");
	if (strcmp(format, "markdown") == 0) {
		take_out("## uvet report\n");
		take_out("\n### `");
	}
}

/* No line begins with what a stranger chose, and none holds a build server's command. */
static void test_lines_are_ours(void **state)
{
	static const char *const names[] = {
		"::error::x",     "##vso[task.complete result=Failed;]",
		"\n::warning::y", " ##[group]z",
		"\x1b[2J",
	};
	static struct bench b;

	(void)state;
	for (size_t i = 0; i < LENGTH(output_formats); i++) {
		for (size_t n = 0; n < LENGTH(names); n++) {
			bench_open(&b, names[n], 3, SEVERITY_WARNING);
			assert_int_equal(write_all(&b, output_formats[i], KEPT_MAX - 1), WRITER_OK);
			kept.bytes[kept.n] = 0;
			take_out_own(output_formats[i]);
			assert_null(strstr((const char *)kept.bytes, "\n::"));
			assert_null(strstr((const char *)kept.bytes, "##"));
			assert_null(strstr((const char *)kept.bytes, "\x1b[2J"));
			assert_true(kept.bytes[0] != ':' && kept.bytes[0] != '#' &&
				    kept.bytes[0] != ' ');
			assert_true(utf8_valid(kept.bytes, kept.n));
			bench_close(&b);
		}
	}
}

static void assert_written(const char *format, const char *expected)
{
	static struct bench b;

	bench_open(&b, "a.umod", 2, SEVERITY_WARNING);
	b.findings[1].place = NOWHERE;
	b.findings[1].snippet_len = 0;
	b.findings[1].n_related = 0;
	assert_int_equal(write_all(&b, format, KEPT_MAX - 1), WRITER_OK);
	kept.bytes[kept.n] = 0;
	assert_string_equal((const char *)kept.bytes, expected);
	bench_close(&b);
}

static void test_text(void **state)
{
	(void)state;
	assert_written(
		"text",
		"VALID  a.umod   no known format, 962 bytes\n"
		"\n"
		"warning[TST001] sample  \"::x\\x0A#\\x23vso[\"...||||\n"
		"  --> a.umod @ 0x00 +4\n"
		"     0 |[3a 3a 78 0a]23 23 5b 79  5d 1b 00 00 00 00 00 00 | ::x.#.[y].......\n"
		"    10 | 00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00 | ................\n"
		"  --> a.umod @ 0x01 +2  the other\n"
		"   = because\n"
		"   = help: do\n"
		"   also \"::x\\x0A#\\x23vso[\"...||||\n"
		"\n"
		"1 file: 1 valid, 0 invalid, 0 undetermined.  2 warnings.   ruleset R   uvet "
		"explain TST001\n");
	assert_written("concise", "a.umod:0x00+4: warning[TST001] \"::x\\x0A#\\x23vso[\"...||||\n"
				  "a.umod: warning[TST001] \"::x\\x0A#\\x23vso[\"...||||\n"
				  "a.umod: VALID, 2 warnings\n");
}

static void test_ndjson(void **state)
{
	(void)state;
	assert_written(
		"ndjson",
		"{\"artifact\":0,\"class\":\"corruption\",\"confidence\":\"certain\",\"cut\":["
		"\"a\"],\"data\":{\"a\":\"::x\\u000A#\\u0023vso[\"},"
		"\"fingerprint\":\"49885eef76332a15\",\"help\":\"do\",\"location\":{\"length\":4,"
		"\"offset\":0},"
		"\"message\":\"\\\"::x\\\\x0A#\\\\x23vso[\\\"...||||\",\"name\":\"sample\","
		"\"related\":[{\"length\":2,\"message\":\"the "
		"other\",\"offset\":1}],\"rule\":\"TST001\",\"severity\":\"warning\","
		"\"snippet\":{\"hex\":"
		"\"3a3a780a23235b795d1b00000000000000000000000000000000000000000000\",\"offset\":0}"
		","
		"\"type\":\"finding\",\"why\":\"because\"}\n"
		"{\"artifact\":0,\"class\":\"corruption\",\"confidence\":\"certain\",\"cut\":["
		"\"a\"],\"data\":{\"a\":\"::x\\u000A#\\u0023vso[\"},"
		"\"fingerprint\":\"5258288fa10bf2d0\",\"help\":\"do\",\"message\":\"\\\"::x\\\\x0A#"
		"\\\\x23vso[\\\"...||||\","
		"\"name\":\"sample\",\"related\":[],\"rule\":\"TST001\",\"severity\":\"warning\","
		"\"type\":\"finding\",\"why\":\"because\"}\n"
		"{\"coverage\":{\"bytes_explained\":0,\"bytes_not_read\":0,\"bytes_unexplained\":"
		"962,"
		"\"not_judged\":[],\"rules_failed\":1,\"rules_run\":1,\"rules_skipped\":[]},"
		"\"findings\":{\"error\":0,\"note\":0,\"omitted\":0,\"undetermined\":0,\"warning\":"
		"2},\"id\":0,"
		"\"info\":{},\"parent\":null,\"path\":\"a.umod\","
		"\"scope\":{\"level\":\"content\",\"not_evaluated\":[],\"rules_lowered\":0,\"rules_"
		"off\":0,\"whole\":true},"
		"\"size\":962,\"type\":\"artifact\",\"verdict\":\"valid\"}\n"
		"{\"artifacts\":{\"invalid\":0,\"not_applicable\":0,\"undetermined\":0,\"valid\":1}"
		","
		"\"findings\":{\"error\":0,\"note\":0,\"suppressed\":0,\"undetermined\":0,"
		"\"warning\":2},"
		"\"left_out\":{\"links\":0,\"mounts\":0,\"specials\":0},"
		"\"policy\":{\"fail_on\":\"error\",\"ignored\":[],\"level\":\"content\","
		"\"unknown\":\"undetermined\"},"
		"\"schema\":\"uvet-report/1\","
		"\"scope\":{\"level\":\"content\",\"not_evaluated\":[],\"rules_lowered\":0,\"rules_"
		"off\":0,\"whole\":true},"
		"\"tool\":{\"name\":\"uvet\",\"ruleset\":\"R\",\"version\":\"0\"},"
		"\"truncated\":false,\"type\":\"summary\",\"verdict\":\"valid\"}\n");
}

/* ---- What is not covered --------------------------------------------------------------------- */

static const struct unjudged unjudged_rows[] = {
	{ UNJUDGED_CODEC, "Oodle", "", 944136 },
	{ UNJUDGED_COMPANION, "", "", 0 },
	{ UNJUDGED_KEY, "no key was given for these bytes", "", 1 },
	{ UNJUDGED_LIMIT, "max-depth", "", 0 },
	{ UNJUDGED_MEMORY, "", "", 0 },
	{ UNJUDGED_UNREADABLE, "a read failed", "b\x1b.bin", 0 },
	{ UNJUDGED_CROWDED, SOURCE_CROWDED, "", 0 },
	{ UNJUDGED_CHANGED, "", "c.bin", 7 },
	{ UNJUDGED_CANCELLED, "", "", 0 },
	{ UNJUDGED_TIME, "", "", 0 },
	{ UNJUDGED_WORKER, "", "", 5 },
	{ UNJUDGED_FORMAT, "", "", 962 },
	{ UNJUDGED_RULES, "", "", 962 },
	{ UNJUDGED_RULE, "UTH003", "", 0 },
};

/* Every reason has its words in text, before any finding, and its name elsewhere. */
static void test_unjudged(void **state)
{
	static const struct {
		const char *format, *text;
	} expected[] = {
		{ "text", " cannot be read, 962 bytes\n"
			  "   = not judged: 944136 bytes: this build has no Oodle\n"
			  "   = not judged: no file beside the input was looked for\n"
			  "   = not judged: 1 byte: no key was given for these bytes\n"
			  "   = not judged: the limit max-depth of 4 was reached\n"
			  "   = not judged: memory ran out\n"
			  "   = not judged: b\\x1B.bin: a read failed\n"
			  "   = not judged: too many files are open\n"
			  "   = not judged: 7 bytes in c.bin: it changed while it was read\n"
			  "   = not judged: the check was cancelled\n"
			  "   = not judged: the check took too long\n"
			  "   = not judged: 5 bytes: the process that checked it ended\n"
			  "   = not judged: 962 bytes: it is of no known format\n"
			  "   = not judged: 962 bytes: no rule of its format that can find an "
			  "error was asked\n"
			  "   = not judged: see UTH003\n"
			  "\nundetermined[TST001]" },
		{ "json",
		  "\"not_judged\":[{\"bytes\":944136,\"reason\":\"codec\",\"what\":\"Oodle\"},"
		  "{\"bytes\":0,\"reason\":\"companion\",\"what\":\"\"}," },
		{ "json",
		  "{\"bytes\":0,\"file\":\"b\\u001B.bin\",\"reason\":\"unreadable\",\"what\":\"a "
		  "read failed\"},"
		  "{\"bytes\":0,\"reason\":\"unreadable\",\"what\":\"too many files are open\"}" },
		{ "json", "{\"bytes\":0,\"reason\":\"rule\",\"what\":\"UTH003\"}]" },
		{ "sarif",
		  "\"not_judged\":[{\"bytes\":944136,\"reason\":\"codec\",\"what\":\"Oodle\"}," },
	};
	static struct bench b;

	(void)state;
	assert_int_equal(LENGTH(unjudged_rows), N_UNJUDGED_REASONS);
	for (size_t i = 0; i < LENGTH(expected); i++) {
		bench_open(&b, "a.umod", 1, SEVERITY_UNDETERMINED);
		b.report.unjudged = unjudged_rows;
		b.report.n_unjudged = LENGTH(unjudged_rows);
		b.engine->verbose = true;
		assert_int_equal(write_all(&b, expected[i].format, KEPT_MAX - 1), WRITER_OK);
		expect_words(expected[i].format, expected[i].text);
		bench_close(&b);
	}
}

enum { ALL_FLAGS = SCOPE_TABLES | SCOPE_ALONE | SCOPE_RULES | SCOPE_VERSION };

/* What a verdict does not cover stands after it in every format, and in the summary. */
static const struct {
	const char *format;
	uint32_t flags;
	enum severity severity;
	const char *text;
} scopes[] = {
	{ "text", SCOPE_TABLES, SEVERITY_NONE, "VALID (tables only)  a.umod   " },
	{ "text", SCOPE_TABLES, SEVERITY_NONE, "1 file: 1 valid (tables only), 0 invalid," },
	{ "text", SCOPE_TABLES, SEVERITY_ERROR, "INVALID (tables only)  a.umod   " },
	{ "text", SCOPE_TABLES, SEVERITY_ERROR, "1 file: 1 invalid," },
	{ "text", SCOPE_TABLES | SCOPE_ALONE, SEVERITY_NONE,
	  "VALID (tables only, without the files beside it)  a" },
	{ "text-color", SCOPE_TABLES, SEVERITY_NONE, "VALID\x1b[0m (tables only)  a.umod" },
	{ "concise", SCOPE_TABLES, SEVERITY_NONE, "a.umod: VALID (tables only), no findings\n" },
	{ "text", ALL_FLAGS, SEVERITY_UNDETERMINED,
	  "UNDETERMINED (tables only, without the files beside it; 2 rules off, 1 lowered; "
	  "file, "
	  "trailer, directory, content and 1 other part of this version not judged)  a" },
	{ "json", ALL_FLAGS, SEVERITY_NONE,
	  "\"path\":\"a.umod\",\"scope\":{\"level\":\"structure\",\"not_evaluated\":["
	  "\"companions\",\"file\",\"trailer\"," },
	{ "json", ALL_FLAGS, SEVERITY_NONE,
	  ",\"rules_lowered\":1,\"rules_off\":2,\"whole\":false},\"size\":962,\"verdict\":"
	  "\"valid\"}" },
	{ "json", ALL_FLAGS, SEVERITY_NONE,
	  "\"rules_lowered\":1,\"rules_off\":2,\"whole\":false},\"truncated\":false" },
	{ "ndjson", ALL_FLAGS, SEVERITY_NONE,
	  "\"schema\":\"uvet-report/1\",\"scope\":{\"level\":\"structure\"," },
	{ "sarif", ALL_FLAGS, SEVERITY_NONE,
	  "\"properties\":{\"not_judged\":[],\"scope\":{\"level\":\"structure\"," },
	{ "sarif-github", ALL_FLAGS, SEVERITY_NONE,
	  "\"whole\":false},\"truncated\":false,\"verdict\":\"valid\"}" },
};

static void test_scopes(void **state)
{
	static struct bench b;

	(void)state;
	assert_string_equal(formats[0]->name, "umod");
	for (size_t i = 0; i < LENGTH(scopes); i++) {
		bench_open(&b, "a.umod", scopes[i].severity == SEVERITY_NONE ? 0 : 1,
			   scopes[i].severity);
		b.engine->profile.cuts[0] = (struct profile_cut){ 2, 1 };
		b.report.scope.flags = scopes[i].flags;
		if (scopes[i].flags == ALL_FLAGS) {
			b.report.scope.formats = 1;
			b.report.scope.parts[0] = BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(4);
			scope_settle(&b.report.scope, &b.engine->profile);
		}
		assert_int_equal(write_all(&b, scopes[i].format, KEPT_MAX - 1), WRITER_OK);
		expect_words(scopes[i].format, scopes[i].text);
		bench_close(&b);
	}
}

/* Of several files it is said how many the words are about. */
static void test_scopes_of_some(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b, "a.umod", 0, SEVERITY_NONE);
	keep(KEPT_MAX - 1);
	assert_int_equal(report_writer_output(&b.writer, "text", keep_sink, &kept), WRITER_OK);
	report_writer_add(&b.writer, &b.report);
	report_writer_add(&b.writer, &b.report);
	b.report.scope.flags = SCOPE_VERSION;
	b.report.scope.parts[0] = BIT(1);
	report_writer_add(&b.writer, &b.report);
	b.report.verdict = VERDICT_NOT_APPLICABLE;
	b.report.scope.flags = SCOPE_TABLES;
	report_writer_add(&b.writer, &b.report);
	assert_int_equal(report_writer_end(&b.writer), WRITER_OK);
	expect_words("text", "4 files: 3 valid, 1 of them (trailer of this version not judged), 0 "
			     "invalid, 0 undetermined, 1 not applicable.");
	assert_int_equal(b.writer.totals.scope.flags, SCOPE_VERSION);
	bench_close(&b);
}

/* A place in a companion is written with that file's name wherever places are. */
static void test_companions(void **state)
{
	static const struct report_companion companions[] = {
		{ .name = "b\x1b.bin", .size = 77 },
		{ .name = "c.bin", .state = COMPANION_ABSENT },
		{ .name = "d.bin", .state = COMPANION_NOT_ASKED },
	};
	static const struct {
		const char *format, *text;
	} expected[] = {
		{ "text", ", 962 bytes and 77 in 1 file beside it\n" },
		{ "text", "  --> b\\x1B.bin @ 0x00 +4\n" },
		{ "text", "  --> c.bin @ 0x01 +2  the other\n" },
		{ "concise", "x/b\\x1B.bin:0x00+4: warning" },
		{ "json", "\"location\":{\"file\":\"b\\u001B.bin\",\"length\":4,\"offset\":0}" },
		{ "json", "\"related\":[{\"file\":\"c.bin\",\"length\":2,\"message\":\"the "
			  "other\",\"offset\":1}]" },
		{ "json", "{\"companions\":[{\"path\":\"b\\u001B.bin\",\"size\":77,\"state\":"
			  "\"open\"},{\"path\":\"d.bin\",\"state\":\"not_asked\"}],\"coverage\"" },
		{ "sarif",
		  "\"artifactLocation\":{\"uri\":\"x/b%1B.bin\"},\"region\":{\"byteLength\":4" },
		{ "sarif-github", "\"artifactLocation\":{\"uri\":\"x/"
				  "c.bin\"},\"region\":{\"properties\":{\"byteLength\":2" },
	};
	static struct bench b;
	uint64_t plain;

	(void)state;
	for (size_t i = 0; i < LENGTH(expected); i++) {
		bench_open(&b, "x/a.umod", 1, SEVERITY_WARNING);
		plain = fingerprint_of(&b.report, &b.findings[0]);
		b.report.companions = companions;
		b.report.n_companions = LENGTH(companions);
		b.findings[0].place.file = 1;
		b.findings[0].file = companions[0].name;
		b.findings[0].related[0].place.file = 2;
		assert_true(fingerprint_of(&b.report, &b.findings[0]) != plain);
		assert_int_equal(write_all(&b, expected[i].format, KEPT_MAX - 1), WRITER_OK);
		kept.bytes[kept.n] = 0;
		assert_non_null(strstr((const char *)kept.bytes, expected[i].text));
		bench_close(&b);
	}
}

/* What is found in a companion as a whole has its name, and no bytes. */
static void test_companions_as_a_whole(void **state)
{
	static const struct report_companion companions[] = { { .name = "b.bin", .size = 77 } };
	static const struct {
		const char *format, *text, *more;
	} expected[] = {
		{ "html", "<p>x/b.bin</p>", "<p>x/b.bin: the other</p>" },
		{ "checkstyle", " [b.bin]", "" },
	};
	static struct bench b;

	(void)state;
	for (size_t i = 0; i < LENGTH(expected); i++) {
		bench_open(&b, "x/a.umod", 1, SEVERITY_WARNING);
		b.report.companions = companions;
		b.report.n_companions = LENGTH(companions);
		b.findings[0].place = b.findings[0].related[0].place = (struct place){
			.file = 1, .index = PLACE_NO_INDEX
		};
		b.findings[0].file = companions[0].name;
		assert_int_equal(write_all(&b, expected[i].format, KEPT_MAX - 1), WRITER_OK);
		expect_words(expected[i].format, expected[i].text);
		expect_words(expected[i].format, expected[i].more);
		bench_close(&b);
	}
}

/* The lines of an artifact have all come when it was added. */
static void test_lines_come_with_their_artifact(void **state)
{
	static struct bench b;
	size_t n = 0;

	(void)state;
	bench_open(&b, "a.umod", 1, SEVERITY_ERROR);
	keep(KEPT_MAX);
	assert_int_equal(report_writer_output(&b.writer, "ndjson", keep_sink, &kept), WRITER_OK);
	for (size_t i = 1; i <= 2; i++) {
		assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
		assert_true(kept.n > n && kept.bytes[kept.n - 1] == '\n');
		n = kept.n;
	}
	bench_close(&b);
}

/* The class of the sample rule. */
#define OWN (1u << CLASS_CORRUPTION)

static void test_exit_codes(void **state)
{
	static const struct {
		enum severity found;
		struct fail_on fail_on;
		int code;
	} cases[] = {
		{ SEVERITY_ERROR, { SEVERITY_ERROR, 0 }, 1 },
		{ SEVERITY_ERROR, { SEVERITY_NONE, 0 }, 0 },
		{ SEVERITY_WARNING, { SEVERITY_ERROR, 0 }, 0 },
		{ SEVERITY_WARNING, { SEVERITY_WARNING, 0 }, 1 },
		{ SEVERITY_NOTE, { SEVERITY_WARNING, 0 }, 0 },
		{ SEVERITY_NOTE, { SEVERITY_NOTE, 0 }, 1 },
		{ SEVERITY_UNDETERMINED, { SEVERITY_NOTE, 0 }, 2 },
		{ SEVERITY_UNDETERMINED, { SEVERITY_NONE, 0 }, 2 },
		{ SEVERITY_ERROR, { SEVERITY_NONE, OWN }, 1 },
		{ SEVERITY_NOTE, { SEVERITY_NONE, OWN }, 1 },
		{ SEVERITY_NOTE, { SEVERITY_ERROR, OWN }, 1 },
		{ SEVERITY_ERROR, { SEVERITY_ERROR, ~OWN }, 1 },
		{ SEVERITY_ERROR, { SEVERITY_NONE, ~OWN }, 0 },
		{ SEVERITY_WARNING, { SEVERITY_ERROR, ~OWN }, 0 },
		{ SEVERITY_UNDETERMINED, { SEVERITY_NONE, OWN }, 2 },
	};
	static struct bench b;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		bench_open(&b, "a.umod", 1, cases[i].found);
		b.engine->fail_on = cases[i].fail_on;
		assert_int_equal(report_writer_exit_code(&b.writer), 2);
		assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
		assert_int_equal(report_writer_exit_code(&b.writer), cases[i].code);
		bench_close(&b);
	}
}

/* Findings beyond a cap are counted all the same. */
static void test_caps(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b, "a.umod", 5, SEVERITY_ERROR);
	b.engine->limits.of[LIMIT_findings] = 7;
	keep(KEPT_MAX - 1);
	assert_int_equal(report_writer_output(&b.writer, "text", keep_sink, &kept), WRITER_OK);
	assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
	assert_int_equal(report_writer_add(&b.writer, &b.report), WRITER_OK);
	assert_int_equal(report_writer_output(&b.writer, "json", keep_sink, &kept),
			 WRITER_TOO_LATE);
	assert_int_equal(report_writer_end(&b.writer), WRITER_OK);
	kept.bytes[kept.n] = 0;
	assert_int_equal(b.writer.totals.n_shown, 7);
	assert_int_equal(b.writer.totals.n_found[SEVERITY_ERROR], 10);
	assert_true(totals_cut(&b.writer.totals));
	assert_non_null(strstr((const char *)kept.bytes, "   = TST001 x 5 in all\n"));
	assert_non_null(strstr((const char *)kept.bytes, "10 errors.  Kept: 7 of 10 findings."));
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sink_failure_is_sticky),
		cmocka_unit_test(test_memory_failure),
		cmocka_unit_test(test_lines_are_ours),
		cmocka_unit_test(test_lines_come_with_their_artifact),
		cmocka_unit_test(test_exit_codes),
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_unjudged),
		cmocka_unit_test(test_scopes),
		cmocka_unit_test(test_scopes_of_some),
		cmocka_unit_test(test_ndjson),
		cmocka_unit_test(test_companions),
		cmocka_unit_test(test_companions_as_a_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of the public interface where it does more than pass on: options, refused calls, cut
 * messages, families. */
#include <stdio.h>

#include "api/api.h"
#include "build.h"
#include "codec/blake3.h"
#include "codec/crc.h"
#include "codec/lzma.h"
#include "codec/sha1.h"
#include "codec/zstd.h"
#include "core/limits.h"
#include "platform/platform.h"
#include "report/message.h"
#include "unit.h"
#include "uvet/uvet.h"

static uvet_options *options;

static int open_options(void **state)
{
	(void)state;
	return uvet_options_new(&options) == UVET_OK ? 0 : -1;
}

static int close_options(void **state)
{
	(void)state;
	uvet_options_free(options);
	return 0;
}

static void test_options_taken(void **state)
{
	static const char *const good[][2] = {
		{ "select", "UMD" },
		{ "ignore", "UMD018,MAN007" },
		{ "only", "security" },
		{ "severity", "UMD006=warning" },
		{ "severity", "crc_mismatch=off" },
		{ "level", "structure" },
		{ "level", "content" },
		{ "level", "default" },
		{ "unknown", "skip" },
		{ "fail-on", "never" },
		{ "fail-on", "note" },
		{ "show-passed", "yes" },
		{ "max-memory", "0" },
		{ "max-memory", "16777215G" },
		{ "max-work", "18446744073709551615" },
		{ "timeout", "0" },
		{ "timeout", "60" },
		{ "timeout", "500ms" },
		{ "timeout", "60s" },
		{ "timeout", "2m" },
		{ "timeout", "8760h" },
		{ "max-text", "2K" },
		{ "max-entries", "3M" },
		{ "max-findings", "1" },
		{ "max-per-rule", "1" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(good); i++) {
		assert_int_equal(uvet_options_set(options, good[i][0], good[i][1]), UVET_OK);
		assert_string_equal(uvet_options_error(options), "");
	}
}

static void test_options_refused(void **state)
{
	static const char *const bad[][3] = {
		{ "colour", "red", "colour: no such option" },
		{ "level", "deep", "level: expected structure or content: \"deep\"" },
		{ "fail-on", "undetermined",
		  "fail-on: expected error, warning, note or never: \"undetermined\"" },
		{ "show-passed", "", "show-passed: expected yes or no: \"\"" },
		{ "unknown", "Skip", "unknown: expected undetermined or skip: \"Skip\"" },
#define TIMES "timeout: expected a time such as 60, 500ms, 2m or 1h, a year at most; 0 for none: "
		{ "timeout", "", TIMES "\"\"" },
		{ "timeout", "s", TIMES "\"s\"" },
		{ "timeout", "1.5", TIMES "\"1.5\"" },
		{ "timeout", "-1", TIMES "\"-1\"" },
		{ "timeout", "1 s", TIMES "\"1 s\"" },
		{ "timeout", "5us", TIMES "\"5us\"" },
		{ "timeout", "8761h", TIMES "\"8761h\"" },
		{ "timeout", "18446744073709551617", TIMES "\"18446744073709551617\"" },
#undef TIMES
		{ "max-memory", "", "max-memory: expected a number, perhaps with K, M or G: \"\"" },
		{ "max-memory", "K",
		  "max-memory: expected a number, perhaps with K, M or G: \"K\"" },
		{ "max-memory", "1k",
		  "max-memory: expected a number, perhaps with K, M or G: \"1k\"" },
		{ "max-memory", "1KB",
		  "max-memory: expected a number, perhaps with K, M or G: \"1KB\"" },
		{ "max-memory", "-1",
		  "max-memory: expected a number, perhaps with K, M or G: \"-1\"" },
		{ "max-memory", "17179869184G",
		  "max-memory: expected a number, perhaps with K, M or G: \"17179869184G\"" },
		{ "max-work", "18446744073709551616",
		  "max-work: expected a number, perhaps with K, M or G: \"18446744073709551616\"" },
		{ "siblings", "all", "siblings: expected auto or none: \"all\"" },
		{ "jobs", "65", "jobs: expected a number from 0 to 64: \"65\"" },
		{ "jobs", "", "jobs: expected a number from 0 to 64: \"\"" },
		{ "max-work", "\x1b\"",
		  "max-work: expected a number, perhaps with K, M or G: \"\\x1B\\x22\"" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		assert_int_equal(uvet_options_set(options, bad[i][0], bad[i][1]), UVET_BAD_OPTION);
		assert_string_equal(uvet_options_error(options), bad[i][2]);
	}
	assert_int_equal(uvet_options_set(options, "ignore", "NOPE"), UVET_BAD_OPTION);
	assert_non_null(strstr(uvet_options_error(options), "\"NOPE\""));
	assert_int_equal(uvet_options_set(options, "level", "default"), UVET_OK);
	assert_string_equal(uvet_options_error(options), "");
}

/* However long the names are, the error is one line that ends. */
static void test_options_error_is_bounded(void **state)
{
	char name[2000];

	(void)state;
	memset(name, 0x1B, sizeof name);
	name[sizeof name - 1] = '\0';
	assert_int_equal(uvet_options_set(options, name, name), UVET_BAD_OPTION);
	assert_true(strlen(uvet_options_error(options)) < 256);
	assert_int_equal(uvet_options_set(options, "max-work", name), UVET_BAD_OPTION);
	assert_true(strlen(uvet_options_error(options)) < 256);
}

static int take(void *ctx, const void *bytes, size_t len)
{
	size_t *n = ctx;

	(void)bytes;
	*n += len;
	return 0;
}

static void test_calls_refused(void **state)
{
	uvet_engine *engine;
	uvet_report *report;
	uvet_writer *writer;
	uvet_io io = UVET_IO_INIT;
	size_t n = 0;

	(void)state;
	assert_int_equal(uvet_options_set(NULL, "level", "default"), UVET_BAD_CALL);
	assert_int_equal(uvet_options_set(options, NULL, "default"), UVET_BAD_CALL);
	assert_int_equal(uvet_engine_new(options, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_engine_new(NULL, &engine), UVET_OK);
	assert_int_equal(uvet_check_path(engine, NULL, NULL, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_memory(engine, "a", NULL, 1, NULL, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_io(engine, "a", &io, NULL, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_new(engine, &writer), UVET_OK);
	assert_int_equal(uvet_writer_output(writer, "text", NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_output(writer, "xml", take, &n), UVET_BAD_OPTION);
	assert_int_equal(uvet_writer_verdict(writer), UVET_UNDETERMINED);
	assert_int_equal(uvet_writer_exit_code(writer), 2);
	assert_int_equal(uvet_writer_left_out(writer, 0, 0, 0), UVET_OK);
	assert_int_equal(uvet_writer_end(writer), UVET_OK);
	assert_int_equal(uvet_writer_left_out(writer, 1, 0, 0), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_output(writer, "text", take, &n), UVET_BAD_CALL);
	uvet_writer_free(writer);
	assert_int_equal(uvet_map_io(engine, "a", &io, NULL, "text", take, &n), UVET_BAD_CALL);
	assert_int_equal(uvet_info_path(engine, "a", NULL, "xml", take, &n), UVET_BAD_OPTION);
	assert_int_equal(uvet_rules_write("xml", take, &n), UVET_BAD_OPTION);
	assert_int_equal(uvet_explain("NOPE", take, &n), UVET_BAD_OPTION);
	assert_int_equal(n, 0);
	uvet_engine_free(engine);
	uvet_engine_free(NULL);
	uvet_writer_free(NULL);
	uvet_report_free(NULL);
}

/* An empty input needs no bytes. */
static void test_empty_memory(void **state)
{
	uvet_engine *engine;
	uvet_report *report;

	(void)state;
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	assert_int_equal(uvet_check_memory(engine, "a.umod", NULL, 0, NULL, &report), UVET_OK);
	assert_int_equal(uvet_report_verdict(report), UVET_INVALID);
	assert_string_equal(uvet_report_name(report), "a.umod");
	assert_string_equal(uvet_report_format(report), "umod");
	assert_true(uvet_report_count(report) > 0);
	assert_null(uvet_report_at(report, uvet_report_count(report)));
	uvet_report_free(report);
	uvet_engine_free(engine);
}

static int keep(void *ctx, const void *bytes, size_t len)
{
	char *text = ctx;
	const size_t n = strlen(text), room = 999 - n;

	memcpy(text + n, bytes, len < room ? len : room);
	return 0;
}

/* What was left out in folders stands at the end of a text. */
static void test_left_out(void **state)
{
	char text[1000] = "";
	uvet_engine *engine;
	uvet_writer *writer;

	(void)state;
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	assert_int_equal(uvet_writer_new(engine, &writer), UVET_OK);
	assert_int_equal(uvet_writer_output(writer, "text", keep, text), UVET_OK);
	assert_int_equal(uvet_writer_left_out(writer, 1, 2, 3), UVET_OK);
	assert_int_equal(uvet_writer_end(writer), UVET_OK);
	assert_non_null(strstr(
		text,
		"Left out in folders: 1 link, 2 special files, 3 folders on other file systems."));
	uvet_writer_free(writer);
	uvet_engine_free(engine);
}

/* A file that was checked is closed: the next to be opened has the number that the last one had. */
static void test_closed_files(void **state)
{
#if defined(__linux__)
	static const char path[] = "/proc/self/exe";
	struct platform_file file;
	uvet_engine *engine;
	uvet_report *report;
	intptr_t before;

	(void)state;
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	assert_true(platform_file_open(path, &file));
	before = file.handle;
	platform_file_close(&file);
	assert_int_equal(uvet_check_path(engine, path, NULL, &report), UVET_OK);
	uvet_report_free(report);
	assert_true(platform_file_open(path, &file));
	assert_int_equal(file.handle, before);
	platform_file_close(&file);
	uvet_engine_free(engine);
#else
	(void)state;
#endif
}

/* Counts findings, and asks for no more when there were enough. */
struct counted {
	size_t n, enough;
	const char *last;
};

static int count_finding(void *ctx, const uvet_finding *finding)
{
	struct counted *c = ctx;

	c->last = uvet_finding_rule(finding);
	return ++c->n == c->enough;
}

static void test_nested(void **state)
{
	static struct build inner, file;
	struct counted all = { 0 }, some = { .enough = 1 };
	uvet_hooks hooks = { .struct_size = sizeof(uvet_hooks),
			     .on_finding = count_finding,
			     .ctx = &all };
	uvet_engine *engine;
	uvet_report *report;
	const uvet_report *nested;
	uvet_writer *writer;
	uint64_t offset, length;
	size_t n = 0;

	(void)state;
	build_good(&inner);
	inner.bytes[inner.trailer_at + 16] ^= 1;
	build_around(&file, (struct build_inner[]){ { "a.umod", &inner }, { "b.umod", &inner } },
		     2);
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	assert_int_equal(uvet_check_memory(engine, "x.umod", file.bytes, file.n, &hooks, &report),
			 UVET_OK);
	assert_int_equal(uvet_report_verdict(report), UVET_INVALID);
	assert_int_equal(uvet_report_found(report, UVET_SEVERITY_ERROR), 0);
	assert_int_equal(uvet_report_nested_count(report), 2);
	assert_null(uvet_report_nested_at(report, 2));
	nested = uvet_report_nested_at(report, 1);
	assert_string_equal(uvet_report_name(nested), "x.umod!b.umod");
	assert_int_equal(uvet_report_found(nested, UVET_SEVERITY_ERROR), 1);
	assert_ptr_equal(uvet_report_parent(nested), report);
	assert_null(uvet_report_parent(report));
	assert_int_equal(uvet_report_held(nested), uvet_report_held(report));
	assert_ptr_equal(uvet_report_next(report, uvet_report_nested_at(report, 0)), nested);
	assert_null(uvet_report_next(report, nested));
	assert_int_equal(uvet_report_place(report, &offset, &length), 0);
	assert_int_equal(uvet_report_place(nested, &offset, &length), 1);
	assert_memory_equal(file.bytes + offset, inner.bytes, length);
	assert_int_equal(all.n, uvet_report_count(report) + 2 * uvet_report_count(nested));
	assert_string_equal(all.last, "UMD006");

	assert_int_equal(uvet_writer_new(engine, &writer), UVET_OK);
	assert_int_equal(uvet_writer_output(writer, "json", take, &n), UVET_OK);
	assert_int_equal(uvet_writer_add(writer, report), UVET_OK);
	assert_int_equal(uvet_writer_add(writer, nested), UVET_OK);
	assert_int_equal(uvet_writer_add_alone(writer, report), UVET_OK);
	assert_int_equal(uvet_writer_add_alone(writer, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_end(writer), UVET_OK);
	assert_int_equal(uvet_writer_add_alone(writer, report), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_exit_code(writer), 1);
	uvet_writer_free(writer);
	uvet_report_free(report);
	hooks.ctx = &some;
	assert_int_equal(uvet_check_memory(engine, "x.umod", file.bytes, file.n, &hooks, &report),
			 UVET_OK);
	assert_int_equal(some.n, 1);
	uvet_report_free(report);
	uvet_engine_free(engine);
}

/* A message that does not fit is cut between characters, and its length is told. */
static void test_message_cut(void **state)
{
	struct rule rule = { .message = "a\xE2\x82\xAC"
					"b" };
	struct finding f = { .rule = &rule };
	char buf[8];

	(void)state;
	assert_int_equal(uvet_finding_message((const void *)&f, NULL, 0), 5);
	for (size_t size = 1; size <= 6; size++) {
		assert_int_equal(uvet_finding_message((const void *)&f, buf, size), 5);
		assert_string_equal(buf, size < 2   ? ""
					 : size < 5 ? "a"
					 : size < 6 ? "a\xE2\x82\xAC"
						    : "a\xE2\x82\xAC"
						      "b");
	}
	assert_int_equal(uvet_finding_field((const void *)&f, buf, sizeof buf), 0);
	assert_string_equal(buf, "");
}

/* What a call refused is not said of the next. */
static void test_error_of_the_last_call(void **state)
{
	static const uint8_t exponent[] = { 1, 0, 1 };
	uint8_t modulus[64];
	uvet_options *o;

	(void)state;
	memset(modulus, 1, sizeof modulus);
	assert_int_equal(uvet_options_new(&o), UVET_OK);
	assert_int_equal(uvet_options_set(o, "no such option", "1"), UVET_BAD_OPTION);
	assert_string_not_equal(uvet_options_error(o), "");
	assert_int_equal(
		uvet_options_signing_key(o, modulus, sizeof modulus, exponent, sizeof exponent),
		UVET_OK);
	assert_string_equal(uvet_options_error(o), "");
	uvet_options_free(o);
}

static void test_rules(void **state)
{
	uvet_rule rule = UVET_RULE_INIT, found = UVET_RULE_INIT;

	(void)state;
	for (size_t i = 0; i < uvet_rule_count(); i++) {
		assert_int_equal(uvet_rule_at(i, &rule), 1);
		assert_int_equal(strlen(rule.family), 3);
		assert_memory_equal(rule.family, rule.id, 3);
		assert_int_equal(uvet_rule_find(rule.id, &found), 1);
		assert_ptr_equal(found.id, rule.id);
		assert_int_equal(uvet_rule_find(rule.name, &found), 1);
		assert_ptr_equal(found.id, rule.id);
	}
	assert_int_equal(uvet_rule_at(uvet_rule_count(), &rule), 0);
	assert_int_equal(uvet_rule_find("", &rule), 0);
	assert_int_equal(uvet_rule_find(NULL, &rule), 0);
}

static void test_limits(void **state)
{
	uvet_limit limit = UVET_LIMIT_INIT;

	(void)state;
	for (size_t i = 0; i < uvet_limit_count(); i++) {
		assert_int_equal(uvet_limit_at(i, &limit), 1);
		assert_int_equal(uvet_options_set(options, limit.option, "1"), UVET_OK);
	}
	assert_int_equal(uvet_limit_at(uvet_limit_count(), &limit), 0);
}

static void test_names(void **state)
{
	char version[32];

	(void)state;
	assert_string_equal(uvet_status_name(UVET_WRITE_FAILED), "write_failed");
	assert_string_equal(uvet_verdict_name(UVET_NOT_APPLICABLE), "not_applicable");
	assert_string_equal(uvet_severity_name(UVET_SEVERITY_ERROR), "error");
	assert_string_equal(uvet_verdict_name((uvet_verdict)99), "");
	assert_string_equal(uvet_severity_name((uvet_severity)99), "");
	assert_string_equal(uvet_severity_name((uvet_severity)(UVET_SEVERITY_ERROR + 1)), "");
	assert_string_equal(uvet_version(), UVET_VERSION);
	assert_int_equal(uvet_version_number(), UVET_VERSION_NUMBER);
	snprintf(version, sizeof version, "%d.%d.%d", UVET_VERSION_MAJOR, UVET_VERSION_MINOR,
		 UVET_VERSION_PATCH);
	assert_string_equal(version, UVET_VERSION);
	assert_string_equal(uvet_library("crc"), crc_library());
	assert_string_equal(uvet_library("deflate"), "zlib");
	assert_string_equal(uvet_library("lzma"), unlzma_is_available() ? "liblzma" : "none");
	assert_string_equal(uvet_library("lz4"), "uvet");
	assert_string_equal(uvet_library("zstd"), unzstd_is_available() ? "libzstd" : "none");
	assert_string_equal(uvet_library("sha1"), sha1_is_available() ? "nettle" : "none");
	assert_string_equal(uvet_library("aes"), sha1_is_available() ? "nettle" : "none");
	assert_string_equal(uvet_library("rsa"), "uvet");
	assert_string_equal(uvet_library("blake3"), blake3_is_available() ? "blake3" : "none");
	assert_null(uvet_library("rar"));
	assert_null(uvet_library(NULL));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_options, close_options)

/* ---- Ending checks from outside -------------------------------------------------------------- */

static uvet_report *check_with(uvet_engine *engine, const uvet_hooks *hooks)
{
	static struct build file;
	uvet_report *report = NULL;

	build_good(&file);
	assert_int_equal(uvet_check_memory(engine, "a.umod", file.bytes, file.n, hooks, &report),
			 UVET_OK);
	return report;
}

static void expect_verdict(uvet_report *report, uvet_verdict verdict, const char *rule)
{
	assert_int_equal(uvet_report_verdict(report), verdict);
	assert_int_equal(uvet_report_count(report), rule ? 1 : 0);
	if (rule)
		assert_string_equal(uvet_finding_rule(uvet_report_at(report, 0)), rule);
	uvet_report_free(report);
}

/* One check is cancelled while the engine goes on with others. */
static void test_cancellation(void **state)
{
	uvet_cancellation *cancellation = NULL;
	uvet_engine *engine = NULL;
	uvet_hooks hooks = UVET_HOOKS_INIT;

	(void)state;
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	assert_int_equal(uvet_cancellation_new(NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_cancellation_new(&cancellation), UVET_OK);
	hooks.cancellation = cancellation;
	expect_verdict(check_with(engine, &hooks), UVET_VALID, NULL);
	uvet_cancellation_set(cancellation);
	expect_verdict(check_with(engine, &hooks), UVET_UNDETERMINED, "RUN006");
	expect_verdict(check_with(engine, &hooks), UVET_UNDETERMINED, "RUN006");
	expect_verdict(check_with(engine, NULL), UVET_VALID, NULL);
	uvet_cancellation_set(NULL);
	uvet_cancellation_free(NULL);
	uvet_cancellation_free(cancellation);
	uvet_engine_free(engine);
}

static int read_late(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	const struct build *file = ctx;
	const uint64_t begin = platform_now();

	while (platform_now() - begin < 2000000)
		;
	*n_read = offset < file->n ? file->n - (size_t)offset : 0;
	*n_read = *n_read < len ? *n_read : len;
	memcpy(buf, file->bytes + offset, *n_read);
	return 0;
}

/* A check's own time counts in place of the engine's, and both are on a clock that runs. */
static void test_timeout(void **state)
{
	static struct build file;
	const uvet_io io = {
		.struct_size = sizeof(uvet_io), .read_at = read_late, .ctx = &file, .size = 0
	};
	static const struct {
		const char *engine;
		uint64_t check;
		uvet_verdict verdict;
	} cases[] = {
		{ "0", 0, UVET_VALID },          { "1ms", 0, UVET_UNDETERMINED },
		{ "1ms", 3600000, UVET_VALID },  { "1h", 1, UVET_UNDETERMINED },
		{ "0", UINT64_MAX, UVET_VALID },
	};

	(void)state;
	build_good(&file);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		uvet_hooks hooks = { .struct_size = sizeof(uvet_hooks),
				     .timeout_ms = cases[i].check };
		uvet_engine *engine = NULL;
		uvet_report *report = NULL;
		uvet_io input = io;

		input.size = file.n;
		assert_int_equal(uvet_options_set(options, "timeout", cases[i].engine), UVET_OK);
		assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
		assert_int_equal(uvet_check_io(engine, "a.umod", &input, &hooks, &report), UVET_OK);
		expect_verdict(report, cases[i].verdict,
			       cases[i].verdict == UVET_VALID ? NULL : "RUN010");
		uvet_engine_free(engine);
	}
}

/* What another process lost has a report as any other. */
static void test_lost(void **state)
{
	uvet_engine *engine = NULL;
	uvet_report *report = NULL;
	char message[64];

	(void)state;
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	assert_int_equal(uvet_check_lost(engine, NULL, 0, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_lost(NULL, "a.umod", 0, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_lost(engine, "a.umod", 0, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_check_lost(engine, "a.umod", 0, &report), UVET_OK);
	assert_string_equal(uvet_report_name(report), "a.umod");
	expect_verdict(report, UVET_UNDETERMINED, "RUN012");
	assert_int_equal(uvet_check_lost(engine, "a.umod", 1500, &report), UVET_OK);
	uvet_finding_message(uvet_report_at(report, 0), message, sizeof message);
	assert_string_equal(message, "the check was not finished in 1500 ms");
	expect_verdict(report, UVET_UNDETERMINED, "RUN010");
	uvet_engine_free(engine);
}

/* A link is told where its name promises something. */
static void test_links(void **state)
{
	uvet_engine *engine = NULL;
	uvet_report *report = NULL;
	char message[96];

	(void)state;
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	assert_int_equal(uvet_check_link(engine, NULL, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_link(NULL, "a.umod", &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_link(engine, "a.umod", NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_check_link(engine, "m/a.txt", &report), UVET_OK);
	assert_null(report);
	assert_int_equal(uvet_check_link(engine, "m/a.UTX", &report), UVET_OK);
	uvet_finding_message(uvet_report_at(report, 0), message, sizeof message);
	assert_string_equal(
		message,
		"the input cannot be read: it is a link, which is not followed in folders");
	expect_verdict(report, UVET_UNDETERMINED, "RUN002");
	uvet_engine_free(engine);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void test_limit_values(void **state)
{
	uint64_t value = 7;

	(void)state;
	assert_int_equal(uvet_options_limit(options, "max-depth", &value), 1);
	assert_int_equal(value, limit_infos[LIMIT_depth].standard);
	assert_int_equal(uvet_options_set(options, "max-memory", "3M"), UVET_OK);
	assert_int_equal(uvet_options_limit(options, "max-memory", &value), 1);
	assert_int_equal(value, 3 << 20);
	assert_int_equal(uvet_options_limit(options, "memory", &value), 0);
	assert_int_equal(uvet_options_limit(NULL, "max-memory", &value), 0);
	assert_int_equal(uvet_options_limit(options, NULL, &value), 0);
	assert_int_equal(uvet_options_limit(options, "max-memory", NULL), 0);
	assert_int_equal(value, 3 << 20);
}

/* A report holds what its allocator gave it, and its facts are gone. */
static void test_held(void **state)
{
	struct fault_memory memory = { 0 };
	uvet_engine *engine = NULL;
	uvet_report *report;
	uint64_t before;

	(void)state;
	uvet_options_allocator(options, fault_alloc, fault_release, &memory);
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	before = memory.bytes_live;
	report = check_with(engine, NULL);
	assert_true(uvet_report_held(report) > 0);
	assert_true(uvet_report_held(report) <= uvet_report_memory(report));
	assert_true(memory.bytes_live - before >= uvet_report_held(report));
	assert_true(memory.bytes_live - before < uvet_report_held(report) + 65536);
	uvet_report_free(report);
	uvet_engine_free(engine);
	assert_int_equal(memory.n_live, 0);
}

/* What a file is does not depend on the rules that are asked of it. */
static void test_info_without_rules(void **state)
{
	static struct build file;
	struct fault_input input;
	uvet_io io = { .struct_size = sizeof(uvet_io), .read_at = fault_read_at, .ctx = &input };
	uvet_engine *engine;
	size_t n = 0;

	(void)state;
	build_good(&file);
	input = (struct fault_input){ .bytes = file.bytes, .size = file.n };
	io.size = file.n;
	assert_int_equal(uvet_options_set(options, "ignore", "all"), UVET_OK);
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	assert_int_equal(uvet_info_io(engine, "a.umod", &io, NULL, "text", take, &n), UVET_OK);
	assert_true(n > 0);
	uvet_engine_free(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_options_taken),
		TEST(test_options_refused),
		TEST(test_options_error_is_bounded),
		TEST(test_calls_refused),
		TEST(test_empty_memory),
		TEST(test_message_cut),
		TEST(test_rules),
		TEST(test_limits),
		TEST(test_names),
		TEST(test_closed_files),
		TEST(test_left_out),
		TEST(test_error_of_the_last_call),
		TEST(test_nested),
		TEST(test_cancellation),
		TEST(test_timeout),
		TEST(test_lost),
		TEST(test_links),
		TEST(test_limit_values),
		TEST(test_held),
		TEST(test_info_without_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

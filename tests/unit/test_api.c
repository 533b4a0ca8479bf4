/* Tests of the public interface where it does more than pass a call on: calls that are refused, cut
 * messages, families of rules, names. Those of options and of checks have files of their own. */
#include <stdio.h>

#include "build.h"
#include "codec/blake3.h"
#include "codec/crc.h"
#include "codec/lzma.h"
#include "codec/sha1.h"
#include "codec/unstream.h"
#include "codec/zstd.h"
#include "options_state.h"
#include "report/message.h"

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
	assert_int_equal(uvet_check_memory(engine, "a", "", 0, NULL, &report), UVET_OK);
	assert_int_equal(uvet_options_learn(NULL, report), UVET_BAD_CALL);
	assert_int_equal(uvet_options_learn(options, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_options_global(NULL, report), UVET_BAD_CALL);
	assert_int_equal(uvet_options_global(options, NULL), UVET_BAD_CALL);
	uvet_report_free(report);
	assert_int_equal(uvet_check_memory(engine, "a", NULL, 1, NULL, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_io(engine, "a", &io, NULL, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_new(engine, &writer), UVET_OK);
	assert_int_equal(uvet_writer_output(writer, "text", NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_output(writer, "xml", count_bytes, &n), UVET_BAD_OPTION);
	assert_int_equal(uvet_writer_verdict(writer), UVET_UNDETERMINED);
	assert_int_equal(uvet_writer_exit_code(writer), 2);
	assert_int_equal(uvet_writer_left_out(writer, 0, 0, 0), UVET_OK);
	assert_int_equal(uvet_writer_end(writer), UVET_OK);
	assert_int_equal(uvet_writer_left_out(writer, 1, 0, 0), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_output(writer, "text", count_bytes, &n), UVET_BAD_CALL);
	uvet_writer_free(writer);
	assert_int_equal(uvet_map_io(engine, "a", &io, NULL, "text", count_bytes, &n),
			 UVET_BAD_CALL);
	assert_int_equal(uvet_info_path(engine, "a", NULL, "xml", count_bytes, &n),
			 UVET_BAD_OPTION);
	assert_int_equal(uvet_rules_write("xml", count_bytes, &n), UVET_BAD_OPTION);
	assert_int_equal(uvet_schema_write("xml", count_bytes, &n), UVET_BAD_OPTION);
	assert_int_equal(uvet_explain("NOPE", count_bytes, &n), UVET_BAD_OPTION);
	assert_int_equal(n, 0);
	uvet_engine_free(engine);
	uvet_engine_free(NULL);
	uvet_writer_free(NULL);
	uvet_report_free(NULL);
}

static void test_profiles_asked_wrongly(void **state)
{
	const char *name = uvet_profile_at(0), *option = NULL, *value = NULL;

	(void)state;
	assert_non_null(uvet_profile_meaning(name));
	assert_null(uvet_profile_meaning(NULL));
	assert_null(uvet_profile_meaning("none"));
	assert_int_equal(uvet_profile_setting_at(name, 0, &option, &value), 1);
	assert_int_equal(uvet_profile_setting_at(NULL, 0, &option, &value), 0);
	assert_int_equal(uvet_profile_setting_at(name, 0, NULL, &value), 0);
	assert_int_equal(uvet_profile_setting_at(name, 0, &option, NULL), 0);
	assert_int_equal(uvet_profile_setting_at(name, 1000, &option, &value), 0);
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
	assert_string_equal(uvet_library("bzip2"), unbzip2_is_available() ? "libbz2" : "none");
	assert_string_equal(uvet_library("zstd"), unzstd_is_available() ? "libzstd" : "none");
	assert_string_equal(uvet_library("sha1"), sha1_is_available() ? "nettle" : "none");
	assert_string_equal(uvet_library("aes"), sha1_is_available() ? "nettle" : "none");
	assert_string_equal(uvet_library("rsa"), "uvet");
	assert_string_equal(uvet_library("blake3"), blake3_is_available() ? "blake3" : "none");
	assert_null(uvet_library("rar"));
	assert_null(uvet_library(NULL));
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
	assert_int_equal(uvet_info_io(engine, "a.umod", &io, NULL, "text", count_bytes, &n),
			 UVET_OK);
	assert_true(n > 0);
	uvet_engine_free(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OPTIONS_TEST(test_calls_refused),
		OPTIONS_TEST(test_message_cut),
		OPTIONS_TEST(test_profiles_asked_wrongly),
		OPTIONS_TEST(test_message_cut),
		OPTIONS_TEST(test_rules),
		OPTIONS_TEST(test_names),
		OPTIONS_TEST(test_left_out),
		OPTIONS_TEST(test_info_without_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

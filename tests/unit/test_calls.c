/* Tests of the public interface's calls: those that cannot be meant are refused, and what a host
 * may ask of findings, reports and files. */
#include <stdio.h>

#include "api/api.h"
#include "build.h"
#include "taken.h"

static struct build good, bad;
static uvet_options *options;
static uvet_engine *engine;
static uvet_report *report;

static int begin(void **state)
{
	(void)state;
	build_good(&good);
	build_good(&bad);
	bad.bytes[bad.trailer_at + 16] ^= 1;
	report = NULL;
	return uvet_options_new(&options) != UVET_OK ||
	       uvet_engine_new(options, &engine) != UVET_OK;
}

static int end(void **state)
{
	(void)state;
	uvet_report_free(report);
	uvet_engine_free(engine);
	uvet_options_free(options);
	return 0;
}

static void check_bad(void)
{
	assert_int_equal(uvet_check_memory(engine, "a.umod", bad.bytes, bad.n, NULL, &report),
			 UVET_OK);
}

/* ---- Calls that are refused ------------------------------------------------------------------ */

static void checks_want_all_they_ask_for(void **state)
{
	const uvet_io nothing = UVET_IO_INIT,
		      io = { .struct_size = sizeof(uvet_io), .read_at = fault_read_at };
	const uvet_hooks hooks = UVET_HOOKS_INIT;

	(void)state;
	assert_int_equal(uvet_options_new(NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_options_set(options, "level", NULL), UVET_BAD_CALL);
	assert_string_equal(uvet_options_error(NULL), "");
	assert_int_equal(uvet_check_path(NULL, "a", NULL, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_path(engine, "a", NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_check_memory(NULL, "a", "", 0, NULL, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_memory(engine, NULL, "", 0, NULL, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_memory(engine, "a", "", 0, NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_check_io(NULL, "a", &io, NULL, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_io(engine, NULL, &io, NULL, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_check_io(engine, "a", &io, NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_check_io(engine, "a", &nothing, NULL, &report), UVET_BAD_CALL);
	assert_null(report);
	assert_int_equal(uvet_check_memory(engine, "a.umod", bad.bytes, bad.n, &hooks, &report),
			 UVET_OK);
	assert_int_equal(uvet_report_verdict(report), UVET_INVALID);
}

static void writers_want_all_they_ask_for(void **state)
{
	uvet_writer *writer = NULL;

	(void)state;
	check_bad();
	assert_int_equal(uvet_writer_new(NULL, &writer), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_new(engine, NULL), UVET_BAD_CALL);
	assert_null(writer);
	assert_int_equal(uvet_writer_new(engine, &writer), UVET_OK);
	assert_int_equal(uvet_writer_output(NULL, "text", take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_output(writer, NULL, take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_add(NULL, report), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_add(writer, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_add_alone(NULL, report), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_left_out(NULL, 1, 1, 1), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_accept(NULL, NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_end(NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_verdict(writer), UVET_UNDETERMINED);
	uvet_writer_free(writer);
}

static void lists_want_all_they_ask_for(void **state)
{
	uvet_limit limit = UVET_LIMIT_INIT;
	uvet_rule rule = UVET_RULE_INIT;

	(void)state;
	assert_int_equal(uvet_rules_write(NULL, take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_rules_write("text", NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_schema_write(NULL, take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_schema_write("report", NULL, NULL), UVET_BAD_CALL);
	assert_null(uvet_schema_name(SIZE_MAX));
	assert_int_equal(uvet_explain(NULL, take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_explain("UMD006", NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_rule_at(0, NULL), 0);
	assert_int_equal(uvet_rule_at(0, &rule), 1);
	assert_int_equal(uvet_rule_find("UMD006", NULL), 0);
	assert_int_equal(uvet_limit_at(0, NULL), 0);
	assert_int_equal(uvet_limit_at(0, &limit), 1);
}

static void maps_want_all_they_ask_for(void **state)
{
	const uvet_io nothing = UVET_IO_INIT,
		      io = { .struct_size = sizeof(uvet_io), .read_at = fault_read_at };

	(void)state;
	take_anew();
	assert_int_equal(uvet_map_path(NULL, "a", NULL, "text", take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_map_path(engine, NULL, NULL, "text", take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_map_path(engine, "a", NULL, NULL, take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_info_path(engine, "a", NULL, "text", NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_map_io(NULL, "a", &io, NULL, "text", take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_map_io(engine, NULL, &io, NULL, "text", take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_map_io(engine, "a", &nothing, NULL, "text", take, NULL),
			 UVET_BAD_CALL);
	assert_int_equal(uvet_info_io(engine, "a", &io, NULL, NULL, take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_info_io(engine, "a", &io, NULL, "text", NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_map_io(engine, "a", &io, NULL, "sarif", take, NULL), UVET_BAD_OPTION);
	assert_int_equal(taken.n, 0);
}

/* Nothing is set where there is nothing to set it in, and no half of an allocator is taken. */
static void options_that_are_not_there_stay_so(void **state)
{
	struct fault_memory memory = { 0 };
	uvet_engine *own;

	(void)state;
	uvet_options_allocator(options, fault_alloc, fault_release, &memory);
	uvet_options_allocator(NULL, fault_alloc, fault_release, NULL);
	uvet_options_allocator(options, NULL, fault_release, NULL);
	uvet_options_allocator(options, fault_alloc, NULL, NULL);
	uvet_options_oodle(NULL, NULL, NULL);
	assert_int_equal(uvet_engine_new(options, &own), UVET_OK);
	assert_int_equal(memory.n_live, 1);
	uvet_engine_free(own);
	assert_int_equal(memory.n_live, 0);
}

/* ---- What may be asked ----------------------------------------------------------------------- */

/* What fits to the last character is whole, whatever follows it; what is all inside one character
 * leaves nothing. */
static void copies_end_between_characters(void **state)
{
	static const struct {
		const char *text;
		size_t size;
		const char *copy;
	} cases[] = {
		{ "12345", 6, "12345" },
		{ "12345", 5, "1234" },
		{ "\x80\x80\x80\x80\x80", 4, "" },
	};
	struct out o;
	char buf[6];

	(void)state;
	memset(&o, 0x80, sizeof o);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		out_init(&o, NULL, NULL);
		out_string(&o, cases[i].text);
		assert_int_equal(api_copy(&o, buf, cases[i].size), 5);
		assert_string_equal(buf, cases[i].copy);
	}
}

static void findings_say_what_they_are(void **state)
{
	const uvet_finding *f;
	uint64_t offset, length;
	char text[64];

	(void)state;
	check_bad();
	assert_int_equal(uvet_report_count(report), 1);
	f = uvet_report_at(report, 0);
	assert_string_equal(uvet_finding_rule(f), "UMD006");
	assert_string_equal(uvet_finding_name(f), "crc_mismatch");
	assert_int_equal(uvet_finding_severity(f), UVET_SEVERITY_ERROR);
	assert_string_equal(uvet_finding_file(f), "");
	assert_int_equal(uvet_finding_place(f, &offset, &length), 1);
	assert_int_equal(offset, bad.trailer_at + 16);
	assert_int_equal(length, 4);
	assert_int_equal(uvet_finding_field(f, text, sizeof text), strlen("trailer.crc"));
	assert_string_equal(text, "trailer.crc");
	assert_int_equal(uvet_report_found(report, UVET_SEVERITY_ERROR), 1);
	assert_int_equal(uvet_report_found(report, (uvet_severity)99), 0);
	assert_true(uvet_report_memory(report) > 0);
}

/* Some findings are about no bytes, and some about those of another file. */
static void findings_may_have_no_place(void **state)
{
	static const struct rule rule = { .id = "TST001", .message = "" };
	const struct finding nowhere = { .rule = &rule, .place = NOWHERE },
			     beside = { .rule = &rule, .place = AT_IN(1, 2, 3), .file = "b.bin" };
	uint64_t offset = 7, length = 7;

	(void)state;
	assert_int_equal(uvet_finding_place((const void *)&nowhere, &offset, &length), 0);
	assert_int_equal(offset, 7);
	assert_int_equal(length, 7);
	assert_string_equal(uvet_finding_file((const void *)&beside), "b.bin");
	assert_int_equal(uvet_finding_place((const void *)&beside, &offset, &length), 1);
	assert_int_equal(offset, 2);
	assert_int_equal(length, 3);
}

/* What was decoded lies nowhere in the file around it. */
static void decoded_files_have_no_place(void **state)
{
	struct report outer = { .name = "a.uz" };
	const struct report inner = {
		.name = "a.uz!a.u", .parent = &outer, .decoded = true, .at = { 1, 2 }
	};
	uint64_t offset = 7, length = 7;

	(void)state;
	assert_int_equal(uvet_report_place((const void *)&inner, &offset, &length), 0);
	assert_int_equal(offset, 7);
	assert_int_equal(length, 7);
}

static void names_of_what_is_not(void **state)
{
	(void)state;
	assert_string_equal(uvet_status_name(UVET_OK), "ok");
	assert_string_equal(uvet_status_name(UVET_CUT), "cut");
	assert_string_equal(uvet_status_name((uvet_status)(UVET_CUT + 1)), "");
	assert_string_equal(uvet_status_name((uvet_status)-1), "");
}

/* ---- Maps and infos -------------------------------------------------------------------------- */

static void files_are_shown_by_their_paths(void **state)
{
	static const char *const forms[] = { "text", "json" };
	struct fault_input input = { .bytes = good.bytes, .size = good.n };
	const uvet_io io = { .struct_size = sizeof(uvet_io),
			     .read_at = fault_read_at,
			     .ctx = &input,
			     .size = good.n };
	static char expected[1 << 14];
	FILE *f = fopen("test_calls.umod", "wb");

	(void)state;
	assert_non_null(f);
	assert_int_equal(fwrite(good.bytes, 1, good.n, f), good.n);
	fclose(f);
	for (size_t i = 0; i < LENGTH(forms); i++) {
		take_anew();
		assert_int_equal(
			uvet_map_io(engine, "test_calls.umod", &io, NULL, forms[i], take, NULL),
			UVET_OK);
		assert_int_equal(
			uvet_info_io(engine, "test_calls.umod", &io, NULL, forms[i], take, NULL),
			UVET_OK);
		assert_true(taken.n < sizeof expected);
		memcpy(expected, taken.bytes, taken.n + 1);
		take_anew();
		assert_int_equal(
			uvet_map_path(engine, "test_calls.umod", NULL, forms[i], take, NULL),
			UVET_OK);
		assert_int_equal(
			uvet_info_path(engine, "test_calls.umod", NULL, forms[i], take, NULL),
			UVET_OK);
		assert_string_equal(taken.bytes, expected);
	}
	remove("test_calls.umod");
	take_anew();
	assert_int_equal(uvet_map_path(engine, "test_calls.umod", NULL, "text", take, NULL),
			 UVET_UNREADABLE);
	assert_string_equal(taken.bytes, "unreadable  test_calls.umod\n");
}

/* A host that could not open a file says so by having no io for it. */
static void files_that_were_not_opened_are_unreadable(void **state)
{
	(void)state;
	take_anew();
	assert_int_equal(uvet_map_io(engine, "a.umod", NULL, NULL, "text", take, NULL),
			 UVET_UNREADABLE);
	assert_string_equal(taken.bytes, "unreadable  a.umod\n");
	take_anew();
	assert_int_equal(uvet_info_io(engine, "a.umod", NULL, NULL, "json", take, NULL),
			 UVET_UNREADABLE);
	assert_non_null(strstr(taken.bytes, "\"unreadable\":true"));
	assert_int_equal(uvet_check_io(engine, "a.umod", NULL, NULL, &report), UVET_OK);
	assert_int_equal(uvet_report_verdict(report), UVET_UNDETERMINED);
}

/* A host that cancels the call while its file is read. */
struct impatient {
	struct fault_input input;
	uvet_cancellation *cancellation;
};

static int read_and_cancel(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	struct impatient *host = ctx;

	uvet_cancellation_set(host->cancellation);
	return fault_read_at(&host->input, offset, buf, len, n_read);
}

/* Whoever has no memory is told that, though the check did not come to its end for another reason
 * too. */
static void memory_that_ends_is_told_first(void **state)
{
	struct impatient host = { .input = { .bytes = good.bytes, .size = good.n } };
	const uvet_io io = { .struct_size = sizeof(uvet_io),
			     .read_at = read_and_cancel,
			     .ctx = &host,
			     .size = good.n };
	struct fault_memory memory = { 0 };
	uint64_t before, n_asked = 0;
	uvet_hooks hooks = UVET_HOOKS_INIT;
	uvet_engine *own;

	(void)state;
	uvet_options_allocator(options, fault_alloc, fault_release, &memory);
	for (uint64_t at = 0; at <= n_asked; at++) {
		assert_int_equal(uvet_engine_new(options, &own), UVET_OK);
		assert_int_equal(uvet_cancellation_new(&host.cancellation), UVET_OK);
		hooks.cancellation = host.cancellation;
		own->engine.chunk_len = 1; /* so that memory is asked for in many places */
		before = memory.n_asked;
		memory.fail_at = at > 0 ? before + at : 0;
		take_anew();
		assert_int_equal(uvet_info_io(own, "a.umod", &io, &hooks, "text", take, NULL),
				 at > 0 ? UVET_NO_MEMORY : UVET_CUT);
		n_asked = at > 0 ? n_asked : memory.n_asked - before;
		memory.fail_at = 0;
		uvet_cancellation_free(host.cancellation);
		uvet_engine_free(own);
	}
	assert_true(n_asked > 5);
	assert_int_equal(memory.n_live, 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		T(checks_want_all_they_ask_for),       T(writers_want_all_they_ask_for),
		T(lists_want_all_they_ask_for),        T(maps_want_all_they_ask_for),
		T(options_that_are_not_there_stay_so), T(copies_end_between_characters),
		T(findings_say_what_they_are),         T(findings_may_have_no_place),
		T(decoded_files_have_no_place),        T(names_of_what_is_not),
		T(files_are_shown_by_their_paths),     T(files_that_were_not_opened_are_unreadable),
		T(memory_that_ends_is_told_first),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

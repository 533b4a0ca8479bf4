/* Tests of checks by the public interface: what may end them, what is nested, and what is given
 * back. */
#include "build.h"
#include "options_state.h"
#include "platform/platform.h"

/* ---- Inputs ------------------------------------------------------------------------------- */

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

/* ---- Nested files ------------------------------------------------------------------------- */

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

/* An installer with two others inside, whose checksums are wrong. */
static struct build inner, outer;

static uvet_engine *engine_for_nested(void)
{
	uvet_engine *engine;

	build_good(&inner);
	inner.bytes[inner.trailer_at + 16] ^= 1;
	build_around(&outer, (struct build_inner[]){ { "a.umod", &inner }, { "b.umod", &inner } },
		     2);
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	return engine;
}

static uvet_report *check_outer(uvet_engine *engine, const uvet_hooks *hooks)
{
	uvet_report *report;

	assert_int_equal(uvet_check_memory(engine, "x.umod", outer.bytes, outer.n, hooks, &report),
			 UVET_OK);
	return report;
}

static void test_nested_reports(void **state)
{
	uvet_engine *engine = engine_for_nested();
	uvet_report *report = check_outer(engine, NULL);
	const uvet_report *nested = uvet_report_nested_at(report, 1);
	uint64_t offset, length;

	(void)state;
	assert_int_equal(uvet_report_verdict(report), UVET_INVALID);
	assert_int_equal(uvet_report_found(report, UVET_SEVERITY_ERROR), 0);
	assert_int_equal(uvet_report_nested_count(report), 2);
	assert_null(uvet_report_nested_at(report, 2));
	assert_string_equal(uvet_report_name(nested), "x.umod!b.umod");
	assert_int_equal(uvet_report_found(nested, UVET_SEVERITY_ERROR), 1);
	assert_ptr_equal(uvet_report_parent(nested), report);
	assert_null(uvet_report_parent(report));
	assert_int_equal(uvet_report_held(nested), uvet_report_held(report));
	assert_ptr_equal(uvet_report_next(report, uvet_report_nested_at(report, 0)), nested);
	assert_null(uvet_report_next(report, nested));
	assert_int_equal(uvet_report_place(report, &offset, &length), 0);
	assert_int_equal(uvet_report_place(nested, &offset, &length), 1);
	assert_memory_equal(outer.bytes + offset, inner.bytes, length);
	uvet_report_free(report);
	uvet_engine_free(engine);
}

/* The host is told of findings in nested files too, and ends the check where it has enough. */
static void test_nested_findings(void **state)
{
	struct counted all = { 0 }, some = { .enough = 1 };
	uvet_hooks hooks = { .struct_size = sizeof(uvet_hooks),
			     .on_finding = count_finding,
			     .ctx = &all };
	uvet_engine *engine = engine_for_nested();
	uvet_report *report = check_outer(engine, &hooks);

	(void)state;
	assert_int_equal(all.n, uvet_report_count(report) +
					2 * uvet_report_count(uvet_report_nested_at(report, 1)));
	assert_string_equal(all.last, "UMD006");
	uvet_report_free(report);
	hooks.ctx = &some;
	report = check_outer(engine, &hooks);
	assert_int_equal(some.n, 1);
	uvet_report_free(report);
	uvet_engine_free(engine);
}

static void test_nested_reports_are_written(void **state)
{
	uvet_engine *engine = engine_for_nested();
	uvet_report *report = check_outer(engine, NULL);
	uvet_writer *writer;
	size_t n = 0;

	(void)state;
	assert_int_equal(uvet_writer_new(engine, &writer), UVET_OK);
	assert_int_equal(uvet_writer_output(writer, "json", count_bytes, &n), UVET_OK);
	assert_int_equal(uvet_writer_add(writer, report), UVET_OK);
	assert_int_equal(uvet_writer_add(writer, uvet_report_nested_at(report, 1)), UVET_OK);
	assert_int_equal(uvet_writer_add_alone(writer, report), UVET_OK);
	assert_int_equal(uvet_writer_add_alone(writer, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_end(writer), UVET_OK);
	assert_int_equal(uvet_writer_add_alone(writer, report), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_exit_code(writer), 1);
	uvet_writer_free(writer);
	uvet_report_free(report);
	uvet_engine_free(engine);
}

/* The host is asked by the public interface, with the report that the finding is of. */
static const char *accept_crc(void *ctx, const uvet_report *report, const uvet_finding *finding,
			      const char *fingerprint)
{
	char own[17];

	uvet_finding_fingerprint(report, finding, own, sizeof own);
	assert_int_equal(strlen(fingerprint), 16);
	*(size_t *)ctx += strcmp(own, fingerprint) == 0;
	return strcmp(uvet_finding_rule(finding), "UMD006") == 0 ? "known" : NULL;
}

static void a_host_accepts_findings(void **state)
{
	uvet_engine *engine = engine_for_nested();
	uvet_report *report = check_outer(engine, NULL);
	uvet_writer *writer;
	size_t n = 0;

	(void)state;
	assert_int_equal(uvet_writer_new(engine, &writer), UVET_OK);
	assert_int_equal(uvet_writer_accept(writer, accept_crc, &n), UVET_OK);
	assert_int_equal(uvet_writer_add(writer, uvet_report_nested_at(report, 1)), UVET_OK);
	assert_int_equal(uvet_writer_accept(writer, NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_writer_end(writer), UVET_OK);
	assert_true(n > 0);
	assert_int_equal(uvet_writer_verdict(writer), UVET_INVALID);
	assert_int_equal(uvet_writer_exit_code(writer), 0);
	uvet_writer_free(writer);
	uvet_report_free(report);
	uvet_engine_free(engine);
}

/* ---- Ending checks from outside ----------------------------------------------------------- */

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
	assert_null(uvet_report_diagnosis(report)); /* it need not be empty */
	assert_int_equal(uvet_report_diagnosis_certain(report), 0);
	expect_verdict(report, UVET_UNDETERMINED, "RUN012");
	assert_int_equal(uvet_check_lost(engine, "a.umod", 1500, &report), UVET_OK);
	uvet_finding_message(uvet_report_at(report, 0), message, sizeof message);
	assert_string_equal(message, "the check was not finished in 1500 ms");
	assert_null(uvet_report_diagnosis(report));
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

/* ---- Memory ------------------------------------------------------------------------------- */

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		OPTIONS_TEST(test_empty_memory),
		OPTIONS_TEST(test_closed_files),
		OPTIONS_TEST(test_nested_reports),
		OPTIONS_TEST(test_nested_findings),
		OPTIONS_TEST(test_nested_reports_are_written),
		OPTIONS_TEST(a_host_accepts_findings),
		OPTIONS_TEST(test_cancellation),
		OPTIONS_TEST(test_timeout),
		OPTIONS_TEST(test_lost),
		OPTIONS_TEST(test_links),
		OPTIONS_TEST(test_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

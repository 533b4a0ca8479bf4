/* Tests of what findings say for programs, and of one report written by itself. */
#include "diagnosis/diagnosis.h"
#include "engine/report.h"
#include "sample_rule.h"
#include "taken.h"
#include "unit.h"
#include "uvet/uvet.h"

static const struct report_companion companions[] = { { .name = "a.ucas" } };
static const struct report made = { .name = "a.utoc", .companions = companions, .n_companions = 1 };

static void test_words(void **state)
{
	struct rule rule = { .class = CLASS_SECURITY, .why = "because", .fix = "do" };
	struct finding inner = { .rule = &rule };
	const uvet_finding *f = (const void *)&inner;
	const struct diagnosis_kind kind = { .explains = EXPLAINS_ALL };
	const struct diagnosis diagnosis = { .kind = &kind };
	struct report explained = made;

	(void)state;
	explained.diagnosis = &diagnosis;
	assert_string_equal(uvet_finding_class((const void *)&made, f), "security");
	assert_string_equal(uvet_finding_class((const void *)&explained, f), "corruption");
	assert_string_equal(uvet_finding_why(f), "because");
	assert_string_equal(uvet_finding_fix(f), "do");
}

static void test_data(void **state)
{
	struct rule rule = { .data = "stored what" };
	struct finding inner = { .rule = &rule, .n_args = 2 };
	const uvet_finding *f = (const void *)&inner;
	char text[32];

	(void)state;
	inner.args[0] = (struct finding_arg){ .kind = ARG_SIZE, .number = 7 };
	inner.args[1] = text_arg("x\x1b", false);
	assert_int_equal(uvet_finding_data_count(f), 2);
	assert_int_equal(uvet_finding_data_name(f, 0, text, sizeof text), 6);
	assert_string_equal(text, "stored");
	(void)uvet_finding_data_value(f, 0, text, sizeof text);
	assert_string_equal(text, "7 bytes");
	(void)uvet_finding_data_name(f, 1, text, sizeof text);
	assert_string_equal(text, "what");
	(void)uvet_finding_data_value(f, 1, text, sizeof text);
	assert_string_equal(text, "\"x\\x1B\"");
	assert_int_equal(uvet_finding_data_name(f, 2, text, sizeof text), 0);
	assert_int_equal(uvet_finding_data_value(f, 2, text, sizeof text), 0);
	assert_string_equal(text, "");
}

static void test_related(void **state)
{
	struct finding inner = { .rule = &sample_rule, .n_related = 2 };
	const uvet_finding *f = (const void *)&inner;
	const uvet_report *r = (const void *)&made;
	uint64_t at = 9, len = 9;
	const char *file = NULL;

	(void)state;
	inner.related[0] = (struct related){ AT_SPAN(3, 4), "here" };
	inner.related[0].place.file = 1;
	inner.related[1] = (struct related){ NOWHERE, "nowhere" };
	assert_string_equal(uvet_finding_related_at(r, f, 0, &file, &at, &len), "here");
	assert_string_equal(file, "a.ucas");
	assert_true(at == 3 && len == 4);
	assert_string_equal(uvet_finding_related_at(r, f, 1, &file, &at, &len), "nowhere");
	assert_string_equal(file, "");
	assert_true(at == 0 && len == 0);
	assert_null(uvet_finding_related_at(r, f, 2, &file, &at, &len));
}

/* One report by itself is what a writer would have written, and has its fingerprints. */
static void test_report_write(void **state)
{
	uvet_engine *engine = NULL;
	uvet_report *report = NULL;
	char text[32];

	(void)state;
	assert_int_equal(uvet_engine_new(NULL, &engine), UVET_OK);
	assert_int_equal(uvet_check_memory(engine, "a.umod", "x", 1, NULL, &report), UVET_OK);
	assert_true(uvet_report_count(report) > 0);
	taken.n = 0;
	assert_int_equal(uvet_report_write(engine, report, "json", take, NULL), UVET_OK);
	taken.bytes[taken.n] = 0;
	assert_int_equal(
		uvet_finding_fingerprint(report, uvet_report_at(report, 0), text, sizeof text), 16);
	assert_non_null(strstr(taken.bytes, text));
	assert_int_equal(uvet_report_write(engine, report, "xml", take, NULL), UVET_BAD_OPTION);
	assert_int_equal(uvet_report_write(engine, report, "json", NULL, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_report_write(NULL, report, "json", take, NULL), UVET_BAD_CALL);
	assert_int_equal(uvet_report_write(engine, NULL, "json", take, NULL), UVET_BAD_CALL);
	uvet_report_free(report);
	uvet_engine_free(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_related),
		cmocka_unit_test(test_report_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of references: what is learned, what is refused, and where memory ends. */
#include "engine/reference.h"
#include "engine_state.h"

static struct reference reference;
static const struct format *format;

static int begin_learning(void **state)
{
	reference = (struct reference){ .n = 0 };
	format = formats[0];
	return begin(state);
}

static const char *learn(uint64_t version, const struct info *infos, size_t n)
{
	const struct report r = {
		.format = format, .version = version, .infos = infos, .n_infos = n
	};

	return reference_learn(&reference, &r);
}

static struct info mount_of(const uint8_t *text, uint32_t len)
{
	return (struct info){ .name = "mount_point",
			      .is_text = true,
			      .u.utf8 = text,
			      .n_utf8 = len,
			      .fact = FACT_MOUNT_POINT };
}

/* ---- Learning -------------------------------------------------------------------------------- */

static void a_value_is_kept_once(void **state)
{
	static const char *const words[] = { "a", "b" };
	const struct info infos[] = {
		{ .name = "plain", .number = 5 },
		{ .name = "method", .fact = FACT_METHODS, .u.set = { 2, words } },
		mount_of((const uint8_t *)"/a/", 3),
		mount_of((const uint8_t *)"/b/", 3),
		mount_of((const uint8_t *)"/a", 2),
		mount_of((const uint8_t *)"", 0),
	};

	(void)state;
	for (size_t i = 1; i <= 3; i++) {
		assert_null(learn(7, infos, LENGTH(infos)));
		assert_int_equal(reference.n, 6);
		assert_int_equal(reference.n_texts, 8);
		assert_int_equal(reference.n_files, i);
	}
	format = formats[1];
	assert_null(learn(7, NULL, 0));
	assert_int_equal(reference.n, 7);
}

static void as_many_are_kept_as_there_is_room_for(void **state)
{
	(void)state;
	for (uint64_t i = 1; i <= REFERENCE_MAX; i++)
		assert_null(learn(i, NULL, 0));
	assert_string_equal(learn(REFERENCE_MAX + 1, NULL, 0),
			    "the good files say more different things than are kept");
	assert_null(learn(1, NULL, 0));
	assert_int_equal(reference.n, REFERENCE_MAX);
	assert_int_equal(reference.n_files, REFERENCE_MAX + 1);
}

static void texts_have_room_too(void **state)
{
	static uint8_t text[REFERENCE_TEXTS_MAX + 1];
	struct info infos[] = { mount_of(text, 1), mount_of(text, REFERENCE_TEXTS_MAX) };

	(void)state;
	assert_non_null(learn(1, infos, 2));
	assert_int_equal(reference.n, 0); /* nothing of it stays */
	assert_int_equal(reference.n_texts, 0);
	assert_int_equal(reference.n_files, 0);
	assert_null(learn(1, infos + 1, 1));
	assert_non_null(learn(1, infos, 1));
	infos[0].cut = true;
	assert_string_equal(learn(1, infos, 1), "the good file has a mount point that is longer "
						"than a path can be");
}

static void a_file_says_something(void **state)
{
	const struct info infos[] = { { .name = "plain", .number = 5 } };

	(void)state;
	assert_string_equal(learn(0, infos, 1),
			    "the good file has nothing by which others are compared with it");
	assert_null(learn(1, infos, 1));
	assert_null(learn(1, infos, 1));
}

/* The reasons for which a file may be an example all the same. */
static void what_lacks_something_may_be_good(void **state)
{
	(void)state;
	for (unsigned why = 0; why < N_UNJUDGED_REASONS; why++) {
		const struct unjudged u = { .reason = (enum unjudged_reason)why };
		const struct report r = { .format = format,
					  .version = 3,
					  .verdict = VERDICT_UNDETERMINED,
					  .unjudged = &u,
					  .n_unjudged = 1 };
		const bool excused = why == UNJUDGED_CODEC || why == UNJUDGED_COMPANION ||
				     why == UNJUDGED_KEY;

		assert_int_equal(reference_learn(&reference, &r) == NULL, excused);
	}
	assert_int_equal(reference.n, 1);
}

/* The first reason counts, whatever else is missing. */
static void one_reason_is_enough(void **state)
{
	static const struct unjudged of[] = { { .reason = UNJUDGED_UNREADABLE },
					      { .reason = UNJUDGED_CODEC } };
	const struct report r = { .format = format,
				  .version = 3,
				  .verdict = VERDICT_UNDETERMINED,
				  .unjudged = of,
				  .n_unjudged = LENGTH(of) };

	(void)state;
	assert_string_equal(reference_learn(&reference, &r), "the good file cannot be read");
}

/* A value that cannot be kept makes the file none, whichever of its values that is. */
static void nothing_after_a_trouble_is_learned(void **state)
{
	static const char *const words[] = { "a" };
	struct info infos[] = { mount_of((const uint8_t *)"/a/", 3),
				{ .name = "method", .fact = FACT_METHODS, .u.set = { 1, words } } };

	(void)state;
	assert_null(learn(0, infos, LENGTH(infos))); /* without a version, too */
	assert_int_equal(reference.n, 2);
	infos[0].cut = true;
	infos[1].u.set.bits = 2;
	assert_string_equal(learn(1, infos, LENGTH(infos)),
			    "the good file has a mount point that is longer than a path can be");
	assert_int_equal(reference.n, 2);
}

/* What lies in a good file is learned with it, unless no rule was asked of it; one that is bad
 * makes the whole no example. */
static void files_in_it_are_learned(void **state)
{
	struct report outer = { .format = format, .version = 1 },
		      in = { .parent = &outer, .format = format, .version = 2 };
	struct report *const list[] = { &in };

	(void)state;
	outer.nested = (struct report **)list;
	outer.n_nested = 1;
	in.verdict = VERDICT_INVALID;
	assert_string_equal(reference_learn(&reference, &outer), "the good file is invalid");
	assert_int_equal(reference.n, 0);
	in.verdict = VERDICT_NOT_APPLICABLE;
	assert_null(reference_learn(&reference, &outer));
	assert_int_equal(reference.n, 1);
	in.verdict = VERDICT_VALID;
	assert_null(reference_learn(&reference, &outer));
	assert_int_equal(reference.n, 2);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static struct report *check(void)
{
	return engine_check(&engine, &(struct check_input){
					     .io.size = file.n,
					     .memory = file.bytes,
					     .name = "a.umod",
				     });
}

static size_t n_failed(const struct report *r, const char *id)
{
	return report_result(r, catalog_find(id, 6))->n_found[SEVERITY_WARNING];
}

static enum rule_status status_of(const struct report *r, const char *id)
{
	return report_result(r, catalog_find(id, 6))->status;
}

static void nothing_is_asked_without_a_reference(void **state)
{
	struct report *r = check();

	(void)state;
	assert_int_equal(status_of(r, "REF001"), RULE_NOT_APPLICABLE);
	report_free(r);
	format = formats[1];
	assert_null(learn(1, NULL, 0));
	engine.reference = reference;
	r = check();
	assert_int_equal(status_of(r, "REF001"), RULE_NOT_APPLICABLE);
	report_free(r);
}

static void a_check_compares(void **state)
{
	struct report *r;

	(void)state;
	assert_null(learn(2, NULL, 0));
	engine.reference = reference;
	r = check();
	assert_int_equal(n_failed(r, "REF001"), 1);
	assert_int_equal(status_of(r, "REF003"), RULE_NOT_APPLICABLE);
	assert_int_equal(r->verdict, VERDICT_VALID);
	assert_null(reference_learn(&engine.reference, r));
	report_free(r);
	r = check();
	assert_int_equal(status_of(r, "REF001"), RULE_PASS);
	report_free(r);
}

static void values_are_gone_over(void **state)
{
	const struct info info = mount_of((const uint8_t *)"/a/", 3);
	const struct report r = { .format = format, .version = 1, .infos = &info, .n_infos = 1 };
	const struct comparison c = { &reference, &r };
	size_t i = 0;

	(void)state;
	assert_null(learn(1, &info, 1));
	assert_null(learn(2, NULL, 0));
	assert_int_equal(comparison_next(&c, FACT_VERSION, &i)->number, 1);
	assert_int_equal(comparison_next(&c, FACT_VERSION, &i)->number, 2);
	assert_null(comparison_next(&c, FACT_VERSION, &i));
	assert_null(comparison_next(&c, FACT_VERSION, &i));
	assert_ptr_equal(comparison_info(&c, FACT_MOUNT_POINT), &info);
	assert_null(comparison_info(&c, FACT_METHODS));
}

/* Where memory ends, the report says so, whatever could not be kept. */
static void memory_that_ends_is_told(void **state)
{
	size_t n_asked = 1;

	(void)state;
	assert_null(learn(2, NULL, 0));
	engine.reference = reference;
	engine.chunk_len = 64; /* nearly every request is one for memory */
	for (unsigned forever = 0; forever < 2; forever++)
		for (size_t at = 0; at <= n_asked; at++) {
			struct report *r;

			memory = (struct fault_memory){ .fail_at = at, .forever = forever != 0 };
			r = check();
			n_asked = at == 0 ? memory.n_asked : n_asked;
			assert_true(at > 0 || n_failed(r, "REF001") == 1);
			assert_true(at == 0 || !r || status_of(r, "RUN005") == RULE_FAIL);
			report_free(r);
			assert_int_equal(memory.n_live, 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_value_is_kept_once, begin_learning, end),
		cmocka_unit_test_setup_teardown(as_many_are_kept_as_there_is_room_for,
						begin_learning, end),
		cmocka_unit_test_setup_teardown(texts_have_room_too, begin_learning, end),
		cmocka_unit_test_setup_teardown(a_file_says_something, begin_learning, end),
		cmocka_unit_test_setup_teardown(what_lacks_something_may_be_good, begin_learning,
						end),
		cmocka_unit_test_setup_teardown(one_reason_is_enough, begin_learning, end),
		cmocka_unit_test_setup_teardown(nothing_after_a_trouble_is_learned, begin_learning,
						end),
		cmocka_unit_test_setup_teardown(files_in_it_are_learned, begin_learning, end),
		cmocka_unit_test_setup_teardown(nothing_is_asked_without_a_reference,
						begin_learning, end),
		cmocka_unit_test_setup_teardown(a_check_compares, begin_learning, end),
		cmocka_unit_test_setup_teardown(values_are_gone_over, begin_learning, end),
		cmocka_unit_test_setup_teardown(memory_that_ends_is_told, begin_learning, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

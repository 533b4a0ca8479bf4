/* Tests of which report may give the script objects of a game, and of what is said of others. */
#include "engine/scripts.h"
#include "unit.h"

static const uint64_t ids[] = { 1, 2 };

static const char *refusal(struct report r, const struct unjudged *of, size_t n)
{
	r.unjudged = of;
	r.n_unjudged = n;
	return scripts_refusal(&r);
}

static void a_global_container_is_taken(void **state)
{
	static const struct unjudged hash = { .reason = UNJUDGED_CODEC };
	struct report r = { .lists_scripts = true, .scripts = { ids, LENGTH(ids) } };

	(void)state;
	assert_null(refusal(r, NULL, 0));
	/* a hash that cannot be computed is no matter */
	r.verdict = VERDICT_UNDETERMINED;
	assert_null(refusal(r, &hash, 1));
}

static void others_are_refused(void **state)
{
	static const struct unjudged of[] = { { .reason = UNJUDGED_CODEC },
					      { .reason = UNJUDGED_LIMIT },
					      { .reason = UNJUDGED_CROWDED },
					      { .reason = UNJUDGED_UNREADABLE } };
	const struct report none = { .lists_scripts = false }, empty = { .lists_scripts = true },
			    bad = { .lists_scripts = true, .verdict = VERDICT_INVALID },
			    good = { .lists_scripts = true, .scripts = { ids, LENGTH(ids) } };

	(void)state;
	assert_string_equal(refusal(none, NULL, 0),
			    "the file is no global container, which is called global.utoc");
	assert_string_equal(refusal(empty, NULL, 0), "the global container has no script objects");
	assert_string_equal(refusal(bad, NULL, 0), "the global container is invalid");
	assert_string_equal(refusal(good, of, 2), "the global container was not judged to its end");
	/* what cannot be read says nothing of what it is */
	for (size_t i = 2; i < LENGTH(of); i++)
		assert_string_equal(refusal(none, &of[i], 1),
				    "the global container cannot be read");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_global_container_is_taken),
		cmocka_unit_test(others_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

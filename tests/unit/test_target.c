/* Tests of the tables of engines and games: what they say of one another. */
#include <string.h>

#include "core/target.h"
#include "unit.h"

static void each_engine_is_found_by_its_name(void **state)
{
	const struct engine_info *e;
	size_t i = 0;

	(void)state;
	for (; (e = target_engine_at(i)); i++)
		assert_ptr_equal(target_engine(e->name), e);
	assert_true(i > 20);
	assert_null(target_engine("5"));
	assert_null(target_engine("5.33"));
	assert_null(target_engine(""));
}

/* A later engine reads what an earlier one does, and more. */
static void later_engines_know_no_less(void **state)
{
	const struct engine_info *e, *before = NULL;

	(void)state;
	for (size_t i = 0; (e = target_engine_at(i)); before = e, i++) {
		assert_true(e->pak > 0);
		/* where nothing is known nothing is proved */
		assert_true(e->header_first <= e->header_last || e->utoc == 0);
		assert_true(e->header_first <= e->header_last ||
			    (!e->refuses_older && !e->refuses_newer));
		if (!before)
			continue;
		assert_true(e->utoc >= before->utoc && e->pak >= before->pak);
		if (before->utoc > 0)
			assert_true(e->header_first >= before->header_first &&
				    e->header_last >= before->header_last);
	}
}

static void each_game_is_of_an_engine_and_says_whence(void **state)
{
	const struct game_info *g;
	size_t i = 0;

	(void)state;
	for (; (g = target_game_at(i)); i++) {
		assert_ptr_equal(target_game(g->name), g);
		assert_non_null(target_engine(g->engine));
		assert_true(strlen(g->source) > 0);
	}
	assert_true(i > 0);
	assert_null(target_game("no such game"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_engine_is_found_by_its_name),
		cmocka_unit_test(later_engines_know_no_less),
		cmocka_unit_test(each_game_is_of_an_engine_and_says_whence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

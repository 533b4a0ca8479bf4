/* Tests of results: they are found by their rule, and what memory refuses is said and counted. */
#include "rule/results.h"
#include "unit.h"

enum { RULES = 6, FIRST_OWN = 4 };

/* The results of some rules, of which the last have theirs from the start. */
static struct fixture {
	struct fault_memory memory;
	struct arena arena;
	uint8_t status[RULES], why[RULES];
	struct rule_result own[RULES - FIRST_OWN];
	const char *reasons[REASONS_MAX];
	struct results_notes notes;
	struct results r;
} f;

static int begin(void **state)
{
	(void)state;
	memset(&f, 0, sizeof f);
	f.arena = unit_arena(&f.memory, UNIT_PLENTY);
	f.arena.chunk_len = 0; /* each piece is a request */
	f.notes = (struct results_notes){
		.arena = &f.arena, .own = f.own, .first_own = FIRST_OWN, .reasons = f.reasons
	};
	f.r = (struct results){ f.status, f.why, &f.notes };
	memset(f.status, RULE_PASS, RULES);
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(&f.arena);
	return f.memory.n_live != 0;
}

static void fail_times(size_t i, uint64_t n)
{
	for (uint64_t k = 0; k < n; k++) {
		struct rule_result *result = results_fail(&f.r, i);

		assert_non_null(result);
		result->n_found[SEVERITY_ERROR]++;
	}
}

static void each_rule_has_its_own(void **state)
{
	(void)state;
	fail_times(2, 3);
	fail_times(0, 1);
	fail_times(5, 2);
	fail_times(2, 1);
	assert_int_equal(results_of(&f.r, 2)->n_found[SEVERITY_ERROR], 4);
	assert_int_equal(results_of(&f.r, 0)->n_found[SEVERITY_ERROR], 1);
	assert_int_equal(results_of(&f.r, 5)->n_found[SEVERITY_ERROR], 2);
	assert_int_equal(results_of(&f.r, 1)->status, RULE_PASS);
	assert_int_equal(results_of(&f.r, 1)->n_found[SEVERITY_ERROR], 0);
	assert_int_equal(f.memory.n_live, 2); /* not that of rule 5 */
	assert_false(f.notes.lost);
}

static void reasons_are_kept_once(void **state)
{
	static const char level[] = "level", again[] = "level";

	(void)state;
	results_leave(&f.r, 0, level);
	results_leave(&f.r, 1, "names");
	results_leave(&f.r, 2, again);
	results_leave(&f.r, 3, "names");
	assert_int_equal(f.notes.n_reasons, 2);
	assert_string_equal(results_reason(&f.r, 2), "level");
	assert_string_equal(results_reason(&f.r, 3), "names");
	assert_int_equal(results_of(&f.r, 3)->status, RULE_NOT_EVALUATED);
	assert_null(results_reason(&f.r, 4));
}

/* What a rule found before work ended stays; a rule that fails from its first row to its last has
 * no reason. */
static void what_is_cut_off_keeps_what_it_found(void **state)
{
	(void)state;
	fail_times(1, 2);
	assert_null(results_reason(&f.r, 1));
	results_cut_off(&f.r, 1, "work");
	assert_string_equal(results_reason(&f.r, 1), "work");
	assert_int_equal(results_of(&f.r, 1)->n_found[SEVERITY_ERROR], 2);
}

static void results_without_memory_are_counted(void **state)
{
	(void)state;
	fail_times(0, 1);
	f.memory.fail_at = 2;
	f.memory.forever = true;
	assert_null(results_fail(&f.r, 1));
	assert_true(f.notes.lost);
	results_lose(&f.r, 1, SEVERITY_WARNING, 1);
	results_lose(&f.r, 1, SEVERITY_WARNING, 7);
	assert_int_equal(f.notes.n_lost[SEVERITY_WARNING], 8);
	assert_int_equal(results_of(&f.r, 1)->status, RULE_NOT_EVALUATED);
	assert_string_equal(results_reason(&f.r, 1), "memory");
	fail_times(0, 1); /* what there is stays, and the last rules need none */
	fail_times(4, 1);
	assert_int_equal(results_of(&f.r, 0)->n_found[SEVERITY_ERROR], 2);
	assert_int_equal(results_of(&f.r, 4)->n_found[SEVERITY_ERROR], 1);
}

static void reasons_need_no_memory(void **state)
{
	(void)state;
	f.memory.fail_at = 1;
	f.memory.forever = true;
	results_leave(&f.r, 0, "memory");
	results_leave(&f.r, 1, "level");
	assert_int_equal(f.memory.n_asked, 0);
	assert_int_equal(f.notes.n_reasons, 1);
	assert_string_equal(results_reason(&f.r, 0), "memory");
	assert_string_equal(results_reason(&f.r, 1), "level");
}

/* ---- Keeping them ---------------------------------------------------------------------------- */

/* Other results of the same rules, as another file has them. */
static struct {
	uint8_t status[RULES], why[RULES];
	const char *reasons[REASONS_MAX];
	struct results_notes notes;
	struct results r;
} g;

static void begin_other(void)
{
	memset(&g, 0, sizeof g);
	memset(g.status, RULE_PASS, RULES);
	g.notes.reasons = g.reasons;
	g.r = (struct results){ g.status, g.why, &g.notes };
}

static void only_clean_results_are_same(void **state)
{
	(void)state;
	begin_other();
	assert_true(results_are_same(&f.r, &g.r, RULES));
	results_leave(&f.r, 1, "level");
	assert_false(results_are_same(&f.r, &g.r, RULES));
	results_leave(&g.r, 1, "names");
	assert_false(results_are_same(&f.r, &g.r, RULES));
	begin_other(); /* for memory, which is no reason that is kept */
	results_leave(&g.r, 1, "memory");
	assert_false(results_are_same(&f.r, &g.r, RULES));
	begin_other(); /* another reason is kept besides */
	results_leave(&g.r, 1, "level");
	g.notes.n_reasons++;
	assert_false(results_are_same(&f.r, &g.r, RULES));
	begin_other();
	results_leave(&g.r, 1, "level");
	assert_true(results_are_same(&f.r, &g.r, RULES));
	results_leave(&g.r, 2, "names");
	assert_false(results_are_same(&f.r, &g.r, RULES));
	begin_other();
	results_leave(&g.r, 1, "level");
	g.notes.lost = true;
	assert_false(results_are_same(&f.r, &g.r, RULES) || results_are_same(&g.r, &f.r, RULES));
	g.notes.lost = false;
	f.status[3] = g.status[3] = RULE_FAIL;
	assert_false(results_are_same(&f.r, &g.r, RULES));
}

/* A copy outlives the room; of rules that did not fail it has no results. */
static void copies_keep_what_was_found(void **state)
{
	struct results copy;

	(void)state;
	results_leave(&f.r, 0, "level");
	fail_times(1, 2);
	fail_times(5, 3);
	memset(&f.own[4 - FIRST_OWN], 0xA5, sizeof *f.own); /* as memory that was never filled in */
	assert_true(results_copy(&copy, &f.r, RULES, &f.arena));
	memset(f.status, RULE_PASS, RULES);
	memset(f.own, 0, sizeof f.own);
	memset(f.reasons, 0, sizeof f.reasons);
	memset(&f.notes, 0, sizeof f.notes);
	assert_int_equal(results_of(&copy, 1)->n_found[SEVERITY_ERROR], 2);
	assert_int_equal(results_of(&copy, 5)->n_found[SEVERITY_ERROR], 3);
	assert_int_equal(results_of(&copy, 4)->status, RULE_PASS);
	assert_int_equal(copy.notes->own[4 - FIRST_OWN].n_kept, 0);
	assert_string_equal(results_reason(&copy, 0), "level");
	assert_null(results_reason(&copy, 1));
}

static void copies_of_clean_results_are_small(void **state)
{
	struct results copy;

	(void)state;
	assert_true(results_copy(&copy, &f.r, RULES, &f.arena));
	assert_int_equal(f.memory.n_live, 3);
	assert_null(copy.notes->own);
	assert_null(copy.notes->reasons);
}

static void copies_need_memory(void **state)
{
	struct results copy;
	uint64_t n = 1;

	(void)state;
	results_leave(&f.r, 0, "level");
	fail_times(5, 1);
	for (f.memory.fail_at = 1; !results_copy(&copy, &f.r, RULES, &f.arena);
	     f.memory.fail_at = ++n)
		f.memory.n_asked = 0;
	assert_int_equal(n, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_rule_has_its_own, begin, end),
		cmocka_unit_test_setup_teardown(reasons_are_kept_once, begin, end),
		cmocka_unit_test_setup_teardown(what_is_cut_off_keeps_what_it_found, begin, end),
		cmocka_unit_test_setup_teardown(results_without_memory_are_counted, begin, end),
		cmocka_unit_test_setup_teardown(reasons_need_no_memory, begin, end),
		cmocka_unit_test_setup_teardown(only_clean_results_are_same, begin, end),
		cmocka_unit_test_setup_teardown(copies_keep_what_was_found, begin, end),
		cmocka_unit_test_setup_teardown(copies_of_clean_results_are_small, begin, end),
		cmocka_unit_test_setup_teardown(copies_need_memory, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

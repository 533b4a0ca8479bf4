/* Tests of evaluation: rules judged around the edges of blocks, cut by limits, and with others left
 * out. */

#include "evaluate_state.h"

static struct fixture other;

static void expect_rows(const struct rule_result *r, uint64_t n, uint64_t step, const char *record,
			uint64_t width, uint64_t into)
{
	const struct finding *f = r->first;

	for (uint64_t i = 0; i < n; i += step, f = f->next) {
		assert_non_null(f);
		assert_int_equal(f->place.index, i);
		assert_string_equal(f->place.record, record);
		assert_int_equal(f->place.span.at, i * 15 + into);
		assert_int_equal(f->place.span.len, width);
		assert_int_equal(f->args[0].number, i);
	}
	assert_null(f);
}

static void every_row_is_judged_once_whatever_the_blocks(void **state)
{
	static const uint64_t sizes[] = { 0, 1, 2, 127, 128, 129, 255, 256, 257, MOST_ROWS };
	struct fixture *f = &fixture;

	(void)state;
	for (size_t s = 0; s < LENGTH(sizes); s++) {
		uint64_t n = sizes[s];

		prepare_evaluation(f, n);
		evaluate_rules(&f->e, &f->index);
		expect_rows(result(f, 0), n, 7, "seen", 4, 3);
		expect_rows(result(f, 1), n, 8, "seen", 2, 1);
		assert_int_equal(result(f, 0)->status, n > 0 ? RULE_FAIL : RULE_PASS);
		assert_int_equal(result(f, 2)->status, n > 5 ? RULE_FAIL : RULE_PASS);
		assert_int_equal(result(f, 3)->status, n == 129 ? RULE_FAIL : RULE_PASS);
		assert_int_equal(f->work.done, 3 * n + 1);
		end_evaluation(f);
	}
}

static void rows_kept_in_memory_have_their_numbers(void **state)
{
	struct fixture *f = &fixture;
	const struct finding *found;

	(void)state;
	prepare_evaluation(f, 130);
	evaluate_rules(&f->e, &f->index);
	found = result(f, 2)->first;
	assert_string_equal(found->place.record, "kept");
	assert_string_equal(found->place.field, "eight");
	assert_int_equal(found->place.index, 5);
	assert_int_equal(found->place.span.at, 5 * 15 + 7);
	assert_int_equal(found->args[0].kind, ARG_HEX);
	end_evaluation(f);
}

/* A rule about defects is asked when any of them may be there. */
static void rules_about_absent_defects_pass(void **state)
{
	static const struct {
		uint64_t absent;
		bool asked;
	} cases[] = { { 0, true },  { 4, true }, { 2, true },
		      { 6, false }, { 9, true }, { UINT64_MAX, false } };
	struct fixture *f = &fixture;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		prepare_evaluation(f, 10);
		f->tables[TABLE_KEPT].absent = cases[i].absent;
		evaluate_rules(&f->e, &f->index);
		assert_int_equal(result(f, 2)->status, cases[i].asked ? RULE_FAIL : RULE_PASS);
		assert_int_equal(result(f, 0)->status, RULE_FAIL);
		end_evaluation(f);
	}
}

static unsigned n_views;

static void count_views(const void *facts, uint64_t first, uint64_t n, void *rows_out)
{
	n_views++;
	view_rows(facts, first, n, rows_out);
}

/* Rules about every row see rows without traits too; where no rule asks, no row is made. */
static void rows_are_made_if_a_rule_asks(void **state)
{
	static const struct {
		uint64_t tells, absent;
		bool made;
	} cases[] = {
		{ 0, 0, true },
		{ 0, UINT64_MAX, true },
		{ 1, UINT64_MAX - 1, true },
		{ 1, 1, false },
	};
	struct fixture *f = &fixture;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		n_views = 0;
		prepare_evaluation(f, 300);
		f->tables[TABLE_VIEW].view = count_views;
		f->tables[TABLE_VIEW].absent = cases[i].absent;
		f->indexed[0].tells = f->indexed[1].tells = cases[i].tells;
		evaluate_rules(&f->e, &f->index);
		assert_int_equal(n_views, cases[i].made ? 3 : 0);
		assert_int_equal(result(f, 0)->status, cases[i].made ? RULE_FAIL : RULE_PASS);
		end_evaluation(f);
	}
}

static void lesser_severity_and_related_place(void **state)
{
	struct fixture *f = &fixture;

	(void)state;
	prepare_evaluation(f, 33);
	evaluate_rules(&f->e, &f->index);
	assert_int_equal(result(f, 1)->n_found[SEVERITY_NOTE], 3);
	assert_int_equal(result(f, 1)->n_found[SEVERITY_WARNING], 2);
	assert_int_equal(result(f, 1)->first->severity, SEVERITY_NOTE);
	assert_int_equal(result(f, 1)->first->n_related, 1);
	assert_string_equal(result(f, 1)->first->related[0].words, "there");
	end_evaluation(f);
}

static void what_cannot_be_judged_says_why(void **state)
{
	struct fixture *f = &fixture;

	(void)state;
	prepare_evaluation(f, 10);
	f->initial[0] = RULE_IGNORED;
	evaluate_rules(&f->e, &f->index);
	assert_int_equal(result(f, 0)->status, RULE_IGNORED);
	assert_int_equal(result(f, 4)->status, RULE_NOT_EVALUATED);
	assert_string_equal(reason(f, 4), "missing");
	assert_int_equal(result(f, 5)->status, RULE_OTHER_VERSION);
	assert_int_equal(result(f, 6)->status, RULE_NOT_EVALUATED);
	assert_string_equal(reason(f, 6), "level");
	f->e.check.version = 5;
	f->e.groups = NULL;
	evaluate_rules(&f->e, &f->index);
	for (size_t i = 4; i < N_PROBES; i++)
		assert_int_equal(result(f, i)->status, RULE_FAIL);
	end_evaluation(f);
}

/* A file has results of its own rules alone, which need not begin where the catalog does. */
static void results_may_begin_at_any_rule(void **state)
{
	enum { OFFSET = 2 };
	struct fixture *f = &fixture;

	(void)state;
	prepare_evaluation(f, 129);
	f->initial[3] = RULE_IGNORED;
	f->e.check.offset = OFFSET;
	memset(f->status, RULE_OTHER_VERSION, sizeof f->status);
	rule_index_fill(&f->index, rules, OFFSET, N_PROBES, f->indexed);
	evaluate_rules(&f->e, &f->index);
	assert_int_equal(result(f, 2 - OFFSET)->status, RULE_FAIL);
	assert_ptr_equal(result(f, 2 - OFFSET)->first->rule, rules[2]);
	assert_int_equal(result(f, 3 - OFFSET)->status, RULE_IGNORED);
	assert_string_equal(reason(f, 4 - OFFSET), "missing");
	assert_string_equal(reason(f, 6 - OFFSET), "level");
	for (size_t i = N_PROBES - OFFSET; i < N_PROBES; i++)
		assert_int_equal(f->status[i], RULE_OTHER_VERSION);
	end_evaluation(f);
}

/* Wherever work ends, no rule that was cut off passes, and what it found until then stays. */
static void work_that_ends_is_never_a_pass(void **state)
{
	struct fixture *f = &fixture;

	(void)state;
	for (uint64_t max = 0; max <= 3 * 300 + 1; max++) {
		prepare_evaluation(f, 300);
		f->work.max = max;
		evaluate_rules(&f->e, &f->index);
		assert_int_equal(f->work.exhausted, max < 901);
		for (size_t i = 0; i < 4; i++) {
			const struct rule_result *r = result(f, i);

			assert_true(max == 901 || r->status != RULE_PASS || !reason(f, i));
			assert_true(!reason(f, i) || strcmp(reason(f, i), "work") == 0);
			assert_true(r->status != RULE_NOT_EVALUATED || r->n_kept == 0);
		}
		assert_true(max > 0 || result(f, 3)->status == RULE_NOT_EVALUATED);
		assert_true(max == 901 || reason(f, 2));
		end_evaluation(f);
	}
}

static void expect_same_findings(const struct rule_result *a, const struct rule_result *b)
{
	const struct finding *x = a->first, *y = b->first;

	assert_int_equal(a->status, b->status);
	assert_int_equal(a->n_kept, b->n_kept);
	for (; x && y; x = x->next, y = y->next) {
		assert_memory_equal(&x->place.span, &y->place.span, sizeof x->place.span);
		assert_int_equal(x->place.index, y->place.index);
		assert_int_equal(x->severity, y->severity);
		assert_int_equal(x->args[0].number, y->args[0].number);
	}
	assert_true(!x && !y);
}

static void leaving_rules_out_changes_no_other(void **state)
{
	(void)state;
	prepare_evaluation(&fixture, 300);
	evaluate_rules(&fixture.e, &fixture.index);
	for (unsigned dropped = 0; dropped < 1u << N_PROBES; dropped++) {
		prepare_evaluation(&other, 300);
		for (size_t i = 0; i < N_PROBES; i++)
			other.initial[i] = dropped >> i & 1 ? RULE_IGNORED : RULE_PASS;
		evaluate_rules(&other.e, &other.index);
		for (size_t i = 0; i < N_PROBES; i++) {
			if (dropped >> i & 1)
				assert_int_equal(result(&other, i)->status, RULE_IGNORED);
			else
				expect_same_findings(result(&fixture, i), result(&other, i));
		}
		end_evaluation(&other);
	}
	end_evaluation(&fixture);
}

static void findings_beyond_the_limit_are_counted(void **state)
{
	struct fixture *f = &fixture;

	(void)state;
	prepare_evaluation(f, 300);
	f->e.check.keep_max = 2;
	evaluate_rules(&f->e, &f->index);
	assert_int_equal(result(f, 0)->n_kept, 2);
	assert_int_equal(result(f, 0)->n_found[SEVERITY_ERROR], 43);
	assert_int_equal(result(f, 1)->last->n_related, 1);
	end_evaluation(f);
}

static void a_finding_without_memory_still_counts(void **state)
{
	struct fixture *f = &fixture;

	(void)state;
	prepare_evaluation(f, 10);
	f->memory.fail_at = 1;
	f->memory.forever = true;
	evaluate_rules(&f->e, &f->index);
	assert_true(f->notes.lost);
	assert_int_equal(result(f, 0)->status, RULE_NOT_EVALUATED);
	assert_string_equal(reason(f, 0), "memory");
	assert_in_range(f->notes.n_lost[SEVERITY_ERROR], 2, UINT64_MAX);
	end_evaluation(f);
}

/* With memory for the result of a rule and no more, what it finds is counted there. */
static void a_finding_without_memory_counts_for_its_rule(void **state)
{
	struct fixture *f = &fixture;

	(void)state;
	prepare_evaluation(f, 10);
	f->arena.chunk_len = 0;
	f->memory.fail_at = 2; /* after the result */
	f->memory.forever = true;
	evaluate_rules(&f->e, &f->index);
	assert_true(f->e.check.lost);
	assert_int_equal(result(f, 0)->status, RULE_FAIL);
	assert_int_equal(result(f, 0)->n_found[SEVERITY_ERROR], 2);
	assert_int_equal(result(f, 0)->n_kept, 0);
	end_evaluation(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_judged_once_whatever_the_blocks),
		cmocka_unit_test(rows_kept_in_memory_have_their_numbers),
		cmocka_unit_test(rules_about_absent_defects_pass),
		cmocka_unit_test(rows_are_made_if_a_rule_asks),
		cmocka_unit_test(lesser_severity_and_related_place),
		cmocka_unit_test(what_cannot_be_judged_says_why),
		cmocka_unit_test(results_may_begin_at_any_rule),
		cmocka_unit_test(work_that_ends_is_never_a_pass),
		cmocka_unit_test(leaving_rules_out_changes_no_other),
		cmocka_unit_test(findings_beyond_the_limit_are_counted),
		cmocka_unit_test(a_finding_without_memory_still_counts),
		cmocka_unit_test(a_finding_without_memory_counts_for_its_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

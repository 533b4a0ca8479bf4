/* Tests of what a finding holds when a rule has reported it: its place, severity, values, snippet
 * and related places. */
#include "evaluate_state.h"

/* begin_finding prepares a check in which rule TST001 may find something; a block of five rows is
 * being judged. */
static struct check *begin_finding(void)
{
	struct fixture *f = &fixture;

	prepare_evaluation(f, 5);
	f->status[0] = RULE_PASS;
	view_rows(NULL, 0, 5, f->block);
	f->e.check.number = 0;
	f->e.check.block = f->block;
	f->e.check.block_n = 5;
	f->e.check.block_table = TABLE_VIEW;
	return &f->e.check;
}

static void records_that_are_no_rows_stand_alone(void **state)
{
	struct check *c = begin_finding();
	struct probe_fixed alone = { .at = 30 };
	struct plain plain = { .at = 7 };
	struct place p = AT(c, probe_fixed, &alone, two);

	(void)state;
	assert_true(p.index == PLACE_NO_INDEX);
	assert_string_equal(p.record, "fixed");
	assert_int_equal(p.span.at, 31);
	p = AT(c, plain, &plain, byte);
	assert_string_equal(p.record, "plain");
	assert_int_equal(p.span.at, 7);
	end_evaluation(&fixture);
}

static void fields_that_cannot_be_found_are_their_record(void **state)
{
	struct check *c = begin_finding();
	struct plain plain = { .at = 7 };
	struct place p = AT(c, plain, &plain, other);

	(void)state;
	assert_int_equal(p.span.at, 7);
	assert_int_equal(p.span.len, 0);
	plain.at = sizeof fixture.bytes + 100;
	p = AT(c, plain, &plain, byte);
	assert_int_equal(p.span.at, plain.at);
	assert_int_equal(p.span.len, 0);
	end_evaluation(&fixture);
}

static void findings_that_are_not_kept_need_no_place(void **state)
{
	struct check *c = begin_finding();
	struct plain plain = { .at = 7 };

	(void)state;
	c->keep_max = 0;
	assert_int_equal(AT(c, plain, &plain, byte).span.len, 0);
	report(c, AT(c, plain, &plain, byte), DEC(1));
	assert_int_equal(result(&fixture, 0)->n_found[SEVERITY_ERROR], 1);
	assert_null(c->made);
	relate(c, NOWHERE, "nothing");
	end_evaluation(&fixture);
}

/* A rule that has no lesser severity has only its own, whatever its code says: a finding of no
 * severity would be silence. */
static void a_lesser_severity_that_is_none_is_the_own(void **state)
{
	struct check *c = begin_finding();

	(void)state;
	report_lesser(c, NOWHERE, DEC(1));
	assert_int_equal(result(&fixture, 0)->n_found[SEVERITY_ERROR], 1);
	assert_int_equal(result(&fixture, 0)->n_found[SEVERITY_NONE], 0);
	assert_int_equal(c->made->severity, SEVERITY_ERROR);
	end_evaluation(&fixture);
}

static const struct finding_arg *text_arg(struct check *c, struct text_ref text)
{
	report(c, NOWHERE, TEXT(text));
	return &result(&fixture, 0)->last->args[0];
}

static void texts_are_copied_and_cut(void **state)
{
	struct check *c = begin_finding();
	const struct finding_arg *a;

	(void)state;
	memset(fixture.bytes, 'x', 300);
	a = text_arg(c, (struct text_ref){ .at = 10, .n_units = 64 });
	assert_int_equal(a->text_len, 64);
	assert_false(a->cut);
	a = text_arg(c, (struct text_ref){ .at = 10, .n_units = 65 });
	assert_int_equal(a->text_len, 64);
	assert_true(a->cut);
	a = text_arg(c, (struct text_ref){ .at = 10, .n_units = 200 });
	assert_true(a->cut);
	a = text_arg(c, (struct text_ref){ .at = sizeof fixture.bytes, .n_units = 1 });
	assert_null(a->text);
	assert_int_equal(a->text_len, 0);
	end_evaluation(&fixture);
}

static void snippets_are_whole_lines_of_sixteen(void **state)
{
	static const struct {
		uint64_t at, len, from;
		size_t n;
	} rows[] = { { 0, 0, 0, 0 },          { 0, 1, 0, 16 },    { 17, 4, 16, 16 },
		     { 30, 4, 16, 32 },       { 5, 1000, 0, 64 }, { 5999, 1, 5984, 16 },
		     { 5990, 100, 5984, 16 }, { 6000, 1, 0, 0 },  { 9000, 5, 0, 0 },
		     { UINT64_MAX, 9, 0, 0 } };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct check *c = begin_finding();

		report_plain(c, AT_SPAN(rows[i].at, rows[i].len));
		assert_int_equal(result(&fixture, 0)->last->snippet_at, rows[i].from);
		assert_int_equal(result(&fixture, 0)->last->snippet_len, rows[i].n);
		end_evaluation(&fixture);
	}
}

static void related_places_are_few(void **state)
{
	struct check *c = begin_finding();

	(void)state;
	report_plain(c, NOWHERE);
	for (size_t i = 0; i < 2 * RELATED_MAX; i++)
		relate(c, AT_SPAN(i, 1), "there");
	assert_int_equal(c->made->n_related, RELATED_MAX);
	end_evaluation(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_that_are_no_rows_stand_alone),
		cmocka_unit_test(fields_that_cannot_be_found_are_their_record),
		cmocka_unit_test(findings_that_are_not_kept_need_no_place),
		cmocka_unit_test(a_lesser_severity_that_is_none_is_the_own),
		cmocka_unit_test(texts_are_copied_and_cut),
		cmocka_unit_test(snippets_are_whole_lines_of_sixteen),
		cmocka_unit_test(related_places_are_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

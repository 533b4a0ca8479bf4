/* Tests of evaluation: a synthetic format whose tables are views, judged around the edges of
 * blocks, cut by limits, with rules left out. */
#define RULE_LISTED(ID) #ID /* rules of its own */

#include "unit.h"

#undef fail /* cmocka's; rules have their own */

#include "engine/evaluate.h"

#define LAYOUT_FILE "probe.def"
#include "core/layout_declare.h"
#include "core/layout_define.h"
#undef LAYOUT_FILE

/* The synthetic facts: n rows, and where each begins in the source. */
struct facts {
	uint64_t n;
	struct probe_fixed *kept;
};

enum group_number { GROUP_ROWS, GROUP_MISSING, GROUP_LEVEL };
enum table_number { TABLE_VIEW = 1, TABLE_KEPT, N_TABLES };

#define TABLE_VIEW_ROW struct probe_fixed
#define TABLE_VIEW_GROUP GROUP_ROWS
#define TABLE_KEPT_ROW struct probe_fixed
#define TABLE_KEPT_GROUP GROUP_ROWS

/* The traits of a kept row are its number. */
static uint64_t TABLE_KEPT_HAS(const void *facts, const struct probe_fixed *row)
{
	(void)facts;
	return row->four;
}

#define TEXTS .title = "", .message = "", .data = "", .why = "", .fix = "", .spec = ""

static void view_rows(const void *facts, uint64_t first, uint64_t n, void *rows_out)
{
	struct probe_fixed *rows = rows_out;

	(void)facts;
	for (uint64_t i = 0; i < n; i++)
		rows[i] = (struct probe_fixed){ .at = (first + i) * 15, .four = first + i };
}

/* ---- The synthetic rules --------------------------------------------------------------------- */

EACH(TST001, seventh, ERROR, TABLE_VIEW, row, TEXTS)
{
	if (row->four % 7 == 0)
		report(c, AT(c, probe_fixed, row, four), DEC(row->four));
}

EACH(TST002, eighth, WARNING, TABLE_VIEW, row, TEXTS, .lesser = SEVERITY_NOTE)
{
	if (row->four % 8 != 0)
		return;
	if (row->four % 16 == 0)
		report_lesser(c, AT(c, probe_fixed, row, two), DEC(row->four), WORD("word"));
	else
		report(c, AT(c, probe_fixed, row, two), DEC(row->four), WORD("word"));
	relate(c, AT_SPAN(1, 2), "there");
}

DEFECT_RULE(TST003, kept, ERROR, TABLE_KEPT, row, 6, TEXTS)
{
	if (row->four == 5)
		report(c, AT(c, probe_fixed, row, eight), HEX(row->four));
}

RULE(TST004, whole, NOTE, GROUP_ROWS, TEXTS)
{
	const struct facts *f = c->facts;

	if (f->n == 129)
		report_plain(c, NOWHERE);
}

RULE(TST005, missing, ERROR, GROUP_MISSING, TEXTS, .versions = UNTIL(9))
{
	report_plain(c, NOWHERE);
}

RULE(TST006, later_version, ERROR, GROUP_ROWS, TEXTS, .versions = SINCE(5))
{
	report_plain(c, NOWHERE);
}

RULE(TST007, also_missing, ERROR, GROUP_ROWS, TEXTS, .also = BIT(GROUP_LEVEL))
{
	report_plain(c, NOWHERE);
}

static const struct rule *const rules[] = {
	&TST001_rule, &TST002_rule, &TST003_rule, &TST004_rule,
	&TST005_rule, &TST006_rule, &TST007_rule,
};

enum { N_PROBES = 7, MOST_ROWS = 400 };

static const struct format_group group_names[] = { { .name = "rows" },
						   { .name = "missing" },
						   { .name = "payload" } };

/* ---- One evaluation -------------------------------------------------------------------------- */

struct fixture {
	struct fault_memory memory;
	struct arena arena;
	struct source source;
	uint8_t bytes[MOST_ROWS * 15];
	struct probe_fixed kept[MOST_ROWS];
	struct facts facts;
	struct table tables[N_TABLES];
	struct group groups[3];
	struct rule_setting settings[N_PROBES];
	uint8_t initial[N_PROBES];
	uint8_t status[N_PROBES];
	uint8_t why[N_PROBES];
	const char *reasons[REASONS_MAX];
	struct results_notes notes;
	struct indexed_rule indexed[N_PROBES];
	struct rule_index index;
	struct work work;
	struct probe_fixed block[TABLE_BLOCK];
	struct evaluation e;
};

static void prepare_evaluation(struct fixture *f, uint64_t n)
{
	*f = (struct fixture){ .facts = { n, f->kept }, .work = { .max = UINT64_MAX } };
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	source_init_memory(&f->source, f->bytes, sizeof f->bytes, "name", &f->arena);
	view_rows(NULL, 0, n, f->kept);
	f->tables[TABLE_VIEW] = (struct table){ .record = "seen",
						.group = GROUP_ROWS,
						.n = n,
						.row_len = sizeof(struct probe_fixed),
						.view = view_rows };
	f->tables[TABLE_KEPT] = (struct table){ .record = "kept",
						.group = GROUP_ROWS,
						.n = n,
						.row_len = sizeof(struct probe_fixed),
						.rows = f->kept };
	f->groups[GROUP_MISSING].why = STOP_MALFORMED;
	f->groups[GROUP_LEVEL].why = STOP_LEVEL;
	for (size_t i = 0; i < N_PROBES; i++)
		f->settings[i] = (struct rule_setting){ .severity = (uint8_t)rules[i]->severity,
							.lesser = (uint8_t)rules[i]->lesser };
	memset(f->initial, RULE_PASS, N_PROBES);
	f->e = (struct evaluation){
		.check = { .facts = &f->facts,
			   .version = 1,
			   .source = &f->source,
			   .arena = &f->arena,
			   .tables = f->tables,
			   .n_tables = N_TABLES,
			   .rules = rules,
			   .results = { f->status, f->why, &f->notes },
			   .settings = f->settings,
			   .keep_max = UINT64_MAX },
		.groups = f->groups,
		.group_names = group_names,
		.n_groups = LENGTH(f->groups),
		.work = &f->work,
		.block = f->block,
		.indexed = f->indexed,
		.initial = f->initial,
	};
	f->notes = (struct results_notes){ .arena = &f->arena,
					   .first_own = N_PROBES,
					   .reasons = f->reasons };
	rule_index_fill(&f->index, rules, 0, N_PROBES, f->indexed);
}

static const struct rule_result *result(const struct fixture *f, size_t rule)
{
	return results_of(&f->e.check.results, rule);
}

static const char *reason(const struct fixture *f, size_t rule)
{
	return results_reason(&f->e.check.results, rule);
}

static void end_evaluation(struct fixture *f)
{
	arena_free(&f->arena);
	assert_int_equal(f->memory.n_live, 0);
}

static struct fixture fixture, other;

/* ---- Tests ----------------------------------------------------------------------------------- */

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
	f->memory.fail_at = 2; /* behind the result */
	f->memory.forever = true;
	evaluate_rules(&f->e, &f->index);
	assert_true(f->e.check.lost);
	assert_int_equal(result(f, 0)->status, RULE_FAIL);
	assert_int_equal(result(f, 0)->n_found[SEVERITY_ERROR], 2);
	assert_int_equal(result(f, 0)->n_kept, 0);
	end_evaluation(f);
}

/* ---- Findings -------------------------------------------------------------------------------- */

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
		cmocka_unit_test(every_row_is_judged_once_whatever_the_blocks),
		cmocka_unit_test(rows_kept_in_memory_have_their_numbers),
		cmocka_unit_test(rules_about_absent_defects_pass),
		cmocka_unit_test(lesser_severity_and_related_place),
		cmocka_unit_test(what_cannot_be_judged_says_why),
		cmocka_unit_test(results_may_begin_at_any_rule),
		cmocka_unit_test(work_that_ends_is_never_a_pass),
		cmocka_unit_test(leaving_rules_out_changes_no_other),
		cmocka_unit_test(findings_beyond_the_limit_are_counted),
		cmocka_unit_test(a_finding_without_memory_still_counts),
		cmocka_unit_test(a_finding_without_memory_counts_for_its_rule),
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

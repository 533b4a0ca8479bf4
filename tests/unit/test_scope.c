/* Tests of scopes: what narrows them, how they add up, and what a report lists as not judged. */
#include "nested_state.h"

enum { UMOD = 0 };

/* ---- Scopes by themselves -------------------------------------------------------------------- */

static void stops_narrow_a_scope(void **state)
{
	struct group groups[GROUPS_MAX] = { { .why = STOP_NOT },
					    { .why = STOP_UNVERIFIED, .at.len = 3 },
					    { .why = STOP_UNVERIFIED } };
	struct scope s = { 0 };

	(void)state;
	scope_add_file(&s, UMOD, LEVEL_CONTENT, groups);
	assert_int_equal(s.flags, SCOPE_VERSION);
	assert_int_equal(s.formats, 1u << UMOD);
	assert_int_equal(s.parts[UMOD], BIT(1));
	s = (struct scope){ .flags = SCOPE_TABLES };
	groups[1] = groups[2] = (struct group){ .why = STOP_LEVEL, .at.len = 3 };
	scope_add_file(&s, UMOD, LEVEL_STRUCTURE, groups);
	assert_int_equal(s.flags, SCOPE_TABLES);
	groups[1] = (struct group){ .why = STOP_COMPANION };
	scope_add_file(&s, UMOD, LEVEL_STRUCTURE, groups);
	assert_int_equal(s.flags, SCOPE_TABLES | SCOPE_ALONE);
	s = (struct scope){ 0 };
	/* that is a reason to be undetermined, and no matter of scope */
	scope_add_file(&s, UMOD, LEVEL_CONTENT, groups);
	assert_int_equal(s.flags, 0);
}

static void scopes_add_up(void **state)
{
	struct scope sum = { .flags = SCOPE_TABLES, .formats = 1, .parts = { BIT(1) } };
	const struct scope other = { .flags = SCOPE_VERSION,
				     .formats = 6,
				     .parts = { BIT(0), 0, BIT(3) } };
	struct profile p = { .cuts = { { 1, 0 }, { 20, 300 }, { 4000, 5 }, { 9, 9 } } };
	size_t i = 0;

	(void)state;
	scope_add(&sum, &other);
	assert_int_equal(sum.flags, SCOPE_TABLES | SCOPE_VERSION);
	assert_int_equal(sum.formats, 7);
	assert_string_equal(scope_next_part(&sum, &i), formats[0]->groups[0].name);
	assert_string_equal(scope_next_part(&sum, &i), formats[0]->groups[1].name);
	assert_string_equal(scope_next_part(&sum, &i), formats[2]->groups[3].name);
	assert_null(scope_next_part(&sum, &i));
	assert_null(scope_next_part(&sum, &i));
	scope_settle(&sum, &p);
	scope_settle(&sum, &p);
	assert_int_equal(sum.n_off, 4021);
	assert_int_equal(sum.n_lowered, 305);
	assert_int_equal(sum.flags, SCOPE_TABLES | SCOPE_VERSION | SCOPE_RULES);
}

/* ---- Scopes of checks ------------------------------------------------------------------------ */

static void set_severity(const char *assignment)
{
	struct profile_error error;

	assert_true(profile_severity(&engine.profile, assignment, &error));
}

static void ignore(const char *rules)
{
	struct profile_error error;

	assert_true(profile_ignore(&engine.profile, rules, &error));
}

static void only(const char *rules)
{
	struct profile_error error;

	assert_true(profile_only(&engine.profile, rules, &error));
}

static void rules_narrow_a_scope(void **state)
{
	struct report *r = check();

	(void)state;
	assert_int_equal(r->scope.flags, 0);
	report_free(r);
	ignore("UMD018,UZC001");
	set_severity("UMD006=warning");
	set_severity("UMD019=error");
	r = check();
	assert_int_equal(r->scope.flags, SCOPE_RULES);
	assert_int_equal(r->scope.n_off, 1);
	assert_int_equal(r->scope.n_lowered, 1);
	assert_int_equal(r->verdict, VERDICT_VALID);
	report_free(r);
	engine.level = LEVEL_STRUCTURE;
	r = check();
	assert_int_equal(r->scope.flags, SCOPE_RULES | SCOPE_TABLES);
	report_free(r);
}

/* Rules of the formats that occur count, whatever they occur in. */
static void a_file_is_no_more_whole_than_what_lies_in_it(void **state)
{
	struct report *r;

	(void)state;
	put_in(NULL);
	ignore("HDR,UZC001");
	r = check();
	assert_int_equal(r->n_nested, 1);
	assert_int_equal(r->scope.flags, 0);
	report_free(r);
	memcpy(inner.bytes, "text", 4);
	inner.n = 4;
	build_around(&file, &(struct build_inner){ "System\\Inner.u", &inner }, 1);
	r = check();
	assert_int_equal(r->n_nested, 1);
	assert_int_equal(r->scope.flags, SCOPE_RULES);
	assert_int_equal(r->nested[0]->scope.flags, SCOPE_RULES);
	assert_true(r->scope.n_off > 1);
	assert_int_equal(r->nested[0]->scope.n_off, r->scope.n_off);
	report_free(r);
}

/* ---- Nothing judged -------------------------------------------------------------------------- */

static void a_file_of_which_nothing_is_asked_is_undetermined(void **state)
{
	static const char *const none[] = { "HDR001", "UMD006" };
	struct report *r;

	(void)state;
	for (size_t i = 0; i < LENGTH(none); i++) {
		begin(NULL);
		engine.level = LEVEL_STRUCTURE; /* which does not ask for the bytes of UMD006 */
		only(none[i]);
		r = check();
		assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
		assert_int_equal(n_found(r, "RUN011"), 1);
		assert_int_equal(r->n_findings, 1);
		assert_int_equal(r->unjudged[0].reason, UNJUDGED_RULES);
		report_free(r);
	}
}

/* Asking only rules that cannot find an error would make any file valid. What they find is told all
 * the same. */
static void rules_that_find_no_errors_judge_nothing(void **state)
{
	struct report *r;

	(void)state;
	break_crc(&file);
	only("UMD018");
	r = check();
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	assert_int_equal(r->n_findings, 1);
	assert_int_equal(r->n_unjudged, 1);
	assert_int_equal(r->scope.flags, SCOPE_RULES);
	report_free(r);
	only("UMD006");
	set_severity("UMD006=warning");
	r = check();
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	assert_int_equal(n_found(r, "RUN011"), 1);
	assert_int_equal(n_found(r, "UMD006"), 1);
	report_free(r);
	set_severity("UMD006=undetermined"); /* which makes the verdict by itself */
	r = check();
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	assert_int_equal(n_found(r, "RUN011"), 0);
	report_free(r);
	set_severity("UMD018=error");
	set_severity("UMD006=note");
	r = check();
	assert_int_equal(r->verdict, VERDICT_VALID);
	assert_int_equal(n_found(r, "UMD006"), 1);
	report_free(r);
}

/* Lowering every rule that can find an error is as good as ignoring all of them. */
static void lowered_rules_judge_nothing(void **state)
{
	struct report *r;

	(void)state;
	set_severity("UMD006=warning");
	r = check();
	assert_int_equal(r->verdict, VERDICT_VALID);
	report_free(r);
	for (size_t i = 0; i < engine.n_rules; i++)
		if (engine.rules[i]->severity == SEVERITY_ERROR &&
		    !(engine.rules[i]->flags & RULE_MANDATORY))
			engine.profile.rules[i].severity = SEVERITY_WARNING;
	profile_settle(&engine.profile);
	r = check();
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	assert_int_equal(n_found(r, "RUN011"), 1);
	report_free(r);
}

/* The file was found in a folder, not named: that no rule is asked of it does not matter. Trouble
 * does. */
static void found_files_are_passed_over(void **state)
{
	struct report *r;

	(void)state;
	engine.unknown = UNKNOWN_SKIP;
	ignore("all");
	r = check();
	assert_int_equal(r->verdict, VERDICT_NOT_APPLICABLE);
	assert_int_equal(r->n_findings, 0);
	report_free(r);
	break_crc(&file);
	only("UMD006");
	set_severity("UMD006=warning");
	r = check();
	assert_int_equal(r->verdict, VERDICT_NOT_APPLICABLE);
	assert_int_equal(r->n_findings, 1);
	assert_int_equal(r->n_found[SEVERITY_WARNING], 1);
	report_free(r);
	begin(NULL);
	engine.unknown = UNKNOWN_SKIP;
	ignore("all");
	file.n = 19;
	r = check();
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	assert_int_equal(n_found(r, "ENG001"), 1);
	assert_int_equal(n_found(r, "RUN011"), 0);
	report_free(r);
	begin(NULL);
	engine.unknown = UNKNOWN_SKIP;
	ignore("all");
	engine.limits.of[LIMIT_work] = 3;
	r = check();
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	assert_true(n_found(r, "RUN001") > 0);
	report_free(r);
}

/* Rules about packages are asked of the one inside, which is enough; what cannot be decoded is
 * never passed over. */
static void one_judged_file_of_a_tree_is_enough(void **state)
{
	struct report *r;

	(void)state;
	memset(inner.bytes, 0, 100);
	inner.n = 100;
	build_around(&file, &(struct build_inner){ "System\\Inner.u", &inner }, 1);
	only("FIL");
	r = check();
	assert_int_equal(n_found(r, "RUN011"), 0);
	assert_int_equal(r->n_nested, 1);
	assert_int_equal(r->verdict, r->nested[0]->verdict);
	assert_int_equal(r->verdict, VERDICT_INVALID);
	report_free(r);
	begin(NULL);
	build_around(&file, &(struct build_inner){ "System\\Empty.uz2", &(struct build){ .n = 0 } },
		     1);
	only("UMD018");
	r = check();
	assert_int_equal(r->n_nested, 1);
	/* it is empty, which its rules would say */
	assert_int_equal(n_found(r->nested[0], "ENG001"), 1);
	assert_int_equal(n_found_in_tree(r, "RUN011"), 0);
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	report_free(r);
}

/* ---- What was not judged --------------------------------------------------------------------- */

static void expect_reason(const struct report *r, enum unjudged_reason reason, const char *what)
{
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	assert_int_equal(r->n_unjudged, 1);
	assert_int_equal(r->unjudged[0].reason, reason);
	assert_string_equal(r->unjudged[0].what, what);
	assert_string_equal(r->unjudged[0].file, "");
}

static void limits_are_listed(void **state)
{
	static const struct {
		enum limit limit;
		uint64_t value;
		enum unjudged_reason reason;
		const char *what;
	} rows[] = {
		{ LIMIT_entries, 2, UNJUDGED_LIMIT, "max-entries" },
		{ LIMIT_text, 10, UNJUDGED_LIMIT, "max-text" },
		{ LIMIT_work, 5, UNJUDGED_LIMIT, "max-work" },
		{ LIMIT_memory, 100, UNJUDGED_MEMORY, "" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct report *r;

		begin(NULL);
		engine.limits.of[rows[i].limit] = rows[i].value;
		r = check();
		expect_reason(r, rows[i].reason, rows[i].what);
		report_free(r);
	}
}

static void trouble_is_listed(void **state)
{
	struct check_input in = { .name = "a.umod",
				  .unreadable = true,
				  .trouble = "there is no such file" };
	struct report *r = engine_check(&engine, &in);

	(void)state;
	expect_reason(r, UNJUDGED_UNREADABLE, "there is no such file");
	report_free(r);
	atomic_store(&is_cancelled, true);
	r = check();
	expect_reason(r, UNJUDGED_CANCELLED, "");
	report_free(r);
	begin(NULL);
	memcpy(file.bytes, "text", 4);
	in = (struct check_input){ .io.size = 4, .memory = file.bytes, .name = "a.txt" };
	r = engine_check(&engine, &in);
	expect_reason(r, UNJUDGED_FORMAT, "");
	assert_int_equal(r->unjudged[0].bytes, 4);
	report_free(r);
	engine.unknown = UNKNOWN_SKIP;
	r = engine_check(&engine, &in);
	assert_int_equal(r->verdict, VERDICT_NOT_APPLICABLE);
	assert_int_equal(r->n_unjudged, 0);
	report_free(r);
}

static void rules_that_cannot_judge_are_listed(void **state)
{
	struct report *r;

	(void)state;
	set_u32(&file, file.trailer_at + 12, 2);
	r = check();
	expect_reason(r, UNJUDGED_RULE, "UMD003");
	report_free(r);
	ignore("UMD003");
	r = check();
	expect_reason(r, UNJUDGED_RULE, "ENG001");
	report_free(r);
}

/* An invalid file says what was not judged, too, and first of all; a valid one has nothing to
 * say. */
static void reasons_stand_before_defects(void **state)
{
	struct report *r = check();

	(void)state;
	assert_int_equal(r->n_unjudged, 0);
	report_free(r);
	engine.limits.of[LIMIT_depth] = 0;
	put_in(NULL);
	break_crc(&file);
	r = check();
	assert_int_equal(r->verdict, VERDICT_INVALID);
	assert_string_equal(r->findings[0]->rule->id, "RUN001");
	for (size_t i = 1; i < r->n_findings; i++)
		assert_memory_not_equal(r->findings[i]->rule->id, "RUN", 3);
	assert_int_equal(n_found(r, "UMD006"), 1);
	assert_int_equal(r->n_unjudged, 1);
	assert_string_equal(r->unjudged[0].what, "max-depth");
	report_free(r);
}

/* Places of rules that failed come in the order of the findings, from wherever. */
static void failed_rules_are_found_in_order(void **state)
{
	uint8_t status[6] = { RULE_FAIL, RULE_PASS, RULE_FAIL, RULE_PASS, RULE_FAIL, RULE_PASS };
	struct report r = { .results.status = status, .n_rules = 6 };
	size_t found[8], n;

	(void)state;
	for (r.first_told = 0; r.first_told <= 6; r.first_told++) {
		n = 0;
		for (size_t i = 0; (i = report_next_failed(&r, i)) < r.n_rules; i++)
			found[n++] = report_rule(&r, i);
		assert_int_equal(n, 3);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(status[found[i]], RULE_FAIL);
		for (size_t i = 1; i < n; i++)
			assert_true((found[i - 1] + 6 - r.first_told) % 6 <
				    (found[i] + 6 - r.first_told) % 6);
	}
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		T(stops_narrow_a_scope),
		T(scopes_add_up),
		T(rules_narrow_a_scope),
		T(a_file_is_no_more_whole_than_what_lies_in_it),
		T(a_file_of_which_nothing_is_asked_is_undetermined),
		T(rules_that_find_no_errors_judge_nothing),
		T(lowered_rules_judge_nothing),
		T(found_files_are_passed_over),
		T(one_judged_file_of_a_tree_is_enough),
		T(limits_are_listed),
		T(trouble_is_listed),
		T(rules_that_cannot_judge_are_listed),
		T(reasons_stand_before_defects),
		T(failed_rules_are_found_in_order),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

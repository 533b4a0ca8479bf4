/* Tests of verdicts and of the check as a whole: unexplained stops, ignored rules, limits, trouble
 * with the input. */
#include "engine_state.h"
#include "engine/verdict.h"

static struct report *check(const char *name)
{
	struct check_input in = {
		.io.size = file.n, .memory = file.bytes, .name = name, .cancel = &is_cancelled
	};

	return engine_check(&engine, &in);
}

static uint64_t n_found(const struct report *r, const char *id)
{
	uint64_t n = 0;

	for (size_t s = 0; s <= SEVERITY_ERROR; s++)
		n += report_result(r, catalog_find(id, 6))->n_found[s];
	return n;
}

static void expect(const char *name, enum verdict verdict, const char *id)
{
	struct report *r = check(name);

	assert_non_null(r);
	assert_int_equal(r->verdict, verdict);
	assert_true(!id || n_found(r, id) > 0);
	assert_true(id || r->n_findings == 0);
	report_free(r);
}

static void ignore(const char *rules)
{
	struct profile_error error;

	assert_true(profile_ignore(&engine.profile, rules, &error));
}

static void good_is_valid(void **state)
{
	(void)state;
	expect("a.umod", VERDICT_VALID, NULL);
	expect("no ending", VERDICT_VALID, NULL);
}

/* ---- Stops and what explains them ------------------------------------------------------------ */

static void make_short(void)
{
	file.n = 19;
}
static void make_empty(void)
{
	file.n = 0;
}
static void break_magic(void)
{
	file.bytes[file.trailer_at] ^= 1;
}
static void break_directory_offset(void)
{
	set_u32(&file, file.trailer_at + 4, 0xFFFFFFFF);
}
static void make_ubisoft(void)
{
	set_u32(&file, file.trailer_at + 12, 2);
}
static void break_count(void)
{
	file.bytes[file.dir_at] = 0x3F;
}
static void break_name(void)
{
	file.bytes[file.dir_at + 1] = 0x3F;
}

static void lose_manifests(void)
{
	build_installer(&file, (const struct build_member[]){ { "System\\Mod.txt", "code", 0 } },
			1);
}

static void move_manifest_out(void)
{
	set_u32(&file, file.dir_at + 2 + sizeof "System\\Manifest.ini", 0x7FFFFFF0);
}

static const struct {
	void (*damage)(void);
	const char *rule;    /* that explains the stop */
	const char *ignored; /* what must be ignored so that nothing explains it */
	enum verdict verdict;
} stops[] = {
	{ make_short, "UMD001", "UMD001", VERDICT_INVALID },
	{ make_empty, "UMD001", "UMD001", VERDICT_INVALID },
	{ break_magic, "UMD002", "UMD002", VERDICT_INVALID },
	{ break_directory_offset, "UMD005", "UMD005,UMD006", VERDICT_INVALID },
	{ make_ubisoft, "UMD003", "UMD003", VERDICT_UNDETERMINED },
	{ break_count, "UMD007", "UMD007,UMD006", VERDICT_INVALID },
	{ break_name, "UMD009", "UMD,MAN", VERDICT_INVALID },
	{ lose_manifests, "UMD016", "UMD016", VERDICT_INVALID },
	{ move_manifest_out, "MAN001", "UMD010,UMD006,MAN001", VERDICT_INVALID },
};

static void every_stop_is_explained(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(stops); i++) {
		struct report *r;

		begin(NULL);
		stops[i].damage();
		r = check("a.umod");
		assert_int_equal(r->verdict, stops[i].verdict);
		assert_true(n_found(r, stops[i].rule) > 0);
		assert_int_equal(n_found(r, "ENG001"), 0);
		report_free(r);
	}
}

/* Without the rule that explains it, or with that rule lowered, an unjudged part is never valid. */
static void an_unexplained_stop_is_undetermined(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(stops); i++) {
		begin(NULL);
		stops[i].damage();
		ignore(stops[i].ignored);
		expect("a.umod", VERDICT_UNDETERMINED, "ENG001");
	}
}

static void a_lowered_rule_explains_nothing(void **state)
{
	struct profile_error error;

	(void)state;
	break_magic();
	assert_true(profile_severity(&engine.profile, "UMD002=warning", &error));
	expect("a.umod", VERDICT_UNDETERMINED, "ENG001");
	assert_true(profile_severity(&engine.profile, "UMD002=undetermined", &error));
	expect("a.umod", VERDICT_UNDETERMINED, "UMD002");
}

static void an_ignored_rule_that_explains_nothing_is_just_ignored(void **state)
{
	struct report *r;

	(void)state;
	file.bytes[file.trailer_at + 16] ^= 1;
	expect("a.umod", VERDICT_INVALID, "UMD006");
	ignore("UMD006");
	r = check("a.umod");
	assert_int_equal(r->verdict, VERDICT_VALID);
	assert_int_equal(r->n_ignored, 1);
	report_free(r);
}

static void named_groups_are_told(void **state)
{
	struct format_group names[3] = { { .name = "first" },
					 { .name = "second" },
					 { .name = "third" } };
	struct format f = { .groups = names, .n_groups = 3 };
	struct group groups[GROUPS_MAX] = { { .why = STOP_LEVEL },
					    { .why = STOP_MALFORMED },
					    { .why = STOP_UNSUPPORTED } };
	struct rule explains = { .explains = BIT(1) };
	const struct rule *rules[] = { &explains };
	struct rule_result result = { .status = RULE_FAIL, .n_found[SEVERITY_WARNING] = 1 };
	struct results_notes notes = { .own = &result };
	uint8_t status = RULE_FAIL, why;
	struct report r = { .rules = rules, .results = { &status, &why, &notes }, .n_rules = 1 };

	(void)state;
	assert_string_equal(verdict_unexplained(&r, &f, groups), "second");
	result.n_found[SEVERITY_UNDETERMINED] = 1;
	assert_string_equal(verdict_unexplained(&r, &f, groups), "third");
	groups[2].why = STOP_LEVEL;
	assert_null(verdict_unexplained(&r, &f, groups));
}

/* Sets of groups are as wide as there may be groups. */
static void late_groups_are_told_too(void **state)
{
	struct format_group names[GROUPS_MAX] = {
		[31].name = "32nd", [32].name = "33rd", [GROUPS_MAX - 1].name = "last"
	};
	struct format f = { .groups = names, .n_groups = GROUPS_MAX };
	struct group groups[GROUPS_MAX] = { [32].why = STOP_MALFORMED,
					    [GROUPS_MAX - 1].why = STOP_MALFORMED };
	struct rule explains = { .needs = BIT(GROUPS_MAX - 1), .explains = BIT(32) };
	const struct rule *rules[] = { &explains };
	struct rule_result result = { .status = RULE_FAIL, .n_found[SEVERITY_ERROR] = 1 };
	struct results_notes notes = { .own = &result };
	uint8_t status = RULE_FAIL, why;
	struct report r = { .rules = rules, .results = { &status, &why, &notes }, .n_rules = 1 };

	(void)state;
	assert_string_equal(verdict_unexplained(&r, &f, groups), "last");
	explains.explains |= BIT(GROUPS_MAX - 1);
	assert_null(verdict_unexplained(&r, &f, groups));
	status = RULE_NOT_EVALUATED;
	groups[32].why = groups[GROUPS_MAX - 1].why = STOP_UNVERIFIED;
	assert_null(verdict_gap(&r, &f, groups));
	groups[GROUPS_MAX - 1].why = STOP_NOT;
	assert_string_equal(verdict_gap(&r, &f, groups), "rules");
}

/* A part that stands on another one is explained with that one, if that one is missing at all. */
static void parts_stand_on_missing_ones(void **state)
{
	struct format_group names[3] = { { .name = "first" },
					 { .name = "second" },
					 { .name = "third" } };
	struct format f = { .groups = names, .n_groups = 3 };
	struct group groups[GROUPS_MAX] = { { .why = STOP_LEVEL },
					    { .why = STOP_NEEDS, .on = 0 },
					    { .why = STOP_NEEDS, .on = 1 } };
	uint8_t status = RULE_PASS;
	struct report r = { .results.status = &status, .n_rules = 1 };

	(void)state;
	assert_null(verdict_unexplained(&r, &f, groups));
	groups[0].why = STOP_NOT;
	assert_string_equal(verdict_unexplained(&r, &f, groups), "second");
	groups[0] = (struct group){ .why = STOP_NEEDS, .on = 2 };
	assert_string_equal(verdict_unexplained(&r, &f, groups), "first");
	groups[0].on = GROUPS_MAX;
	assert_string_equal(verdict_unexplained(&r, &f, groups), "first");
}

/* Where nothing else is said: what is missing for no reason of the scope, and rules that were not
 * asked although nothing is missing. */
static void gaps_are_told(void **state)
{
	struct format_group names[2] = { { .name = "first" }, { .name = "second" } };
	struct format f = { .groups = names, .n_groups = 2 };
	struct group groups[GROUPS_MAX] = { { .why = STOP_UNVERIFIED },
					    { .why = STOP_NEEDS, .on = 0 } };
	const struct rule rule = { .needs = BIT(0), .also = BIT(1) };
	const struct rule *rules[] = { &rule };
	uint8_t status = RULE_NOT_EVALUATED;
	struct report r = { .rules = rules, .results.status = &status, .n_rules = 1 };

	(void)state;
	assert_null(verdict_gap(&r, &f, groups));
	groups[0].why = STOP_LEVEL;
	assert_string_equal(verdict_gap(&r, &f, groups), "first");
	r.scope.flags = SCOPE_TABLES;
	assert_null(verdict_gap(&r, &f, groups));
	groups[0].why = STOP_COMPANION;
	assert_null(verdict_gap(&r, &f, groups));
	groups[0].why = STOP_KEY;
	assert_string_equal(verdict_gap(&r, &f, groups), "first");
	groups[0].why = STOP_NOT;
	assert_string_equal(verdict_gap(&r, &f, groups), "second");
	groups[1].why = STOP_LEVEL;
	assert_null(verdict_gap(&r, &f, groups));
	groups[1].why = STOP_NOT;
	assert_string_equal(verdict_gap(&r, &f, groups), "rules");
	status = RULE_PASS;
	assert_null(verdict_gap(&r, &f, groups));
}

/* ---- Reasons outside the format -------------------------------------------------------------- */

static void limits_are_undetermined(void **state)
{
	static const struct {
		enum limit limit;
		uint64_t value;
		const char *rule;
	} rows[] = {
		{ LIMIT_entries, 2, "RUN001" },    { LIMIT_text, 10, "RUN001" },
		{ LIMIT_work, 5, "RUN001" },       { LIMIT_memory, 100, "RUN005" },
		{ LIMIT_memory, 33000, "RUN005" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct fault_input input;
		struct check_input in = { .name = "a.umod" };
		struct report *r;

		begin(NULL);
		engine.limits.of[rows[i].limit] = rows[i].value;
		input = (struct fault_input){ .bytes = file.bytes, .size = file.n };
		in.memory = file.bytes;
		in.io.size = file.n;
		r = engine_check(&engine, &in);
		assert_non_null(r);
		assert_int_equal(input.n_reads, 0);
		if (rows[i].limit != LIMIT_memory || rows[i].value == 100) {
			assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
			assert_true(n_found(r, rows[i].rule) > 0);
		}
		report_free(r);
	}
}

static void any_number_of_work_units_is_safe(void **state)
{
	uint64_t n_valid = 0;

	(void)state;
	for (uint64_t max = 0; max < 400; max++) {
		struct report *r;

		engine.limits.of[LIMIT_work] = max;
		r = check("a.umod");
		assert_true(r->verdict == VERDICT_VALID || r->verdict == VERDICT_UNDETERMINED);
		assert_true((r->verdict == VERDICT_VALID) == (n_found(r, "RUN001") == 0));
		assert_true(n_valid == 0 || r->verdict == VERDICT_VALID);
		n_valid += r->verdict == VERDICT_VALID;
		report_free(r);
	}
	assert_true(n_valid > 0);
}

static void cancelling_is_undetermined(void **state)
{
	(void)state;
	atomic_store(&is_cancelled, true);
	expect("a.umod", VERDICT_UNDETERMINED, "RUN006");
}

static void what_cannot_be_opened_is_undetermined(void **state)
{
	struct check_input in = { .name = "a.umod", .unreadable = true };
	struct report *r = engine_check(&engine, &in);

	(void)state;
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	assert_int_equal(n_found(r, "RUN002"), 1);
	report_free(r);
}

static void unknown_formats(void **state)
{
	(void)state;
	memcpy(file.bytes, "text", 4);
	file.n = 4;
	expect("a.txt", VERDICT_UNDETERMINED, "RUN004");
	engine.unknown = UNKNOWN_SKIP;
	expect("a.txt", VERDICT_NOT_APPLICABLE, NULL);
	atomic_store(&is_cancelled, true);
	expect("a.txt", VERDICT_UNDETERMINED, "RUN006");
	engine.unknown = UNKNOWN_UNDETERMINED;
	expect("a.txt", VERDICT_UNDETERMINED, "RUN006");
}

/* Who skips what is unknown still hears that it could not be read. */
static void trouble_is_never_skipped(void **state)
{
	struct fault_input input = { .bytes = file.bytes, .size = 100 };
	struct check_input in = {
		.name = "a.txt", .io = { fault_source_read, fault_source_unchanged, &input, 100 }
	};
	struct report *r;

	(void)state;
	engine.unknown = UNKNOWN_SKIP;
	file.bytes[file.trailer_at] = 0;
	r = engine_check(&engine, &in);
	assert_int_equal(r->verdict, VERDICT_NOT_APPLICABLE);
	report_free(r);
	input.changed = true;
	r = engine_check(&engine, &in);
	assert_int_equal(n_found(r, "RUN003"), 1);
	report_free(r);
	input.fails_over = true;
	r = engine_check(&engine, &in);
	assert_int_equal(n_found(r, "RUN002"), 1);
	report_free(r);
	input = (struct fault_input){ .bytes = file.bytes, .size = 100 };
	engine.limits.of[LIMIT_memory] = 10;
	r = engine_check(&engine, &in);
	assert_int_equal(n_found(r, "RUN005"), 1);
	assert_int_equal(n_found(r, "RUN004"), 0);
	report_free(r);
	in.unreadable = true;
	r = engine_check(&engine, &in);
	assert_int_equal(n_found(r, "RUN002"), 1);
	report_free(r);
}

/* Nor is a name that promises a package, but of bytes that cannot be read nobody knows whether they
 * are one. */
static void promises_are_never_skipped(void **state)
{
	static const uint8_t bytes[100] = { 'n', 'o', 't' };
	struct fault_input input = { .bytes = bytes, .size = sizeof bytes };
	struct check_input in = { .name = "a.uasset",
				  .io = { fault_source_read, fault_source_unchanged, &input,
					  sizeof bytes } };
	struct report *r;

	(void)state;
	engine.unknown = UNKNOWN_SKIP;
	r = engine_check(&engine, &in);
	assert_int_equal(n_found(r, "RUN004"), 1);
	assert_true(r->is_no_package);
	report_free(r);
	input.fails_over = true;
	r = engine_check(&engine, &in);
	assert_int_equal(n_found(r, "RUN004"), 0);
	assert_int_equal(n_found(r, "RUN002"), 1);
	assert_false(r->is_no_package);
	report_free(r);
}

static void level_structure_leaves_the_content(void **state)
{
	struct report *r;

	(void)state;
	engine.level = LEVEL_STRUCTURE;
	file.bytes[file.trailer_at + 16] ^= 1;
	r = check("a.umod");
	assert_int_equal(r->verdict, VERDICT_VALID);
	assert_int_equal(r->unread, file.trailer_at);
	assert_string_equal(results_reason(&r->results, catalog_find("UMD006", 6)), "level");
	report_free(r);
}

static void reports_describe_the_file(void **state)
{
	struct report *r = check("a.umod");

	(void)state;
	assert_string_equal(r->name, "a.umod");
	assert_string_equal(r->format->name, "umod");
	assert_int_equal(r->version, 1);
	assert_int_equal(r->size, file.n);
	assert_int_equal(r->explained, file.n);
	assert_true(r->n_infos >= 3);
	assert_true(r->memory > 0);
	report_free(r);
	report_free(NULL);
}

static void names_of_enumerators(void **state)
{
	(void)state;
	assert_string_equal(verdict_name(VERDICT_VALID), "valid");
	assert_string_equal(verdict_name(VERDICT_NOT_APPLICABLE), "not_applicable");
	assert_string_equal(severity_name(SEVERITY_NONE), "none");
	assert_string_equal(severity_name(SEVERITY_ERROR), "error");
	assert_string_equal(rule_class_name(CLASS_RESOURCE), "resource");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		T(good_is_valid),
		T(every_stop_is_explained),
		T(an_unexplained_stop_is_undetermined),
		T(a_lowered_rule_explains_nothing),
		T(an_ignored_rule_that_explains_nothing_is_just_ignored),
		T(named_groups_are_told),
		T(late_groups_are_told_too),
		T(parts_stand_on_missing_ones),
		T(gaps_are_told),
		T(limits_are_undetermined),
		T(any_number_of_work_units_is_safe),
		T(cancelling_is_undetermined),
		T(what_cannot_be_opened_is_undetermined),
		T(unknown_formats),
		T(trouble_is_never_skipped),
		T(promises_are_never_skipped),
		T(level_structure_leaves_the_content),
		T(reports_describe_the_file),
		T(names_of_enumerators),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

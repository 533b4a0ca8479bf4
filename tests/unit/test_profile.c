/* Tests of profiles: every form of a selector, all or nothing, and what is mandatory. */
#include "engine/profile.h"
#include "unit.h"

static struct profile profile;
static struct profile_error error;

static int begin(void **state)
{
	(void)state;
	profile_init(&profile);
	error = (struct profile_error){ 0 };
	return 0;
}

static bool counts(const char *id)
{
	return profile_counts(&profile, catalog_find(id, strlen(id)));
}

static const struct rule_setting *rule(const char *id)
{
	return &profile.rules[catalog_find(id, strlen(id))];
}

static size_t n_counting(void)
{
	size_t n = 0;

	for (size_t i = 0; i < catalog_count(); i++)
		n += profile_counts(&profile, i);
	return n;
}

static size_t n_mandatory(void)
{
	size_t n = 0;

	for (size_t i = 0; i < catalog_count(); i++)
		n += (catalog_rule(i)->flags & RULE_MANDATORY) != 0;
	return n;
}

static bool fails_with(bool ok, const char *text)
{
	return !ok && error.words && error.text_len == strlen(text) &&
	       memcmp(error.text, text, error.text_len) == 0;
}

static void everything_counts_at_first(void **state)
{
	(void)state;
	assert_int_equal(n_counting(), catalog_count());
	for (size_t i = 0; i < catalog_count(); i++) {
		assert_int_equal(profile.rules[i].severity, catalog_rule(i)->severity);
		assert_int_equal(profile.rules[i].lesser, catalog_rule(i)->lesser);
	}
}

static void rules_are_ignored_by_id_and_name(void **state)
{
	(void)state;
	assert_true(profile_ignore(&profile, "UMD001,magic_missing", &error));
	assert_false(counts("UMD001"));
	assert_false(counts("UMD002"));
	assert_int_equal(n_counting(), catalog_count() - 2);
	assert_true(profile_ignore(&profile, "UMD003", &error));
	assert_int_equal(n_counting(), catalog_count() - 3);
}

static void rules_are_chosen_by_the_names_they_had(void **state)
{
	(void)state;
	assert_true(profile_ignore(&profile, "seed_count_unusual", &error));
	assert_false(counts("PHS009"));
	assert_int_equal(n_counting(), catalog_count() - 1);
	assert_true(profile_severity(&profile, "magic_wrong=note", &error));
	assert_int_equal(rule("UTH002")->severity, SEVERITY_NOTE);
	assert_true(profile_only(&profile, "magic_wrong", &error));
	assert_int_equal(n_counting(), 1 + n_mandatory());
	assert_true(fails_with(profile_select(&profile, "seed_count_unusual_", &error),
			       "seed_count_unusual_"));
}

static void rules_are_ignored_by_family_class_and_all(void **state)
{
	(void)state;
	assert_true(profile_ignore(&profile, "MAN", &error));
	assert_false(counts("MAN001"));
	assert_true(counts("UMD001"));
	assert_true(profile_ignore(&profile, "security", &error));
	assert_false(counts("UMD014"));
	assert_true(counts("UMD001"));
	assert_true(profile_ignore(&profile, "all", &error));
	assert_int_equal(n_counting(), n_mandatory());
}

static void mandatory_rules_are_passed_over_in_a_class(void **state)
{
	(void)state;
	assert_true(profile_ignore(&profile, "compatibility", &error));
	assert_true(counts("RUN004"));
	assert_false(counts("UMD003"));
}

static void select_narrows_once(void **state)
{
	(void)state;
	assert_true(profile_select(&profile, "UMD001", &error));
	assert_int_equal(n_counting(), 1 + n_mandatory());
	assert_true(profile_select(&profile, "UMD002,UMD003", &error));
	assert_int_equal(n_counting(), 3 + n_mandatory());
	assert_true(profile_ignore(&profile, "UMD002", &error));
	assert_false(counts("UMD002"));
	assert_true(counts("UMD001"));
}

static void nothing_takes_from_only(void **state)
{
	(void)state;
	assert_true(profile_ignore(&profile, "UMD001", &error));
	assert_true(profile_only(&profile, "UMD001,UMD002", &error));
	assert_true(profile_ignore(&profile, "UMD002", &error));
	assert_true(counts("UMD001"));
	assert_true(counts("UMD002"));
	assert_int_equal(n_counting(), 2 + n_mandatory());
}

static void a_bad_selector_changes_nothing(void **state)
{
	static const char *const bad[] = { "NOPE",    "UMD001,NOPE", "UMD001,,UMD002",
					   "",        ",",           "umd001",
					   "UMD0011", "UMD001 ",     "file_too_shor" };
	struct profile before;

	(void)state;
	assert_true(profile_select(&profile, "UMD,MAN", &error));
	before = profile;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		assert_false(profile_select(&profile, bad[i], &error));
		assert_false(profile_only(&profile, bad[i], &error));
		assert_false(profile_ignore(&profile, bad[i], &error));
		assert_memory_equal(&before, &profile, sizeof profile);
	}
	assert_true(fails_with(profile_ignore(&profile, "UMD001,NOPE,UMD002", &error), "NOPE"));
	assert_true(fails_with(profile_ignore(&profile, "UMD001,", &error), ""));
}

static void naming_a_mandatory_rule_is_refused(void **state)
{
	struct profile before = profile;

	(void)state;
	assert_true(fails_with(profile_ignore(&profile, "UMD001,ENG001", &error), "ENG001"));
	assert_true(fails_with(profile_ignore(&profile, "limit_reached", &error), "limit_reached"));
	assert_true(fails_with(profile_ignore(&profile, "RUN", &error), "RUN"));
	assert_true(fails_with(profile_severity(&profile, "ENG001=off", &error), "ENG001"));
	assert_true(fails_with(profile_severity(&profile, "RUN001=warning", &error), "RUN001"));
	assert_memory_equal(&before, &profile, sizeof profile);
	assert_true(profile_severity(&profile, "RUN001=error", &error));
	assert_true(profile_severity(&profile, "RUN002=undetermined", &error));
}

static void severities_are_set(void **state)
{
	(void)state;
	assert_true(profile_severity(&profile, "UMD001=note", &error));
	assert_int_equal(rule("UMD001")->severity, SEVERITY_NOTE);
	assert_true(profile_severity(&profile, "file_too_short=warning", &error));
	assert_int_equal(rule("UMD001")->severity, SEVERITY_WARNING);
	assert_true(profile_severity(&profile, "UMD019=error", &error));
	assert_int_equal(rule("UMD019")->severity, SEVERITY_ERROR);
	assert_true(profile_severity(&profile, "UMD002=undetermined", &error));
	assert_int_equal(rule("UMD002")->severity, SEVERITY_UNDETERMINED);
	assert_true(profile_severity(&profile, "UMD019=off", &error));
	assert_false(counts("UMD019"));
}

static void the_lesser_severity_is_lowered_too(void **state)
{
	(void)state;
	assert_int_equal(rule("UMD006")->lesser, SEVERITY_WARNING);
	assert_true(profile_severity(&profile, "UMD006=note", &error));
	assert_int_equal(rule("UMD006")->lesser, SEVERITY_NOTE);
	assert_true(profile_severity(&profile, "UMD006=error", &error));
	assert_int_equal(rule("UMD006")->severity, SEVERITY_ERROR);
	assert_int_equal(rule("UMD001")->lesser, SEVERITY_NONE);
}

/* Who raises a rule means whatever it says; who lowers it, at most that much. The last word
 * counts. */
static void severities_hold_for_all_that_a_rule_says(void **state)
{
	static const struct {
		const char *assignment;
		enum severity severity, lesser;
	} rows[] = {
		{ "UZT005=undetermined", SEVERITY_UNDETERMINED, SEVERITY_UNDETERMINED },
		{ "UZT005=error", SEVERITY_ERROR, SEVERITY_ERROR },
		{ "UZT005=warning", SEVERITY_WARNING, SEVERITY_WARNING },
		{ "UZT005=note", SEVERITY_NOTE, SEVERITY_NOTE },
		{ "UMD006=error", SEVERITY_ERROR, SEVERITY_ERROR },
		{ "UMD006=undetermined", SEVERITY_UNDETERMINED, SEVERITY_WARNING },
		{ "UMD006=warning", SEVERITY_WARNING, SEVERITY_WARNING },
		{ "UMD006=note", SEVERITY_NOTE, SEVERITY_NOTE },
		{ "RUN001=error", SEVERITY_ERROR, SEVERITY_NONE },
		{ "RUN008=undetermined", SEVERITY_UNDETERMINED, SEVERITY_NONE },
	};
	char id[7] = "";

	(void)state;
	for (size_t again = 0; again < 2; again++) {
		for (size_t i = 0; i < LENGTH(rows); i++) {
			memcpy(id, rows[i].assignment, 6);
			assert_true(profile_severity(&profile, rows[i].assignment, &error));
			assert_int_equal(rule(id)->severity, rows[i].severity);
			assert_int_equal(rule(id)->lesser, rows[i].lesser);
		}
	}
}

/* Nothing takes from "only" but who switches the rule itself off, and on again. */
static void off_is_off(void **state)
{
	(void)state;
	assert_true(profile_only(&profile, "UMD001,UMD002", &error));
	assert_true(profile_severity(&profile, "UMD001=off", &error));
	assert_false(counts("UMD001"));
	assert_true(profile_only(&profile, "UMD001", &error));
	assert_false(counts("UMD001"));
	assert_true(profile_severity(&profile, "UMD001=warning", &error));
	assert_true(counts("UMD001"));
	assert_true(counts("UMD002"));
}

/* What is taken from a format's rules is counted. */
static void cuts_are_counted(void **state)
{
	struct profile_cut none = { 0 };
	size_t uz = 0, n;

	(void)state;
	while (strcmp(formats[uz]->name, "uz2") != 0)
		uz++;
	for (size_t i = 0; formats[i]; i++)
		assert_memory_equal(&profile.cuts[i], &none, sizeof none);
	assert_true(profile_severity(&profile, "UZT005=note", &error));
	assert_true(profile_severity(&profile, "UZT001=undetermined", &error));
	assert_true(profile_severity(&profile, "UMD001=error", &error));
	assert_int_equal(profile.cuts[uz].n_lowered, 2);
	assert_int_equal(profile.cuts[0].n_lowered, 0);
	assert_true(profile_severity(&profile, "UZT005=off", &error));
	assert_int_equal(profile.cuts[uz].n_lowered, 1);
	assert_int_equal(profile.cuts[uz].n_off, 1);
	assert_true(profile_ignore(&profile, "all", &error));
	n = profile.cuts[uz].n_off;
	assert_true(n > 1);
	assert_int_equal(profile.cuts[uz].n_lowered, 0);
	assert_true(profile_only(&profile, "UZT001", &error));
	assert_int_equal(profile.cuts[uz].n_off, n - 1);
	assert_int_equal(profile.cuts[uz].n_lowered, 1);
}

static void bad_assignments_are_refused(void **state)
{
	struct profile before = profile;

	(void)state;
	assert_true(fails_with(profile_severity(&profile, "UMD001", &error), "UMD001"));
	assert_true(fails_with(profile_severity(&profile, "NOPE=error", &error), "NOPE"));
	assert_true(fails_with(profile_severity(&profile, "UMD001=loud", &error), "loud"));
	assert_true(fails_with(profile_severity(&profile, "UMD001=", &error), ""));
	assert_true(fails_with(profile_severity(&profile, "=error", &error), ""));
	assert_true(fails_with(profile_severity(&profile, "UMD=error", &error), "UMD"));
	assert_memory_equal(&before, &profile, sizeof profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(everything_counts_at_first, begin),
		cmocka_unit_test_setup(rules_are_ignored_by_id_and_name, begin),
		cmocka_unit_test_setup(rules_are_chosen_by_the_names_they_had, begin),
		cmocka_unit_test_setup(rules_are_ignored_by_family_class_and_all, begin),
		cmocka_unit_test_setup(mandatory_rules_are_passed_over_in_a_class, begin),
		cmocka_unit_test_setup(select_narrows_once, begin),
		cmocka_unit_test_setup(nothing_takes_from_only, begin),
		cmocka_unit_test_setup(a_bad_selector_changes_nothing, begin),
		cmocka_unit_test_setup(naming_a_mandatory_rule_is_refused, begin),
		cmocka_unit_test_setup(severities_are_set, begin),
		cmocka_unit_test_setup(the_lesser_severity_is_lowered_too, begin),
		cmocka_unit_test_setup(severities_hold_for_all_that_a_rule_says, begin),
		cmocka_unit_test_setup(off_is_off, begin),
		cmocka_unit_test_setup(cuts_are_counted, begin),
		cmocka_unit_test_setup(bad_assignments_are_refused, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

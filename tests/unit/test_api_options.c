/* Tests of the options of the public interface: which values are taken, and what is said of those
 * that are refused. */
#include <stdio.h>

#include "core/limits.h"
#include "options_state.h"

static void test_options_taken(void **state)
{
	static const char *const good[][2] = {
		{ "select", "UMD" },
		{ "ignore", "UMD018,MAN007" },
		{ "only", "security" },
		{ "severity", "UMD006=warning" },
		{ "severity", "crc_mismatch=off" },
		{ "level", "structure" },
		{ "level", "content" },
		{ "level", "default" },
		{ "unknown", "skip" },
		{ "fail-on", "never" },
		{ "fail-on", "note" },
		{ "fail-on", "security" },
		{ "fail-on", "hygiene,error,security" },
		{ "show-passed", "yes" },
		{ "verbose", "yes" },
		{ "verbose", "no" },
		{ "width", "0" },
		{ "width", "1000" },
		{ "path-root", "dist" },
		{ "path-base", "/" },
		{ "max-memory", "0" },
		{ "max-memory", "16777215G" },
		{ "max-work", "18446744073709551615" },
		{ "timeout", "0" },
		{ "timeout", "60" },
		{ "timeout", "500ms" },
		{ "timeout", "60s" },
		{ "timeout", "2m" },
		{ "timeout", "8760h" },
		{ "max-text", "2K" },
		{ "max-entries", "3M" },
		{ "max-findings", "1" },
		{ "max-per-rule", "1" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(good); i++) {
		assert_int_equal(uvet_options_set(options, good[i][0], good[i][1]), UVET_OK);
		assert_string_equal(uvet_options_error(options), "");
	}
}

static void test_times(void **state)
{
	static const struct {
		const char *value;
		uint64_t milliseconds;
	} times[] = {
		{ "0", 0 },     { "60", 60000 },  { "500ms", 500 },
		{ "1s", 1000 }, { "2m", 120000 }, { "8760h", 31536000000 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(times); i++) {
		assert_int_equal(uvet_options_set(options, "timeout", times[i].value), UVET_OK);
		assert_true(options->settings.timeout == times[i].milliseconds * 1000000);
	}
}

static void fail_on_refuses_what_is_no_list_of_them(void **state)
{
	static const char *const bad[] = { "undetermined",    "",       "error,", "error,warning",
					   "error, security", "secure", ",error" };
	char expected[160];

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		snprintf(expected, sizeof expected,
			 "fail-on: expected one of error, warning, note and never, and classes of "
			 "rules, separated by commas: \"%s\"",
			 bad[i]);
		assert_int_equal(uvet_options_set(options, "fail-on", bad[i]), UVET_BAD_OPTION);
		assert_string_equal(uvet_options_error(options), expected);
	}
}

static void fail_on_takes_a_level_and_classes(void **state)
{
	const unsigned security = 1u << CLASS_SECURITY, hygiene = 1u << CLASS_HYGIENE;
	const struct {
		const char *value;
		struct fail_on expected;
	} cases[] = {
		{ "warning", { SEVERITY_WARNING, 0 } },
		{ "never", { SEVERITY_NONE, 0 } },
		{ "security", { SEVERITY_NONE, security } },
		{ "never,security", { SEVERITY_NONE, security } },
		{ "security,error,hygiene,security", { SEVERITY_ERROR, security | hygiene } },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_int_equal(uvet_options_set(options, "fail-on", cases[i].value), UVET_OK);
		assert_int_equal(options->settings.fail_on.level, cases[i].expected.level);
		assert_int_equal(options->settings.fail_on.classes, cases[i].expected.classes);
	}
}

static void test_options_refused(void **state)
{
	static const char *const bad[][3] = {
		{ "colour", "red", "colour: no such option" },
		{ "level", "deep", "level: expected structure or content: \"deep\"" },
		{ "show-passed", "", "show-passed: expected yes or no: \"\"" },
		{ "sha256", "maybe", "sha256: expected yes or no: \"maybe\"" },
		{ "verbose", "on", "verbose: expected yes or no: \"on\"" },
		{ "width", "1001", "width: expected a number from 0 to 1000: \"1001\"" },
		{ "width", "wide", "width: expected a number from 0 to 1000: \"wide\"" },
		{ "unknown", "Skip", "unknown: expected undetermined or skip: \"Skip\"" },
#define TIMES "timeout: expected a time such as 60, 500ms, 2m or 1h, a year at most; 0 for none: "
		{ "timeout", "", TIMES "\"\"" },
		{ "timeout", "s", TIMES "\"s\"" },
		{ "timeout", "1.5", TIMES "\"1.5\"" },
		{ "timeout", "-1", TIMES "\"-1\"" },
		{ "timeout", "1 s", TIMES "\"1 s\"" },
		{ "timeout", "5us", TIMES "\"5us\"" },
		{ "timeout", "8761h", TIMES "\"8761h\"" },
		{ "timeout", "18446744073709551617", TIMES "\"18446744073709551617\"" },
#undef TIMES
		{ "max-memory", "", "max-memory: expected a number, perhaps with K, M or G: \"\"" },
		{ "max-memory", "K",
		  "max-memory: expected a number, perhaps with K, M or G: \"K\"" },
		{ "max-memory", "1k",
		  "max-memory: expected a number, perhaps with K, M or G: \"1k\"" },
		{ "max-memory", "1KB",
		  "max-memory: expected a number, perhaps with K, M or G: \"1KB\"" },
		{ "max-memory", "-1",
		  "max-memory: expected a number, perhaps with K, M or G: \"-1\"" },
		{ "max-memory", "17179869184G",
		  "max-memory: expected a number, perhaps with K, M or G: \"17179869184G\"" },
		{ "max-work", "18446744073709551616",
		  "max-work: expected a number, perhaps with K, M or G: \"18446744073709551616\"" },
		{ "siblings", "all", "siblings: expected auto or none: \"all\"" },
		{ "jobs", "65", "jobs: expected a number from 0 to 64: \"65\"" },
		{ "jobs", "", "jobs: expected a number from 0 to 64: \"\"" },
		{ "max-work", "\x1b\"",
		  "max-work: expected a number, perhaps with K, M or G: \"\\x1B\\x22\"" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		assert_int_equal(uvet_options_set(options, bad[i][0], bad[i][1]), UVET_BAD_OPTION);
		assert_string_equal(uvet_options_error(options), bad[i][2]);
	}
	assert_int_equal(uvet_options_set(options, "ignore", "NOPE"), UVET_BAD_OPTION);
	assert_non_null(strstr(uvet_options_error(options), "\"NOPE\""));
	assert_int_equal(uvet_options_set(options, "level", "default"), UVET_OK);
	assert_string_equal(uvet_options_error(options), "");
}

/* A folder has a name, and room. */
static void test_folders(void **state)
{
	static const char *const names[] = { "path-root", "path-base" };
	char folder[4097];

	(void)state;
	memset(folder, 'a', sizeof folder);
	for (size_t i = 0; i < LENGTH(names); i++) {
		folder[4096] = '\0';
		assert_int_equal(uvet_options_set(options, names[i], folder), UVET_BAD_OPTION);
		folder[4095] = '\0';
		assert_int_equal(uvet_options_set(options, names[i], folder), UVET_OK);
		folder[4095] = 'a';
		assert_int_equal(uvet_options_set(options, names[i], ""), UVET_BAD_OPTION);
	}
	assert_string_equal(uvet_options_error(options),
			    "path-base: expected a folder, of 4095 bytes at most: \"\"");
}

/* However long the names are, the error is one line that ends. */
static void test_options_error_is_bounded(void **state)
{
	char name[2000];

	(void)state;
	memset(name, 0x1B, sizeof name);
	name[sizeof name - 1] = '\0';
	assert_int_equal(uvet_options_set(options, name, name), UVET_BAD_OPTION);
	assert_true(strlen(uvet_options_error(options)) < 256);
	assert_int_equal(uvet_options_set(options, "max-work", name), UVET_BAD_OPTION);
	assert_true(strlen(uvet_options_error(options)) < 256);
}

/* What a call refused is not said of the next. */
static void test_error_of_the_last_call(void **state)
{
	static const uint8_t exponent[] = { 1, 0, 1 };
	uint8_t modulus[64];
	uvet_options *o;

	(void)state;
	memset(modulus, 1, sizeof modulus);
	assert_int_equal(uvet_options_new(&o), UVET_OK);
	assert_int_equal(uvet_options_set(o, "no such option", "1"), UVET_BAD_OPTION);
	assert_string_not_equal(uvet_options_error(o), "");
	assert_int_equal(
		uvet_options_signing_key(o, modulus, sizeof modulus, exponent, sizeof exponent),
		UVET_OK);
	assert_string_equal(uvet_options_error(o), "");
	uvet_options_free(o);
}

static void test_limits(void **state)
{
	uvet_limit limit = UVET_LIMIT_INIT;

	(void)state;
	for (size_t i = 0; i < uvet_limit_count(); i++) {
		assert_int_equal(uvet_limit_at(i, &limit), 1);
		assert_int_equal(uvet_options_set(options, limit.option, "1"), UVET_OK);
	}
	assert_int_equal(uvet_limit_at(uvet_limit_count(), &limit), 0);
}

static void test_limit_values(void **state)
{
	uint64_t value = 7;

	(void)state;
	assert_int_equal(uvet_options_limit(options, "max-depth", &value), 1);
	assert_int_equal(value, limit_infos[LIMIT_depth].standard);
	assert_int_equal(uvet_options_set(options, "max-memory", "3M"), UVET_OK);
	assert_int_equal(uvet_options_limit(options, "max-memory", &value), 1);
	assert_int_equal(value, 3 << 20);
	assert_int_equal(uvet_options_limit(options, "memory", &value), 0);
	assert_int_equal(uvet_options_limit(NULL, "max-memory", &value), 0);
	assert_int_equal(uvet_options_limit(options, NULL, &value), 0);
	assert_int_equal(uvet_options_limit(options, "max-memory", NULL), 0);
	assert_int_equal(value, 3 << 20);
}

/* A profile that turned a rule off, or lowered one, would call files valid that are not. */
static void test_profiles_lower_nothing(void **state)
{
	const char *name, *option, *value;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; (name = uvet_profile_at(i)) != NULL; i++) {
		assert_true(*uvet_profile_meaning(name));
		for (size_t k = 0; uvet_profile_setting_at(name, k, &option, &value); k++, n++) {
			char id[8] = "";
			uvet_rule rule = UVET_RULE_INIT;

			assert_true(strcmp(option, "select") != 0 && strcmp(option, "only") != 0 &&
				    strcmp(option, "ignore") != 0);
			if (strcmp(option, "severity") != 0)
				continue;
			memcpy(id, value, 6);
			assert_int_equal(uvet_rule_find(id, &rule), 1);
			assert_string_equal(strcmp(value + 7, "error") == 0 ? "error" : "warning",
					    value + 7);
			assert_true(strcmp(value + 7, "error") == 0 ||
				    rule.severity <= UVET_SEVERITY_WARNING);
		}
	}
	assert_true(n > 0);
	assert_null(uvet_profile_meaning("none"));
	assert_int_equal(uvet_profile_setting_at("none", 0, &option, &value), 0);
	assert_int_equal(uvet_profile_setting_at("hosting", 0, NULL, &value), 0);
	assert_int_equal(uvet_profile_setting_at("hosting", SIZE_MAX, &option, &value), 0);
}

static void test_a_profile_sets_all_its_options(void **state)
{
	const char *name;
	uint64_t memory = 0;

	(void)state;
	for (size_t i = 0; (name = uvet_profile_at(i)) != NULL; i++)
		assert_int_equal(uvet_options_set(options, "profile", name), UVET_OK);
	assert_int_equal(uvet_options_set(options, "profile", "hosting"), UVET_OK);
	assert_int_equal(uvet_options_limit(options, "max-memory", &memory), 1);
	assert_true(memory == 256 << 20);
	assert_true(options->settings.timeout == 120000000000);
	assert_string_equal(options->settings.profile_name, "hosting");
	assert_int_equal(uvet_options_set(options, "profile", "none"), UVET_BAD_OPTION);
	assert_string_equal(uvet_options_error(options),
			    "profile: expected author, hosting, redirect or archive: \"none\"");
	assert_string_equal(options->settings.profile_name, "hosting");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OPTIONS_TEST(test_options_taken),
		OPTIONS_TEST(test_times),
		OPTIONS_TEST(test_options_refused),
		OPTIONS_TEST(fail_on_takes_a_level_and_classes),
		OPTIONS_TEST(fail_on_refuses_what_is_no_list_of_them),
		OPTIONS_TEST(test_folders),
		OPTIONS_TEST(test_options_error_is_bounded),
		OPTIONS_TEST(test_error_of_the_last_call),
		OPTIONS_TEST(test_limits),
		OPTIONS_TEST(test_limit_values),
		OPTIONS_TEST(test_profiles_lower_nothing),
		OPTIONS_TEST(test_a_profile_sets_all_its_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

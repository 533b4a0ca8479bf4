/* Tests of the command line's parts: digits, growing buffers, messages, lines of keys, names and
 * globs. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>

#include "api/api.h"
#include "cli/digits.h"
#include "cli/globs.h"
#include "cli/grow.h"
#include "cli/keys.h"
#include "cli/message.h"
#include "cli/nearest.h"
#include "said.h"
#include "unit.h"

/* ---- Digits ---------------------------------------------------------------------------------- */

static void hexadecimal_digits(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		bool ok;
	} cases[] = { { "01abEF", 6, true },    { "0x01ABef", 8, true },  { "0X01abEF", 8, true },
		      { "1x01abEF", 8, false }, { "0y01abEF", 8, false }, { "01abE", 5, false },
		      { "01abEF0", 7, false },  { "01abEg", 6, false },   { "01abgF", 6, false },
		      { "01ab F", 6, false },   { "01ab\0F", 6, false },  { "01abE\0", 6, false } };
	uint8_t out[3];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_int_equal(digits_hex(cases[i].text, cases[i].len, out, 3), cases[i].ok);
		if (cases[i].ok)
			assert_memory_equal(out, "\x01\xAB\xEF", 3);
	}
}

static void base64_digits(void **state)
{
	static const struct {
		const char *text;
		size_t len, n;
	} cases[] = { { "AQID", 4, 3 }, { "AQI=", 4, 2 },     { "AQ==", 4, 1 },
		      { "", 0, 0 },     { "AQIDAQID", 8, 0 }, { "AQI", 3, 0 },
		      { "A*ID", 4, 0 }, { "A\0ID", 4, 0 },    { "=QID", 4, 0 } };
	uint8_t out[4];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_int_equal(digits_base64(cases[i].text, cases[i].len, out, 4), cases[i].n);
		assert_memory_equal(out, "\x01\x02\x03", cases[i].n);
	}
}

/* ---- Buffers --------------------------------------------------------------------------------- */

/* Sizes that no memory can have are refused without being asked for, and leave what there is. */
static void buffers_grow_within_bounds(void **state)
{
	size_t max = 0;
	char *p = grow(NULL, &max, 1, 1), *same = p;

	(void)state;
	assert_non_null(p);
	assert_int_equal(max, 64);
	strcpy(p, "kept");
	assert_ptr_equal(grow(p, &max, 64, 1), same);
	assert_null(grow(p, &max, SIZE_MAX, 1));
	assert_null(grow(p, &max, SIZE_MAX / 8, 64));
	assert_int_equal(max, 64);
	p = grow(p, &max, 65, 1);
	assert_non_null(p);
	assert_int_equal(max, 128);
	assert_string_equal(p, "kept");
	free(p);
}

/* ---- Messages -------------------------------------------------------------------------------- */

static void only_two_letters_after_a_percent_are_special(void **state)
{
	(void)state;
	said_listen();
	message("100% of %s is %t, %d%", "a\x1b\xC3\xA9'\\x##", "b\\x27");
	said_expect("uvet: 100% of a\\x1B\\xC3\\xA9\\x27\\x5Cx#\\x23 is b\\x27, %d%\n");
}

static void long_messages_are_whole(void **state)
{
	static char text[10000], expected[10100];

	(void)state;
	memset(text, 'a', sizeof text - 1);
	snprintf(expected, sizeof expected, "uvet: '%s'\n", text);
	said_listen();
	message("'%s'", text);
	said_expect(expected);
}

/* ---- Lines of keys --------------------------------------------------------------------------- */

#define MODULUS \
	"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ=="

/* What is wrong is told of the line where it is, however many follow; names of the same length are
 * other names. */
static void signing_keys_are_found_among_other_lines(void **state)
{
	static const struct {
		const char *text, *which, *trouble;
	} cases[] = {
		{ "SigningModulux=AQEB\nSigningPublicExponenx=AQAB\n", "SigningModulus",
		  "it is not there" },
		{ "SigningModulus=!\nSigningModulus=" MODULUS "\nSigningPublicExponent=AQAB\n",
		  "SigningModulus", "it is not base64 of 1 to 1024 bytes" },
		{ "SigningModulus=" MODULUS "\nSigningModulus=" MODULUS
		  "\nSigningPublicExponent=AQAB\n",
		  "SigningModulus", "it is there twice" },
		{ "SigningPublicExponenx=!\nSigningModulus=" MODULUS
		  "\nSigningPublicExponent=AQAB\n",
		  NULL, NULL },
	};
	uvet_options *options;
	const char *which = NULL, *trouble;

	(void)state;
	assert_int_equal(uvet_options_new(&options), UVET_OK);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		trouble = keys_add_signing(options, cases[i].text, &which);
		assert_true(trouble ? cases[i].trouble && strcmp(trouble, cases[i].trouble) == 0
				    : !cases[i].trouble);
		if (trouble)
			assert_string_equal(which, cases[i].which);
	}
	assert_int_equal(options->settings.keys.signing.len, 64);
	uvet_options_free(options);
}

/* ---- Names and globs ------------------------------------------------------------------------- */

/* Nobody who typed a few letters meant a name that is longer than any. */
static void long_names_are_not_near(void **state)
{
	char name[256];
	struct nearest near = nearest_to("level");

	(void)state;
	memset(name, 'l', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	nearest_try(&near, name);
	assert_null(near.name);
	nearest_try(&near, "levels");
	assert_string_equal(near.name, "levels");
	assert_null(nearest_to(name).name);
}

static void globs_match_whole_names(void **state)
{
	static const struct {
		const char *glob, *path;
		bool matches;
	} rows[] = {
		{ "a?", "ab", true },
		{ "a?", "a\xC3\xA9", true }, /* a character */
		{ "a?", "a\xC3\xA9\xC3", false },
		{ "a?c", "a/c", false },
		{ "?/b", "a/b", true },
		{ "x/a?c", "x/a/c", false },
		{ "x/**/y", "x/y", true },
		{ "x/**/y", "x/a/b/y", true },
		{ "x/**/y", "x/ay", false },
		{ "x/a**/y", "x/ab/c/y", true },
		{ "x/a**/y", "x/y", false },
		{ "", "a", false },
		{ "*", "a", true },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct globs g = { { rows[i].glob }, 1 };

		if (globs_match(&g, rows[i].path) != rows[i].matches)
			fail_msg("%s and %s", rows[i].glob, rows[i].path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hexadecimal_digits),
		cmocka_unit_test(base64_digits),
		cmocka_unit_test(buffers_grow_within_bounds),
		cmocka_unit_test(only_two_letters_after_a_percent_are_special),
		cmocka_unit_test(long_messages_are_whole),
		cmocka_unit_test(signing_keys_are_found_among_other_lines),
		cmocka_unit_test(long_names_are_not_near),
		cmocka_unit_test(globs_match_whole_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

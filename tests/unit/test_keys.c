/* Tests of keys: which may fit, and how they are read as text. */
#include "api/api.h"
#include "cli/keys.h"
#include "core/keys.h"
#include "unit.h"

static void those_that_name_a_guid_come_first(void **state)
{
	static const uint8_t one[KEY_GUID_LEN] = { 1 }, two[KEY_GUID_LEN] = { 2 };
	struct keys keys = { .n = 5 };
	const struct key *k;

	(void)state;
	keys.of[0].for_any = true;
	keys.of[1].guid[0] = 1;
	keys.of[2].guid[0] = 2;
	keys.of[3].for_any = true;
	keys.of[4].guid[0] = 1;
	k = keys_next(&keys, one, NULL);
	assert_ptr_equal(k, &keys.of[1]);
	k = keys_next(&keys, one, k);
	assert_ptr_equal(k, &keys.of[4]);
	k = keys_next(&keys, one, k);
	assert_ptr_equal(k, &keys.of[0]);
	k = keys_next(&keys, one, k);
	assert_ptr_equal(k, &keys.of[3]);
	assert_null(keys_next(&keys, one, k));
	assert_ptr_equal(keys_next(&keys, two, NULL), &keys.of[2]);
	keys_wipe(&keys);
	assert_int_equal(keys.n, 0);
	assert_false(keys.of[0].for_any);
	assert_null(keys_next(&keys, one, NULL));
}

/* ---- Text ------------------------------------------------------------------------------------ */

#define DIGITS "000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F"
#define BASE64 "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

static uvet_options *options;

static int open_options(void **state)
{
	(void)state;
	return uvet_options_new(&options) != UVET_OK;
}

static int close_options(void **state)
{
	(void)state;
	uvet_options_free(options);
	return 0;
}

static const struct key *last_key(void)
{
	const struct keys *keys = &options->settings.keys;

	return &keys->of[keys->n - 1];
}

static void expect_key(const char *text, bool for_any)
{
	const size_t before = options->settings.keys.n;
	unsigned line;

	assert_null(keys_add_text(options, text, &line));
	assert_int_equal(options->settings.keys.n, before + 1);
	assert_int_equal(last_key()->for_any, for_any);
	for (size_t i = 0; i < KEY_LEN; i++)
		assert_int_equal(last_key()->bytes[i], i);
}

static void keys_are_read(void **state)
{
	static const char *const any[] = {
		DIGITS,
		"0x" DIGITS,
		"0X" DIGITS "\n",
		BASE64,
		"  " DIGITS "\t\r\n",
		"# a comment\n\n" BASE64 " # mine\n\n",
		DIGITS "\n#" DIGITS,
		"\xEF\xBB\xBF" DIGITS,
	};
	static const char *const named[] = {
		"0302010007060504"
		"0B0A09080F0E0D0C=" DIGITS,
		"03020100-0706-0504-0b0a-09080f0e0d0c = " BASE64,
		"0x03020100070605040b0a09080f0e0d0c=0x" DIGITS,
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(any); i++)
		expect_key(any[i], true);
	for (size_t i = 0; i < LENGTH(named); i++) {
		expect_key(named[i], false);
		for (size_t n = 0; n < KEY_GUID_LEN; n++)
			assert_int_equal(last_key()->guid[n], n);
	}
}

static void bad_lines_are_refused(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
	} bad[] = {
		{ "x", 1 },
		{ "\n\n" DIGITS "0", 3 },
		{ DIGITS "\n0x", 2 },
		{ "AAEC", 1 },
		{ "=" DIGITS, 1 },
		{ "12=" DIGITS, 1 },
		{ DIGITS "=", 1 },
		{ "0302010007060504"
		  "0B0A09080F0E0D0C=",
		  1 },
		{ "0302010007060504"
		  "0B0A09080F0E0D0C=12",
		  1 },
		{ "g302010007060504"
		  "0B0A09080F0E0D0C=" DIGITS,
		  1 },
		{ "03020100070605040B0A09080F0E0D0C00=" DIGITS, 1 },
		{ "!AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", 1 },
		{ "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8A", 1 },
		{ DIGITS " " DIGITS, 1 },
	};
	unsigned line;

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		assert_non_null(keys_add_text(options, bad[i].text, &line));
		assert_int_equal(line, bad[i].line);
	}
}

static void there_are_64_at_most(void **state)
{
	const uint8_t key[KEY_LEN] = { 7 };
	unsigned line;

	(void)state;
	for (size_t i = 0; i < KEYS_MAX; i++)
		assert_int_equal(uvet_options_key(options, i % 2 ? key : NULL, key), UVET_OK);
	assert_int_equal(uvet_options_key(options, NULL, key), UVET_BAD_OPTION);
	assert_string_equal(uvet_options_error(options), "key: there are 64 already");
	assert_string_equal(keys_add_text(options, DIGITS, &line), "there are more than 64 keys");
	assert_int_equal(uvet_options_key(NULL, NULL, key), UVET_BAD_CALL);
	assert_int_equal(uvet_options_key(options, NULL, NULL), UVET_BAD_CALL);
}

/* ---- The signing key ------------------------------------------------------------------------- */

/* 64 bytes of 1. */
#define MODULUS \
	"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ=="

static void signing_keys_are_read(void **state)
{
	static const char *const good[] = {
		"SigningModulus=" MODULUS "\nSigningPublicExponent=AQAB",
		"SigningPublicExponent=AQAB\r\nSigningModulus=" MODULUS "\r\n",
		"\xEF\xBB\xBFSigningModulus=" MODULUS "\nSigningPublicExponent=AQAB",
		"bEnablePakSigning=No\xE0\nbEnablePakSigning=\x10\nbEnablePakSigning="
		"FALSE\xE0\xE0\nSigningModulus=" MODULUS "\nSigningPublicExponent=AQAB",
		"bEnablePakSigning=True\nbEnablePakIndexEncryption=False\nSigningModulus=" MODULUS
		"\nSigningPublicExponent=AQAB",
		"[Keys]\n\n  SigningModulus = " MODULUS
		" \nSigningPrivateExponent=AAAA\n;\n\tSigningPublicExponent\t=\tAQAB",
	};
	const struct signing_key *key = &options->settings.keys.signing;
	const char *which;

	(void)state;
	for (size_t i = 0; i < LENGTH(good); i++) {
		options->settings.keys.signing.len = 0;
		assert_null(keys_add_signing(options, good[i], &which));
		assert_int_equal(key->len, 64);
		assert_int_equal(key->exponent, 65537);
		for (size_t n = 0; n < key->len; n++)
			assert_int_equal(key->modulus[n], 1);
	}
}

#define NOT_SIGNED "it is off, so that the project does not sign what this key would verify"

static void bad_signing_keys_are_refused(void **state)
{
	static const struct {
		const char *text, *which, *trouble;
	} bad[] = {
		{ "", "SigningModulus", "it is not there" },
		{ "SigningModulu=" MODULUS "\n=\nSigningModuluss=" MODULUS, "SigningModulus",
		  "it is not there" },
		{ "SigningModulus=" MODULUS, "SigningPublicExponent", "it is not there" },
		{ "SigningModulus=" MODULUS "\nSigningModulus=" MODULUS, "SigningModulus",
		  "it is there twice" },
		{ "SigningModulus=", "SigningModulus", "it is not base64 of 1 to 1024 bytes" },
		{ "SigningModulus=AQE", "SigningModulus", "it is not base64 of 1 to 1024 bytes" },
		{ "SigningModulus=AQ!=", "SigningModulus", "it is not base64 of 1 to 1024 bytes" },
		{ "SigningModulus=" MODULUS "\nSigningPublicExponent=AQAB\nbEnablePakSigning=False",
		  "bEnablePakSigning", NOT_SIGNED },
		{ "\xEF\xBB\xBF bEnablePakSigning = FALSE\r\nSigningModulus=!", "bEnablePakSigning",
		  NOT_SIGNED },
		{ "x\nbEnablePakSigning=no\n", "bEnablePakSigning", NOT_SIGNED },
		{ "bEnablePakSigning=0", "bEnablePakSigning", NOT_SIGNED },
		{ "bEnablePakSigning=\nbEnablePakSigning=fals\nbEnablePakSigning="
		  "FALSF\nbEnablePakSigning=1\nbEnablePakSigning=~o\n"
		  "bEnablePakSigning=00\nbEnablePakSigning=Falsey\nbEnablePakSignin=0\n"
		  "bEnablePakSigning",
		  "SigningModulus", "it is not there" },
		{ "SigningModulus=AQEB\nSigningPublicExponent=AQAB", NULL,
		  "signing key: a modulus has 64 to 512 bytes" },
		{ "SigningModulus=" MODULUS "\nSigningPublicExponent=AgAB", NULL,
		  "signing key: a public exponent is odd and above 1" },
	};
	const char *which;

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		assert_string_equal(keys_add_signing(options, bad[i].text, &which), bad[i].trouble);
		assert_true(bad[i].which ? which && strcmp(which, bad[i].which) == 0 : !which);
		assert_int_equal(options->settings.keys.signing.len, 0);
	}
	assert_int_equal(
		uvet_options_signing_key(NULL, (const uint8_t *)"", 0, (const uint8_t *)"", 0),
		UVET_BAD_CALL);
	assert_int_equal(uvet_options_signing_key(options, NULL, 0, (const uint8_t *)"", 0),
			 UVET_BAD_CALL);
	assert_int_equal(uvet_options_signing_key(options, (const uint8_t *)"", 0, NULL, 0),
			 UVET_BAD_CALL);
}

/* A number that has no room is refused before any of it is written. */
static void long_numbers_are_refused(void **state)
{
	char text[2000] = "SigningModulus=";
	const char *which;

	(void)state;
	memset(text + 15, 'A', 1368); /* 1,026 bytes */
	assert_string_equal(keys_add_signing(options, text, &which),
			    "it is not base64 of 1 to 1024 bytes");
	text[15 + 1364] = '\0'; /* 1,023 */
	assert_string_equal(keys_add_signing(options, text, &which), "it is not there");
	assert_string_equal(which, "SigningPublicExponent");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_name_a_guid_come_first),
		cmocka_unit_test_setup_teardown(keys_are_read, open_options, close_options),
		cmocka_unit_test_setup_teardown(bad_lines_are_refused, open_options, close_options),
		cmocka_unit_test_setup_teardown(there_are_64_at_most, open_options, close_options),
		cmocka_unit_test_setup_teardown(signing_keys_are_read, open_options, close_options),
		cmocka_unit_test_setup_teardown(bad_signing_keys_are_refused, open_options,
						close_options),
		cmocka_unit_test_setup_teardown(long_numbers_are_refused, open_options,
						close_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of SHA-1, SHA-256 and BLAKE3: published values, and that portions make no difference. */
#include <stdlib.h>

#include "codec/blake3.h"
#include "codec/sha1.h"
#include "codec/sha256.h"
#include "unit.h"

enum { DATA_LEN = 200000 };

static const char hex_digits[] = "0123456789abcdef";

static void assert_hex(const uint8_t *bytes, size_t n, const char *hex)
{
	char said[2 * BLAKE3_LEN + 1] = { 0 };

	for (size_t i = 0; i < n; i++) {
		said[2 * i] = hex_digits[bytes[i] / 16];
		said[2 * i + 1] = hex_digits[bytes[i] % 16];
	}
	assert_string_equal(said, hex);
}

/* Data that ends where its block of memory does, in the pattern of BLAKE3's test vectors. */
static uint8_t *pattern(size_t n)
{
	uint8_t *p = malloc(n + 1);

	assert_non_null(p);
	for (size_t i = 0; i < n; i++)
		p[1 + i] = (uint8_t)(i % 251);
	return p;
}

static void expect_sha256(const char *text, const char *hex)
{
	uint8_t digest[SHA256_LEN];
	struct sha256 s;

	sha256_start(&s);
	for (; *text; text++) /* in portions of a byte */
		sha256_add(&s, (const uint8_t *)text, 1);
	sha256_end(&s, digest);
	assert_hex(digest, sizeof digest, hex);
}

/* Source: as of SHA-1. */
static void sha256_values(void **state)
{
	(void)state;
	unit_needs(sha256_is_available(), "nettle");
	expect_sha256("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	expect_sha256("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

/* Source: FIPS 180-4's examples, and the empty message. */
static void sha1_values(void **state)
{
	static const struct {
		const char *text, *hex;
	} values[] = {
		{ "", "da39a3ee5e6b4b0d3255bfef95601890afd80709" },
		{ "abc", "a9993e364706816aba3e25717850c26c9cd0d89d" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "84983e441c3bd26ebaae4aa1f95129e5e54670f1" },
	};
	uint8_t out[SHA1_LEN], *as;

	(void)state;
	unit_needs(sha1_is_available(), "nettle");
	for (size_t i = 0; i < LENGTH(values); i++) {
		sha1_of((const uint8_t *)values[i].text, strlen(values[i].text), out);
		assert_hex(out, sizeof out, values[i].hex);
	}
	as = malloc(1000000);
	assert_non_null(as);
	memset(as, 'a', 1000000);
	sha1_of(as, 1000000, out);
	assert_hex(out, sizeof out, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
	free(as);
}

/* Source: test_vectors.json of the BLAKE3 repository. */
static void blake3_values(void **state)
{
	static const struct {
		size_t n;
		const char *hex;
	} values[] = {
		{ 0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262" },
		{ 1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213" },
		{ 1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11" },
		{ 1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7" },
		{ 1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444" },
		{ 31744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47" },
		{ 102400, "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085" },
	};
	uint8_t out[BLAKE3_LEN], few[BLAKE3_SHORT_LEN], *data;

	(void)state;
	unit_needs(blake3_is_available(), "blake3");
	for (size_t i = 0; i < LENGTH(values); i++) {
		data = pattern(values[i].n);
		blake3_of(data + 1, values[i].n, out);
		assert_hex(out, sizeof out, values[i].hex);
		blake3_short_of(data + 1, values[i].n, few);
		assert_memory_equal(few, out, sizeof few);
		free(data);
	}
}

static void sha1_in_portions(const uint8_t *data, size_t n, size_t portion, uint8_t out[SHA1_LEN])
{
	struct sha1 s;

	sha1_start(&s);
	for (size_t at = 0; at < n; at += portion)
		sha1_add(&s, data + at, n - at < portion ? n - at : portion);
	sha1_add(&s, data, 0);
	sha1_end(&s, out);
}

static void blake3_in_portions(const uint8_t *data, size_t n, size_t portion,
			       uint8_t out[BLAKE3_LEN])
{
	struct blake3 b;

	blake3_start(&b);
	for (size_t at = 0; at < n; at += portion)
		blake3_add(&b, data + at, n - at < portion ? n - at : portion);
	blake3_add(&b, data, 0);
	blake3_end(&b, out, BLAKE3_LEN);
}

static void portions_make_no_difference(void **state)
{
	static const size_t portions[] = { 1,    7,    63,    64,    65,      1000,
					   1024, 1025, 16384, 65537, DATA_LEN };
	static const size_t lengths[] = { 0, 1, 64, 1024, 1025, 2049, 16385, 70000, DATA_LEN };
	uint8_t whole[BLAKE3_LEN], parts[BLAKE3_LEN], *data = pattern(DATA_LEN);

	(void)state;
	for (size_t i = 0; i < LENGTH(lengths); i++) {
		for (size_t k = 0; k < LENGTH(portions); k++) {
			blake3_of(data, lengths[i], whole);
			blake3_in_portions(data, lengths[i], portions[k], parts);
			assert_memory_equal(whole, parts, BLAKE3_LEN);
			sha1_of(data, lengths[i], whole);
			sha1_in_portions(data, lengths[i], portions[k], parts);
			assert_memory_equal(whole, parts, SHA1_LEN);
		}
	}
	free(data);
}

/* More than one portion of what the library gets at a time. */
static void a_long_input(void **state)
{
	enum { LONG = (1 << 20) + 4097 };
	uint8_t whole[BLAKE3_LEN], parts[BLAKE3_LEN], *data = pattern(LONG);

	(void)state;
	blake3_of(data, LONG, whole);
	blake3_in_portions(data, LONG, 8191, parts);
	assert_memory_equal(whole, parts, BLAKE3_LEN);
	free(data);
}

/* Without the library a digest is zeros. */
static void the_rest_is_zeros(void **state)
{
	static const uint8_t zeros[BLAKE3_LEN];
	uint8_t out[BLAKE3_LEN];

	(void)state;
	blake3_of((const uint8_t *)"abc", 3, out);
	assert_int_equal(memcmp(out, zeros, BLAKE3_LEN) != 0, blake3_is_available());
	sha1_of((const uint8_t *)"abc", 3, out);
	assert_int_equal(memcmp(out, zeros, SHA1_LEN) != 0, sha1_is_available());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sha1_values),   cmocka_unit_test(sha256_values),
		cmocka_unit_test(blake3_values), cmocka_unit_test(portions_make_no_difference),
		cmocka_unit_test(a_long_input),  cmocka_unit_test(the_rest_is_zeros),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

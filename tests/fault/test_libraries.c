/* Tests of containers in builds that lack a library: the linker lets a test say which digests and
 * ciphers there are. */
#include "codec/aes.h"
#include "unit/box.h"

static bool has_digests;

bool __wrap_sha1_is_available(void);
bool __wrap_sha1_is_available(void)
{
	return has_digests;
}

bool __wrap_blake3_is_available(void);
bool __wrap_blake3_is_available(void)
{
	return has_digests;
}

/* ---- Signatures ------------------------------------------------------------------------------ */

static void signatures_take_a_digest(void **state)
{
	(void)state;
	box.has_digests = true;
	write_box();
	box.keys.signing.len = 64;
	memset(box.keys.signing.modulus, 0xFF, 64);
	for (unsigned lacks = 0; lacks < 2; lacks++) {
		has_digests = !lacks;
		decode_with(&thread_pool_single);
		assert_int_equal(decoder.groups[UTOC_SIGNATURES].why,
				 lacks ? STOP_CODEC : STOP_NOT);
		if (lacks)
			assert_string_equal(decoder.groups[UTOC_SIGNATURES].codec,
					    "RSA with SHA-1");
		leave();
	}
}

/* ---- Keys ------------------------------------------------------------------------------------ */

/* Decodes what begins with a bit that is not set. */
static int64_t decode_half(void *ctx, const void *in, size_t in_len, void *out, size_t out_len)
{
	(void)ctx, (void)in_len;
	memset(out, 1, out_len);
	return *(const uint8_t *)in < 128 ? (int64_t)out_len : -1;
}

/* Tells whether what a key makes of the second block can be decoded. */
static bool decodes(const struct key *key)
{
	uint8_t block[BLOCK / 2];
	struct aes aes;

	memcpy(block, box.ucas + BLOCK, sizeof block);
	aes_for_ecb(&aes, key->bytes);
	aes_ecb(&aes, block, sizeof block);
	return block[0] < 128;
}

/* A key with which the second block can be decoded, or cannot. */
static struct key key_that(bool decodes_it)
{
	struct key key = { .for_any = true };

	while (decodes(&key) != decodes_it)
		key.bytes[0]++;
	return key;
}

/* A chunk of two blocks of which one is compressed, and one that has a hash alone. Where the
 * first cannot be decoded the hash would tell whether a key fits, so that no key is wrong while
 * it cannot be computed. */
static void a_key_that_may_be_right_is_not_wrong(void **state)
{
	static const struct {
		bool first, second;
		enum key_fit key;
	} cases[] = {
		{ true, false, KEY_FITS },
		{ false, true, KEY_FITS },
		{ true, true, KEY_FITS },
		{ false, false, KEY_UNTOLD },
	};

	(void)state;
	unit_needs(aes_is_available(), "nettle");
	fill_box(0);
	add_chunk(0, 2 * BLOCK);
	add_chunk(2, BLOCK);
	box.n_blocks = 3;
	box.n_names = 1;
	write_box();
	memcpy(box.toc + blocks_at() + 36, "Oodle", 5);
	box.toc[blocks_at() + 12 + 5] = BLOCK / 2;
	box.toc[blocks_at() + 12 + 11] = 1;
	box.toc[80] |= TOC_ENCRYPTED;
	box.keys.n = 2;
	engine.oodle.decode = decode_half;
	has_digests = false;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		box.keys.of[0] = key_that(cases[i].first);
		box.keys.of[1] = key_that(cases[i].second);
		assert_int_equal(decode_with(&thread_pool_single)->content.key, cases[i].key);
		assert_int_equal(decoder.groups[UTOC_CONTENT].why,
				 cases[i].key == KEY_UNTOLD ? STOP_CODEC : STOP_NOT);
		leave();
	}
	has_digests = true;
	assert_int_equal(decode_with(&thread_pool_single)->content.key, KEY_WRONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(signatures_take_a_digest, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_key_that_may_be_right_is_not_wrong, begin_box,
						end_box),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

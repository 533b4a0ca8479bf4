/* Tests of archives in builds that lack a library: the linker lets a test say whether there are
 * SHA-1 and AES. What cannot be looked at is told, and is no fault of the file's. */
#include "unit/archive.h"

static bool has_sha1, has_aes;

bool __wrap_sha1_is_available(void);
bool __wrap_sha1_is_available(void)
{
	return has_sha1;
}

bool __wrap_aes_is_available(void);
bool __wrap_aes_is_available(void)
{
	return has_aes;
}

static void assert_lacks(uint32_t group, const char *codec)
{
	assert_int_equal(decoder.groups[group].why, STOP_CODEC);
	assert_string_equal(decoder.groups[group].codec, codec);
}

static void hashes_take_sha1(void **state)
{
	const struct pak *p;

	(void)state;
	has_sha1 = false;
	memset(archive.bytes + archive.footer_at + 25, 0,
	       SHA1_LEN); /* wrong, if it were looked at */
	p = decode_archive(&thread_pool_single);
	assert_lacks(PAK_SUMS, "SHA-1");
	assert_lacks(PAK_HASHES, "SHA-1");
	assert_int_equal(p->content.n_headers, FILES_MAX);
	assert_int_equal(p->content.n_hashes, 0);
	assert_int_equal(p->content.n_payloads, 0);
}

static void an_encrypted_index_takes_aes(void **state)
{
	(void)state;
	has_sha1 = true;
	has_aes = false;
	archive.bytes[archive.footer_at] = 1;
	archive.footer_at -= (archive.footer_at - archive.index_at) % 16;
	archive.bytes[archive.n - SHA1_LEN - 8] &= 0xF0; /* the size is a multiple of 16 */
	archive.keys.n = 1;
	archive.keys.of[0].for_any = true;
	decode_archive(&thread_pool_single);
	assert_lacks(PAK_INDEX, "AES");
}

static void encrypted_files_take_aes(void **state)
{
	const struct pak *p;

	(void)state;
	has_sha1 = true;
	has_aes = false;
	archive.bytes[archive.flags_at[3]] = 1;
	archive.keys.n = 1;
	archive.keys.of[0].for_any = true;
	p = decode_archive(&thread_pool_single);
	assert_lacks(PAK_MEMBERS, "AES");
	assert_int_equal(p->content.key, KEY_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(hashes_take_sha1, begin_archive, end_archive),
		cmocka_unit_test_setup_teardown(an_encrypted_index_takes_aes, begin_archive,
						end_archive),
		cmocka_unit_test_setup_teardown(encrypted_files_take_aes, begin_archive,
						end_archive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of the words for what the system refuses: each reason that a user can do something about
 * has its own. */
#include <errno.h>

#include "platform/platform.h"
#include "unit.h"

static void each_reason_has_its_words(void **state)
{
	static const struct {
		int code;
		const char *words;
	} rows[] = {
		{ ENOENT, "there is no such file" },
		{ ENOTDIR, "there is no such file" },
		{ EACCES, "access is denied" },
		{ EPERM, "access is denied" },
		{ EISDIR, "it is a folder" },
		{ ENOTSUP, "it is no regular file" },
		{ ENXIO, "it is no regular file" },
		{ EMFILE, "too many files are open" },
		{ ENFILE, "too many files are open" },
		{ ELOOP, "its path leads through too many links, or in a circle" },
		{ ENAMETOOLONG, "its path or a name in it is too long" },
		{ EBADF, "no such descriptor was given" },
		{ ENOMEM, "memory ran out" },
		{ EIO, "the device reported an error" },
		{ EPIPE, "the system refused" },
		{ ETXTBSY, "the system refused" },
		{ 0, "the system refused" },
		{ -1, "the system refused" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++)
		assert_string_equal(platform_error_words(rows[i].code), rows[i].words);
}

/* Only where others that are closed would help. */
static void too_many_open_files_are_told_apart(void **state)
{
	static const int others[] = { ENOENT, EACCES, EISDIR, ENXIO,  ELOOP, ENAMETOOLONG,
				      EBADF,  ENOMEM, EIO,    EAGAIN, 0,     -1 };

	(void)state;
	assert_true(platform_is_crowded(EMFILE));
	assert_true(platform_is_crowded(ENFILE));
	for (size_t i = 0; i < LENGTH(others); i++)
		assert_false(platform_is_crowded(others[i]));
}

static void what_the_system_says_is_cut_to_fit(void **state)
{
	char text[64], small[8] = "unused";

	(void)state;
	platform_error_text(ENOSPC, text, sizeof text);
	assert_string_equal(text, "No space left on device");
	platform_error_text(ENOSPC, small, sizeof small);
	assert_string_equal(small, "No spac");
	platform_error_text(ENOSPC, small, 1);
	assert_string_equal(small, "");
	small[0] = 'x';
	platform_error_text(ENOSPC, small, 0);
	assert_int_equal(small[0], 'x');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_reason_has_its_words),
		cmocka_unit_test(too_many_open_files_are_told_apart),
		cmocka_unit_test(what_the_system_says_is_cut_to_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of the words for what the system refuses: each reason that a user can do something about has its own. */
#include <errno.h>

#include "platform/platform.h"
#include "unit.h"

static void each_reason_has_its_words(void **state)
{
	static const struct { int code; const char *words; } rows[] = {
		{ ENOENT, "there is no such file" }, { ENOTDIR, "there is no such file" },
		{ EACCES, "access is denied" }, { EPERM, "access is denied" },
		{ EISDIR, "it is a folder" },
		{ ENOTSUP, "it is no regular file" }, { ENXIO, "it is no regular file" },
		{ EMFILE, "too many files are open" }, { ENFILE, "too many files are open" },
		{ ELOOP, "its path leads through too many links, or in a circle" },
		{ ENAMETOOLONG, "its path or a name in it is too long" },
		{ EBADF, "no such descriptor was given" },
		{ ENOMEM, "memory ran out" },
		{ EIO, "the device reported an error" },
		{ ETXTBSY, "the system refused" }, { 0, "the system refused" }, { -1, "the system refused" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++)
		assert_string_equal(platform_error_words(rows[i].code), rows[i].words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_reason_has_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

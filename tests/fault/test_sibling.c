/* Tests of files beside a path, on POSIX systems: what is opened, what is absent, what is
 * refused. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/platform.h"
#include "unit/unit.h"

static char folder[] = "uvet-sibling-XXXXXX", absolute[4096];

static void make_file(const char *name)
{
	FILE *f = fopen(name, "wb");

	assert_non_null(f);
	fputs(name, f);
	fclose(f);
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder) || chdir(folder) != 0 || !getcwd(absolute, sizeof absolute))
		return -1;
	make_file("plain");
	make_file("inside");
	return mkdir("sub", 0700) != 0 || mkfifo("fifo", 0600) != 0 ||
	       symlink("plain", "link") != 0 || symlink("gone", "dangling") != 0 ||
	       symlink("..", "sub/up") != 0;
}

static int remove_folder(void **state)
{
	static const char *const names[] = {
		"sub/up", "dangling", "link", "fifo", "inside", "plain"
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++)
		unlink(names[i]);
	return rmdir("sub") != 0 || chdir("..") != 0 || rmdir(folder) != 0;
}

static enum platform_sibling open_beside(const char *path, const char *name)
{
	struct platform_file file;
	enum platform_sibling result = platform_sibling_open(path, name, &file);

	if (result == PLATFORM_SIBLING_OPEN)
		platform_file_close(&file);
	return result;
}

static void regular_files_are_opened(void **state)
{
	char path[sizeof absolute + 32];

	(void)state;
	snprintf(path, sizeof path, "%s/no matter what", absolute);
	assert_int_equal(open_beside("plain", "inside"), PLATFORM_SIBLING_OPEN);
	assert_int_equal(open_beside("./plain", "inside"), PLATFORM_SIBLING_OPEN);
	assert_int_equal(open_beside("sub/../plain", "inside"), PLATFORM_SIBLING_OPEN);
	assert_int_equal(open_beside("sub/up/plain", "inside"), PLATFORM_SIBLING_OPEN);
	assert_int_equal(open_beside(path, "inside"), PLATFORM_SIBLING_OPEN);
	assert_int_equal(open_beside("/", "etc"), PLATFORM_SIBLING_REFUSED);
}

static void what_is_not_there_is_absent(void **state)
{
	char name[300];

	(void)state;
	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	assert_int_equal(open_beside("plain", "gone"), PLATFORM_SIBLING_ABSENT);
	assert_int_equal(open_beside("sub/x", "inside"), PLATFORM_SIBLING_ABSENT);
	assert_int_equal(open_beside("plain", name), PLATFORM_SIBLING_ABSENT);
}

static void all_else_is_refused(void **state)
{
	static const char *const names[] = { "link", "dangling", "fifo",        "sub",     ".",
					     "..",   "sub/up",   "/etc/passwd", "./inside" };

	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++)
		assert_int_equal(open_beside("plain", names[i]), PLATFORM_SIBLING_REFUSED);
	assert_int_equal(open_beside("gone/x", "inside"), PLATFORM_SIBLING_REFUSED);
}

static void other_spellings_are_found(void **state)
{
	char spelling[PLATFORM_SPELLING_SIZE];
	char longer[PLATFORM_SPELLING_SIZE + 1];

	(void)state;
	assert_int_equal(platform_sibling_find("plain", "gone", spelling), PLATFORM_SIBLING_ABSENT);
	assert_int_equal(platform_sibling_find("plain", "insid", spelling),
			 PLATFORM_SIBLING_ABSENT);
	assert_int_equal(platform_sibling_find("plain", "inside2", spelling),
			 PLATFORM_SIBLING_ABSENT);
	assert_int_equal(platform_sibling_find("plain", "inSIDe", spelling), PLATFORM_SIBLING_OPEN);
	assert_string_equal(spelling, "inside");
	make_file("INSIDE");
	assert_int_equal(platform_sibling_find("plain", "inSIDe", spelling), PLATFORM_SIBLING_OPEN);
	assert_string_equal(spelling, "INSIDE");
	unlink("INSIDE");
	assert_int_equal(platform_sibling_find("sub/x", "inside", spelling),
			 PLATFORM_SIBLING_ABSENT);
	assert_int_equal(platform_sibling_find("gone/x", "inside", spelling),
			 PLATFORM_SIBLING_REFUSED);
	memset(longer, 'i', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	assert_int_equal(platform_sibling_find("plain", longer, spelling), PLATFORM_SIBLING_ABSENT);
}

static void files_of_one_kind_are_listed(void **state)
{
	static const char *const made[] = { "b.ucas", "a.UCAS", "c.ucas", "ucas", "d.ucas.bak" };
	char names[3][PLATFORM_SPELLING_SIZE];

	(void)state;
	for (size_t i = 0; i < LENGTH(made); i++)
		make_file(made[i]);
	assert_int_equal(platform_siblings_list("plain", ".ucas", names, 3), 3);
	assert_string_equal(names[0], "a.UCAS");
	assert_string_equal(names[1], "b.ucas");
	assert_string_equal(names[2], "c.ucas");
	/* all are counted, those that come first are kept */
	assert_int_equal(platform_siblings_list("plain", ".ucas", names, 2), 3);
	assert_string_equal(names[0], "a.UCAS");
	assert_string_equal(names[1], "b.ucas");
	assert_int_equal(platform_siblings_list("plain", ".ucas", NULL, 0), 3);
	assert_int_equal(platform_siblings_list("plain", ".utoc", names, 3), 0);
	assert_int_equal(platform_siblings_list("gone/x", ".ucas", names, 3), 0);
	for (size_t i = 0; i < LENGTH(made); i++)
		unlink(made[i]);
}

/* Of a folder with more names than are looked at, those that were not might come first. */
static void a_folder_of_too_many_names_is_not_listed(void **state)
{
	enum { MANY = 4096 };
	char names[1][PLATFORM_SPELLING_SIZE], name[32];

	(void)state;
	assert_int_equal(mkdir("many", 0700), 0);
	make_file("many/a.ucas");
	for (int i = 0; i < MANY; i++) {
		if (i == MANY - 1)
			assert_int_equal(platform_siblings_list("many/x", ".ucas", names, 1), 1);
		snprintf(name, sizeof name, "many/%d", i);
		make_file(name);
	}
	assert_int_equal(platform_siblings_list("many/x", ".ucas", names, 1), 0);
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof name, "many/%d", i);
		unlink(name);
	}
	unlink("many/a.ucas");
	assert_int_equal(rmdir("many"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regular_files_are_opened),
		cmocka_unit_test(what_is_not_there_is_absent),
		cmocka_unit_test(all_else_is_refused),
		cmocka_unit_test(other_spellings_are_found),
		cmocka_unit_test(files_of_one_kind_are_listed),
		cmocka_unit_test(a_folder_of_too_many_names_is_not_listed),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

/* Tests of walking folders on POSIX systems when the system fails: every file comes once and in
 * order, or its folder is reported as closed. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include <errno.h>

#include "tree.h"

/* Walks the tree. */
static void expect_inputs(const char *expected)
{
	struct inputs inputs;

	assert_int_equal(inputs_open(&inputs, &settings), STATUS_DONE);
	expect_rest(&inputs, expected);
	inputs_close(&inputs);
}

static void every_file_comes_once_in_order(void **state)
{
	(void)state;
	expect_inputs("tree/a file\ntree/sub/b file\ntree/z file\n");
}

static void on_another_device(void *result)
{
	((struct stat *)result)->st_dev++;
}

/* A walk stays on the file system that it began on, as a mounted one may be without end. */
static void other_file_systems_are_not_entered(void **state)
{
	const unsigned n_open = scratch_count("/dev/fd");

	(void)state;
	/* tree, a, sub */
	system_faults[SYSTEM_FSTAT] = (struct system_fault){ .at = 3, .edit = on_another_device };
	expect_inputs("tree/a file\ntree/sub closed\ntree/z file\n");
	assert_int_equal(scratch_count("/dev/fd"), n_open);
}

/* Unless the user says otherwise. */
static void other_file_systems_are_entered_if_asked(void **state)
{
	(void)state;
	settings.other_file_systems = true;
	system_faults[SYSTEM_FSTAT] = (struct system_fault){ .at = 3, .edit = on_another_device };
	expect_inputs("tree/a file\ntree/sub/b file\ntree/z file\n");
	settings.other_file_systems = false;
}

/* What the walk says is the same whether the system can open below a folder or not. */
static void links_are_not_followed(void **state)
{
	const unsigned n_open = scratch_count("/dev/fd");

	(void)state;
	assert_int_equal(rename("tree/sub", "elsewhere"), 0);
	for (unsigned i = 0; i < 2; i++) {
		struct platform_folder tree, sub;
		struct platform_file file;

		system_has_openat2 = i == 1;
		system_n_openat2 = 0;
		assert_int_equal(symlink("../elsewhere", "tree/sub"), 0);
		assert_int_equal(symlink("../elsewhere/b", "tree/link"), 0);
		assert_true(platform_folder_open("tree", &tree));
		assert_false(platform_folder_enter(&tree, "sub", &sub));
		assert_false(platform_folder_open_file(&tree, "link", &file));
		assert_int_equal(errno, ELOOP);
		assert_true(platform_folder_open_file(&tree, "a", &file));
		platform_file_close(&file);
		platform_folder_close(&tree);
		assert_int_equal(platform_sibling_open("tree/a", "link", &file),
				 PLATFORM_SIBLING_REFUSED);
#ifdef __linux__
		assert_int_equal(system_n_openat2, 4);
#endif
		assert_int_equal(unlink("tree/link"), 0);
		assert_int_equal(unlink("tree/sub"), 0);
	}
	assert_int_equal(rename("elsewhere", "tree/sub"), 0);
	expect_inputs("tree/a file\ntree/sub/b file\ntree/z file\n");
	assert_int_equal(scratch_count("/dev/fd"), n_open);
}

/* More files than the user allows: the folder that is walked is told, too. */
static void no_more_files_are_taken_than_allowed(void **state)
{
	const unsigned n_open = scratch_count("/dev/fd");

	(void)state;
	settings.max_files = 3;
	expect_inputs("tree/a file\ntree/sub/b file\ntree/z file\n");
	settings.max_files = 2;
	expect_inputs("tree/a file\ntree/sub/b file\ntree closed\n");
	settings.max_files = 0;
	assert_int_equal(scratch_count("/dev/fd"), n_open);
}

static void what_cannot_be_opened_is_told(void **state)
{
	const unsigned n_open = scratch_count("/dev/fd");

	(void)state;
	system_fail(SYSTEM_OPENAT, 1, EACCES);
	expect_inputs("tree/a closed\ntree/sub/b file\ntree/z file\n");
	system_fail(SYSTEM_OPENAT, 2, EACCES);
	expect_inputs("tree/a file\ntree/sub closed\ntree/z file\n");
	system_fail(SYSTEM_FSTAT, 2, EIO);
	expect_inputs("tree/a closed\ntree/sub/b file\ntree/z file\n");
	system_fail(SYSTEM_FSTAT, 3, EIO);
	expect_inputs("tree/a file\ntree/sub closed\ntree/z file\n");
	system_fail(SYSTEM_FDOPENDIR, 2, ENOMEM);
	expect_inputs("tree/a file\ntree/sub closed\ntree/z file\n");
	system_fail(SYSTEM_FSTAT, 1, EIO);
	expect_inputs("tree named\n");
	assert_int_equal(scratch_count("/dev/fd"), n_open);
}

static void expect_next(struct inputs *inputs, enum input_kind kind, const char *path)
{
	struct input in;

	assert_int_equal(inputs_next(inputs, &in), INPUTS_NEXT);
	assert_string_equal(in.path, path);
	assert_int_equal(in.kind, kind);
	if (kind == INPUT_WALKED)
		platform_file_close(&in.file);
}

/* While others are checked, what too many open files kept from being opened is the next one again;
 * everything else is not put off. */
static void too_many_open_files_are_waited_for(void **state)
{
	const unsigned n_open = scratch_count("/dev/fd");
	struct inputs inputs;
	struct input in;

	(void)state;
	assert_int_equal(inputs_open(&inputs, &settings), STATUS_DONE);
	inputs.may_wait = true;
	expect_later(&inputs, SYSTEM_OPEN, EMFILE);
	expect_later(&inputs, SYSTEM_OPEN, ENFILE);
	expect_next(&inputs, INPUT_WALKED, "tree/a");
	expect_later(&inputs, SYSTEM_OPENAT, EMFILE);
	expect_later(&inputs, SYSTEM_OPENAT, ENFILE);
	expect_next(&inputs, INPUT_WALKED, "tree/sub/b");
	expect_later(&inputs, SYSTEM_OPENAT, EMFILE);
	inputs.may_wait = false;
	system_fail(SYSTEM_OPENAT, 1, EMFILE);
	expect_next(&inputs, INPUT_CLOSED, "tree/z");
	assert_int_equal(inputs_next(&inputs, &in), INPUTS_END);
	inputs_close(&inputs);
	system_fail(SYSTEM_OPEN, 1, EMFILE);
	expect_inputs("tree named\n");
	assert_int_equal(scratch_count("/dev/fd"), n_open);
}

static void leave_a_code_behind(void)
{
	errno = EMFILE;
}

/* A folder that a walk does not enter for a reason of its own is not put off by a code that an
 * earlier failure left. */
static void an_old_code_is_not_waited_for(void **state)
{
	struct inputs inputs;

	(void)state;
	assert_int_equal(inputs_open(&inputs, &settings), STATUS_DONE);
	inputs.may_wait = true;
	system_faults[SYSTEM_FSTAT] = (struct system_fault){ .at = 3,
							     .before = leave_a_code_behind,
							     .edit = on_another_device };
	expect_next(&inputs, INPUT_WALKED, "tree/a");
	expect_next(&inputs, INPUT_CLOSED, "tree/sub");
	inputs_close(&inputs);
}

/* What was listed before the failure cannot be told from what was not: so nothing of such a folder
 * is taken. */
static void a_listing_that_fails_closes_the_folder(void **state)
{
	(void)state;
	for (unsigned at = 1; at <= 6; at++) {
		system_fail(SYSTEM_READDIR, at, EIO);
		expect_inputs("tree named\n");
	}
	for (unsigned at = 7; at <= 10; at++) {
		system_fail(SYSTEM_READDIR, at, EIO);
		expect_inputs("tree/a file\ntree/sub closed\ntree/z file\n");
	}
}

static void of_unknown_kind(void *result)
{
	((struct dirent *)result)->d_type = DT_UNKNOWN;
}

static void every_kind_is_unknown(void)
{
	system_faults[SYSTEM_READDIR] = (struct system_fault){ .at = 1,
							       .forever = true,
							       .edit = of_unknown_kind };
}

/* Some file systems do not say in a listing what an entry is. */
static void unknown_kinds_are_looked_up(void **state)
{
	(void)state;
	assert_int_equal(symlink("a", "tree/link"), 0);
	assert_int_equal(mkfifo("tree/fifo", 0600), 0);
	every_kind_is_unknown();
	expect_inputs("tree/a file\ntree/link link\ntree/sub/b file\ntree/z file\n");
	unlink("tree/link");
	unlink("tree/fifo");
	every_kind_is_unknown();
	system_faults[SYSTEM_FSTATAT] = (struct system_fault){ .at = 1,
							       .forever = true,
							       .error = EIO };
	expect_inputs("");
}

/* Memory that ends at any request ends the walk, and is not taken for the end of the tree. */
/* Where a folder cannot be listed, nothing is said to lie beside a file. */
static void a_listing_that_cannot_begin_has_no_names(void **state)
{
	char names[1][PLATFORM_SPELLING_SIZE];

	(void)state;
	scratch_write("beside.ucas", "");
	assert_int_equal(platform_siblings_list("x", ".ucas", names, 1), 1);
	system_fail(SYSTEM_FDOPENDIR, 1, ENOMEM);
	assert_int_equal(platform_siblings_list("x", ".ucas", names, 1), 0);
	unlink("beside.ucas");
}

static void memory_that_ends_is_no_end(void **state)
{
	char longer[70], root[80] = "tree/";
	enum inputs_result result = INPUTS_NEXT;
	struct inputs inputs;
	struct input in;
	unsigned n = 0;

	(void)state;
	memset(longer, 'l', sizeof longer);
	longer[sizeof longer - 1] = '\0';
	strcat(root, longer);
	scratch_write(root, "");
	while (result != INPUTS_END) {
		system_fail(SYSTEM_REALLOC, ++n, ENOMEM);
		assert_int_equal(inputs_open(&inputs, &settings), STATUS_DONE);
		while ((result = inputs_next(&inputs, &in)) == INPUTS_NEXT)
			platform_file_close(&in.file);
		assert_int_equal(result, system_faults[SYSTEM_REALLOC].n < n ? INPUTS_END
									     : INPUTS_NO_MEMORY);
		inputs_close(&inputs);
	}
	assert_true(n > 5);
	unlink(root);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		T(every_file_comes_once_in_order),
		T(other_file_systems_are_not_entered),
		T(other_file_systems_are_entered_if_asked),
		T(links_are_not_followed),
		T(no_more_files_are_taken_than_allowed),
		T(what_cannot_be_opened_is_told),
		T(too_many_open_files_are_waited_for),
		T(an_old_code_is_not_waited_for),
		T(a_listing_that_fails_closes_the_folder),
		T(a_listing_that_cannot_begin_has_no_names),
		T(unknown_kinds_are_looked_up),
		T(memory_that_ends_is_no_end),
	};
#undef T

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

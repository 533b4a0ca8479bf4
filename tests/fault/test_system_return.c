/* Tests of returning to an input that was passed already, on POSIX systems: the walk goes on from
 * there, whatever has changed meanwhile. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include <errno.h>

#include "cli/commands.h"
#include "quiet.h"
#include "tree.h"

/* Takes inputs to the one with this path. */
static struct inputs_mark take_to(struct inputs *inputs, const char *path)
{
	struct input in;

	do {
		assert_int_equal(inputs_next(inputs, &in), INPUTS_NEXT);
		if (in.kind == INPUT_WALKED)
			platform_file_close(&in.file);
	} while (strcmp(in.path, path) != 0);
	return inputs_mark(inputs);
}

/* Takes inputs to this one, and goes back to it, or to the place where it was, when something has
 * happened. */
static void expect_after(const struct settings *s, const char *path, void (*meanwhile)(void),
			 const char *expected)
{
	const unsigned n_open = scratch_count("/dev/fd");
	struct inputs_mark mark;
	struct inputs inputs;

	assert_int_equal(inputs_open(&inputs, s), STATUS_DONE);
	mark = take_to(&inputs, path);
	if (meanwhile)
		meanwhile();
	assert_true(inputs_return(&inputs, &mark, path));
	expect_rest(&inputs, expected);
	inputs_close(&inputs);
	system_reset();
	assert_int_equal(scratch_count("/dev/fd"), n_open);
}

static void inputs_come_again(void **state)
{
	static char *with_slash[] = { "tree/" };
	const struct settings others = { .operands = with_slash,
					 .n_operands = 1,
					 .recursive = true };

	(void)state;
	expect_after(&settings, "tree/a", NULL, "tree/sub/b file\ntree/z file\n");
	expect_after(&settings, "tree/sub/b", NULL, "tree/z file\n");
	expect_after(&settings, "tree/z", NULL, "");
	expect_after(&others, "tree/a", NULL, "tree/sub/b file\ntree/z file\n");
	expect_after(&others, "tree/sub/b", NULL, "tree/z file\n");
}

static void remove_last(void)
{
	assert_int_equal(unlink("tree/z"), 0);
}

static void exchange_folder(void)
{
	scratch_write("tree/s", "s");
	assert_int_equal(rename("tree/sub", "moved"), 0);
	scratch_write("tree/sub", "a file");
}

static void remove_folder(void)
{
	assert_int_equal(unlink("tree/s"), 0);
	assert_int_equal(unlink("tree/sub"), 0);
	assert_int_equal(rename("moved", "tree/sub"), 0);
}

/* What has changed meanwhile is seen as it is now, from the place on where the input was. */
static void a_folder_that_changes_is_gone_on_with(void **state)
{
	(void)state;
	expect_after(&settings, "tree/z", remove_last, "");
	scratch_write("tree/z", "z");
	expect_after(&settings, "tree/sub/b", exchange_folder, "tree/z file\n");
	expect_after(&settings, "tree/sub", remove_folder, "tree/z file\n");
}

static void nothing_is_given(void)
{
	system_faults[SYSTEM_OPENAT] = (struct system_fault){ .at = 1,
							      .forever = true,
							      .error = EACCES };
}

static void nothing_more_is_given(void)
{
	system_faults[SYSTEM_OPENAT] = (struct system_fault){ .at = 1,
							      .forever = true,
							      .error = EMFILE };
}

static void a_folder_that_is_not_entered_again_is_given(void **state)
{
	(void)state;
	expect_after(&settings, "tree/sub/b", nothing_is_given, "tree/sub closed\ntree/z closed\n");
	expect_after(&settings, "tree/sub/b", nothing_more_is_given,
		     "tree/sub closed\ntree/z closed\n");
}

/* In the order of the tree "sub.x" comes before what lies in "sub", but not before its name. */
static void a_folder_that_was_closed_is_not_given_again(void **state)
{
	(void)state;
	scratch_write("tree/sub.x", "x");
	system_fail(SYSTEM_OPENAT, 3, EACCES); /* a, sub.x, sub */
	expect_after(&settings, "tree/sub", NULL, "tree/z file\n");
	unlink("tree/sub.x");
}

static void move_tree(void)
{
	assert_int_equal(rename("tree", "moved"), 0);
}

/* A root that is there no more is named, as one that never was. */
static void a_root_that_is_gone_is_named(void **state)
{
	const struct settings listed = { .list = "list", .memory = 100, .recursive = true };
	struct inputs inputs;

	(void)state;
	scratch_write_bytes("list", "tree", sizeof "tree"); /* with its NUL */
	expect_after(&settings, "tree/a", move_tree, "tree named\n");
	assert_int_equal(rename("moved", "tree"), 0);
	expect_after(&listed, "tree/a", move_tree, "tree named\n");
	assert_int_equal(rename("moved", "tree"), 0);
	assert_int_equal(inputs_open(&inputs, &listed), STATUS_DONE);
	inputs.may_wait = true;
	expect_later(&inputs, SYSTEM_OPEN, EMFILE);
	expect_rest(&inputs, "tree/a file\ntree/sub/b file\ntree/z file\n");
	inputs_close(&inputs);
	unlink("list");
}

/* Memory that ends on the way back is told; the walk is not taken for one that could not begin. */
static void memory_that_ends_on_the_way_back(void **state)
{
	char folder[80] = "tree/", file[90];
	struct inputs_mark mark;
	struct inputs inputs;
	bool is_back = false;

	(void)state;
	memset(folder + 5, 'l', 70);
	assert_int_equal(mkdir(folder, 0700), 0);
	strcat(strcpy(file, folder), "/f");
	scratch_write(file, "");
	for (unsigned n = 1; !is_back; n++) {
		assert_int_equal(inputs_open(&inputs, &settings), STATUS_DONE);
		mark = take_to(&inputs, file);
		system_fail(SYSTEM_REALLOC, n, ENOMEM);
		is_back = inputs_return(&inputs, &mark, file);
		assert_int_equal(is_back, system_faults[SYSTEM_REALLOC].n < n);
		inputs_close(&inputs);
		system_reset();
	}
	unlink(file);
	rmdir(folder);
}

static int run_quietly(int n_words, char **words)
{
	int code;

	quiet_begin();
	code = program_run(n_words, words);
	quiet_end();
	return code;
}

/* Writes a container that asks for the files beside it: a header, of version 3, with blocks of
 * 65,536 bytes in one partition. */
static void write_container(const char *name)
{
	static const unsigned char header[144] = {
		'-',      '=',        '=',       '-',       '-',      '=',      '=',       '-',
		'-',      '=',        '=',       '-',       '-',      '=',      '=',       '-',
		[16] = 3, [20] = 144, [32] = 12, [40] = 32, [46] = 1, [52] = 1, [88] = 255
	};
	FILE *f = fopen(name, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(header, 1, sizeof header, f), sizeof header);
	assert_int_equal(fclose(f), 0);
}

/* The check of a folder's one file misses another beside it, because too many files are open, and
 * goes back. */
static void memory_that_ends_ends_the_run(void **state)
{
	static char *words[] = {
		"uvet", "--isolated", "-j", "2", "-f", "concise", "tree/one", NULL
	};
	int code = STATUS_TROUBLE;
	unsigned n_opened;

	(void)state;
	assert_int_equal(mkdir("tree/one", 0700), 0);
	write_container("tree/one/Mod.utoc");
	assert_int_equal(run_quietly(7, words), 1);
	n_opened = system_faults[SYSTEM_OPEN].n;
	for (unsigned n = 1; code == STATUS_TROUBLE; n++) {
		system_reset();
		system_fail(SYSTEM_OPENAT, 2, EMFILE); /* Mod.utoc, a companion */
		system_fail(SYSTEM_REALLOC, n, ENOMEM);
		code = run_quietly(7, words);
		assert_int_equal(code == STATUS_TROUBLE, system_faults[SYSTEM_REALLOC].n >= n);
	}
	assert_int_equal(code, 1);
	assert_true(system_faults[SYSTEM_OPEN].n > n_opened);
	unlink("tree/one/Mod.utoc");
	rmdir("tree/one");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		T(inputs_come_again),
		T(a_folder_that_changes_is_gone_on_with),
		T(a_folder_that_is_not_entered_again_is_given),
		T(a_folder_that_was_closed_is_not_given_again),
		T(a_root_that_is_gone_is_named),
		T(memory_that_ends_on_the_way_back),
		T(memory_that_ends_ends_the_run),
	};
#undef T

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

/* Tests of folders on POSIX systems when the system fails: every file is given once and in order,
 * or its folder is said to be closed. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>

#include "cli/commands.h"
#include "cli/inputs.h"
#include "scratch.h"
#include "system.h"

static char *operands[] = { "tree" };
static struct settings settings = { .operands = operands, .n_operands = 1, .recursive = true };

static int make_tree(void **state)
{
	(void)state;
	assert_int_equal(mkdir("tree", 0700), 0);
	assert_int_equal(mkdir("tree/sub", 0700), 0);
	scratch_write("tree/a", "a");
	scratch_write("tree/sub/b", "b");
	scratch_write("tree/z", "z");
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	system_reset();
	return unlink("tree/a") != 0 || unlink("tree/sub/b") != 0 || unlink("tree/z") != 0 ||
	       rmdir("tree/sub") != 0 || rmdir("tree") != 0;
}

/* Expects these inputs to the end, each as its path and what it is: "tree/a file". */
static void expect_rest(struct inputs *inputs, const char *expected)
{
	static const char *const kinds[] = {
		[INPUT_NAMED] = "named",
		[INPUT_WALKED] = "file",
		[INPUT_CLOSED] = "closed",
		[INPUT_LINK] = "link",
	};
	char found[256] = "";
	struct input in;

	while (inputs_next(inputs, &in) == INPUTS_NEXT) {
		strcat(strcat(strcat(strcat(found, in.path), " "), kinds[in.kind]), "\n");
		if (in.kind == INPUT_WALKED)
			platform_file_close(&in.file);
	}
	assert_string_equal(found, expected);
}

/* Walks the tree. */
static void expect_inputs(const char *expected)
{
	struct inputs inputs;

	assert_int_equal(inputs_open(&inputs, &settings), STATUS_DONE);
	expect_rest(&inputs, expected);
	inputs_close(&inputs);
}

static void nobody_is_asked_what_to_leave_out(void **state)
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

static void expect_later(struct inputs *inputs, enum system_call call, int error)
{
	struct input in;

	system_fail(call, 1, error);
	assert_int_equal(inputs_next(inputs, &in), INPUTS_LATER);
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

/* What was listed before it failed is not told from what was not: so nothing of such a folder is
 * given. */
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

static char *with_parts[] = { "Mod.utoc",  "Mod.ucas",  "./Mod_s1.ucas", "Mod_s1.ucas",
			      "none.ucas", "tree.ucas", "Last.utoc" };
static const struct settings parts_settings = { .operands = with_parts,
						.n_operands = LENGTH(with_parts) };

static void make_parts(void)
{
	scratch_write("Mod.utoc", "");
	scratch_write("Mod.ucas", "");
	scratch_write("Mod_s1.ucas", "");
	assert_int_equal(mkdir("tree.ucas", 0700), 0);
}

static void remove_parts(void)
{
	assert_int_equal(unlink("Mod.utoc") | unlink("Mod.ucas") | unlink("Mod_s1.ucas") |
				 rmdir("tree.ucas"),
			 0);
}

static void expect_left(struct inputs *inputs, const char *expected)
{
	struct inputs left;

	assert_true(inputs_open_left(&left, inputs));
	expect_rest(&left, expected);
	inputs_close(&left);
}

/* Nothing that was named is left out without a word: a part of a container is put off, and comes
 * last unless a check told of it. */
static void a_part_is_left_out_only_if_that_is_sure(void **state)
{
	struct inputs inputs;

	(void)state;
	make_parts();
	assert_int_equal(inputs_open(&inputs, &parts_settings), STATUS_DONE);
	expect_rest(&inputs, "Mod.utoc named\nnone.ucas named\ntree.ucas named\nLast.utoc named\n");
	expect_left(&inputs, "Mod.ucas named\n./Mod_s1.ucas named\nMod_s1.ucas named\n");
	assert_true(parts_tell(&inputs.parts, "Mod.utoc", "Mod_s1.ucas"));
	expect_left(&inputs, "Mod.ucas named\n");
	assert_true(parts_tell(&inputs.parts, "Mod.utoc", "Mod_s2.ucas") &&
		    parts_tell(&inputs.parts, "Mod.utoc", "tree.ucas"));
	expect_left(&inputs, "Mod.ucas named\n");
	assert_true(parts_tell(&inputs.parts, "./tree.ucas/../Mod.utoc", "Mod.ucas"));
	expect_left(&inputs, "");
	inputs_close(&inputs);
	remove_parts();
}

static void memory_that_ends_leaves_no_part_out(void **state)
{
	struct inputs inputs, left;

	(void)state;
	make_parts();
	system_fail(SYSTEM_REALLOC, 1, ENOMEM);
	assert_int_equal(inputs_open(&inputs, &parts_settings), STATUS_TROUBLE);
	inputs_close(&inputs);
	assert_int_equal(inputs_open(&inputs, &parts_settings), STATUS_DONE);
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_false(parts_tell(&inputs.parts, "Mod.utoc", "Mod.ucas"));
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_false(inputs_open_left(&left, &inputs));
	inputs_close(&left);
	system_reset();
	inputs_close(&inputs);
	remove_parts();
}

static void expect_paths(char **paths, size_t n, const char *expected)
{
	assert_non_null(paths);
	assert_int_equal(n, *expected ? 1 : 0);
	if (n > 0)
		assert_string_equal(paths[0], expected);
	free(paths);
}

/* Of a part that was found, too: that it is not known is said. */
static void memory_that_ends_forgets_no_part(void **state)
{
	struct parts parts = { 0 };
	struct platform_identity file;
	char **paths;
	size_t n;

	(void)state;
	make_parts();
	assert_int_equal(platform_path_look("Mod.ucas", &file), PLATFORM_FILE);
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_false(parts_find(&parts, "Mod.ucas", &file));
	system_fail(SYSTEM_REALLOC, 1, ENOMEM);
	assert_false(parts_find(&parts, "Mod.ucas", &file));
	system_fail(SYSTEM_REALLOC, 1, ENOMEM);
	assert_false(parts_tell(&parts, "Mod.utoc", "Mod.ucas"));
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_false(parts_excuse(&parts, "Mod.utoc"));
	system_fail(SYSTEM_REALLOC, 1, ENOMEM);
	assert_false(parts_excuse(&parts, "Mod.utoc"));
	system_reset();
	assert_true(parts_find(&parts, "Mod.ucas", &file));
	paths = parts_left(&parts, &n);
	expect_paths(paths, n, "Mod.ucas");
	assert_true(parts_excuse(&parts, "Mod.utoc"));
	paths = parts_left(&parts, &n);
	expect_paths(paths, n, "");
	paths = parts_told(&parts, &n);
	expect_paths(paths, n, "Mod.ucas");
	parts_free(&parts);
	remove_parts();
}

/* ---- Going back ------------------------------------------------------------------------------ */

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
static void expect_behind(const struct settings *s, const char *path, void (*meanwhile)(void),
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
	expect_behind(&settings, "tree/a", NULL, "tree/sub/b file\ntree/z file\n");
	expect_behind(&settings, "tree/sub/b", NULL, "tree/z file\n");
	expect_behind(&settings, "tree/z", NULL, "");
	expect_behind(&others, "tree/a", NULL, "tree/sub/b file\ntree/z file\n");
	expect_behind(&others, "tree/sub/b", NULL, "tree/z file\n");
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
	expect_behind(&settings, "tree/z", remove_last, "");
	scratch_write("tree/z", "z");
	expect_behind(&settings, "tree/sub/b", exchange_folder, "tree/z file\n");
	expect_behind(&settings, "tree/sub", remove_folder, "tree/z file\n");
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
	expect_behind(&settings, "tree/sub/b", nothing_is_given,
		      "tree/sub closed\ntree/z closed\n");
	expect_behind(&settings, "tree/sub/b", nothing_more_is_given,
		      "tree/sub closed\ntree/z closed\n");
}

/* In the order of the tree "sub.x" comes before what lies in "sub", but not before its name. */
static void a_folder_that_was_closed_is_not_given_again(void **state)
{
	(void)state;
	scratch_write("tree/sub.x", "x");
	system_fail(SYSTEM_OPENAT, 3, EACCES); /* a, sub.x, sub */
	expect_behind(&settings, "tree/sub", NULL, "tree/z file\n");
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
	expect_behind(&settings, "tree/a", move_tree, "tree named\n");
	assert_int_equal(rename("moved", "tree"), 0);
	expect_behind(&listed, "tree/a", move_tree, "tree named\n");
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

/* Runs the command in silence. */
static int run_silently(int n_words, char **words)
{
	const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO),
		  nothing = open("/dev/null", O_WRONLY);
	int code;

	fflush(stdout);
	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	code = program_run(n_words, words);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	close(nothing);
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
	static char *words[] = { "uvet", "-r", "-j", "2", "-f", "concise", "tree/one", NULL };
	int code = STATUS_TROUBLE;
	unsigned n_opened;

	(void)state;
	assert_int_equal(mkdir("tree/one", 0700), 0);
	write_container("tree/one/Mod.utoc");
	assert_int_equal(run_silently(7, words), 1);
	n_opened = system_faults[SYSTEM_OPEN].n;
	for (unsigned n = 1; code == STATUS_TROUBLE; n++) {
		system_reset();
		system_fail(SYSTEM_OPENAT, 2, EMFILE); /* Mod.utoc, a file beside it */
		system_fail(SYSTEM_REALLOC, n, ENOMEM);
		code = run_silently(7, words);
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
		T(nobody_is_asked_what_to_leave_out),
		T(other_file_systems_are_not_entered),
		T(what_cannot_be_opened_is_told),
		T(too_many_open_files_are_waited_for),
		T(an_old_code_is_not_waited_for),
		T(a_listing_that_fails_closes_the_folder),
		T(unknown_kinds_are_looked_up),
		T(memory_that_ends_is_no_end),
		T(a_part_is_left_out_only_if_that_is_sure),
		T(memory_that_ends_leaves_no_part_out),
		T(memory_that_ends_forgets_no_part),
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

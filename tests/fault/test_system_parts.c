/* Tests of the parts of containers among the inputs on POSIX systems: a part is put off, and left
 * out only if a check of its container covered it. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include <errno.h>

#include "expect_inputs.h"
#include "scratch.h"
#include "system.h"

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
 * last unless a check told of it. A folder is walked, whatever its name. */
static void a_part_is_left_out_only_if_that_is_sure(void **state)
{
	struct inputs inputs;

	(void)state;
	make_parts();
	assert_int_equal(inputs_open(&inputs, &parts_settings), STATUS_DONE);
	expect_rest(&inputs, "Mod.utoc named\nnone.ucas named\nLast.utoc named\n");
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
	assert_false(parts_own(&inputs.parts, "Mod.utoc"));
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_false(inputs_open_left(&left, &inputs));
	inputs_close(&left);
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_false(inputs_open_idle(&left, &inputs));
	inputs_close(&left);
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_false(inputs_open_owners(&left, &inputs));
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

/* That includes parts that were found: where memory ends it is said that nothing is known of
 * them. */
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
	system_reset();
	assert_true(parts_find(&parts, "Mod.ucas", &file));
	paths = parts_left(&parts, &n);
	expect_paths(paths, n, "Mod.ucas");
	assert_true(parts_tell(&parts, "Mod.utoc", "Mod.ucas"));
	paths = parts_left(&parts, &n);
	expect_paths(paths, n, "");
	paths = parts_idle(&parts, &n);
	expect_paths(paths, n, "");
	parts_free(&parts);
	remove_parts();
}

static struct platform_identity identity_of(uint64_t device, uint64_t number)
{
	return (struct platform_identity){ .device = device, .number = number };
}

/* Files are told apart by their device, too, and where their numbers want the same slot. */
static void files_of_other_devices_are_others(void **state)
{
	struct parts parts = { 0 };
	char **paths;
	size_t n;

	(void)state;
	for (uint64_t device = 1; device <= 4; device++) {
		const struct platform_identity file = identity_of(device, 0x100 ^ device);

		assert_true(parts_find(&parts, "x.ucas", &file));
		assert_int_equal(parts.list[parts.n - 1].first, parts.n - 1);
	}
	for (uint64_t device = 1; device <= 4; device++) {
		const struct platform_identity file = identity_of(device, 0x100 ^ device);

		assert_true(parts_find(&parts, "y.ucas", &file));
		assert_int_equal(parts.list[parts.n - 1].first, device - 1);
	}
	paths = parts_left(&parts, &n);
	assert_non_null(paths);
	assert_int_equal(n, 8);
	free(paths);
	parts_free(&parts);
}

/* A .sig is counted among those that a check took along only if one did. */
static void signatures_belong_to_containers_that_were_checked(void **state)
{
	char name[] = "Mod.sig";
	struct parts parts = { 0 };

	(void)state;
	scratch_write("Mod.utoc", "");
	scratch_write("Mod.sig", "");
	assert_true(parts_add(&parts, name));
	assert_int_equal(parts_signatures(&parts), 0);
	assert_true(parts_own(&parts, "Mod.utoc"));
	assert_int_equal(parts_signatures(&parts), 1);
	parts_free(&parts);
	assert_true(parts_tell(&parts, "Mod.utoc", "Mod.utoc"));
	parts.max = parts.n; /* one more is a request for memory */
	system_fail(SYSTEM_REALLOC, 1, ENOMEM);
	assert_false(parts_own(&parts, "Mod.utoc"));
	system_reset();
	parts_free(&parts);
	unlink("Mod.utoc");
	unlink("Mod.sig");
}

/* The container of a part is checked if it is still there, and there is memory to note it. */
static void owners_may_be_gone(void **state)
{
	char name[] = "Mod.ucas";
	struct parts parts = { 0 };
	char **paths;
	size_t n;

	(void)state;
	scratch_write("Mod.utoc", "");
	scratch_write("Mod.ucas", "");
	assert_true(parts_add(&parts, name));
	system_fail(SYSTEM_STAT, 1, ENOENT);
	paths = parts_owners(&parts, &n);
	expect_paths(paths, n, "");
	system_reset();
	parts.max = parts.n;
	system_fail(SYSTEM_REALLOC, 1, ENOMEM);
	paths = parts_owners(&parts, &n);
	expect_paths(paths, n, "");
	system_reset();
	paths = parts_owners(&parts, &n);
	expect_paths(paths, n, "Mod.utoc");
	paths = parts_owners(&parts, &n); /* which is taken now */
	expect_paths(paths, n, "");
	parts_free(&parts);
	unlink("Mod.utoc");
	unlink("Mod.ucas");
}

int main(void)
{
#define T(name) cmocka_unit_test_teardown(name, system_end)
	const struct CMUnitTest tests[] = {
		T(a_part_is_left_out_only_if_that_is_sure),
		T(files_of_other_devices_are_others),
		T(signatures_belong_to_containers_that_were_checked),
		T(owners_may_be_gone),
		T(memory_that_ends_leaves_no_part_out),
		T(memory_that_ends_forgets_no_part),
	};
#undef T

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

/* Tests of the root of paths: what lies below it, on systems where a backslash is a letter and
 * where it separates. */
#include "engine/path_root.h"

#include <string.h>

#include "unit.h"

static struct path_root root;
static struct fault_memory memory;

static void settle(bool backslashes, const char *base, const char *typed)
{
	memset(&root, 0, sizeof root);
	root.backslashes = backslashes;
	strcpy(root.base, base);
	strcpy(root.typed, typed);
	path_root_settle(&root);
}

/* What a name becomes; the name itself starts with ! if it does not lie below the root. */
static void expect(const char *typed, const char *shown)
{
	struct arena arena = unit_arena(&memory, UINT64_MAX);
	bool below;
	const char *name = path_root_name(&root, &arena, typed, &below);

	assert_non_null(name);
	assert_int_equal(below, shown[0] != '!');
	assert_string_equal(name, below ? shown : shown + 1);
	arena_free(&arena);
	assert_int_equal(memory.n_live, 0);
}

static void without_a_root_names_are_as_typed(void **state)
{
	(void)state;
	settle(false, "/work", "");
	assert_false(root.is_set);
	expect("a//b/./c", "!a//b/./c");
	expect("a\\b", "!a\\b");
	expect("", "!");
	settle(true, "", "");
	expect("C:\\a\\b", "!C:/a/b");
	expect("a\\\\b", "!a//b");
}

static void paths_below_a_relative_root(void **state)
{
	(void)state;
	settle(false, "", "dist");
	expect("dist/Mod.umod", "Mod.umod");
	expect("./dist//a/./b/../Mod.umod", "a/Mod.umod");
	expect("x/../dist/Mod.umod", "Mod.umod");
	expect("distX/Mod.umod", "!distX/Mod.umod");
	expect("dis/Mod.umod", "!dis/Mod.umod");
	expect("dist/../Mod.umod", "!dist/../Mod.umod");
	expect("dist", "!dist");
	expect("dist/", "!dist/");
	expect("/dist/Mod.umod", "!/dist/Mod.umod");
	expect("dist\\Mod.umod", "!dist\\Mod.umod");
	expect("dist/a\\Mod.umod", "a\\Mod.umod");
	expect("Dist/Mod.umod", "!Dist/Mod.umod");
	expect("dist/..a", "..a");
	settle(false, "", "./dist/a/..//");
	expect("dist/Mod.umod", "Mod.umod");
}

static void paths_above_where_they_begin(void **state)
{
	(void)state;
	settle(false, "", ".");
	expect("Mod.umod", "Mod.umod");
	expect("./a/Mod.umod", "a/Mod.umod");
	expect("../Mod.umod", "!../Mod.umod");
	expect("/Mod.umod", "!/Mod.umod");
	expect(".", "!.");
	settle(false, "", "..");
	expect("../Mod.umod", "Mod.umod");
	expect("a/../../Mod.umod", "Mod.umod");
	expect("../../Mod.umod", "!../../Mod.umod");
	expect("Mod.umod", "!Mod.umod");
	settle(false, "", "../../a");
	expect("../../a/b", "b");
	expect("../a/b", "!../a/b");
}

static void absolute_paths(void **state)
{
	(void)state;
	settle(false, "", "/repo/dist/");
	expect("/repo/dist/x/y", "x/y");
	expect("//repo//dist/x", "x");
	expect("/../repo/dist/x", "x");
	expect("/repo/../../repo/dist/x", "x");
	expect("/repo/distX/x", "!/repo/distX/x");
	expect("repo/dist/x", "!repo/dist/x");
	settle(false, "", "/");
	expect("/x", "x");
	expect("/", "!/");
	assert_true(path_root_is_absolute(&root));
	settle(false, "", "C:/x");
	assert_false(path_root_is_absolute(&root));
}

static void a_base_makes_them_comparable(void **state)
{
	(void)state;
	settle(false, "/repo/sub", "/repo");
	expect("x", "sub/x");
	expect("../x", "x");
	expect("../../x", "!../../x");
	expect("/repo/x", "x");
	settle(false, "/repo/sub", "..");
	expect("x", "sub/x");
	expect("/repo/x", "x");
	expect("/repox/x", "!/repox/x");
	settle(false, "/:x", "/a");
	expect("/a/b", "b");
}

static void backslashes_that_separate(void **state)
{
	(void)state;
	settle(true, "", "dist\\a");
	expect("DIST/A\\b\\Mod.umod", "b/Mod.umod");
	expect(".\\dist\\x\\..\\a\\M.umod", "M.umod");
	expect("dist\\ab\\M.umod", "!dist/ab/M.umod");
	settle(true, "", "a[b");
	expect("A[B\\M.umod", "M.umod");
	expect("a{b\\M.umod", "!a{b/M.umod");
	settle(true, "", "C:\\repo");
	expect("c:/Repo\\x", "x");
	expect("C:\\..\\repo\\x", "x");
	expect("D:\\repo\\x", "!D:/repo/x");
	expect("\\repo\\x", "!/repo/x");
	expect("C:repo\\x", "!C:repo/x");
	assert_true(path_root_is_absolute(&root));
	assert_int_equal(root.prefix, 3);
	settle(true, "C:\\repo\\sub", "\\repo");
	expect("x", "sub/x");
	expect("C:\\repo\\x", "x");
	expect("D:\\repo\\x", "!D:/repo/x");
	assert_true(path_root_is_absolute(&root));
	settle(true, "C:\\repo\\sub", "\\\\server\\share");
	expect("//server/share/x", "x");
	expect("\\\\server\\share\\a\\..\\x", "x");
	expect("\\server\\share\\x", "!/server/share/x");
	assert_int_equal(root.prefix, 2);
	settle(true, "\\\\server\\share", "a");
	expect("a\\x", "x");
	expect("\\\\server\\share\\a\\x", "x");
	settle(true, "C:x", "a");
	assert_false(root.is_set);
	settle(true, "", "C:");
	assert_false(root.is_set);
	expect("C:x", "!C:x");
}

static void the_longest_paths_fit(void **state)
{
	static char base[PATH_ROOT_MAX], typed[PATH_ROOT_MAX], name[8 * PATH_ROOT_MAX];

	(void)state;
	memset(base, 'b', sizeof base - 1);
	memset(typed, 't', sizeof typed - 1);
	settle(false, base, typed);
	assert_int_equal(strlen(root.whole), 2 * (PATH_ROOT_MAX - 1) + 1);
	memset(name, 't', sizeof name - 1);
	name[PATH_ROOT_MAX - 1] = '/';
	expect(name, name + PATH_ROOT_MAX);
}

static void memory_that_ends(void **state)
{
	struct arena arena = unit_arena(&memory, 0);
	bool below;

	(void)state;
	settle(false, "", "a");
	assert_null(path_root_name(&root, &arena, "a/b", &below));
	arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_root_names_are_as_typed),
		cmocka_unit_test(paths_below_a_relative_root),
		cmocka_unit_test(paths_above_where_they_begin),
		cmocka_unit_test(absolute_paths),
		cmocka_unit_test(a_base_makes_them_comparable),
		cmocka_unit_test(backslashes_that_separate),
		cmocka_unit_test(the_longest_paths_fit),
		cmocka_unit_test(memory_that_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of the root of paths: what lies below it, on systems where a backslash is a letter and
 * where it separates. */
#include "engine/path_root.h"

#include <stdio.h>
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
	settle(false, "/repo", "");
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

/* ---- Laws ------------------------------------------------------------------------------------ */

enum { PIECES_MAX = 8, TEXT_MAX = 64 };

static void draw(uint64_t *random, char *out)
{
	static const char *const pieces[] = { "a", "b", "A",  "..", ".", "/",
					      "/", "/", "//", "\\", "C:" };
	const uint64_t n = unit_random(random) % PIECES_MAX;

	out[0] = '\0';
	for (uint64_t i = 0; i < n; i++)
		strcat(out, pieces[unit_random(random) % LENGTH(pieces)]);
}

/* Whether a name is nothing but components, with a slash between them. */
static bool is_plain(const char *name)
{
	if (root.backslashes && strchr(name, '\\'))
		return false;
	for (;;) {
		const size_t len = strcspn(name, "/");

		if (len == 0 || strncmp(name, "./", len + 1) == 0 ||
		    strncmp(name, "../", len + 1) == 0)
			return false;
		if (!name[len])
			return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
		name += len + 1;
	}
}

/* The root as it was understood, with a slash behind it. */
static void root_again(char *out, size_t size)
{
	const char *slash = strlen(root.whole) > root.prefix ? "/" : "";
	const int n = snprintf(out, size, "%s%.*s%s", root.prefix > 0 ? "" : "./", 3 * TEXT_MAX,
			       root.whole, slash);

	assert_true(n > 0 && (size_t)n < size);
}

static void expect_again(const char *base, const char *name, const char *rest)
{
	static char root_text[TEXT_MAX + 3 * TEXT_MAX], again[sizeof root_text + TEXT_MAX];

	root_again(root_text, sizeof root_text);
	snprintf(again, sizeof again, "%s./x/../%s", root_text, rest);
	expect(again, rest);
	snprintf(again, sizeof again, "%sy//../.", root_text);
	settle(root.backslashes, base, again);
	expect(name, rest);
}

/* What lies below a root is found again from the root on, and from the same root typed
 * otherwise. */
static void a_path_below_leads_there(void **state)
{
	struct fault_memory own;
	struct arena arena = unit_arena(&own, UINT64_MAX);
	char base[TEXT_MAX] = "/", typed[TEXT_MAX], name[TEXT_MAX];
	uint64_t random = 1;
	unsigned n_below = 0;

	(void)state;
	for (unsigned i = 0; i < 100000; i++) {
		const char *rest;
		bool below;

		draw(&random, base + 1);
		draw(&random, typed);
		draw(&random, name);
		settle(i % 2, i % 3 ? "" : base, typed);
		rest = path_root_name(&root, &arena, name, &below);
		if (below) {
			n_below++;
			assert_true(is_plain(rest));
			expect_again(i % 3 ? "" : base, name, rest);
		}
		arena_rewind(&arena, (struct arena_mark){ 0 });
	}
	assert_true(n_below > 1000);
	arena_free(&arena);
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
		cmocka_unit_test(a_path_below_leads_there),
		cmocka_unit_test(the_longest_paths_fit),
		cmocka_unit_test(memory_that_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of paths with / between their parts: their folders, and that they are what others are. */
#include "core/path.h"
#include "unit.h"

/* The folders of a path, held against what the path's own beginning is. */
struct folders {
	struct text path;
	unsigned n, max;
};

static bool take_folder(void *ctx, uint32_t n_units, uint32_t hash)
{
	struct folders *f = ctx;
	const struct text folder = text_sub(f->path, 0, n_units);

	assert_true(n_units > 0 && n_units < f->path.ref.n_units);
	assert_int_equal(hash, path_examine(folder).hash);
	return ++f->n < f->max;
}

static unsigned count_folders(struct text path, unsigned max)
{
	struct folders f = { path, 0, max };

	path_folders(path, take_folder, &f);
	return f.n;
}

static void folders_of_a_path(void **state)
{
	static const uint8_t wide[] = { 'a', 0, '/', 0, 0x3B, 0x04, '/', 0, 'b', 0 };
	const struct text t = { wide, { .n_units = 5, .encoding = TEXT_UTF16LE } };

	(void)state;
	assert_int_equal(count_folders(text_from("a.txt"), 9), 0);
	assert_int_equal(count_folders(text_from("/a.txt"), 9), 0);
	assert_int_equal(count_folders(text_from("Content/Paks\\~mods/Some Long Folder/a.pak"), 9),
			 4);
	assert_int_equal(count_folders(text_from("Content/Paks\\~mods/Some Long Folder/a.pak"), 2),
			 2);
	assert_int_equal(count_folders(t, 9), 2);
}

/* Plain names with / are looked at many bytes at a time, and are what others are. */
static void slashes_are_separators(void **state)
{
	static const char *const names[][2] = {
		{ "Content/Paks/Mod_P.pak", "content\\paks/mod_p.PAK" },
		{ "abcdefg/hijklmnop/qrstuvw/xyz.u", "ABCDEFG\\HIJKLMNOP\\QRSTUVW\\XYZ.U" },
		{ "a/b/c/d/e", "A\\B\\C\\D\\E" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++) {
		const struct text a = text_from(names[i][0]), b = text_from(names[i][1]);

		assert_int_equal(path_examine(a).hash, path_examine(b).hash);
		assert_int_equal(path_examine(a).extension, path_examine(b).extension);
		assert_int_equal(path_examine(a).last, path_examine(b).last);
		assert_true(path_examine(a).traits & PATH_SLASH);
		assert_int_equal(path_compare(a, b), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_of_a_path),
		cmocka_unit_test(slashes_are_separators),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of the endings of file names. */
#include "core/ending.h"
#include "unit.h"

static void endings_are_compared_without_case(void **state)
{
	static const struct {
		const char *name, *ending;
		bool is;
	} rows[] = {
		{ "Mod_P.utoc", ".utoc", true },
		{ "Mod_P.UToC", ".utoc", true },
		{ "folder/a.utoc", ".utoc", true },
		{ ".utoc", ".utoc", false }, /* that is its name */
		{ "utoc", ".utoc", false },
		{ "", ".utoc", false },
		{ "Mod_P.utoc ", ".utoc", false },
		{ "Mod_P.utoc.bak", ".utoc", false },
		{ "Mod_P-utoc", ".utoc", false },
		{ "Mod_P.7Z", ".7z", true },
		{ "a@[`{\xC0", "@[`{\xC0", true },
		{ "a\xE0", "\xC0", false }, /* ASCII alone has two cases */
		{ "a[", "{", false },
		{ "a@", "`", false },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++)
		assert_int_equal(ending_is(rows[i].name, rows[i].ending), rows[i].is);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(endings_are_compared_without_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

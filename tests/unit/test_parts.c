/* Tests of the parts of containers that were named or found: each is looked up by which file it
 * is. */
#include "cli/parts.h"
#include "unit.h"

/* Two files of one slot are two files; a file that is found again is the first. */
static void files_of_one_slot_are_told_apart(void **state)
{
	static const uint64_t numbers[] = { 0x10, 0x20, 0x30, 0x20, 0x10, 0x11 };
	static const uint32_t firsts[] = { 0, 1, 2, 1, 0, 5 };
	struct parts p = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		assert_true(parts_find(
			&p, "Mod.ucas",
			&(struct platform_identity){ .device = 1, .number = numbers[i] }));
	for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
		assert_int_equal(p.list[i].first, firsts[i]);
	parts_free(&p);
}

/* So are files of one number on two devices, however many there are. */
static void files_of_devices_are_told_apart(void **state)
{
	struct parts p = { .n = 0 };

	(void)state;
	for (uint64_t i = 0; i < 200; i++)
		assert_true(parts_find(
			&p, "Mod.ucas",
			&(struct platform_identity){ .device = i % 2, .number = i / 2 * 16 }));
	for (size_t i = 0; i < p.n; i++)
		assert_int_equal(p.list[i].first, i);
	assert_int_equal(p.n, 200);
	parts_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_one_slot_are_told_apart),
		cmocka_unit_test(files_of_devices_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

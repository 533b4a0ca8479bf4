/* Tests of outlines: which cell a byte is in, and what shows where regions meet. */
#include "engine/outline.h"
#include "unit.h"

static struct region region(uint64_t at, uint64_t len, const char *kind)
{
	return (struct region){ .span = { at, len }, .kind = kind, .label = kind };
}

static void add(struct outline *o, uint64_t at, uint64_t len, const char *kind)
{
	const struct region r = region(at, len, kind);

	assert_true(outline_region(o, &r));
}

/* A file of fewer bytes than cells has a cell for each, and the largest has as many in each. */
static void test_cells(void **state)
{
	const struct outline small = { .size = 3 }, even = { .size = 512 }, odd = { .size = 513 },
			     huge = { .size = UINT64_MAX };

	(void)state;
	assert_int_equal(outline_cell(&small, 2), 2);
	assert_int_equal(outline_cell(&even, 1), 0);
	assert_int_equal(outline_cell(&even, 511), 255);
	assert_int_equal(outline_cell(&odd, 512), 170);
	assert_int_equal(outline_cell(&huge, UINT64_MAX - 1), 255);
	assert_int_equal(outline_cell(&small, UINT64_MAX), 255);
}

static void test_regions(void **state)
{
	struct outline o = { .size = 256 };
	struct region inner = region(0, 256, "inner"), beside = region(0, 256, "beside");

	(void)state;
	add(&o, 0, 16, "header");
	add(&o, 8, 100, "payload");
	add(&o, 250, 1000, "tail");
	add(&o, 300, 5, "outside");
	add(&o, 20, 0, "empty");
	inner.depth = 1;
	beside.file = 1;
	assert_true(outline_region(&o, &inner) && outline_region(&o, &beside));
	assert_int_equal(o.n_kinds, 3);
	assert_int_equal(o.cells[7], 1);
	assert_int_equal(o.cells[8], 2); /* it begins there */
	assert_int_equal(o.cells[9], 1); /* something was there */
	assert_int_equal(o.cells[107], 2);
	assert_int_equal(o.cells[108], 0);
	assert_int_equal(o.cells[255], 3);
	assert_int_equal(o.bytes[1], 100);
}

/* There may be more kinds than have room, and more bytes than a number holds. */
static void test_room(void **state)
{
	static const char *const kinds[] = { "a", "b", "c", "d", "e", "f", "g",
					     "h", "i", "j", "k", "l", "m", "n" };
	struct outline o = { .size = UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < LENGTH(kinds); i++)
		add(&o, i, 1, kinds[i]);
	assert_int_equal(o.n_kinds, OUTLINE_KINDS);
	assert_int_equal(o.bytes[OUTLINE_KINDS - 1], 3);
	add(&o, 0, UINT64_MAX, "a");
	add(&o, 0, UINT64_MAX, "a");
	assert_true(o.bytes[0] == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

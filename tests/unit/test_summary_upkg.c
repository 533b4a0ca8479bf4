/* Tests of the summaries of packages. */
#include "package.h"

#undef fail                     /* cmocka's; rules have their own */

#include "engine/engine.h"
#include "formats/summary.h"

static struct engine engine;

struct kept {
	struct fault_memory memory, summary_memory;
	struct arena arena;
	struct summaries all;
	const struct summary *first;
};

/* Checks the image, and keeps its summary but not its report. */
static void keep(struct kept *k, size_t n)
{
	struct report *r;

	k->memory = (struct fault_memory){ 0 };
	engine_init(&engine, (struct allocator){ fault_alloc, fault_release, &k->memory });
	k->arena = unit_arena(&k->summary_memory, UNIT_PLENTY);
	k->all = (struct summaries){ .arena = &k->arena };
	r = engine_check(&engine, &(struct check_input){ .io.size = n, .memory = image.bytes, .name = "Mod.u", .summaries = &k->all });
	assert_non_null(r);
	report_free(r);
	assert_int_equal(k->memory.n_live, 0);
	assert_int_equal(k->all.n, 1);
	k->first = k->all.first;
}

static void let_go(struct kept *k)
{
	arena_free(&k->arena);
	assert_int_equal(k->summary_memory.n_live, 0);
}

static bool is_named(const struct summary_row *row, const char *name)
{
	return row->name.len == strlen(name) && memcmp(row->name.utf8, name, row->name.len) == 0;
}

/* The report and the facts are gone, and the bytes may change. */
static void test_a_package(void **state)
{
	struct kept k;

	(void)state;
	build_good();
	keep(&k, image.n);
	memset(image.bytes, 0xFF, image.n);
	assert_int_equal(k.first->gaps, 0);
	assert_int_equal(k.first->version, 69);
	assert_int_equal(k.first->licensee, 0);
	assert_int_equal(k.first->identity, SUMMARY_GUID);
	assert_int_equal(k.first->guid[0], 1);
	assert_int_equal(k.first->guid[3], 4);
	assert_int_equal(k.first->n_names, N_STANDARD);
	assert_int_equal(k.first->n_imports, 2);
	assert_int_equal(k.first->n_exports, 2);
	assert_int_equal(k.first->needs.n, 1);
	assert_true(is_named(&k.first->needs.rows[0], "Core"));
	assert_int_equal(k.first->offers.n, 2);
	assert_true(is_named(&k.first->offers.rows[0], "Foo"));
	assert_true(is_named(&k.first->offers.rows[1], "Bar"));
	let_go(&k);
}

/* Objects of one name in different groups are different, and an object that is not public is not offered. */
static void test_what_is_offered(void **state)
{
	uint64_t hash, flags_at;
	struct kept k;

	(void)state;
	build_good();
	keep(&k, image.n);
	hash = k.first->offers.rows[1].hash;
	let_go(&k);
	flags_at = image.offsets[TABLE_EXPORTS] + 7;
	assert_int_equal(image.bytes[flags_at], UPKG_PUBLIC);
	image.bytes[flags_at] = 0;
	keep(&k, image.n);
	assert_int_equal(k.first->offers.n, 1);
	assert_true(is_named(&k.first->offers.rows[0], "Bar"));
	assert_int_equal(k.first->offers.rows[0].hash, hash);
	let_go(&k);
	build_good();
	image.bytes[image.offsets[TABLE_EXPORTS] + 6] = N_PACKAGE;       /* the name of the outer group */
	keep(&k, image.n);
	assert_int_not_equal(k.first->offers.rows[1].hash, hash);
	let_go(&k);
}

static void test_no_beginning_is_complete(void **state)
{
	(void)state;
	build_good();
	for (size_t n = 0; n < image.n; n++) {
		struct kept k;

		keep(&k, n);
		assert_int_not_equal(k.first->gaps, 0);
		let_go(&k);
	}
}

/* A table that cannot be decoded leaves nothing behind that could be taken for all of it. */
static void test_a_table_is_missing(void **state)
{
	struct kept k;

	(void)state;
	build_good();
	set_u32(7 * 4, UINT32_MAX);                                     /* how many imports */
	keep(&k, image.n);
	assert_int_equal(k.first->gaps, SUMMARY_UNREAD | SUMMARY_DOUBTED);
	assert_false(k.first->needs.is_known || k.first->offers.is_known);
	assert_int_equal(k.first->n_names, N_STANDARD);
	assert_int_equal(k.first->n_imports, 0);
	let_go(&k);
}

static void test_many_exports(void **state)
{
	enum { MANY = 10000 };
	struct kept k;

	(void)state;
	begin();
	put_standard_names();
	put_standard_imports();
	open_table(TABLE_EXPORTS);
	for (size_t i = 0; i < MANY; i++)
		put_export(-2, 0, 0, N_FOO, 0, 0);
	end_package();
	keep(&k, image.n);
	assert_int_equal(k.first->offers.n, MANY);
	assert_int_equal(k.first->offers.n_rows, SUMMARY_ROWS);
	assert_true(k.arena.peak <= ARENA_CHUNK);
	let_go(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_package),
		cmocka_unit_test(test_what_is_offered),
		cmocka_unit_test(test_no_beginning_is_complete),
		cmocka_unit_test(test_a_table_is_missing),
		cmocka_unit_test(test_many_exports),
	};

	return cmocka_run_group_tests(tests, make_image, free_image);
}

/* Tests of the summaries of packages. */
#include "package.h"

#undef fail /* cmocka's; rules have their own */

#include "engine/engine.h"
#include "formats/summary.h"
#include "formats/upkg/tables/flags.h"

static struct engine engine;

struct kept {
	struct fault_memory memory, summary_memory;
	struct arena arena;
	struct summaries all;
	const struct summary *first;
};

/* Checks the image, and keeps its summary but not its report. */
static uint64_t work_max = UINT64_MAX, work_done;

static void keep(struct kept *k, size_t n)
{
	struct report *r;

	k->memory = (struct fault_memory){ 0 };
	engine_init(&engine, (struct allocator){ fault_alloc, fault_release, &k->memory });
	engine.limits.of[LIMIT_work] = work_max;
	k->arena = unit_arena(&k->summary_memory, UNIT_PLENTY);
	k->all = (struct summaries){ .arena = &k->arena };
	r = engine_check(&engine, &(struct check_input){ .io.size = n,
							 .memory = image.bytes,
							 .name = "Mod.u",
							 .summaries = &k->all });
	assert_non_null(r);
	work_done = r->work;
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

/* Objects of one name in different groups are different, and an object that is not public is not
 * offered. */
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
	image.bytes[image.offsets[TABLE_EXPORTS] + 6] = N_PACKAGE; /* the name of the outer group */
	keep(&k, image.n);
	assert_int_not_equal(k.first->offers.rows[1].hash, hash);
	let_go(&k);
}

/* Packages that are not needed: one that says it is a class, and the package itself. */
static void test_what_is_needed(void **state)
{
	struct kept k;

	(void)state;
	begin();
	put_standard_names();
	put_name("Mod");
	put_standard_imports();
	put_import(N_CORE, N_CLASS, 0, N_FOO);
	put_import(N_CORE, N_PACKAGE, 0, N_STANDARD);
	put_import(N_CORE, N_PACKAGE, 0, N_BAR);
	open_table(TABLE_EXPORTS);
	end_package();
	keep(&k, image.n);
	assert_int_equal(k.first->n_imports, 5);
	assert_int_equal(k.first->needs.n, 2);
	assert_true(is_named(&k.first->needs.rows[0], "Core"));
	assert_true(is_named(&k.first->needs.rows[1], "Bar"));
	let_go(&k);
}

/* An outer that is an import counts by its name; one that does not exist has none. What conforming
 * left is nothing. */
static void test_outers(void **state)
{
	static const int32_t outers[] = { 0, -1, -2, -3, 7, INT32_MIN, INT32_MAX };
	uint64_t hashes[LENGTH(outers)];

	(void)state;
	for (size_t i = 0; i < LENGTH(outers); i++) {
		struct kept k;

		begin_exports();
		put_export(0, 0, 0, N_NONE, 0, 0);
		set_u32(image.n - 5, 0); /* its flags */
		put_export(-2, 0, outers[i], N_FOO, 0, 0);
		end_package();
		keep(&k, image.n);
		assert_int_equal(k.first->offers.n, 1);
		hashes[i] = k.first->offers.rows[0].hash;
		let_go(&k);
	}
	assert_int_not_equal(hashes[1], hashes[0]);
	assert_int_not_equal(hashes[2], hashes[1]);
	for (size_t i = 3; i < LENGTH(outers); i++)
		assert_int_equal(hashes[i], hashes[0]);
}

/* Old packages have no GUID, but a list of them. */
static void test_an_old_package(void **state)
{
	struct kept k;

	(void)state;
	build_good();
	set_u32(4, 67);
	keep(&k, image.n);
	assert_int_equal(k.first->version, 67);
	assert_int_equal(k.first->identity, SUMMARY_ANONYMOUS);
	let_go(&k);
}

/* A check whose work ended lists nothing more, and says so. */
static void test_work_that_ends(void **state)
{
	uint64_t most, n_cut = 0;
	struct kept k;

	(void)state;
	build_good();
	keep(&k, image.n);
	let_go(&k);
	most = work_done;
	for (work_max = 1; work_max < most; work_max++) {
		keep(&k, image.n);
		assert_true(k.first->gaps & SUMMARY_DOUBTED);
		n_cut += k.first->offers.is_known && k.first->offers.n == 0 &&
			 k.first->gaps & SUMMARY_UNREAD;
		let_go(&k);
	}
	work_max = UINT64_MAX;
	assert_true(n_cut > 0);
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
	set_u32(7 * 4, UINT32_MAX); /* how many imports */
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
	begin_exports();
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
		cmocka_unit_test(test_what_is_needed),
		cmocka_unit_test(test_outers),
		cmocka_unit_test(test_an_old_package),
		cmocka_unit_test(test_work_that_ends),
		cmocka_unit_test(test_no_beginning_is_complete),
		cmocka_unit_test(test_a_table_is_missing),
		cmocka_unit_test(test_many_exports),
	};

	return cmocka_run_group_tests(tests, make_image, free_image);
}

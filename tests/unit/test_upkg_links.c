/* Tests of what the tables of a package say of each other: chains and cycles of references, and
 * exports that share a name. */
#include "package.h"

#include "formats/upkg/tables/duplicates.h"
#include "formats/upkg/tables/uses.h"

enum { MANY = 100000 };

/* n groups, each in the next but for the last, which has this outer. */
static void build_chain(uint32_t n, int32_t last)
{
	begin_exports();
	for (uint32_t i = 0; i < n; i++)
		put_export(-2, 0, i + 1 < n ? (int32_t)i + 2 : last, N_FOO, 0, 0);
	end_package();
}

static uint32_t n_in_cycle(const struct upkg *u, uint32_t traits)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++)
		n += (u->exports[i].traits & traits) != 0;
	return n;
}

static void long_chains_cost_one_walk(void **state)
{
	struct fixture f;

	(void)state;
	build_chain(MANY, 0);
	decode(&f);
	assert_int_equal(why(&f, UPKG_LINKS), STOP_NOT);
	assert_int_equal(n_in_cycle(f.u, EXPORT_OUTER_CYCLE), 0);
	assert_int_equal(f.u->export_pairs.n, 0);
	end_decode(&f);
	build_chain(MANY, 1);
	decode(&f);
	assert_int_equal(n_in_cycle(f.u, EXPORT_OUTER_CYCLE), MANY);
	end_decode(&f);
	build_chain(MANY, MANY);
	decode(&f);
	assert_int_equal(n_in_cycle(f.u, EXPORT_OUTER_CYCLE), 1);
	assert_true(f.u->exports[MANY - 1].traits & EXPORT_OUTER_CYCLE);
	end_decode(&f);
}

/* Exports that are all of one outer and name: each is paired with the first, and nothing takes
 * the square of their number. As many pairs are kept as findings, and the last of them counts
 * the others. */
static void many_exports_of_one_name_are_paired_once(void **state)
{
	struct fixture f;
	uint32_t kept;

	(void)state;
	begin_exports();
	for (uint32_t i = 0; i < MANY; i++)
		put_export(-2, 0, 0, N_FOO, 0, 0);
	end_package();
	decode(&f);
	kept = (uint32_t)f.limits.of[LIMIT_rule_findings];
	assert_int_equal(f.u->export_pairs.n, kept);
	for (uint32_t i = 0; i < kept; i++) {
		assert_int_equal(f.u->export_pairs.rows[i].first, 0);
		assert_int_equal(f.u->export_pairs.rows[i].second, i + 1);
		assert_int_equal(f.u->export_pairs.rows[i].n_more,
				 i + 1 < kept ? 0 : MANY - 1 - kept);
	}
	end_decode(&f);
}

/* Solves x * factor = product modulo 2^32, for an odd factor: each step doubles the bits that are
 * right. */
UVET_WRAPS static uint32_t divide(uint32_t product, uint32_t factor)
{
	uint32_t inverse = factor;

	for (unsigned step = 0; step < 5; step++)
		inverse *= 2 - factor * inverse;
	return product * inverse;
}

/* Exports whose places have one hash are not the same, and each finds its double among them. */
UVET_WRAPS static void colliding_places_are_told_apart(void **state)
{
	const int32_t outer = (int32_t)divide((uint32_t)N_FOO - N_BAR, UPKG_PLACE_FACTOR);
	struct fixture f;

	(void)state;
	begin_exports();
	for (unsigned i = 0; i < 20; i++) {
		put_export(-2, 0, 0, N_FOO, 0, 0);
		put_export(-2, 0, outer, N_BAR, 0, 0);
	}
	end_package();
	decode(&f);
	assert_int_equal(upkg_hash_place(f.u, 0, N_FOO), upkg_hash_place(f.u, outer, N_BAR));
	assert_int_equal(f.u->export_pairs.n, 38);
	for (uint32_t i = 0; i < f.u->export_pairs.n; i++)
		assert_int_equal(f.u->export_pairs.rows[i].first,
				 f.u->export_pairs.rows[i].second % 2);
	end_decode(&f);
}

/* An outer, a super and a class that together lead back are no cycle; each chain is walked for
 * itself. */
static void chains_of_different_kinds_do_not_close(void **state)
{
	struct fixture f;

	(void)state;
	begin_exports();
	put_export(0, 2, 0, N_FOO, 0, 0);
	put_export(0, 0, 3, N_BAR, 0, 0);
	put_export(1, 0, 0, N_CORE, 0, 0);
	end_package();
	decode(&f);
	assert_int_equal(f.u->export_traits &
				 (EXPORT_OUTER_CYCLE | EXPORT_SUPER_CYCLE | EXPORT_CLASS_CYCLE),
			 0);
	end_decode(&f);
}

/* A cycle through both tables, with a tail that leads into it from each. */
static void cycles_go_through_both_tables(void **state)
{
	struct fixture f;

	(void)state;
	begin();
	put_standard_names();
	put_standard_imports();
	put_import(N_CORE, N_CLASS, 1, N_FOO);
	put_import(N_CORE, N_CLASS, -3, N_BAR);
	open_table(TABLE_EXPORTS);
	put_export(-2, 0, 2, N_FOO, 0, 0);
	put_export(-2, 0, -3, N_BAR, 0, 0);
	put_export(-2, 0, 1, N_CORE, 0, 0);
	end_package();
	decode(&f);
	assert_true(f.u->imports_traits[2] & IMPORT_IN_CYCLE);
	assert_false(f.u->imports_traits[3] & IMPORT_IN_CYCLE);
	assert_false(f.u->imports_traits[3] & IMPORT_ROOTLESS);
	assert_true(f.u->exports[0].traits & EXPORT_OUTER_CYCLE);
	assert_true(f.u->exports[1].traits & EXPORT_OUTER_CYCLE);
	assert_false(f.u->exports[2].traits & EXPORT_OUTER_CYCLE);
	end_decode(&f);
}

/* What stands after the last export is none. */
static void names_are_used_by_exports_alone(void **state)
{
	struct upkg_name names[4] = { { 0 } };
	struct upkg_export exports[2] = { { .name = 1 }, { .name = 2 } };
	uint8_t used[1] = { 0 };
	struct upkg u = { .names = names,
			  .exports = exports,
			  .used_names = used,
			  .uses_are_known = true,
			  .tables = { [TABLE_NAMES] = { .n = 4 }, [TABLE_EXPORTS] = { .n = 1 } } };

	(void)state;
	upkg_count_uses(NULL, &u);
	assert_int_equal(u.n_unused_names, 3);
	assert_int_equal(u.first_unused, 0);
	assert_int_equal(used[0], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_chains_cost_one_walk),
		cmocka_unit_test(many_exports_of_one_name_are_paired_once),
		cmocka_unit_test(colliding_places_are_told_apart),
		cmocka_unit_test(chains_of_different_kinds_do_not_close),
		cmocka_unit_test(cycles_go_through_both_tables),
		cmocka_unit_test(names_are_used_by_exports_alone),
	};

	return cmocka_run_group_tests(tests, make_image, free_image);
}

/* Tests of what the walks over a package note: which odd indexes are kept, which names may be used,
 * which fields were listed. */
#include "package.h"

/* Indexes in more bytes than they need: as many are kept as findings, and the last one counts the
 * others. */
static void long_indexes_that_are_not_kept_are_counted(void **state)
{
	enum { N_ODD = 9, KEPT = 2 };
	struct fixture f;

	(void)state;
	begin();
	put_standard_names();
	open_table(TABLE_IMPORTS);
	for (unsigned i = 0; i < N_ODD; i++) {
		put(N_CORE | 0x40, 1); /* Core in two bytes */
		put(0, 1);
		put_index(N_PACKAGE);
		put(0, 4);
		put_index(N_CORE);
		image.counts[TABLE_IMPORTS]++;
	}
	open_table(TABLE_EXPORTS);
	end_package();
	open_fixture(&f, "a.u");
	f.limits.of[LIMIT_rule_findings] = KEPT;
	f.u = upkg_format.decode(&f.decode);
	assert_int_equal(f.u->n_long_indexes, KEPT);
	assert_int_equal(f.u->long_indexes[0].n_more, 0);
	assert_int_equal(f.u->long_indexes[1].n_more, N_ODD - KEPT);
	end_decode(&f);
}

/* In a package of UE2, a struct of an unknown form may have any name among its bytes. */
static void structs_of_unknown_form_may_use_names(void **state)
{
	static const char *const types[] = { "Quat", "Vector" };
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < LENGTH(types); i++) {
		size_t body;

		begin();
		put_standard_names();
		put_name(types[i]);
		body = image.n;
		put_index(N_BAR);
		put(0x3A, 1); /* a struct of twelve bytes */
		put_index(N_STANDARD);
		put(0, 4), put(0, 4), put(0, 4);
		put_index(N_NONE);
		open_table(TABLE_IMPORTS);
		put_import(N_CORE, N_PACKAGE, 0, N_CORE);
		put_import(N_CORE, N_CLASS, -1, N_FOO);
		open_table(TABLE_EXPORTS);
		put_export(-2, 0, 0, N_FOO, (int64_t)(image.offsets[TABLE_IMPORTS] - body),
			   (int64_t)body);
		end_package();
		set_u32(4, 119);
		decode(&f);
		assert_int_equal(why(&f, UPKG_BODIES), STOP_NOT);
		assert_int_equal(f.u->uses_are_known, i == 1);
		end_decode(&f);
	}
}

/* Each of the last exports is the next field of a constant, once. */
static void the_last_exports_are_listed_once(void **state)
{
	enum { N_EXPORTS = 1600, N_LISTED = 8 };
	struct fixture f;
	size_t bodies[N_LISTED + 1];

	(void)state;
	begin();
	put_standard_names();
	put_name("Const");
	for (unsigned i = 0; i < N_LISTED; i++) {
		bodies[i] = image.n;
		put_index(N_NONE);
		put_index(0);                      /* super */
		put_index(N_EXPORTS - (int64_t)i); /* next */
		put_index(1), put(0, 1);           /* the value, "" */
	}
	bodies[N_LISTED] = image.n;
	open_table(TABLE_IMPORTS);
	put_import(N_CORE, N_PACKAGE, 0, N_CORE);
	put_import(N_CORE, N_CLASS, -1, N_STANDARD);
	open_table(TABLE_EXPORTS);
	for (unsigned i = 0; i < N_EXPORTS; i++) {
		const bool has_body = i < N_LISTED;

		put_export(-2, 0, 0, N_FOO, has_body ? (int64_t)(bodies[i + 1] - bodies[i]) : 0,
			   has_body ? (int64_t)bodies[i] : 0);
	}
	end_package();
	decode(&f);
	assert_int_equal(why(&f, UPKG_BODIES), STOP_NOT);
	assert_int_equal(why(&f, UPKG_SCRIPTS), STOP_NOT);
	for (size_t i = 0; i < LENGTH(f.u->flaws); i++)
		assert_int_equal(f.u->flaws[i].n, 0);
	end_decode(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_indexes_that_are_not_kept_are_counted),
		cmocka_unit_test(structs_of_unknown_form_may_use_names),
		cmocka_unit_test(the_last_exports_are_listed_once),
	};

	return cmocka_run_group_tests(tests, make_image, free_image);
}

/* Tests of the rules of packages where files cannot: what defects promise, and what a rule is not
 * about. */
#include "formats/upkg/tables/names.h"
#include "package.h"

#undef fail /* cmocka's; rules have their own */

#include "rule/finding.h"

static void set_traits(const struct upkg *u, uint32_t table, uint32_t traits)
{
	if (table == UPKG_NAME_ROWS)
		u->names[N_FOO].traits = traits & NAME_TRAITS;
	else if (table == UPKG_IMPORT_ROWS)
		u->imports_traits[1] = (uint16_t)traits;
	else
		u->exports[1].traits = traits;
}

static const void *row_of(const struct upkg *u, uint32_t table)
{
	switch (table) {
	case UPKG_NAME_ROWS:
		return &u->names[N_FOO];
	case UPKG_IMPORT_ROWS:
		return &u->imports[1];
	default:
		return &u->exports[1];
	}
}

/* Judges one row, and returns what becomes of the rule. */
static uint8_t judge_row(const struct fixture *f, const struct rule *r, const void *row,
			 struct rule_setting setting, struct rule_result *result)
{
	uint8_t status = RULE_PASS, why;
	struct results_notes notes = { .own = result };
	struct check c = { .facts = f->u,
			   .source = (struct source *)&f->source,
			   .arena = (struct arena *)&f->arena,
			   .rules = &r,
			   .results = { &status, &why, &notes },
			   .settings = &setting,
			   .keep_max = 9,
			   .version = 69 };

	r->judge_rows(&c, row, 1);
	return status;
}

static bool finds(const struct fixture *f, const struct rule *r, uint32_t traits)
{
	struct rule_result result;

	set_traits(f->u, r->table, traits);
	return judge_row(f, r, row_of(f->u, r->table),
			 (struct rule_setting){ .severity = SEVERITY_ERROR,
						.lesser = SEVERITY_WARNING },
			 &result) == RULE_FAIL;
}

/* A rule that tells several defects finds a row with any of them alone. */
static void find_each_defect(const struct fixture *f, uint32_t table)
{
	for (const struct rule *const *rules = upkg_format.rules; *rules; rules++)
		for (unsigned bit = 0; (*rules)->table == table && bit < 64; bit++) {
			uint32_t defect = (uint32_t)((*rules)->tells & UINT64_C(1) << bit);

			if (defect != 0)
				assert_true(finds(
					f, *rules,
					defect | (defect == IMPORT_HAS_NONE ? IMPORT_USED : 0)));
		}
}

static void each_defect_is_found(void **state)
{
	struct fixture f;

	(void)state;
	build_good();
	decode(&f);
	find_each_defect(&f, UPKG_NAME_ROWS);
	find_each_defect(&f, UPKG_IMPORT_ROWS);
	find_each_defect(&f, UPKG_EXPORT_ROWS);
	end_decode(&f);
}

static const struct rule *find_rule(const struct rule *const *rules, const char *id)
{
	while (*rules && strcmp((*rules)->id, id) != 0)
		rules++;
	assert_non_null(*rules);
	return *rules;
}

/* Judges one flaw and returns the severity of what is found. */
static enum severity severity_of(const struct fixture *f, const struct rule *r, unsigned kind,
				 bool for_editor)
{
	const struct upkg_flaw flaw = { .kind = (uint16_t)kind,
					.for_editor = for_editor,
					.export = 1 };
	struct rule_result result = { .n_kept = 0 };

	judge_row(f, r, &flaw,
		  (struct rule_setting){ .severity = (uint8_t)r->severity,
					 .lesser = (uint8_t)r->lesser },
		  &result);
	for (int s = SEVERITY_ERROR; s > SEVERITY_NONE; s--)
		if (result.n_found[s] > 0)
			return (enum severity)s;
	return SEVERITY_NONE;
}

/* No flaw of a body that the editor alone loads is an error, whatever its rule; in a body that a
 * game loads each error stays one. */
static void what_the_editor_alone_loads_is_no_error(void **state)
{
	unsigned n_errors = 0;
	struct fixture f;

	(void)state;
	build_good();
	decode(&f);
	for (const struct rule *const *r = upkg_format.rules; *r; r++) {
		if ((*r)->table < UPKG_FLAW_ROWS)
			continue;
		for (unsigned kind = 0; kind < N_FLAW_LISTS * FLAWS_IN_LIST; kind++)
			assert_true(severity_of(&f, *r, kind, true) < SEVERITY_ERROR);
		if ((*r)->severity != SEVERITY_ERROR)
			continue;
		assert_int_equal((*r)->lesser, SEVERITY_WARNING);
		n_errors++;
	}
	assert_int_equal(n_errors, 70);
	assert_int_equal(
		severity_of(&f, find_rule(upkg_format.rules, "BOD001"), FLAW_FRAME_CUT, true),
		SEVERITY_WARNING);
	assert_int_equal(
		severity_of(&f, find_rule(upkg_format.rules, "BOD001"), FLAW_FRAME_CUT, false),
		SEVERITY_ERROR);
	end_decode(&f);
}

/* A file without a name is judged by its bytes. */
static void a_file_may_have_no_name(void **state)
{
	struct fixture f;

	(void)state;
	build_good();
	open_fixture(&f, "");
	f.u = upkg_format.decode(&f.decode);
	assert_int_equal(why(&f, UPKG_REGIONS), STOP_NOT);
	for (const struct rule *const *r = upkg_format.rules; strncmp((*r)->id, "FIL", 3) == 0;
	     r++) {
		const struct rule_setting setting = { .severity = SEVERITY_ERROR,
						      .lesser = SEVERITY_WARNING };
		uint8_t status = RULE_PASS;
		struct check c = { .facts = f.u,
				   .source = &f.source,
				   .arena = &f.arena,
				   .rules = r,
				   .results = { &status, NULL, NULL },
				   .settings = &setting,
				   .version = 69 };

		(*r)->judge(&c);
		assert_int_equal(status, RULE_PASS);
	}
	end_decode(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_defect_is_found),
		cmocka_unit_test(what_the_editor_alone_loads_is_no_error),
		cmocka_unit_test(a_file_may_have_no_name),
	};

	return cmocka_run_group_tests(tests, make_image, free_image);
}

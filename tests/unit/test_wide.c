/* Tests of widths: groups and defects beyond 32, from the rows of a .def to a rule. */
#include "unit.h"

#define FORMAT wide
#define FORMAT_DEF "wide.def"
#include "formats/declare.h"

struct wide_fact {
	uint64_t traits;
};

struct wide {
	struct wide_fact rows[4];
	uint64_t n_rows, traits;
	const struct group *groups;
};

#define FORMAT wide
#define FORMAT_DEF "wide.def"
#include "formats/declare_tables.h"

#undef fail /* cmocka's; rules have their own */
#define RULE_LISTED(ID) .id = #ID
#include "rule/finding.h"

extern const struct rule WID001_rule, WID002_rule;

#define FORMAT wide
#define FORMAT_DEF "wide.def"
#define FORMAT_RULES "wide_rules.def"
#include "formats/define.h"

static unsigned n_told;

#define TEXTS .title = "", .message = "", .data = "", .why = "", .fix = "", .spec = ""

DEFECT_RULE(WID001, late_defects, ERROR, WIDE_ROWS, row, WIDE_D | WIDE_E, TEXTS,
     .explains = BIT(WIDE_38))
{
	(void)c;
	n_told += row->traits != 0;
}

DEFECT_RULE(WID002, last_defects, ERROR, WIDE_LAST, row, WIDE_G, TEXTS)
{
	(void)c;
	n_told += row->traits != 0;
}

static void bits_are_where_they_are_said_to_be(void **state)
{
	(void)state;
	assert_true(WIDE_A == 1 << 28 && (uint64_t)WIDE_D == UINT64_C(1) << 31 &&
		    WIDE_E == UINT64_C(1) << 32);
	assert_true((uint64_t)WIDE_G == UINT64_C(1) << 63);
	assert_true(wide_traits[WIDE_ROWS].defects == (UINT64_C(0x1F) << 28 & ~(uint64_t)WIDE_B));
	assert_true(wide_traits[WIDE_LAST].defects == UINT64_C(3) << 62);
	assert_int_equal(wide_n_groups, 40);
	assert_string_equal(wide_groups[WIDE_39].name, "39");
}

static void a_rule_tells_late_defects(void **state)
{
	struct wide facts = { .n_rows = 4,
			      .rows = { { WIDE_A | WIDE_C }, { WIDE_D }, { WIDE_E }, { WIDE_G } } };
	struct table t[TABLES_MAX];
	struct check c = { .facts = &facts };

	(void)state;
	assert_true(WID001_rule.tells == UINT64_C(3) << 31 &&
		    WID001_rule.needs == UINT64_C(1) << 39 &&
		    WID001_rule.explains == UINT64_C(1) << 38);
	n_told = 0;
	WID001_rule.judge_rows(&c, facts.rows, facts.n_rows);
	assert_int_equal(n_told, 2);
	WID002_rule.judge_rows(&c, facts.rows, facts.n_rows);
	assert_int_equal(n_told, 3);
	facts.traits = (uint64_t)WIDE_E | (uint64_t)WIDE_G;
	assert_int_equal(wide_tables(&facts, t), wide_n_tables);
	assert_true((t[WIDE_ROWS].absent & WID001_rule.tells) == UINT64_C(1) << 31);
	assert_true((t[WIDE_LAST].absent & WID002_rule.tells) == 0);
}

static void late_groups_stand_on_others(void **state)
{
	struct decode d = { .n_lacks = 0 };

	(void)state;
	d.groups[WIDE_38].why = STOP_MALFORMED;
	decode_spread(&d, wide_groups, wide_n_groups);
	assert_int_equal(d.groups[WIDE_39].why, STOP_NEEDS);
	assert_int_equal(d.groups[WIDE_39].on, WIDE_38);
	assert_true(decode_has(&d, WIDE_29) && decode_has(&d, WIDE_37));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bits_are_where_they_are_said_to_be),
		cmocka_unit_test(a_rule_tells_late_defects),
		cmocka_unit_test(late_groups_stand_on_others),
	};

	(void)wide_extensions, (void)wide_shared, (void)wide_layouts, (void)wide_rules;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What tests of evaluation begin with: a synthetic format whose tables are views, with rules, and
 * one evaluation of them. */
#ifndef UVET_TESTS_EVALUATE_STATE_H
#define UVET_TESTS_EVALUATE_STATE_H

#define RULE_LISTED(ID) .id = #ID /* rules of its own */
#include "unit.h"

#undef fail /* cmocka's; rules have their own */

#include "engine/evaluate.h"

#define LAYOUT_FILE "probe.def"
#include "core/layout_declare.h"
#include "core/layout_define.h"
#undef LAYOUT_FILE

/* The synthetic facts: n rows, and where each begins in the source. */
struct facts {
	uint64_t n;
	struct probe_fixed *kept;
};

enum group_number { GROUP_ROWS, GROUP_MISSING, GROUP_LEVEL };
enum table_number { TABLE_VIEW = 1, TABLE_KEPT, N_TABLES };

#define TABLE_VIEW_ROW struct probe_fixed
#define TABLE_VIEW_GROUP GROUP_ROWS
#define TABLE_KEPT_ROW struct probe_fixed
#define TABLE_KEPT_GROUP GROUP_ROWS

/* The traits of a kept row are its number. */
static inline uint64_t TABLE_KEPT_HAS(const void *facts, const struct probe_fixed *row)
{
	(void)facts;
	return row->four;
}

#define TEXTS .title = "", .message = "", .data = "", .why = "", .fix = "", .spec = ""

static inline void view_rows(const void *facts, uint64_t first, uint64_t n, void *rows_out)
{
	struct probe_fixed *rows = rows_out;

	(void)facts;
	for (uint64_t i = 0; i < n; i++)
		rows[i] = (struct probe_fixed){ .at = (first + i) * 15, .four = first + i };
}

/* ---- The synthetic rules --------------------------------------------------------------------- */

EACH(TST001, seventh, ERROR, TABLE_VIEW, row, TEXTS)
{
	if (row->four % 7 == 0)
		report(c, AT(c, probe_fixed, row, four), DEC(row->four));
}

EACH(TST002, eighth, WARNING, TABLE_VIEW, row, TEXTS, .lesser = SEVERITY_NOTE)
{
	if (row->four % 8 != 0)
		return;
	if (row->four % 16 == 0)
		report_lesser(c, AT(c, probe_fixed, row, two), DEC(row->four), WORD("word"));
	else
		report(c, AT(c, probe_fixed, row, two), DEC(row->four), WORD("word"));
	relate(c, AT_SPAN(1, 2), "there");
}

DEFECT_RULE(TST003, kept, ERROR, TABLE_KEPT, row, 6, TEXTS)
{
	if (row->four == 5)
		report(c, AT(c, probe_fixed, row, eight), HEX(row->four));
}

RULE(TST004, whole, NOTE, GROUP_ROWS, TEXTS)
{
	const struct facts *f = c->facts;

	if (f->n == 129)
		report_plain(c, NOWHERE);
}

RULE(TST005, missing, ERROR, GROUP_MISSING, TEXTS, .versions = UNTIL(9))
{
	report_plain(c, NOWHERE);
}

RULE(TST006, later_version, ERROR, GROUP_ROWS, TEXTS, .versions = SINCE(5))
{
	report_plain(c, NOWHERE);
}

RULE(TST007, also_missing, ERROR, GROUP_ROWS, TEXTS, .also = BIT(GROUP_LEVEL))
{
	report_plain(c, NOWHERE);
}

static const struct rule *const rules[] = {
	&TST001_rule, &TST002_rule, &TST003_rule, &TST004_rule,
	&TST005_rule, &TST006_rule, &TST007_rule,
};

enum { N_PROBES = 7, MOST_ROWS = 400 };

static const struct format_group group_names[] = { { .name = "rows" },
						   { .name = "missing" },
						   { .name = "payload" } };

/* ---- One evaluation -------------------------------------------------------------------------- */

struct fixture {
	struct fault_memory memory;
	struct arena arena;
	struct source source;
	uint8_t bytes[MOST_ROWS * 15];
	struct probe_fixed kept[MOST_ROWS];
	struct facts facts;
	struct table tables[N_TABLES];
	struct group groups[3];
	struct rule_setting settings[N_PROBES];
	uint8_t initial[N_PROBES];
	uint8_t status[N_PROBES];
	uint8_t why[N_PROBES];
	const char *reasons[REASONS_MAX];
	struct results_notes notes;
	struct indexed_rule indexed[N_PROBES];
	struct rule_index index;
	struct work work;
	struct probe_fixed block[TABLE_BLOCK];
	struct evaluation e;
};

static inline void prepare_evaluation(struct fixture *f, uint64_t n)
{
	*f = (struct fixture){ .facts = { n, f->kept }, .work = { .max = UINT64_MAX } };
	f->arena = unit_arena(&f->memory, UNIT_PLENTY);
	source_init_memory(&f->source, f->bytes, sizeof f->bytes, "name", &f->arena);
	view_rows(NULL, 0, n, f->kept);
	f->tables[TABLE_VIEW] = (struct table){ .record = "seen",
						.group = GROUP_ROWS,
						.n = n,
						.row_len = sizeof(struct probe_fixed),
						.view = view_rows };
	f->tables[TABLE_KEPT] = (struct table){ .record = "kept",
						.group = GROUP_ROWS,
						.n = n,
						.row_len = sizeof(struct probe_fixed),
						.rows = f->kept };
	f->groups[GROUP_MISSING].why = STOP_MALFORMED;
	f->groups[GROUP_LEVEL].why = STOP_LEVEL;
	for (size_t i = 0; i < N_PROBES; i++)
		f->settings[i] = (struct rule_setting){ .severity = (uint8_t)rules[i]->severity,
							.lesser = (uint8_t)rules[i]->lesser };
	memset(f->initial, RULE_PASS, N_PROBES);
	f->e = (struct evaluation){
		.check = { .facts = &f->facts,
			   .version = 1,
			   .source = &f->source,
			   .arena = &f->arena,
			   .tables = f->tables,
			   .n_tables = N_TABLES,
			   .rules = rules,
			   .results = { f->status, f->why, &f->notes },
			   .settings = f->settings,
			   .keep_max = UINT64_MAX },
		.groups = f->groups,
		.group_names = group_names,
		.n_groups = LENGTH(f->groups),
		.work = &f->work,
		.block = f->block,
		.indexed = f->indexed,
		.initial = f->initial,
	};
	f->notes = (struct results_notes){ .arena = &f->arena,
					   .first_own = N_PROBES,
					   .reasons = f->reasons };
	rule_index_fill(&f->index, rules, 0, N_PROBES, f->indexed);
}

static inline const struct rule_result *result(const struct fixture *f, size_t rule)
{
	return results_of(&f->e.check.results, rule);
}

static inline const char *reason(const struct fixture *f, size_t rule)
{
	return results_reason(&f->e.check.results, rule);
}

static inline void end_evaluation(struct fixture *f)
{
	arena_free(&f->arena);
	assert_int_equal(f->memory.n_live, 0);
}

static struct fixture fixture;

#endif

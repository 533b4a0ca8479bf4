/* Evaluation: first the rules that judge the file, then one pass over each table for those that judge rows. */
#include "engine/evaluate.h"

#include <string.h>

#include "core/canary.h"

/* The set of groups that were not decoded. */
static uint32_t missing_groups(const struct evaluation *e)
{
	uint32_t missing = 0;

	for (uint32_t g = 0; e->groups && g < e->n_groups; g++)
		missing |= e->groups[g].why != STOP_NOT ? GROUP(g) : 0;
	return missing;
}

/* The name of the first of the missing groups, of which there is one at least. */
static const char *missing_group(const struct evaluation *e, uint32_t missing)
{
	uint32_t g = 0;

	while (!(missing >> g & 1))
		g++;
	return e->groups[g].why == STOP_LEVEL ? "level" : e->group_names[g].name;
}

static inline bool applies(const struct rule *r, uint64_t version)
{
	return (r->versions.first == 0 && r->versions.last == 0) || layout_has(r->versions, version);
}

/* Sets the result of rule i to what is known before it is asked; false if it need not be. */
static inline bool prepare(const struct evaluation *e, size_t i, uint32_t missing)
{
	const struct rule *r = e->check.rules[i];
	struct rule_result *result = &e->check.results[i];
	uint32_t lacks = (r->needs | r->also) & missing;

	result->status = RULE_PASS;
	if (!profile_asks(&e->check.settings[i & ~(size_t)CANARY(18)], e->only)) {        /* canary: the neighbour's setting */
		result->status = RULE_IGNORED;
		return false;
	}
	if (!applies(r, e->check.version)) {
		result->status = RULE_NOT_APPLICABLE;
		result->reason = "version";
		return false;
	}
	if (lacks == 0)
		return true;
	result->reason = missing_group(e, lacks);
	result->status = RULE_NOT_EVALUATED;
	return false;
}

static inline bool is_open(const struct rule_result *r)
{
	return r->status == RULE_PASS || r->status == RULE_FAIL;
}

/* A rule that the work limit cuts off was not evaluated; what it found until then stays. */
UVET_RARE static void cut_off(struct rule_result *r)
{
	if (r->status == RULE_PASS)
		r->status = RULE_NOT_EVALUATED;
	r->reason = "work";
}

/* Makes rule i the one that is asked, at the price of n units of work; false if that is too much. */
static inline bool enter(struct evaluation *e, size_t i, uint64_t n)
{
	if (!work_spend(e->work, n)) {
		cut_off(&e->check.results[i]);
		return false;
	}
	e->check.number = i;
	e->check.made = NULL;
	return true;
}

/* For each table the rules that judge its rows, as a list through `next` in the order of the catalog; END ends it. */
struct queues {
	uint16_t first[TABLES_MAX], last[TABLES_MAX];
	uint16_t next[CATALOG_MAX];
};

#define END UINT16_MAX
_Static_assert(CATALOG_MAX < END, "a rule's number fits the queues");

static inline void enqueue(struct queues *q, uint32_t table, size_t rule)
{
	if (q->first[table] == END)
		q->first[table] = (uint16_t)rule;
	else
		q->next[q->last[table]] = (uint16_t)rule;
	q->last[table] = (uint16_t)rule;
	q->next[rule] = END;
}

static void judge_block(struct evaluation *e, const struct queues *q, uint32_t table, const void *rows, uint64_t n)
{
	const struct rule_result *results = e->check.results;

	for (size_t i = q->first[table]; i != END; i = q->next[i])
		if (is_open(&results[i]) && enter(e, i, n))
			e->check.rules[i]->judge_rows(&e->check, rows, n);
}

static void judge_table(struct evaluation *e, const struct queues *q, uint32_t number)
{
	const struct table *t = &e->check.tables[number];

	for (uint64_t at = 0; at < t->n; at += TABLE_BLOCK) {
		uint64_t n = t->n - at < TABLE_BLOCK ? t->n - at : TABLE_BLOCK;

		if (t->view) {
			t->view(e->check.facts, at, n, e->block);
			e->check.block = e->block;
			e->check.block_first = at;
			e->check.block_n = n;
			e->check.block_table = number;
		}
		judge_block(e, q, number, t->view ? e->block : (const unsigned char *)t->rows + at * t->row_len, n);
	}
	e->check.block = NULL;
}

/* A rule about marks that no row has passes without a look at the rows. */
static inline bool concerns(const struct rule *r, const struct table *t)
{
	return t->n > 0 && (r->marks == 0 || (r->marks & ~t->absent) != 0);
}

void evaluate_rules(struct evaluation *e, size_t first, size_t end)
{
	const uint32_t missing = missing_groups(e);
	const struct table *tables = e->check.tables;
	UVET_FILLED_LATER struct queues queues;

	memset(queues.first, 0xFF, sizeof queues.first);
	memset(e->check.results + first, 0, (end - first) * sizeof *e->check.results);
	for (size_t i = first; i < end; i++) {
		const struct rule *r = e->check.rules[i];

		if (!prepare(e, i, missing))
			continue;
		if (r->table != 0) {
			if (concerns(r, &tables[r->table]))
				enqueue(&queues, r->table, i);
		} else if (enter(e, i, 1)) {
			r->judge(&e->check);
		}
	}
	for (uint32_t t = 1; t < e->check.n_tables; t++)
		if (queues.first[t] != END)
			judge_table(e, &queues, t);
}

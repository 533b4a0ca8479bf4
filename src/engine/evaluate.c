/* Evaluation: first the rules that judge the file, then, in one pass over each table, those that
 * judge rows. */
#include "engine/evaluate.h"

#include <string.h>

#include "core/mutant.h"

/* The set of groups that were not decoded. */
static uint64_t missing_groups(const struct evaluation *e)
{
	uint64_t missing = 0;

	for (uint32_t g = 0; e->groups && g < e->n_groups; g++)
		missing |= e->groups[g].why != STOP_NOT ? BIT(g) : 0;
	return missing;
}

/* The name of the first missing group, of which there is at least one. */
static const char *missing_group(const struct evaluation *e, uint64_t missing)
{
	const unsigned g = bits_lowest(missing);

	switch (e->groups[g].why) {
	case STOP_LEVEL:
		return "level";
	case STOP_UNVERIFIED:
		return "version";
	case STOP_CODEC:
		return "codec";
	case STOP_COMPANION:
		return "companion";
	case STOP_KEY:
		return "key";
	default:
		return e->group_names[g].name;
	}
}

/* Notes which rules are not evaluated, because they are about other versions or lack facts; in a
 * file that was decoded to its end that is none. Rules that lack the same facts mostly follow
 * one another. */
UVET_RARE static void leave_out(struct evaluation *e, const struct rule_index *index,
				uint64_t missing)
{
	struct results *results = &e->check.results;
	const size_t offset = e->check.offset;
	uint64_t last = 0;
	const char *reason = NULL;

	for (size_t i = index->first; i < index->end; i++) {
		const struct indexed_rule *p = &e->indexed[i];
		const uint64_t lacks = p->needs & missing;
		const bool other_version = !layout_has(p->versions, e->check.version);

		if ((lacks == 0 && !other_version) || results->status[i - offset] != RULE_PASS)
			continue;
		if (other_version) {
			results->status[i - offset] = RULE_OTHER_VERSION;
			continue;
		}
		if (lacks != last)
			reason = missing_group(e, lacks);
		last = lacks;
		results_leave(results, i - offset, reason);
	}
}

/* Notes which rules are not asked of such an upload. */
UVET_RARE static void pass_over(struct evaluation *e, const struct rule_index *index)
{
	uint8_t *status = e->check.results.status;

	for (size_t i = index->first; i < index->end; i++) {
		const uint64_t uploads = e->indexed[i].uploads;

		if (uploads != 0 && !(uploads & BIT(e->upload)) &&
		    status[i - e->check.offset] != RULE_IGNORED)
			status[i - e->check.offset] = RULE_NOT_APPLICABLE;
	}
}

/* Tells whether rule i is to be evaluated, or to be continued. */
static inline bool is_open(const struct evaluation *e, size_t i)
{
	const uint8_t status = e->check.results.status[i - e->check.offset];

	return status == RULE_PASS || status == RULE_FAIL;
}

/* A rule that the work limit stops was not evaluated to its end; what it found until then stays. */
UVET_RARE static void cut_off(struct results *r, size_t i)
{
	if (r->status[i] == RULE_FAIL)
		results_cut_off(r, i, "work");
	else
		results_leave(r, i, "work");
}

/* Makes rule i the one that is evaluated, for n units of work; false if the limit does not allow
 * them. */
static inline bool enter(struct evaluation *e, size_t i, uint64_t n)
{
	if (!work_spend(e->work, n)) {
		cut_off(&e->check.results, i - e->check.offset);
		return false;
	}
	e->check.number = i;
	e->check.made = NULL;
	e->check.result = NULL;
	return true;
}

/* A rule about traits that no row has passes without a look at the rows. */
static inline bool concerns(const struct indexed_rule *p, const struct table *t)
{
	return p->tells == 0 || (p->tells & ~t->absent) != 0;
}

static void judge_file(struct evaluation *e, const struct rule_index *index)
{
	for (size_t i = index->head[0]; i != RULE_INDEX_END; i = e->indexed[i].next)
		if (is_open(e, i) && enter(e, i, 1))
			e->check.rules[i]->judge(&e->check);
}

static void judge_block(struct evaluation *e, const struct rule_index *index, uint32_t number,
			const void *rows, uint64_t n)
{
	const struct table *t = &e->check.tables[number];

	for (size_t i = index->head[number]; i != RULE_INDEX_END; i = e->indexed[i].next)
		if (is_open(e, i) && concerns(&e->indexed[i], t) && enter(e, i, n))
			e->check.rules[i]->judge_rows(&e->check, rows, n);
}

/* The rows of a table from `at` on, of which *n get its next block. */
static const void *block_at(const struct evaluation *e, const struct table *t, uint64_t at,
			    uint64_t *n)
{
	*n = t->n - at < TABLE_BLOCK ? t->n - at : TABLE_BLOCK;
	if (!t->view)
		return (const unsigned char *)t->rows + at * t->row_len;
	t->view(e->check.facts, at, *n, e->block);
	return e->block;
}

/* Tells whether rows have no defects but those that the decoder knows some to have: rules about
 * others are not asked. */
static bool are_summed_up(const struct evaluation *e, uint32_t number)
{
	const struct table *t = &e->check.tables[number];
	const struct format_traits *of = e->traits ? &e->traits[number] : NULL;
	const bool is_there = !e->groups || e->groups[t->group].why == STOP_NOT;

	for (uint64_t at = 0, n; is_there && of && of->has && at < t->n; at += n) {
		const unsigned char *rows = block_at(e, t, at, &n);

		for (uint64_t i = 0; i < n; i++)
			if (of->has(e->check.facts, rows + i * t->row_len) & t->absent &
			    of->defects)
				return false;
	}
	return true;
}

/* Tells whether any rule about a table has to see its rows. */
static bool is_concerned(const struct evaluation *e, const struct rule_index *index,
			 uint32_t number)
{
	size_t i = index->head[number];

	while (i != RULE_INDEX_END && !concerns(&e->indexed[i], &e->check.tables[number]))
		i = e->indexed[i].next;
	return i != RULE_INDEX_END;
}

static void judge_table(struct evaluation *e, const struct rule_index *index, uint32_t number)
{
	const struct table *t = &e->check.tables[number];

	PLAIN(are_summed_up(e, number));
	/* of a kept block judge_block finds out as quickly */
	if (t->n > (t->view ? 0 : TABLE_BLOCK) && !is_concerned(e, index, number))
		return;
	for (uint64_t at = 0, n; at < t->n; at += n) {
		const void *rows = block_at(e, t, at, &n);

		if (t->view) {
			e->check.block = rows;
			e->check.block_first = at;
			e->check.block_n = n;
			e->check.block_table = number;
		}
		judge_block(e, index, number, rows, n);
	}
	e->check.block = NULL;
}

void evaluate_rules(struct evaluation *e, const struct rule_index *index)
{
	const uint64_t missing = missing_groups(e);
	size_t skip = MUTANT(18); /* mutant: the neighbour's setting */

	memcpy(e->check.results.status + (index->first - e->check.offset),
	       e->initial + index->first + skip, index->end - index->first);
	if (index->by_upload)
		pass_over(e, index);
	if (missing != 0 || index->by_version)
		leave_out(e, index, missing);
	judge_file(e, index);
	for (uint32_t t = 1; t < e->check.n_tables; t++)
		judge_table(e, index, t);
}

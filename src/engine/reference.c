/* References: learning them from reports, and asking the rules that compare. */
#include "engine/reference.h"

#include <string.h>

#include "engine/evaluate.h"

/* ---- Learning -------------------------------------------------------------------------------- */

static bool is_same(const struct reference *to, const struct reference_value *a,
		    const struct reference_value *b, const uint8_t *text)
{
	return a->format == b->format && a->fact == b->fact && a->number == b->number &&
	       a->text_len == b->text_len &&
	       (a->text_len == 0 || memcmp(to->texts + a->text_at, text, a->text_len) == 0);
}

static const char *add(struct reference *to, struct reference_value value, const uint8_t *text)
{
	for (size_t i = 0; i < to->n; i++)
		if (is_same(to, &to->of[i], &value, text))
			return NULL;
	if (to->n == REFERENCE_MAX || value.text_len > REFERENCE_TEXTS_MAX - to->n_texts)
		return "the good files say more different things than are kept";
	value.text_at = (uint32_t)to->n_texts;
	if (value.text_len > 0)
		memcpy(to->texts + to->n_texts, text, value.text_len);
	to->n_texts += value.text_len;
	to->of[to->n++] = value;
	return NULL;
}

static const char *learn_info(struct reference *to, const struct format *f, const struct info *i)
{
	struct reference_value value = { .format = f, .fact = i->fact };

	switch (i->fact) {
	case FACT_NONE:
		return NULL;
	case FACT_METHODS:
	case FACT_PROTECTION:
		value.number = i->u.set.bits;
		break;
	case FACT_MOUNT_POINT:
		if (i->cut)
			return "the good file has a mount point that is longer than a path can be";
		value.text_len = i->n_utf8;
		break;
	default:
		value.number = i->number;
	}
	return add(to, value, i->is_text ? i->u.utf8 : NULL);
}

static const char *learn_file(struct reference *to, const struct report *r)
{
	const char *trouble = NULL;

	if (r->version != 0)
		trouble = add(to,
			      (struct reference_value){ .format = r->format,
							.fact = FACT_VERSION,
							.number = r->version },
			      NULL);
	for (size_t i = 0; i < r->n_infos && !trouble; i++)
		trouble = learn_info(to, r->format, &r->infos[i]);
	return trouble;
}

/* Why a file for which something is missing cannot be an example; NULL: it can. */
static const char *why_unjudged(const struct unjudged *u)
{
	switch (u->reason) {
	case UNJUDGED_CODEC:
	case UNJUDGED_COMPANION:
	case UNJUDGED_KEY:
		return NULL;
	case UNJUDGED_UNREADABLE:
	case UNJUDGED_CROWDED:
		return "the good file cannot be read";
	case UNJUDGED_FORMAT:
		return "the good file is of no format that is known for sure";
	default:
		return "the good file was not judged to its end";
	}
}

static const char *why_not(const struct report *r)
{
	const char *why = NULL;

	if (r->verdict == VERDICT_INVALID)
		return "the good file is invalid";
	if (r->verdict == VERDICT_NOT_APPLICABLE)
		return "the good file was not judged";
	for (size_t i = 0; i < r->n_unjudged && !why; i++)
		why = why_unjudged(&r->unjudged[i]);
	return why;
}

static bool has_facts(const struct report *r)
{
	if (r->version != 0)
		return true;
	for (size_t i = 0; i < r->n_infos; i++)
		if (r->infos[i].fact != FACT_NONE)
			return true;
	return false;
}

/* Files in a good file of which no rule was asked are no example. */
static const char *learn_tree(struct reference *to, const struct report *good)
{
	const char *trouble = why_not(good);
	bool is_told = false;

	for (const struct report *r = good; r && !trouble; r = report_next(good, r)) {
		if (r != good && r->verdict == VERDICT_NOT_APPLICABLE)
			continue;
		is_told = is_told || has_facts(r);
		trouble = why_not(r);
		if (!trouble)
			trouble = learn_file(to, r);
	}
	if (!trouble && !is_told)
		return "the good file has nothing by which others are compared with it";
	return trouble;
}

const char *reference_learn(struct reference *to, const struct report *good)
{
	const size_t n = to->n, n_texts = to->n_texts;
	const char *trouble = learn_tree(to, good);

	if (trouble) {
		to->n = n;
		to->n_texts = n_texts;
		return trouble;
	}
	to->n_files++;
	return NULL;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

const struct reference_value *comparison_next(const struct comparison *c, enum info_fact fact,
					      size_t *i)
{
	for (; *i < c->reference->n; ++*i) {
		const struct reference_value *v = &c->reference->of[*i];

		if (v->format != c->report->format || v->fact != fact)
			continue;
		++*i;
		return v;
	}
	return NULL;
}

const struct info *comparison_info(const struct comparison *c, enum info_fact fact)
{
	for (size_t i = 0; i < c->report->n_infos; i++)
		if (c->report->infos[i].fact == fact)
			return &c->report->infos[i];
	return NULL;
}

static bool has_fact(const struct comparison *c, enum info_fact fact)
{
	return fact == FACT_VERSION ? c->report->version != 0 : comparison_info(c, fact) != NULL;
}

/* A rule that had nothing to compare did not pass. */
static void settle(struct check *check, const struct comparison *c, size_t number)
{
	const enum info_fact fact = bits_lowest(check->rules[number]->needs);
	const size_t i = number - check->offset;
	size_t first = 0;

	if (!comparison_next(c, fact, &first))
		check->results.status[i] = RULE_NOT_APPLICABLE;
	else if (check->results.status[i] == RULE_PASS && !has_fact(c, fact))
		results_leave(&check->results, i, "reference");
}

bool reference_evaluate(const struct evaluation *shared, const struct rule_index *index,
			const struct comparison *c)
{
	struct evaluation e = *shared;

	e.check.facts = c;
	evaluate_rules(&e, index);
	for (size_t i = index->first; i < index->end; i++)
		settle(&e.check, c, i);
	return !e.check.lost;
}

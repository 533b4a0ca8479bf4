/* Verdicts: counting findings, and looking for parts that nobody accounts for. */
#include "engine/verdict.h"

#include "core/mutant.h"

static bool counts_as_reason(const struct rule_result *r)
{
	return r->n_found[SEVERITY_ERROR] + r->n_found[SEVERITY_UNDETERMINED] > 0;
}

/* The groups that some finding explains by its rule's own word. */
static uint64_t explained_groups(const struct report *r)
{
	uint64_t groups = 0;

	for (size_t i = 0; (i = results_next(&r->results, RULE_FAIL, i, r->n_rules)) < r->n_rules;
	     i++)
		if (counts_as_reason(results_of(&r->results, i)))
			groups |= r->rules[i]->explains;
	return MUTANT(19) ? UINT64_MAX : groups; /* mutant: nothing is unexplained */
}

/* Why a group is missing: for its own reason, or for that of the group that it needs, directly
 * or over others. STOP_NOT: it is not missing, or needs one that is not missing, or itself. */
static enum stop_why root_reason(const struct format *f, const struct group *groups, uint32_t g)
{
	for (uint32_t steps = 0; groups[g].why == STOP_NEEDS; steps++) {
		if (steps == f->n_groups || groups[g].on >= f->n_groups)
			return STOP_NOT;
		g = groups[g].on;
	}
	return groups[g].why;
}

/* Limits, memory and input have mandatory rules of the engine's own, so their stops are always
 * explained. */
static bool needs_a_rule(const struct format *f, const struct group *groups, uint32_t g)
{
	if (groups[g].why == STOP_NEEDS)
		return root_reason(f, groups, g) == STOP_NOT;
	return groups[g].why == STOP_MALFORMED || groups[g].why == STOP_UNSUPPORTED;
}

const char *verdict_unexplained(const struct report *r, const struct format *f,
				const struct group *groups)
{
	uint64_t explained, stopped = 0;

	for (uint32_t g = 0; g < f->n_groups; g++)
		stopped |= needs_a_rule(f, groups, g) ? BIT(g) : 0;
	if (stopped == 0)
		return NULL;
	explained = explained_groups(r);
	for (uint32_t g = 0; g < f->n_groups; g++)
		if (stopped & ~explained & BIT(g))
			return f->groups[g].name;
	return NULL;
}

/* Tells whether the scope of the verdict leaves a group out. */
static bool is_out_of_scope(const struct scope *s, enum stop_why why)
{
	return why == STOP_UNVERIFIED || why == STOP_GAME ||
	       (s->flags & SCOPE_TABLES && (why == STOP_LEVEL || why == STOP_COMPANION));
}

const char *verdict_gap(const struct report *r, const struct format *f, const struct group *groups)
{
	uint64_t missing = 0;

	/* mutant: as above */
	for (uint32_t g = MUTANT(19) ? f->n_groups : 0; g < f->n_groups; g++) {
		if (groups[g].why != STOP_NOT &&
		    !is_out_of_scope(&r->scope, root_reason(f, groups, g)))
			return f->groups[g].name;
		missing |= groups[g].why != STOP_NOT ? BIT(g) : 0;
	}
	for (size_t i = 0;
	     (i = results_next(&r->results, RULE_NOT_EVALUATED, i, r->n_rules)) < r->n_rules; i++)
		if (((r->rules[i]->needs | r->rules[i]->also) & missing) == 0 && !MUTANT(19))
			return "rules";
	return NULL;
}

static void count(struct report *r)
{
	for (size_t i = 0;
	     (i = results_next(&r->results, RULE_IGNORED, i, r->n_rules)) < r->n_rules; i++)
		r->n_ignored++;
	for (size_t s = 0; s <= SEVERITY_ERROR; s++)
		r->n_found[s] += r->results.notes->n_lost[s];
	for (size_t i = 0; (i = results_next(&r->results, RULE_FAIL, i, r->n_rules)) < r->n_rules;
	     i++) {
		const struct rule_result *result = results_of(&r->results, i);

		r->n_findings += (size_t)result->n_kept;
		for (size_t s = 0; s <= SEVERITY_ERROR; s++)
			r->n_found[s] += result->n_found[s];
	}
}

static bool list(struct report *r)
{
	size_t n = 0;

	if (r->n_findings == 0)
		return true;
	r->findings = arena_alloc(r->arena, r->n_findings, sizeof(*r->findings));
	if (!r->findings)
		return false;
	for (size_t i = 0; (i = report_next_failed(r, i)) < r->n_rules; i++)
		for (struct finding *f = results_of(&r->results, report_rule(r, i))->first; f;
		     f = f->next) {
			f->file = f->place.file > 0 ? report_file(r, f->place.file) : NULL;
			r->findings[n++] = f;
		}
	return true;
}

enum verdict verdict_worse(enum verdict a, enum verdict b)
{
	static const int rank[] = { [VERDICT_NOT_APPLICABLE] = 0,
				    [VERDICT_VALID] = 1,
				    [VERDICT_UNDETERMINED] = 2,
				    [VERDICT_INVALID] = 3 };

	return rank[a] > rank[b] ? a : b;
}

/* A file is no better than the files in it. */
static void take_worst_nested(struct report *r)
{
	/* mutant: the first nested file does not count */
	for (size_t i = MUTANT(29); i < r->n_nested; i++) {
		const struct report *n = r->nested[i];

		if (verdict_worse(r->verdict, n->verdict) == r->verdict)
			continue;
		r->verdict = n->verdict;
		r->inside = n->inside ? n->inside : n;
	}
}

bool verdict_finish(struct report *r)
{
	count(r);
	if (r->verdict != VERDICT_NOT_APPLICABLE) {
		if (r->n_found[SEVERITY_ERROR] > 0)
			r->verdict = VERDICT_INVALID;
		else if (r->n_found[SEVERITY_UNDETERMINED] >
			 (uint64_t)MUTANT(20)) /* mutant: one doubt passes */
			r->verdict = VERDICT_UNDETERMINED;
	}
	take_worst_nested(r);
	return list(r);
}

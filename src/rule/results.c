/* Results: those of rules that fail, and reasons. */
#include "rule/results.h"

/* Why a rule was not evaluated, as a number: none, that memory ended, or one of the notes'
 * reasons. */
enum { WHY_NOT, WHY_MEMORY, WHY_REASONS };

static struct rule_result *find_failed(const struct results *r, size_t i)
{
	struct rule_result *result = r->notes->failed;

	if (i >= r->notes->first_own)
		return &r->notes->own[i - r->notes->first_own];
	while (result->rule != i)
		result = result->next;
	return result;
}

const struct rule_result *results_of(const struct results *r, size_t i)
{
	static const struct rule_result plain[] = {
		[RULE_NOT_APPLICABLE] = { .status = RULE_NOT_APPLICABLE },
		[RULE_OTHER_VERSION] = { .status = RULE_OTHER_VERSION },
		[RULE_PASS] = { .status = RULE_PASS },
		[RULE_NOT_EVALUATED] = { .status = RULE_NOT_EVALUATED },
		[RULE_IGNORED] = { .status = RULE_IGNORED },
	};

	return r->status[i] == RULE_FAIL ? find_failed(r, i) : &plain[r->status[i]];
}

const char *results_reason(const struct results *r, size_t i)
{
	if ((r->status[i] != RULE_FAIL && r->status[i] != RULE_NOT_EVALUATED) ||
	    r->why[i] == WHY_NOT)
		return NULL;
	return r->why[i] == WHY_MEMORY ? "memory" : r->notes->reasons[r->why[i] - WHY_REASONS];
}

/* Memory for the result of a rule that fails for the first time. */
static struct rule_result *new_result(struct results_notes *notes, size_t i)
{
	struct rule_result *result;

	if (i >= notes->first_own)
		return &notes->own[i - notes->first_own];
	result = arena_alloc(notes->arena, 1, sizeof *result);
	notes->lost = notes->lost || !result;
	return result;
}

struct rule_result *results_fail(struct results *r, size_t i)
{
	struct rule_result *result;

	if (r->status[i] == RULE_FAIL)
		return find_failed(r, i);
	result = new_result(r->notes, i);
	if (!result)
		return NULL;
	*result = (struct rule_result){ .status = RULE_FAIL, .rule = i };
	if (i < r->notes->first_own) {
		result->next = r->notes->failed;
		r->notes->failed = result;
	}
	r->status[i] = RULE_FAIL;
	r->why[i] = WHY_NOT;
	return result;
}

/* The number of a reason. */
static uint8_t number_of(struct results_notes *notes, const char *reason)
{
	size_t i = notes->n_reasons;

	if (strcmp(reason, "memory") == 0)
		return WHY_MEMORY;
	while (i > 0 && strcmp(notes->reasons[i - 1], reason) != 0)
		i--;
	if (i > 0)
		return (uint8_t)(WHY_REASONS + i - 1);
	if (NEVER(notes->n_reasons == REASONS_MAX)) {
		notes->lost = true;
		return WHY_MEMORY;
	}
	notes->reasons[notes->n_reasons] = reason;
	return (uint8_t)(WHY_REASONS + notes->n_reasons++);
}

void results_note_reason(struct results_notes *notes, const char *reason)
{
	notes->last_why = number_of(notes, reason);
	notes->last_reason = reason;
}

void results_lose(struct results *r, size_t i, enum severity severity, uint64_t n)
{
	r->notes->n_lost[severity] += n;
	results_leave(r, i, "memory");
}

/* ---- Keeping them ---------------------------------------------------------------------------- */

bool results_are_same(const struct results *a, const struct results *b, size_t n)
{
	const size_t n_reasons = a->notes->n_reasons;

	return results_next(a, RULE_FAIL, 0, n) == n && !a->notes->lost && !b->notes->lost &&
	       memcmp(a->status, b->status, n) == 0 && memcmp(a->why, b->why, n) == 0 &&
	       n_reasons == b->notes->n_reasons &&
	       (n_reasons == 0 || memcmp(a->notes->reasons, b->notes->reasons,
					 n_reasons * sizeof *a->notes->reasons) == 0);
}

/* A copy of n rows, or NULL where memory ended; of none nothing is allocated. */
static void *copy_rows(struct arena *arena, const void *rows, size_t n, size_t size, bool *good)
{
	void *out;

	if (n == 0)
		return NULL;
	out = arena_alloc(arena, n, size);
	if (out)
		memcpy(out, rows, n * size);
	*good = *good && out;
	return out;
}

/* Results of rules from first_own on that did not fail mean nothing. */
static size_t count_own(const struct results *r, size_t n)
{
	return results_next(r, RULE_FAIL, r->notes->first_own, n) < n ? n - r->notes->first_own : 0;
}

/* Results of rules that did not fail were never filled in, so they are not copied. */
static struct rule_result *copy_own(struct arena *arena, const struct results *r, size_t n,
				    bool *good)
{
	const struct rule_result none = { .status = RULE_NOT_APPLICABLE };
	const size_t first = r->notes->first_own;
	struct rule_result *own = copy_rows(arena, r->notes->own, n, sizeof *own, good);

	for (size_t i = 0; own && i < n; i++)
		if (r->status[first + i] != RULE_FAIL)
			own[i] = none;
	return own;
}

bool results_copy(struct results *out, const struct results *r, size_t n, struct arena *arena)
{
	bool good = true;

	out->status = copy_rows(arena, r->status, n, 1, &good);
	out->why = copy_rows(arena, r->why, n, 1, &good);
	out->notes = copy_rows(arena, r->notes, 1, sizeof *r->notes, &good);
	if (!good)
		return false;
	out->notes->own = copy_own(arena, r, count_own(r, n), &good);
	out->notes->reasons = copy_rows(arena, r->notes->reasons, r->notes->n_reasons,
					sizeof *r->notes->reasons, &good);
	return good;
}

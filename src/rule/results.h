/* Results: what became of each rule that a file has, in one check. */
#ifndef UVET_RULE_RESULTS_H
#define UVET_RULE_RESULTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/arena.h"
#include "rule/rule.h"

struct finding;

/* A status up to RULE_PASS needs no explanation in reports. */
enum rule_status {
	RULE_NOT_APPLICABLE, /* it is another format's, or was not evaluated yet */
	RULE_OTHER_VERSION,  /* it is not about the file's version */
	RULE_PASS,
	RULE_FAIL,
	RULE_NOT_EVALUATED,
	RULE_IGNORED,
};

struct rule_result {
	enum rule_status status;
	uint64_t n_found[SEVERITY_ERROR + 1];
	uint64_t n_kept;
	struct finding *first, *last;
	size_t rule;              /* the index of the rule that it is of */
	struct rule_result *next; /* of another rule that fails */
};

/* results_sum is how many findings there are of the severities that count. */
static inline uint64_t results_sum(const uint64_t n_found[SEVERITY_ERROR + 1])
{
	uint64_t n = 0;

	for (size_t s = SEVERITY_NOTE; s <= SEVERITY_ERROR; s++)
		n += n_found[s];
	return n;
}

/* How many different reasons one report can have for rules that were not evaluated: some of the
 * engine's, and the names of a format's groups. */
enum { REASONS_MAX = 48 };

/* What only some rules need. The result of a rule that fails is taken from the arena. Those of
 * the last rules, from first_own on, are there from the start, because these rules report that
 * memory ended. */
struct results_notes {
	struct arena *arena;
	struct rule_result *own; /* of the rules from first_own on */
	size_t first_own;
	struct rule_result *failed; /* of rules before first_own that fail, the last one first */
	const char **reasons;       /* up to REASONS_MAX while rules are evaluated */
	size_t n_reasons;
	const char *last_reason; /* that was noted, and its number; NULL: none was */
	uint8_t last_why;
	bool lost; /* there was no memory for a result */
	/* findings of rules for whose result there was no memory; the verdict counts them */
	uint64_t n_lost[SEVERITY_ERROR + 1];
};

/* Results of a file's rules: those of its format, then the engine's own. A rule's index among
 * these is not its number in the catalog. For each the status (enum rule_status), and, where
 * that is RULE_FAIL or RULE_NOT_EVALUATED, a number that says why it was not evaluated to its
 * end. Read them by results_of and results_reason. */
struct results {
	uint8_t *status, *why;
	struct results_notes *notes;
};

/* results_of returns what a rule found, by its index. results_reason returns why it was not
 * evaluated, or not to its end, or NULL. That is a constant text, and the same pointer for the
 * same reason. */
const struct rule_result *results_of(const struct results *r, size_t i);
const char *results_reason(const struct results *r, size_t i);

/* results_next returns the first rule from i on that has this status; n: none of the n rules
 * has. To loop over them: for (size_t i = 0; (i = results_next(r, status, i, n)) < n; i++). It
 * is for a status that few rules have. */
static inline size_t results_next(const struct results *r, enum rule_status status, size_t i,
				  size_t n)
{
	const uint8_t *found = i < n ? memchr(r->status + i, (int)status, n - i) : NULL;

	return found ? (size_t)(found - r->status) : n;
}

/* results_fail returns the result of a rule that fails, a new one if the rule did not fail
 * before. NULL: memory ended. Then results_lose counts the n things that were found, and leaves
 * the rule. */
UVET_MUST_USE struct rule_result *results_fail(struct results *r, size_t i);
void results_lose(struct results *r, size_t i, enum severity severity, uint64_t n);

/* results_leave notes that a rule was not evaluated, results_cut_off that one was not evaluated
 * to its end: what it found until then stays. A reason is a constant text. Rules with the same
 * reason mostly follow one another, so the number of the last one, which results_note_reason
 * finds, is kept. */
void results_note_reason(struct results_notes *notes, const char *reason);

static inline void results_cut_off(struct results *r, size_t i, const char *reason)
{
	if (r->notes->last_reason != reason)
		results_note_reason(r->notes, reason);
	r->why[i] = r->notes->last_why;
}

static inline void results_leave(struct results *r, size_t i, const char *reason)
{
	r->status[i] = RULE_NOT_EVALUATED;
	results_cut_off(r, i, reason);
}

/* results_are_same tells whether two files with the same n rules have the same results, and no
 * rule failed. results_copy copies those of n rules, without what only evaluating needs.
 * Findings are shared. false: memory ended. */
bool results_are_same(const struct results *a, const struct results *b, size_t n);
UVET_MUST_USE bool results_copy(struct results *out, const struct results *r, size_t n,
				struct arena *arena);

#endif

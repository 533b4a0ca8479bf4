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
	RULE_NOT_APPLICABLE, /* another format's; or it was not asked yet */
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

/* How many words of one report can say why rules were not evaluated: the engine's own few, and the
 * names of a format's groups. */
enum { REASONS_MAX = 48 };

/* What only some rules need. The results of rules that fail are in an arena; but the last rules,
 * which say that memory ended, have theirs from the start. */
struct results_notes {
	struct arena *arena;
	struct rule_result *own; /* of the rules from first_own on */
	size_t first_own;
	struct rule_result *failed; /* of rules before first_own that fail, the last one first */
	const char **reasons;       /* up to REASONS_MAX while rules are evaluated */
	size_t n_reasons;
	const char *last_reason; /* that was handed over, and its number; NULL: none was */
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

/* results_of gives what a rule found, by its index. results_reason tells why it was not
 * evaluated, or not to its end: a few words, ours, which are the same pointer wherever they are
 * the same; else NULL. */
const struct rule_result *results_of(const struct results *r, size_t i);
const char *results_reason(const struct results *r, size_t i);

/* results_next returns the first rule from i on that has this status; n: none of the n rules
 * has. So they are gone over: for (size_t i = 0; (i = results_next(r, status, i, n)) < n; i++).
 * It is for a status that few rules have. */
static inline size_t results_next(const struct results *r, enum rule_status status, size_t i,
				  size_t n)
{
	const uint8_t *found = i < n ? memchr(r->status + i, (int)status, n - i) : NULL;

	return found ? (size_t)(found - r->status) : n;
}

/* results_fail gives the result of a rule that fails, which it begins if the rule did not fail
 * before. NULL: memory ended. Then results_lose counts the n things that were found, and leaves
 * the rule. */
UVET_MUST_USE struct rule_result *results_fail(struct results *r, size_t i);
void results_lose(struct results *r, size_t i, enum severity severity, uint64_t n);

/* results_leave says that a rule is not evaluated. Where memory ended, that is the reason.
 * results_cut_off says that one was not evaluated to its end: what it found until then stays. A
 * reason is a constant. Rules that lack the same mostly follow one another and hand over the
 * same pointer, so that its number, which results_note_reason finds, is kept. */
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
 * rule failed.
 * results_copy copies those of n rules, without the room that only asking needs. What rules
 * found is shared. false: memory ended. */
bool results_are_same(const struct results *a, const struct results *b, size_t n);
UVET_MUST_USE bool results_copy(struct results *out, const struct results *r, size_t n,
				struct arena *arena);

#endif

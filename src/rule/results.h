/* Results: what became of each rule in one check. */
#ifndef UVET_RULE_RESULTS_H
#define UVET_RULE_RESULTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rule/rule.h"

struct finding;

/* What is at most RULE_PASS goes without saying. */
enum rule_status {
	RULE_NOT_APPLICABLE,            /* another format's */
	RULE_OTHER_VERSION,             /* it is not about the file's version */
	RULE_PASS, RULE_FAIL, RULE_NOT_EVALUATED, RULE_IGNORED,
};

struct rule_result {
	enum rule_status status;
	uint64_t n_found[SEVERITY_ERROR + 1];
	uint64_t n_kept;
	struct finding *first, *last;
};

/* Results of the whole catalog. Nearly all rules pass and say no more: noted[i] is only written when status[i], an enum rule_status, is
 * RULE_FAIL, and reasons[i] when it is that or RULE_NOT_EVALUATED. So read them by results_of and results_reason. */
struct results {
	uint8_t *status;
	const char **reasons;
	struct rule_result *noted;
};

static inline const struct rule_result *results_of(const struct results *r, size_t i)
{
	static const struct rule_result plain[] = {
		[RULE_NOT_APPLICABLE] = { .status = RULE_NOT_APPLICABLE },
		[RULE_OTHER_VERSION]  = { .status = RULE_OTHER_VERSION },
		[RULE_PASS]           = { .status = RULE_PASS },
		[RULE_NOT_EVALUATED]  = { .status = RULE_NOT_EVALUATED },
		[RULE_IGNORED]        = { .status = RULE_IGNORED },
	};

	return r->status[i] == RULE_FAIL ? &r->noted[i] : &plain[r->status[i]];
}

/* results_next returns the first rule from i on that has this status; n: none of the n rules has. So they are gone over:
 * for (size_t i = 0; (i = results_next(r, status, i, n)) < n; i++). It is for a status that few rules have. */
static inline size_t results_next(const struct results *r, enum rule_status status, size_t i, size_t n)
{
	const uint8_t *found = i < n ? memchr(r->status + i, (int)status, n - i) : NULL;

	return found ? (size_t)(found - r->status) : n;
}

/* results_reason tells why a rule was not evaluated, or not to its end: a few words, ours; else NULL. */
static inline const char *results_reason(const struct results *r, size_t i)
{
	return r->status[i] == RULE_FAIL || r->status[i] == RULE_NOT_EVALUATED ? r->reasons[i] : NULL;
}

/* results_fail begins the result of a rule that fails, results_leave says that a rule is not evaluated. */
static inline struct rule_result *results_fail(struct results *r, size_t i)
{
	r->status[i] = RULE_FAIL;
	r->reasons[i] = NULL;
	r->noted[i] = (struct rule_result){ .status = RULE_FAIL };
	return &r->noted[i];
}
static inline void results_leave(struct results *r, size_t i, const char *reason)
{
	r->status[i] = RULE_NOT_EVALUATED;
	r->reasons[i] = reason;
}

#endif

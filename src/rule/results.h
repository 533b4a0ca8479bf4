/* Results: what became of each rule in one check. */
#ifndef UVET_RULE_RESULTS_H
#define UVET_RULE_RESULTS_H

#include <stddef.h>
#include <stdint.h>

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
	const char *reason;             /* why it was not evaluated, or not to its end: a few words, ours; else NULL */
	uint64_t n_found[SEVERITY_ERROR + 1];
	uint64_t n_kept;
	struct finding *first, *last;
};

/* Results of the whole catalog. Nearly all rules pass and say no more: noted[i] is only written when status[i], an enum rule_status, is
 * RULE_FAIL or RULE_NOT_EVALUATED. So read them by results_of. */
struct results {
	uint8_t *status;
	struct rule_result *noted;
};

static inline const struct rule_result *results_of(const struct results *r, size_t i)
{
	static const struct rule_result plain[] = {
		[RULE_NOT_APPLICABLE] = { .status = RULE_NOT_APPLICABLE },
		[RULE_OTHER_VERSION]  = { .status = RULE_OTHER_VERSION },
		[RULE_PASS]           = { .status = RULE_PASS },
		[RULE_IGNORED]        = { .status = RULE_IGNORED },
	};
	enum rule_status status = r->status[i];

	return status == RULE_FAIL || status == RULE_NOT_EVALUATED ? &r->noted[i] : &plain[status];
}

/* results_note begins the result of a rule that fails or was not evaluated. */
static inline struct rule_result *results_note(struct results *r, size_t i, enum rule_status status, const char *reason)
{
	r->status[i] = (uint8_t)status;
	r->noted[i] = (struct rule_result){ .status = status, .reason = reason };
	return &r->noted[i];
}

#endif

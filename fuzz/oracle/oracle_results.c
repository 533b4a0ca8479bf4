/* Results of rules, found by their ids. */
#include "oracle/oracle_results.h"

#include <stdio.h>
#include <string.h>

#include "support/must.h"

/* The ids that oracles name are few and always the same strings. */
size_t oracle_rule(const char *id)
{
	enum { SLOTS = 256 };
	static struct {
		const char *id;
		size_t rule;
	} known[SLOTS];
	size_t slot = (uintptr_t)id / 2 % SLOTS;

	while (known[slot].id && known[slot].id != id)
		slot = (slot + 1) % SLOTS;
	if (!known[slot].id) {
		known[slot].id = id;
		known[slot].rule = catalog_find(id, strlen(id));
		MUST(known[slot].rule < catalog_count(), "oracles name rules that exist");
	}
	return known[slot].rule;
}

uint64_t oracle_found(const struct report *r, const char *id)
{
	const struct rule_result *result = report_result(r, oracle_rule(id));
	uint64_t n = 0;

	for (size_t s = 0; s <= SEVERITY_ERROR; s++)
		n += result->n_found[s];
	return n;
}

uint64_t oracle_found_in_tree(const struct report *r, const char *id)
{
	uint64_t n = 0;

	for (const struct report *next = r; next; next = report_next(r, next))
		n += oracle_found(next, id);
	return n;
}

bool oracle_was_judged(const struct report *r, const char *id)
{
	const size_t i = report_find(r, oracle_rule(id));
	const enum rule_status status = i < r->n_rules ? (enum rule_status)r->results.status[i]
						       : RULE_NOT_APPLICABLE;

	return (status == RULE_PASS || status == RULE_FAIL) && !results_reason(&r->results, i);
}

void oracle_expect(const struct report *r, const char *id, uint64_t n)
{
	if (oracle_was_judged(r, id) && oracle_found(r, id) != n)
		fprintf(stderr, "%s: found %llu, a reference reading finds %llu\n", id,
			(unsigned long long)oracle_found(r, id), (unsigned long long)n);
	MUST(!oracle_was_judged(r, id) || oracle_found(r, id) == n,
	     "a reference reading finds the same");
}

void oracle_expect_any(const struct report *r, const char *id, uint64_t n)
{
	oracle_expect(r, id, n == 0 ? 0 : oracle_found(r, id) > 0 ? oracle_found(r, id) : 1);
}

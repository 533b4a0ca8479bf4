/* What a report says of rules, by their ids. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_RESULTS_H
#define UVET_FUZZ_ORACLE_ORACLE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/engine.h"

/* oracle_rule is the number of a rule by its id, which exists and is a constant string. */
size_t oracle_rule(const char *id);

/* oracle_found counts what a rule found in a file, oracle_found_in_tree in those nested in it
 * too. */
uint64_t oracle_found(const struct report *r, const char *id);
uint64_t oracle_found_in_tree(const struct report *r, const char *id);

/* oracle_info is a number that a report tells of its file, or `otherwise` if it does not. */
static inline uint64_t oracle_info(const struct report *r, const char *name, uint64_t otherwise)
{
	for (size_t i = 0; i < r->n_infos; i++)
		if (strcmp(r->infos[i].name, name) == 0)
			return r->infos[i].number;
	return otherwise;
}

/* oracle_was_judged tells whether a rule was evaluated to its end. */
bool oracle_was_judged(const struct report *r, const char *id);

/* oracle_expect: a rule that was judged found n things. oracle_expect_any: it found something, or
 * nothing if n is 0. */
void oracle_expect(const struct report *r, const char *id, uint64_t n);
void oracle_expect_any(const struct report *r, const char *id, uint64_t n);

#endif

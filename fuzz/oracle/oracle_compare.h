/* The oracle of two reports. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_COMPARE_H
#define UVET_FUZZ_ORACLE_ORACLE_COMPARE_H

#include "engine/report.h"

/* oracle_same: two reports are equal, but for the rules that `without` marks in the second, and
 * for ENG001 if there are any; so are those nested in them. */
void oracle_same(const struct report *a, const struct report *b, const bool *without);

/* oracle_same_counts holds the numbers of findings of two checks against each other that kept more
 * or fewer of them. */
void oracle_same_counts(const struct report *a, const struct report *b);

#endif

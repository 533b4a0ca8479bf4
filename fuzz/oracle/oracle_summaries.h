/* The oracle of summaries: they say what reports say, and nothing that was not decoded. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_SUMMARIES_H
#define UVET_FUZZ_ORACLE_ORACLE_SUMMARIES_H

#include "formats/summary.h"
#include "oracle/oracle_trial.h"

/* oracle_summaries: r is the report of a check that had all memory it asked for, and these are the
 * summaries that it left. */
void oracle_summaries(const struct report *r, const struct summaries *all);

/* oracle_short_summaries: they are those of a check whose summaries had little memory, `whole`
 * those of the same check with enough; what is missing is said to be. */
void oracle_short_summaries(const struct summaries *all, const struct summaries *whole);

#endif

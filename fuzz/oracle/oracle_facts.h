/* The oracle of facts. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_FACTS_H
#define UVET_FUZZ_ORACLE_ORACLE_FACTS_H

#include "oracle/oracle_trial.h"

/* oracle_facts: decodes again; regions are sorted and complete, records tile, a missing fact group
 * is never called valid. */
void oracle_facts(const struct trial *t, const struct report *r);

#endif

/* The oracle of what a container stores. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_STORED_H
#define UVET_FUZZ_ORACLE_ORACLE_STORED_H

#include "oracle/oracle_container.h"
#include "oracle/oracle_trial.h"

struct utoc;

/* oracle_stored: a reference reading of what a container with its companions stores agrees with the
 * rules; oracle_stored_facts: so it does with the facts. */
void oracle_stored(const struct reading *u, const struct trial *t, const struct report *r);
void oracle_stored_facts(const struct reading *u, const struct trial *t, const struct utoc *facts);

#endif

/* The oracle of a global container. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_GLOBAL_H
#define UVET_FUZZ_ORACLE_ORACLE_GLOBAL_H

#include "oracle/oracle_container.h"
#include "oracle/oracle_trial.h"

struct utoc;

/* oracle_global: a second, slow reading of the chunks of a global container, if it is called that,
 * agrees with the rules; oracle_global_facts: so it does with the facts. */
void oracle_global(const struct reading *u, const struct trial *t, const struct report *r);
void oracle_global_facts(const struct reading *u, const struct trial *t, const struct utoc *facts);

#endif

/* The oracle of a report with those nested in it. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_TREE_H
#define UVET_FUZZ_ORACLE_ORACLE_TREE_H

#include "oracle/oracle_trial.h"

/* oracle_tree: a report and those nested in it are a tree, and each holds what oracle_report and
 * the oracle of its format ask of it. With `facts`, what oracle_facts asks too. */
void oracle_tree(const struct trial *t, const struct report *r, bool facts);

#endif

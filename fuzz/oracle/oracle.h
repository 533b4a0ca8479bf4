/* The oracle: does with one input what a server does, and holds the outcome against what uvet
 * promises. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_H
#define UVET_FUZZ_ORACLE_ORACLE_H

#include "oracle/oracle_trial.h"

/* oracle_check runs every oracle on the subject, with options and faults that follow from its
 * bytes. It returns, or stops the harness at the first broken promise. */
void oracle_check(const struct subject *s);

/* oracle_check_some does so for one subject in two, by its bytes, and for all when the harness
 * is thorough: for harnesses whose own oracle has checked the subject once already. */
void oracle_check_some(const struct subject *s);

#endif

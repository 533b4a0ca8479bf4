/* The oracle of one report. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_REPORT_H
#define UVET_FUZZ_ORACLE_ORACLE_REPORT_H

#include "oracle/oracle_trial.h"

/* oracle_report: counts, statuses, places, arguments and verdict of one report agree with one
 * another and with the bytes. */
void oracle_report(const struct trial *t, const struct report *r);

/* oracle_is_idle tells whether the profile leaves no rule that was asked of a file and can find an
 * error. */
bool oracle_is_idle(const struct trial *t, const struct report *r);

#endif

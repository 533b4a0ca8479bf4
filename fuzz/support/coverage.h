/* What the fuzzer sees of an execution. */
#ifndef UVET_FUZZ_SUPPORT_COVERAGE_H
#define UVET_FUZZ_SUPPORT_COVERAGE_H

/* coverage_hide hides from the fuzzer all that is executed until coverage_show: the same check
 * under other circumstances reaches code by chance of the dice, and inputs that are kept for
 * that make a corpus large and slow. The two are not nested. */
void coverage_hide(void);
void coverage_show(void);

#endif

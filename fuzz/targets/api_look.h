/* A look at a report through the public interface: what it tells agrees with itself. */
#ifndef UVET_FUZZ_TARGETS_API_LOOK_H
#define UVET_FUZZ_TARGETS_API_LOOK_H

#include <stdbool.h>

#include "uvet/uvet.h"

/* look_at goes through a report and those nested in it; what is cut follows from the seed. */
void look_at(const uvet_report *top, uint64_t seed);

/* look_says tells whether a report of the tree has that reason for something that was not
 * judged. */
bool look_says(const uvet_report *top, const char *reason);

/* look_worse is the worse of two verdicts. */
uvet_verdict look_worse(uvet_verdict a, uvet_verdict b);

#endif

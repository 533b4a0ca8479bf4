/* Jobs: inputs checked several at a time, reports handed on in the order of the inputs. */
#ifndef UVET_CLI_JOBS_H
#define UVET_CLI_JOBS_H

#include "cli/engines.h"

/* A jobs_sink takes an input and its report; anything but UVET_OK ends the jobs. */
typedef uvet_status jobs_sink(void *ctx, const struct input *in, const uvet_report *report);

/* How much work is done at a time, and with how much memory. */
struct jobs_plan {
	unsigned n;                     /* threads, the caller's among them; with 1 no other is made */
	const struct judges *judges;    /* whose checks have a share of the memory that is left for checks, n of which are less than it */
	const struct judges *alone;     /* whose checks have all of it; NULL where a share is all of it */
};

/* jobs_run checks every input and passes the reports on from this thread. A check for which its share of the memory is not enough is made
 * once more while no other runs, and one that found too many files open while nothing else is, so that reports do not depend on the number
 * of threads. It returns the first status that is not UVET_OK, or UVET_OK at the end. */
uvet_status jobs_run(struct inputs *inputs, const struct jobs_plan *plan, jobs_sink *sink, void *ctx);

#endif

/* Jobs: inputs are checked several at a time, and their reports passed on in the order of the
 * inputs. */
#ifndef UVET_CLI_JOBS_H
#define UVET_CLI_JOBS_H

#include "cli/engines.h"

/* A jobs_sink takes an input and its report; anything but UVET_OK ends the jobs. */
typedef uvet_status jobs_sink(void *ctx, const struct input *in, const uvet_report *report);

/* How many checks are made at a time, and with how much memory. */
struct jobs_plan {
	unsigned n; /* threads, with the caller's */
	/* whose checks have a share of the memory each; n shares are less than all of it */
	const struct engines *engines;
	/* whose checks have all of it; NULL if those of `engines` have */
	const struct engines *alone;
	struct progress *progress; /* is shown while this thread waits for checks, or makes some */
};

/* jobs_run checks every input and passes the reports on, from this thread. So that reports do
 * not depend on the number of threads, a check that ran out of its share of memory is made again
 * while no other runs, and one that found too many files open while no other file is open. It
 * returns the first status that is not UVET_OK, or UVET_OK at the end. */
uvet_status jobs_run(struct inputs *inputs, const struct jobs_plan *plan, jobs_sink *sink,
		     void *ctx);

#endif

/* Jobs: inputs checked several at a time, reports handed on in the order of the inputs. */
#ifndef UVET_CLI_JOBS_H
#define UVET_CLI_JOBS_H

#include "cli/judge.h"

/* A jobs_sink takes an input, by now closed, and its report; anything but UVET_OK ends the jobs. */
typedef uvet_status jobs_sink(void *ctx, const struct input *in, const uvet_report *report);

/* jobs_run checks every input with n threads, this one among them, and passes the reports on from this thread. With n = 1 no
 * other is made. It returns the first status that is not UVET_OK, or UVET_OK at the end. */
uvet_status jobs_run(struct inputs *inputs, const struct judges *judges, unsigned n, jobs_sink *sink, void *ctx);

#endif

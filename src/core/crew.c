/* The crew of one. */
#include "core/crew.h"

#include <stddef.h>

static void run_alone(void *ctx, crew_job *job, void *work)
{
	(void)ctx;
	job(work, 0);
}

const struct crew crew_alone = { 1, run_alone, NULL };

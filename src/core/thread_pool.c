/* The thread pool without threads: the caller runs the job. */
#include "core/thread_pool.h"

#include <stddef.h>

static void run_here(void *ctx, thread_job *job, void *work)
{
	(void)ctx;
	job(work, 0);
}

const struct thread_pool thread_pool_single = { 1, run_here, NULL };

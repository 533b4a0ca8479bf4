/* The threads of an engine, among which the work on one input is shared. */
#include "api/api.h"

struct worker {
	thread_job *job;
	void *work;
	unsigned number;
	struct platform_thread *thread; /* NULL: it could not be started */
};

static void work(void *ctx)
{
	const struct worker *w = ctx;

	w->job(w->work, w->number);
}

/* What no thread could be started for is done in this one. */
void api_threads_run(void *ctx, thread_job *job, void *shared)
{
	const struct thread_pool *pool = ctx;
	struct worker workers[API_JOBS_MAX];

	for (unsigned i = 1; i < pool->n; i++) {
		workers[i] = (struct worker){ job, shared, i, NULL };
		if (!platform_thread_start(work, &workers[i], &workers[i].thread))
			workers[i].thread = NULL;
	}
	job(shared, 0);
	for (unsigned i = 1; i < pool->n; i++) {
		if (workers[i].thread)
			platform_thread_join(workers[i].thread);
		else
			job(shared, i);
	}
}

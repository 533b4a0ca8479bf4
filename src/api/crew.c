/* The crew of an engine: the work on one input shared among threads. */
#include "api/api.h"

struct worker {
	crew_job *job;
	void *work;
	unsigned number;
	struct platform_thread *thread;         /* NULL: it could not be started */
};

static void work(void *ctx)
{
	const struct worker *w = ctx;

	w->job(w->work, w->number);
}

/* What no thread could be started for is done in this one. */
void api_crew_run(void *ctx, crew_job *job, void *shared)
{
	const struct crew *crew = ctx;
	struct worker workers[API_JOBS_MAX];

	for (unsigned i = 1; i < crew->n; i++) {
		workers[i] = (struct worker){ job, shared, i, NULL };
		if (!platform_thread_start(work, &workers[i], &workers[i].thread))
			workers[i].thread = NULL;
	}
	job(shared, 0);
	for (unsigned i = 1; i < crew->n; i++) {
		if (workers[i].thread)
			platform_thread_join(workers[i].thread);
		else
			job(shared, i);
	}
}

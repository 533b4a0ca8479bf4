/* The crew: the threads that a decoder may share its work among. */
#ifndef UVET_CORE_CREW_H
#define UVET_CORE_CREW_H

/* A crew_job is one worker's part of some work. Jobs share the work among themselves, and do not wait for one another: they may run
 * one after the other. */
typedef void crew_job(void *work, unsigned worker);

/* run calls the job once for each worker from 0 to n - 1, in threads of their own where n > 1, and returns when all have ended. n is 1 at
 * least. */
struct crew {
	unsigned n;
	void (*run)(void *ctx, crew_job *job, void *work);
	void *ctx;
};

/* crew_alone is the crew of one, which makes no thread. */
extern const struct crew crew_alone;

#endif

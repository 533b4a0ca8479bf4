/* The thread pool: the threads among which a decoder may share its work. */
#ifndef UVET_CORE_THREAD_POOL_H
#define UVET_CORE_THREAD_POOL_H

/* A thread_job is one worker's part of some work. Jobs share the work among themselves, and do
 * not wait for one another: they may run one after the other. */
typedef void thread_job(void *work, unsigned worker);

/* run calls the job once for each worker from 0 to n - 1, in threads of their own where n > 1,
 * and returns when all have ended. n is at least 1. */
struct thread_pool {
	unsigned n;
	void (*run)(void *ctx, thread_job *job, void *work);
	void *ctx;
};

/* thread_pool_single runs the job of one worker in the calling thread. */
extern const struct thread_pool thread_pool_single;

#endif

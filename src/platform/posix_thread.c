/* Threads, monitors and the clock on POSIX systems. */
#define _GNU_SOURCE 1

#include "platform/platform.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct platform_thread {
	pthread_t thread;
	void (*run)(void *ctx);
	void *ctx;
};

static void *thread_main(void *arg)
{
	struct platform_thread *t = arg;

	t->run(t->ctx);
	return NULL;
}

bool platform_thread_start(void (*run)(void *ctx), void *ctx, struct platform_thread **out)
{
	struct platform_thread *t = malloc(sizeof *t);
	int error;

	if (!t)
		return false;
	t->run = run;
	t->ctx = ctx;
	error = pthread_create(&t->thread, NULL, thread_main, t);
	if (error != 0) {
		free(t);
		errno = error;
		return false;
	}
	*out = t;
	return true;
}

void platform_thread_join(struct platform_thread *t)
{
	pthread_join(t->thread, NULL);
	free(t);
}

struct platform_monitor {
	pthread_mutex_t lock;
	pthread_cond_t conditions[PLATFORM_CONDITIONS];
};

/* With default attributes, initialising neither allocates nor fails on the systems that are
 * supported. */
bool platform_monitor_new(struct platform_monitor **out)
{
	struct platform_monitor *m = malloc(sizeof *m);

	if (!m)
		return false;
	pthread_mutex_init(&m->lock, NULL);
	for (int i = 0; i < PLATFORM_CONDITIONS; i++)
		pthread_cond_init(&m->conditions[i], NULL);
	*out = m;
	return true;
}

void platform_monitor_free(struct platform_monitor *m)
{
	if (!m)
		return;
	for (int i = 0; i < PLATFORM_CONDITIONS; i++)
		pthread_cond_destroy(&m->conditions[i]);
	pthread_mutex_destroy(&m->lock);
	free(m);
}

void platform_monitor_enter(struct platform_monitor *m)
{
	pthread_mutex_lock(&m->lock);
}

void platform_monitor_leave(struct platform_monitor *m)
{
	pthread_mutex_unlock(&m->lock);
}

void platform_monitor_wait(struct platform_monitor *m, int condition)
{
	pthread_cond_wait(&m->conditions[condition], &m->lock);
}

void platform_monitor_wake_all(struct platform_monitor *m, int condition)
{
	pthread_cond_broadcast(&m->conditions[condition]);
}

unsigned platform_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (unsigned)n : 1;
}

/* Every system that uvet runs on has this clock, so the call cannot fail. */
uint64_t platform_now(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Years of more than four digits are not ours to see. */
uint32_t platform_today(void)
{
	const time_t now = time(NULL);
	struct tm day;

	if (now == (time_t)-1 || !gmtime_r(&now, &day) || day.tm_year < 0 || day.tm_year > 8099)
		return UINT32_MAX;
	return ((uint32_t)day.tm_year + 1900) * 10000 + ((uint32_t)day.tm_mon + 1) * 100 +
	       (uint32_t)day.tm_mday;
}

/* Jobs: a ring of slots, which the main thread fills and empties in the order of the inputs. All
 * threads work on the filled ones, the main thread too while it waits. So the look-ahead is
 * bounded, and reports come in the order of the inputs. */
#include "cli/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"

/* How many slots there are for each thread, so that one long file does not stop the others at
 * once; and in all, because each may hold an open file. */
enum { SLOTS_PER_THREAD = 8, SLOTS_MAX = 128 };

enum { WORK_IS_READY, OLDEST_IS_DONE };

struct job {
	struct input input;
	char *path; /* the input's, copied; the buffer is kept for the next one */
	size_t path_max;
	/* until the job is done, this and is_done are as drop_report leaves them */
	uvet_report *report;
	bool is_done;
	uvet_status status;
	struct inputs_mark after; /* the position after it */
};

/* Slots are used in turn. Jobs below n_emptied are finished, those below n_taken were taken by a
 * thread, those below n_filled wait. Once there is a second thread, the monitor guards the
 * counters, is_done, is_alone and `stop`. */
struct jobs {
	const struct jobs_plan *plan;
	struct platform_monitor *monitor; /* NULL: this is the only thread */
	struct platform_thread *threads[JOBS_MAX];
	unsigned n_threads, n_threads_max; /* beside this one */
	struct job *ring;
	size_t n_slots, n_ahead; /* n_ahead: how many may be filled at a time */
	bool ended;              /* there are no more inputs */
	uint64_t n_filled, n_taken, n_emptied;
	unsigned n_running;
	uint64_t held; /* bytes held by reports that wait to be passed on */
	bool is_alone; /* no job may be taken, because one needs all memory */
	bool stop;
};

static void enter(struct jobs *j)
{
	if (j->monitor)
		platform_monitor_enter(j->monitor);
}

static void leave(struct jobs *j)
{
	if (j->monitor)
		platform_monitor_leave(j->monitor);
}

static struct job *slot(struct jobs *j, uint64_t number)
{
	return &j->ring[number % j->n_slots];
}

/* ---- Working --------------------------------------------------------------------------------- */

/* Tells whether a job waits and may be taken: there must be a share of memory for it, besides
 * the shares of the running jobs and what reports hold. The oldest job always may: all shares
 * together are less than all memory, and while it waits no report is held. */
static bool has_work(const struct jobs *j)
{
	const struct jobs_plan *p = j->plan;

	if (j->n_taken == j->n_filled || j->is_alone)
		return false;
	return !p->alone || j->held <= p->alone->memory - (j->n_running + 1) * p->engines->memory;
}

static uint64_t held_by(const struct job *job)
{
	return job->report ? uvet_report_held(job->report) : 0;
}

/* Called inside the monitor, which it leaves while it works. */
static void work_on_next(struct jobs *j)
{
	uint64_t number = j->n_taken++;
	struct job *job = slot(j, number);

	j->n_running++;
	leave(j);
	job->status = engines_check(j->plan->engines, &job->input, &job->report);
	enter(j);
	j->n_running--;
	j->held += held_by(job);
	job->is_done = true;
	if (j->monitor && (number == j->n_emptied || j->is_alone))
		platform_monitor_wake_all(j->monitor, OLDEST_IS_DONE);
}

static void worker(void *ctx)
{
	struct jobs *j = ctx;

	enter(j);
	while (!j->stop) {
		if (has_work(j))
			work_on_next(j);
		else
			platform_monitor_wait(j->monitor, WORK_IS_READY);
	}
	leave(j);
}

/* ---- Filling --------------------------------------------------------------------------------- */

static bool keep_path(struct job *job)
{
	size_t len = strlen(job->input.path) + 1;
	char *path = grow(job->path, &job->path_max, len, 1);

	if (!path)
		return false;
	memcpy(path, job->input.path, len);
	job->path = path;
	job->input.path = path;
	return true;
}

/* Fills one slot, which workers may take at once. *what says if there are no more inputs, or none
 * until a job has ended. */
static uvet_status fill_slot(struct jobs *j, struct inputs *inputs, enum inputs_result *what)
{
	struct job *job = slot(j, j->n_filled);

	inputs->may_wait = j->n_filled > j->n_emptied;
	*what = inputs_next(inputs, &job->input);
	if (*what != INPUTS_NEXT)
		return *what == INPUTS_NO_MEMORY ? UVET_NO_MEMORY : UVET_OK;
	if (!keep_path(job)) {
		input_discard(&job->input);
		return UVET_NO_MEMORY;
	}
	job->after = inputs_mark(inputs);
	enter(j);
	j->n_filled++;
	leave(j);
	return UVET_OK;
}

/* Wakes the other threads. A thread is made only when there is work for it; if it cannot be made,
 * the others do the work. */
static void call_workers(struct jobs *j)
{
	uint64_t n_ready;

	enter(j);
	n_ready = j->n_filled - j->n_taken;
	while (n_ready > j->n_threads + 1 && j->n_threads < j->n_threads_max) {
		if (platform_thread_start(worker, j, &j->threads[j->n_threads]))
			j->n_threads++;
		else
			j->n_threads_max = j->n_threads;
	}
	if (j->n_threads > 0 && n_ready > 1)
		platform_monitor_wake_all(j->monitor, WORK_IS_READY);
	leave(j);
}

/* Fills all slots that are free. */
static uvet_status fill_all(struct jobs *j, struct inputs *inputs)
{
	enum inputs_result what = j->ended ? INPUTS_END : INPUTS_NEXT;
	uvet_status status = UVET_OK;

	while (status == UVET_OK && what == INPUTS_NEXT && j->n_filled - j->n_emptied < j->n_ahead)
		status = fill_slot(j, inputs, &what);
	j->ended = what == INPUTS_END;
	if (status == UVET_OK)
		call_workers(j);
	return status;
}

/* ---- Emptying -------------------------------------------------------------------------------- */

/* Waits for the oldest job, and works on others until then. */
static struct job *oldest_done(struct jobs *j)
{
	struct job *job = slot(j, j->n_emptied);

	enter(j);
	while (!job->is_done) {
		if (has_work(j))
			work_on_next(j);
		else
			platform_monitor_wait(j->monitor, OLDEST_IS_DONE);
	}
	leave(j);
	return job;
}

/* Gives UVET_SHORT_ flags. A job without a report had no memory for one. */
static unsigned shortages_of(const struct job *job)
{
	if (job->report)
		return uvet_report_shortages(job->report);
	return job->status == UVET_NO_MEMORY ? UVET_SHORT_OF_MEMORY : 0;
}

static void drop_report(struct jobs *j, struct job *job)
{
	j->held -= held_by(job);
	uvet_report_free(job->report);
	job->report = NULL;
	job->is_done = false;
}

/* Enters the monitor, and waits until no job runs. */
static void enter_alone(struct jobs *j)
{
	enter(j);
	j->is_alone = true;
	while (j->n_running > 0)
		platform_monitor_wait(j->monitor, OLDEST_IS_DONE);
}

/* Checks the oldest job again, whose report was dropped, and leaves the monitor. */
static void check_again(struct jobs *j, struct job *job, const struct engines *engines)
{
	leave(j);
	job->status = engines_check(engines, &job->input, &job->report);
	enter(j);
	j->held += held_by(job);
	job->is_done = true;
	j->is_alone = false;
	leave(j);
}

/* The reports of the other jobs are dropped, and made again later. */
static void check_with_all_memory(struct jobs *j, struct job *job)
{
	enter_alone(j);
	for (uint64_t i = j->n_emptied; i < j->n_taken; i++)
		drop_report(j, slot(j, i));
	j->n_taken = j->n_emptied + 1;
	check_again(j, job, j->plan->alone);
}

/* Puts back the inputs after the oldest job, which closes their files and folders. Called inside
 * the monitor. */
static bool give_back_others(struct jobs *j, struct job *oldest, struct inputs *inputs)
{
	for (uint64_t i = j->n_emptied + 1; i < j->n_filled; i++) {
		drop_report(j, slot(j, i));
		input_discard(&slot(j, i)->input);
	}
	j->n_filled = j->n_taken = j->n_emptied + 1;
	j->ended = false;
	return inputs_return(inputs, &oldest->after, oldest->path);
}

/* From here on as if there were one thread: no other file is open, and an input is taken when the
 * one before it is done. */
static void check_without_others(struct jobs *j, struct job *job, struct inputs *inputs)
{
	bool done;

	enter_alone(j);
	drop_report(j, job);
	j->n_ahead = 1;
	done = give_back_others(j, job, inputs);
	check_again(j, job, j->plan->alone);
	if (!done)
		job->status = UVET_NO_MEMORY;
}

static uvet_status empty_slot(struct jobs *j, struct inputs *inputs, jobs_sink *sink, void *ctx)
{
	struct job *job;
	uvet_status status;

	progress_show(j->plan->progress);
	job = oldest_done(j);
	progress_file(j->plan->progress);
	if (j->plan->alone && shortages_of(job) & UVET_SHORT_OF_MEMORY)
		check_with_all_memory(j, job);
	if (j->n_ahead > 1 && shortages_of(job) & UVET_SHORT_OF_FILES)
		check_without_others(j, job, inputs);
	status = job->status;
	if (status == UVET_OK)
		status = sink(ctx, &job->input, job->report);
	input_discard(&job->input);
	enter(j);
	drop_report(j, job);
	j->n_emptied++;
	if (j->n_threads > 0 && has_work(j))
		platform_monitor_wake_all(j->monitor, WORK_IS_READY);
	leave(j);
	return status;
}

static bool oldest_is_done(struct jobs *j)
{
	bool is_done;

	if (j->n_emptied == j->n_filled)
		return false;
	enter(j);
	is_done = slot(j, j->n_emptied)->is_done;
	leave(j);
	return is_done;
}

/* Finished jobs are passed on at once, but slots are refilled many at a time, so that threads are
 * woken seldom. */
static uvet_status run_all(struct jobs *j, struct inputs *inputs, jobs_sink *sink, void *ctx)
{
	uvet_status status = fill_all(j, inputs);

	while (status == UVET_OK && j->n_emptied < j->n_filled) {
		do
			status = empty_slot(j, inputs, sink, ctx);
		while (status == UVET_OK && oldest_is_done(j));
		if (status == UVET_OK)
			status = fill_all(j, inputs);
	}
	return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void stop(struct jobs *j)
{
	enter(j);
	j->stop = true;
	if (j->monitor)
		platform_monitor_wake_all(j->monitor, WORK_IS_READY);
	leave(j);
	for (unsigned i = 0; i < j->n_threads; i++)
		platform_thread_join(j->threads[i]);
	for (; j->n_emptied < j->n_filled; j->n_emptied++)
		input_discard(&slot(j, j->n_emptied)->input);
	for (size_t i = 0; i < j->n_slots; i++) {
		uvet_report_free(j->ring[i].report);
		free(j->ring[i].path);
	}
	free(j->ring);
	platform_monitor_free(j->monitor);
}

uvet_status jobs_run(struct inputs *inputs, const struct jobs_plan *plan, jobs_sink *sink,
		     void *ctx)
{
	const unsigned n = plan->n;
	const size_t n_slots = n > 1 ? n * SLOTS_PER_THREAD : 1;
	struct jobs jobs = { .plan = plan,
			     .n_threads_max = n - 1,
			     .n_slots = n_slots < SLOTS_MAX ? n_slots : SLOTS_MAX };
	uvet_status status = UVET_NO_MEMORY;

	jobs.n_ahead = jobs.n_slots;
	jobs.ring = calloc(jobs.n_slots, sizeof *jobs.ring);
	if (!jobs.ring)
		return UVET_NO_MEMORY;
	if (n == 1 || platform_monitor_new(&jobs.monitor))
		status = run_all(&jobs, inputs, sink, ctx);
	if (status != UVET_OK)
		uvet_cancellation_set(plan->engines->cancellation);
	stop(&jobs);
	return status;
}

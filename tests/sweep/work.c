/* Work and time that end: each sound file, checked with every limit of work that is less than it
 * takes, and with a clock by which its time is over at every look. work LIST
 *
 * Such a check is cut off somewhere; it must say so: the file is not called valid, and no defect
 * is made of what was not read. */
#include <stdio.h>
#include <string.h>

#include "sweep.h"

enum { SEED_MAX = 8192, STEPS = SWEEP_IS_SLOW ? 100 : 400 };

static enum verdict check_with(struct engine *e, const struct seed *s, uint64_t work)
{
	struct report *r;
	enum verdict verdict;

	e->limits.of[LIMIT_work] = work;
	r = sweep_check(e, s, s->bytes, s->n);
	verdict = r->verdict;
	report_free(r);
	return verdict;
}

/* A clock that goes on by one with each look at it. */
static uint64_t n_looks;

static uint64_t look(void)
{
	return ++n_looks;
}

static enum verdict check_in_time(struct engine *e, const struct seed *s, uint64_t timeout)
{
	enum verdict verdict;

	n_looks = 0;
	e->now = look;
	e->timeout = timeout;
	verdict = check_with(e, s, 1 << 24);
	e->now = NULL;
	return verdict;
}

/* The first look at the clock says when the check begins. One that is not late looks as often as
 * one that has for ever. */
static uint64_t sweep_time(struct engine *e, const struct seed *s)
{
	uint64_t all, timeout;

	check_in_time(e, s, UINT64_MAX / 2);
	all = n_looks;
	for (timeout = 1; timeout < all; timeout++)
		if (check_in_time(e, s, timeout) != VERDICT_UNDETERMINED)
			sweep_fail(
				s,
				"it is not undetermined where its time ends at look %llu of %llu",
				(unsigned long long)timeout, (unsigned long long)all);
	if (check_in_time(e, s, all) != VERDICT_VALID)
		sweep_fail(s, "it is not valid where its time ends after all of %llu looks",
			   (unsigned long long)all);
	return all;
}

/* The least work with which a seed is valid: it is when it has more. */
static uint64_t work_of(struct engine *e, const struct seed *s)
{
	uint64_t from = 0, to = 1 << 24;

	while (from < to) {
		uint64_t middle = from + (to - from) / 2;

		if (check_with(e, s, middle) == VERDICT_VALID)
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

int main(int argc, char **argv)
{
	struct engine engine;
	struct seeds seeds;
	uint64_t n_checks = 0;

	if (argc != 2)
		return 2;
	seeds = seeds_load(argv[1], SEED_MAX);
	sweep_engine(&engine);
	for (size_t i = 0; i < seeds.n; i++) {
		struct seed *s = &seeds.of[i];
		uint64_t all, step;

		if (!strstr(s->name, "good_") || check_with(&engine, s, 1 << 24) != VERDICT_VALID)
			continue;
		all = work_of(&engine, s);
		step = all / STEPS + 1;
		for (uint64_t work = 0; work < all; work += step, n_checks++)
			if (check_with(&engine, s, work) != VERDICT_UNDETERMINED)
				sweep_fail(
					s,
					"it is not undetermined with work for %llu of %llu steps",
					(unsigned long long)work, (unsigned long long)all);
		n_checks += sweep_time(&engine, s);
	}
	seeds_free(&seeds);
	return sweep_end("work", n_checks);
}

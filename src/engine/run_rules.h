/* The facts about a check itself, which the families RUN and ENG judge. */
#ifndef UVET_ENGINE_RUN_RULES_H
#define UVET_ENGINE_RUN_RULES_H

#include "engine/report.h"

/* A run is what happened while one file was checked. */
struct run {
	const struct format *format; /* NULL: unknown */
	/* that it may be of as well, for all that is known; NULL: none */
	const struct format *other;
	bool unreadable;        /* the input could not be opened, or a read failed */
	bool crowded;           /* unreadable, because too many files were open */
	const char *trouble;    /* which of the two, in a few words of ours */
	bool changed;           /* it is not what it was at the start */
	struct span trouble_at; /* the read that failed */
	bool no_memory;
	bool cancelled;
	bool late;         /* its time was over */
	uint64_t timeout;  /* nanoseconds that it had, if it was late */
	bool worker_ended; /* the process that made the check is gone */
	/* what was asked for and lacked a codec, a key or a file beside the input */
	const struct lack *lacks;
	size_t n_lacks;
	const struct report *report; /* names companions and tells their trouble */
	bool reached[LIMIT_COUNT];   /* limits */
	const struct limits *limits; /* their values */
	/* of a file around it that has the same bytes, so that those in it are not opened again */
	const struct report *copy_of;
	/* no rule that can find an error was asked of it, nor of a file in it */
	bool nothing_judged;
	/* a fact group that is missing and that no finding explains; NULL: none */
	const char *unexplained;
};

/* run_unreadable says in a few words why a file beside the input could not be read; NULL: it
 * could. */
static inline const char *run_unreadable(const struct report_companion *c)
{
	if (c->state == COMPANION_UNREADABLE)
		return "it was not opened";
	if (c->state == COMPANION_CROWDED)
		return SOURCE_CROWDED;
	return c->trouble == SOURCE_UNREADABLE ? "a read failed" : NULL;
}

/* run_unknown tells whether the file is of no known format, and nothing kept that from being
 * seen. */
static inline bool run_unknown(const struct run *r)
{
	return !r->format && !r->unreadable && !r->changed && !r->no_memory && !r->cancelled &&
	       !r->late && !r->worker_ended && !r->reached[LIMIT_work];
}

/* The facts of a run are always there. */
enum run_group { RUN_ALWAYS };

#endif

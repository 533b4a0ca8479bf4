/* Building reports: the reports of a tree, the rules and results that they share, and the memory of
 * their results. */
#ifndef UVET_ENGINE_REPORT_BUILD_H
#define UVET_ENGINE_REPORT_BUILD_H

#include "engine/engine.h"

/* A tree is what the checks of one input share. */
struct tree {
	struct engine *engine;
	struct report *root;
	struct interrupt interrupt;
	uint64_t timeout; /* nanoseconds; 0: there is no deadline */
	struct work work; /* one counter for all */
	/* bytes that may still be read to explain findings, which is no work */
	uint64_t diagnosis_left;
	/* bytes that the arena of reports held when the input itself had been judged */
	uint64_t reports_own;
	uint64_t n_files; /* nested ones found */
	size_t n_reports;
	uint64_t peak;               /* the most that facts held at a time, in bytes */
	bool alone;                  /* nested files are left alone */
	struct summaries *summaries; /* NULL: nobody asks for any */
	/* What reports share, by the format's number; FORMATS_MAX stands for no format. */
	const struct rule *const *rules[FORMATS_MAX + 1]; /* NULL: no report needed them yet */
	/* the last that were kept in which no rule failed; status NULL: none were */
	struct results clean[FORMATS_MAX + 1];
};

/* A results_scratch is where the results of a file are while its rules are asked. A report keeps a
 * copy, or shares what another has. */
struct results_scratch {
	uint8_t status[CATALOG_MAX], why[CATALOG_MAX];
	struct rule_result own[CATALOG_OWN_MAX];
	const char *reasons[REASONS_MAX];
	struct results_notes notes;
};

/* A member is a file inside another that is about to be checked. */
struct member {
	const struct nested *file;
	/* as in its report, in the arena of reports: behind the name of the file around it and a
	 * mark, or behind the folder of the file that it lies beside */
	const char *name, *own_name;
	size_t alias_at; /* where in its own name that begins which it is checked as */
};

/* report_new makes the report of an input, report_new_nested that of a file inside the one that
 * `parent` is about; without rules. NULL: memory ended. */
struct report *report_new(const struct engine *e, const struct check_input *in);
struct report *report_new_nested(struct report *parent, const struct member *m);

/* report_begin_results gives a report the rules of the format with this number and the engine's
 * own (FORMATS_MAX: these alone), and results that none of them has yet, which are scratch; what
 * rules find lies in the arena of reports. report_keep_results gives it results that it owns, or
 * shares. false: memory ended. */
UVET_MUST_USE bool report_begin_results(struct report *r, struct tree *t, size_t number,
					struct results_scratch *scratch);
UVET_MUST_USE bool report_keep_results(struct report *r, struct tree *t, size_t number);

#endif

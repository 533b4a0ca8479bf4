/* Sessions: the check of one file, and what the checks of all files share that lie in one input. The way through these is in members.h. */
#ifndef UVET_ENGINE_SESSION_H
#define UVET_ENGINE_SESSION_H

#include "engine/engine.h"
#include "engine/run_rules.h"

/* A tree is what the checks of one input share. */
struct tree {
	struct engine *engine;
	struct report *root;
	struct interrupt interrupt;
	uint64_t timeout;               /* nanoseconds; 0: there is no deadline */
	struct work work;               /* one counter for all */
	uint64_t reports_own;           /* bytes that the arena of reports held when the input itself had been judged */
	uint64_t n_files;               /* nested ones found */
	size_t n_reports;
	uint64_t peak;                  /* the most that facts held at a time, in bytes */
	bool alone;                     /* nested files are left alone */
	struct summaries *summaries;    /* NULL: nobody asks for any */
	/* What reports share, by the format's number; FORMATS_MAX stands for no format. */
	const struct rule *const *rules[FORMATS_MAX + 1];       /* NULL: no report needed them yet */
	struct results clean[FORMATS_MAX + 1];  /* the last that were kept in which no rule failed; status NULL: none were */
};

/* A results_scratch is where the results of a file are while its rules are asked. A report keeps a copy, or shares what another has. */
struct results_scratch {
	uint8_t status[CATALOG_MAX], why[CATALOG_MAX];
	struct rule_result own[CATALOG_OWN_MAX];
	const char *reasons[REASONS_MAX];
	struct results_notes notes;
};

/* A session is the check of one file. */
struct session {
	struct tree *tree;
	struct session *outer;          /* of the file around; NULL: there is none */
	struct session *inner;          /* room for that of a file inside; NULL: none was needed yet */
	uint64_t depth;                 /* 0: the input itself */
	uint64_t beneath;               /* bytes that the facts of the files around hold */
	struct report *report;
	struct arena_mark before;       /* of the arena of reports, when there was none of this file yet */
	struct arena arena;             /* facts */
	struct source source;
	struct decode decode;
	size_t number;                  /* the format's in the list of formats; FORMATS_MAX: none is known */
	const struct format *format;    /* NULL: likewise */
	const struct agenda *agenda;    /* the format's rules; NULL without a format */
	const void *facts;
	struct results_scratch scratch;
	struct nested_walk walk;        /* through the files inside it */
	uint64_t n_waiting;             /* how many of them are still to be opened */
	struct run run;
	bool idle;                      /* no rule of the format that can find an error was asked */
	bool lost;                      /* a finding or a fact about the file could not be kept */
};

/* A member is a file inside another that is about to be checked. */
struct member {
	const struct nested *file;
	const char *own_name;           /* as in its report, behind the name of the file around it and a mark; in the arena of reports */
	size_t alias_at;                /* where in its own name that begins which it is checked as */
};

/* ---- report.c ---------------------------------------------------------------------------------------------------------- */

/* report_new makes the report of an input, report_new_nested that of a file inside the one that `parent` is about; without rules.
 * NULL: memory ended. */
struct report *report_new(const struct engine *e, const struct check_input *in);
struct report *report_new_nested(struct report *parent, const struct member *m);

/* report_begin_results gives a report the rules of the format with this number and the engine's own (FORMATS_MAX: these alone), and results
 * that none of them has yet, which are scratch; what rules find lies in the arena of reports. report_keep_results gives it results that it
 * owns, or shares. false: memory ended. */
UVET_MUST_USE bool report_begin_results(struct report *r, struct tree *t, size_t number, struct results_scratch *scratch);
UVET_MUST_USE bool report_keep_results(struct report *r, struct tree *t, size_t number);

/* ---- session.c --------------------------------------------------------------------------------------------------------- */

/* session_open begins the check of an input, session_open_nested that of a file inside the one that `outer` checks; false: its bytes cannot
 * be had, and all that remains is session_discard. */
void session_open(struct session *s, struct tree *t, struct report *r, const struct check_input *in);
UVET_MUST_USE bool session_open_nested(struct session *s, struct session *outer, struct report *r, const struct member *m);

/* session_share lets facts and reports of a session grow as far as the rest of the tree leaves room. It is called before either grows. */
void session_share(struct session *s);

/* session_decode finds the format and decodes. It returns whether there is something to say: a nested file of no format is nobody's
 * concern, unless trouble kept us from knowing. */
bool session_decode(struct session *s);

/* session_judge evaluates the format's rules and describes the file. false: memory ended before any rule was asked, and there is no
 * report. */
UVET_MUST_USE bool session_judge(struct session *s);

/* session_release frees the facts of a file that was judged, if nothing needs them any more; then `facts` is NULL. */
void session_release(struct session *s);

/* session_close says what else there is to say, sets the verdict and frees the facts. false: memory ended, and the report is void. */
UVET_MUST_USE bool session_close(struct session *s);

/* session_discard frees the facts of a file that gets no report. */
void session_discard(struct session *s);

#endif

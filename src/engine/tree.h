/* Trees: the check of a file and of all that lies in it. A session checks one file; an explicit stack of them, without recursion, goes
 * through the tree, each file before those that lie in it. */
#ifndef UVET_ENGINE_TREE_H
#define UVET_ENGINE_TREE_H

#include "engine/engine.h"
#include "engine/run_rules.h"

/* A nested_file is a file inside another that waits for its check. It lies in the arena of reports. */
struct nested_file {
	struct nested_file *next;
	const char *own_name;           /* as in its report, behind the name of the file around it and a mark */
	size_t alias_at;                /* where in its own name that begins which it is checked as */
	struct span span;
	const uint8_t *bytes;           /* decoded ones, in the arena of the file around it; NULL: it has a place there */
};

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
	const struct format *format;
	const struct agenda *agenda;    /* the format's rules; NULL without a format */
	const void *facts;
	struct nested_file *files;      /* inside it, that wait */
	struct nested_file **files_end;
	size_t n_files;
	struct run run;
	bool idle;                      /* no rule of the format that can find an error was asked */
	bool lost;                      /* a finding or a fact about the file could not be kept */
};

/* ---- report.c ---------------------------------------------------------------------------------------------------------- */

/* report_new makes the report of an input, report_new_nested that of a file inside the one that `parent` is about. NULL: memory ended. */
struct report *report_new(const struct engine *e, const struct check_input *in);
struct report *report_new_nested(struct tree *t, struct report *parent, const struct nested_file *f);

/* ---- session.c --------------------------------------------------------------------------------------------------------- */

/* session_open begins the check of an input, session_open_nested that of a file inside the one that `outer` checks. */
void session_open(struct session *s, struct tree *t, struct report *r, const struct check_input *in);
void session_open_nested(struct session *s, struct session *outer, struct report *r, const struct nested_file *f);

/* session_decode finds the format and decodes. It returns whether there is something to say: a nested file of no format is nobody's
 * concern, unless trouble kept us from knowing. */
bool session_decode(struct session *s);

/* session_judge evaluates the format's rules and describes the file. */
void session_judge(struct session *s);

/* session_leave closes the files beside the input, and keeps in the report what is to be said of them. */
void session_leave(struct session *s);

/* session_close says what else there is to say, sets the verdict and frees the facts. false: memory ended, and the report is void. */
UVET_MUST_USE bool session_close(struct session *s);

/* session_discard frees the facts of a file that gets no report. */
void session_discard(struct session *s);

/* ---- nested.c ---------------------------------------------------------------------------------------------------------- */

/* nested_find lists the files that lie in a session's, and frees what their checks do not need. */
void nested_find(struct session *s);

/* nested_check checks all that lies in the root's file, and in the files there. */
void nested_check(struct session *root);

/* nested_share lets facts and reports of a session grow as far as the rest of the tree leaves room. It is called before either grows. */
void nested_share(struct session *s);

#endif

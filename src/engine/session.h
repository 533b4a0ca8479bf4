/* Sessions: the check of one file, and what the checks of all files share that lie in one input.
 * The way through these is in members.h. */
#ifndef UVET_ENGINE_SESSION_H
#define UVET_ENGINE_SESSION_H

#include "engine/neighbours.h"
#include "engine/report_build.h"
#include "engine/run_rules.h"

/* A session is the check of one file. */
struct session {
	struct tree *tree;
	struct session *outer; /* of the file around; NULL: there is none */
	struct session *inner; /* room for that of a file inside; NULL: none was needed yet */
	uint64_t depth;        /* 0: the input itself */
	uint64_t beneath;      /* bytes that the facts of the files around hold, and the caller */
	struct report *report;
	/* of the arena of reports, when there was none of this file yet */
	struct arena_mark before;
	struct arena arena; /* facts */
	struct source source;
	struct decode decode;
	size_t number; /* the format's in the list of formats; FORMATS_MAX: none is known */
	const struct format *format;    /* NULL: likewise */
	const struct rule_index *index; /* the format's rules; NULL without a format */
	const void *facts;
	struct results_scratch scratch;
	struct nested_walk walk; /* through the files inside it */
	uint64_t n_waiting;      /* how many of them are still to be opened */
	bool is_finished;        /* what was left of its bytes was decoded */
	struct run run;
	bool idle;                    /* no rule of the format that can find an error was asked */
	bool is_sidecar;              /* of macOS, and no file that is judged */
	bool lost;                    /* a finding or a fact about the file could not be kept */
	struct neighbours neighbours; /* the files beside it in the one around it */
};

/* session_share lets facts and reports of a session grow as far as the rest of the tree leaves
 * room. It is called before either grows. */
void session_share(struct session *s);

/* session_decode finds the format and decodes. It returns whether there is something to say: a
 * nested file of no format is nobody's concern, unless trouble kept us from knowing. */
bool session_decode(struct session *s);

/* session_waits tells whether the format's rules are asked only after the files inside were opened
 * (struct format, finish). Then session_pause comes before the first of them, session_finish after
 * the last, and session_resume before the rules: in between are those that it found. */
bool session_waits(const struct session *s);
void session_pause(struct session *s);
void session_finish(struct session *s);
void session_resume(struct session *s);

/* session_keep_text keeps what sets compare of a file of no format. */
void session_keep_text(struct session *s);

/* session_judge evaluates the format's rules and describes the file. false: memory ended before
 * any rule was asked, and there is no report. */
UVET_MUST_USE bool session_judge(struct session *s);

/* session_leave_companions closes the files beside the input, and keeps in its report what is to be
 * said of them. Nothing reads them any more. */
void session_leave_companions(struct session *s);

/* session_release frees the facts of a file that was judged, if nothing needs them any more; then
 * `facts` is NULL. Its companions were left. */
void session_release(struct session *s);

/* session_close says what else there is to say, sets the verdict and frees the facts. false: memory
 * ended, and the report is void. */
UVET_MUST_USE bool session_close(struct session *s);

/* session_memory_ended tells whether memory ended in the check of the file. */
static inline bool session_memory_ended(const struct session *s)
{
	return s->run.no_memory || s->arena.over_budget || s->arena.refused;
}

/* session_discard frees the facts of a file that gets no report. */
void session_discard(struct session *s);

#endif

/* Acceptance: which findings the user accepts, by a baseline or by the path of their file, and
 * why. */
#ifndef UVET_CLI_ACCEPTANCE_H
#define UVET_CLI_ACCEPTANCE_H

#include "cli/baseline.h"
#include "cli/baseline_request.h"

/* An accepted_path accepts what a rule finds in files whose path matches a glob. */
struct accepted_path {
	const char *glob, *rule, *reason;
};

/* Paths are what settings accept. Zeroed, there are none. */
struct accepted_paths {
	struct accepted_path *of;
	size_t n, max;
};

/* acceptance_add accepts findings of the rule with that id in files whose path, or that of a folder
 * on its way, matches a glob (cli/globs.h), and in what lies in these files. The strings outlive
 * the paths. false: memory ended. */
bool acceptance_add(struct accepted_paths *paths, const char *glob, const char *rule_id,
		    const char *reason);
void acceptance_free_paths(struct accepted_paths *paths);

/* An acceptance answers for one run. */
struct acceptance {
	const struct accepted_paths *paths;
	struct baseline_request request;
	struct baseline known;   /* what the file has */
	struct baseline found;   /* what it will have */
	struct file_name *names; /* of files in which something was found */
	uint32_t today;          /* in UTC */
	/* warnings and errors that were counted, and that the reports have room for */
	uint64_t n_counted, n_kept;
	bool has_unjudged; /* a file was not judged whole */
	bool lost;         /* memory ended */
};

/* acceptance_open reads the baseline; false after a message. acceptance_close is called either
 * way. */
bool acceptance_open(struct acceptance *a, const struct baseline_request *request,
		     const struct accepted_paths *paths);
void acceptance_close(struct acceptance *a);

/* acceptance_asks tells whether there is anything to ask about. acceptance_answer is a uvet_accept
 * over a struct acceptance; acceptance_take is the same, and takes notes for a baseline that is
 * written. acceptance_count counts the findings of a report and those nested in it. */
bool acceptance_asks(const struct acceptance *a);
const char *acceptance_answer(void *ctx, const uvet_report *report, const uvet_finding *finding,
			      const char *fingerprint);
const char *acceptance_take(void *ctx, const uvet_report *report, const uvet_finding *finding,
			    const char *fingerprint);
void acceptance_count(struct acceptance *a, const uvet_report *report);

/* acceptance_write writes the baseline after all is judged: a line for each finding that was seen,
 * and, if not all was judged, the lines that were there before. false: memory ended, or the sink
 * refused. */
bool acceptance_write(struct acceptance *a, uvet_sink *sink, void *ctx);

/* acceptance_tell says, as messages, what became of the lines of a baseline that was checked or
 * written. */
void acceptance_tell(const struct acceptance *a);

#endif

/* Members: how much of the files in a file a short text report shows, so that what is wrong stays
 * on a page. */
#ifndef UVET_REPORT_MEMBERS_H
#define UVET_REPORT_MEMBERS_H

#include "report/text/findings.h"
#include "report/writer.h"

/* What was shown of the files in the one that was added last; zeroed before the first. */
struct members {
	size_t n_with_findings, n_lines;
	uint64_t n_left[N_VERDICTS];
};

/* A view is how much of an entry is shown: nothing, its line with the verdict, or that and as many
 * findings as `findings` says. */
struct view {
	bool is_shown, has_findings;
	enum findings_room findings;
};

/* members_view says how an entry is shown, whose findings are has_findings. It is asked for all of
 * them in the order of the output; where the writer is verbose each is shown whole.
 * members_end writes how many were left out of those of the last that was added. */
struct view members_view(struct members *m, const struct writer *w, const struct entry *e,
			 bool has_findings);
void members_end(struct members *m, struct writer *w);

#endif

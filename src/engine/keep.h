/* What outlives the facts of a file. */
#ifndef UVET_ENGINE_KEEP_H
#define UVET_ENGINE_KEEP_H

#include "engine/report.h"
#include "formats/summary.h"

/* keep_summary has the format of a file that was judged fill in a summary, if `all` asks for one of
 * such a file. is_cut: the check ended early. It changes nothing in the decode and the report. */
void keep_summary(struct summaries *all, const struct report *r, const void *facts,
		  struct decode *d, bool is_cut);

#endif

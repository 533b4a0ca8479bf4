/* What outlives the facts of a file. */
#ifndef UVET_ENGINE_KEEP_H
#define UVET_ENGINE_KEEP_H

#include "engine/report.h"
#include "formats/summary.h"

/* keep_summary has the format of a file that was judged fill in a summary, if `all` asks for one of
 * such a file. is_cut: the check ended early. It changes nothing in the decode and the report. */
void keep_summary(struct summaries *all, const struct report *r, const void *facts,
		  struct decode *d, bool is_cut);

/* keep_nothing counts a file of which nothing is known, because memory ended. */
void keep_nothing(struct summaries *all, const struct report *r, const struct decode *d);

/* keep_wants_text tells by its extension whether a file of no format may be kept. */
UVET_MUST_USE bool keep_wants_text(const struct summaries *all, struct text extension);

/* keep_text does what keep_summary does of a file of no format, if it is called as a text that
 * belongs to packages and has lines about them, or as native code. Of a text at most `max` bytes
 * are read. */
void keep_text(struct summaries *all, const struct report *r, const struct decode *d, uint64_t max);

#endif

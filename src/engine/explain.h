/* What explains a file's findings as a whole. */
#ifndef UVET_ENGINE_EXPLAIN_H
#define UVET_ENGINE_EXPLAIN_H

#include "engine/report_build.h"

/* explain_findings sets the diagnosis of a report, whose results are of the rules of its format,
 * NULL if that is not known. It is asked while the facts are there, which are NULL if there are
 * none. It returns false where memory ended; the report has no diagnosis then. */
UVET_MUST_USE bool explain_findings(struct report *r, struct tree *t, struct decode *d,
				    const void *facts);

#endif

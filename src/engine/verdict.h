/* Verdicts: what the findings mean for the file. */
#ifndef UVET_ENGINE_VERDICT_H
#define UVET_ENGINE_VERDICT_H

#include "engine/report.h"

/* verdict_unexplained names a fact group that is missing although no error and no undetermined
 * finding explains it; NULL if there is none. */
const char *verdict_unexplained(const struct report *r, const struct format *f,
				const struct group *groups);

/* verdict_gap is the last line before "valid", for a report in which no error and no
 * undetermined finding stands: it names a fact group, or "rules", that was not judged and that
 * the scope does not leave out either; NULL if there is none. */
const char *verdict_gap(const struct report *r, const struct format *f, const struct group *groups);

/* verdict_worse gives the worse of two: invalid, then undetermined, then valid, then not
 * applicable. */
enum verdict verdict_worse(enum verdict a, enum verdict b);

/* verdict_finish counts the findings, lists them in the arena, and sets the verdict, unless that
 * is "not applicable"; those of nested reports are there. false: memory ended. */
UVET_MUST_USE bool verdict_finish(struct report *r);

#endif

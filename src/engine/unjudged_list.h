/* Listing what was not judged in a file. */
#ifndef UVET_ENGINE_UNJUDGED_LIST_H
#define UVET_ENGINE_UNJUDGED_LIST_H

#include "engine/run_rules.h"

/* unjudged_list fills the list of a run's report, when all rules have been asked; groups are the
 * format's stops, and are not looked at without a format. An undetermined file has at least one
 * row, but for what files in it leave open. false: memory ended. */
UVET_MUST_USE bool unjudged_list(struct report *r, const struct run *run,
				 const struct group *groups);

#endif

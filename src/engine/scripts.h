/* The script objects of a game: taking them from the report of its global container. */
#ifndef UVET_ENGINE_SCRIPTS_H
#define UVET_ENGINE_SCRIPTS_H

#include "engine/report.h"

/* scripts_keep has a report keep the script objects that its facts list, if it is of a global
 * container. false: memory ended. */
UVET_MUST_USE bool scripts_keep(struct report *r, const void *facts);

/* scripts_refusal returns NULL if the report's script objects can be taken for those of a game, or
 * a constant text that says why not. */
const char *scripts_refusal(const struct report *r);

#endif

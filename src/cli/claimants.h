/* Claimants: who has the same, and whose a game takes. */
#ifndef UVET_CLI_CLAIMANTS_H
#define UVET_CLI_CLAIMANTS_H

#include "cli/conflicts.h"

/* claimants_tell groups the texts of a round and passes what several sets claim. false: memory
 * ended. */
bool claimants_tell(struct conflicts *c, const struct teller *to);

#endif

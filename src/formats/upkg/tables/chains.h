/* Chains of references: which of them lead back to where they began, and which are too long. */
#ifndef UVET_FORMATS_UPKG_TABLES_CHAINS_H
#define UVET_FORMATS_UPKG_TABLES_CHAINS_H

#include "formats/upkg/facts.h"

/* How many objects a chain of outers, supers or classes may have: the engine makes each inside the
 * call that makes the one before. */
#define UPKG_CHAIN_MAX 128u

/* upkg_follow_outers marks what is in a cycle of outers or begins a chain that is too long,
 * upkg_follow_classes the same of supers and classes; false: memory ended, which was noted for
 * UPKG_LINKS. */
UVET_MUST_USE bool upkg_follow_outers(struct decode *d, struct upkg *u);
UVET_MUST_USE bool upkg_follow_classes(struct decode *d, struct upkg *u);

#endif

/* Names that are the same to the engine. */
#ifndef UVET_FORMATS_UPKG_TABLES_EQUAL_NAMES_H
#define UVET_FORMATS_UPKG_TABLES_EQUAL_NAMES_H

#include "formats/upkg/facts.h"

/* upkg_pair_names lists the names that are the same as an earlier one, when all were read; false:
 * memory ended, which was noted. */
bool upkg_pair_names(struct decode *d, struct upkg *u);

#endif

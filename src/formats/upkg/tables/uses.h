/* Uses: which names something refers to. */
#ifndef UVET_FORMATS_UPKG_TABLES_USES_H
#define UVET_FORMATS_UPKG_TABLES_USES_H

#include "formats/upkg/facts.h"

/* upkg_count_uses counts the names that are not used, when everything that may use one was read. */
void upkg_count_uses(struct decode *d, struct upkg *u);

#endif

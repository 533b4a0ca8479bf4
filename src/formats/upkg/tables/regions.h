/* Regions: how header, tables and bodies lie in the file. */
#ifndef UVET_FORMATS_UPKG_TABLES_REGIONS_H
#define UVET_FORMATS_UPKG_TABLES_REGIONS_H

#include "formats/upkg/facts.h"

/* upkg_lay_out lists overlaps and gaps, also where a table is missing; false: a list could not
 * be made, or is not wanted because what it needs is missing, which was noted. */
bool upkg_lay_out(struct decode *d, struct upkg *u);

#endif

/* Regions: how header, tables and bodies lie in the file. */
#ifndef UVET_FORMATS_UPKG_TABLES_REGIONS_H
#define UVET_FORMATS_UPKG_TABLES_REGIONS_H

#include "formats/upkg/facts.h"

/* upkg_lay_out lists overlaps and gaps, also where a table is missing; false: a list could not be made, or is not wanted because what it
 * needs is missing, which was noted. */
bool upkg_lay_out(struct decode *d, struct upkg *u);

/* upkg_is_usual_gap tells whether packages of the game have these bytes that belong to nothing. */
bool upkg_is_usual_gap(const struct upkg *u, const struct upkg_gap *g);

/* upkg_may_share tells whether two regions that overlap are the body of two exports without flags, which nobody loads. */
bool upkg_may_share(const struct upkg *u, const struct upkg_overlap *o);

#endif

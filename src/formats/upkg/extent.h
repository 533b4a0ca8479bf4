/* How far a package reaches by its header and tables. */
#ifndef UVET_FORMATS_UPKG_EXTENT_H
#define UVET_FORMATS_UPKG_EXTENT_H

#include "formats/upkg/facts.h"

/* upkg_extent is the function `extent` of struct format. */
void upkg_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out);

#endif

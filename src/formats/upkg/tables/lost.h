/* Lost parts: bytes of a package that are zeros where something else was. */
#ifndef UVET_FORMATS_UPKG_TABLES_LOST_H
#define UVET_FORMATS_UPKG_TABLES_LOST_H

#include "formats/upkg/facts.h"

/* upkg_examine_zeros finds what the zeros at the end of the file mean, and a row of zeros where the
 * links are known. */
void upkg_examine_zeros(const struct decode *d, struct upkg *u);

#endif

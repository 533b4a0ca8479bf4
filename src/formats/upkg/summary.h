/* What is kept of a package when its facts are freed. */
#ifndef UVET_FORMATS_UPKG_SUMMARY_H
#define UVET_FORMATS_UPKG_SUMMARY_H

#include "formats/format.h"

/* upkg_summary fills in what is kept of a package; see struct format. */
void upkg_summary(const void *facts, struct decode *d, struct summary *out);

#endif

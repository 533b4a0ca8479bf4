/* What is kept of a container when its facts are freed. */
#ifndef UVET_FORMATS_IOSTORE_SUMMARY_H
#define UVET_FORMATS_IOSTORE_SUMMARY_H

#include "formats/format.h"

/* utoc_summary fills in what is kept of a container; see struct format. */
void utoc_summary(const void *facts, struct decode *d, struct summary *out);

#endif

/* The format of IoStore containers. */
#ifndef UVET_FORMATS_IOSTORE_UTOC_H
#define UVET_FORMATS_IOSTORE_UTOC_H

#include "formats/iostore/facts.h"

extern const struct format utoc_format;

#endif

/* UE1 and UE2 packages: the format, and the facts that decoding finds. */
#ifndef UVET_FORMATS_UPKG_UPKG_H
#define UVET_FORMATS_UPKG_UPKG_H

#include "formats/upkg/facts.h"

extern const struct format upkg_format;

#endif

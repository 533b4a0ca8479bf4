/* The map of a package: which bytes are what. */
#ifndef UVET_FORMATS_UPKG_MAP_H
#define UVET_FORMATS_UPKG_MAP_H

#include "formats/format.h"

/* upkg_map passes the regions to the sink; see struct format. */
bool upkg_map(const void *facts, struct decode *d, map_sink *sink, void *ctx);

#endif

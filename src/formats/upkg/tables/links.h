/* Links: what the entries of imports and exports say of each other. */
#ifndef UVET_FORMATS_UPKG_TABLES_LINKS_H
#define UVET_FORMATS_UPKG_TABLES_LINKS_H

#include "formats/upkg/facts.h"

/* upkg_link follows the references of all imports and exports; false: memory or work ended, which
 * was noted for UPKG_LINKS. */
bool upkg_link(struct decode *d, struct upkg *u);

#endif

/* The bodies of exports: frame, properties, and then what the class has of its own. */
#ifndef UVET_FORMATS_UPKG_CLASSES_BODIES_H
#define UVET_FORMATS_UPKG_CLASSES_BODIES_H

#include "formats/upkg/facts.h"

/* upkg_decode_bodies reads every body that lies in the file and shares no bytes; what it cannot
 * read is noted for the groups from UPKG_BODIES on. */
void upkg_decode_bodies(struct decode *d, struct upkg *u);

/* upkg_body_bytes counts the bytes of all bodies that can be read. */
uint64_t upkg_body_bytes(const struct upkg *u);

#endif

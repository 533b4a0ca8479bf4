/* How far a container's files reach by its tables. */
#ifndef UVET_FORMATS_IOSTORE_EXTENT_H
#define UVET_FORMATS_IOSTORE_EXTENT_H

#include "formats/iostore/facts.h"

/* utoc_extent is the function `extent` of struct format. */
void utoc_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out);

/* utoc_next_changed is likewise next_changed: the parts are the stored bytes of chunks. */
bool utoc_next_changed(const void *facts, const struct decode *d, uint32_t file, uint64_t *at,
		       struct span *out);

#endif

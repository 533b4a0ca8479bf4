/* Outlines: what a file is made of, as coarse as a picture shows it. */
#ifndef UVET_ENGINE_OUTLINE_H
#define UVET_ENGINE_OUTLINE_H

#include "formats/format.h"

/* An outline divides a file into OUTLINE_CELLS parts of the same size and tells of each what
 * lies in it. So it takes the same memory whether the file has three regions or millions. */
enum { OUTLINE_CELLS = 256, OUTLINE_KINDS = 12 };

struct outline {
	uint64_t size; /* of the file */
	/* kinds of regions in the order in which they were met, and the bytes of each; those
	 * beyond the last one count as that one */
	const char *kinds[OUTLINE_KINDS];
	uint64_t bytes[OUTLINE_KINDS];
	size_t n_kinds;
	uint8_t cells[OUTLINE_CELLS]; /* a kind's index and 1; 0: unexplained */
};

/* outline_region is the map_sink that adds a region to the outline, its ctx; only the
 * outermost ones of the file itself count. A region shows in the cell where it begins, and in its
 * others unless something shows there. */
bool outline_region(void *outline, const struct region *r);

/* outline_cell gives the cell of a byte; size is not 0. */
size_t outline_cell(const struct outline *o, uint64_t at);

#endif

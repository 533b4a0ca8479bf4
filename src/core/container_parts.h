/* The parts of a container by their names: what the files are called that belong to one .utoc. The
 * command shares this with the library. */
#ifndef UVET_CORE_CONTAINER_PARTS_H
#define UVET_CORE_CONTAINER_PARTS_H

#include "core/ending.h"

/* The endings of what a container consists of. */
#define PART_CONTAINER ".utoc"
#define PART_DATA ".ucas"
#define PART_PAK ".pak"
#define PART_SIGNATURES ".sig"

/* part_may_be tells by its ending whether a file may belong to a container. */
static inline bool part_may_be(const char *path)
{
	return ending_is(path, PART_DATA) || ending_is(path, PART_PAK) ||
	       ending_is(path, PART_SIGNATURES);
}

#endif

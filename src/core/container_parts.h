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

/* Room for the longest ending of a part with its NUL, which is that of a partition. */
enum { PART_ENDING_MAX = 24 };

/* part_may_be tells by its ending whether a file may belong to a container. */
static inline bool part_may_be(const char *path)
{
	return ending_is(path, PART_DATA) || ending_is(path, PART_PAK) ||
	       ending_is(path, PART_SIGNATURES);
}

/* part_partition writes the ending of a container's partition by its number: ".ucas", "_s1.ucas",
 * and so on. */
static inline void part_partition(char out[PART_ENDING_MAX], unsigned number)
{
	unsigned unit = 1;

	while (number / unit >= 10)
		unit *= 10;
	if (number > 0) {
		*out++ = '_';
		*out++ = 's';
	}
	for (; number > 0 && unit > 0; unit /= 10)
		*out++ = (char)('0' + number / unit % 10);
	memcpy(out, PART_DATA, sizeof PART_DATA);
}

#endif

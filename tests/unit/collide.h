/* Finds names that differ but have the same hash, as an attacker would. */
#ifndef UVET_TESTS_COLLIDE_H
#define UVET_TESTS_COLLIDE_H

#include <stdio.h>
#include <stdlib.h>

#include "core/path.h"

enum { COLLIDE_N = 400000, COLLIDE_LEN = 12 };

struct collide_name {
	uint32_t hash;
	char name[COLLIDE_LEN];
};

static int collide_compare(const void *a, const void *b)
{
	uint32_t x = ((const struct collide_name *)a)->hash,
		 y = ((const struct collide_name *)b)->hash;

	return x < y ? -1 : x > y;
}

/* collide fills a and b with two such names, a before b in the order of paths; false if there are
 * none among 400000. */
static inline bool collide(char a[COLLIDE_LEN], char b[COLLIDE_LEN])
{
	struct collide_name *names = malloc(COLLIDE_N * sizeof *names);
	bool found = false;

	for (uint32_t i = 0; names && i < COLLIDE_N; i++) {
		snprintf(names[i].name, COLLIDE_LEN, "Names%06X", (unsigned)i);
		names[i].hash = path_examine(text_from(names[i].name)).hash;
	}
	if (names)
		qsort(names, COLLIDE_N, sizeof *names, collide_compare);
	for (uint32_t i = 1; names && !found && i < COLLIDE_N; i++) {
		bool swap = path_compare(text_from(names[i - 1].name), text_from(names[i].name)) >
			    0;

		found = names[i].hash == names[i - 1].hash;
		memcpy(a, names[swap ? i : i - 1].name, COLLIDE_LEN);
		memcpy(b, names[swap ? i - 1 : i].name, COLLIDE_LEN);
	}
	free(names);
	return found;
}

#endif

/* A list of file names: those that come first by their bytes, so that the order in which a system
 * lists a folder does not matter. */
#ifndef UVET_PLATFORM_NAMES_H
#define UVET_PLATFORM_NAMES_H

#include <string.h>

#include "platform/platform.h"

struct platform_names {
	char (*rows)[PLATFORM_SPELLING_SIZE];
	size_t max; /* rows that there is space for */
	size_t n;   /* names that were added, kept or not */
};

/* platform_names_add adds a name; one that does not fit in a row is passed over. */
static inline void platform_names_add(struct platform_names *list, const char *name)
{
	const size_t size = strlen(name) + 1;
	size_t i = list->n < list->max ? list->n : list->max;

	if (size > PLATFORM_SPELLING_SIZE)
		return;
	list->n++;
	for (; i > 0 && strcmp(list->rows[i - 1], name) > 0; i--)
		if (i < list->max)
			memcpy(list->rows[i], list->rows[i - 1], PLATFORM_SPELLING_SIZE);
	if (i < list->max)
		memcpy(list->rows[i], name, size);
}

#endif

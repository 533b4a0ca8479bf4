/* A list of file names: those that come first by their bytes, so that the order in which they are
 * found does not matter. */
#ifndef UVET_CORE_NAME_LIST_H
#define UVET_CORE_NAME_LIST_H

#include <stddef.h>
#include <string.h>

/* Room for a name, with the NUL. */
enum { NAME_LIST_SIZE = 256 };

struct name_list {
	char (*rows)[NAME_LIST_SIZE];
	size_t max; /* rows that there is space for */
	size_t n;   /* names that were added, kept or not */
};

/* name_list_add adds a name; one that does not fit in a row is passed over. */
static inline void name_list_add(struct name_list *list, const char *name)
{
	const size_t size = strlen(name) + 1;
	size_t i = list->n < list->max ? list->n : list->max;

	if (size > NAME_LIST_SIZE)
		return;
	list->n++;
	for (; i > 0 && strcmp(list->rows[i - 1], name) > 0; i--)
		if (i < list->max)
			memcpy(list->rows[i], list->rows[i - 1], NAME_LIST_SIZE);
	if (i < list->max)
		memcpy(list->rows[i], name, size);
}

#endif

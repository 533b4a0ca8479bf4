/* Parts: files of containers that are named themselves. Checks of the containers open them, and what no check has told of is left. */
#ifndef UVET_CLI_PARTS_H
#define UVET_CLI_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/platform.h"

struct part {
	char *path;
	struct platform_identity file;
	size_t first;                   /* the first part that is this file */
	bool is_told;                   /* of a first one: some check opened it, or says why not */
};

/* Parts stand in the order in which they were added. */
struct parts {
	struct part *list;
	size_t n, max;
	size_t *slots, n_slots;         /* a hash table of first ones: their places, from 1; 0: free */
};

/* parts_add adds what is a plain file; path outlives the parts. False: there is no memory. parts_free frees the lists, parts_held is how
 * many bytes they take. */
bool parts_add(struct parts *p, char *path);
size_t parts_held(const struct parts *p);
void parts_free(struct parts *p);

/* parts_tell notes that the check of the file at path told of the file of that name beside it. It is for lists that have parts. False:
 * there is no memory. */
bool parts_tell(struct parts *p, const char *path, const char *name);

/* parts_left lists the paths of those that no check told of; free frees the list. NULL: there is no memory. */
char **parts_left(const struct parts *p, size_t *n);

#endif

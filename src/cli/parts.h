/* Parts: files of containers that are named themselves. Checks of the containers open them, and what no check has told of is left. */
#ifndef UVET_CLI_PARTS_H
#define UVET_CLI_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/platform.h"

struct part {
	char *path;
	struct platform_identity file;
	bool is_told;                   /* some check opened it, or says why not */
};

/* Parts stand in the order in which they were added. */
struct parts {
	struct part *list;
	size_t n, max;
	struct part **by_file;          /* in the order of their files */
};

/* parts_add adds what is a plain file; path outlives the parts. parts_index is called when all were added. False: there is no memory.
 * parts_free frees the lists. */
bool parts_add(struct parts *p, char *path);
bool parts_index(struct parts *p);
void parts_free(struct parts *p);

/* parts_tell notes that the check of the file at path told of the file of that name beside it. False: there is no memory. */
bool parts_tell(struct parts *p, const char *path, const char *name);

/* parts_left lists the paths of those that no check told of; free frees the list. NULL: there is no memory. */
char **parts_left(const struct parts *p, size_t *n);

#endif

/* Parts: files of containers that are named themselves or found in folders. Checks of the containers open them, and what no check has told
 * of is left. */
#ifndef UVET_CLI_PARTS_H
#define UVET_CLI_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/platform.h"

struct part {
	char *path;                     /* NULL: nobody named or found it yet, or it is to be found again */
	struct platform_identity file;
	size_t first;                   /* the first part that is this file */
	bool is_found;                  /* in a folder: the path is the list's own */
	bool is_told;                   /* of a first one: some check opened it, or says why not */
	bool is_excused;                /* of a first one: its container was checked, and is not valid */
};

/* Parts stand in the order in which they were added or told of. */
struct parts {
	struct part *list;
	size_t n, max;
	size_t *slots, n_slots;         /* a hash table of first ones: their places, from 1; 0: free */
};

/* parts_add adds what is named, if it is a plain file; path outlives the parts. parts_find adds what was found in a folder, whose path is
 * copied. False: there is no memory. parts_forget forgets what was found since there were n parts: it will be found again. parts_free
 * frees the lists, parts_held is how many bytes those of what is named take. */
bool parts_add(struct parts *p, char *path);
bool parts_find(struct parts *p, const char *path, const struct platform_identity *file);
void parts_forget(struct parts *p, size_t n);
size_t parts_held(const struct parts *p);
void parts_free(struct parts *p);

/* parts_tell notes that the check of the file at path told of the file of that name beside it. False: there is no memory. */
bool parts_tell(struct parts *p, const char *path, const char *name);

/* parts_excuse notes those that the .utoc at path has by their names, as far as they are there: the check of it may not have come so far as
 * to tell of them, but did not find it valid. False: there is no memory. */
bool parts_excuse(struct parts *p, const char *path);

/* parts_left lists the paths of those that are named and of which no check told, and of those that were found, of which none did, and that
 * are not excused. parts_told lists all others that were found. free frees the list. NULL: there is no memory. */
char **parts_left(const struct parts *p, size_t *n);
char **parts_told(const struct parts *p, size_t *n);

#endif

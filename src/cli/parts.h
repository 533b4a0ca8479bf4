/* Parts: files of containers (.ucas, .pak, .sig) that were named or found in folders. The
 * check of a container opens its own parts; what remains at the end was opened by none. */
#ifndef UVET_CLI_PARTS_H
#define UVET_CLI_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/container_parts.h"
#include "platform/platform.h"

struct part {
	char *path;              /* NULL: it was not named or found, or has been forgotten */
	uint64_t device, number; /* which file it is, as in its platform_identity */
	uint32_t first;          /* the first part that is this file */
	bool is_found;           /* in a folder: the path is the list's own */
	bool is_told;            /* of a first one: a check opened it, or says why it did not */
};

/* Parts are in the order in which they were added. There may be as many of them as there are files
 * in a large folder, so of each no more is kept than which file it is. */
struct parts {
	struct part *list;
	size_t n, max;
	uint32_t *slots; /* a hash table of first ones: their places, from 1; 0: free */
	size_t n_slots;
};

/* parts_add adds a path that was named, if it is a plain file; it outlives the parts. parts_find
 * adds a file that was found in a folder, and copies its path. false: memory ended. parts_forget
 * forgets what was found since there were n parts, and will be found again.
 * parts_held is how many bytes the lists take, without the paths; parts_free frees everything. */
bool parts_add(struct parts *p, char *path);
bool parts_find(struct parts *p, const char *path, const struct platform_identity *file);
void parts_forget(struct parts *p, size_t n);
size_t parts_held(const struct parts *p);
void parts_free(struct parts *p);

/* parts_tell notes that the check of the file at path opened its companion of that name, or says
 * why not. false: memory ended. */
bool parts_tell(struct parts *p, const char *path, const char *name);

/* parts_own notes that the container at path was checked, and that the signatures beside it belong
 * to it, which no check opens. false: memory ended. */
bool parts_own(struct parts *p, const char *path);

/* parts_left lists the paths of the parts that no check looked at: those that were named and each
 * .ucas; parts_idle the others, which no container asked for. parts_owners lists the containers
 * beside parts that were named and are left, each one once and only if it was not checked; and adds
 * the .ucas beside a .pak that has none. free frees a list. NULL: memory ended. */
char **parts_left(const struct parts *p, size_t *n);
char **parts_idle(const struct parts *p, size_t *n);
char **parts_owners(struct parts *p, size_t *n);

/* parts_container writes the path of the container that a .ucas or .pak is named after to out,
 * which has room for the part's path and one byte more; false: it is named after none that is
 * there. */
bool parts_container(const char *part, char *out);

/* parts_signatures returns how many .sig files belong to containers that were checked. */
size_t parts_signatures(const struct parts *p);

#endif

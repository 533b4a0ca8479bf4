/* Parts: a list of files, looked up by the identity of the file, however its path is written. */
#include "cli/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"

enum { SLOTS_LEAST = 16 };

/* The slot of a file, or the free slot where it belongs. At least half are free. Systems number
 * files one after the other. */
static size_t *slot_of(const struct parts *p, const struct platform_identity *file)
{
	size_t i = (size_t)(file->number ^ file->number >> 20 ^ file->device);

	for (;; i++) {
		size_t *slot = &p->slots[i & (p->n_slots - 1)];

		if (*slot == 0 || platform_same_file(&p->list[*slot - 1].file, file))
			return slot;
	}
}

static bool make_slots(struct parts *p)
{
	const size_t n = p->n_slots == 0 ? SLOTS_LEAST : 2 * p->n_slots;
	size_t *slots;

	if (2 * (p->n + 1) <= p->n_slots)
		return true;
	slots = calloc(n, sizeof *slots);
	if (!slots)
		return false;
	free(p->slots);
	p->slots = slots;
	p->n_slots = n;
	for (size_t i = 0; i < p->n; i++)
		if (p->list[i].first == i)
			*slot_of(p, &p->list[i].file) = i + 1;
	return true;
}

static bool parts_append(struct parts *p, struct part part)
{
	struct part *list = grow(p->list, &p->max, p->n + 1, sizeof *list);
	size_t *slot;

	if (!list)
		return false;
	p->list = list;
	if (!make_slots(p))
		return false;
	slot = slot_of(p, &part.file);
	if (*slot == 0)
		*slot = p->n + 1;
	part.first = *slot - 1;
	list[p->n++] = part;
	return true;
}

bool parts_add(struct parts *p, char *path)
{
	struct part part = { .path = path };

	return platform_path_look(path, &part.file) != PLATFORM_FILE || parts_append(p, part);
}

bool parts_find(struct parts *p, const char *path, const struct platform_identity *file)
{
	const size_t len = strlen(path) + 1;
	struct part part = { .path = malloc(len), .file = *file, .is_found = true };

	if (!part.path)
		return false;
	memcpy(part.path, path, len);
	if (parts_append(p, part))
		return true;
	free(part.path);
	return false;
}

/* Whether a check looked at them is still known. */
void parts_forget(struct parts *p, size_t n)
{
	for (size_t i = n; i < p->n; i++) {
		if (!p->list[i].is_found)
			continue;
		free(p->list[i].path);
		p->list[i].path = NULL;
	}
}

void parts_free(struct parts *p)
{
	parts_forget(p, 0);
	free(p->slots);
	free(p->list);
	*p = (struct parts){ 0 };
}

size_t parts_held(const struct parts *p)
{
	return p->max * sizeof *p->list + p->n_slots * sizeof *p->slots;
}

/* The first part that is this file, which is added if there is none; NULL: memory ended. */
static struct part *find_first(struct parts *p, const struct platform_identity *file)
{
	if ((p->n == 0 || *slot_of(p, file) == 0) &&
	    !parts_append(p, (struct part){ .file = *file }))
		return NULL;
	return &p->list[*slot_of(p, file) - 1];
}

bool parts_tell(struct parts *p, const char *path, const char *name)
{
	const size_t folder = platform_folder_len(path), len = strlen(name) + 1;
	struct platform_identity file;
	struct part *part;
	char *sibling;
	bool is_file;

	sibling = malloc(folder + len);
	if (!sibling)
		return false;
	memcpy(sibling, path, folder);
	memcpy(sibling + folder, name, len);
	is_file = platform_path_look(sibling, &file) == PLATFORM_FILE;
	free(sibling);
	if (!is_file)
		return true;
	part = find_first(p, &file);
	if (part)
		part->is_told = true;
	return part != NULL;
}

/* Room for the longest ending of a part. */
enum { ENDING_MAX = 24 };

bool parts_excuse(struct parts *p, const char *path)
{
	const size_t len = strlen(path), stem = len - strlen(".utoc");
	char *name = malloc(len + ENDING_MAX);
	struct platform_identity file;
	bool done = true;

	if (!name)
		return false;
	memcpy(name, path, len + 1);
	snprintf(name + stem, ENDING_MAX, ".ucas");
	for (unsigned i = 1; done && platform_path_look(name, &file) == PLATFORM_FILE; i++) {
		struct part *part = find_first(p, &file);

		done = part != NULL;
		if (part)
			part->is_excused = true;
		snprintf(name + stem, ENDING_MAX, "_s%u.ucas", i);
	}
	free(name);
	return done;
}

static bool is_left(const struct parts *p, const struct part *part)
{
	const struct part *first = &p->list[part->first];

	return !first->is_told && !(part->is_found && first->is_excused);
}

static char **list_paths(const struct parts *p, bool are_left, size_t *n)
{
	char **paths = malloc((p->n + 1) * sizeof *paths);

	*n = 0;
	for (size_t i = 0; paths && i < p->n; i++) {
		const struct part *part = &p->list[i];

		if (part->path && is_left(p, part) == are_left && (are_left || part->is_found))
			paths[(*n)++] = part->path;
	}
	return paths;
}

char **parts_left(const struct parts *p, size_t *n)
{
	return list_paths(p, true, n);
}

char **parts_told(const struct parts *p, size_t *n)
{
	return list_paths(p, false, n);
}

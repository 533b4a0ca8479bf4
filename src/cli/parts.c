/* Parts: a list of files, looked up by which file each is, however its path is written. */
#include "cli/parts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"

enum { SLOTS_LEAST = 16 };

/* The slot of a file, or the free one where it belongs. At least half of them are free. Numbers of files are given one after the other. */
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

bool parts_add(struct parts *p, char *path)
{
	struct platform_identity file;
	struct part *list;
	size_t *slot;

	if (platform_path_look(path, &file) != PLATFORM_FILE)
		return true;
	list = grow(p->list, &p->max, p->n + 1, sizeof *list);
	if (!list)
		return false;
	p->list = list;
	if (!make_slots(p))
		return false;
	slot = slot_of(p, &file);
	if (*slot == 0)
		*slot = p->n + 1;
	list[p->n++] = (struct part){ path, file, *slot - 1, false };
	return true;
}

void parts_free(struct parts *p)
{
	free(p->slots);
	free(p->list);
	*p = (struct parts){ 0 };
}

size_t parts_held(const struct parts *p)
{
	return p->max * sizeof *p->list + p->n_slots * sizeof *p->slots;
}

static void tell(struct parts *p, const struct platform_identity *file)
{
	const size_t *slot = slot_of(p, file);

	if (*slot > 0)
		p->list[*slot - 1].is_told = true;
}

bool parts_tell(struct parts *p, const char *path, const char *name)
{
	const size_t folder = platform_folder_len(path), len = strlen(name) + 1;
	struct platform_identity file;
	char *beside;

	beside = malloc(folder + len);
	if (!beside)
		return false;
	memcpy(beside, path, folder);
	memcpy(beside + folder, name, len);
	if (platform_path_look(beside, &file) == PLATFORM_FILE)
		tell(p, &file);
	free(beside);
	return true;
}

char **parts_left(const struct parts *p, size_t *n)
{
	char **paths = malloc((p->n + 1) * sizeof *paths);

	*n = 0;
	for (size_t i = 0; paths && i < p->n; i++)
		if (!p->list[p->list[i].first].is_told)
			paths[(*n)++] = p->list[i].path;
	return paths;
}

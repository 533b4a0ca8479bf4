/* Parts: a list of files, looked up by which file each is, however its path is written. */
#include "cli/parts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"

bool parts_add(struct parts *p, char *path)
{
	struct platform_identity file;
	struct part *list;

	if (platform_path_look(path, &file) != PLATFORM_FILE)
		return true;
	list = grow(p->list, &p->max, p->n + 1, sizeof *list);
	if (!list)
		return false;
	p->list = list;
	list[p->n++] = (struct part){ path, file, false };
	return true;
}

static int compare_files(const struct platform_identity *a, const struct platform_identity *b)
{
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static int compare_parts(const void *a, const void *b)
{
	return compare_files(&(*(struct part *const *)a)->file, &(*(struct part *const *)b)->file);
}

bool parts_index(struct parts *p)
{
	p->by_file = malloc((p->n + 1) * sizeof *p->by_file);
	if (!p->by_file)
		return false;
	for (size_t i = 0; i < p->n; i++)
		p->by_file[i] = &p->list[i];
	qsort(p->by_file, p->n, sizeof *p->by_file, compare_parts);
	return true;
}

void parts_free(struct parts *p)
{
	free(p->by_file);
	free(p->list);
	*p = (struct parts){ 0 };
}

/* A file that is named several times stands there as often, one behind the other. */
static void tell(struct parts *p, const struct platform_identity *file)
{
	size_t low = 0, high = p->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_files(&p->by_file[middle]->file, file) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < p->n && compare_files(&p->by_file[low]->file, file) == 0; low++)
		p->by_file[low]->is_told = true;
}

bool parts_tell(struct parts *p, const char *path, const char *name)
{
	const size_t folder = platform_folder_len(path), len = strlen(name) + 1;
	struct platform_identity file;
	char *beside;

	if (p->n == 0)
		return true;
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
		if (!p->list[i].is_told)
			paths[(*n)++] = p->list[i].path;
	return paths;
}

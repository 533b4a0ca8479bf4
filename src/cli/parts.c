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

void parts_free(struct parts *p)
{
	free(p->list);
	*p = (struct parts){ NULL, 0, 0 };
}

static void tell(struct parts *p, const struct platform_identity *file)
{
	for (size_t i = 0; i < p->n; i++)
		if (platform_same_file(&p->list[i].file, file))
			p->list[i].is_told = true;
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

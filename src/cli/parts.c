/* Parts: a list of files, looked up by the identity of the file, however its path is written. */
#include "cli/parts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "core/apple_double.h"
#include "core/ending.h"

enum { SLOTS_LEAST = 16 };

/* The slot of a file, or the free slot where it belongs. At least half are free. Systems number
 * files one after the other. */
static uint32_t *slot_of(const struct parts *p, uint64_t device, uint64_t number)
{
	size_t i = (size_t)(number ^ number >> 20 ^ device);

	for (;; i++) {
		uint32_t *slot = &p->slots[i & (p->n_slots - 1)];
		const struct part *part = *slot > 0 ? &p->list[*slot - 1] : NULL;

		if (!part || (part->device == device && part->number == number))
			return slot;
	}
}

static bool make_slots(struct parts *p)
{
	const size_t n = p->n_slots == 0 ? SLOTS_LEAST : 2 * p->n_slots;
	uint32_t *slots;

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
			*slot_of(p, p->list[i].device, p->list[i].number) = (uint32_t)i + 1;
	return true;
}

static bool parts_append(struct parts *p, struct part part)
{
	struct part *list = p->n < UINT32_MAX - 1 ? grow(p->list, &p->max, p->n + 1, sizeof *list)
						  : NULL;
	uint32_t *slot;

	if (!list)
		return false;
	p->list = list;
	if (!make_slots(p))
		return false;
	slot = slot_of(p, part.device, part.number);
	if (*slot == 0)
		*slot = (uint32_t)p->n + 1;
	part.first = *slot - 1;
	list[p->n++] = part;
	return true;
}

static struct part part_of(const struct platform_identity *file)
{
	return (struct part){ .device = file->device, .number = file->number };
}

bool parts_add(struct parts *p, char *path)
{
	struct platform_identity file;
	struct part part;

	if (platform_path_look(path, &file) != PLATFORM_FILE)
		return true;
	part = part_of(&file);
	part.path = path;
	return parts_append(p, part);
}

bool parts_find(struct parts *p, const char *path, const struct platform_identity *file)
{
	const size_t len = strlen(path) + 1;
	struct part part = part_of(file);

	part.is_found = true;
	part.path = malloc(len);
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
	if ((p->n == 0 || *slot_of(p, file->device, file->number) == 0) &&
	    !parts_append(p, part_of(file)))
		return NULL;
	return &p->list[*slot_of(p, file->device, file->number) - 1];
}

/* Notes that a file was told of, if it is there. */
static bool tell_file(struct parts *p, const char *path)
{
	struct platform_identity file;
	struct part *part;

	if (platform_path_look(path, &file) != PLATFORM_FILE)
		return true;
	part = find_first(p, &file);
	if (part)
		part->is_told = true;
	return part != NULL;
}

bool parts_tell(struct parts *p, const char *path, const char *name)
{
	const size_t folder = platform_folder_len(path), len = strlen(name) + 1;
	char *sibling = malloc(folder + len);
	bool done;

	if (!sibling)
		return false;
	memcpy(sibling, path, folder);
	memcpy(sibling + folder, name, len);
	done = tell_file(p, sibling);
	free(sibling);
	return done;
}

bool parts_own(struct parts *p, const char *path)
{
	const size_t len = strlen(path);
	char *name = malloc(len + 1);
	bool done;

	if (!name)
		return false;
	memcpy(name, path, len + 1);
	done = tell_file(p, name);
	memcpy(name + len - strlen(PART_CONTAINER), PART_SIGNATURES, sizeof PART_SIGNATURES);
	done = done && tell_file(p, name);
	free(name);
	return done;
}

/* ---- What is left ---------------------------------------------------------------------------- */

static bool is_left(const struct parts *p, const struct part *part)
{
	const struct part *first = &p->list[part->first];

	return part->path && !first->is_told;
}

/* macOS has the name of another file for what it knows of that. */
static bool is_sidecar(const char *path)
{
	uint8_t first[APPLE_DOUBLE_LEN];
	struct platform_file file;
	struct source_io io;
	size_t n = 0;
	bool is_read;

	if (!apple_double_is_called(path) || !platform_file_open(path, &file))
		return false;
	io = platform_file_io(&file);
	is_read = io.read_at(io.ctx, 0, first, sizeof first, &n) && n == sizeof first;
	platform_file_close(&file);
	return is_read && apple_double_is(first);
}

/* An engine uses no .ucas without its container. A .pak that was found stands by itself, and is
 * checked as other files that were; nobody asked about a .sig. */
static bool is_wanted(const struct part *part)
{
	return !part->is_found || (ending_is(part->path, PART_DATA) && !is_sidecar(part->path));
}

static char **list_paths(const struct parts *p, bool are_wanted, size_t *n)
{
	char **paths = malloc((p->n + 1) * sizeof *paths);

	*n = 0;
	for (size_t i = 0; paths && i < p->n; i++)
		if (is_left(p, &p->list[i]) && is_wanted(&p->list[i]) == are_wanted)
			paths[(*n)++] = p->list[i].path;
	return paths;
}

char **parts_left(const struct parts *p, size_t *n)
{
	return list_paths(p, true, n);
}

char **parts_idle(const struct parts *p, size_t *n)
{
	return list_paths(p, false, n);
}

size_t parts_signatures(const struct parts *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->list[i].path && ending_is(p->list[i].path, PART_SIGNATURES) &&
		     p->list[p->list[i].first].is_told;
	return n;
}

/* ---- Containers of parts that were named ----------------------------------------------------- */

/* Whether a container, or its data, is a file in the folder of a part, and which one. Nobody named
 * it, so that a link is not followed: it may lead to a file that is none of the sender's. */
static bool is_beside(const char *part, const char *container, struct platform_identity *out)
{
	const char *name = container + folder_len(container);
	struct platform_file file;

	if (platform_sibling_open(part, name, &file) != PLATFORM_SIBLING_OPEN)
		return false;
	*out = file.identity;
	platform_file_close(&file);
	return true;
}

/* The length of a path without the _s12 of a partition. */
static size_t without_number(const char *path, size_t len)
{
	size_t at = len;

	while (at > 0 && path[at - 1] >= '0' && path[at - 1] <= '9')
		at--;
	return at < len && at > 2 && path[at - 1] == 's' && path[at - 2] == '_' ? at - 2 : len;
}

bool parts_container(const char *part, char *out)
{
	const size_t len = strlen(part);
	const bool is_data = ending_is(part, PART_DATA);
	const size_t stem = len - strlen(is_data ? PART_DATA : PART_PAK);
	const size_t shorter = is_data ? without_number(part, stem) : stem;
	struct platform_identity file;

	memcpy(out, part, stem);
	memcpy(out + stem, PART_CONTAINER, sizeof PART_CONTAINER);
	if (is_beside(part, out, &file))
		return true;
	if (shorter == stem)
		return false;
	memcpy(out + shorter, PART_CONTAINER, sizeof PART_CONTAINER);
	return is_beside(part, out, &file);
}

static bool has_owner(const struct part *part)
{
	return !part->is_found &&
	       (ending_is(part->path, PART_DATA) || ending_is(part->path, PART_PAK));
}

/* Whether a container is one that no check looked at; from now on it is taken for one that was. */
static bool takes_owner(struct parts *p, const char *path)
{
	struct platform_identity file;
	struct part *first;
	bool is_new;

	if (platform_path_look(path, &file) != PLATFORM_FILE)
		return false;
	first = find_first(p, &file);
	is_new = first && !first->is_told;
	if (first)
		first->is_told = true;
	return is_new;
}

/* A .pak without a container may have one's data beside it: the container is what is missing, and a
 * .pak that is sound by itself does not say so. A .ucas whose name ends as that of a partition does
 * may be one of another container. false: memory ended. */
static bool find_data(struct parts *p, const char *pak)
{
	const size_t stem = strlen(pak) - strlen(PART_PAK), size = stem + sizeof PART_CONTAINER;
	struct platform_identity file;
	char *path = malloc(2 * size);
	bool done = true;

	if (!path)
		return false;
	memcpy(path, pak, stem);
	memcpy(path + stem, PART_DATA, sizeof PART_DATA);
	if (is_beside(pak, path, &file) && !parts_container(path, path + size))
		done = parts_find(p, path, &file);
	free(path);
	return done;
}

/* The paths stand behind the list of them, in one block. */
char **parts_owners(struct parts *p, size_t *n)
{
	const size_t n_parts = p->n;
	size_t size = (n_parts + 1) * sizeof(char *);
	char **paths, *at;
	bool is_done = true;

	*n = 0;
	for (size_t i = 0; i < n_parts; i++)
		if (is_left(p, &p->list[i]) && has_owner(&p->list[i]))
			size += strlen(p->list[i].path) + 2;
	paths = malloc(size);
	at = paths ? (char *)(paths + n_parts + 1) : NULL;
	for (size_t i = 0; paths && i < n_parts; i++) {
		if (!is_left(p, &p->list[i]) || !has_owner(&p->list[i]))
			continue;
		if (!parts_container(p->list[i].path, at)) {
			is_done = is_done && (!ending_is(p->list[i].path, PART_PAK) ||
					      find_data(p, p->list[i].path));
			continue;
		}
		if (!takes_owner(p, at))
			continue;
		paths[(*n)++] = at;
		at += strlen(at) + 1;
	}
	if (is_done)
		return paths;
	free(paths);
	return NULL;
}

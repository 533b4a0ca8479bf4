/* The walk: a stack of open folders, without recursion. A folder is listed completely and sorted
 * before its first file is given. */
#include "cli/walk.h"

#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"

/* ---- Sorting --------------------------------------------------------------------------------- */

/* A folder's name is compared with the / that follows it, so that whole paths come in the order of
 * their bytes. */
static unsigned char end_of(enum platform_kind kind)
{
	return kind == PLATFORM_FOLDER ? '/' : '\0';
}

static uint64_t start_of(const char *name, enum platform_kind kind)
{
	uint64_t start = 0;
	size_t i = 0;

	for (; i < 8 && name[i]; i++)
		start = start << 8 | (unsigned char)name[i];
	if (i == 8)
		return start;
	return (start << 8 | end_of(kind)) << 8 * (7 - i);
}

/* Tells whether a does not come after b. */
static inline bool stands_before(const char *names, const struct walk_name *a,
				 const struct walk_name *b)
{
	const unsigned char *x = (const unsigned char *)names + a->at,
			    *y = (const unsigned char *)names + b->at;

	if (a->start != b->start)
		return a->start < b->start;
	for (; *x && *x == *y; x++, y++)
		;
	return (*x ? *x : end_of(a->kind)) <= (*y ? *y : end_of(b->kind));
}

/* A bottom-up merge sort, which is slow for no order of names. */
static struct walk_name *merge_pass(const char *names, const struct walk_name *from,
				    struct walk_name *to, size_t n, size_t width)
{
	for (size_t at = 0; at < n; at += 2 * width) {
		size_t a = at, middle = n - at > width ? at + width : n;
		size_t b = middle, end = n - at > 2 * width ? at + 2 * width : n;

		for (size_t i = at; i < end; i++) {
			bool left = b >= end ||
				    (a < middle && stands_before(names, &from[a], &from[b]));

			to[i] = left ? from[a++] : from[b++];
		}
	}
	return to;
}

static bool sort_names(struct walk *w, size_t first)
{
	size_t n = w->n_entries - first;
	struct walk_name *from, *to;

	if (n < 2)
		return true;
	from = w->entries + first;
	to = grow(w->spare, &w->spare_max, n, sizeof *to);
	if (!to)
		return false;
	w->spare = to;
	for (size_t width = 1; width < n; width *= 2) {
		struct walk_name *sorted = merge_pass(w->names, from, to, n, width);

		to = from;
		from = sorted;
	}
	if (from != w->entries + first)
		memcpy(w->entries + first, from, n * sizeof *from);
	return true;
}

/* ---- Folders --------------------------------------------------------------------------------- */

/* Why something was not opened; called before anything else changes the system's error code. */
static enum walk_result closed(void)
{
	return platform_is_crowded(platform_error()) ? WALK_CROWDED : WALK_CLOSED;
}

static bool keep_name(struct walk *w, const struct platform_entry *entry)
{
	size_t len = strlen(entry->name) + 1;
	char *names = grow(w->names, &w->names_max, w->names_len + len, 1);
	struct walk_name *entries;

	if (!names)
		return false;
	w->names = names;
	entries = grow(w->entries, &w->entries_max, w->n_entries + 1, sizeof *entries);
	if (!entries)
		return false;
	w->entries = entries;
	memcpy(names + w->names_len, entry->name, len);
	entries[w->n_entries++] = (struct walk_name){ w->names_len, entry->kind,
						      start_of(entry->name, entry->kind) };
	w->names_len += len;
	return true;
}

/* A folder whose listing fails half way is WALK_CLOSED as a whole: nobody could tell which files
 * are missing. */
static enum walk_result list_folder(struct walk *w, struct walk_level *level)
{
	struct platform_entry entry;
	bool failed;

	while (platform_folder_next(&level->folder, &entry, &failed)) {
		if (entry.kind == PLATFORM_LINK)
			w->n_links++;
		if (entry.kind == PLATFORM_OTHER)
			w->n_others++;
		else if (!keep_name(w, &entry))
			return WALK_NO_MEMORY;
	}
	if (failed)
		return WALK_CLOSED;
	return sort_names(w, level->first) ? WALK_FILE : WALK_NO_MEMORY;
}

static void pop_level(struct walk *w)
{
	struct walk_level *level = &w->levels[--w->depth];

	platform_folder_close(&level->folder);
	w->n_entries = level->first;
	w->names_len = level->names_len;
}

/* Takes ownership of the folder, whose path is w->path. */
static enum walk_result push_level(struct walk *w, struct platform_folder folder)
{
	struct walk_level *level = &w->levels[w->depth++];
	enum walk_result result;

	*level = (struct walk_level){ .folder = folder,
				      .first = w->n_entries,
				      .next = w->n_entries,
				      .names_len = w->names_len,
				      .path_len = w->path_len };
	result = list_folder(w, level);
	if (result != WALK_FILE)
		pop_level(w);
	return result;
}

/* Makes w->path from the path_len bytes at its front and a name. */
static bool set_path(struct walk *w, size_t path_len, const char *name)
{
	size_t len = strlen(name);
	char *path = grow(w->path, &w->path_max, path_len + 1 + len + 1, 1);

	if (!path)
		return false;
	w->path = path;
	if (path_len > 0 && path[path_len - 1] != '/')
		path[path_len++] = '/';
	memcpy(path + path_len, name, len + 1);
	w->path_len = path_len + len;
	return true;
}

enum walk_result walk_begin(struct walk *w, const char *root)
{
	struct platform_folder folder;

	if (!set_path(w, 0, root))
		return WALK_NO_MEMORY;
	return platform_folder_open(root, &folder) ? push_level(w, folder) : closed();
}

static enum walk_result enter_folder(struct walk *w, const struct walk_level *parent,
				     const char *name)
{
	struct platform_folder folder;

	if (w->depth == WALK_DEPTH_MAX)
		return WALK_CLOSED;
	if (!platform_folder_enter(&parent->folder, name, &folder))
		return closed();
	if (folder.device != parent->folder.device && !w->crosses) {
		platform_folder_close(&folder);
		w->n_mounts++;
		return WALK_CLOSED;
	}
	return push_level(w, folder);
}

enum walk_result walk_next(struct walk *w, struct platform_file *file)
{
	while (w->depth > 0) {
		struct walk_level *level = &w->levels[w->depth - 1];
		struct walk_name entry;
		enum walk_result result;

		if (level->next == w->n_entries) {
			pop_level(w);
			continue;
		}
		entry = w->entries[level->next++];
		if (!set_path(w, level->path_len, w->names + entry.at))
			return WALK_NO_MEMORY;
		if (entry.kind == PLATFORM_LINK)
			return WALK_LINK;
		if (entry.kind == PLATFORM_FILE)
			return platform_folder_open_file(&level->folder, w->names + entry.at, file)
				       ? WALK_FILE
				       : closed();
		result = enter_folder(w, level, w->names + entry.at);
		if (result != WALK_FILE)
			return result;
	}
	return WALK_END;
}

void walk_back(struct walk *w)
{
	w->levels[w->depth - 1].next--;
}

/* ---- Coming back ----------------------------------------------------------------------------- */

/* Compares an entry with the rest of a path: below 0: it comes before it; above 0: after it; 0: it
 * is that path or leads to it. */
static int compare_to(const char *name, enum platform_kind kind, const char *rest)
{
	for (; *name && *name == *rest; name++, rest++)
		;
	if (!*name && (!*rest || (*rest == '/' && kind == PLATFORM_FOLDER)))
		return 0;
	return (*name ? (unsigned char)*name : end_of(kind)) - (unsigned char)*rest;
}

/* Skips the entries of the deepest folder that come before a path, and the one that is it or
 * leads to it; true: that is a folder to enter. The path of a folder itself lacks the / that its
 * entry is sorted with, so the entry may come after others that come after the path. */
static bool skip_to(struct walk *w, const char *path)
{
	struct walk_level *level = &w->levels[w->depth - 1];
	const char *rest = path + level->path_len + (path[level->path_len] == '/');

	for (size_t i = level->next; i < w->n_entries; i++) {
		const char *name = w->names + w->entries[i].at;
		const int order = compare_to(name, w->entries[i].kind, rest);

		if (order <= 0)
			level->next = i + 1;
		if (order == 0)
			return rest[strlen(name)] == '/';
	}
	return false;
}

enum walk_result walk_return(struct walk *w, const char *root, const char *path)
{
	enum walk_result result = walk_begin(w, root);

	while (result == WALK_FILE && skip_to(w, path)) {
		struct walk_level *level = &w->levels[w->depth - 1];
		const char *name = w->names + w->entries[level->next - 1].at;

		if (!set_path(w, level->path_len, name))
			return WALK_NO_MEMORY;
		result = enter_folder(w, level, name);
		if (result == WALK_CLOSED || result == WALK_CROWDED) {
			level->next--;
			return WALK_FILE;
		}
	}
	return result;
}

void walk_stop(struct walk *w)
{
	while (w->depth > 0)
		pop_level(w);
}

void walk_free(struct walk *w)
{
	walk_stop(w);
	free(w->entries);
	free(w->spare);
	free(w->names);
	free(w->path);
	*w = (struct walk){ 0 };
}

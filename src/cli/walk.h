/* The walk: every file below a folder, in the order of their paths' bytes. */
#ifndef UVET_CLI_WALK_H
#define UVET_CLI_WALK_H

#include "platform/platform.h"

/* How many folders deep a walk goes; each holds an open descriptor. */
enum { WALK_DEPTH_MAX = 128 };

struct walk_name {
	size_t at; /* in names */
	enum platform_kind kind;
	/* its first eight bytes as a big-endian number: most names differ in them */
	uint64_t start;
};

/* A walk_level is a folder that is open: which of the entries are its own, and which comes next. */
struct walk_level {
	struct platform_folder folder;
	size_t first, next;         /* in entries; they end where the next level's begin */
	size_t names_len, path_len; /* of the walk, before this level */
};

/* A walk keeps the names in the open folders in growing arrays, and allocates nothing for a
 * single file. Zeroed, it is ready for walk_begin. */
struct walk {
	struct walk_level levels[WALK_DEPTH_MAX];
	int depth;
	struct walk_name *entries, *spare; /* spare is for sorting */
	size_t n_entries, entries_max, spare_max;
	char *names, *path;
	size_t names_len, names_max, path_len, path_max;
	uint64_t n_links, n_others; /* links; FIFOs, sockets and devices: not opened */
	uint64_t n_mounts; /* folders on another file system, each of which was WALK_CLOSED */
	/* set before walk_begin and walk_return: folders on other file systems are entered */
	bool crosses;
};

enum walk_result {
	WALK_FILE, /* *file is open */
	/* a file or folder that cannot be read, or that lies too deep or on another file system */
	WALK_CLOSED,
	WALK_CROWDED, /* one that cannot be read because too many files are open */
	WALK_LINK,    /* a link, which is counted and not followed */
	WALK_END,
	WALK_NO_MEMORY,
};

/* walk_begin opens the folder that the walk begins in: WALK_FILE if it is open, WALK_CLOSED or
 * WALK_CROWDED if it is no folder or cannot be read. It may be called again after the end of a
 * walk. */
enum walk_result walk_begin(struct walk *w, const char *root);

/* walk_next gives the next file, whose path is w->path until the next call. */
enum walk_result walk_next(struct walk *w, struct platform_file *file);

/* walk_back undoes the last walk_next, which gave WALK_CROWDED: the next one tries the same
 * again. */
void walk_back(struct walk *w);

/* walk_return begins the walk again, after walk_free, at the position after a path that
 * walk_next had given: WALK_FILE if it is there. If a folder on the way can no longer be
 * entered, walk_next gives that folder next. What is left out is counted again from 0. */
enum walk_result walk_return(struct walk *w, const char *root, const char *path);

/* walk_stop ends a walk early: it may begin again. */
void walk_stop(struct walk *w);

/* walk_free closes and frees everything, at any time. */
void walk_free(struct walk *w);

#endif

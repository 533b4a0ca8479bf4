/* The root of paths: how reports call inputs that lie below a folder. Names are compared as they
 * are written, without a look at any file. */
#ifndef UVET_ENGINE_PATH_ROOT_H
#define UVET_ENGINE_PATH_ROOT_H

#include "core/arena.h"

/* The longest folder, with its NUL. */
enum { PATH_ROOT_MAX = 4096 };

/* A path_root that is zeroed is none: names are as they were typed. */
struct path_root {
	bool backslashes; /* `\` separates in names too, and letters of both cases are alike */
	char typed[PATH_ROOT_MAX]; /* as the user called the folder; "": there is none */
	/* the folder that relative names begin in; "": it is not known, and they are not compared
	 * with absolute ones */
	char base[PATH_ROOT_MAX];
	char whole[2 * PATH_ROOT_MAX + 8]; /* typed, in the form in which names are compared */
	size_t prefix; /* the length of what makes that an absolute path; 0: it is none */
	bool is_set;   /* whole holds a folder */
};

/* path_root_settle makes `whole` of the rest. path_root_is_absolute tells whether the root was
 * typed as an absolute path. */
void path_root_settle(struct path_root *p);
bool path_root_is_absolute(const struct path_root *p);

/* path_root_name gives how reports call an input: its path below the root, as its components with
 * `/` between them, or the name as it was typed, but for backslashes that separate, which become
 * `/`. *below tells which. NULL: memory ended. */
const char *path_root_name(const struct path_root *p, struct arena *arena, const char *typed,
			   bool *below);

#endif

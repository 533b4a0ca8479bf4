/* Globs: patterns of the files in folders that are checked, or left out. */
#ifndef UVET_CLI_GLOBS_H
#define UVET_CLI_GLOBS_H

#include <stdbool.h>

enum { GLOBS_MAX = 64 };

/* In a glob * stands for any characters but /, ** for any, and ? for one; letters of ASCII match in
 * both cases, and everything else stands for itself. */
struct globs {
	const char *of[GLOBS_MAX];
	int n;
};

/* globs_match tells whether a path below a folder, or a folder on its way, matches one: a glob with
 * a / in it by the path, another by the name alone; one that ends with a / only folders. */
bool globs_match(const struct globs *g, const char *path);

#endif

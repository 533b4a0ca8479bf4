/* The ends of paths: names and their endings, for the command, the system and the engine. */
#ifndef UVET_CORE_ENDING_H
#define UVET_CORE_ENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/ascii.h"

/* ending_is tells whether a file name, or a path, ends in `ending`, which is in small letters and
 * may be longer. Letters of ASCII count alike in both cases. A name is more than an ending: ".utoc"
 * does not end in it. */
static inline bool ending_is(const char *name, const char *ending)
{
	const size_t len = strlen(name), n = strlen(ending);

	if (len <= n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (ascii_lower(name[len - n + i]) != ending[i])
			return false;
	return true;
}

/* folder_len is the length of what stands before the last component of a path, with the separator
 * of whatever system; folder_len_of that of the first len bytes of one. */
static inline size_t folder_len_of(const char *path, size_t len)
{
	while (len > 0 && path[len - 1] != '/' && path[len - 1] != '\\')
		len--;
	return len;
}
static inline size_t folder_len(const char *path)
{
	return folder_len_of(path, strlen(path));
}

#endif

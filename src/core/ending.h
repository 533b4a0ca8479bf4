/* Endings of file names: how the command, the system and the engine compare them. */
#ifndef UVET_CORE_ENDING_H
#define UVET_CORE_ENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* ending_is tells whether a file name, or a path, ends in `ending`, which is in small letters and
 * may be longer. Letters of ASCII count alike in both cases. A name is more than an ending: ".utoc"
 * does not end in it. */
static inline bool ending_is(const char *name, const char *ending)
{
	const size_t len = strlen(name), n = strlen(ending);

	if (len <= n)
		return false;
	for (size_t i = 0; i < n; i++) {
		const char c = name[len - n + i];

		if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != ending[i])
			return false;
	}
	return true;
}

#endif

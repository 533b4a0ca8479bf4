/* AppleDouble files, in which macOS keeps what it knows of another file. Source of the format: RFC
 * 1740, appendix B; conformance/spec/run.md, 1.4. */
#ifndef UVET_CORE_APPLE_DOUBLE_H
#define UVET_CORE_APPLE_DOUBLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/ending.h"

/* The magic number, and the version, which is 2. */
enum { APPLE_DOUBLE_LEN = 8 };

/* apple_double_is_called tells whether a file has the name of one. */
static inline bool apple_double_is_called(const char *path)
{
	return strncmp(path + folder_len(path), "._", 2) == 0;
}

/* apple_double_is tells whether these are the first bytes of one. */
static inline bool apple_double_is(const uint8_t first[APPLE_DOUBLE_LEN])
{
	return memcmp(first, "\0\5\x16\7\0\2\0", APPLE_DOUBLE_LEN) == 0;
}

#endif

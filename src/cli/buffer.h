/* Slurping: a stream that can be read only once, taken into memory whole. */
#ifndef UVET_CLI_BUFFER_H
#define UVET_CLI_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A slurp holds what was read. There is always a NUL behind the bytes. */
struct slurp {
	char *bytes;
	size_t len;
	char trouble[128];              /* in a few words, if slurp_read failed */
};

/* slurp_read reads the stream at path, or standard input if path is NULL, to its end, which shall come after at most `most` bytes. */
bool slurp_read(struct slurp *s, const char *path, uint64_t most);

void slurp_free(struct slurp *s);

#endif

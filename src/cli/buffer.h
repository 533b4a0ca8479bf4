/* Buffers: the whole of a stream that can be read only once. */
#ifndef UVET_CLI_BUFFER_H
#define UVET_CLI_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer holds what was read, with a NUL after it. */
struct buffer {
	char *bytes;
	size_t len;
	char trouble[128]; /* in a few words, if buffer_read failed */
};

/* buffer_read reads the stream at path, or standard input if path is NULL, to its end. false: it
 * could not be read, memory ended, or it has more than `most` bytes. buffer_free is called
 * either way. */
bool buffer_read(struct buffer *s, const char *path, uint64_t most);

void buffer_free(struct buffer *s);

#endif

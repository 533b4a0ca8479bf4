/* Buffers: a stream is read into memory that grows, to its end or to the limit. */
#include "cli/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

enum { STEP = 65536 };

/* More than this is never taken, whatever the limit is. */
#define MOST ((uint64_t)SIZE_MAX / 4)

static bool buffer_fail(struct buffer *s, const char *trouble)
{
	if (trouble)
		snprintf(s->trouble, sizeof s->trouble, "%s", trouble);
	else
		platform_error_text(platform_error(), s->trouble, sizeof s->trouble);
	return false;
}

/* There is space for one byte more than is allowed, so that too long a stream is noticed, and for
 * the NUL. */
static bool enlarge(struct buffer *s, size_t *max, uint64_t most)
{
	const uint64_t wanted = *max > 0 ? 2 * (uint64_t)*max : STEP, needed = most + 2;
	const uint64_t n = wanted < needed ? wanted : needed;
	char *bytes = realloc(s->bytes, (size_t)n);

	if (!bytes)
		return buffer_fail(s, "out of memory");
	s->bytes = bytes;
	*max = (size_t)n;
	return true;
}

static bool buffer_stream(struct buffer *s, struct platform_stream *stream, uint64_t most)
{
	size_t max = 0, n = 0;

	do {
		s->len += n;
		if (s->len > most)
			return buffer_fail(s, "longer than --max-memory allows");
		if (s->len + 1 >= max && !enlarge(s, &max, most))
			return false;
		if (!platform_stream_read(stream, s->bytes + s->len, max - 1 - s->len, &n))
			return buffer_fail(s, NULL);
	} while (n > 0);
	s->bytes[s->len] = '\0';
	return true;
}

bool buffer_read(struct buffer *s, const char *path, uint64_t most)
{
	struct platform_stream stream;
	bool ok;

	*s = (struct buffer){ 0 };
	if (!platform_stream_open(path, &stream))
		return buffer_fail(s, NULL);
	ok = buffer_stream(s, &stream, most < MOST ? most : MOST);
	platform_stream_close(&stream);
	return ok;
}

void buffer_free(struct buffer *s)
{
	free(s->bytes);
	s->bytes = NULL;
	s->len = 0;
}

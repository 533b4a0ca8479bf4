/* Slurping: read into a growing buffer until the end or the limit. */
#include "cli/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

enum { STEP = 65536 };

/* More than this is never taken, whatever the limit is. */
#define MOST ((uint64_t)SIZE_MAX / 4)

static bool slurp_fail(struct slurp *s, const char *trouble)
{
	if (trouble)
		snprintf(s->trouble, sizeof s->trouble, "%s", trouble);
	else
		platform_error_text(platform_error(), s->trouble, sizeof s->trouble);
	return false;
}

/* Room for a byte more than may come, which tells that too many do, and for the NUL. */
static bool make_room(struct slurp *s, size_t *max, uint64_t most)
{
	const uint64_t wanted = *max > 0 ? 2 * (uint64_t)*max : STEP, needed = most + 2;
	const uint64_t n = wanted < needed ? wanted : needed;
	char *bytes = realloc(s->bytes, (size_t)n);

	if (!bytes)
		return slurp_fail(s, "out of memory");
	s->bytes = bytes;
	*max = (size_t)n;
	return true;
}

static bool slurp_stream(struct slurp *s, struct platform_stream *stream, uint64_t most)
{
	size_t max = 0, n = 0;

	do {
		s->len += n;
		if (s->len > most)
			return slurp_fail(s, "longer than --max-memory allows");
		if (s->len + 1 >= max && !make_room(s, &max, most))
			return false;
		if (!platform_stream_read(stream, s->bytes + s->len, max - 1 - s->len, &n))
			return slurp_fail(s, NULL);
	} while (n > 0);
	s->bytes[s->len] = '\0';
	return true;
}

bool slurp_read(struct slurp *s, const char *path, uint64_t most)
{
	struct platform_stream stream;
	bool ok;

	*s = (struct slurp){ 0 };
	if (!platform_stream_open(path, &stream))
		return slurp_fail(s, NULL);
	ok = slurp_stream(s, &stream, most < MOST ? most : MOST);
	platform_stream_close(&stream);
	return ok;
}

void slurp_free(struct slurp *s)
{
	free(s->bytes);
	s->bytes = NULL;
	s->len = 0;
}

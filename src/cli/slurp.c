/* Slurping: read into a growing buffer until the end or the limit. */
#include "cli/slurp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "platform/platform.h"

enum { STEP = 65536 };

static bool slurp_fail(struct slurp *s, const char *trouble)
{
	if (trouble)
		snprintf(s->trouble, sizeof s->trouble, "%s", trouble);
	else
		platform_error_text(platform_error(), s->trouble, sizeof s->trouble);
	return false;
}

static bool slurp_stream(struct slurp *s, struct platform_stream *stream)
{
	size_t max = 0, n;

	for (; s->len <= SLURP_MAX; s->len += n) {
		char *bytes = grow(s->bytes, &max, s->len + STEP, 1);

		if (!bytes)
			return slurp_fail(s, "out of memory");
		s->bytes = bytes;
		if (!platform_stream_read(stream, bytes + s->len, max - s->len, &n))
			return slurp_fail(s, NULL);
		if (n == 0) {
			bytes[s->len] = '\0';
			return true;
		}
	}
	return slurp_fail(s, "longer than 1 GiB");
}

bool slurp_read(struct slurp *s, const char *path)
{
	struct platform_stream stream;
	bool ok;

	*s = (struct slurp){ 0 };
	if (!platform_stream_open(path, &stream))
		return slurp_fail(s, NULL);
	ok = slurp_stream(s, &stream);
	platform_stream_close(&stream);
	return ok;
}

void slurp_free(struct slurp *s)
{
	free(s->bytes);
	s->bytes = NULL;
	s->len = 0;
}

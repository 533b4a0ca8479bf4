/* Files of AppleDouble. */
#include "engine/sidecar.h"

#include <string.h>

#include "core/apple_double.h"
#include "core/arena.h"
#include "core/rows.h"

/* How many last bytes are searched for the end of another file: as far as that of a zip may
 * reach. */
enum { END_LEN = 65557, MARK_LEN = 4 };
static const char *const marks[] = { "\xE1\x12\x6F\x5A", "\xA3\xC5\xE3\x9F", "PK\5\6" };

static bool has_mark(struct held b)
{
	for (uint64_t i = 0; i + MARK_LEN <= b.len; i++)
		for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
			if (memcmp(b.bytes + i, marks[k], MARK_LEN) == 0)
				return true;
	return false;
}

/* Formats that are known by their end may have any first bytes. */
static bool has_end(struct source *s)
{
	const uint64_t size = s->io.size, len = size < END_LEN ? size : END_LEN;
	uint8_t *bytes = arena_alloc(s->arena, len, 1);

	return !bytes || !source_copy(s, (struct span){ size - len, len }, bytes) ||
	       has_mark((struct held){ bytes, len });
}

bool sidecar_is(struct source *s)
{
	const struct arena_mark mark = arena_mark(s->arena);
	uint8_t first[APPLE_DOUBLE_LEN];
	bool is;

	if (!apple_double_is_called(s->name) || s->io.size < APPLE_DOUBLE_LEN ||
	    !source_copy(s, (struct span){ 0, APPLE_DOUBLE_LEN }, first) || !apple_double_is(first))
		return false;
	is = !has_end(s);
	arena_rewind(s->arena, mark);
	return is;
}

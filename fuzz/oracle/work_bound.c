/* The bound of work, by the bytes of the file and what they may cost. */
#include "oracle/work_bound.h"

#include <string.h>

#include "codec/coder_work.h"
#include "codec/unstream.h"
#include "core/work.h"

static bool is_called(const struct format *f, const char *name)
{
	return f && strcmp(f->name, name) == 0;
}

/* In a zip a byte may be one of a deflated member, and give 1032, which are 16 steps. */
static bool has_deflated_members(const struct subject *s)
{
	return is_called(s->format, "zip");
}

/* What a block of bzip2 costs that gives no bytes, for each member of a zip that may have one:
 * those whose rows in a directory name the method. */
static uint64_t blocks_cost(const struct subject *s)
{
	static const uint8_t row[] = { 'P', 'K', 1, 2 };
	uint64_t n = 0;

	for (uint64_t at = 0; has_deflated_members(s) && s->size >= 12 && at <= s->size - 12; at++)
		n += memcmp(s->data + at, row, sizeof row) == 0 && s->data[at + 10] == 12;
	return n * 900000;
}

/* What slow decoders cost beyond reading: bzip2 a unit for each byte of a piece, of which a stream
 * of 14 bytes begins one; PPMd, in the archives that have it, eight for a byte. */
static uint64_t coders_cost(const struct subject *s, const struct format *f, uint64_t size)
{
	if (is_called(f, "stream"))
		return UNSTREAM_PIECE * (2 + 2 * (size / 14));
	if (has_deflated_members(s) || is_called(f, "zip") || is_called(f, "sevenzip"))
		return PPMD_WORK_OUT * s->unpacks;
	return 0;
}

uint64_t work_bound(const struct subject *s, const struct format *f, uint64_t size)
{
	return 4096 + (has_deflated_members(s) ? 32 : 8) * size + s->unpacks + blocks_cost(s) +
	       coders_cost(s, f, size);
}

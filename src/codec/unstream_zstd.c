/* One frame of Zstandard through libzstd, where it is there. */
#include "codec/unstream_parts.h"

#if defined(UVET_WITH_ZSTD)

/* Memory of our own, and what a frame's header says: this part of libzstd's interface may change
 * between versions, and has not since 1.3. */
#define ZSTD_STATIC_LINKING_ONLY
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { WINDOW_LOG_MAX = 27, FRAME_HEADER_MAX = 18 };

static void *take(void *ctx, size_t size)
{
	return kept_take(ctx, size);
}

static enum unstream_result meaning(struct unstreaming *u, size_t code)
{
	switch (ZSTD_getErrorCode(code)) {
	case ZSTD_error_memory_allocation:
		return UNSTREAM_NO_MEMORY;
	case ZSTD_error_checksum_wrong:
		return UNSTREAM_WRONG_SUM;
	case ZSTD_error_frameParameter_windowTooLarge:
		return UNSTREAM_WINDOW;
	case ZSTD_error_dictionary_wrong:
		u->end->lacks = "a dictionary of Zstandard";
		return UNSTREAM_UNKNOWN;
	default:
		return UNSTREAM_BROKEN;
	}
}

static enum unstream_result run(struct unstreaming *u, ZSTD_DCtx *z)
{
	enum unstream_result taken = UNSTREAM_DONE;
	size_t code = 1;

	while (code != 0 && !ZSTD_isError(code) && taken == UNSTREAM_DONE) {
		const bool has_more = feed_fill(&u->in);
		ZSTD_inBuffer in = { u->in.next, (size_t)u->in.n, 0 };
		ZSTD_outBuffer out;

		if (u->in.is_stopped)
			return UNSTREAM_STOPPED;
		drain_open(&u->out);
		out = (ZSTD_outBuffer){ u->out.room, (size_t)u->out.n_room, 0 };
		code = ZSTD_decompressStream(z, &out, &in);
		feed_took(&u->in, in.pos);
		taken = drain_take(&u->out, out.pos);
		if (!has_more && out.pos == 0 && code != 0 && !ZSTD_isError(code))
			return UNSTREAM_CUT;
	}
	return ZSTD_isError(code) && taken == UNSTREAM_DONE ? meaning(u, code) : taken;
}

/* Frames of versions before 0.8 have decoders of their own, which are no longer maintained. */
static bool is_frame(const uint8_t first[4])
{
	return (first[0] == 0x28 && first[1] == 0xB5 && first[2] == 0x2F && first[3] == 0xFD) ||
	       unstream_is_skipped(first);
}

static uint64_t window_of(struct unstreaming *u)
{
	uint8_t first[FRAME_HEADER_MAX];
	const uint64_t n = feed_peek(&u->in, first, sizeof first);
	ZSTD_frameHeader h;

	return ZSTD_getFrameHeader(&h, first, (size_t)n) == 0 ? h.windowSize : 0;
}

/* To make a state takes longer than to decode a small frame. */
static ZSTD_DCtx *state(struct unstreaming *u)
{
	const ZSTD_customMem memory = { take, kept_leave, u };
	ZSTD_DCtx *z = u->state ? u->state : ZSTD_createDCtx_advanced(memory);

	if (!z || (!u->state &&
		   ZSTD_isError(ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))))
		return NULL;
	u->state = z;
	return ZSTD_isError(ZSTD_DCtx_reset(z, ZSTD_reset_session_only)) ? NULL : z;
}

enum unstream_result unzstd_one(struct unstreaming *u)
{
	uint8_t first[4];
	ZSTD_DCtx *z;

	if (feed_peek(&u->in, first, sizeof first) < sizeof first)
		return feed_why(&u->in);
	if (!is_frame(first))
		return UNSTREAM_BROKEN;
	u->end->said = window_of(u);
	z = state(u);
	return z ? run(u, z) : UNSTREAM_NO_MEMORY; /* the arena frees it */
}

#else

enum unstream_result unzstd_one(struct unstreaming *u)
{
	u->end->lacks = unstream_lack(UNSTREAM_ZSTD);
	return UNSTREAM_UNAVAILABLE;
}

#endif

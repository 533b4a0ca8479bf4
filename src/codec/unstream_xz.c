/* One stream of xz through liblzma, where it is there: it compares the checks of blocks, and the
 * index and the footer with the blocks. */
#include "codec/unstream_parts.h"

#if defined(UVET_WITH_LZMA)

#include <lzma.h>

#include "core/checked.h"

/* What a decoder takes besides its dictionary. */
#define BESIDES ((uint64_t)1 << 20)

static void *take(void *ctx, size_t count, size_t size)
{
	uint64_t n;

	return checked_mul(count, size, &n) ? kept_take(ctx, n) : NULL;
}

static enum unstream_result meaning(struct unstreaming *u, lzma_ret ret, const lzma_stream *s)
{
	switch (ret) {
	case LZMA_MEM_ERROR:
		return UNSTREAM_NO_MEMORY;
	case LZMA_MEMLIMIT_ERROR:
		u->end->said = lzma_memusage(s);
		return UNSTREAM_WINDOW;
	case LZMA_UNSUPPORTED_CHECK:
		u->end->lacks = "a check of xz";
		return UNSTREAM_UNKNOWN;
	case LZMA_OPTIONS_ERROR:
		u->end->lacks = "a filter of xz";
		return UNSTREAM_UNKNOWN;
	case LZMA_BUF_ERROR:
		return UNSTREAM_CUT;
	default:
		return UNSTREAM_BROKEN;
	}
}

static enum unstream_result run(struct unstreaming *u, lzma_stream *s)
{
	enum unstream_result taken = UNSTREAM_DONE;
	lzma_ret ret = LZMA_OK;

	while (ret == LZMA_OK && taken == UNSTREAM_DONE) {
		const bool has_more = feed_fill(&u->in);

		if (u->in.is_stopped)
			return UNSTREAM_STOPPED;
		drain_open(&u->out);
		s->next_in = u->in.next;
		s->avail_in = (size_t)u->in.n;
		s->next_out = u->out.room;
		s->avail_out = (size_t)u->out.n_room;
		ret = lzma_code(s, has_more ? LZMA_RUN : LZMA_FINISH);
		feed_took(&u->in, u->in.n - s->avail_in);
		taken = drain_take(&u->out, u->out.n_room - s->avail_out);
	}
	if (taken != UNSTREAM_DONE || ret == LZMA_STREAM_END)
		return taken;
	return meaning(u, ret, s);
}

enum unstream_result unxz_one(struct unstreaming *u)
{
	const lzma_allocator allocator = { take, kept_leave, u };
	lzma_stream s = LZMA_STREAM_INIT;
	enum unstream_result r = UNSTREAM_NO_MEMORY;

	s.allocator = &allocator;
	if (lzma_stream_decoder(&s, UNSTREAM_WINDOW_MAX + BESIDES, LZMA_TELL_UNSUPPORTED_CHECK) ==
	    LZMA_OK)
		r = run(u, &s);
	lzma_end(&s);
	return r;
}

#else

enum unstream_result unxz_one(struct unstreaming *u)
{
	u->end->lacks = unstream_lack(UNSTREAM_XZ);
	return UNSTREAM_UNAVAILABLE;
}

#endif

/* One stream of bzip2 through libbz2, where it is there: it compares the checksums of blocks and
 * of the stream. */
#include "codec/unstream_parts.h"

#if defined(UVET_WITH_BZIP2)

#include <bzlib.h>
#include <string.h>

static void *take(void *ctx, int count, int size)
{
	return kept_take(ctx, (uint64_t)count * (uint64_t)size);
}

static enum unstream_result run(struct unstreaming *u, bz_stream *s)
{
	enum unstream_result taken = UNSTREAM_DONE;
	int status = BZ_OK;

	while (status == BZ_OK && taken == UNSTREAM_DONE) {
		const bool has_more = feed_fill(&u->in);
		uint64_t given;

		if (u->in.is_stopped)
			return UNSTREAM_STOPPED;
		drain_open(&u->out);
		s->next_in = (char *)u->in.next;
		s->avail_in = (unsigned)u->in.n;
		s->next_out = (char *)u->out.room;
		s->avail_out = (unsigned)u->out.n_room;
		status = BZ2_bzDecompress(s);
		feed_took(&u->in, u->in.n - s->avail_in);
		given = u->out.n_room - s->avail_out;
		taken = drain_take(&u->out, given);
		if (status == BZ_OK && !has_more && given == 0)
			return UNSTREAM_CUT;
	}
	if (taken != UNSTREAM_DONE || status == BZ_STREAM_END)
		return taken;
	return status == BZ_MEM_ERROR ? UNSTREAM_NO_MEMORY : UNSTREAM_BROKEN;
}

enum unstream_result unbzip2_one(struct unstreaming *u)
{
	enum unstream_result r;
	bz_stream s;

	memset(&s, 0, sizeof s);
	s.bzalloc = take;
	s.bzfree = kept_leave;
	s.opaque = u;
	if (BZ2_bzDecompressInit(&s, 0, 0) != BZ_OK)
		return UNSTREAM_NO_MEMORY;
	r = run(u, &s);
	BZ2_bzDecompressEnd(&s);
	return r;
}

bool unbzip2_is_available(void)
{
	return true;
}

#else

enum unstream_result unbzip2_one(struct unstreaming *u)
{
	u->end->lacks = unstream_lack(UNSTREAM_BZIP2);
	return UNSTREAM_UNAVAILABLE;
}

bool unbzip2_is_available(void)
{
	return false;
}

#endif

/* One member of a gzip file (RFC 1952): the frame is read here, so that checksum and size are
 * compared and it is known which of them is wrong; zlib inflates. */
#include <string.h>
#include <zlib.h>

#include "codec/unstream_parts.h"
#include "core/mutant.h"

enum { HEADER_LEN = 10, TRAILER_LEN = 8, METHOD_DEFLATE = 8 };
enum { FLAG_SUM = 2, FLAG_EXTRA = 4, FLAG_NAME = 8, FLAG_COMMENT = 16, FLAGS_RESERVED = 0xE0 };
enum { RAW = -15 }; /* zlib: the form without a frame */

/* A header, byte by byte, with its checksum. */
struct gzip_header {
	struct feed *in;
	uLong sum;
	bool is_cut;
};

static uint8_t next_byte(struct gzip_header *h)
{
	uint8_t byte = 0;

	h->is_cut = h->is_cut || !feed_byte(h->in, &byte);
	h->sum = crc32(h->sum, &byte, 1);
	return byte;
}

static void pass_text(struct gzip_header *h)
{
	while (next_byte(h) != 0 && !h->is_cut)
		;
}

static void pass_extra(struct gzip_header *h)
{
	unsigned n = next_byte(h);

	n += 256u * next_byte(h);
	for (; n > 0 && !h->is_cut; n--)
		(void)next_byte(h);
}

static uint64_t read_le(struct feed *in, unsigned n, bool *is_cut)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n && !*is_cut; i++) {
		uint8_t byte = 0;

		*is_cut = !feed_byte(in, &byte);
		v |= (uint64_t)byte << 8 * i;
	}
	return v;
}

static enum unstream_result compare(struct unstreaming *u, uint64_t said, uint64_t found,
				    enum unstream_result if_not)
{
	if (said == found)
		return UNSTREAM_DONE;
	u->end->said = said;
	u->end->found = found;
	return if_not;
}

static enum unstream_result pass_header(struct unstreaming *u)
{
	struct gzip_header h = { .in = &u->in, .sum = crc32(0, NULL, 0) };
	uint8_t fixed[HEADER_LEN];
	bool is_cut = false;
	uint64_t sum;

	for (unsigned i = 0; i < HEADER_LEN; i++)
		fixed[i] = next_byte(&h);
	if (h.is_cut)
		return feed_why(&u->in);
	if (fixed[2] != METHOD_DEFLATE || fixed[3] & FLAGS_RESERVED)
		return UNSTREAM_BROKEN;
	if (fixed[3] & FLAG_EXTRA)
		pass_extra(&h);
	if (fixed[3] & FLAG_NAME)
		pass_text(&h);
	if (fixed[3] & FLAG_COMMENT)
		pass_text(&h);
	sum = fixed[3] & FLAG_SUM ? read_le(&u->in, 2, &is_cut) : h.sum & 0xFFFF;
	if (h.is_cut || is_cut)
		return feed_why(&u->in);
	return compare(u, sum, h.sum & 0xFFFF, UNSTREAM_WRONG_SUM);
}

static void *take(void *ctx, unsigned count, unsigned size)
{
	return kept_take(ctx, (uint64_t)count * size);
}

static enum unstream_result step(struct unstreaming *u, z_stream *z, uLong *sum, bool *is_end)
{
	enum unstream_result taken;
	int status;

	drain_open(&u->out);
	z->next_in = (z_const Bytef *)u->in.next;
	z->avail_in = (uInt)u->in.n;
	z->next_out = u->out.room;
	z->avail_out = (uInt)u->out.n_room;
	status = inflate(z, Z_NO_FLUSH);
	feed_took(&u->in, u->in.n - z->avail_in);
	*sum = crc32(*sum, u->out.room, (uInt)(u->out.n_room - z->avail_out));
	taken = drain_take(&u->out, u->out.n_room - z->avail_out);
	*is_end = status == Z_STREAM_END;
	if (status == Z_MEM_ERROR)
		return UNSTREAM_NO_MEMORY;
	if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
		return UNSTREAM_BROKEN;
	return taken;
}

/* zlib may hold output back when there was no more room for it, though all input is used. */
static enum unstream_result inflate_all(struct unstreaming *u, z_stream *z, uLong *sum)
{
	enum unstream_result r = UNSTREAM_DONE;
	bool is_end = false;

	while (!is_end && r == UNSTREAM_DONE) {
		const uint64_t before = u->out.n;
		const bool has_more = feed_fill(&u->in);

		if (u->in.is_stopped)
			return UNSTREAM_STOPPED;
		r = step(u, z, sum, &is_end);
		if (r == UNSTREAM_DONE && !is_end && !has_more && u->out.n == before)
			return UNSTREAM_CUT;
	}
	return r;
}

static enum unstream_result check_trailer(struct unstreaming *u, uint64_t sum, uint64_t len)
{
	bool is_cut = false;
	const uint64_t said_sum = read_le(&u->in, TRAILER_LEN / 2, &is_cut),
		       said_len = read_le(&u->in, TRAILER_LEN / 2, &is_cut);
	enum unstream_result r;

	if (is_cut)
		return feed_why(&u->in);
	r = compare(u, said_sum, sum, UNSTREAM_WRONG_SUM);
	if (MUTANT(402)) /* mutant: any checksum is right */
		r = UNSTREAM_DONE;
	return r == UNSTREAM_DONE ? compare(u, said_len, len & UINT32_MAX, UNSTREAM_WRONG_SIZE) : r;
}

enum unstream_result ungzip_one(struct unstreaming *u)
{
	const uint64_t before = u->out.n;
	enum unstream_result r = pass_header(u);
	uLong sum = crc32(0, NULL, 0);
	z_stream z;

	if (r != UNSTREAM_DONE)
		return r;
	memset(&z, 0, sizeof z);
	z.zalloc = take;
	z.zfree = kept_leave;
	z.opaque = u;
	if (inflateInit2(&z, RAW) != Z_OK)
		return UNSTREAM_NO_MEMORY;
	r = inflate_all(u, &z, &sum);
	inflateEnd(&z);
	return r == UNSTREAM_DONE ? check_trailer(u, sum, u->out.n - before) : r;
}

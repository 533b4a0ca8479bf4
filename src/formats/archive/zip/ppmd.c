/* Members that PPMd compressed, variant I: libarchive decodes them, and is given a zip of one
 * member for each, with a header of our own. A stream ends in a mark: 7-Zip and libarchive want it.
 * Source: APPNOTE 5.12; conformance/spec/archive.md, 1.6. */
#include "codec/libarchive.h"
#include "formats/archive/zip/zip.h"

/* A local header with a name of one byte, and what its numbers may be at most: they decide nothing
 * here. */
enum { HEAD_LEN = 31 };
#define NUMBER_MAX ((uint64_t)0xFFFFFFFE)

/* A member begins with two bytes: four bits that say the order less 1, eight the memory in MiB less
 * 1, and four how the model begins again. */
enum { PARAMETERS_LEN = 2 };

/* libarchive says nothing where it wants bytes for the mark and has none, so that some follow. */
enum { TAIL = 16 };

/* What libarchive takes besides the model: its buffers. */
#define BESIDES ((uint64_t)2 << 20)

struct ppmd {
	struct zip_whole *w;
	uint8_t head[HEAD_LEN];
};

static void write_le(uint8_t *out, uint64_t n, unsigned len)
{
	for (unsigned i = 0; i < len; i++)
		out[i] = (uint8_t)(n >> 8 * i);
}

static uint64_t at_most(uint64_t n)
{
	return n < NUMBER_MAX ? n : NUMBER_MAX;
}

static void build(struct ppmd *p)
{
	const struct arc_member *m = p->w->m;

	memset(p->head, 0, sizeof p->head);
	write_le(p->head, 0x04034B50, 4);
	write_le(p->head + 4, 63, 2);
	write_le(p->head + 8, ZIP_PPMD, 2);
	write_le(p->head + 14, m->crc, 4);
	write_le(p->head + 18, at_most(m->packed), 4);
	write_le(p->head + 22, at_most(m->size), 4);
	write_le(p->head + 26, 1, 2);
	p->head[HEAD_LEN - 1] = 'x';
}

/* How many of n bytes from `at` on come before `end`. */
static uint64_t before(uint64_t at, uint64_t n, uint64_t end)
{
	const uint64_t left = at < end ? end - at : 0;

	return left < n ? left : n;
}

/* The header, the member's bytes as they lie in the file, and zeros. */
static bool read_alone(void *ctx, uint64_t at, uint8_t *buf, size_t n)
{
	const struct ppmd *p = ctx;
	const struct arc_member *m = p->w->m;
	const uint64_t head = before(at, n, HEAD_LEN), rest = n - head,
		       packed = before(at + head, rest, HEAD_LEN + m->packed);

	if (head > 0)
		memcpy(buf, p->head + at, (size_t)head);
	memset(buf + head + packed, 0, (size_t)(rest - packed));
	return packed == 0 ||
	       decode_copy(p->w->d, ZIP_PAYLOAD,
			   (struct span){ m->at + (at + head - HEAD_LEN), packed }, buf + head);
}

/* Takes bytes that came out; false: there are more than there should be, or work ended. */
static bool take(struct zip_whole *w, const uint8_t *bytes, uint64_t n)
{
	const uint64_t left = w->m->size - w->n_out, taken = n < left ? n : left;

	memcpy(w->out + w->n_out, bytes, (size_t)taken);
	w->n_out += taken;
	if (n > taken)
		w->traits |= ARC_TOO_LONG;
	return n == taken && decode_poll(w->d, ZIP_PAYLOAD);
}

static enum unarchive_result read_all(struct zip_whole *w, struct unarchive *u)
{
	struct unarchive_member member;
	enum unarchive_result result = unarchive_next(u, &member);

	while (result == UNARCHIVE_FINE) {
		const uint8_t *bytes;
		uint64_t n, zeros;

		result = unarchive_read(u, &bytes, &n, &zeros);
		if (result == UNARCHIVE_FINE && zeros > 0)
			return UNARCHIVE_BROKEN;
		if (result == UNARCHIVE_FINE && !take(w, bytes, n))
			return w->traits & ARC_TOO_LONG ? UNARCHIVE_END : UNARCHIVE_STOPPED;
	}
	return result;
}

/* How it ended; false: memory, work or the input did. */
static bool settle(struct zip_whole *w, enum unarchive_result result, uint64_t n_used)
{
	const uint64_t end = HEAD_LEN + w->m->packed;

	switch (result) {
	case UNARCHIVE_NO_MEMORY:
		return decode_stop(w->d, ZIP_PAYLOAD, STOP_MEMORY,
				   (struct span){ w->m->at, w->m->packed });
	case UNARCHIVE_STOPPED:
		return false;
	case UNARCHIVE_UNSUPPORTED:
	case UNARCHIVE_UNAVAILABLE:
		zip_whole_lacks(w, "decoder for that form of PPMd");
		return true;
	case UNARCHIVE_END:
		if (n_used > end)
			w->traits |= ARC_BROKEN;
		zip_whole_has(w, w->n_out, n_used, end);
		return true;
	default:
		w->traits |= ARC_BROKEN;
		return true;
	}
}

bool zip_decode_ppmd(struct zip_whole *w)
{
	struct ppmd p = { .w = w };
	const struct unarchive_input input = { read_alone, &p, HEAD_LEN + w->m->packed + TAIL };
	uint8_t bytes[PARAMETERS_LEN];
	struct unarchive *u;
	enum unarchive_result result;
	uint64_t model, n_used;

	if (w->m->packed < sizeof bytes) {
		w->traits |= ARC_BROKEN;
		return true;
	}
	if (!decode_copy(w->d, ZIP_PAYLOAD, (struct span){ w->m->at, sizeof bytes }, bytes))
		return false;
	model = (held_u16((struct held){ bytes, sizeof bytes }, 0) >> 4 & 0xFF) + 1;
	build(&p);
	result = unarchive_open(w->d->arena, UNARCHIVE_ZIP, input, (model << 20) + BESIDES, &u);
	if (result != UNARCHIVE_FINE)
		return settle(w, result, 0);
	result = read_all(w, u);
	n_used = unarchive_used(u);
	unarchive_close(u);
	return settle(w, result, n_used);
}

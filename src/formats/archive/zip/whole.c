/* Members that are decoded as a whole: LZMA and Zstandard. Source: APPNOTE 5.8 and 5.11;
 * conformance/spec/archive.md, 1.6. */
#include "codec/lzma.h"
#include "codec/zstd.h"
#include "formats/archive/zip/zip.h"

/* Before an LZMA stream stand a version, the length of what follows and the properties. */
enum { LZMA_HEAD = 4, LZMA_PROPERTIES = 5 };

bool zip_has_decoder(uint64_t method)
{
	switch (method) {
	case ZIP_STORED:
	case ZIP_DEFLATE:
		return true;
	case ZIP_LZMA:
		return unlzma_is_available();
	case ZIP_ZSTD:
	case ZIP_ZSTD_OLD:
		return unzstd_is_available();
	default:
		return false;
	}
}

static bool no_memory(struct zip_whole *w)
{
	return decode_stop(w->d, ZIP_PAYLOAD, STOP_MEMORY, (struct span){ w->m->at, w->m->packed });
}

/* One byte more than the member may have, so that a longer one shows. */
static bool settle(struct zip_whole *w, uint64_t n_out, uint64_t n_used, uint64_t n_in)
{
	w->n_out = n_out;
	if (n_out > w->m->size)
		w->traits |= ARC_TOO_LONG;
	if (n_used < n_in)
		w->traits |= ARC_LEFT_OVER;
	return true;
}

static bool by_zstd(struct zip_whole *w, struct held in)
{
	struct unzstd z = { .arena = w->d->arena };
	const struct unpack r = unzstd_whole(&z, in.bytes, in.len, w->out, w->m->size);

	if (r.result == UNPACK_NO_MEMORY)
		return no_memory(w);
	if (r.result == UNPACK_FULL)
		w->traits |= ARC_TOO_LONG;
	else if (r.result != UNPACK_DONE && r.result != UNPACK_SHORT)
		w->traits |= ARC_BROKEN;
	return settle(w, r.n_out, in.len, in.len);
}

static bool go_on(void *ctx)
{
	struct zip_whole *w = ctx;

	return decode_poll(w->d, ZIP_PAYLOAD);
}

static bool by_lzma(struct zip_whole *w, struct held in)
{
	const struct held properties = held_part(in, LZMA_HEAD, LZMA_PROPERTIES),
			  stream = held_part(in, LZMA_HEAD + LZMA_PROPERTIES,
					     in.len > LZMA_HEAD + LZMA_PROPERTIES
						     ? in.len - LZMA_HEAD - LZMA_PROPERTIES
						     : 0);
	const struct unlzma_header header = { .properties = (uint8_t)held_u8(properties, 0),
					      .dictionary = (uint32_t)held_u32(properties, 1),
					      .size = w->has_marker ? LZMA_SIZE_UNKNOWN
								    : w->m->size };
	struct unlzma r;

	if (held_u16(in, 2) != LZMA_PROPERTIES || stream.len == 0) {
		w->traits |= ARC_BROKEN;
		return true;
	}
	r = unlzma_whole(w->d->arena, header, stream.bytes, stream.len, w->out, w->m->size, go_on,
			 w);
	if (r.result == UNLZMA_NO_MEMORY)
		return no_memory(w);
	if (r.result == UNLZMA_STOPPED)
		return false;
	if (r.result == UNLZMA_FULL)
		w->traits |= ARC_TOO_LONG;
	else if (r.result != UNLZMA_DONE)
		w->traits |= ARC_BROKEN;
	return settle(w, r.n_out, r.n_used, stream.len);
}

bool zip_decode_whole(struct zip_whole *w)
{
	const struct span span = { w->m->at, w->m->packed };
	uint8_t *in = decode_alloc(w->d, ZIP_PAYLOAD, span.len, 1);

	if (!w->out)
		w->out = decode_alloc(w->d, ZIP_PAYLOAD, w->m->size, 1);
	if (!in || !w->out || !decode_copy(w->d, ZIP_PAYLOAD, span, in) ||
	    !decode_spend(w->d, ZIP_PAYLOAD, work_of_bytes(w->m->size)))
		return false;
	return w->m->method == ZIP_LZMA ? by_lzma(w, (struct held){ in, span.len })
					: by_zstd(w, (struct held){ in, span.len });
}

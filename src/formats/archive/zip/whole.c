/* Members that are decoded as a whole. Source: APPNOTE 5.8 and 5.11;
 * conformance/spec/archive.md, 1.6. */
#include "codec/coder_work.h"
#include "codec/libarchive.h"
#include "codec/lzma.h"
#include "codec/unstream.h"
#include "codec/zstd.h"
#include "formats/archive/zip/zip.h"

/* Before an LZMA stream stand a version, the length of what follows and the properties. */
enum { LZMA_HEAD = 4, LZMA_PROPERTIES = 5 };

bool zip_is_whole(uint64_t method)
{
	return method == ZIP_BZIP2 || method == ZIP_LZMA || method == ZIP_ZSTD ||
	       method == ZIP_ZSTD_OLD || method == ZIP_XZ || method == ZIP_PPMD;
}

const char *zip_lack(uint64_t method)
{
	switch (method) {
	case ZIP_BZIP2:
		return unstream_lack(UNSTREAM_BZIP2);
	case ZIP_LZMA:
	case ZIP_XZ:
		return unstream_lack(UNSTREAM_XZ);
	case ZIP_ZSTD:
	case ZIP_ZSTD_OLD:
		return unstream_lack(UNSTREAM_ZSTD);
	case ZIP_PPMD:
		return unarchive_is_available() ? NULL : "libarchive";
	default:
		return NULL;
	}
}

bool zip_has_decoder(uint64_t method)
{
	return method == ZIP_STORED || method == ZIP_DEFLATE ||
	       (zip_is_whole(method) && !zip_lack(method));
}

static bool no_memory(struct zip_whole *w)
{
	return decode_stop(w->d, ZIP_PAYLOAD, STOP_MEMORY, (struct span){ w->m->at, w->m->packed });
}

void zip_whole_has(struct zip_whole *w, uint64_t n_out, uint64_t n_used, uint64_t n_in)
{
	w->n_out = n_out;
	if (n_out > w->m->size)
		w->traits |= ARC_TOO_LONG;
	if (n_used < n_in)
		w->traits |= ARC_LEFT_OVER;
}

void zip_whole_lacks(struct zip_whole *w, const char *codec)
{
	w->is_unread = true;
	decode_stop_codec(w->d, ZIP_CONTENT, codec, (struct span){ w->m->at, w->m->packed });
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
	zip_whole_has(w, r.n_out, in.len, in.len);
	return true;
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
	zip_whole_has(w, r.n_out, r.n_used, stream.len);
	return true;
}

/* ---- Streams --------------------------------------------------------------------------------- */

static bool read_packed(void *ctx, uint64_t at, uint8_t *buf, uint64_t n)
{
	struct zip_whole *w = ctx;

	return decode_copy(w->d, ZIP_PAYLOAD, (struct span){ w->m->at + at, n }, buf);
}

/* What a decoder costs besides the bytes that come out: its memory; and of bzip2 a block, which is
 * decoded as a whole, even if it gives more bytes than the member has, or is broken. */
#define BEGIN_COST ((uint64_t)65536)
#define BLOCK_COST ((uint64_t)900000)

static bool pay(const struct zip_whole *w, uint64_t n, unsigned units)
{
	return decode_spend(w->d, ZIP_PAYLOAD, work_of_coded(n, units));
}

static bool pay_coder(const struct zip_whole *w)
{
	switch (w->m->method) {
	case ZIP_BZIP2:
		return pay(w, w->m->size, BZIP2_WORK_OUT);
	case ZIP_PPMD:
		return pay(w, w->m->size, PPMD_WORK_OUT);
	case ZIP_LZMA:
	case ZIP_XZ:
		return pay(w, w->m->packed, LZMA_WORK_IN);
	default:
		return true;
	}
}

/* Bytes behind the first stream are left over: few programs read another. */
static bool by_stream(struct zip_whole *w, enum unstream_form form)
{
	const struct unstream_io io = { w->m->packed, read_packed, go_on, w };
	const struct unstream end = unstream_first(w->d->arena, form, &io, w->out, w->m->size);

	if (end.result != UNSTREAM_DONE && form == UNSTREAM_BZIP2 &&
	    !pay(w, BLOCK_COST, BZIP2_WORK_OUT))
		return false;
	switch (end.result) {
	case UNSTREAM_NO_MEMORY:
		return no_memory(w);
	case UNSTREAM_STOPPED:
		return false;
	case UNSTREAM_UNKNOWN:
		zip_whole_lacks(w, end.lacks);
		return true;
	case UNSTREAM_WINDOW:
		zip_whole_lacks(w, "decoder for dictionaries of xz above 128 MiB");
		return true;
	case UNSTREAM_DONE:
		zip_whole_has(w, end.n_out, end.n_used, w->m->packed);
		return true;
	default:
		w->traits |= end.result == UNSTREAM_FULL ? ARC_TOO_LONG : ARC_BROKEN;
		zip_whole_has(w, end.n_out, 0, 0);
		return true;
	}
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Those that need all their bytes at once. */
static bool from_memory(struct zip_whole *w)
{
	const struct span span = { w->m->at, w->m->packed };
	uint8_t *in = decode_alloc(w->d, ZIP_PAYLOAD, span.len, 1);

	if (!in || !decode_copy(w->d, ZIP_PAYLOAD, span, in))
		return false;
	return w->m->method == ZIP_LZMA ? by_lzma(w, (struct held){ in, span.len })
					: by_zstd(w, (struct held){ in, span.len });
}

bool zip_decode_whole(struct zip_whole *w)
{
	if (!w->out)
		w->out = decode_alloc(w->d, ZIP_PAYLOAD, w->m->size, 1);
	if (!w->out || !pay(w, w->m->size + BEGIN_COST, 0) || !pay_coder(w))
		return false;
	switch (w->m->method) {
	case ZIP_BZIP2:
		return by_stream(w, UNSTREAM_BZIP2);
	case ZIP_XZ:
		return by_stream(w, UNSTREAM_XZ);
	case ZIP_PPMD:
		return zip_decode_ppmd(w);
	default:
		return from_memory(w);
	}
}

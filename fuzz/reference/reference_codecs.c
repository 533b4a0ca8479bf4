/* LZ4 a byte at a time, and libdeflate. */
#include "reference/reference_codecs.h"

#include <stdlib.h>
#include <string.h>
#if defined(UVET_WITH_LIBDEFLATE)
#include <libdeflate.h>
#endif

#include "support/must.h"

struct reader {
	const uint8_t *in;
	size_t at, n;
};

/* A length of four bits goes on in bytes while these are 255. */
static bool read_length(struct reader *r, size_t *length)
{
	uint8_t byte = 255;

	if (*length < 15)
		return true;
	while (byte == 255) {
		if (r->at == r->n)
			return false;
		byte = r->in[r->at++];
		*length += byte;
	}
	return true;
}

static bool read_match(struct reader *r, size_t token, size_t *offset, size_t *length)
{
	if (r->n - r->at < 2)
		return false;
	*offset = r->in[r->at] + 256u * r->in[r->at + 1];
	r->at += 2;
	*length = token % 16;
	if (!read_length(r, length))
		return false;
	*length += 4;
	return true;
}

enum reference_lz4 reference_lz4_block(const uint8_t *in, size_t n_in, uint8_t *out, size_t room,
				       size_t *n_out)
{
	struct reader r = { in, 0, n_in };
	size_t n = 0, length, offset, last = (size_t)-1;

	*n_out = 0;
	while (r.at < r.n) {
		size_t token = in[r.at++];

		length = token / 16;
		if (!read_length(&r, &length) || length > r.n - r.at)
			return REFERENCE_LZ4_BROKEN;
		for (size_t i = 0; i < length; i++) {
			if (n == room)
				return REFERENCE_LZ4_FULL;
			out[n++] = in[r.at++];
		}
		if (r.at == r.n && last == (size_t)-1 && n == 0 && token != 0)
			return REFERENCE_LZ4_BROKEN;
		if (r.at == r.n && last != (size_t)-1 && (length < 5 || n - last < 12))
			return REFERENCE_LZ4_BROKEN;
		if (r.at == r.n) {
			*n_out = n;
			return REFERENCE_LZ4_WHOLE;
		}
		last = n;
		if (!read_match(&r, token, &offset, &length) || offset > n)
			return REFERENCE_LZ4_BROKEN;
		if (offset == 0)
			return REFERENCE_LZ4_NOWHERE;
		for (; length > 0; length--, n++) {
			if (n == room)
				return REFERENCE_LZ4_FULL;
			out[n] = out[n - offset];
		}
	}
	return REFERENCE_LZ4_BROKEN;
}

bool reference_inflate(bool gzip, const uint8_t *in, size_t n_in, const uint8_t *out, size_t n_out,
		       size_t n_used)
{
#if defined(UVET_WITH_LIBDEFLATE)
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	uint8_t *expected = malloc(n_out + 1);
	size_t given = 0, used = 0;
	bool same;

	MUST(d && expected, "the machine has memory for a harness");
	same = (gzip ? libdeflate_gzip_decompress_ex(d, in, n_in, expected, n_out, &used, &given)
		     : libdeflate_zlib_decompress_ex(d, in, n_in, expected, n_out, &used,
						     &given)) == LIBDEFLATE_SUCCESS;
	same = same && given == n_out && used == n_used &&
	       (n_out == 0 || memcmp(expected, out, n_out) == 0);
	free(expected);
	libdeflate_free_decompressor(d);
	return same;
#else
	(void)gzip, (void)in, (void)n_in, (void)out, (void)n_out, (void)n_used;
	return true;
#endif
}

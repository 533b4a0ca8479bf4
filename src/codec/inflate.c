/* Inflating through zlib, because engines use it: what zlib refuses, they refuse. */
#include "codec/inflate.h"

#include <string.h>
#include <zlib.h>

#include "core/mutant.h"

static void *zlib_alloc(void *arena, unsigned count, unsigned size)
{
	return arena_alloc(arena, count, size);
}

static void zlib_release(void *arena, void *memory)
{
	(void)arena, (void)memory; /* the arena is freed as a whole */
}

/* What zlib says of a stream after it was told to end where a block does: the bits that are left,
 * and that it is at the end of one, and not of the last. */
enum { SPARE_BITS = 7, AT_BLOCK = 128 };

/* zlib encodes the form of a stream in the number of bits of its window: plus 16 is gzip, and a
 * negative one is raw. */
enum { FORM_ZLIB = 15, FORM_GZIP = 31, FORM_RAW = -15 };

static z_stream *zlib_state(struct inflater *i, int form)
{
	z_stream *z = i->zlib;

	if (z)
		return inflateReset2(z, form) == Z_OK ? z : NULL;
	z = arena_alloc(i->arena, 1, sizeof *z);
	if (!z)
		return NULL;
	memset(z, 0, sizeof *z);
	z->zalloc = zlib_alloc;
	z->zfree = zlib_release;
	z->opaque = i->arena;
	if (inflateInit2(z, form) != Z_OK)
		return NULL;
	i->zlib = z;
	return z;
}

/* Where input and output are both used up, one more byte of output tells which of them was too
 * short. */
static enum inflate_result why_unfinished(z_stream *z)
{
	uint8_t spare;

	if (z->avail_out > 0)
		return INFLATE_BROKEN;
	z->next_out = &spare;
	z->avail_out = 1;
	(void)inflate(z, Z_SYNC_FLUSH);
	return z->avail_out == 0 ? INFLATE_FULL : INFLATE_BROKEN;
}

static struct inflated by_zlib(struct inflater *i, int form, const uint8_t *in, uint64_t n_in,
			       uint8_t *out, uint64_t max_out)
{
	struct inflated r = { INFLATE_DONE, 0, 0 };
	z_stream *z = zlib_state(i, form);
	int status;

	if (!z)
		return (struct inflated){ INFLATE_NO_MEMORY, 0, 0 };
	z->next_in = (z_const Bytef *)in;
	z->avail_in = (uInt)n_in;
	z->next_out = out;
	z->avail_out = (uInt)max_out;
	status = inflate(z, Z_FINISH);
	r.n_out = max_out - z->avail_out;
	r.n_used = n_in - z->avail_in;
	MEMORY_WRITTEN(out, r.n_out);
	if (status == Z_MEM_ERROR)
		r.result = INFLATE_NO_MEMORY;
	else if (status == Z_DATA_ERROR || status == Z_NEED_DICT)
		r.result = INFLATE_BROKEN;
	else if (status != Z_STREAM_END)
		r.result = why_unfinished(z);
	return r;
}

struct inflated inflate_whole(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out,
			      uint64_t max_out)
{
	struct inflated r = by_zlib(i, FORM_ZLIB, in, n_in, out, max_out);

	/* mutant: a bad stream passes */
	r.result = r.result == INFLATE_BROKEN && MUTANT(46) ? INFLATE_DONE : r.result;
	return r;
}

struct inflated inflate_gzip(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out,
			     uint64_t max_out)
{
	struct inflated r = by_zlib(i, FORM_GZIP, in, n_in, out, max_out);

	r.n_used += MUTANT(166); /* mutant: a member is a byte longer */
	return r;
}

bool inflate_begin(struct inflater *i)
{
	return zlib_state(i, FORM_RAW) != NULL;
}

static struct inflated some(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out,
			    uint64_t max_out, int flush)
{
	struct inflated r = { INFLATE_GOES_ON, 0, 0 };
	z_stream *z = i->zlib;
	int status;

	z->next_in = (z_const Bytef *)in;
	z->avail_in = (uInt)n_in;
	z->next_out = out;
	z->avail_out = (uInt)max_out;
	status = inflate(z, flush);
	MEMORY_WRITTEN(z, sizeof *z);
	r.n_out = max_out - z->avail_out;
	r.n_used = n_in - z->avail_in;
	MEMORY_WRITTEN(out, r.n_out);
	if (status == Z_STREAM_END)
		r.result = INFLATE_DONE;
	else if (status == Z_MEM_ERROR)
		r.result = INFLATE_NO_MEMORY;
	else if (status != Z_OK && status != Z_BUF_ERROR)
		r.result = INFLATE_BROKEN;
	else if (z->avail_out == 0)
		r.result = INFLATE_FULL;
	else if (flush == Z_BLOCK && z->data_type & AT_BLOCK)
		r.result = INFLATE_BLOCK;
	return r;
}

struct inflated inflate_some(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out,
			     uint64_t max_out)
{
	return some(i, in, n_in, out, max_out, Z_NO_FLUSH);
}

struct inflated inflate_block(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out,
			      uint64_t max_out)
{
	return some(i, in, n_in, out, max_out, Z_BLOCK);
}

unsigned inflate_spare_bits(const struct inflater *i)
{
	const z_stream *z = i->zlib;

	return (unsigned)z->data_type & SPARE_BITS;
}

bool inflate_resume(struct inflater *i, unsigned spare_bits, uint8_t last, const uint8_t *window,
		    uint64_t n)
{
	z_stream *z = zlib_state(i, FORM_RAW);
	const int value = last >> (8 - spare_bits);

	return z && (spare_bits == 0 || inflatePrime(z, (int)spare_bits, value) == Z_OK) &&
	       (n == 0 || inflateSetDictionary(z, window, (uInt)n) == Z_OK);
}

uint64_t inflate_length(struct inflater *i, const uint8_t *in, uint64_t n_in, uint64_t max)
{
	z_stream *z = zlib_state(i, FORM_ZLIB);
	int status = z ? Z_OK : Z_MEM_ERROR;
	uint64_t n = 0;
	uint8_t out[1024];

	if (z) {
		z->next_in = (z_const Bytef *)in;
		z->avail_in = (uInt)n_in;
	}
	while (status == Z_OK && n < max) {
		z->next_out = out;
		z->avail_out = sizeof out;
		status = inflate(z, Z_NO_FLUSH);
		n += sizeof out - z->avail_out;
	}
	if (n >= max)
		return max;
	return status == Z_STREAM_END ? n : 0;
}

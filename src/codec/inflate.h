/* Inflating one zlib stream (RFC 1950) or one gzip member (RFC 1952) as a whole, into memory that the caller has. */
#ifndef UVET_CODEC_INFLATE_H
#define UVET_CODEC_INFLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/compiler.h"

enum inflate_result {
	INFLATE_DONE,                   /* the stream ended, and its checksum is right */
	INFLATE_BROKEN,                 /* it cannot be decoded, was cut, or has another checksum */
	INFLATE_FULL,                   /* it gives more bytes than there is room for */
	INFLATE_NO_MEMORY,
};

struct inflated {
	enum inflate_result result;
	uint64_t n_out;                 /* bytes written: INFLATE_DONE all, else unknown or fewer */
	uint64_t n_used;                /* bytes of the stream: INFLATE_DONE all, else how far it was read, or 0 */
};

/* An inflater decodes many streams with one state. Its memory is the arena's, but for what libdeflate takes for itself: a fixed
 * number of bytes, however many streams there are. */
struct inflater {
	struct arena *arena;
	void *fast;                     /* libdeflate's state, or NULL */
	void *zlib;                     /* zlib's, made when it is needed */
};

/* inflater_open makes an inflater, and inflater_close gives back what is not the arena's. */
void inflater_open(struct inflater *i, struct arena *arena);
void inflater_close(struct inflater *i);

/* How many bytes a zlib stream gives at most for each of its own: a length of 258 and its distance take two bits at the least. */
#define INFLATE_GAIN_MAX 1032u

/* inflate_whole decodes the stream at in, which may end before its n_in <= 2^31 bytes do, to max_out <= 2^31 bytes at out.
 *
 * With libdeflate, that decodes first, and zlib has the last word on what it refuses: engines use zlib. What libdeflate takes is not
 * looked at again. It takes two things that zlib refuses, neither of which any compressor writes: the reserved numbers of codes 287 and
 * 288, 31 and 32, and the reserved distance codes 30 and 31. */
struct inflated inflate_whole(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t max_out);

/* inflate_zlib is inflate_whole by zlib alone. */
struct inflated inflate_zlib(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t max_out);

/* inflate_gzip and inflate_gzip_zlib do the same for the gzip member at in. Members that follow are not its. A header with a checksum of
 * its own goes to zlib: libdeflate does not look at it. */
struct inflated inflate_gzip(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t max_out);
struct inflated inflate_gzip_zlib(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t max_out);

/* inflate_looks_like_zlib tells whether two bytes are how a zlib stream without a dictionary begins. */
static inline bool inflate_looks_like_zlib(uint64_t first, uint64_t second)
{
	return first % 16 == 8 && first / 16 <= 7 && (first * 256 + second) % 31 == 0 && !(second & 0x20);
}

/* inflate_library names the library that decodes first. */
const char *inflate_library(void);

#endif

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

/* An inflater decodes many streams with one state, which is the arena's and ends with it. One with an arena is ready. */
struct inflater {
	struct arena *arena;
	void *zlib;                     /* zlib's state, made when it is needed */
};

/* How many bytes a zlib stream gives at most for each of its own: a length of 258 and its distance take two bits at the least. */
#define INFLATE_GAIN_MAX 1032u

/* inflate_whole decodes the stream at in, which may end before its n_in <= 2^31 bytes do, to max_out <= 2^31 bytes at out. zlib does it,
 * because engines use zlib. A faster library may take streams that it refuses, as libdeflate takes those with reserved symbols and numbers
 * of codes (RFC 1951, 3.2.5 and 3.2.7): whoever uses it calls a file good that no engine reads. */
struct inflated inflate_whole(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t max_out);

/* inflate_gzip does the same for the gzip member at in. Members that follow are not its. */
struct inflated inflate_gzip(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t max_out);

/* inflate_looks_like_zlib tells whether two bytes are how a zlib stream without a dictionary begins. */
static inline bool inflate_looks_like_zlib(uint64_t first, uint64_t second)
{
	return first % 16 == 8 && first / 16 <= 7 && (first * 256 + second) % 31 == 0 && !(second & 0x20);
}

#endif

/* Inflating one zlib stream (RFC 1950) or one gzip member (RFC 1952) as a whole, into memory that
 * the caller has; and a raw stream (RFC 1951) piece by piece. */
#ifndef UVET_CODEC_INFLATE_H
#define UVET_CODEC_INFLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/compiler.h"

enum inflate_result {
	INFLATE_DONE,   /* the stream ended, and its checksum is right */
	INFLATE_BROKEN, /* it cannot be decoded, is truncated, or has another checksum */
	INFLATE_FULL,   /* it decompresses to more than max_out bytes */
	INFLATE_NO_MEMORY,
	INFLATE_GOES_ON, /* inflate_some: it needs more input */
	INFLATE_BLOCK,   /* inflate_block: a block of the stream ends here */
};

struct inflated {
	enum inflate_result result;
	uint64_t n_out;  /* bytes written: INFLATE_DONE all, else unknown or fewer */
	uint64_t n_used; /* bytes of the stream: INFLATE_DONE all, else how far it was read, or 0 */
};

/* An inflater decodes many streams with one state, which lies in the arena. With the arena set and
 * the rest zeroed it is ready. */
struct inflater {
	struct arena *arena;
	void *zlib; /* zlib's state, made when it is needed */
};

/* How many bytes a byte of a zlib stream decompresses to at most: a match of 258 bytes takes at
 * least two bits. */
#define INFLATE_GAIN_MAX 1032u

/* inflate_whole decodes the stream at in, which may end before its n_in <= 2^31 bytes do, to
 * max_out <= 2^31 bytes at out. It uses zlib because engines do. A faster library may accept
 * streams that zlib refuses, as libdeflate does with reserved symbols and numbers of codes (RFC
 * 1951, 3.2.5 and 3.2.7), and then a file would be called good that no engine reads. */
struct inflated inflate_whole(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out,
			      uint64_t max_out);

/* inflate_gzip does the same for the gzip member at in, without members after it. */
struct inflated inflate_gzip(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out,
			     uint64_t max_out);

/* inflate_begin begins a raw stream, without a header and a checksum; false: memory ended.
 * inflate_some decodes what it can of the n_in bytes at in to at most max_out bytes at out, both <=
 * 2^31. INFLATE_FULL: there may be more output; INFLATE_GOES_ON: all input was used, and the stream
 * goes on. */
UVET_MUST_USE bool inflate_begin(struct inflater *i);
struct inflated inflate_some(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out,
			     uint64_t max_out);

/* inflate_block is inflate_some that ends where a block does, too. There the stream can be taken up
 * again later: inflate_spare_bits is how many bits of the last byte of the input belong to what
 * follows, and inflate_resume goes on from there, with these bits of that byte and the last
 * INFLATE_WINDOW bytes of output, or all that there were. false: memory ended. */
#define INFLATE_WINDOW ((uint64_t)32768)
struct inflated inflate_block(struct inflater *i, const uint8_t *in, uint64_t n_in, uint8_t *out,
			      uint64_t max_out);
unsigned inflate_spare_bits(const struct inflater *i);
UVET_MUST_USE bool inflate_resume(struct inflater *i, unsigned spare_bits, uint8_t last,
				  const uint8_t *window, uint64_t n);

/* inflate_length returns how many bytes the zlib stream at in decompresses to, if it is whole and
 * its checksum right; they are thrown away. 0: it is not, or memory ended. max: so many, or
 * more. */
uint64_t inflate_length(struct inflater *i, const uint8_t *in, uint64_t n_in, uint64_t max);

/* inflate_looks_like_zlib tells whether two bytes are how a zlib stream without a dictionary
 * begins. */
static inline bool inflate_looks_like_zlib(uint64_t first, uint64_t second)
{
	return first % 16 == 8 && first / 16 <= 7 && (first * 256 + second) % 31 == 0 &&
	       !(second & 0x20);
}

#endif

/* What every decompressor of blocks answers. */
#ifndef UVET_CODEC_UNPACK_H
#define UVET_CODEC_UNPACK_H

#include <stdint.h>

/* No block is longer than this, packed or not: the libraries count in int. */
#define UNPACK_MAX ((uint64_t)0x7E000000)

enum unpack_result {
	UNPACK_DONE,                    /* exactly the bytes that there is room for */
	UNPACK_SHORT,                   /* a sound stream of fewer bytes */
	UNPACK_FULL,                    /* more bytes than there is room for */
	UNPACK_BROKEN,                  /* it cannot be decoded, was cut, or has another checksum */
	UNPACK_NO_MEMORY,               /* or it is longer than UNPACK_MAX */
	UNPACK_UNAVAILABLE,             /* this build, or this run, has no decoder for it */
};

/* Of results other than UNPACK_DONE and UNPACK_SHORT, n_out and n_used are 0. Nothing is ever written behind the room, but within it
 * anything may have been. */
struct unpack {
	enum unpack_result result;
	uint64_t n_out, n_used;         /* bytes written, and bytes of the stream */
};

/* unpack_of is the answer for a stream that was sound. */
static inline struct unpack unpack_of(uint64_t n_out, uint64_t n_used, uint64_t room)
{
	return (struct unpack){ n_out == room ? UNPACK_DONE : UNPACK_SHORT, n_out, n_used };
}

#endif

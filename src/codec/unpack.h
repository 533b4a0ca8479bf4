/* What every decompressor of blocks returns. */
#ifndef UVET_CODEC_UNPACK_H
#define UVET_CODEC_UNPACK_H

#include <stdint.h>

/* No block is longer than this, packed or not: the libraries count in int. */
#define UNPACK_MAX ((uint64_t)0x7E000000)

enum unpack_result {
	UNPACK_DONE,        /* exactly max_out bytes */
	UNPACK_SHORT,       /* a sound stream of fewer bytes */
	UNPACK_FULL,        /* more than max_out bytes */
	UNPACK_BROKEN,      /* it cannot be decoded, is truncated, or has another checksum */
	UNPACK_NO_MEMORY,   /* or it is longer than UNPACK_MAX */
	UNPACK_UNAVAILABLE, /* this build, or this run, has no decoder for it */
};

/* For results other than UNPACK_DONE and UNPACK_SHORT, n_out and n_used are 0. Nothing is ever
 * written after the first max_out bytes of the output, but any of these may have been. */
struct unpack {
	enum unpack_result result;
	uint64_t n_out, n_used; /* bytes written, and bytes of the stream */
};

/* unpack_of is the result for a sound stream. */
static inline struct unpack unpack_of(uint64_t n_out, uint64_t n_used, uint64_t max_out)
{
	return (struct unpack){ n_out == max_out ? UNPACK_DONE : UNPACK_SHORT, n_out, n_used };
}

#endif

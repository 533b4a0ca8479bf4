/* The Burrows-Wheeler blocks of Epic's .uz: sorted bytes back into their order. */
#ifndef UVET_CODEC_BWT_H
#define UVET_CODEC_BWT_H

#include <stdint.h>

#include "core/compiler.h"

enum {
	BWT_LEN_MAX = 0x40000,          /* bytes that a block gives; it has one more, for the end */
	BWT_HEADER_LEN = 12,
};

enum bwt_fault {
	BWT_FINE,
	BWT_HEADER_CUT,                 /* fewer than 12 bytes are left for a block's three numbers */
	BWT_LENGTH,                     /* the length is above BWT_LEN_MAX, or negative */
	BWT_CUT,                        /* fewer bytes are left than the length and one */
	BWT_FIRST, BWT_LAST,            /* an index is above the length */
};

/* A block is what lies at offset at: three signed 32-bit numbers, then len + 1 bytes. */
struct bwt_block {
	uint64_t at;
	uint32_t len;                   /* bytes that it gives */
	uint32_t first;                 /* where the first of them stands */
	uint32_t last;                  /* where the end stands, which is no byte and sorts behind all */
	const uint8_t *bytes;
};

/* bwt_read finds the block at offset at <= n of the bytes in. Where it fails, the fields up to the wrong one are filled. */
UVET_MUST_USE enum bwt_fault bwt_read(const uint8_t *in, uint64_t n, uint64_t at, struct bwt_block *out);

/* bwt_scratch_len is how many numbers bwt_decode needs for a block of this length. */
static inline uint64_t bwt_scratch_len(uint64_t len)
{
	return 3 * (len + 1);
}

/* bwt_decode writes the len bytes of a block to out, which may be where the block's bytes lie, or before. */
void bwt_decode(const struct bwt_block *b, uint32_t *scratch, uint8_t *out);

#endif

/* The Burrows-Wheeler blocks of Epic's .uz. */
#ifndef UVET_CODEC_BWT_H
#define UVET_CODEC_BWT_H

#include <stdint.h>

#include "core/compiler.h"

enum {
	BWT_LEN_MAX = 0x40000, /* bytes that a block decodes to; it has one more, for the end */
	BWT_HEADER_LEN = 12,
};

enum bwt_fault {
	BWT_FINE,
	BWT_HEADER_CUT, /* fewer than 12 bytes are left for a block's three numbers */
	BWT_LENGTH,     /* the length is above BWT_LEN_MAX, or negative */
	BWT_CUT,        /* fewer bytes are left than the length and one */
	BWT_FIRST,
	BWT_LAST, /* an index is above the length */
};

/* A block is what lies at offset at: three signed 32-bit numbers, then len + 1 bytes. */
struct bwt_block {
	uint64_t at;
	uint32_t len;   /* bytes that it decodes to */
	uint32_t first; /* the index of the first of them */
	uint32_t last;  /* the index of the end, which is no byte and sorts after all bytes */
	const uint8_t *bytes;
};

/* bwt_read finds the block at offset at <= n of the bytes in. If it fails, the fields up to the one
 * at fault are set. */
UVET_MUST_USE enum bwt_fault bwt_read(const uint8_t *in, uint64_t n, uint64_t at,
				      struct bwt_block *out);

/* bwt_scratch_len is how many numbers bwt_decode needs for a block of this length. */
static inline uint64_t bwt_scratch_len(uint64_t len)
{
	return 3 * (len + 1);
}

/* bwt_decode writes the len bytes of a block to out, which may be the address of the bytes of the
 * block, or a lower one. */
void bwt_decode(const struct bwt_block *b, uint32_t *scratch, uint8_t *out);

#endif

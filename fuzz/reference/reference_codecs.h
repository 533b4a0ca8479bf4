/* Second opinions on what decompressors say: a slow LZ4, and libdeflate. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_CODECS_H
#define UVET_FUZZ_REFERENCE_REFERENCE_CODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* REFERENCE_LZ4_NOWHERE is a block that is broken by an offset of zero. */
enum reference_lz4 {
	REFERENCE_LZ4_WHOLE,
	REFERENCE_LZ4_BROKEN,
	REFERENCE_LZ4_NOWHERE,
	REFERENCE_LZ4_FULL
};

/* reference_lz4_block decodes a block by its description, a byte at a time, with the conditions
 * for its end; a block that fills the room and goes on is full, whatever follows. */
enum reference_lz4 reference_lz4_block(const uint8_t *in, size_t n_in, uint8_t *out, size_t room,
				       size_t *n_out);

/* reference_inflate tells what libdeflate makes of a zlib stream or gzip member that zlib takes:
 * the same n_out bytes, out of as many. Of what zlib refuses nothing is asked, for libdeflate
 * takes some of it. True where there is no libdeflate. */
bool reference_inflate(bool gzip, const uint8_t *in, size_t n_in, const uint8_t *out, size_t n_out,
		       size_t n_used);

#endif

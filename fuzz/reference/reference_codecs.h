/* Second opinions on what decompressors say: a slow LZ4, and libdeflate. */
#ifndef UVET_FUZZ_SECOND_CODECS_H
#define UVET_FUZZ_SECOND_CODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SECOND_LZ4_NOWHERE is a block that is broken by an offset of zero. */
enum second_lz4 { SECOND_LZ4_WHOLE, SECOND_LZ4_BROKEN, SECOND_LZ4_NOWHERE, SECOND_LZ4_FULL };

/* second_lz4_block decodes a block by its description, a byte at a time, with the conditions for its end; a block that
 * fills the room and goes on is full, whatever follows. */
enum second_lz4 second_lz4_block(const uint8_t *in, size_t n_in, uint8_t *out, size_t room, size_t *n_out);

/* second_inflate tells what libdeflate makes of a zlib stream or gzip member that zlib takes: the same n_out bytes, out of as many. Of what zlib
 * refuses nothing is asked, for libdeflate takes some of it. True where there is no libdeflate. */
bool second_inflate(bool gzip, const uint8_t *in, size_t n_in, const uint8_t *out, size_t n_out, size_t n_used);

#endif

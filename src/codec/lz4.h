/* Decoding one block of LZ4: a block, not a frame, ends where its bytes do. */
#ifndef UVET_CODEC_LZ4_H
#define UVET_CODEC_LZ4_H

#include <stdbool.h>

#include "codec/unpack.h"

/* unlz4 decodes the n_in bytes at in, all of them, to at most max_out bytes at out. It allocates
 * nothing. A block that breaks the description of the format is broken, and so is one that
 * breaks its conditions for the end of a block. */
struct unpack unlz4(const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t max_out);

#endif

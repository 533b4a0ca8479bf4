/* Decoding one block of LZ4: a block, not a frame, ends where its bytes do. */
#ifndef UVET_CODEC_LZ4_H
#define UVET_CODEC_LZ4_H

#include <stdbool.h>

#include "codec/unpack.h"

/* unlz4 decodes the n_in bytes at in, all of them, to at most room bytes at out. Nothing is allocated. A block is broken where it breaks
 * the format's description, its conditions for the end of a block too. */
struct unpack unlz4(const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t room);

#endif

/* Decoding one block of LZ4: a block, not a frame, ends where its bytes do. */
#ifndef UVET_CODEC_LZ4_H
#define UVET_CODEC_LZ4_H

#include <stdbool.h>

#include "codec/unpack.h"

/* unlz4 decodes the n_in bytes at in, all of them, to at most room bytes at out. Nothing is allocated. */
struct unpack unlz4(const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t room);

/* unlz4_unproven does the same in less time, but takes an offset of zero, which no block may have: what it gives then is anything. It is
 * for who holds the bytes against a digest. */
struct unpack unlz4_unproven(const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t room);

/* unlz4_is_available tells whether this build has liblz4. */
bool unlz4_is_available(void);

#endif

/* Decoding Zstandard (RFC 8878) as a whole, into memory that the caller has. */
#ifndef UVET_CODEC_ZSTD_H
#define UVET_CODEC_ZSTD_H

#include <stdbool.h>

#include "codec/unpack.h"
#include "core/arena.h"

/* An unzstd decodes many streams with one state of a fixed size, which lies in the arena.
 * Windows lie in the output, so that no stream asks for memory. It starts as { .arena = ... },
 * and nothing has to be freed. */
struct unzstd {
	struct arena *arena;
	void *state; /* made when it is needed */
};

/* unzstd_whole decodes the frames at in, one or several, to at most max_out bytes at out. The
 * n_in bytes must be whole frames and nothing else, as for ZSTD_decompress of libzstd. Frames of
 * versions before 0.8, and those with a dictionary, are broken. */
struct unpack unzstd_whole(struct unzstd *z, const uint8_t *in, uint64_t n_in, uint8_t *out,
			   uint64_t max_out);

/* unzstd_is_available tells whether this build has libzstd. */
bool unzstd_is_available(void);

#endif

/* Decoding one .lzma stream, the "alone" form of LZMA, into memory that the caller has. */
#ifndef UVET_CODEC_LZMA_H
#define UVET_CODEC_LZMA_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/compiler.h"

#define LZMA_SIZE_UNKNOWN UINT64_MAX

/* How many bytes a byte of a stream decompresses to at most. The longest match, 273 bytes, takes
 * 14 decisions; each reduces the range to at most 2017 / 2048, apart from rounding, so it takes
 * at least 0.0220 bits. */
#define UNLZMA_GAIN_MAX 7091u

enum unlzma_result {
	UNLZMA_DONE,
	UNLZMA_BROKEN, /* it cannot be decoded, or is truncated */
	UNLZMA_FULL,   /* it decompresses to more than max_out bytes */
	UNLZMA_NO_MEMORY,
	/* this build has no liblzma, or liblzma does not know these properties */
	UNLZMA_UNAVAILABLE,
	UNLZMA_STOPPED, /* the caller's pulse said so */
};

/* An unlzma_header is what the 13 bytes of the header say. */
struct unlzma_header {
	uint8_t properties;  /* below 225 */
	uint32_t dictionary; /* bytes */
	uint64_t size;       /* of the output, or LZMA_SIZE_UNKNOWN */
};

struct unlzma {
	enum unlzma_result result;
	uint64_t n_out, n_used; /* bytes, as far as it came */
};

/* A pulse is asked after each window of output; it returns false to stop. */
typedef bool unlzma_pulse(void *ctx);

/* unlzma_whole decodes the stream after the header, which may end before the n_in bytes at in
 * do, to at most max_out bytes at out; out NULL: they are only counted. Its memory, most of it
 * for the dictionary, is taken from the arena and stays there; the dictionary is never longer
 * than the output may be. */
struct unlzma unlzma_whole(struct arena *arena, struct unlzma_header header, const uint8_t *in,
			   uint64_t n_in, uint8_t *out, uint64_t max_out, unlzma_pulse *pulse,
			   void *ctx);

/* unlzma_is_available tells whether this build has liblzma. */
bool unlzma_is_available(void);

#endif

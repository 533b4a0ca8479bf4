/* Decoding what LZMA or LZMA2 has packed and filters have changed before, piece by piece: the
 * chains of 7z, whose parameters stand elsewhere than in the stream. */
#ifndef UVET_CODEC_UNCHAIN_H
#define UVET_CODEC_UNCHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/compiler.h"

enum chain_method {
	CHAIN_LZMA,
	CHAIN_LZMA2,
	CHAIN_DELTA,
	CHAIN_X86, /* this and the next change the targets of jumps */
	CHAIN_POWERPC,
	CHAIN_IA64,
	CHAIN_ARM,
	CHAIN_ARM_THUMB,
	CHAIN_SPARC,
	CHAIN_ARM64,
	CHAIN_RISCV,
};

struct chain_link {
	enum chain_method method;
	uint8_t properties;  /* of LZMA (pb * 5 + lp) * 9 + lc; of delta the distance less 1 */
	uint32_t dictionary; /* of LZMA and LZMA2: bytes */
	uint64_t size;       /* of LZMA: bytes that it decompresses to */
};

/* The links stand in the order in which the encoder applied them: the last is LZMA or LZMA2. */
enum { CHAIN_MAX = 4 };

enum unchain_result {
	UNCHAIN_DONE,
	UNCHAIN_GOES_ON, /* all input was used, and the stream goes on */
	UNCHAIN_FULL,    /* the output is full; there may be more */
	UNCHAIN_BROKEN,  /* it cannot be decoded, or is cut off */
	UNCHAIN_NO_MEMORY,
};

struct unchained {
	enum unchain_result result;
	uint64_t n_out, n_used;
};

/* An unchain is a stream that is being decoded. Its memory, most of it for the dictionary, is the
 * arena's, and nothing has to be freed. */
struct unchain;

/* unchain_knows tells whether this build decodes such a chain. */
bool unchain_knows(const struct chain_link *links, size_t n);

/* unchain_begin begins a chain that is known; NULL: memory ended. */
UVET_MUST_USE struct unchain *unchain_begin(struct arena *arena, const struct chain_link *links,
					    size_t n);

/* unchain_some decodes what it can of the n_in bytes at in to at most max_out bytes at out. With
 * is_last there is no input after these. */
struct unchained unchain_some(struct unchain *u, const uint8_t *in, uint64_t n_in, bool is_last,
			      uint8_t *out, uint64_t max_out);

#endif

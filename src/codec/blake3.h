/* BLAKE3, which newer containers store of each chunk. */
#ifndef UVET_CODEC_BLAKE3_H
#define UVET_CODEC_BLAKE3_H

#include <stdbool.h>
#include <stdint.h>

enum { BLAKE3_LEN = 32, BLAKE3_SHORT_LEN = 20 };

/* A blake3 is the state of a digest. It owns nothing. */
struct blake3 {
	uint64_t state[240]; /* the library's */
};

/* blake3_start begins, blake3_add adds n bytes, blake3_end writes the first n_out bytes of the
 * digest of all of them. Portions of 16 KiB and more are hashed in parallel lanes, several times
 * as fast as small ones. Without the library the digest is zeros. */
void blake3_start(struct blake3 *b);
void blake3_add(struct blake3 *b, const uint8_t *bytes, uint64_t n);
void blake3_end(const struct blake3 *b, uint8_t *out, uint64_t n_out);

/* blake3_of writes the digest of n bytes, blake3_short_of its first 20 bytes, as the engine keeps
 * them. */
void blake3_of(const uint8_t *bytes, uint64_t n, uint8_t out[BLAKE3_LEN]);
void blake3_short_of(const uint8_t *bytes, uint64_t n, uint8_t out[BLAKE3_SHORT_LEN]);

/* blake3_is_available tells whether this build has BLAKE3. */
bool blake3_is_available(void);

#endif

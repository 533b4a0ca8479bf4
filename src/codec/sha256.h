/* SHA-256, by which people and sites name a file. Nothing in a file is judged by it. */
#ifndef UVET_CODEC_SHA256_H
#define UVET_CODEC_SHA256_H

#include <stdbool.h>
#include <stdint.h>

/* sha256_is_available tells whether this build has nettle; without it the functions below do
 * nothing. */
bool sha256_is_available(void);

/* A sha256 is the state of a digest, the library's. sha256_start begins one, sha256_add adds n
 * bytes, sha256_end writes the digest of all of them. */
struct sha256 {
	uint64_t state[16];
};
enum { SHA256_LEN = 32 };
void sha256_start(struct sha256 *s);
void sha256_add(struct sha256 *s, const uint8_t *bytes, uint64_t n);
void sha256_end(struct sha256 *s, uint8_t out[SHA256_LEN]);

#endif

/* SHA-1, by which IoStore containers protect their tables and blocks. */
#ifndef UVET_CODEC_SHA1_H
#define UVET_CODEC_SHA1_H

#include <stdbool.h>
#include <stdint.h>

enum { SHA1_LEN = 20 };

/* A sha1 is the state of a digest. It owns nothing. */
struct sha1 {
	uint64_t state[16]; /* the library's */
};

/* sha1_start begins, sha1_add adds n bytes, sha1_end writes the digest of all of them; only
 * sha1_start may follow. Without the library the digest is zeros. */
void sha1_start(struct sha1 *s);
void sha1_add(struct sha1 *s, const uint8_t *bytes, uint64_t n);
void sha1_end(struct sha1 *s, uint8_t out[SHA1_LEN]);

/* sha1_of writes the digest of n bytes. */
void sha1_of(const uint8_t *bytes, uint64_t n, uint8_t out[SHA1_LEN]);

/* sha1_is_available tells whether this build has nettle. */
bool sha1_is_available(void);

#endif

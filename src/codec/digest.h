/* The digests of chunks: SHA-1, and the first 20 bytes of BLAKE3. */
#ifndef UVET_CODEC_DIGEST_H
#define UVET_CODEC_DIGEST_H

#include "codec/blake3.h"
#include "codec/sha1.h"

enum { DIGEST_LEN = 20 };
enum digest_kind { DIGEST_NONE, DIGEST_SHA1, DIGEST_BLAKE3 };

/* A digest is a state of one of them; DIGEST_NONE is none. It owns nothing. */
struct digest {
	enum digest_kind kind;
	union {
		struct sha1 sha1;
		struct blake3 blake3;
	} of;
};

/* digest_is_available tells whether this build can compute a kind, digest_name what it is
 * called. digest_start may not be given a kind that is not available, so that nothing is ever
 * compared with a digest that was not computed. */
bool digest_is_available(enum digest_kind kind);
const char *digest_name(enum digest_kind kind);

/* digest_start begins a digest, digest_add adds n bytes, and digest_end gives the digest, which is
 * zeros for DIGEST_NONE. */
void digest_start(struct digest *g, enum digest_kind kind);
void digest_add(struct digest *g, const uint8_t *bytes, uint64_t n);
void digest_end(struct digest *g, uint8_t out[DIGEST_LEN]);

#endif

/* Digests of our own, slow and from their papers, for reference readings and for mutators that
 * repair hashes. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_DIGEST_H
#define UVET_FUZZ_REFERENCE_REFERENCE_DIGEST_H

#include <stdint.h>

/* What is kept of either digest, in bytes. */
enum { REFERENCE_DIGEST = 20 };

/* reference_sha1 is SHA-1. Source: FIPS 180-4. */
void reference_sha1(const uint8_t *p, uint64_t n, uint8_t out[REFERENCE_DIGEST]);

/* reference_blake3 is the first 20 bytes of BLAKE3 without a key. Source: the BLAKE3 paper, chapter
 * 2. */
void reference_blake3(const uint8_t *p, uint64_t n, uint8_t out[REFERENCE_DIGEST]);

#endif

/* RSA signatures as Unreal makes them: PKCS #1 version 1.5, padding of type 1, around a bare digest
 * that does not name its algorithm. */
#ifndef UVET_CODEC_RSA_H
#define UVET_CODEC_RSA_H

#include <stddef.h>
#include <stdint.h>

#include "core/keys.h"

enum rsa_outcome {
	RSA_VERIFIES,
	RSA_OTHER_LENGTH, /* it is not as long as the key's modulus */
	RSA_TOO_LARGE,    /* its number is not below the modulus */
	RSA_NOT_PADDED,   /* the padding is not that of type 1 */
	RSA_OTHER_DIGEST, /* the padding is right, but the digest is not this one */
};

/* rsa_verify tells whether a signature of len bytes, a number with its highest byte first, is
 * that of a digest, which is shorter than any modulus by 11 bytes or more. */
enum rsa_outcome rsa_verify(const struct signing_key *key, const uint8_t *signature, uint64_t len,
			    const uint8_t *digest, size_t digest_len);

#endif

/* A second way to verify a signature, by the one key that every trial is given. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_RSA_H
#define UVET_FUZZ_REFERENCE_REFERENCE_RSA_H

#include <stdbool.h>
#include <stdint.h>

#include "core/keys.h"

enum { REFERENCE_SIGNATURE = 64 };

/* reference_signing_key is that of conformance/assembler/rsa.py with 512 bits and the exponent
 * 3. */
struct signing_key reference_signing_key(void);

/* reference_verifies tells whether a signature is by that key and of this SHA-1. */
bool reference_verifies(const uint8_t *signature, uint64_t len, const uint8_t digest[20]);

#endif

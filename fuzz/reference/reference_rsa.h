/* A second way to verify a signature, by the one key that every trial is given. */
#ifndef UVET_FUZZ_SECOND_RSA_H
#define UVET_FUZZ_SECOND_RSA_H

#include <stdbool.h>
#include <stdint.h>

#include "core/keys.h"

enum { SECOND_SIGNATURE = 64 };

/* second_signing_key is that of conformance/assembler/rsa.py with 512 bits and the exponent 3. */
struct signing_key second_signing_key(void);

/* second_verifies tells whether a signature is by that key and of this SHA-1. */
bool second_verifies(const uint8_t *signature, uint64_t len, const uint8_t digest[20]);

#endif

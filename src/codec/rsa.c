/* RSA as public keys are used: a power, and what has to come out of it. */
#include "codec/rsa.h"

#include <string.h>

#include "codec/power.h"

_Static_assert((int)SIGNING_KEY_MAX <= (int)POWER_MODULUS_MAX, "every key's modulus can be reckoned with");

/* The padding is 0, 1, then bytes of 255, then 0. */
static bool is_padded(const uint8_t *opened, size_t len)
{
	uint8_t wrong = opened[0] | (opened[1] ^ 1) | opened[len - 1];

	for (size_t i = 2; i < len - 1; i++)
		wrong |= opened[i] ^ 0xFF;
	return wrong == 0;
}

enum rsa_outcome rsa_verify(const struct signing_key *key, const uint8_t *signature, uint64_t len, const uint8_t *digest,
			    size_t digest_len)
{
	uint8_t opened[SIGNING_KEY_MAX];

	if (len != key->len)
		return RSA_OTHER_LENGTH;
	if (memcmp(signature, key->modulus, key->len) >= 0)
		return RSA_TOO_LARGE;
	memcpy(opened, signature, key->len);
	power_modulo(opened, key->modulus, key->len, key->exponent);
	if (!is_padded(opened, key->len - digest_len))
		return RSA_NOT_PADDED;
	return memcmp(opened + key->len - digest_len, digest, digest_len) == 0 ? RSA_VERIFIES : RSA_OTHER_DIGEST;
}

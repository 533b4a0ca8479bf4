/* RSA with a public key: a power, and the padding and digest that have to result from it. */
#include "codec/rsa.h"

#include <string.h>

#include "codec/power.h"

_Static_assert((int)SIGNING_KEY_MAX <= (int)POWER_MODULUS_MAX,
	       "power_modulo takes the modulus of every key");

/* The padding is 0, 1, then bytes of 255, then 0. */
static bool is_padded(const uint8_t *decrypted, size_t len)
{
	uint8_t wrong = decrypted[0] | (decrypted[1] ^ 1) | decrypted[len - 1];

	for (size_t i = 2; i < len - 1; i++)
		wrong |= decrypted[i] ^ 0xFF;
	return wrong == 0;
}

enum rsa_outcome rsa_verify(const struct signing_key *key, const uint8_t *signature, uint64_t len,
			    const uint8_t *digest, size_t digest_len)
{
	uint8_t decrypted[SIGNING_KEY_MAX];

	if (len != key->len)
		return RSA_OTHER_LENGTH;
	if (memcmp(signature, key->modulus, key->len) >= 0)
		return RSA_TOO_LARGE;
	memcpy(decrypted, signature, key->len);
	power_modulo(decrypted, key->modulus, key->len, key->exponent);
	if (!is_padded(decrypted, key->len - digest_len))
		return RSA_NOT_PADDED;
	return memcmp(decrypted + key->len - digest_len, digest, digest_len) == 0
		       ? RSA_VERIFIES
		       : RSA_OTHER_DIGEST;
}

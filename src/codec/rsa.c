/* RSA through BearSSL, where it is there: its arithmetic takes no memory. */
#include "codec/rsa.h"

#include <string.h>

#include "core/compiler.h"

#if defined(UVET_WITH_BEARSSL)

#include <bearssl_rsa.h>

/* Raises a number below the modulus to the public exponent, where it is. */
static bool open_signature(const struct signing_key *key, uint8_t *number)
{
	uint8_t modulus[SIGNING_KEY_MAX], exponent[8];
	const br_rsa_public_key of_library = { modulus, key->len, exponent, sizeof exponent };
	uint32_t ok;

	memcpy(modulus, key->modulus, key->len);                /* the library takes no pointers to const */
	for (size_t i = 0; i < sizeof exponent; i++)
		exponent[i] = (uint8_t)(key->exponent >> 8 * (sizeof exponent - 1 - i));
	ok = br_rsa_i31_public(number, key->len, &of_library);
	MEMORY_WRITTEN(&ok, sizeof ok);
	MEMORY_WRITTEN(number, key->len);
	return ok != 0;
}

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
	bool is_open;

	if (len != key->len)
		return RSA_OTHER_LENGTH;
	if (memcmp(signature, key->modulus, key->len) >= 0)
		return RSA_TOO_LARGE;
	memcpy(opened, signature, key->len);
	is_open = open_signature(key, opened);
	if (NEVER(!is_open) || !is_padded(opened, key->len - digest_len))
		return RSA_NOT_PADDED;
	return memcmp(opened + key->len - digest_len, digest, digest_len) == 0 ? RSA_VERIFIES : RSA_OTHER_DIGEST;
}

bool rsa_is_available(void)
{
	return true;
}

#else

enum rsa_outcome rsa_verify(const struct signing_key *key, const uint8_t *signature, uint64_t len, const uint8_t *digest,
			    size_t digest_len)
{
	(void)key, (void)signature, (void)len, (void)digest, (void)digest_len;
	return RSA_OTHER_DIGEST;
}

bool rsa_is_available(void)
{
	return false;
}

#endif

/* AES-256 through nettle, where it is there. */
#include "codec/aes.h"

#include <string.h>

#include "core/mutant.h"
#include "core/compiler.h"
#include "core/wipe.h"

#if defined(UVET_WITH_NETTLE)

#include <nettle/aes.h>
#include <nettle/ctr.h>

_Static_assert(sizeof(struct aes256_ctx) <= sizeof(struct aes),
	       "an aes has room for nettle's keys");

void aes_for_ecb(struct aes *a, const uint8_t key[AES_KEY_LEN])
{
	nettle_aes256_set_decrypt_key((void *)a->keys, key);
	MEMORY_WRITTEN(a, sizeof *a);
}

void aes_for_ctr(struct aes *a, const uint8_t key[AES_KEY_LEN])
{
	nettle_aes256_set_encrypt_key((void *)a->keys, key);
	MEMORY_WRITTEN(a, sizeof *a);
}

void aes_ecb(const struct aes *a, uint8_t *bytes, uint64_t n)
{
	/* mutant: the last block of five stays encrypted */
	n = (n / AES_BLOCK_LEN - (uint64_t)MUTANT(161) * (n > 79)) * AES_BLOCK_LEN;
	nettle_aes256_decrypt((const void *)a->keys, (size_t)n, bytes, bytes);
}

void aes_ctr(const struct aes *a, const uint8_t counter[AES_BLOCK_LEN], uint8_t *bytes, uint64_t n)
{
	uint8_t at[AES_BLOCK_LEN];

	memcpy(at, counter, sizeof at);
	nettle_ctr_crypt(a->keys, (nettle_cipher_func *)(void (*)(void))nettle_aes256_encrypt,
			 AES_BLOCK_LEN, at, (size_t)n, bytes, bytes);
}

bool aes_is_available(void)
{
	return true;
}

#else

void aes_for_ecb(struct aes *a, const uint8_t key[AES_KEY_LEN])
{
	(void)key;
	memset(a, 0, sizeof *a);
}

void aes_for_ctr(struct aes *a, const uint8_t key[AES_KEY_LEN])
{
	aes_for_ecb(a, key);
}

void aes_ecb(const struct aes *a, uint8_t *bytes, uint64_t n)
{
	(void)a, (void)bytes, (void)n;
}

void aes_ctr(const struct aes *a, const uint8_t counter[AES_BLOCK_LEN], uint8_t *bytes, uint64_t n)
{
	(void)a, (void)counter, (void)bytes, (void)n;
}

bool aes_is_available(void)
{
	return false;
}

#endif

void aes_wipe(struct aes *a)
{
	memory_wipe(a, sizeof *a);
}

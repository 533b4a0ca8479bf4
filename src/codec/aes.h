/* AES-256 as encrypted containers use it: ECB, and CTR from version 10 of the table of contents
 * on. */
#ifndef UVET_CODEC_AES_H
#define UVET_CODEC_AES_H

#include <stdbool.h>
#include <stdint.h>

enum { AES_BLOCK_LEN = 16, AES_KEY_LEN = 32 };

/* An aes is an expanded key, for ECB or for CTR. It owns nothing; several threads may use it at
 * once. */
struct aes {
	uint32_t keys[60];
};

/* aes_for_ecb and aes_for_ctr expand a key. */
void aes_for_ecb(struct aes *a, const uint8_t key[AES_KEY_LEN]);
void aes_for_ctr(struct aes *a, const uint8_t key[AES_KEY_LEN]);

/* aes_wipe overwrites an expanded key, from which the key itself can be computed. Whoever expanded
 * one calls it. */
void aes_wipe(struct aes *a);

/* aes_ecb decrypts n bytes in place; n is a multiple of AES_BLOCK_LEN, and bytes after the last
 * whole block stay as they are. */
void aes_ecb(const struct aes *a, uint8_t *bytes, uint64_t n);

/* aes_ctr decrypts n bytes in place, of any number. The counter is that of the first block, a
 * big-endian number; it is not changed. */
void aes_ctr(const struct aes *a, const uint8_t counter[AES_BLOCK_LEN], uint8_t *bytes, uint64_t n);

/* aes_is_available tells whether this build has nettle; without it bytes stay encrypted. */
bool aes_is_available(void);

#endif

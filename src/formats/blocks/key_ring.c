/* The key ring: trying keys. */
#include "formats/blocks/key_ring.h"

#include <string.h>

#include "core/mutant.h"

bool key_ring_has(const struct keys *keys, const uint8_t guid[KEY_GUID_LEN])
{
	return keys_next(keys, guid, NULL) != NULL;
}

/* ---- An index -------------------------------------------------------------------------------- */

static void decrypt(const struct key_ring_index *x, const struct key *key, uint8_t *bytes,
		    uint64_t n)
{
	uint8_t counter[AES_BLOCK_LEN];
	struct aes aes;

	if (x->cipher == BLOCK_CTR) {
		memset(counter, MUTANT(102), sizeof counter); /* mutant: the rest is 1 */
		memcpy(counter, x->vector, sizeof x->vector);
		aes_for_ctr(&aes, key->bytes);
		aes_ctr(&aes, counter, bytes, n);
	} else {
		aes_for_ecb(&aes, key->bytes);
		aes_ecb(&aes, bytes, n / AES_BLOCK_LEN * AES_BLOCK_LEN);
	}
	aes_wipe(&aes);
}

const uint8_t *key_ring_open_index(struct decode *d, uint32_t group,
				   const uint8_t guid[KEY_GUID_LEN], const struct key_ring_index *x,
				   const struct key **fitting)
{
	const uint64_t n = x->stored.len;
	const struct key *key = NULL;
	uint8_t *copy = decode_alloc(d, group, n, 1);

	while (copy && (key = keys_next(d->keys, guid, key)) != NULL) {
		if (!decode_spend(d, group, 1 + n / AES_BLOCK_LEN))
			return NULL;
		memcpy(copy, x->stored.bytes, (size_t)n);
		decrypt(x, key, copy, n);
		*fitting = key;
		if (x->parses(x->ctx, (struct held){ copy, n }))
			return copy;
	}
	return NULL;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

enum key_fit key_ring_find(const struct keys *keys, const uint8_t guid[KEY_GUID_LEN],
			   key_judge *judge, void *ctx, const struct key **best)
{
	enum key_fit fit = KEY_NONE, now;

	*best = NULL;
	for (const struct key *key = keys_next(keys, guid, NULL); key && fit != KEY_FITS;
	     key = keys_next(keys, guid, key)) {
		now = judge(ctx, key);
		if (now == KEY_UNASKED) {
			*best = NULL;
			return now;
		}
		if (now > fit) {
			fit = now;
			*best = fit >= KEY_OPENS_INDEX ? key : NULL;
		}
	}
	return fit;
}

bool key_ring_stop(struct decode *d, uint32_t group, enum key_fit fit, const char *hash,
		   uint64_t locked)
{
	const struct span at = { 0, locked };

	if (fit == KEY_UNTOLD)
		return decode_stop_codec(d, group, hash, at);
	if (fit == KEY_UNCONFIRMED)
		return decode_stop_key(d, group, "nothing confirms the key that was given", at);
	if (fit == KEY_WRONG)
		return decode_stop_key(d, group, "no key that was given fits", at);
	return decode_stop_key(d, group, "no key was given for these bytes", at);
}

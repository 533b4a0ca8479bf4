/* The key ring: which of the keys at hand decrypts an index or blocks. The formats tell whether
 * decrypted bytes are right. */
#ifndef UVET_FORMATS_BLOCKS_KEY_RING_H
#define UVET_FORMATS_BLOCKS_KEY_RING_H

#include "core/keys.h"
#include "core/rows.h"
#include "formats/blocks/block.h"

/* key_ring_has tells whether there is a key that may be tried. */
bool key_ring_has(const struct keys *keys, const uint8_t guid[KEY_GUID_LEN]);

/* ---- An index -------------------------------------------------------------------------------- */

/* An index that is encrypted as a whole; `parses` tells whether bytes are an index. */
struct key_ring_index {
	struct held stored;
	enum block_cipher cipher;
	uint8_t vector[BLOCK_VECTOR_LEN]; /* of BLOCK_CTR */
	bool (*parses)(const void *ctx, struct held bytes);
	const void *ctx;
};

/* key_ring_open_index tries one key after another. It returns a decrypted copy of the index, and
 * sets *fitting to its key. NULL: no key fits; or memory or work ended, which is noted for the
 * group. */
const uint8_t *key_ring_open_index(struct decode *d, uint32_t group,
				   const uint8_t guid[KEY_GUID_LEN], const struct key_ring_index *x,
				   const struct key **fitting);

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* What is known of the best key at hand, from worse to better. */
enum key_fit {
	KEY_UNASKED,
	KEY_UNNEEDED,
	KEY_NONE,        /* there is none */
	KEY_UNCONFIRMED, /* nothing can tell whether it fits */
	KEY_WRONG,       /* all that can tell says no */
	KEY_UNTOLD,      /* only a hash could tell, and this build cannot compute it */
	KEY_OPENS_INDEX, /* it opened the index, and no block that can tell says yes */
	KEY_FITS,        /* some block is what it should be */
};

/* A key_judge returns what is known of a key. KEY_UNASKED: it could not try it, and the search
 * ends. */
typedef enum key_fit key_judge(void *ctx, const struct key *key);

/* key_ring_find tries the keys, one after another, until one fits, and returns what is known of
 * the best. *best is that key if it may be used (KEY_OPENS_INDEX, KEY_FITS), else NULL. */
enum key_fit key_ring_find(const struct keys *keys, const uint8_t guid[KEY_GUID_LEN],
			   key_judge *judge, void *ctx, const struct key **best);

/* key_ring_stop notes that there is no usable key, and why, as the group's stop, with `locked`
 * bytes that stay encrypted; it returns false. hash names the hash that KEY_UNTOLD needs. */
bool key_ring_stop(struct decode *d, uint32_t group, enum key_fit fit, const char *hash,
		   uint64_t locked);

#endif

/* The bytes of the index and of its two further parts: read, decrypted and hashed. */
#include "core/mutant.h"
#include "formats/blocks/key_ring.h"
#include "formats/pak/parts.h"

#define WANTS_KEY "there is no key for the index"
#define OTHER_KEY "no key that was given fits the index"
#define CIPHER_UNKNOWN "the method of encryption is unknown"

/* How many bytes can be hashed for a unit of work. */
enum { BYTES_A_STEP = 16 };

bool pak_stop_broken(struct decode *d, uint32_t group, struct pak_part *part,
		     const struct cursor *c, struct pak_broken broken)
{
	broken.left = cursor_left(c);
	part->broken = broken;
	return decode_stop(d, group, STOP_MALFORMED, (struct span){ broken.at, broken.left });
}

/* ---- Hashes ---------------------------------------------------------------------------------- */

static bool hash_part(struct decode *d, struct pak_part *part)
{
	if (!sha1_is_available())
		return decode_stop_codec(d, PAK_SUMS, "SHA-1", part->at);
	if (!decode_spend(d, PAK_SUMS, part->held.len / BYTES_A_STEP))
		return false;
	sha1_of(part->held.bytes, part->held.len, part->computed);
	part->is_hashed = true;
	return true;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

/* The hash is that of the decrypted index. The library that has AES has SHA-1, too. */
static bool is_index(const void *pak, struct held bytes)
{
	const struct pak *p = pak;
	uint8_t digest[SHA1_LEN];

	sha1_of(bytes.bytes, bytes.len, digest);
	return memcmp(digest, p->tail.hash, sizeof digest) == 0;
}

static bool open_index(struct decode *d, struct pak *p, struct held stored)
{
	struct key_ring_index x = {
		.stored = stored, .cipher = p->cipher, .parses = is_index, .ctx = p
	};
	struct pak_part *index = &p->index;

	memcpy(x.vector, p->tail.vectors[0], sizeof x.vector);
	if (p->cipher == BLOCK_CLEAR)
		return decode_stop_key(d, PAK_INDEX, CIPHER_UNKNOWN, index->at);
	if (!key_ring_has(d->keys, p->tail.guid))
		return decode_stop_key(d, PAK_INDEX, WANTS_KEY, index->at);
	if (!aes_is_available())
		return decode_stop_codec(d, PAK_INDEX, "AES", index->at);
	index->held.bytes = key_ring_open_index(d, PAK_INDEX, p->tail.guid, &x, &p->key);
	if (index->held.bytes) {
		index->held.len = stored.len;
		return true;
	}
	p->key = NULL;
	if (decode_has(d, PAK_INDEX) && !MUTANT(306)) /* mutant: nothing says why it is not read */
		decode_stop_key(d, PAK_INDEX, OTHER_KEY, index->at);
	return false;
}

static void decrypt(const struct pak *p, const uint8_t vector[PAK_VECTOR_LEN], uint8_t *bytes,
		    uint64_t n)
{
	uint8_t counter[AES_BLOCK_LEN] = { 0 };
	struct aes aes;

	memcpy(counter, vector, PAK_VECTOR_LEN);
	if (p->cipher == BLOCK_CTR) {
		aes_for_ctr(&aes, p->key->bytes);
		aes_ctr(&aes, counter, bytes, n);
	} else {
		aes_for_ecb(&aes, p->key->bytes);
		aes_ecb(&aes, bytes, n / AES_BLOCK_LEN * AES_BLOCK_LEN);
	}
	aes_wipe(&aes);
}

/* With the key of the index. */
static bool decrypt_part(struct decode *d, uint32_t group, const struct pak *p,
			 struct pak_part *part)
{
	uint8_t *clear = decode_alloc(d, group, part->at.len, 1);

	if (!clear || !decode_spend(d, group, 1 + part->at.len / AES_BLOCK_LEN) ||
	    !decode_copy(d, group, part->at, clear))
		return false;
	decrypt(p, p->tail.vectors[part == &p->path_hashes ? 1 : 2], clear, part->at.len);
	part->held = (struct held){ clear, part->at.len };
	return true;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Whether a part of this length can be encrypted. */
static bool may_be_encrypted(const struct pak *p, uint64_t len)
{
	return !p->is_encrypted || p->cipher != BLOCK_ECB || len % AES_BLOCK_LEN == 0;
}

bool pak_read_part(struct decode *d, uint32_t group, struct pak *p, struct pak_part *part)
{
	if (!pak_may_be_part(p, part->at) || !may_be_encrypted(p, part->at.len))
		return decode_stop(d, group, STOP_MALFORMED, part->at);
	if (p->key) {
		if (!decrypt_part(d, group, p, part))
			return false;
	} else if (!decode_bytes(d, group, part->at, &part->held)) {
		return false;
	}
	hash_part(d, part);
	return true;
}

/* Before version 15 the method is not named. */
static enum block_cipher cipher_of(const struct pak *p)
{
	if (p->tail.version < PAK_FLAT || p->end.encryption == PAK_METHOD_ECB)
		return BLOCK_ECB;
	return p->end.encryption == PAK_METHOD_CTR ? BLOCK_CTR : BLOCK_CLEAR;
}

bool pak_read_index(struct decode *d, struct pak *p)
{
	struct pak_part *index = &p->index;
	struct held stored;

	index->is_there = true;
	index->at = (struct span){ p->tail.index_offset, p->tail.index_size };
	memcpy(index->hash, p->tail.hash, sizeof index->hash);
	p->is_encrypted = p->tail.encrypted != 0;
	p->cipher = cipher_of(p);
	p->has_key = key_ring_has(d->keys, p->tail.guid);
	if (p->tail.frozen != 0)
		return decode_stop(d, PAK_INDEX, STOP_UNSUPPORTED, index->at);
	if (!pak_may_be_part(p, index->at) || !may_be_encrypted(p, index->at.len))
		return decode_stop(d, PAK_INDEX, STOP_MALFORMED, index->at);
	if (!decode_bytes(d, PAK_INDEX, index->at, &stored))
		return false;
	if (!p->is_encrypted)
		index->held = stored;
	else if (!open_index(d, p, stored))
		return false;
	hash_part(d, index);
	return true;
}

/* Blocks: the unit in which containers and archives compress and encrypt, whatever their tables
 * look like. What blocks need of a reader, and what that costs. */
#ifndef UVET_FORMATS_BLOCKS_BLOCK_H
#define UVET_FORMATS_BLOCKS_BLOCK_H

#include "codec/aes.h"
#include "codec/methods.h"
#include "formats/decode.h"

/* How a block is encrypted, after it was compressed: by AES-256, each block by itself. */
enum block_cipher {
	BLOCK_CLEAR,
	BLOCK_ECB, /* stored up to the next multiple of AES_BLOCK_LEN */
	BLOCK_CTR,
};

/* The bytes of an initialisation vector of BLOCK_CTR; a counter of 32 bits follows them, from 0
 * on. */
enum { BLOCK_VECTOR_LEN = 12 };

struct block {
	uint64_t offset; /* of its first stored byte, in its source */
	/* bytes before it is decompressed, without what encryption adds, and after */
	uint64_t stored, size;
	enum method method;
	/* it has a method, even if that is METHOD_NONE; else it is its first `size` stored bytes */
	bool is_packed;
	enum block_cipher cipher;
	/* BLOCK_VECTOR_LEN bytes for BLOCK_CTR; only who decodes the block asks for them */
	const uint8_t *vector;
};

/* block_padded is how many bytes are stored of n that are padded to a multiple of AES_BLOCK_LEN. */
static inline uint64_t block_padded(uint64_t n)
{
	return (n + AES_BLOCK_LEN - 1) & ~(uint64_t)(AES_BLOCK_LEN - 1);
}

/* block_read_len is how many bytes are read to decode a block. */
static inline uint64_t block_read_len(const struct block *b)
{
	const uint64_t n = b->is_packed ? b->stored : b->size;

	return b->cipher == BLOCK_ECB ? block_padded(n) : n;
}

/* ---- Methods --------------------------------------------------------------------------------- */

/* A name of no characters; METHOD_UNKNOWN is one that no engine knows. */
#define BLOCK_METHOD_NAMELESS ((enum method)255)

/* A method list says what the numbers mean by which blocks name their method: 0 is none, the others
 * have names in the file. */
struct block_methods {
	uint8_t of[256]; /* enum method */
};

/* block_methods_init leaves all numbers but 0 unknown. block_methods_add gives one a name of n
 * bytes; larger numbers than there can be are passed over. block_methods_get says which method a
 * number means. */
void block_methods_init(struct block_methods *m);
void block_methods_add(struct block_methods *m, uint64_t number, const uint8_t *name, uint64_t n);

static inline enum method block_methods_get(const struct block_methods *m, uint64_t number)
{
	return number < sizeof m->of ? (enum method)m->of[number] : METHOD_UNKNOWN;
}

/* ---- What blocks need ------------------------------------------------------------------------ */

/* The needs of blocks, added up. */
struct block_needs {
	uint64_t read, decoded; /* bytes in all */
	uint64_t packed;        /* of those that are read, those of blocks that have a method */
	uint64_t largest_read, largest_decoded; /* of one block */
	/* Bytes that are not decoded for want of a decoder, by method; METHOD_NONE: one for
	 * blocks that save nothing, and METHOD_UNKNOWN: one for a method without a name. */
	uint64_t lacking[METHOD_UNKNOWN + 1];
};

void block_needs_add(struct block_needs *n, const struct block *b);

/* block_lacks_decoder tells whether a block cannot be decoded here, and by which entry of
 * block_needs.lacking that is counted: this build, or this user, has no decoder, or the block is
 * compressed and no shorter for it, as packers store none. Such a block can cost a decoder much
 * time and come to little. */
bool block_lacks_decoder(const struct block *b, const struct unpacker *codecs,
			 enum method *lacking);

/* block_stop_codecs notes the group's stop for each decoder that is missing, with the bytes that
 * need it if they count. */
UVET_COLD void block_stop_codecs(struct decode *d, uint32_t group, const struct block_needs *n,
				 bool counts);

/* block_work is how many units of work n bytes cost that are read or come out of a decoder. */
static inline uint64_t block_work(uint64_t n)
{
	return n / 256;
}

/* block_repeat_work is what it costs, apart from reading, to decode more stored bytes than there
 * are: blocks may name the same bytes, and a decoder may take much time for what it takes in and
 * give little for it. `packed` counts such bytes, as in struct block_needs, and `distinct` those
 * that are there, each once. */
uint64_t block_repeat_work(uint64_t distinct, uint64_t packed);

#endif

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

/* The bytes of an initialisation vector of BLOCK_CTR; a counter of 32 bits follows them. */
enum { BLOCK_VECTOR_LEN = 12 };

struct block {
	uint64_t offset; /* of its first stored byte, in its source */
	/* bytes before it is decompressed, without what encryption adds, and after */
	uint64_t stored, size;
	enum method method;
	/* it has a method other than number 0, even if that means METHOD_NONE; else it is stored
	 * as it is, in its first `size` bytes */
	bool is_packed;
	enum block_cipher cipher;
	/* BLOCK_VECTOR_LEN bytes for BLOCK_CTR; only decoding the block takes them */
	const uint8_t *vector;
	uint64_t counter; /* with which BLOCK_CTR begins; below 2^32 */
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

/* A method whose name in the file is empty; METHOD_UNKNOWN has one that no engine knows. */
#define BLOCK_METHOD_NAMELESS 255

/* A block names its method by a number. A method list says what each number means: 0 is no
 * compression, the others have names in the file. */
struct block_methods {
	uint8_t of[256]; /* enum method */
};

/* block_methods_init leaves all numbers but 0 unknown. block_methods_add says that one has a
 * name of n bytes; numbers above 255 are ignored. block_methods_get returns which method a
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
 * compressed and no shorter for it. No packer stores such a block, and it could keep a decoder
 * busy for long. */
bool block_lacks_decoder(const struct block *b, const struct unpacker *codecs,
			 enum method *lacking);

/* block_stop_codecs notes the group's stop for each decoder that is missing, with the bytes that
 * need it, or 0 unless `counts`. */
UVET_COLD void block_stop_codecs(struct decode *d, uint32_t group, const struct block_needs *n,
				 bool counts);

/* block_work is how many units of work it costs to read n bytes, or to decode to n bytes. */
static inline uint64_t block_work(uint64_t n)
{
	return n / 256;
}

/* block_repeat_work is how many units of work it costs, apart from reading, to decode more
 * stored bytes than there are: several blocks may name the same bytes, and a decoder can be slow
 * on input that decompresses to little. `packed` is as in struct block_needs; `distinct` counts
 * each stored byte once. */
uint64_t block_repeat_work(uint64_t distinct, uint64_t packed);

#endif

/* Reading blocks: through a window, decrypted and decompressed, one after the other. */
#ifndef UVET_FORMATS_BLOCKS_BLOCK_READER_H
#define UVET_FORMATS_BLOCKS_BLOCK_READER_H

#include "core/keys.h"
#include "formats/blocks/block.h"

/* The most bytes that a window has, unless a block is longer. */
#define BLOCK_WINDOW ((uint64_t)262144)

/* What is wrong with a block that was decoded. */
enum block_defect {
	BLOCK_SOUND,
	/* its stream ends before its stored bytes do; it is decoded all the same */
	BLOCK_LEFT_OVER,
	BLOCK_SHORT,  /* fewer bytes than its size come out */
	BLOCK_LONG,   /* more */
	BLOCK_BROKEN, /* it cannot be decoded */
};

/* A block reader is one thread's: it reads sources, one at a time, through copies of them. */
struct block_reader {
	struct source source;    /* the copy */
	const struct source *of; /* what it is a copy of; NULL: nothing yet */
	uint8_t *window;
	uint64_t window_len;
	struct span held;      /* what is in it */
	struct span failed_at; /* what could not be read */

	struct arena arena; /* of the decoders' states */
	struct unpacker unpacker;
	struct aes aes;
	bool has_key;
	bool has_ctr_key;     /* aes is set up for BLOCK_CTR, else for BLOCK_ECB */
	uint8_t *clear, *out; /* a block's bytes, decrypted and decoded */

	const struct interrupt *interrupt; /* asked before each read */
	enum interrupted interrupted;
	/* STOP_NOT until it cannot go on; STOP_LIMIT: the check was interrupted */
	enum stop_why why;
};

/* What a block reader is opened for. */
struct block_reader_plan {
	uint64_t largest_read, largest_decoded; /* as in struct block_needs */
	uint64_t longest_source; /* in bytes: no window is longer, unless a block is */
	bool is_encrypted;       /* blocks may be */
	/* readers that work at once: the memory left for decoders is shared among them */
	unsigned n_readers;
};

/* block_reader_open takes its memory from d->arena, but that of the decoders' states from an
 * arena of the reader's; false: memory ended, which is noted for the group. block_reader_close
 * frees that arena and wipes the key. To have it in the peak of d->arena, call arena_count
 * before. */
UVET_MUST_USE bool block_reader_open(struct decode *d, uint32_t group,
				     const struct block_reader_plan *plan, struct block_reader *r);
void block_reader_close(struct block_reader *r);

/* block_reader_use_key sets the key with which blocks of that cipher are decrypted; NULL: they
 * are not. */
void block_reader_use_key(struct block_reader *r, enum block_cipher cipher, const struct key *key);

/* block_reader_stop notes in d why a reader could not go on; it returns false. */
UVET_COLD bool block_reader_stop(struct decode *d, uint32_t group, const struct block_reader *r);

/* block_reader_stored returns the bytes of a span, which lies in the source and is no longer
 * than largest_read. Bytes after it, up to offset `until`, are read with it if the window has
 * space. The bytes stay until the next call. NULL: r->why says why not. */
const uint8_t *block_reader_stored(struct block_reader *r, const struct source *s, struct span span,
				   uint64_t until);

/* block_reader_decode returns the b->size bytes that a block of a source decodes to; they stay
 * until the next call. NULL: *defect says what is wrong with the block, or, if that is
 * BLOCK_SOUND, r->why says why the reader cannot go on. */
const uint8_t *block_reader_decode(struct block_reader *r, const struct source *s,
				   const struct block *b, uint64_t until,
				   enum block_defect *defect);

#endif

/* What the files share that check the bytes of an archive's files. */
#ifndef UVET_FORMATS_PAK_PAYLOAD_H
#define UVET_FORMATS_PAK_PAYLOAD_H

#include "codec/digest.h"
#include "formats/blocks/shares.h"
#include "formats/format.h"
#include "formats/pak/parts.h"

#define PAK_STREAM_DEFECTS (PAK_STREAM_BROKEN | PAK_STREAM_SHORT | PAK_STREAM_LONG)

/* What keeps the bytes of a file from being looked at. */
#define PAK_UNFIT \
	(PAK_METHOD_UNNAMED | PAK_METHOD_UNKNOWN | PAK_SIZES_DIFFER | PAK_BLOCKS_MISCOUNTED | \
	 PAK_BLOCK_EMPTY | PAK_BLOCK_OUTSIDE | PAK_BLOCK_MISPLACED | PAK_BLOCKS_SHORT | \
	 PAK_BLOCK_SIZE)

/* ---- Files: payload_blocks.c ----------------------------------------------------------------- */

/* What a file is by its name: uvet may read it, or it is a package or a part of one. Without a name
 * it may be a package. pak_may_be_package tells whether its first bytes are to say so. */
enum pak_kind {
	PAK_KIND_OTHER,
	PAK_KIND_PROMISED,
	PAK_KIND_PACKAGE,
	PAK_KIND_PART,
	PAK_KIND_NAMELESS
};
enum pak_kind pak_kind_of(const struct pak *p, const struct pak_file *row);
static inline bool pak_may_be_package(enum pak_kind kind)
{
	return kind == PAK_KIND_PACKAGE || kind == PAK_KIND_NAMELESS;
}

/* pak_stored is where the bytes of a file are, without the record before them and what fills up the
 * last block. */
static inline struct span pak_stored(const struct pak_entry *e)
{
	return (struct span){ e->offset + e->header_len, e->size };
}

static inline bool pak_is_encrypted(const struct pak_entry *e)
{
	return (e->flags & PAK_FLAG_ENCRYPTED) != 0;
}

/* pak_needs_decoding tells whether a file's bytes say anything that is judged once they are
 * decoded: compressed ones whether they can be, and others what lies in them. */
static inline bool pak_needs_decoding(const struct pak_entry *e, enum pak_kind kind)
{
	return e->whole > 0 &&
	       (e->method != 0 || kind == PAK_KIND_PROMISED || pak_may_be_package(kind));
}

/* pak_next_block sets *out to the next block of a file: a file without a method has a piece of it
 * for each, and one of a version before blocks has one. *walk is zeroed at first; false: there are
 * no more. */
struct pak_pieces {
	struct pak_walk walk;
	uint64_t n;    /* how many there were */
	uint64_t done; /* bytes that those decode to */
};
UVET_MUST_USE bool pak_next_block(const struct pak *p, const struct pak_entry *e,
				  struct pak_pieces *walk, struct block *out);

/* pak_lacks_decoder is block_lacks_decoder for blocks that may save nothing, as zlib stores what it
 * cannot compress. */
bool pak_lacks_decoder(const struct block *b, const struct unpacker *codecs, enum method *lacking);

/* The bytes at the beginning of a file by which a package is known. */
enum { PAK_TAG_LEN = 4 };

/* ---- All files: payload.c, payload_plan.c ---------------------------------------------------- */

/* What is known of a file besides its defects: among the traits of its row until all are
 * counted. */
enum {
	PAK_MARK_SKIPPED = 1 << 8,   /* it has a defect that leaves open what its bytes are */
	PAK_MARK_UNDECODED = 1 << 9, /* it needs a decoder or a key that is not here */
	PAK_MARK_HEADER = 1 << 10,   /* the record before it is that of the index */
	PAK_MARK_HASH = 1 << 11,     /* its hash is right */
	PAK_MARK_DECODED = 1 << 12,  /* every block was decoded */
	PAK_MARK_LEGACY = 1 << 13,   /* it begins as a package that is not judged */
	PAK_MARK_TAGGED = 1 << 14,   /* it begins as a package */
};

/* What the workers share. Each file's row is written by the worker that took it. */
struct pak_check {
	struct decode *d;
	struct pak *p;
	struct block_shares shares;
	struct pak_payload *rows; /* of each row of by_offset */
	struct pak_worker *workers;
	unsigned n_workers;
	struct block_needs needs;
	bool can_hash;
	uint64_t end;     /* of the bytes that were looked at so far */
	uint64_t again;   /* bytes that may still be read a second time */
	uint64_t locked;  /* bytes that need a key that there is not */
	uint64_t n_unfit; /* files that were left out */
};

/* A worker looks at files, one after the other. */
struct pak_worker {
	struct block_reader reader;
	struct pak_check *check;
	uint64_t until; /* how far to read ahead */
	/* of the file: as the index has it, or, if that has none, the record before its bytes */
	uint8_t hash[SHA1_LEN];
	bool is_agreed;             /* both have the same */
	uint8_t first[PAK_TAG_LEN]; /* what it begins with, as far as it was decoded */
	uint64_t n_first;
	struct pak_payload *row; /* what is found of it */
};

static inline bool pak_worker_runs(const struct pak_worker *w)
{
	return w->reader.why == STOP_NOT;
}

/* pak_plan decides what is done with each file, and adds up what that needs; false: nothing is,
 * which is noted. */
UVET_MUST_USE bool pak_plan(struct pak_check *c);

/* pak_find_key looks for the key of encrypted files. It sets p->content.key. false: work or memory
 * ended, which is noted. */
UVET_MUST_USE bool pak_find_key(struct decode *d, struct pak *p);

/* pak_open_worker makes a worker for blocks with such needs, one of n. */
UVET_MUST_USE bool pak_open_worker(struct pak_check *c, uint32_t group, unsigned n,
				   struct pak_worker *w);

/* ---- One file: payload_read.c, payload_header.c ---------------------------------------------- */

/* pak_compare_header compares the record before a file's bytes with that of the index, and keeps
 * its hash. false: they differ, or the worker cannot go on. */
UVET_MUST_USE bool pak_compare_header(struct pak_worker *w, const struct pak_entry *e);

/* pak_check_file looks at the file of a row and adds what it finds to the row. */
void pak_check_file(struct pak_worker *w, struct pak_payload *row);

/* pak_is_legacy tells whether a file begins as a package that is no zen package. */
bool pak_is_legacy(struct held bytes);

/* pak_check_content reads the bytes of files, which the content level asks for, and notes why it
 * does not at another level; pak_check_beside looks at what lies beside the archive. */
void pak_check_content(struct decode *d, struct pak *p);
void pak_check_beside(struct decode *d, struct pak *p);

/* pak_check_sums compares each piece of the archive with its sum in the .sig. It notes the stop of
 * PAK_SIGNED. */
void pak_check_sums(struct decode *d, struct pak *p);

extern const struct nested_files pak_nested_files;

#endif

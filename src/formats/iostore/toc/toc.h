/* The tables of a .utoc: where each is, and its rows without a copy. Source:
 * conformance/spec/iostore.md, 2 to 5 and 7. */
#ifndef UVET_FORMATS_IOSTORE_TOC_TOC_H
#define UVET_FORMATS_IOSTORE_TOC_TOC_H

#include "codec/rsa.h"
#include "core/order.h"
#include "core/table.h"
#include "core/text.h"
#include "formats/blocks/block.h"
#include "formats/format.h"
#include "formats/iostore/toc/chunk_type.h"
#include "formats/iostore/toc/version.h"

#define FORMAT utoc
#define FORMAT_DEF "formats/iostore/utoc.def"
#include "formats/declare.h"

#define TOC_MAGIC 0x2D3D3D2D2D3D3D2Du     /* both halves */
#define TOC_BLOCK_SIZE 65536u             /* what the engine writes */
#define TOC_UNPARTITIONED UINT64_MAX      /* partition size of a container of one .ucas */
#define TOC_NO_CONTAINER UINT64_MAX       /* container id */
#define TOC_NONE UINT32_MAX               /* no chunk, directory, file or string */
#define TOC_PADDING_MAX 65536u            /* writers pad blocks to a multiple of at most this */
#define TOC_RUN 64u                       /* blocks that are looked at together */
#define TOC_SPACE_END ((uint64_t)1 << 40) /* offsets have 40 bits */

#define TOC_HASH_LEN 20u /* bytes of a chunk's hash, and of a signed block's */

enum toc_flags {
	TOC_COMPRESSED = 1,
	TOC_ENCRYPTED = 2,
	TOC_SIGNED = 4,
	TOC_INDEXED = 8,
	TOC_ON_DEMAND = 16
};
enum toc_meta_flags { TOC_META_COMPRESSED = 1, TOC_META_MEMORY_MAPPED = 2 };

/* The sections after the header, in their order. */
enum toc_section_name {
	SECTION_IDS,
	SECTION_RANGES,
	SECTION_SEEDS,
	SECTION_OVERFLOW,
	SECTION_BLOCKS,
	SECTION_VECTORS,
	SECTION_METHODS,
	SECTION_SIGNATURES,
	SECTION_DIRECTORY,
	SECTION_METAS,
	SECTION_ON_DEMAND,
	SECTION_N
};

struct toc_section {
	struct span at; /* by the header */
	/* rows; a section without rows counts as one row, or none if it is empty */
	uint64_t n, row_len;
	struct held held; /* its bytes; none until it is known that the file has them */
};

/* A block, read from its row; `at` is where the row is in the file. */
struct toc_block {
	uint64_t at, offset, compressed, uncompressed, method;
};

/* The signatures of a signed container. */
enum toc_signature { SIGNATURE_HEADER, SIGNATURE_BLOCKS, SIGNATURE_N };

/* Rows as rules see them. `traits` are of the sets of utoc.def. */
struct toc_chunk {
	struct utoc_chunk_id id;
	struct utoc_range range;
	uint64_t number, first_block, n_blocks;
	uint64_t given; /* bytes that its blocks decompress to; 0 if they were not read */
	/* the block that traits about blocks refer to, and what it decompresses to */
	uint64_t odd_block, odd_gives;
	enum chunk_type type;
	bool is_compressed; /* some block is */
	uint32_t traits;
};

struct toc_block_row {
	struct utoc_block block;
	uint64_t number;
	uint32_t traits;
};

struct toc_method {
	struct span at;
	struct text_ref name; /* up to its NUL */
	uint64_t number;      /* as blocks use it, from 1 on */
	uint32_t traits;
};

struct toc_seed {
	struct utoc_seed seed;
	uint64_t number;
	uint32_t traits;
};

struct toc_meta {
	struct utoc_meta meta; /* a short one is converted to this form */
	struct span flags_at, pad_at;
	uint64_t number;
	bool is_compressed; /* some block of the chunk is */
	enum chunk_type type;
	uint32_t traits;
};

/* Two chunks of one id. */
struct toc_pair {
	uint32_t chunk, before;
};

/* What the file's name says. Source: conformance/spec/iostore.md, 1. */
struct toc_name {
	struct text stem; /* without folder and extension */
	bool is_global;   /* "global" */
	bool is_segment;  /* an optional segment's: ends in ".o" */
	bool is_patch;    /* ends in "_P", before that */
	bool is_ascii;
	uint64_t hash; /* as in a container's id; only of an ASCII name */
};

struct toc {
	uint64_t size; /* of the file */
	uint64_t version;
	struct utoc_header header;
	struct held held; /* the whole file, if it has all sections */
	struct toc_section sections[SECTION_N];
	struct utoc_chunk_id_rows ids;
	struct utoc_range_rows ranges;
	struct utoc_seed_rows seeds, overflow;
	struct utoc_block_rows blocks;
	/* one of these three has rows, depending on version and size */
	struct utoc_meta_rows metas;
	struct utoc_short_meta_rows short_metas;
	/* of version 8 before its release: short ones without their padding */
	struct rows early_metas;
	struct rows methods; /* names */
	uint64_t expected;   /* the bytes of header and sections together */
	uint64_t n_chunks, n_blocks, n_seeds, n_overflow, n_methods, n_partitions;
	uint64_t block_size;     /* never 0 where chunks were decoded */
	uint64_t partition_size; /* TOC_UNPARTITIONED before version 3 */
	uint8_t types[256];      /* enum chunk_type of each type byte */
	bool encrypted, is_signed;

	struct toc_name name;
	bool is_4_25;            /* the form of 4.25: no version, and a header of 128 bytes */
	bool power_of_two;       /* the block size is one */
	unsigned block_shift;    /* then its logarithm */
	uint64_t meta_size;      /* of one row */
	uint64_t signature_size; /* of each of the two */
	bool signature_broken;   /* that size is not possible */
	bool has_signer;         /* a key for signatures was given */
	bool signatures_judged;  /* by that key */
	enum rsa_outcome signatures[SIGNATURE_N];
	/* version 6: the last section is there or not, against the flag */
	bool on_demand_missing, on_demand_extra;

	/* that some row has */
	uint32_t chunk_traits, block_traits, method_traits, seed_traits, overflow_traits,
		meta_traits;
	uint64_t n_of_type[CHUNK_N_TYPES];
	uint64_t n_mapped; /* chunks whose meta says MemoryMapped */
	/* container headers by the other engine's list of types, with the container's id */
	uint64_t n_wrong_headers;
	uint64_t n_unowned, first_unowned; /* blocks that no chunk has; the first of them */
	uint64_t end_of_blocks;            /* the highest end of any block, over all partitions */
	uint64_t n_compressed_blocks;
	/* of all blocks: bytes that are stored, and bytes that they declare to decompress to */
	uint64_t stored, given;
	/* a bit for each block: it is of the block size; it has a method */
	const uint64_t *full_blocks, *compressed_blocks;
	/* a bit for each TOC_RUN blocks: none is empty, each closely follows the one before */
	const uint64_t *close_runs;
	uint64_t methods_used[4];    /* a bit for each method */
	uint64_t methods_unknown[4]; /* likewise, those with METHOD_NOT_KNOWN */
	const uint64_t *overlapping; /* a bit for each chunk with CHUNK_OVERLAPS; NULL: none has */
	const struct toc_sum_row *sums; /* for such chunks; NULL likewise */
	/* a bit for each chunk that the overflow list names; NULL: there is no list */
	const uint64_t *overflow_slots;
	/* a bit for each entry of the list that repeats one; NULL as above */
	const uint64_t *overflow_repeated;
	bool finds_all;     /* the perfect hash finds every chunk, so ids differ */
	struct order by_id; /* chunks by id, where they were sorted */
	bool is_sorted;     /* by that, or finds_all, packages can be looked up */
	struct toc_pair *pairs;
	uint64_t n_pairs;

	/* the container header: one that an engine looks for, else the first; or TOC_NONE */
	uint32_t header_chunk;
	/* a bit for each block that some chunk covers; NULL until chunks were decoded */
	const uint64_t *owned;
};

/* ---- Rows ------------------------------------------------------------------------------------ */

static inline struct utoc_chunk_id_row toc_id_row(const struct toc *t, uint64_t chunk)
{
	return utoc_chunk_id_at(t->ids, chunk);
}

static inline uint64_t toc_id(const struct toc *t, uint64_t chunk)
{
	return utoc_chunk_id_get_id(toc_id_row(t, chunk));
}

/* toc_chunks_fit and toc_blocks_fit say whether the file is long enough for that many; if not,
 * it is not known where tables lie. The engine allocates the chunks' ids with an int32. */
#define TOC_IDS_MAX 0x80000000u

static inline bool toc_chunks_fit(const struct toc *t)
{
	return t->n_chunks <=
		       (t->size - utoc_header_fixed_len) /
			       (utoc_chunk_id_fixed_len + utoc_range_fixed_len + t->meta_size) &&
	       t->n_chunks * utoc_chunk_id_fixed_len < TOC_IDS_MAX;
}

static inline bool toc_blocks_fit(const struct toc *t)
{
	return t->n_blocks <= (t->size - utoc_header_fixed_len) / utoc_block_fixed_len;
}

/* toc_index is the index in a chunk's id: two bytes, in the byte order of the version. */
static inline uint64_t toc_index(const struct toc *t, struct utoc_chunk_id_row id)
{
	const uint64_t index = utoc_chunk_id_get_index(id);

	return t->version >= TOC_OVERFLOW ? (index & 0xFF) * 256 + index / 256 : index;
}

/* toc_is_sought says whether an engine may ask for an id: its index and the byte after that are 0
 * (iostore.md 3.5). */
static inline bool toc_is_sought(struct utoc_chunk_id_row id)
{
	return (utoc_chunk_id_word(id, 2) & 0xFFFFFF) == 0;
}

/* toc_has_own_id says whether a chunk has the id by which an engine looks for the container header
 * (iostore.md 3.13). */
static inline bool toc_has_own_id(const struct toc *t, uint64_t chunk)
{
	const struct utoc_chunk_id_row id = toc_id_row(t, chunk);

	return utoc_chunk_id_get_id(id) == t->header.container_id && toc_is_sought(id);
}

static inline enum chunk_type toc_type(const struct toc *t, uint64_t chunk)
{
	return (enum chunk_type)t->types[utoc_chunk_id_get_type(toc_id_row(t, chunk))];
}

/* toc_offset is where a chunk begins in the uncompressed bytes of all chunks, toc_length how long
 * it is. */
static inline uint64_t toc_offset(const struct toc *t, uint64_t chunk)
{
	return utoc_range_get_offset(utoc_range_at(t->ranges, chunk));
}

static inline uint64_t toc_length(const struct toc *t, uint64_t chunk)
{
	return utoc_range_get_length(utoc_range_at(t->ranges, chunk));
}

/* toc_block_of is the block of an offset in the uncompressed bytes. */
static inline uint64_t toc_block_of(const struct toc *t, uint64_t offset)
{
	return t->power_of_two ? offset >> t->block_shift : offset / t->block_size;
}

/* toc_first_block and toc_block_count say which blocks a chunk has; they may be outside the table.
 * A chunk without bytes has none. */
static inline uint64_t toc_first_block(const struct toc *t, uint64_t chunk)
{
	return toc_block_of(t, toc_offset(t, chunk));
}

static inline uint64_t toc_block_count(const struct toc *t, uint64_t chunk)
{
	const uint64_t offset = toc_offset(t, chunk), length = toc_length(t, chunk);

	return length == 0 ? 0 : toc_block_of(t, offset + length - 1) - toc_block_of(t, offset) + 1;
}

/* toc_has_blocks tells whether all of a chunk's blocks are in the table. */
static inline bool toc_has_blocks(const struct toc *t, uint64_t chunk)
{
	return toc_first_block(t, chunk) + toc_block_count(t, chunk) <= t->n_blocks;
}

/* toc_fetch_chunks prefetches for a pass over all chunks that reads n of them next (`run`, or
 * fewer at the end): rows of chunks two runs ahead, the blocks of the next n chunks if they do
 * not follow one another, and as many blocks after those. */
UVET_INLINE UVET_WRAPS static inline void toc_fetch_chunks(const struct toc *t, uint64_t first,
							   uint64_t n, uint64_t run)
{
	const struct utoc_range_rows ranges = utoc_range_part(t->ranges, first, n);
	const uint64_t ahead = first + 2 * run, start = toc_first_block(t, first);
	uint64_t before = 0, last = 0;

	utoc_chunk_id_fetch(t->ids, ahead, run);
	utoc_range_fetch(t->ranges, ahead, run);
	utoc_meta_fetch(t->metas, ahead, run);
	utoc_short_meta_fetch(t->short_metas, ahead, run);
	for (uint64_t i = 0; i < ranges.n; i++) {
		const struct utoc_range_row row = utoc_range_at(ranges, i);
		const uint64_t offset = utoc_range_get_offset(row), gap = offset - before;

		before = offset + utoc_range_get_length(row);
		last = toc_block_of(t, before);
		if (gap >= t->block_size && last < t->n_blocks) {
			utoc_block_fetch_one(t->blocks, toc_block_of(t, offset));
			utoc_block_fetch_one(t->blocks, last);
		}
	}
	if (last - start < 16 * run)
		utoc_block_fetch(t->blocks, last, last - start);
}

static inline struct toc_block toc_block(const struct toc *t, uint64_t block)
{
	const struct utoc_block_row row = utoc_block_at(t->blocks, block);

	return (struct toc_block){
		.at = t->sections[SECTION_BLOCKS].at.at + block * utoc_block_fixed_len,
		.offset = utoc_block_get_offset(row),
		.compressed = utoc_block_get_compressed(row),
		.uncompressed = utoc_block_get_uncompressed(row),
		.method = utoc_block_get_method(row),
	};
}

/* toc_hash gives the 20 bytes of a chunk's hash; toc_meta_flags its flags. */
static inline const uint8_t *toc_hash(const struct toc *t, uint64_t chunk)
{
	if (t->version < TOC_SHORT_METAS)
		return utoc_meta_at(t->metas, chunk).bytes;
	if (t->short_metas.n > 0)
		return utoc_short_meta_at(t->short_metas, chunk).bytes;
	return rows_at(t->early_metas, chunk).bytes;
}

static inline uint64_t toc_meta_flags(const struct toc *t, uint64_t chunk)
{
	if (t->version < TOC_SHORT_METAS)
		return utoc_meta_get_flags(utoc_meta_at(t->metas, chunk));
	if (t->short_metas.n > 0)
		return utoc_short_meta_get_flags(utoc_short_meta_at(t->short_metas, chunk));
	return held_u8(rows_at(t->early_metas, chunk), utoc_short_meta_place_flags);
}

/* toc_has_hash tells whether a chunk's hash is not all zeros, which stand for none. */
static inline bool toc_has_hash(const struct toc *t, uint64_t chunk)
{
	static const uint8_t none[TOC_HASH_LEN];

	return memcmp(toc_hash(t, chunk), none, sizeof none) != 0;
}

/* Version 10 names the method of encryption: 2 is AES-256-CTR, with an initialisation vector for
 * each block; 0 and 1 are AES-256-ECB, as before. toc_cipher says which one it is,
 * toc_cipher_is_known whether it is one of these; if not, TOC_CIPHER_UNKNOWN is what to say. */
enum { TOC_METHOD_CTR = 2 };
#define TOC_CIPHER_UNKNOWN "the method of encryption is unknown"

static inline enum block_cipher toc_cipher(const struct toc *t)
{
	if (!t->encrypted)
		return BLOCK_CLEAR;
	return t->version >= TOC_VECTORS && t->header.encryption_method == TOC_METHOD_CTR
		       ? BLOCK_CTR
		       : BLOCK_ECB;
}

static inline bool toc_cipher_is_known(const struct toc *t)
{
	return t->version < TOC_VECTORS || t->header.encryption_method <= TOC_METHOD_CTR;
}

/* toc_is_magic tells whether a header has the magic. */
static inline bool toc_is_magic(const struct utoc_header *h)
{
	return h->magic_first == TOC_MAGIC && h->magic_last == TOC_MAGIC;
}

/* toc_bit tells bit i of a bitmap. */
static inline bool toc_bit(const uint64_t *bits, uint64_t i)
{
	return (bits[i / 64] >> i % 64 & 1) != 0;
}

/* toc_stored is how many bytes a block occupies in its .ucas: rounded up to a multiple of 16. */
static inline uint64_t toc_stored(uint64_t compressed)
{
	return (compressed + 15) & ~(uint64_t)15;
}

/* toc_signature_at is where a signature is; toc_digests are the SHA-1 of each block. Both are in
 * SECTION_SIGNATURES. */
static inline struct span toc_signature_at(const struct toc *t, enum toc_signature which)
{
	return (struct span){ t->sections[SECTION_SIGNATURES].at.at + 4 + which * t->signature_size,
			      t->signature_size };
}

static inline struct rows toc_digests(const struct toc *t)
{
	const struct held all = held_part(t->held, span_end(toc_signature_at(t, SIGNATURE_BLOCKS)),
					  t->n_blocks * TOC_HASH_LEN);

	return (struct rows){ all.bytes, all.len / TOC_HASH_LEN, TOC_HASH_LEN };
}

/* toc_guid writes the key's GUID to out, in the order of the file. */
void toc_guid(const struct toc *t, uint8_t out[16]);

/* ---- The parts of decoding, in their order. Each notes the stops of its groups --------------- */

bool toc_decode_header(struct decode *d, struct toc *t); /* UTOC_FILE, UTOC_VERSION, UTOC_HEADER */
bool toc_decode_sections(struct decode *d, struct toc *t);     /* UTOC_SECTIONS */
void toc_decode_methods(struct decode *d, struct toc *t);      /* UTOC_METHODS */
void toc_decode_signatures(struct decode *d, struct toc *t);   /* UTOC_SIGNATURES */
void toc_decode_perfect_hash(struct decode *d, struct toc *t); /* UTOC_PERFECT_HASH */
void toc_decode_blocks(struct decode *d, struct toc *t);       /* UTOC_BLOCKS */
void toc_decode_chunks(struct decode *d, struct toc *t);       /* UTOC_CHUNKS, UTOC_METAS */

/* ---- Sums over blocks: sums.c ---------------------------------------------------------------- */

/* The sums of n blocks of the table, at least one: the bytes that they decompress to together,
 * and the first block, of them or after them, that is not of the block size, and that has a
 * method. */
struct toc_sum {
	uint64_t given, partial, compressed;
};

/* toc_make_sums prepares toc_sum_of, which takes the same time for any n; false: memory ended,
 * which is noted for UTOC_CHUNKS. */
UVET_MUST_USE bool toc_make_sums(struct decode *d, struct toc *t);
struct toc_sum toc_sum_of(const struct toc *t, uint64_t first, uint64_t n);

/* ---- Rows for rules -------------------------------------------------------------------------- */

void toc_chunk_at(const struct toc *t, uint64_t chunk, struct toc_chunk *out);
void toc_block_at(const struct toc *t, uint64_t block, struct toc_block_row *out);
void toc_method_at(const struct toc *t, uint64_t method, struct toc_method *out); /* from 0 on */
void toc_seed_at(const struct toc *t, uint64_t i, struct toc_seed *out);
void toc_overflow_at(const struct toc *t, uint64_t i, struct toc_seed *out);
void toc_meta_at(const struct toc *t, uint64_t chunk, struct toc_meta *out);

/* toc_read_meta reads a chunk's meta, toc_meta_traits tells what is wrong with it; toc_meta_at does
 * both. */
void toc_read_meta(const struct toc *t, uint64_t chunk, struct toc_meta *out);
uint32_t toc_meta_traits(const struct toc_chunk *c, const struct toc_meta *m);

/* toc_view_x makes rows of a table; see struct table. */
void toc_view_chunks(const struct toc *t, uint64_t first, uint64_t n, void *rows);
void toc_view_blocks(const struct toc *t, uint64_t first, uint64_t n, void *rows);
void toc_view_methods(const struct toc *t, uint64_t first, uint64_t n, void *rows);
void toc_view_seeds(const struct toc *t, uint64_t first, uint64_t n, void *rows);
void toc_view_overflow(const struct toc *t, uint64_t first, uint64_t n, void *rows);
void toc_view_metas(const struct toc *t, uint64_t first, uint64_t n, void *rows);

#endif

/* The stored bytes: partitions, where blocks lie in them, and what they decode to. Source:
 * conformance/spec/iostore.md, 1, 4, 7 and 10. */
#ifndef UVET_FORMATS_IOSTORE_CONTENT_CONTENT_H
#define UVET_FORMATS_IOSTORE_CONTENT_CONTENT_H

#include "core/keys.h"
#include "formats/blocks/key_ring.h"
#include "formats/format.h"
#include "formats/iostore/container_header/container_header.h"
#include "formats/iostore/toc/toc.h"
#include "formats/pak/footer.h"

/* ---- The files ------------------------------------------------------------------------------- */

/* No engine writes more partitions than this, and no more are looked for. */
#define PARTITIONS_MAX 1024u

/* A partition is one .ucas. */
struct partition {
	const struct companion *file;
	uint64_t size; /* in bytes; 0 unless the file is open */
	/* the name that was looked for, if the file has one that differs in case; else NULL */
	const char *wanted;
	uint64_t first, end; /* the lowest offset of its blocks, and the highest end */
	/* the highest end, each rounded up to a multiple of 16; these three are 0 without blocks */
	uint64_t stored_end;
	uint64_t n_cut; /* blocks that end after the file does */
	/* of chunks that begin in it: whose bytes were there to be judged; that are not what the
	 * tables say; whose digest is right; of these, that precede the first that is wrong */
	uint64_t n_judged, n_wrong, n_right, n_before;
};

/* The number between `_` and `_P` of a name, by which engines order paks. */
enum content_rank { RANK_NONE, RANK_PLAIN, RANK_ODD };

/* ---- Places ---------------------------------------------------------------------------------- */

/* A row of UTOC_BLOCK_LAYOUT_ROWS: a block. */
struct block_layout_row {
	struct utoc_block block;
	uint64_t number, partition, at; /* `at` is its place in the partition */
	uint32_t traits;
};

/* A row of UTOC_CHUNK_LAYOUT_ROWS: first every partition, then every chunk. */
struct chunk_layout_row {
	uint64_t partition; /* of a chunk: that of its first block with the defect */
	uint64_t chunk;     /* UINT64_MAX: the row is a partition */
	uint64_t block;     /* the first block with the defect */
	uint64_t n_cut;     /* blocks that are truncated */
	uint64_t lacks;     /* bytes of them that are missing */
	uint32_t traits;    /* enum chunk_layout_trait */
};

/* How blocks follow one another in the order of the table. */
struct block_order {
	/* blocks with a lower offset than the one before them in the table; the first of them */
	uint64_t n_descending, descending;
	/* blocks that begin far after the end of those before them; the first of them */
	uint64_t n_gaps, gap;
	uint64_t gap_len;
	/* that overlap others and are not the same bytes; the first and the other one */
	uint64_t n_overlaps, overlap, overlaps_with;
};

/* ---- Content --------------------------------------------------------------------------------- */

/* A row of UTOC_PAYLOAD_ROWS: a chunk or a block with a trait. */
struct payload_row {
	uint32_t chunk; /* TOC_NONE: no chunk has the block */
	uint32_t block; /* TOC_NONE: the row is a chunk */
	uint32_t traits;
	struct container_counts counts; /* of PAYLOAD_COUNTS */
	struct container_import import; /* of PAYLOAD_IMPORTS */
};

/* What became of the packages. One whose header was judged while its chunk was decoded, and in
 * which nothing was found, leaves no more than a count. */
struct packages {
	uint64_t n_judged; /* chunks that are packages and that could be decoded */
	uint64_t n_sound;
	/* a bit for each chunk: it is a package that is judged as a file in the container; NULL:
	 * none is */
	const uint64_t *marks;
	char *label; /* room for the name of the one that was asked for last */
};

struct content {
	struct partition *partitions;
	uint64_t n_partitions;       /* that were looked for */
	const struct companion *pak; /* the .pak of the same name; NULL: not asked for */
	/* the .ucas after the last partition, which should not exist; NULL likewise */
	const struct companion *more;
	const char *pak_wanted; /* as that of a partition */
	/* the .sig of a signed container's .pak; NULL: not asked for */
	const struct companion *sig;
	/* the container's own name, if its extension or "global" is not in lower case, and what it
	 * should be; NULL: it is that */
	struct text own_other_case;
	const char *own_wanted;
	struct pak_tail pak_tail; /* the footer of the .pak */
	bool pak_index_is_plain;  /* its index begins like one that is not encrypted */
	bool all_open;            /* every partition's size is known */
	bool asked;               /* companions were looked for */
	enum content_rank rank;
	struct text rank_number; /* as it is written */
	bool is_optional;        /* the name is that of an optional segment */
	/* of the name, with its dot; empty: it is .utoc, or there is none */
	struct text other_ending;
	bool is_named; /* the name ends in .utoc; the other facts of the name count only then */

	uint32_t block_layout_traits, chunk_layout_traits; /* that some row has */
	struct block_order order;
	/* for each block, and the end: how many before it are truncated; NULL: none is */
	const uint32_t *cut_before;
	/* likewise, of blocks in another partition than the block before; NULL: none is */
	const uint32_t *moves_before;

	struct block_methods methods; /* of the numbers that blocks can have */
	enum key_fit key;
	const struct key *key_used; /* KEY_OPENS_INDEX and KEY_FITS */
	/* of all blocks: bytes that are stored, and bytes that they declare to decompress to */
	uint64_t stored, given;
	uint64_t distinct;   /* of the stored bytes, each counted once */
	bool gives_too_much; /* more than LIMIT_ratio times these */
	bool broke; /* content_chunk ended at a block that cannot be decoded, the first one: */
	uint64_t broke_at, broke_chunk;

	const struct payload_row *rows;
	uint64_t n_rows;
	uint32_t row_traits;
	/* of two hashes or more none is that of its chunk, by any digest; not if KEY_OPENS_INDEX */
	bool hashes_fit_nothing;
	uint64_t n_decoded; /* chunks of which every block was decoded */
	uint64_t n_decoded_bytes;
	struct packages packages;
};

struct utoc;

/* content_open looks for the partitions and the .pak. It notes the stops of UTOC_SET, UTOC_PAK and
 * UTOC_PARTITIONS. */
void content_open(struct decode *d, struct utoc *u);

/* content_check_block_layout compares the blocks' offsets with one another and with the
 * partitions. true: content_check_chunk_layout may follow, which looks for chunks with a trait.
 * Both note the stop of UTOC_RANGES. */
bool content_check_block_layout(struct decode *d, struct utoc *u);
void content_check_chunk_layout(struct decode *d, struct utoc *u);

/* content_check_all decodes every chunk's blocks and compares hashes. It notes the stops of
 * UTOC_PAYLOAD, UTOC_HASHES, UTOC_CONTENT and UTOC_SIGNED_BLOCKS. */
void content_check_all(struct decode *d, struct utoc *u);

/* content_chunk reads, decrypts and decompresses one chunk, at most `most` bytes of it, for the
 * decoder of what it holds. *len is how many bytes there are; they are in d->arena. NULL: it
 * cannot; the group's stop is noted, and that of UTOC_CONTENT if the tables are the reason. */
const uint8_t *content_chunk(struct decode *d, struct utoc *u, uint32_t group, uint64_t chunk,
			     uint64_t most, uint64_t *len);

/* content_find_byte says where byte `offset` of a chunk is stored, if the chunk is neither
 * compressed nor encrypted and its blocks follow one another there: the number of the source and
 * the place in it. false: the chunk's bytes are not stored as they are. */
bool content_find_byte(const struct utoc *u, uint64_t chunk, uint64_t offset, uint32_t *file,
		       uint64_t *at);

/* ---- What the engine needs to know ----------------------------------------------------------- */

/* content_files is the member `nested` of struct format: the .pak beside the container, and the
 * packages in it that are marked. */
extern const struct nested_files content_files;

/* content_view_x makes rows of a table; see struct table. */
void content_view_block_layout(const void *facts, uint64_t first, uint64_t n, void *rows);
void content_view_chunk_layout(const void *facts, uint64_t first, uint64_t n, void *rows);

/* content_likeness is the function `likeness` of struct format: a .pak has a footer. */
enum likeness content_likeness(struct source *s, const char *name);

/* content_map lists for each open partition the chunks' bytes, and those that no chunk has; false
 * if the sink stopped it. */
bool content_map(const struct utoc *u, struct decode *d, map_sink *sink, void *ctx);

/* content_info tells of partitions, methods and bytes. */
void content_info(const struct utoc *u, info_sink *sink, void *ctx);

#endif

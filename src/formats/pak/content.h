/* The bytes of an archive's files, and what lies beside the archive. Format facts:
 * conformance/spec/pak.md, chapters 5 and 6. */
#ifndef UVET_FORMATS_PAK_CONTENT_H
#define UVET_FORMATS_PAK_CONTENT_H

#include "codec/sha1.h"
#include "core/text.h"
#include "formats/blocks/key_ring.h"

/* The parts of a record in which the one before a file's bytes may differ from that of the
 * index. */
enum pak_header_part {
	PAK_PART_OFFSET,
	PAK_PART_SIZE,
	PAK_PART_WHOLE,
	PAK_PART_METHOD,
	PAK_PART_TIME,
	PAK_PART_HASH,
	PAK_PART_BLOCK_COUNT,
	PAK_PART_BLOCKS,
	PAK_PART_FLAGS,
	PAK_PART_BLOCK_SIZE,
	PAK_N_HEADER_PARTS
};

struct pak_file;

/* A row of PAK_PAYLOADS: a file whose bytes, or the record before them, have a defect. */
struct pak_payload {
	uint32_t file;   /* a row of `files` */
	uint32_t traits; /* enum pak_payload_trait */
	uint32_t block;  /* the first of the gravest defect */
	uint32_t part;   /* enum pak_header_part: the first that differs */
	union {
		struct {
			uint64_t found, expected; /* what it says, and what the index does */
		};
		uint8_t hash[SHA1_LEN]; /* of PAK_PART_HASH: what it says */
	};
};

/* A .sig beside the archive. */
struct pak_signature {
	const struct companion *file; /* NULL: there is none */
	struct source *source;        /* its bytes, likewise */
	uint64_t magic, version;
	uint64_t n_bytes;  /* of the signature */
	uint64_t n_sums;   /* 0 if the file ends before their count */
	uint64_t expected; /* as many as the archive has pieces */
	/* the bytes that it has by these numbers; one that has fewer is truncated, and has zeros
	 * for the numbers that follow its end */
	uint64_t needs;
	uint64_t sums_at; /* where the sums begin */
	/* pieces of the archive whose sum is another, the first of them, what the sum is, and what
	 * it should be */
	uint64_t n_wrong, wrong;
	uint32_t sum, computed;
};

/* Pieces have this many bytes, but for the last, and a sum each. */
#define PAK_SIG_PIECE ((uint64_t)65536)
enum { PAK_SIG_SUM_LEN = 4 };

enum { PAK_LABEL = 512 };

struct pak_content {
	enum key_fit key;
	const struct key *key_used; /* KEY_OPENS_INDEX and KEY_FITS */
	struct pak_payload *payloads;
	uint64_t n_payloads;
	uint32_t payload_traits; /* that any row has */
	/* records before files that are those of the index, hashes that are right, and files of
	 * which every block was decoded */
	uint64_t n_headers, n_hashes, n_decoded;
	uint64_t distinct; /* bytes of files, each counted once */
	uint64_t given;    /* bytes that compressed files declare to decompress to */
	uint64_t legacy;   /* bytes of packages that are not judged */
	/* of PAK_LABEL bytes, for the path of a file that is judged by itself; NULL: none is */
	char *label;
	struct pak_signature signature;
	struct text other_ending; /* of the name, with its dot; empty: it is .pak, or has none */
	/* a .utoc beside the archive; NULL: there is none, or the archive is judged with it */
	const struct companion *container;
	bool is_beside_container;
	const char
		*missing; /* the name of the container that is not there; NULL: it is, or may be */
	/* the packer that brings the archive as it is, to have its containers found; NULL: none is
	 * known, or no container is beside it */
	const char *stub_of;
	/* the first package in the archive, if a container is beside it; else NULL */
	const struct pak_file *package;
};

#endif

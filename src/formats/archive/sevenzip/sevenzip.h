/* 7z: the facts that decoding gives. Format facts: conformance/spec/sevenzip.md. */
#ifndef UVET_FORMATS_ARCHIVE_SEVENZIP_SEVENZIP_H
#define UVET_FORMATS_ARCHIVE_SEVENZIP_SEVENZIP_H

#include "formats/archive/layout/layout.h"
#include "formats/archive/members/second.h"

#define FORMAT sevenzip
#define FORMAT_DEF "formats/archive/sevenzip/sevenzip.def"
#include "formats/declare.h"

#define SEVENZIP_MAGIC 0xAFBC7A37u
#define SEVENZIP_MAGIC_END 0x1C27u

/* How often a header may be compressed. */
enum { SEVENZIP_LEVELS_MAX = 4 };

/* A folder is coders whose streams lead into each other, and what they decode. 7-Zip has no more of
 * them. */
enum { SEVENZIP_CODERS_MAX = 32, SEVENZIP_INS_MAX = 64 };

/* One from which a solid folder is worth a note. */
#define SEVENZIP_SOLID_MAX ((uint64_t)536870912)

/* A sevenzip_folder is one as the header describes it. Its packed streams lie one after the
 * other. */
struct sevenzip_folder {
	const uint8_t *form; /* its description, form_len bytes */
	uint64_t form_at;    /* where it stands in the header */
	uint64_t size;       /* of what it decodes to */
	struct span packed;
	uint64_t memory;   /* that its coders say they need */
	uint64_t strange;  /* the id of the coder of FOLDER_UNKNOWN */
	const char *lacks; /* what this build lacks to decode it; NULL: nothing */
	uint32_t form_len;
	uint32_t first_pack, first_size; /* in the lists of the archive */
	uint32_t first_row, n_rows;      /* of its members */
	uint32_t crc;
	uint32_t n_kept; /* of its members, which are held in memory together */
	uint8_t n_packs, n_sizes;
	bool has_crc;
	uint8_t traits; /* enum sevenzip_folder_trait */
};
KEEPS(sevenzip_folder, struct sevenzip_folder, traits);

/* A sevenzip_entry is what only this format has of a member. It has the number of its row. */
struct sevenzip_entry {
	uint64_t kept_at;   /* among the bytes of its folder that are kept */
	uint32_t folder;    /* UINT32_MAX: it has no bytes */
	uint32_t target_at; /* of a link, among the targets */
	uint8_t traits;     /* enum sevenzip_entry_trait */
	uint8_t state;      /* enum sevenzip_state */
};
KEEPS(sevenzip_entry, struct sevenzip_entry, traits);

/* What becomes of a member when files inside are opened. */
enum sevenzip_state {
	SEVENZIP_IS_KEPT = 1,    /* its bytes are held in memory */
	SEVENZIP_IS_OPENED = 2,  /* it is judged as a file of its own */
	SEVENZIP_IS_CLAIMED = 4, /* it was opened as a file beside another */
	SEVENZIP_IS_LINK = 8,    /* its target is kept */
	/* its first bytes are those of a file that is checked, as decoding it showed */
	SEVENZIP_IS_SEEN = 16,
};

/* A sevenzip_gap is a run of bytes before the header that no packed stream has; or a folder that no
 * member has. */
struct sevenzip_gap {
	struct span span;
	bool is_folder;
};

/* The lists of packed streams and folders. The encoded header has such lists, too. */
struct sevenzip_streams {
	uint64_t pack_at; /* in the file */
	uint64_t *packs;  /* bytes of each packed stream */
	uint64_t n_packs;
	struct sevenzip_folder *folders;
	uint64_t n_folders;
	uint64_t *sizes; /* of what each coder of each folder decodes to */
	uint64_t n_sizes;
	/* what a folder is split into: sizes, and checksums where there are */
	struct sevenzip_part *parts;
	uint64_t n_parts;
};

struct sevenzip_part {
	uint64_t size;
	uint32_t crc;
	bool has_crc;
};

/* What is odd about a property of the members; the first are what programs read in two ways. */
enum sevenzip_odd {
	SEVENZIP_ODD_NOT,
	SEVENZIP_ODD_PADDING,
	SEVENZIP_ODD_BITS_BEFORE_NAMES,
	SEVENZIP_ODD_BITS_OF_LINKS,
	SEVENZIP_ODD_BITS,
	SEVENZIP_ODD_PLACES,
};

struct sevenzip_payload;

struct sevenzip {
	uint64_t size; /* of the file */
	struct arc_file file;
	struct arc_second second;
	enum arc_signature signature;
	struct sevenzip_start start;
	struct span header;    /* as it is stored */
	struct held text;      /* as it is decompressed */
	uint32_t n_levels;     /* how often it was compressed */
	uint64_t header_len;   /* bytes of it, at all levels together */
	uint64_t coder_memory; /* the most that the coders of a folder say they need */
	struct span level_packed[SEVENZIP_LEVELS_MAX]; /* its packed bytes at each level */
	uint32_t defects;                              /* enum sevenzip_file_trait */
	uint64_t bad_at;                               /* where the header cannot be read on */
	uint64_t found, wanted; /* of a count or a checksum of the header that is wrong */
	enum sevenzip_odd odd;  /* of SEVENZIP_ODD, */
	uint64_t odd_at;        /* which stands there in the header */
	uint32_t start_sum;     /* the checksum that the start header has */
	struct sevenzip_streams streams;
	struct sevenzip_folder *folders; /* those of streams */
	uint64_t n_folders;
	uint8_t folder_traits; /* that any folder has */
	struct sevenzip_entry *entries;
	uint8_t entry_traits; /* that any entry has */
	struct members *members;
	struct lay *layout;
	struct sevenzip_gap *gaps;
	uint64_t n_gaps;
	uint64_t explained;
	bool tail_is_zero; /* what follows the header */
	struct sevenzip_payload *payload;
	const struct group *groups; /* the stops of these facts */
};

#define FORMAT sevenzip
#define FORMAT_DEF "formats/archive/sevenzip/sevenzip.def"
#include "formats/declare_tables.h"

extern const struct format sevenzip_format;

#endif

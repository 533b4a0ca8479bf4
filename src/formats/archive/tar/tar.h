/* Tar archives: the facts that decoding gives.
 *
 * Format facts: conformance/spec/tar.md, chapters 1 to 3. */
#ifndef UVET_FORMATS_ARCHIVE_TAR_TAR_H
#define UVET_FORMATS_ARCHIVE_TAR_TAR_H

#include "formats/archive/layout/layout.h"
#include "formats/archive/members/second.h"

#define FORMAT tar
#define FORMAT_DEF "formats/archive/tar/tar.def"
#include "formats/declare.h"

enum { TAR_BLOCK = 512, TAR_END_BLOCKS = 2 };

/* The forms of a tar, as bits: which of them the headers are of. */
enum tar_form { TAR_V7 = 1 << 0, TAR_USTAR = 1 << 1, TAR_GNU = 1 << 2, TAR_PAX = 1 << 3 };

/* How sound the map of a sparse member is. */
enum tar_map { TAR_MAP_NONE, TAR_MAP_APPLIED, TAR_MAP_UNKNOWN, TAR_MAP_MALFORMED };

/* A tar_piece is a part of a sparse member that is stored: len bytes of its content, which begin at
 * `to` there and at `from` in the file. What no piece has is a hole. */
struct tar_piece {
	uint64_t to, from, len;
};

/* Why a member is not opened by itself. */
enum tar_state {
	TAR_IS_CLAIMED = 1, /* it was opened as a file beside another */
	TAR_IS_LOST = 2,    /* its content cannot be had */
};

/* What else a member is. */
enum tar_kind {
	TAR_IS_SEEN = 4,           /* it is checked, as its first bytes say */
	TAR_IS_FOLDER_BY_NAME = 8, /* a folder with bytes, of which some programs make a file */
};

/* A tar_entry is what a member has besides what members of all archives have, whose row has the
 * same number. */
struct tar_entry {
	uint64_t first, n; /* its pieces, of TAR_MAP_APPLIED */
	uint32_t content;  /* the row with its bytes: of a hard link that of its target */
	uint8_t map;       /* enum tar_map */
	uint8_t state;     /* enum tar_state, enum tar_kind */
};

/* A tar_flaw is a header with something wrong in it. */
struct tar_flaw {
	uint64_t at;      /* where the header is */
	struct text name; /* the member's, or the one in the header */
	uint64_t said;    /* the checksum or size that the header says */
	uint64_t found;   /* the checksum that it has, or how many bytes are left for its own */
	uint32_t traits;  /* enum tar_header_trait */
	uint8_t type;
	uint8_t map;      /* enum tar_map, of TAR_SPARSE */
	const char *what; /* of TAR_NUMBER_WRONG and TAR_NUMBER_ODD the field, of TAR_UNUSED_FIELD
			   * what is in it */
	const char *how;  /* of TAR_NUMBER_ODD what its number is */
};

struct tar {
	uint64_t size; /* of the file */
	struct arc_file file;
	struct arc_second second;
	struct members members;
	struct lay layout;
	struct tar_entry *entries; /* as many */
	struct tar_piece *pieces;
	uint64_t n_pieces;
	struct tar_flaw *flaws;
	uint64_t n_flaws;
	uint32_t flaw_traits; /* that any of them has */
	uint32_t forms;       /* enum tar_form */
	uint64_t end;         /* where the headers and their bytes end */
	uint64_t needs;       /* where they should end: more, if the file ends before */
	uint64_t lacks;       /* bytes that the last member's block has less than a block */
	uint64_t n_zeros;     /* blocks of zeros there, up to TAR_END_BLOCKS */
	/* the block with the first byte after these that is not 0; the file's size: there is
	 * none */
	uint64_t after;
	bool after_is_tar;          /* another tar begins there */
	const struct group *groups; /* the stops of these facts */
};

#define FORMAT tar
#define FORMAT_DEF "formats/archive/tar/tar.def"
#include "formats/declare_tables.h"

extern const struct format tar_format;

#endif

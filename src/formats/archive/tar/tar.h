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

/* A tar_flaw is a header with something wrong in it. */
struct tar_flaw {
	uint64_t at;      /* where the header is */
	struct text name; /* the member's, or the one in the header */
	uint64_t said;    /* the checksum or size that the header says */
	uint64_t found;   /* the checksum that it has, or how many bytes are left for its own */
	uint32_t traits;  /* enum tar_header_trait */
	uint8_t type;
};

struct tar {
	uint64_t size; /* of the file */
	struct arc_file file;
	struct arc_second second;
	struct members members;
	struct lay layout;
	struct tar_flaw *flaws;
	uint64_t n_flaws;
	uint32_t flaw_traits; /* that any of them has */
	uint32_t forms;       /* enum tar_form */
	uint64_t end;         /* where the headers and their bytes end */
	uint64_t needs;       /* where they should end: more, if the file ends before */
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

/* .uz, Epic's own compression: what decoding finds out. Format facts: conformance/spec/uz.md. */
#ifndef UVET_FORMATS_COMPRESSED_UZ_H
#define UVET_FORMATS_COMPRESSED_UZ_H

#include "codec/bwt.h"
#include "codec/huffman.h"
#include "codec/runs.h"
#include "formats/compressed/unpacked.h"

#define FORMAT uz
#define FORMAT_DEF "formats/compressed/uz.def"
#include "formats/declare.h"

#define UZ_SIGNATURE_OLD 1234u
#define UZ_SIGNATURE_NEW 5678u /* runs of equal bytes are also shortened before the Huffman code */
#define UZ_NAME_MAX 256u       /* units with the NUL */
#define UZ_INT_MAX 0x7FFFFFFFu /* counts are signed 32-bit numbers */

/* The signature, the longest name, the total and the largest tree: 4 + 5 + 512 + 4 + 320 bytes at
 * most. */
#define UZ_HEAD_MAX ((uint64_t)1024)

/* Which form a file has, by its first bytes. */
enum uz_kind { UZ_KIND_NONE, UZ_KIND_OLD, UZ_KIND_NEW, UZ_KIND_227 };

/* What keeps the stored name from being the name of a file. */
enum {
	UZ_BAD_NAME = UZ_NAME_UNREADABLE | UZ_NAME_COUNT_ZERO | UZ_NAME_TOO_LONG |
		      UZ_NAME_UNTERMINATED | UZ_NAME_EMPTY | UZ_NAME_INNER_NUL | UZ_NAME_FOLDER |
		      UZ_NAME_UNSAFE,
};

struct uz {
	uint64_t size; /* of the file */
	enum uz_kind kind;
	uint64_t defects; /* enum uz_file_trait */
	struct uz_header header;
	struct uz_original original;
	struct span name_place;
	uint32_t name_traits; /* enum path_trait */

	struct uz_codes codes;
	/* tree and codes, to the end of the file, or of the codes once these are decoded */
	struct span data;
	struct huffman *huffman;
	uint64_t n_symbols; /* how many were decoded */
	uint64_t n_unused;  /* whole bytes after the last code */
	/* bytes of output of a stage that a limit kept from being decoded; 0: none */
	uint64_t over;

	/* of the runs undone before the blocks are (5678 only), and after */
	struct runs_size inner, outer;
	bool outer_known;

	uint64_t n_blocks;
	struct bwt_block bad_block; /* number n_blocks, if it has a defect */
	/* the first block that is not full and not the last; n_blocks: there is none */
	uint64_t short_block, short_len;

	struct unpacked content;
	const struct group *groups; /* the stops of these facts */
};

#define FORMAT uz
#define FORMAT_DEF "formats/compressed/uz.def"
#include "formats/declare_tables.h"

extern const struct format uz_format;

/* The parts of decoding, in their order. Each notes its group's stop in d and returns false when it
 * cannot go on. */
bool uz_decode_name(struct decode *d, struct uz *u, struct cursor *c);
bool uz_decode_tree(struct decode *d, struct uz *u, struct cursor *c);
bool uz_decode_stages(struct decode *d, struct uz *u);

/* uz_sane_name tells whether a name that a .uz could have stands at c. */
bool uz_sane_name(struct cursor c);

/* uz_name_is_there tells whether a name stands there, though it may lead out of its folder or be
 * another that none should be: whoever made that up wants the file not to be checked. */
bool uz_name_is_there(struct cursor c);

#endif

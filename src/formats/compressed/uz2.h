/* .uz2, chunks that are a zlib stream each: what decoding finds out. Format facts:
 * conformance/spec/uz.md. */
#ifndef UVET_FORMATS_COMPRESSED_UZ2_H
#define UVET_FORMATS_COMPRESSED_UZ2_H

#include "codec/inflate.h"
#include "formats/compressed/unpacked.h"

#define FORMAT uz2
#define FORMAT_DEF "formats/compressed/uz2.def"
#include "formats/declare.h"

#define UZ2_PACKED_MAX 33096u
#define UZ2_UNPACKED_MAX 32768u

enum {
	UZ2_BAD_HEADER = UZ2_PACKED_ODD | UZ2_UNPACKED_ODD | UZ2_PAST_END | UZ2_IMPOSSIBLE,
	UZ2_BAD_STREAM = UZ2_BROKEN | UZ2_LONG | UZ2_SHORT | UZ2_LEFT_OVER,
};

struct uz2_part {
	struct uz2_chunk chunk;
	uint32_t traits; /* enum uz2_part_trait */
};

struct uz2 {
	uint64_t size; /* of the file */
	struct uz2_part *parts;
	uint64_t n_parts;
	/* bytes after the last chunk: too few for another, or after a bad header */
	struct span tail;
	uint64_t total;  /* bytes that the chunks declare */
	uint32_t traits; /* of all parts together */
	/* the first part that is not full and not the last; n_parts: there is none */
	uint64_t first_short;
	struct unpacked content;
	const struct group *groups;
};

#define FORMAT uz2
#define FORMAT_DEF "formats/compressed/uz2.def"
#include "formats/declare_tables.h"

extern const struct format uz2_format;

#endif

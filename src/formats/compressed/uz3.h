/* .uz3, one zlib stream: what decoding finds out. Format facts: conformance/spec/uz.md. */
#ifndef UVET_FORMATS_COMPRESSED_UZ3_H
#define UVET_FORMATS_COMPRESSED_UZ3_H

#include "codec/inflate.h"
#include "formats/compressed/unpacked.h"

#define FORMAT uz3
#define FORMAT_DEF "formats/compressed/uz3.def"
#include "formats/declare.h"

struct uz3 {
	uint64_t size;
	struct uz3_header header;
	uint32_t defects; /* enum uz3_file_trait: at most one */
	struct inflated stream;
	struct unpacked content;
	const struct group *groups;
};

/* uz3_seems_to_have_stream tells whether a zlib stream seems to begin where a .uz3 has its own; c
 * stands at the start of the file. */
bool uz3_seems_to_have_stream(struct cursor c);

#define FORMAT uz3
#define FORMAT_DEF "formats/compressed/uz3.def"
#include "formats/declare_tables.h"

extern const struct format uz3_format;

#endif

/* .lzma, one LZMA stream: what decoding finds out. Format facts: conformance/spec/uz.md. */
#ifndef UVET_FORMATS_COMPRESSED_LZMA_H
#define UVET_FORMATS_COMPRESSED_LZMA_H

#include "codec/lzma.h"
#include "formats/compressed/unpacked.h"

#define FORMAT lzma
#define FORMAT_DEF "formats/compressed/lzma.def"
#include "formats/declare.h"

#define LZMA_PROPERTIES_END 225u
#define LZMA_DICTIONARY_USUAL 67108864u /* the largest that xz makes at any of its levels */

struct lzma {
	uint64_t size;
	struct lzma_header header;
	uint32_t defects; /* enum lzma_file_trait: at most one */
	struct unlzma stream;
	struct unpacked content;
	const struct group *groups;
};

#define FORMAT lzma
#define FORMAT_DEF "formats/compressed/lzma.def"
#include "formats/declare_tables.h"

extern const struct format lzma_format;

#endif

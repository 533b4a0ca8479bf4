/* Files that are compressed as a whole by gzip, xz, Zstandard or bzip2: the facts that decoding
 * gives.
 *
 * Format facts: conformance/spec/tar.md, chapter 4. */
#ifndef UVET_FORMATS_ARCHIVE_STREAM_STREAM_H
#define UVET_FORMATS_ARCHIVE_STREAM_STREAM_H

#include "codec/unstream.h"
#include "formats/archive/members/second.h"
#include "formats/compressed/unpacked.h"

#define FORMAT stream
#define FORMAT_DEF "formats/archive/stream/stream.def"
#include "formats/declare.h"

struct stream {
	uint64_t size; /* of the file */
	struct arc_file file;
	struct arc_second second;
	struct unstream end;
	uint32_t defects; /* enum stream_file_trait */
	bool is_tar;      /* what comes out is one, as far as its first header tells */
	struct unpacked content;
	struct text stored_name;    /* of the first stream of gzip; empty: it has none */
	struct span name_at;        /* where that stands */
	const struct group *groups; /* the stops of these facts */
};

#define FORMAT stream
#define FORMAT_DEF "formats/archive/stream/stream.def"
#include "formats/declare_tables.h"

extern const struct format stream_format;

#endif

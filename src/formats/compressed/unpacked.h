/* What a compressed download decompresses to: the bytes of a file, and its name. */
#ifndef UVET_FORMATS_COMPRESSED_UNPACKED_H
#define UVET_FORMATS_COMPRESSED_UNPACKED_H

#include "core/package_tag.h"
#include "formats/format.h"

#define PACKAGE_TAG_FLOOR 0x9E2A83C2u /* Killing Floor's */

/* Bytes, of input or of output, that are one unit of work. */
#define UNPACKED_WORK ((uint64_t)4096)

/* An unpacked is a decoded file in the arena. */
struct unpacked {
	const uint8_t *bytes;
	uint64_t len;
	struct text name; /* without folders */
	/* the name under which a game stores it, if that promises another format; else empty */
	struct text further;
	bool is_package; /* it begins with the tag of a package */
	/* its name promises a format: it is checked as a file of that format, whatever its bytes
	 * are */
	bool promised;
	/* one of its names has an extension that packages share with other files */
	bool named_package;
};

/* unpacked_stem returns the name of a source without folders, and without its extension if that
 * is one of compressed files. unpacked_has_extension tells whether a source's name has this
 * extension. */
struct text unpacked_stem(const struct source *s);
bool unpacked_has_extension(const struct source *s, const char *extension);

/* unpacked_is_tag tells whether a package begins with these four bytes. unpacked_signature
 * returns the first four bytes of a file, or as many as there are, as a little-endian number. */
bool unpacked_is_tag(uint64_t signature);
uint64_t unpacked_signature(struct cursor c);

/* unpacked_describe fills what follows from bytes, len and name. The extension of a compressed
 * file is taken off a package's name. If the name promises no format and the source's own name
 * without its last extension does, it is replaced by that. */
void unpacked_describe(struct unpacked *u, const struct source *s);

/* unpacked_next sets *out to the content, as the only nested file, and once more under its
 * further name; unpacked_open returns the decoded bytes. See struct nested_files. */
bool unpacked_next(const struct unpacked *u, struct nested_walk *walk, struct nested *out);
const uint8_t *unpacked_open(const void *facts, struct decode *d, const struct nested *n,
			     struct arena *arena);

/* unpacked_map shows a file that is a header and one stream of n bytes, as far as it was read; see
 * struct format. */
bool unpacked_map(const struct layout *header, uint64_t header_len, uint64_t n, map_sink *sink,
		  void *ctx);

/* unpacked_is_beyond tells whether n bytes cannot decompress to size bytes, because one byte
 * decompresses to at most `gain`. Then the size is wrong whatever the bytes are, and a higher
 * limit would not help. */
static inline bool unpacked_is_beyond(uint64_t size, uint64_t n, uint64_t gain)
{
	return size / gain + (size % gain != 0) > n;
}

/* unpacked_take is decode_may_take and decode_spend for the bytes to be decoded, unpacked_spend is
 * decode_spend for n bytes of output. */
UVET_MUST_USE bool unpacked_take(struct decode *d, uint32_t group, struct span packed);
UVET_MUST_USE bool unpacked_spend(struct decode *d, uint32_t group, uint64_t n);

#endif

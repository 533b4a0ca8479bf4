/* The bytes of the members of a 7z. */
#ifndef UVET_FORMATS_ARCHIVE_SEVENZIP_PAYLOAD_H
#define UVET_FORMATS_ARCHIVE_SEVENZIP_PAYLOAD_H

#include "formats/archive/sevenzip/unpack.h"

/* How many first bytes of the target of a link, or of the data of a reparse point, are kept. */
enum { SEVENZIP_TARGET_MAX = 4096 };

/* What becomes of a folder. */
enum sevenzip_folder_state {
	FOLDER_IS_SKIPPED = 1, /* it cannot be decoded, or may not */
	FOLDER_IS_READ = 2,    /* it was decoded, and its members were looked at */
};

/* A sevenzip_payload is what reading the members' bytes needs, and finds out. */
struct sevenzip_payload {
	uint8_t *folders; /* enum sevenzip_folder_state, by folder */
	uint32_t *order;  /* the rows that are opened as files, in this order */
	uint64_t n_order;
	uint64_t unpacked; /* bytes that the folders decompress to which may be decoded */
	/* what is kept of the folder that was decoded last, of those with several such members */
	uint8_t *block;
	uint64_t block_size;
	uint64_t block_folder; /* UINT64_MAX: of none */
	uint8_t *targets;      /* of links */
	uint64_t n_links;
	uint64_t beside; /* the row that was found beside another; UINT64_MAX: none */
	uint8_t first[ARC_SIGNATURE_LEN]; /* of a member that is being decoded */
};

/* sevenzip_find_places finds how the packed streams lie. */
UVET_MUST_USE bool sevenzip_find_places(struct decode *d, struct sevenzip *z);

/* sevenzip_find_second finds another archive in the file. false: its bytes cannot be read, which is
 * noted. */
UVET_MUST_USE bool sevenzip_find_second(struct decode *d, struct sevenzip *z);

/* sevenzip_rows_end is the end of the rows of a folder that has any. Those from its first row on
 * have no bytes, or are its own. */
uint64_t sevenzip_rows_end(const struct sevenzip *z, uint64_t folder);

/* sevenzip_plan_payload notes what of the members cannot be decoded, and which are opened. */
UVET_MUST_USE bool sevenzip_plan_payload(struct decode *d, struct sevenzip *z);

/* sevenzip_plan_late says which of those that only decoding showed to be worth a look are kept, so
 * that each folder is decoded once more. */
void sevenzip_plan_late(struct decode *d, const struct sevenzip *z);

/* sevenzip_may_open tells whether the bytes of a member can be had; sevenzip_is_stored, whether
 * they lie in the file as they are. */
bool sevenzip_may_open(const struct sevenzip *z, uint64_t row);
bool sevenzip_is_stored(const struct sevenzip *z, uint64_t row);

/* sevenzip_open decodes a member, and with it all of its folder, and notes what it finds; NULL:
 * that failed. sevenzip_finish does so for all that were not opened. See struct nested_files and
 * format. */
const uint8_t *sevenzip_open(const void *facts, struct decode *d, const struct nested *n,
			     struct arena *arena);
void sevenzip_finish(const void *facts, struct decode *d);

/* sevenzip_explained and sevenzip_map are those of struct format. */
uint64_t sevenzip_explained(const void *facts);
bool sevenzip_map(const void *facts, struct decode *d, map_sink *sink, void *ctx);

#endif

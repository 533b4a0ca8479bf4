/* The numbers of headers of rar 5. Source: conformance/spec/rar.md, 3.1 and 3.2. */
#ifndef UVET_FORMATS_ARCHIVE_RAR_RAR5_H
#define UVET_FORMATS_ARCHIVE_RAR_RAR5_H

#include "core/cursor.h"

enum {
	TYPE_ARCHIVE = 1,
	TYPE_MEMBER = 2,
	TYPE_SERVICE = 3,
	TYPE_ENCRYPTION = 4,
	TYPE_END = 5,

	FLAG_EXTRA = 1,
	FLAG_DATA = 2,
	FLAG_MAY_SKIP = 4,
	FLAG_SPLIT = 0x18,

	ARCHIVE_VOLUME = 1,
	ARCHIVE_NUMBERED = 2,
	ARCHIVE_SOLID = 4,
	ARCHIVE_RECOVERY = 8,
	ARCHIVE_LOCKED = 0x10,

	MEMBER_FOLDER = 1,
	MEMBER_TIME = 2,
	MEMBER_CRC = 4,
	MEMBER_SIZE_UNKNOWN = 8,

	EXTRA_ENCRYPTION = 1,
	EXTRA_HASH = 2,
	EXTRA_TIMES = 3,
	EXTRA_VERSION = 4,
	EXTRA_REDIRECTION = 5,
	EXTRA_OWNER = 6,
	EXTRA_LAST = 7,   /* of members and services */
	EXTRA_PLACES = 1, /* of the archive */
	EXTRA_ARCHIVE_LAST = 2,
	PLACE_OF_COPIES = 1,
	PLACE_OF_RECOVERY = 2,
	BLAKE2_LEN = 32
};

/* rar5_record_ends tells whether an extra record of a member or a service, or of the archive, ends
 * where its fields do; c is behind its type. */
bool rar5_record_ends(struct cursor c, bool is_of_archive, uint64_t type);

#endif

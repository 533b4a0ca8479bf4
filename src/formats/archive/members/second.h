/* Another archive in the file than the one that it is judged as. Source:
 * conformance/spec/archive.md, 1.15. */
#ifndef UVET_FORMATS_ARCHIVE_MEMBERS_SECOND_H
#define UVET_FORMATS_ARCHIVE_MEMBERS_SECOND_H

#include "formats/archive/members/members.h"

/* An arc_second is such an archive: what it is, and which bytes say so. */
struct arc_second {
	enum arc_signature is; /* ARC_NO_ARCHIVE: there is none */
	const char *name;      /* in words, of a kind that is not read; NULL: that of `is` */
	struct span at;
	bool is_inside; /* the bytes are a member's, which is more than that archive */
};

/* Which bytes of the file are a member's as they are stored. */
enum arc_cover {
	ARC_COVERS_NOTHING, /* `span` is of no bytes */
	ARC_COVERS_FILE,    /* they are its content */
	ARC_COVERS_PART,    /* they are a part of its content */
	ARC_COVERS_PACKED,  /* they are compressed, or its content is another */
};

/* An arc_covers tells them by number, from 0 to n. Those of two numbers have no byte in common. */
struct arc_covers {
	const void *facts;
	uint64_t n;
	enum arc_cover (*span)(const void *facts, uint64_t i, struct span *out);
};

/* All of these return false where the bytes cannot be read, or work or memory ended, which is noted
 * for the group; they leave *out as it is where they find nothing, or where it has one already.
 *
 * arc_second_zip looks for the end record of a zip with a directory among the last bytes before
 * `end`. One in a member that is no more than that zip does not count. arc_second_after looks at
 * what follows an archive of kind `is` from `at` on, arc_second_within for a 7z or a rar somewhere
 * in the span, and arc_second_tar for the header of a tar at the beginning of the file. */
UVET_MUST_USE bool arc_second_zip(struct decode *d, uint32_t group, uint64_t end,
				  const struct arc_covers *covers, struct arc_second *out);
UVET_MUST_USE bool arc_second_after(struct decode *d, uint32_t group, uint64_t at,
				    enum arc_signature is, struct arc_second *out);
UVET_MUST_USE bool arc_second_within(struct decode *d, uint32_t group, struct span span,
				     struct arc_second *out);
UVET_MUST_USE bool arc_second_tar(struct decode *d, uint32_t group, enum arc_signature is,
				  struct arc_second *out);

/* arc_begins_at tells in *is whether a 7z with a right start header, or a rar with a sound first
 * block, begins at a byte of the file. */
UVET_MUST_USE bool arc_begins_at(struct decode *d, uint32_t group, uint64_t at,
				 enum arc_signature *is);

#endif

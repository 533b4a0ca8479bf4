/* Reparse points of Windows, as archives store them: the data of the point is the bytes of a
 * member. Source: conformance/spec/archive.md, 2.18. */
#ifndef UVET_FORMATS_ARCHIVE_MEMBERS_REPARSE_H
#define UVET_FORMATS_ARCHIVE_MEMBERS_REPARSE_H

#include "formats/archive/members/members.h"

/* How many first bytes of a member have its target, and the attribute that says what it is. */
enum { ARC_REPARSE_LEN = 512, ARC_ATTRIBUTE_REPARSE = 0x400 };

/* members_note_reparse judges a member with the attribute of a reparse point by its first bytes,
 * which outlive the facts: it is a link, if they are those of one. false: memory ended, which is
 * noted for the group. */
UVET_MUST_USE bool members_note_reparse(struct decode *d, uint32_t group, struct members *all,
					struct arc_member *m, struct held first);

#endif

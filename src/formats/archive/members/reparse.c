/* Reparse points of Windows. */
#include "formats/archive/members/reparse.h"

enum {
	HEAD = 8,        /* the tag, the length of what follows, and two bytes */
	JUNCTION_AT = 8, /* of its names, after the head */
	SYMLINK_AT = 12,
	LINUX_AT = 4,
};

#define TAG_JUNCTION 0xA0000003u
#define TAG_SYMLINK 0xA000000Cu
#define TAG_LINUX 0xA000001Du

/* Two names stand in the data, each with a place and a length: where it leads, and what is shown of
 * that. */
static struct held name_of(struct held data, uint64_t names_at)
{
	const uint64_t at = names_at + held_u16(data, 0), len = held_u16(data, 2) & 0xFFFE;

	if (len > 0)
		return held_part(data, at, len);
	return held_part(data, names_at + held_u16(data, 4), held_u16(data, 6) & 0xFFFE);
}

static bool is_link(struct held first, uint64_t size)
{
	const uint64_t tag = held_u32(first, 0);

	return first.len >= HEAD && HEAD + held_u16(first, 4) <= size &&
	       (tag == TAG_JUNCTION || tag == TAG_SYMLINK || tag == TAG_LINUX);
}

/* Where the point leads; of no bytes, if these are not among the first. */
static struct held target_of(struct held first)
{
	const struct held data = held_part(first, HEAD, first.len - HEAD);
	const uint64_t len = held_u16(first, 4);

	switch (held_u32(first, 0)) {
	case TAG_JUNCTION:
		return name_of(data, JUNCTION_AT);
	case TAG_SYMLINK:
		return name_of(data, SYMLINK_AT);
	default:
		return held_part(data, LINUX_AT, len < LINUX_AT ? 0 : len - LINUX_AT);
	}
}

bool members_note_reparse(struct decode *d, uint32_t group, struct members *all,
			  struct arc_member *m, struct held first)
{
	enum arc_coding coding;
	struct held target;
	uint32_t unused = 0;

	if (!is_link(first, m->size))
		return true;
	coding = held_u32(first, 0) == TAG_LINUX ? ARC_UNSAID : ARC_UTF16;
	target = target_of(first);
	if (!members_name(d, group, target, 0, coding, &unused, &m->target))
		return false;
	m->traits |= ARC_LINK | (target.len == 0 ? ARC_LINK_OUT : 0u);
	members_note_target(all, m, true);
	return true;
}

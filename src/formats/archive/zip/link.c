/* The targets of links, which are the bytes of such members. Source: conformance/spec/archive.md,
 * 2.18. */
#include "core/mutant.h"
#include "formats/archive/zip/zip.h"

/* No system follows a longer target. */
enum { TARGET_MAX = 4096 };

/* Gives the first *n bytes of a member, and how many there are. */
static bool read_target(struct decode *d, struct zip *z, const struct arc_member *m, uint8_t *buf,
			uint64_t *n)
{
	if (m->method == ZIP_STORED)
		return decode_copy(d, ZIP_PAYLOAD, (struct span){ m->at, *n }, buf);
	return zip_inflate_first(d, z, m, buf, n);
}

bool zip_take_link(struct decode *d, const struct zip *z, struct arc_member *m, struct held target)
{
	const uint64_t n = target.len < TARGET_MAX ? target.len : TARGET_MAX;
	uint32_t unused = 0;

	if (!members_name(d, ZIP_PAYLOAD, held_part(target, 0, n), m->at, ARC_UNSAID, &unused,
			  &m->target))
		return false;
	members_note_target(z->members, m, m->size <= TARGET_MAX);
	return true;
}

bool zip_read_link(struct decode *d, struct zip *z, struct arc_member *m)
{
	uint64_t n = m->size < TARGET_MAX ? m->size : TARGET_MAX;
	/* mutant: the target of a link has no room for its last byte */
	uint8_t *buf = decode_alloc(d, ZIP_PAYLOAD, n - (n > 0 && MUTANT(378) ? 1 : 0), 1);

	return buf && read_target(d, z, m, buf, &n) &&
	       zip_take_link(d, z, m, (struct held){ buf, n });
}

/* The first bytes of members: whether one is a file that is checked, whatever its name promises.
 * Source: conformance/spec/archive.md, 1.9. */
#include "formats/archive/members/reparse.h"
#include "formats/archive/zip/zip.h"

/* As many bytes as a signature takes, and how many of a stream are read for them. */
enum { FIRST_LEN = ARC_SIGNATURE_LEN, PACKED_LEN = 1024 };

/* Gives the first bytes of a member, as many as there are, up to FIRST_LEN. false: they cannot be
 * read, which is noted. What cannot be decoded has none. */
static bool read_first(struct decode *d, struct zip *z, const struct arc_member *m, uint8_t *buf,
		       struct held *out)
{
	const uint64_t most = m->method == ZIP_STORED ? FIRST_LEN : PACKED_LEN;
	const struct span span = { m->at, m->packed < most ? m->packed : most };
	uint8_t *in = z->payload->buffer;

	*out = (struct held){ buf, 0 };
	if (!decode_copy(d, ZIP_PAYLOAD, span, in))
		return false;
	if (m->method == ZIP_STORED) {
		*out = (struct held){ in, span.len };
		return true;
	}
	if (!inflate_begin(&z->payload->inflater))
		return decode_stop(d, ZIP_PAYLOAD, STOP_MEMORY, span);
	out->len = inflate_some(&z->payload->inflater, in, span.len, buf, FIRST_LEN).n_out;
	return true;
}

void zip_see_first(const struct zip *z, uint64_t row, struct held first)
{
	struct arc_member *m = &z->members->rows[row];

	if (arc_is_checked(first))
		z->payload->states[row] |= ZIP_IS_SEEN;
	members_note_content(m, first);
	z->members->traits |= m->traits;
}

/* Where a reparse point leads. */
static bool see_reparse(struct decode *d, struct zip *z, struct arc_member *m, struct held first)
{
	uint8_t *copy = decode_alloc(d, ZIP_PAYLOAD, first.len, 1);

	if (!copy)
		return false;
	memcpy(copy, first.bytes, (size_t)first.len);
	return members_note_reparse(d, ZIP_PAYLOAD, z->members, m,
				    (struct held){ copy, first.len });
}

bool zip_peek(struct decode *d, struct zip *z, uint64_t row)
{
	struct arc_member *m = &z->members->rows[row];
	uint8_t buf[FIRST_LEN];
	struct held first;

	if (m->traits & ARC_UNCOMMON_METHOD) /* zip_see_first, when it is decoded */
		return true;
	if (m->kind == ARC_SYMLINK)
		return zip_read_link(d, z, m);
	if (m->kind != ARC_FILE || m->size == 0)
		return true;
	if (!read_first(d, z, m, buf, &first))
		return false;
	zip_see_first(z, row, first);
	return !(z->entries[row].traits & ZIP_REPARSE) || see_reparse(d, z, m, first);
}

/* The first bytes of members: whether one is a file that is checked, whatever its name promises.
 * Source: conformance/spec/archive.md, 1.9. */
#include "formats/archive/members/reparse.h"
#include "formats/archive/zip/zip.h"

/* As many bytes as a signature takes, and how many of a stream are read for them at first. */
enum { FIRST_LEN = ARC_SIGNATURE_LEN, PACKED_LEN = 1024 };

/* A stream may begin with any number of blocks that have no bytes. */
bool zip_inflate_first(struct decode *d, struct zip *z, const struct arc_member *m, uint8_t *buf,
		       uint64_t *n)
{
	struct inflater *inflater = &z->payload->inflater;
	uint64_t n_out = 0, len = PACKED_LEN;

	if (!inflate_begin(inflater))
		return decode_stop(d, ZIP_PAYLOAD, STOP_MEMORY, (struct span){ m->at, m->packed });
	for (uint64_t at = 0; at < m->packed && n_out < *n; at += len, len = ZIP_BUFFER) {
		struct inflated r;

		len = m->packed - at < len ? m->packed - at : len;
		if (!decode_copy(d, ZIP_PAYLOAD, (struct span){ m->at + at, len },
				 z->payload->buffer))
			return false;
		r = inflate_some(inflater, z->payload->buffer, len, buf + n_out, *n - n_out);
		n_out += r.n_out;
		if (r.result != INFLATE_GOES_ON)
			break;
	}
	*n = n_out;
	return true;
}

/* Gives the first bytes of a member, as many as there are, up to FIRST_LEN. false: they cannot be
 * read, which is noted. What cannot be decoded has none. */
static bool read_first(struct decode *d, struct zip *z, const struct arc_member *m, uint8_t *buf,
		       struct held *out)
{
	const struct span span = { m->at, m->packed < FIRST_LEN ? m->packed : FIRST_LEN };

	*out = (struct held){ buf, m->method == ZIP_STORED ? span.len : FIRST_LEN };
	if (m->method == ZIP_STORED)
		return decode_copy(d, ZIP_PAYLOAD, span, buf);
	return zip_inflate_first(d, z, m, buf, &out->len);
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

/* Another archive in a 7z. Source: conformance/spec/archive.md, 1.15. */
#include "formats/archive/sevenzip/payload.h"

/* By row, and then by folder: stored members are what they are, and what else is packed is not. */
static enum arc_cover cover_of(const void *facts, uint64_t i, struct span *out)
{
	const struct sevenzip *z = facts;
	const uint64_t n = z->members->n;
	const struct sevenzip_folder *f;

	*out = (struct span){ 0, 0 };
	if (i < n) {
		const struct arc_member *m = &z->members->rows[i];

		f = z->entries[i].folder == UINT32_MAX ? NULL : &z->folders[z->entries[i].folder];
		if (!f || !(f->traits & FOLDER_STORED))
			return ARC_COVERS_NOTHING;
		*out = (struct span){ m->at, m->packed };
		return ARC_COVERS_FILE;
	}
	f = &z->folders[i - n];
	if (f->traits & FOLDER_STORED)
		return ARC_COVERS_NOTHING;
	*out = f->packed;
	return ARC_COVERS_PACKED;
}

/* Where the header cannot be read, for lack of a decoder or a key, anything may be a member's. */
static enum arc_cover cover_all(const void *facts, uint64_t i, struct span *out)
{
	const struct sevenzip *z = facts;

	(void)i;
	*out = (struct span){ sevenzip_start_fixed_len, z->header.at - sevenzip_start_fixed_len };
	return ARC_COVERS_PACKED;
}

bool sevenzip_find_second(struct decode *d, struct sevenzip *z)
{
	const bool has_lists = decode_has(d, SEVENZIP_LISTS) && decode_has(d, SEVENZIP_HEADER);
	const struct arc_covers covers = { z, has_lists ? z->members->n + z->n_folders : 1,
					   has_lists ? cover_of : cover_all };

	if (!decode_has(d, SEVENZIP_START) || !decode_has(d, SEVENZIP_NEXT))
		return true;
	return arc_second_zip(d, SEVENZIP_NEXT, z->size, &covers, &z->second) &&
	       arc_second_after(d, SEVENZIP_NEXT, span_end(z->header), ARC_IS_7Z, &z->second) &&
	       arc_second_tar(d, SEVENZIP_NEXT, ARC_IS_7Z, &z->second);
}

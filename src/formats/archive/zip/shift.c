/* Bytes that were lost or put in before the directory of a zip, so that offsets lead too far or not
 * far enough. They explain findings, and are none themselves. */
#include "core/checked.h"
#include "formats/archive/zip/zip.h"

/* A longer directory is not looked at. */
#define LOOKED_AT_MAX ((uint64_t)1 << 20)

/* Where the bytes of the member of a central header end at least; 0: the header does not say it. */
static uint64_t member_end(const struct zip_central *h)
{
	if (h->packed == ZIP_ESCAPE32 || h->local_at == ZIP_ESCAPE32)
		return 0;
	return h->local_at + zip_local_fixed_len + h->name_len + h->packed;
}

/* Where the last of the members that central headers list ends; these begin at `at`. */
static uint64_t members_end(struct held directory, uint64_t at)
{
	struct cursor c = cursor_init(directory.bytes, directory.len, at);
	struct zip_central h;
	struct held more;
	uint64_t end = 0;

	while (zip_central_read(&c, 0, &h) && h.magic == ZIP_CENTRAL_MAGIC) {
		const uint64_t here = member_end(&h);

		end = here > end ? here : end;
		if (!held_take(&c, h.name_len + h.extra_len + h.comment_len, &more))
			break;
	}
	return end;
}

/* The directory is where its size says, before its offset, and its members lie up to that. */
void zip_find_lost(struct decode *d, struct zip *z)
{
	const uint64_t len = z->stated_len, end = z->directory_end;
	struct held bytes;
	uint64_t reach;

	if (z->is_split || len < zip_central_fixed_len || len > end || len > LOOKED_AT_MAX ||
	    end - len >= z->stated_at ||
	    !decode_bytes(d, ZIP_END, (struct span){ end - len, len }, &bytes))
		return;
	reach = members_end(bytes, end - len);
	if (reach > end - len && reach <= z->stated_at)
		z->n_lost = z->stated_at - (end - len);
}

/* The members before the bytes that were put in are listed, though not where they are. */
static void explain_gaps(struct zip *z)
{
	for (uint64_t i = 0; i < z->n_gaps; i++)
		if (z->gaps[i].traits & ZIP_GAP_MEMBER)
			z->gaps[i].traits = ZIP_GAP_KNOWN;
	z->gap_traits &= ~(uint32_t)ZIP_GAP_MEMBER;
}

/* The file begins as if no offset were to be counted otherwise, and its directory does not lie so:
 * the bytes of the difference are not before the first member. */
void zip_find_surplus(struct zip *z)
{
	if (z->base == 0 || z->signature != ARC_IS_ZIP || z->find.tail_at != z->size)
		return;
	for (uint64_t i = 0; i < z->n_entries; i++)
		if (z->entries[i].local_at == z->base && z->entries[i].traits & ZIP_LOCAL_MISSING)
			z->n_surplus = z->base;
	if (z->n_surplus > 0)
		explain_gaps(z);
}

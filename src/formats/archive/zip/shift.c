/* Bytes that were lost or put in before the directory of a zip, so that offsets lead too far or not
 * far enough. They explain findings, and are none themselves. */
#include "core/checked.h"
#include "formats/archive/zip/zip.h"

/* A longer directory is not looked at. */
#define LOOKED_AT_MAX ((uint64_t)1 << 20)

/* Where the bytes of the member of a central header end at least; 0: the header does not say it. */
static uint64_t member_end(struct held header)
{
	enum { PACKED_AT = 20, NAME_LEN_AT = 28, LOCAL_AT = 42 };
	const uint64_t packed = held_u32(header, PACKED_AT), at = held_u32(header, LOCAL_AT),
		       name_len = held_u16(header, NAME_LEN_AT);

	if (packed == ZIP_ESCAPE32 || at == ZIP_ESCAPE32)
		return 0;
	return at + zip_local_fixed_len + name_len + packed;
}

/* Where the last of the members that central headers list ends. */
static uint64_t members_end(struct held directory)
{
	enum { NAME_LEN_AT = 28 };
	struct held rest = directory;
	uint64_t end = 0;

	while (held_has(rest, 0, zip_central_fixed_len) && held_u32(rest, 0) == ZIP_CENTRAL_MAGIC) {
		const uint64_t here = member_end(rest), len = zip_central_fixed_len +
							      held_u16(rest, NAME_LEN_AT) +
							      held_u16(rest, NAME_LEN_AT + 2) +
							      held_u16(rest, NAME_LEN_AT + 4);

		end = here > end ? here : end;
		rest = held_part(rest, len < rest.len ? len : rest.len,
				 len < rest.len ? rest.len - len : 0);
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
	reach = members_end(bytes);
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

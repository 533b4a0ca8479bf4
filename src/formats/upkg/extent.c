/* How far a package reaches: to the end of its last table or body. */
#include "formats/upkg/extent.h"

/* What a row takes at least: a name its NUL and its flags, an import three indexes of one byte
 * and a reference, an export three of those, a reference, its flags and a size. */
enum { NAME_MIN = 5, IMPORT_MIN = 7, EXPORT_MIN = 12 };

/* A header that cannot be read, in a file that is shorter than this, is truncated. */
enum { HEADER_MAX = 128 };

static void reach(struct extent *out, int64_t at, int64_t n, int64_t row_min)
{
	uint64_t end;

	if (n <= 0 || at <= 0)
		return;
	end = (uint64_t)at + (uint64_t)n * (uint64_t)row_min;
	if (end > out->needs)
		out->needs = end;
}

/* One body that reaches too far may be a damaged row; several are not. */
static void reach_bodies(const struct upkg *u, struct extent *out)
{
	uint64_t n_outside = 0, last = 0;

	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++) {
		const struct upkg_export *e = &u->exports[i];
		uint64_t end;

		if (e->size <= 0 || e->offset <= 0)
			continue;
		end = (uint64_t)e->offset + (uint64_t)e->size;
		if (end > u->size)
			n_outside++;
		if (end > last)
			last = end;
	}
	if (n_outside != 1 && last > out->needs)
		out->needs = last;
}

/* What follows the last region of a package that was laid out whole. */
static void take_tail(const struct upkg *u, struct extent *out)
{
	for (uint32_t i = 0; i < u->n_gaps; i++)
		if (u->gaps[i].traits & GAP_AT_END)
			*out = (struct extent){ .needs = u->gaps[i].span.at, .is_end = true };
}

void upkg_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct upkg *u = facts;
	const struct upkg_header *h = &u->header;

	(void)file; /* a package has no companions */
	out->ends_early = u->file.kind == UPKG_IS_PACKAGE && u->size < HEADER_MAX;
	if (!decode_has(d, UPKG_HEADER))
		return;
	reach(out, (int64_t)h->name_offset, (int64_t)h->name_count, NAME_MIN);
	reach(out, (int64_t)h->import_offset, (int64_t)h->import_count, IMPORT_MIN);
	reach(out, (int64_t)h->export_offset, (int64_t)h->export_count, EXPORT_MIN);
	if (decode_has(d, UPKG_EXPORTS))
		reach_bodies(u, out);
	out->ends_early = u->stop_traits &
			  (CUT_INDEX | CUT_NO_NUL | CUT_NAME | CUT_IMPORT | CUT_EXPORT);
	if (decode_has(d, UPKG_REGIONS))
		take_tail(u, out);
}

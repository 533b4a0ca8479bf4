/* How far a package reaches: to the end of its last table or body. */
#include "formats/upkg/extent.h"

/* What a row takes at least: a name its NUL and its flags, an import three indexes of one byte
 * and a reference, an export three of those, a reference, its flags and a size. */
enum { NAME_MIN = 5, IMPORT_MIN = 7, EXPORT_MIN = 12 };

/* A header that cannot be read, in a file that is shorter than this, is truncated. */
enum { HEADER_MAX = 128 };

static struct span least_span(int64_t at, int64_t n, int64_t row_min)
{
	if (n <= 0 || at <= 0)
		return (struct span){ 0, 0 };
	return (struct span){ (uint64_t)at, (uint64_t)n * (uint64_t)row_min };
}

/* Where a lone table that reaches too far may begin after the end of those before it. */
enum { BETWEEN_TABLES = 16 };

/* A table that alone reaches too far is the last one, and begins where the others end or in the
 * file; else the header is damaged. Two that do are both missing. */
static bool may_be_cut(const struct upkg *u, const struct span tables[N_UPKG_TABLES],
		       size_t *n_outside)
{
	uint64_t end = 0, lone = 0;

	*n_outside = 0;
	for (size_t i = 0; i < N_UPKG_TABLES; i++) {
		if (span_end(tables[i]) > u->size) {
			++*n_outside;
			lone = tables[i].at;
		} else if (u->tables[i].end > end) {
			end = u->tables[i].end;
		}
	}
	return *n_outside > 1 || (lone >= end && (lone < u->size || lone - end <= BETWEEN_TABLES));
}

static void reach_tables(const struct upkg *u, struct extent *out)
{
	const struct upkg_header *h = &u->header;
	const struct span tables[N_UPKG_TABLES] = {
		[TABLE_NAMES] = least_span(h->name_offset, h->name_count, NAME_MIN),
		[TABLE_IMPORTS] = least_span(h->import_offset, h->import_count, IMPORT_MIN),
		[TABLE_EXPORTS] = least_span(h->export_offset, h->export_count, EXPORT_MIN),
	};
	size_t n_outside;

	if (!may_be_cut(u, tables, &n_outside))
		return;
	out->is_agreed = n_outside > 1;
	for (size_t i = 0; i < N_UPKG_TABLES; i++)
		if (span_end(tables[i]) > out->needs)
			out->needs = span_end(tables[i]);
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

/* Tells whether the last table is truncated. One before it whose rows go on to the end of the file
 * has a damaged row or count. */
static bool is_last_cut(const struct upkg *u)
{
	const uint32_t cut = CUT_INDEX | CUT_NO_NUL | CUT_NAME | CUT_IMPORT | CUT_EXPORT;
	size_t last = 0;

	for (size_t i = 1; i < N_UPKG_TABLES; i++)
		if (u->tables[i].at > u->tables[last].at)
			last = i;
	return u->stops[last].traits & cut;
}

/* What follows the last region of a package that was laid out whole. */
static void take_tail(const struct upkg *u, struct extent *out)
{
	for (uint32_t i = 0; i < u->n_gaps; i++)
		if (u->gaps[i].traits & GAP_AT_END)
			*out = (struct extent){ .needs = u->gaps[i].span.at, .is_end = true };
}

/* Tells whether the file is a part of the tag alone. */
static bool begins_a_tag(const struct decode *d)
{
	static const uint8_t tag[4] = { 0xC1, 0x83, 0x2A, 0x9E };
	const struct span all = { 0, d->source->io.size };
	uint8_t bytes[sizeof tag];

	return all.len < sizeof tag && source_copy(d->source, all, bytes) &&
	       memcmp(bytes, tag, (size_t)all.len) == 0;
}

void upkg_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct upkg *u = facts;

	(void)file; /* a package has no companions */
	out->ends_early = (u->file.kind == UPKG_IS_PACKAGE && u->size < HEADER_MAX) ||
			  begins_a_tag(d);
	if (!decode_has(d, UPKG_HEADER))
		return;
	reach_tables(u, out);
	if (decode_has(d, UPKG_EXPORTS))
		reach_bodies(u, out);
	out->ends_early = is_last_cut(u);
	if (decode_has(d, UPKG_REGIONS))
		take_tail(u, out);
}

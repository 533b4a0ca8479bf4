/* A second, slow reading of a zip: which headers its directory has, what the local headers say
 * otherwise, how the members lie, and which names are one. What is quadratic is asked of archives
 * with few members alone. */
#include <string.h>

#include "formats/archive/zip/zip.h"
#include "oracle/oracle_format.h"
#include "reference/reference_utoc.h"
#include "reference/reference_zip.h"
#include "support/must.h"

enum { FEW = 128, LOCAL = 30 };

#define ESCAPE ((uint64_t)0xFFFFFFFF)

static bool has(const struct zip *z, size_t group)
{
	return z->groups[group].why == STOP_NOT;
}

static bool is_told(const struct zip_entry *e, uint64_t trait)
{
	return (e->traits & trait) != 0;
}

/* ---- The directory --------------------------------------------------------------------------- */

static void check_header(const struct zip *z, uint64_t i, const struct reference_header *h)
{
	const struct zip_entry *e = &z->entries[i];
	const struct arc_member *m = &z->members->rows[i];

	MUST(m->head_at == h->at && m->head_len == h->len && m->crc == h->crc &&
		     m->method == h->method && e->flags == h->flags && e->name_len == h->name_len,
	     "a member is what its central header says");
	if (h->size != ESCAPE)
		MUST(m->size == h->size, "a size that is no escape is that of the header");
	if (h->size != ESCAPE && h->packed != ESCAPE)
		MUST(m->packed == h->packed, "so is a compressed size");
}

static void check_directory(const struct zip *z, const uint8_t *data)
{
	struct reference_header h;
	uint64_t at = z->directory_at, n = 0;

	for (; reference_central(data, at, z->directory_end, &h); at += h.len) {
		MUST(n < z->n_entries, "every whole central header is listed");
		check_header(z, n++, &h);
	}
	MUST(n == z->n_entries && at == z->walk_end, "no other header is listed");
	MUST(z->ends_broken == (at < z->directory_end && n < z->n_stated),
	     "a directory breaks off where bytes and members are left");
}

/* ---- Local headers --------------------------------------------------------------------------- */

/* Where there is room for it, a local header has its magic. */
static bool has_local(const struct zip *z, const uint8_t *data, const struct zip_entry *e)
{
	const uint64_t at = e->local_at;

	return at <= z->size && z->size - at >= LOCAL &&
	       reference_read(data + at, 4) == REFERENCE_ZIP_LOCAL &&
	       reference_read(data + at + 26, 2) + reference_read(data + at + 28, 2) <=
		       z->size - at - LOCAL;
}

static bool has_same_name(const uint8_t *data, const struct zip_entry *e,
			  const struct arc_member *m)
{
	return reference_read(data + e->local_at + 26, 2) == e->name_len &&
	       memcmp(data + e->local_at + LOCAL, data + m->head_at + 46, e->name_len) == 0;
}

static void check_local(const struct zip *z, const uint8_t *data, uint64_t i)
{
	const struct zip_entry *e = &z->entries[i];
	const struct arc_member *m = &z->members->rows[i];
	const uint8_t *p = data + e->local_at;
	bool lacks_crc;

	MUST(is_told(e, ZIP_LOCAL_MISSING) == !has_local(z, data, e),
	     "a local header is missing if there is none");
	if (is_told(e, ZIP_LOCAL_MISSING))
		return;
	MUST(is_told(e, ZIP_NAME_DIFFERS | ZIP_SEPARATOR_DIFFERS) == !has_same_name(data, e, m),
	     "names differ if their bytes do");
	MUST(is_told(e, ZIP_METHOD_DIFFERS) == (reference_read(p + 8, 2) != m->method ||
						((reference_read(p + 6, 2) ^ e->flags) & 1) != 0),
	     "methods differ if their numbers do");
	lacks_crc = (reference_read(p + 6, 2) & 8) != 0 && reference_read(p + 14, 4) == 0;
	MUST(is_told(e, ZIP_CRC_DIFFERS) == (reference_read(p + 14, 4) != m->crc && !lacks_crc),
	     "checksums differ if their numbers do");
	MUST(is_told(e, ZIP_REACHES_INTO_DIRECTORY) == (e->end > z->directory_at),
	     "a member reaches into the directory if its end does");
}

/* Whether a member lies in another: each has its header at least. */
static bool lies_in_other(const struct zip *z, const struct zip_entry *e)
{
	for (uint64_t i = 0; i < z->n_entries; i++) {
		const struct zip_entry *other = &z->entries[i];
		const bool is_first = other->local_at < e->local_at ||
				      (other->local_at == e->local_at && other < e);

		if (!is_told(other, ZIP_LOCAL_MISSING) && is_first && other->end > e->local_at)
			return true;
	}
	return false;
}

static void check_places(const struct zip *z)
{
	for (uint64_t i = 0; i < z->n_entries; i++) {
		const struct zip_entry *e = &z->entries[i];

		if (!is_told(e, ZIP_LOCAL_MISSING))
			MUST(is_told(e, ZIP_OVERLAPS | ZIP_LISTED_TWICE) == lies_in_other(z, e),
			     "members overlap if one begins before another ends");
	}
}

/* Bytes that no member has. */
static void check_gaps(const struct zip *z, const uint8_t *data)
{
	for (uint64_t g = 0; g < z->n_gaps; g++) {
		const struct zip_gap *gap = &z->gaps[g];
		bool is_zero = true;

		for (uint64_t i = 0; i < gap->span.len; i++)
			is_zero = is_zero && data[gap->span.at + i] == 0;
		MUST(!is_zero || !(gap->traits & (ZIP_GAP_BYTES | ZIP_GAP_MEMBER)),
		     "zeros between members are nothing");
		for (uint64_t i = 0; i < z->n_entries; i++)
			MUST(is_told(&z->entries[i], ZIP_LOCAL_MISSING) ||
				     z->entries[i].local_at >= gap->span.at + gap->span.len ||
				     z->entries[i].end <= gap->span.at,
			     "a gap has no byte of a member");
	}
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool have_one_name(const struct arc_member *a, const struct arc_member *b)
{
	return a->name.ref.n_units == b->name.ref.n_units &&
	       a->name.ref.encoding == b->name.ref.encoding &&
	       (a->name.ref.n_units == 0 ||
		memcmp(a->name.data, b->name.data, (size_t)text_span(a->name.ref).len) == 0);
}

static bool has_earlier(const struct members *m, uint64_t row)
{
	for (uint64_t i = 0; i < row; i++)
		if (m->rows[i].kind != ARC_DIRECTORY && have_one_name(&m->rows[i], &m->rows[row]))
			return true;
	return false;
}

static void check_names(const struct members *m)
{
	for (uint64_t i = 0; i < m->n; i++) {
		const bool is_told_twice = (m->rows[i].traits & (ARC_TWICE | ARC_TWICE_ALIKE)) != 0;

		/* names that differ by ./ alone repeat as well */
		MUST(is_told_twice || m->rows[i].kind == ARC_DIRECTORY || !has_earlier(m, i),
		     "a name repeats if an earlier member has it");
	}
}

static void check_end(const struct zip *z, const uint8_t *data)
{
	const uint64_t at = z->find.end.at;

	MUST(reference_read(data + at, 4) == REFERENCE_ZIP_END,
	     "an end record begins with its signature");
	MUST(z->find.tail_at == at + 22 + reference_read(data + at + 20, 2),
	     "an archive ends with its comment");
}

static void compare_facts(const struct trial *t, const void *facts)
{
	const struct zip *z = facts;
	const uint8_t *data = t->subject->data;

	if (!data || !has(z, ZIP_END))
		return;
	check_end(z, data);
	if (!has(z, ZIP_DIRECTORY))
		return;
	check_directory(z, data);
	if (has(z, ZIP_NAMES) && z->n_entries <= FEW)
		check_names(z->members);
	if (!has(z, ZIP_LOCALS) || z->n_entries > FEW)
		return;
	for (uint64_t i = 0; i < z->n_entries; i++)
		check_local(z, data, i);
	check_places(z);
	check_gaps(z, data);
}

const struct oracle_format oracle_zip = {
	.names = { "Mod.zip", "Mod.zip", "Mod.zip", "a/M od%n.zip", "Mod.rar", "download",
		   "b.txt" },
	.compare_facts = compare_facts,
};

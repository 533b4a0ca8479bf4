/* A reference reading of a container header: which form it has, and where everything in it lies. */
#include "reference/reference_container_header.h"

#include <stddef.h>
#include <string.h>

#include "reference/reference_utoc.h"

#define NONE UINT64_MAX

static uint64_t number(const struct reference_container_header *h, uint64_t at, unsigned n)
{
	return reference_read(h->p + at, n);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Takes n bytes; after a failure it always fails. */
static bool take(struct reference_container_header *h, uint64_t n, enum reference_cut cut)
{
	if (h->cut == CUT_NOWHERE && n > h->limit - h->end)
		h->cut = cut;
	if (h->cut == CUT_NOWHERE)
		h->end += n;
	return h->cut == CUT_NOWHERE;
}

static bool take_count(struct reference_container_header *h, uint64_t *n, enum reference_cut cut)
{
	uint64_t at = h->end;

	if (!take(h, 4, cut))
		return false;
	*n = number(h, at, 4);
	return true;
}

static bool take_rows(struct reference_container_header *h, struct reference_rows *rows,
		      uint64_t each, enum reference_cut cut)
{
	uint64_t n, at;

	if (!take_count(h, &n, cut))
		return false;
	at = h->end;
	if (!take(h, n * each, cut))
		return false;
	*rows = (struct reference_rows){ at, n };
	return true;
}

static bool take_packages(struct reference_container_header *h, struct reference_packages *l)
{
	l->is_read = take_rows(h, &l->ids, 8, CUT_COUNT) && take_rows(h, &l->entries, 1, CUT_COUNT);
	return l->is_read;
}

static void add_map(struct reference_container_header *h, struct reference_map map)
{
	h->maps[h->n_maps++] = map;
}

/* ---- Store entries --------------------------------------------------------------------------- */

static uint64_t entry_len(int form)
{
	static const uint64_t lens[] = { 16, 32, 24, 24, 16, 16, 16 };

	return lens[form + 1];
}

uint64_t reference_imports_in(int form)
{
	static const uint64_t in[] = { 8, 24, 8, 8, 0, 0, 0 };

	return in[form + 1];
}

uint64_t reference_hashes_in(int form)
{
	static const uint64_t in[] = { NONE, NONE, 16, 16, 8, 8, 8 };

	return in[form + 1];
}

uint64_t reference_counts_in(int form)
{
	static const uint64_t in[] = { 0, 8, 0, 0, NONE, NONE, NONE };

	return in[form + 1];
}

struct reference_view reference_view_of(const struct reference_container_header *h,
					const struct reference_packages *l, uint64_t i, uint64_t in,
					uint64_t each)
{
	uint64_t at = i * l->each + in;
	struct reference_view v = { .n = number(h, l->entries.at + at, 4),
				    .offset = number(h, l->entries.at + at + 4, 4) };

	v.start = at + v.offset;
	v.inside = v.start >= l->ids.n * l->each && v.start + v.n * each <= l->entries.n;
	return v;
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* The two bytes of a head hold a width and a count of characters. */
static struct reference_name head_of(const struct reference_container_header *h, uint64_t at)
{
	uint64_t v = reference_read_be(h->p + at, 2);

	return (struct reference_name){ .n = v % 0x8000, .wide = v >= 0x8000 };
}

static uint64_t name_len(const struct reference_name *n)
{
	return n->wide ? 2 * n->n : n->n;
}

/* Names of UE4: head, characters, and where these have two bytes an even place among the names'
 * bytes. */
static void read_old_names(struct reference_container_header *h)
{
	uint64_t at = 0, n = h->name_bytes.n;

	h->n_names = 0;
	while (n - at >= 2) {
		struct reference_name *name = &h->names[h->n_names];
		uint64_t start = at + 2;

		*name = head_of(h, h->name_bytes.at + at);
		start += name->wide ? start % 2 : 0;
		if (start + name_len(name) > n)
			break;
		name->at = h->name_bytes.at + start;
		h->n_names++;
		at = start + name_len(name);
	}
	h->names_end = at == n;
	h->hashes_fit = h->hashes.n >= 8 && h->hashes.n % 8 == 0;
	h->algorithm = h->hashes.n >= 8 ? number(h, h->hashes.at, 8) : 0;
	h->names_good = h->names_end;
	h->n_hashes = h->hashes.n >= 8 ? h->hashes.n / 8 - 1 : 0;
	for (uint64_t i = 0; i < h->n_names; i++)
		h->names[i].hash = i < h->n_hashes ? number(h, h->hashes.at + 8 * (i + 1), 8) : 0;
}

/* Names of UE5: a count; if there are any, the characters' bytes, an algorithm, hashes, heads,
 * characters. */
static bool read_names(struct reference_container_header *h)
{
	uint64_t hashes, heads, text;

	h->names_good = true;
	if (!take_count(h, &h->n_names, CUT_NAMES))
		return false;
	h->n_hashes = h->n_names;
	if (h->n_names == 0)
		return true;
	if (!take_count(h, &h->names_len, CUT_NAMES) || !take(h, 8, CUT_NAMES))
		return false;
	h->algorithm = number(h, h->end - 8, 8);
	hashes = h->end;
	heads = hashes + 8 * h->n_names;
	text = heads + 2 * h->n_names;
	if (!take(h, 10 * h->n_names + h->names_len, CUT_NAMES))
		return false;
	for (uint64_t i = 0; i < h->n_names; i++) {
		h->names[i] = head_of(h, heads + 2 * i);
		h->names[i].at = text + h->names_sum;
		h->names[i].hash = number(h, hashes + 8 * i, 8);
		h->names_sum += name_len(&h->names[i]);
	}
	h->names_good = h->names_sum == h->names_len;
	return true;
}

/* ---- Unreal Engine 4 ------------------------------------------------------------------------- */

static bool read_culture(struct reference_container_header *h)
{
	struct reference_map map = { .each = 16, .has_target = true };
	uint64_t count;

	if (!take_count(h, &count, CUT_CULTURE))
		return false;
	if (!take(h, count >= 0x80000000 ? 2 * (0x100000000 - count) : count, CUT_CULTURE))
		return false;
	if (!take_rows(h, &map.rows, 16, CUT_CULTURE))
		return false;
	add_map(h, map);
	return true;
}

static bool read_old_maps(struct reference_container_header *h)
{
	struct reference_map map = { .each = 16, .has_target = true };
	uint64_t n;

	if (!take_count(h, &n, CUT_COUNT))
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (!read_culture(h))
			return false;
	if (!take_rows(h, &map.rows, 16, CUT_COUNT))
		return false;
	add_map(h, map);
	return true;
}

static void read_old(struct reference_container_header *h, bool fork)
{
	h->end = 12;
	h->cut = CUT_NOWHERE;
	h->n_maps = 0;
	h->has_names = h->has_packages = h->has_maps = h->has_soft = h->has_end = false;
	h->name_bytes.n = 0;
	h->packages.is_read = false;
	h->fork = fork && take(h, 4, CUT_COUNT);
	h->has_names = take_rows(h, &h->name_bytes, 1, CUT_COUNT) &&
		       take_rows(h, &h->hashes, 1, CUT_COUNT);
	h->has_packages = h->has_names && take_packages(h, &h->packages);
	h->has_maps = h->has_soft = h->has_end = h->has_packages && read_old_maps(h);
}

/* To the chunk's end but for zeros, and two counts of packages that agree: the more of this the
 * better. */
static unsigned quality(const struct reference_container_header *h)
{
	unsigned q = 2;

	if (!h->has_end)
		return 0;
	for (uint64_t i = h->end; i < h->len; i++)
		q = h->p[i] != 0 ? 1 : q;
	return h->packages.ids.n == h->package_count ? q + 2 : q;
}

/* How many views of imports would lead out, if the entries were of that form; NONE: there is no
 * room for so many. */
static uint64_t count_astray(struct reference_container_header *h, int form)
{
	uint64_t n = 0;

	h->packages.each = entry_len(form);
	if (h->packages.entries.n < h->packages.ids.n * h->packages.each)
		return NONE;
	for (uint64_t i = 0; i < h->packages.ids.n; i++) {
		struct reference_view v = reference_view_of(h, &h->packages, i,
							    reference_imports_in(form), 8);

		n += v.n > 0 && !v.inside;
	}
	return n;
}

static void read_ue4(struct reference_container_header *h)
{
	unsigned plain, fork;
	bool room_for_short;

	if (!take(h, 12, CUT_COUNT))
		return;
	h->known = true;
	h->container = number(h, 0, 8);
	h->package_count = number(h, 8, 4);
	read_old(h, true);
	fork = quality(h);
	read_old(h, false);
	plain = quality(h);
	if (fork > plain)
		read_old(h, true);
	if (h->has_names)
		read_old_names(h);
	room_for_short = h->has_packages && count_astray(h, -1) != NONE;
	h->form = room_for_short && count_astray(h, 0) > count_astray(h, -1) ? -1 : 0;
	h->packages.each = entry_len(h->form);
}

/* ---- Unreal Engine 5 ------------------------------------------------------------------------- */

static bool read_soft_lists(struct reference_container_header *h)
{
	if (!take_count(h, &h->flag, CUT_COUNT))
		return false;
	return h->flag == 0 || (take_rows(h, &h->soft_ids, 8, CUT_COUNT) &&
				take_rows(h, &h->soft_entries, 1, CUT_COUNT));
}

/* Soft references that have a size are read as if the chunk ended after it. */
static bool read_soft_place(struct reference_container_header *h)
{
	uint64_t at = h->end, offset, size;

	if (!take(h, 16, CUT_COUNT))
		return false;
	offset = number(h, at, 8);
	size = number(h, at + 8, 8);
	h->soft_astray = offset > INT64_MAX || size > INT64_MAX ||
			 (size > 0 && (offset != h->end || size > h->len - offset));
	if (h->soft_astray || size == 0)
		return !h->soft_astray;
	h->soft_end = h->limit = offset + size;
	h->soft_overrun = !read_soft_lists(h);
	h->soft_used = h->end;
	h->cut = CUT_NOWHERE;
	h->end = h->soft_end;
	h->limit = h->len;
	return !h->soft_overrun;
}

static bool read_soft(struct reference_container_header *h)
{
	if (h->form < 4)
		return true;
	return h->form == 4 ? read_soft_lists(h) : read_soft_place(h);
}

static bool read_new_maps(struct reference_container_header *h)
{
	struct reference_map localized = { .each = 16, .has_name = true },
			     redirects = { .each = 24, .has_name = true, .has_target = true };

	if (!take_rows(h, &localized.rows, 16, CUT_COUNT) ||
	    !take_rows(h, &redirects.rows, 24, CUT_COUNT))
		return false;
	add_map(h, localized);
	add_map(h, redirects);
	return true;
}

static void read_ue5(struct reference_container_header *h)
{
	if (!take(h, 16, CUT_COUNT))
		return;
	h->claimed = number(h, 4, 4);
	h->container = number(h, 8, 8);
	h->known = h->claimed >= 1 && h->claimed <= 5;
	if (!h->known)
		return;
	h->form = (int)h->claimed;
	h->packages.each = h->optional.each = entry_len(h->form);
	h->has_packages = (h->form > 1 || take_count(h, &h->package_count, CUT_COUNT)) &&
			  take_packages(h, &h->packages) &&
			  (h->form < 2 || take_packages(h, &h->optional));
	h->has_names = h->has_packages && read_names(h);
	h->has_maps = h->has_names && read_new_maps(h);
	h->has_soft = h->has_maps && read_soft(h);
	h->has_end = h->has_soft || h->soft_overrun;
}

/* What is in the arrays only counts up to their counts. */
static void clear(struct reference_container_header *h)
{
	memset(h, 0, offsetof(struct reference_container_header, names));
	memset(&h->n_maps, 0, sizeof h->n_maps);
	memset(&h->flag, 0, sizeof *h - offsetof(struct reference_container_header, flag));
}

void reference_container_header_read(struct reference_container_header *h, const uint8_t *p,
				     uint64_t len, uint64_t toc_version)
{
	clear(h);
	h->p = p;
	h->len = h->limit = len;
	h->magic = len >= 4 && number(h, 0, 4) == 0x496F436E;
	if (h->magic)
		read_ue5(h);
	else if (len < 4 || toc_version < 5)
		read_ue4(h);
}

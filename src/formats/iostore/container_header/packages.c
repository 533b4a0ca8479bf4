/* Packages: ids, store entries, and the imports and shader hashes that the entries refer to.
 * Source: conformance/spec/iostore.md, 8. */
#include "core/mutant.h"
#include "formats/iostore/container_header/walk.h"

/* Up to this many rows are compared with one another; more are sorted. */
#define FEW_ROWS 128u

/* What it costs to read rows that another entry refers to as well: only an attack has many of
 * them. */
#define SHARED_WORK 64u

struct container_shape container_shape_of(int version)
{
	if (version == CONTAINER_PRE_INITIAL)
		return (struct container_shape){
			.entry_len = 16, .exports_at = 0, .imports_at = 8, .has_counts = true
		};
	if (version == CONTAINER_INITIAL)
		return (struct container_shape){
			.entry_len = 32, .exports_at = 8, .imports_at = 24, .has_counts = true
		};
	if (version < CONTAINER_NO_EXPORT_INFO)
		return (struct container_shape){ .entry_len = 24,
						 .exports_at = 0,
						 .imports_at = 8,
						 .hashes_at = 16,
						 .has_counts = true,
						 .has_hashes = true };
	return (struct container_shape){
		.entry_len = 16, .imports_at = 0, .hashes_at = 8, .has_hashes = true
	};
}

/* ---- Rows that are the same ------------------------------------------------------------------ */

static uint64_t row_key(const void *table, uint32_t i)
{
	return held_u64(rows_at(*(const struct rows *)table, i), 0);
}

static int compare_rows(const void *table, uint32_t a, uint32_t b)
{
	const struct rows *r = table;

	return memcmp(rows_at(*r, a).bytes, rows_at(*r, b).bytes, (size_t)r->each);
}

/* Whether a row is the same as one of the first n. */
static bool is_among(const struct rows *r, uint64_t n, struct held row)
{
	for (uint64_t i = 0; i < n; i++) {
		const struct held other = rows_at(*r, i);

		if (held_u64(other, 0) == held_u64(row, 0) &&
		    memcmp(other.bytes, row.bytes, (size_t)r->each) == 0)
			return true;
	}
	return false;
}

/* A row is compared with those before it only if one of them has the same lower bits. */
static int same_few(const struct rows *r)
{
	uint64_t marks[16] = { 0 };

	for (uint64_t i = 0; i < r->n; i++) {
		const struct held row = rows_at(*r, i);
		const uint64_t key = held_u64(row, 0), bit = (uint64_t)1 << (key & 63);
		uint64_t *word = &marks[key >> 6 & 15];

		/* mutant: only the first four */
		if (*word & bit && is_among(r, MUTANT(215) && i > 4 ? 4 : i, row))
			return 1;
		*word |= bit;
	}
	return 0;
}

int container_same_rows(struct arena *arena, struct rows r)
{
	struct arena_mark mark;
	struct order order;
	bool ok;

	if (r.n <= FEW_ROWS)
		return same_few(&r);
	mark = arena_mark(arena);
	ok = order_by_hash(arena, &r, (uint32_t)r.n, row_key, compare_rows, &order);
	arena_rewind(arena, mark);
	return ok ? order.n_ties > 0 : -1;
}

/* ---- Ids ------------------------------------------------------------------------------------- */

static uint64_t id_of(const struct container_packages *p, uint64_t i)
{
	return container_package_id_get_id(container_package_id_at(p->ids, i));
}

static uint64_t id_key(const void *packages, uint32_t i)
{
	return id_of(packages, i);
}

static void mark_row(struct container_packages *p, uint64_t i, uint32_t trait)
{
	p->traits[i] |= (uint16_t)trait;
	p->seen |= trait;
}

static uint64_t first_unsorted(const struct container_packages *p)
{
	for (uint64_t i = 1; i < p->n; i++)
		if (id_of(p, i) < id_of(p, i - 1))
			return i;
	return p->n;
}

static bool read_ids(struct decode *d, const struct container_header *h,
		     struct container_packages *p)
{
	p->unsorted = first_unsorted(p);
	if (!order_by_key(d->arena, p, (uint32_t)p->n, id_key, &p->order))
		return decode_stop(d, CONTAINER_PACKAGES, STOP_MEMORY, h->id_at);
	for (uint32_t i = 1; p->order.n_ties > 0 && i < p->n; i++)
		if (id_of(p, order_row(&p->order, i)) == id_of(p, order_row(&p->order, i - 1)))
			mark_row(p, order_row(&p->order, i), PACKAGE_ID_REPEATED);
	return true;
}

uint64_t container_find(const struct container_packages *p, uint64_t id)
{
	uint64_t low = 0, high = p->n;

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (id_of(p, order_row(&p->order, (uint32_t)middle)) < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->n && id_of(p, order_row(&p->order, (uint32_t)low)) == id ? low : p->n;
}

/* ---- Store entries --------------------------------------------------------------------------- */

/* A scan reads the entries of one list. */
struct scan {
	struct decode *d;
	struct container_header *h;
	struct container_packages *p;
	uint64_t first; /* where the entries end; the rows that they refer to follow */
	uint64_t next;  /* where the rows of the view before ended */
	uint64_t n_new; /* rows that may still be read before some must have been read twice */
	bool untidy;
};

static struct container_view view_at(const struct container_packages *p, uint64_t at)
{
	const uint64_t n = held_u32(p->entries, at), offset = held_u32(p->entries, at + 4);

	return (struct container_view){ .n = n, .offset = offset, .at = at, .start = at + offset };
}

static inline bool is_inside(const struct container_packages *p, uint64_t first,
			     const struct container_view *v, uint64_t each)
{
	/* mutant: a byte behind the last is one of theirs */
	const uint64_t end = p->entries.len + MUTANT(88);

	return v->start >= first && v->start <= end && v->n * each <= end - v->start;
}

/* What is wrong with the place of a view's rows. */
static uint32_t place_traits(struct scan *s, const struct container_view *v, uint64_t each)
{
	uint32_t traits = v->start % 4 != 0 ? PACKAGE_UNALIGNED : 0;

	if (v->n == 0)
		return v->offset != 0 ? PACKAGE_EMPTY_OFFSET : 0;
	if (!is_inside(s->p, s->first, v, each))
		return traits | PACKAGE_VIEW_OUT;
	s->untidy |= v->start != s->next;
	s->next = v->start + v->n * each;
	return traits;
}

/* Charges for reading n rows; rows that were read before cost far more. */
static bool spend_rows(struct scan *s, uint64_t n)
{
	const bool shared = n > s->n_new;

	s->n_new -= shared ? s->n_new : n;
	return decode_spend(s->d, CONTAINER_PACKAGES, shared ? n * SHARED_WORK : n);
}

static bool repeated_rows(struct scan *s, struct rows rows, uint32_t trait, uint32_t *traits)
{
	const int same = container_same_rows(s->d->arena, rows);

	if (same < 0)
		return decode_stop(s->d, CONTAINER_PACKAGES, STOP_MEMORY, s->h->id_at);
	*traits |= same > 0 ? trait : 0;
	return true;
}

/* The rows of a view that lie inside. */
static struct rows viewed(const struct container_packages *p, const struct container_view *v,
			  uint64_t each)
{
	const struct held all = held_part(p->entries, v->start, v->n * each);

	return (struct rows){ all.bytes, all.len / each, each };
}

static bool scan_imports(struct scan *s, uint64_t own, const struct container_view *v,
			 uint32_t *traits)
{
	const struct rows rows = viewed(s->p, v, CONTAINER_IMPORT_LEN);

	for (uint64_t i = 0; i < rows.n; i++) {
		const uint64_t id = held_u64(rows_at(rows, i), 0);

		*traits |= (id == 0 ? PACKAGE_IMPORT_ZERO : 0) |
			   (id == own ? PACKAGE_IMPORT_OWN : 0);
	}
	return repeated_rows(s, rows, PACKAGE_IMPORT_REPEATED, traits);
}

static bool scan_hashes(struct scan *s, const struct container_view *v, uint32_t *traits)
{
	static const uint8_t zeros[CONTAINER_HASH_LEN];
	const struct rows rows = viewed(s->p, v, CONTAINER_HASH_LEN);

	for (uint64_t i = 0; i < rows.n; i++)
		*traits |= memcmp(rows_at(rows, i).bytes, zeros, CONTAINER_HASH_LEN) == 0
				   ? PACKAGE_HASH_ZERO
				   : 0;
	return repeated_rows(s, rows, PACKAGE_HASH_REPEATED, traits);
}

static uint32_t count_traits(const struct container_packages *p, uint64_t at)
{
	const int64_t exports = layout_signed(held_u32(p->entries, at)),
		      bundles = layout_signed(held_u32(p->entries, at + 4));

	return exports < 0 || bundles < 0 || (bundles == 0 && exports > 0) ? PACKAGE_COUNTS_ODD : 0;
}

static bool scan_entry(struct scan *s, uint64_t i)
{
	const struct container_shape *shape = &s->h->shape;
	const uint64_t at = i * shape->entry_len;
	struct container_view v = view_at(s->p, at + shape->imports_at);
	uint32_t traits = place_traits(s, &v, CONTAINER_IMPORT_LEN), found = traits;

	if (v.n > 0 && !(traits & PACKAGE_VIEW_OUT) &&
	    (!spend_rows(s, v.n) || !scan_imports(s, id_of(s->p, i), &v, &found)))
		return false;
	if (shape->has_hashes) {
		v = view_at(s->p, at + shape->hashes_at);
		traits = place_traits(s, &v, CONTAINER_HASH_LEN);
		found |= traits;
		if (v.n > 0 && !(traits & PACKAGE_VIEW_OUT) &&
		    (!spend_rows(s, v.n) || !scan_hashes(s, &v, &found)))
			return false;
	}
	found |= shape->has_counts ? count_traits(s->p, at + shape->exports_at) : 0;
	found |= id_of(s->p, i) == 0 ? PACKAGE_ID_ZERO : 0;
	if (found != 0)
		mark_row(s->p, i, found);
	return true;
}

/* ---- Load orders of UE4 ---------------------------------------------------------------------- */

static uint64_t load_order(const void *packages, uint32_t i)
{
	const struct container_packages *p = packages;

	return container_entry_initial_get_load_order(
		container_entry_initial_at(container_entry_initial_in(p->entries), i));
}

static bool scan_load_orders(struct decode *d, const struct container_header *h,
			     struct container_packages *p)
{
	const struct container_entry_initial_rows entries = container_entry_initial_in(p->entries);
	const struct arena_mark mark = arena_mark(d->arena);
	struct order o;

	if (!order_by_key(d->arena, p, (uint32_t)p->n, load_order, &o))
		return decode_stop(d, CONTAINER_PACKAGES, STOP_MEMORY, h->id_at);
	for (uint32_t i = 1; o.n_ties > 0 && i < p->n; i++)
		if (load_order(p, order_row(&o, i)) == load_order(p, order_row(&o, i - 1)))
			mark_row(p, order_row(&o, i), PACKAGE_ORDER_REPEATED);
	arena_rewind(d->arena, mark);
	for (uint64_t i = 0; i < p->n; i++)
		if (container_entry_initial_get_pad(container_entry_initial_at(entries, i)) != 0)
			mark_row(p, i, PACKAGE_PAD);
	return true;
}

/* ---- Gaps and overlaps ----------------------------------------------------------------------- */

struct stretch {
	uint32_t start, len;
};

static uint64_t stretch_start(const void *table, uint32_t i)
{
	const struct stretch *s = table;

	return s[i].start;
}

static uint32_t list_stretches(const struct scan *s, struct stretch *out)
{
	const struct container_shape *shape = &s->h->shape;
	uint32_t n = 0;

	for (uint64_t i = 0; i < s->p->n; i++) {
		struct container_view v = view_at(s->p, i * shape->entry_len + shape->imports_at);

		out[n] = (struct stretch){ (uint32_t)v.start,
					   (uint32_t)(v.n * CONTAINER_IMPORT_LEN) };
		n += v.n > 0;
		if (!shape->has_hashes)
			continue;
		v = view_at(s->p, i * shape->entry_len + shape->hashes_at);
		out[n] = (struct stretch){ (uint32_t)v.start,
					   (uint32_t)(v.n * CONTAINER_HASH_LEN) };
		n += v.n > 0;
	}
	return n;
}

static void note_untidy(struct container_packages *p, uint64_t at, bool is_gap)
{
	if (p->n_gaps + p->n_overlaps == 0)
		p->untidy_at = p->entries_at + at;
	p->n_gaps += is_gap;
	p->n_overlaps += !is_gap;
}

/* Views whose rows do not simply follow one another are sorted by offset. */
static bool find_untidy(struct scan *s)
{
	const struct arena_mark mark = arena_mark(s->d->arena);
	struct stretch *list = decode_alloc(s->d, CONTAINER_PACKAGES, s->p->n * 2 + 1,
					    sizeof *list);
	uint64_t end = s->first;
	struct order o;

	if (!list)
		return false;
	if (!order_by_key(s->d->arena, list, list_stretches(s, list), stretch_start, &o))
		return decode_stop(s->d, CONTAINER_PACKAGES, STOP_MEMORY, s->h->id_at);
	for (uint32_t i = 0; i < o.n; i++) {
		const struct stretch *v = &list[order_row(&o, i)];

		if (v->start != end)
			note_untidy(s->p, v->start > end ? end : v->start, v->start > end);
		end = (uint64_t)v->start + v->len > end ? (uint64_t)v->start + v->len : end;
	}
	if (end != s->p->entries.len)
		note_untidy(s->p, end, true);
	arena_rewind(s->d->arena, mark);
	return true;
}

/* ---- A list ---------------------------------------------------------------------------------- */

static bool scan_entries(struct decode *d, struct container_header *h, struct container_packages *p)
{
	struct scan s = { .d = d, .h = h, .p = p, .first = p->n * h->shape.entry_len };

	s.next = s.first;
	s.n_new = (p->entries.len - s.first) / CONTAINER_IMPORT_LEN;
	for (uint64_t i = 0; i < p->n; i++)
		if (!scan_entry(&s, i))
			return false;
	if (h->version == CONTAINER_INITIAL && !scan_load_orders(d, h, p))
		return false;
	if ((!s.untidy && s.next == p->entries.len) || p->seen & PACKAGE_VIEW_OUT)
		return true;
	return find_untidy(&s);
}

static void measure_list(const struct container_header *h, const struct container_part *ids,
			 const struct container_part *entries, struct container_packages *p)
{
	*p = (struct container_packages){ .ids = container_package_id_in(
						  held_part(h->held, ids->at, ids->len)),
					  .n = ids->n,
					  .entries = held_part(h->held, entries->at, entries->len),
					  .ids_at = ids->at,
					  .entries_at = entries->at };
	p->short_entries = entries->is_there && p->entries.len < p->n * h->shape.entry_len;
}

void container_measure_packages(struct container_header *h)
{
	const struct container_part *parts = h->walk.parts;

	h->shape = container_shape_of(h->version);
	measure_list(h, &parts[PART_IDS], &parts[PART_ENTRIES], &h->packages);
	measure_list(h, &parts[PART_OPTIONAL_IDS], &parts[PART_OPTIONAL_ENTRIES], &h->optional);
}

static bool read_list(struct decode *d, struct container_header *h, struct container_packages *p)
{
	if (p->n > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, CONTAINER_PACKAGES, LIMIT_entries, h->id_at);
	if (p->short_entries)
		return decode_stop(d, CONTAINER_PACKAGES, STOP_MALFORMED, h->id_at);
	p->traits = decode_alloc(d, CONTAINER_PACKAGES, p->n, sizeof *p->traits);
	if (!p->traits || !decode_spend(d, CONTAINER_PACKAGES, p->n))
		return false;
	memset(p->traits, 0, (size_t)p->n * sizeof *p->traits);
	return read_ids(d, h, p) && scan_entries(d, h, p);
}

/* An optional segment adds exports to packages of the container; finds those that are none. */
static void find_unlisted(struct container_header *h)
{
	for (uint64_t i = 0; i < h->optional.n; i++)
		if (container_find(&h->packages, id_of(&h->optional, i)) == h->packages.n)
			mark_row(&h->optional, i, PACKAGE_NOT_LISTED);
}

bool container_read_packages(struct decode *d, struct container_header *h)
{
	if (!read_list(d, h, &h->packages))
		return false;
	h->n_packages = h->packages.n;
	if (!h->walk.parts[PART_OPTIONAL_ENTRIES].is_there)
		return true;
	if (!read_list(d, h, &h->optional))
		return false;
	find_unlisted(h);
	return true;
}

/* ---- Rows for rules -------------------------------------------------------------------------- */

/* The fields that only some forms have: counts, and in one a size and a load order. */
static void view_counts(const struct container_header *h, const struct container_packages *p,
			uint64_t i, struct container_package *out)
{
	const struct container_entry_initial_row row = container_entry_initial_at(
		container_entry_initial_in(p->entries), i);
	const uint64_t at = i * h->shape.entry_len + h->shape.exports_at;

	if (h->shape.has_counts) {
		out->exports = layout_signed(held_u32(p->entries, at));
		out->bundles = layout_signed(held_u32(p->entries, at + 4));
	}
	if (h->version == CONTAINER_INITIAL) {
		out->bundles_size = container_entry_initial_get_bundles_size(row);
		out->load_order = container_entry_initial_get_load_order(row);
		out->pad = container_entry_initial_get_pad(row);
	}
}

static void view_package(const struct container_header *h, const struct container_packages *p,
			 uint64_t i, struct container_package *out)
{
	const uint64_t at = i * h->shape.entry_len;

	*out = (struct container_package){
		.id = id_of(p, i),
		.id_at = p->ids_at + i * container_package_id_fixed_len,
		.entry_at = p->entries_at + at,
		.index = i,
		.optional = p == &h->optional,
		.traits = p->traits[i],
		.chunk = TOC_NONE,
		.imports = view_at(p, at + h->shape.imports_at),
	};
	if (h->shape.has_hashes)
		out->hashes = view_at(p, at + h->shape.hashes_at);
	if (!out->optional)
		out->chunk = h->chunk_of[i];
	view_counts(h, p, i, out);
}

bool container_package_of(const struct container_header *h, uint64_t id, uint64_t chunk,
			  struct container_package *out)
{
	const uint64_t place = container_find(&h->packages, id);

	if (place == h->packages.n)
		return false;
	view_package(h, &h->packages, order_row(&h->packages.order, (uint32_t)place), out);
	return out->chunk == chunk;
}

void container_view_packages(const struct container_header *h, uint64_t first, uint64_t n,
			     void *rows)
{
	struct container_package *out = rows;

	for (uint64_t i = 0; i < n; i++) {
		if (first + i < h->packages.n)
			view_package(h, &h->packages, first + i, &out[i]);
		else
			view_package(h, &h->optional, first + i - h->packages.n, &out[i]);
	}
}

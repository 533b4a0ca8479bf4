/* Which packages stand for others: forms of a culture, localized packages, redirects. Source:
 * conformance/spec/iostore.md, 8.27 to 8.30. */
#include "core/mutant.h"
#include "formats/iostore/container_header/walk.h"

static bool has_name(enum container_link_kind kind)
{
	return kind == LINK_LOCALIZED || kind == LINK_REDIRECT;
}

static void view_link(const struct container_header *h, uint64_t i, struct container_link_row *out)
{
	const struct container_link *l = &h->links[i];
	const uint64_t name_at = l->at + (l->kind == LINK_LOCALIZED ? 8 : 16);

	*out = (struct container_link_row){ .at = l->at,
					    .index = i,
					    .kind = (enum container_link_kind)l->kind,
					    .traits = l->traits,
					    .source = held_u64(h->held, l->at) };
	if (l->kind != LINK_LOCALIZED)
		out->target = held_u64(h->held, (uint64_t)l->at + 8);
	if (has_name(out->kind)) {
		out->name = held_u32(h->held, name_at);
		out->number = held_u32(h->held, name_at + 4);
	}
}

/* Tells whether the source is not the hash of its name. */
static bool id_differs(const struct container_header *h, const struct container_link_row *row)
{
	uint64_t id;

	return names_package_id(&h->names, mapped_index(row->name), row->number, &id) &&
	       id != row->source;
}

static uint32_t name_traits(const struct container_header *h, const struct container_link_row *row,
			    bool names)
{
	if (!has_name(row->kind) || !names)
		return 0;
	if (mapped_owner(row->name) != NAME_OF_CONTAINER ||
	    mapped_index(row->name) >= h->names.n + MUTANT(91)) /* mutant: one name more */
		return LINK_NAME_OUT;
	return id_differs(h, row) ? LINK_ID_DIFFERS : 0;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static uint32_t target_traits(const struct container_header *h,
			      const struct container_link_row *row, bool packages)
{
	uint32_t traits = 0;

	if (row->kind == LINK_LOCALIZED)
		return 0;
	if (row->source == row->target)
		traits |= LINK_SELF;
	if (packages && container_find(&h->packages, row->target) == h->packages.n)
		traits |= LINK_TARGET;
	return traits;
}

struct links {
	const struct container_header *h;
	uint64_t first;
};

static uint64_t link_source(const void *table, uint32_t i)
{
	const struct links *l = table;

	return held_u64(l->h->held, l->h->links[l->first + i].at);
}

/* Finds sources that occur twice in one map, of n rows from `first` on. */
static bool find_repeated(struct decode *d, struct container_header *h, uint64_t first, uint64_t n)
{
	const struct arena_mark mark = arena_mark(d->arena);
	const struct links l = { h, first };
	struct order o;

	if (!order_by_key(d->arena, &l, (uint32_t)n, link_source, &o))
		return decode_stop(d, CONTAINER_MAPS, STOP_MEMORY, h->id_at);
	for (uint32_t i = 1; o.n_ties > 0 && i < n; i++)
		if (link_source(&l, order_row(&o, i)) == link_source(&l, order_row(&o, i - 1))) {
			h->links[first + order_row(&o, i)].traits |= LINK_REPEATED;
			h->link_traits |= LINK_REPEATED;
		}
	arena_rewind(d->arena, mark);
	return true;
}

static bool add_map(struct decode *d, struct container_header *h, uint64_t at, uint64_t n,
		    enum container_link_kind kind)
{
	static const uint64_t lens[] = { container_localized_fixed_len,
					 container_redirect_fixed_len,
					 container_old_redirect_fixed_len,
					 container_old_redirect_fixed_len };
	const bool names = decode_has(d, CONTAINER_NAMES),
		   packages = decode_has(d, CONTAINER_PACKAGES);
	const uint64_t first = h->n_links;
	struct container_link_row row;

	for (uint64_t i = 0; i < n; i++) {
		struct container_link *l = &h->links[first + i];

		*l = (struct container_link){ .at = (uint32_t)(at + i * lens[kind]),
					      .kind = (uint8_t)kind };
		view_link(h, first + i, &row);
		l->traits = (uint8_t)(name_traits(h, &row, names) |
				      target_traits(h, &row, packages));
		h->link_traits |= l->traits;
	}
	h->n_links += n;
	return find_repeated(d, h, first, n);
}

/* ---- The maps -------------------------------------------------------------------------------- */

/* Adds the cultures' pairs, which the walk found to lie inside the chunk. h->links is NULL while
 * they are only counted. */
static bool add_cultures(struct decode *d, struct container_header *h, uint64_t *n_pairs)
{
	const struct container_part *all = &h->walk.parts[PART_CULTURES];
	struct cursor c = cursor_init(held_part(h->held, all->at, all->len).bytes, all->len,
				      all->at);
	struct span skipped;
	int64_t units;
	uint64_t n;

	for (uint64_t i = 0; i < all->n; i++) {
		if (!layout_read_i32(&c, &units) ||
		    !cursor_skip(&c, (uint64_t)(units < 0 ? -units * 2 : units), &skipped) ||
		    !cursor_u32(&c, &n))
			return decode_stop(d, CONTAINER_MAPS, STOP_MALFORMED, h->id_at);
		if (h->links && !add_map(d, h, cursor_at(&c), n, LINK_CULTURE))
			return false;
		if (!cursor_skip(&c, n * container_old_redirect_fixed_len, &skipped))
			return decode_stop(d, CONTAINER_MAPS, STOP_MALFORMED, h->id_at);
		*n_pairs += n;
	}
	return true;
}

static void add_all(struct decode *d, struct container_header *h)
{
	const struct container_part *localized = &h->walk.parts[PART_LOCALIZED],
				    *redirects = &h->walk.parts[PART_REDIRECTS];
	const bool is_ue4 = h->version <= CONTAINER_INITIAL;
	uint64_t n_pairs = 0;

	if (is_ue4 ? !add_cultures(d, h, &n_pairs)
		   : !add_map(d, h, localized->at, localized->n, LINK_LOCALIZED))
		return;
	add_map(d, h, redirects->at, redirects->n, is_ue4 ? LINK_OLD_REDIRECT : LINK_REDIRECT);
}

/* What a row costs at most: its name is hashed. */
#define LINK_WORK 8u

void container_read_maps(struct decode *d, struct container_header *h)
{
	const struct container_part *parts = h->walk.parts;
	uint64_t n = parts[PART_LOCALIZED].n + parts[PART_REDIRECTS].n;

	if (h->version <= CONTAINER_INITIAL && !add_cultures(d, h, &n))
		return;
	if (n > d->limits->of[LIMIT_entries]) {
		decode_stop_limit(d, CONTAINER_MAPS, LIMIT_entries, h->id_at);
		return;
	}
	if (!decode_spend(d, CONTAINER_MAPS, n * LINK_WORK + parts[PART_CULTURES].n))
		return;
	h->links = decode_alloc(d, CONTAINER_MAPS, n, sizeof *h->links);
	if (h->links)
		add_all(d, h);
}

void container_view_links(const struct container_header *h, uint64_t first, uint64_t n, void *rows)
{
	struct container_link_row *out = rows;

	for (uint64_t i = 0; i < n; i++)
		view_link(h, first + i, &out[i]);
}

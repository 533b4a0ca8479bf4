/* Where the packages of a set lie, what they are, and in which order they are looked for. */
#include "formats/set/set.h"

#define MAP(extension) extension,
static const char *const maps[] = {
#include "formats/set/policy.def"
	NULL
};
#undef MAP

/* ---- Kinds ----------------------------------------------------------------------------------- */

static const char *extension_of(const struct set_file *f)
{
	const char *dot = strrchr(f->name + f->last_at, '.');

	return dot ? dot + 1 : "";
}

static enum set_kind kind_of(const struct set_file *f)
{
	static const char *const cached[] = { "uxx", NULL }, *const classes[] = { "u", NULL };
	const char *extension = extension_of(f);
	const size_t len = strlen(extension);

	if (f->is_library)
		return SET_LIBRARY;
	if (!f->format)
		return SET_TEXT;
	if (f->is_container)
		return SET_CONTAINER;
	if (strcmp(f->format->name, "upkg") != 0)
		return SET_NO_PACKAGE_FILE;
	if (set_is_one_of(extension, len, cached))
		return SET_CACHED;
	if (set_is_one_of(extension, len, maps))
		return SET_MAP;
	return set_is_one_of(extension, len, classes) ? SET_CLASSES : SET_RESOURCES;
}

/* ---- Members --------------------------------------------------------------------------------- */

bool set_find_members(struct decode *d, struct set *u)
{
	if (!decode_spend(d, SET_FILES, u->in->n))
		return false;
	for (uint32_t i = 0; i < u->in->n; i++) {
		const struct set_file *f = u->in->files[i];
		struct set_member *m = &u->members[i];

		m->kind = kind_of(f);
		m->is_whole = (f->package || f->lines) && f->gaps == 0;
		if (f->role == SET_GAME && set_is_package(m->kind) && f->version > u->game_version)
			u->game_version = f->version;
	}
	return true;
}

/* ---- Providers ------------------------------------------------------------------------------- */

uint32_t set_where(const struct set *u, uint32_t file)
{
	const struct set_file *f = u->in->files[file];
	const uint32_t packed = f->is_download ? SET_PACKED : 0,
		       how = f->in_contents || f->role == SET_GAME ? SET_IN_CONTENTS : SET_IN_ROOT;

	return f->root * SET_WHERES + packed + how;
}

static struct package_text stem_of(const struct set *u, const struct set_provider *p)
{
	return set_stem_text(u->in->files[p->file]);
}

struct providers {
	const struct set *set;
	const struct set_provider *rows;
};

static uint64_t provider_key(const void *table, uint32_t i)
{
	const struct providers *all = table;

	return all->rows[i].hash;
}

static int compare_providers(const void *table, uint32_t a, uint32_t b)
{
	const struct providers *all = table;
	const struct set_provider *p = &all->rows[a], *q = &all->rows[b];
	const int result = package_text_compare(stem_of(all->set, p), stem_of(all->set, q));

	if (result != 0)
		return result;
	return p->where != q->where ? order_numbers(p->where, q->where)
				    : order_numbers(p->file, q->file);
}

/* Files of a kind; SET_RESOURCES: all packages that others import from. */
static uint32_t list_rows(const struct set *u, enum set_kind kind, struct set_provider *rows)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < u->in->n; i++)
		if (u->members[i].kind == kind ||
		    (kind == SET_RESOURCES && set_is_package(u->members[i].kind)))
			rows[n++] = (struct set_provider){ set_stem(u->in->files[i]).hash,
							   set_where(u, i), i };
	return n;
}

static bool make_index(struct decode *d, const struct set *u, enum set_kind kind,
		       struct set_index *out)
{
	struct set_provider *rows = decode_alloc(d, SET_FILES, u->in->n, sizeof *rows);
	struct providers all = { u, rows };
	struct order order;
	uint32_t n;

	if (!rows)
		return false;
	n = list_rows(u, kind, rows);
	out->rows = decode_alloc(d, SET_FILES, n, sizeof *out->rows);
	if (!out->rows)
		return false;
	if (!order_by_hash(d->arena, &all, n, provider_key, compare_providers, &order))
		return decode_stop(d, SET_FILES, STOP_MEMORY, (struct span){ 0, 0 });
	for (uint32_t i = 0; i < n; i++)
		out->rows[i] = rows[order_row(&order, i)];
	out->n = n;
	return true;
}

bool set_order_providers(struct decode *d, struct set *u)
{
	return decode_spend(d, SET_FILES, u->in->n) &&
	       make_index(d, u, SET_RESOURCES, &u->packages) &&
	       make_index(d, u, SET_CACHED, &u->caches) &&
	       make_index(d, u, SET_LIBRARY, &u->libraries);
}

/* How the provider at a place stands to a stem in the order. */
static int compare_stem(const struct set *u, const struct set_provider *p,
			const struct package_name *stem)
{

	return p->hash != stem->hash ? order_numbers(p->hash, stem->hash)
				     : package_text_compare(stem_of(u, p), stem->text);
}

/* The first row that does not stand before a stem, or, with `after`, that stands behind it. */
static uint32_t find_stem(const struct set *u, const struct set_index *index,
			  const struct package_name *stem, bool after)
{
	uint32_t from = 0, to = index->n;

	while (from < to) {
		const uint32_t middle = from + (to - from) / 2;
		const int result = compare_stem(u, &index->rows[middle], stem);

		if (result < 0 || (after && result == 0))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Most often there is none, or one. */
struct set_range set_range_of(const struct set *u, const struct set_index *index,
			      struct package_name stem)
{
	const uint32_t from = find_stem(u, index, &stem, false);

	if (from == index->n || compare_stem(u, &index->rows[from], &stem) != 0)
		return (struct set_range){ from, from };
	if (from + 1 == index->n || compare_stem(u, &index->rows[from + 1], &stem) != 0)
		return (struct set_range){ from, from + 1 };
	return (struct set_range){ from, find_stem(u, index, &stem, true) };
}

static uint32_t find_where(const struct set_index *index, struct set_range of, uint64_t where)
{
	while (of.from < of.to) {
		const uint32_t middle = of.from + (of.to - of.from) / 2;

		if (index->rows[middle].where < where)
			of.from = middle + 1;
		else
			of.to = middle;
	}
	return of.from;
}

struct set_range set_range_in(const struct set_index *index, struct set_range of, uint32_t where)
{
	return (struct set_range){ find_where(index, of, where),
				   find_where(index, of, (uint64_t)where + 1) };
}

struct set_range set_find_providers(const struct set *u, uint32_t file, struct set_range of)
{
	const struct set_file *f = u->in->files[file];
	const uint32_t own = f->in_contents ? SET_IN_CONTENTS : SET_IN_ROOT,
		       other = SET_IN_CONTENTS + SET_IN_ROOT - own;
	const uint32_t here = f->root * SET_WHERES, game = SET_GAME_ROOT * SET_WHERES;
	const uint32_t wheres[] = {
		here + own, here + other,     here + SET_PACKED + own, here + SET_PACKED + other,
		game,       game + SET_PACKED
	};
	struct set_range found = { 0, 0 };

	for (size_t i = 0; i < sizeof wheres / sizeof *wheres && found.from == found.to; i++)
		found = set_range_in(&u->packages, of, wheres[i]);
	return found;
}

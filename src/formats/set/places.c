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

	if (!f->format || strcmp(f->format->name, "upkg") != 0 ||
	    set_is_one_of(extension, len, cached))
		return SET_NO_PACKAGE_FILE;
	if (set_is_one_of(extension, len, maps))
		return SET_MAP;
	return set_is_one_of(extension, len, classes) ? SET_CLASSES : SET_RESOURCES;
}

/* The last component without its extension. */
struct package_text set_stem_text(const struct set_file *f)
{
	const char *last = f->name + f->last_at, *dot = strrchr(last, '.');

	return (struct package_text){ last, (uint32_t)(dot ? (size_t)(dot - last) : strlen(last)) };
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
		m->is_whole = f->package && f->gaps == 0;
		if (f->role == SET_GAME && m->kind != SET_NO_PACKAGE_FILE &&
		    f->version > u->game_version)
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

static uint32_t list_providers(const struct set *u, struct set_provider *rows)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < u->in->n; i++)
		if (u->members[i].kind != SET_NO_PACKAGE_FILE)
			rows[n++] = (struct set_provider){ set_stem(u->in->files[i]).hash,
							   set_where(u, i), i };
	return n;
}

bool set_order_providers(struct decode *d, struct set *u)
{
	struct providers all = { .set = u };
	struct set_provider *rows;
	struct order order;

	u->providers = decode_alloc(d, SET_FILES, u->in->n, sizeof *u->providers);
	rows = decode_alloc(d, SET_FILES, u->in->n, sizeof *rows);
	if (!u->providers || !rows || !decode_spend(d, SET_FILES, u->in->n))
		return false;
	all.rows = rows;
	u->n_providers = list_providers(u, rows);
	if (!order_by_hash(d->arena, &all, u->n_providers, provider_key, compare_providers, &order))
		return decode_stop(d, SET_FILES, STOP_MEMORY, (struct span){ 0, 0 });
	for (uint32_t i = 0; i < u->n_providers; i++)
		u->providers[i] = rows[order_row(&order, i)];
	return true;
}

/* How the provider at a place stands to a stem in the order. */
static int compare_stem(const struct set *u, uint32_t place, const struct package_name *stem)
{
	const struct set_provider *p = &u->providers[place];

	return p->hash != stem->hash ? order_numbers(p->hash, stem->hash)
				     : package_text_compare(stem_of(u, p), stem->text);
}

/* The first provider that does not stand before a stem, or, with `after`, that stands behind it. */
static uint32_t find_stem(const struct set *u, const struct package_name *stem, bool after)
{
	uint32_t from = 0, to = u->n_providers;

	while (from < to) {
		const uint32_t middle = from + (to - from) / 2;
		const int result = compare_stem(u, middle, stem);

		if (result < 0 || (after && result == 0))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Most often there is none, or one. */
struct set_range set_range_of(const struct set *u, struct package_name stem)
{
	const uint32_t from = find_stem(u, &stem, false), n = u->n_providers;

	if (from == n || compare_stem(u, from, &stem) != 0)
		return (struct set_range){ from, from };
	if (from + 1 == n || compare_stem(u, from + 1, &stem) != 0)
		return (struct set_range){ from, from + 1 };
	return (struct set_range){ from, find_stem(u, &stem, true) };
}

static uint32_t find_where(const struct set *u, struct set_range of, uint64_t where)
{
	while (of.from < of.to) {
		const uint32_t middle = of.from + (of.to - of.from) / 2;

		if (u->providers[middle].where < where)
			of.from = middle + 1;
		else
			of.to = middle;
	}
	return of.from;
}

struct set_range set_range_in(const struct set *u, struct set_range of, uint32_t where)
{
	return (struct set_range){ find_where(u, of, where),
				   find_where(u, of, (uint64_t)where + 1) };
}

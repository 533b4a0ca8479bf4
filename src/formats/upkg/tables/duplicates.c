/* Duplicates: imports that are the same, and exports of one outer and name. */
#include "formats/upkg/tables/duplicates.h"

#include "core/mutant.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"

#define NONE_YET UINT32_MAX

/* ---- Hashes ---------------------------------------------------------------------------------- */

static void hash_imports(const void *facts, uint32_t first, uint32_t n, uint32_t *out)
{
	const struct upkg *u = facts;

	for (const struct upkg_import *m = &u->imports[first], *end = m + n; m < end; m++)
		*out++ = upkg_hash_place(u, m->outer, m->name);
}

/* Exports of one outer and name have the same hash. */
static void hash_exports(const void *facts, uint32_t first, uint32_t n, uint32_t *out)
{
	const struct upkg *u = facts;

	for (const struct upkg_export *e = &u->exports[first], *end = e + n; e < end; e++)
		*out++ = upkg_hash_place(u, e->outer, e->name);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static int compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_names(const struct upkg *u, int32_t a, int32_t b)
{
	return compare_numbers(upkg_first_name(u, a), upkg_first_name(u, b));
}

static int compare_classes(const struct upkg *u, const struct upkg_import *a,
			   const struct upkg_import *b)
{
	const struct upkg_import_entry x = upkg_import_entry_of(u, a),
				       y = upkg_import_entry_of(u, b);
	const int order = compare_names(u, (int32_t)x.class_name.value,
					(int32_t)y.class_name.value);

	return order ? order
		     : compare_names(u, (int32_t)x.class_package.value,
				     (int32_t)y.class_package.value);
}

static int compare_imports(const void *facts, uint32_t a, uint32_t b)
{
	const struct upkg *u = facts;
	const struct upkg_import *x = &u->imports[a], *y = &u->imports[b];
	int order = compare_numbers(x->outer, y->outer);

	order = order ? order : compare_names(u, x->name, y->name);
	return order ? order : compare_classes(u, x, y);
}

/* Sorts exports of one outer and name next to each other, and among these those of one class. */
static int compare_places(const struct upkg *u, uint32_t a, uint32_t b)
{
	int order = compare_numbers(u->exports[a].outer, u->exports[b].outer);

	return order ? order : compare_names(u, u->exports[a].name, u->exports[b].name);
}

static int compare_exports(const void *facts, uint32_t a, uint32_t b)
{
	const struct upkg *u = facts;
	int order = compare_places(u, a, b);

	return order ? order : compare_numbers(u->exports[a].class, u->exports[b].class);
}

static void list_import_pairs(const struct decode *d, struct upkg *u, const struct order *o)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < o->n; i++) {
		uint32_t a = order_row(o, first), b = order_row(o, i);

		if (compare_imports(u, a, b) == 0)
			pairs_add(d, &u->import_pairs, 0, a, b);
		else
			first = i;
	}
}

/* Which rule tells of two exports of one outer and name. */
enum { PAIR_OF_CLASS, PAIR_OF_CLASSES, PAIR_OF_OTHERS };

static unsigned sort_of_pair(const struct upkg *u, uint32_t a, uint32_t b)
{
	if (u->exports[a].class != u->exports[b].class)
		return PAIR_OF_OTHERS;
	return u->exports[a].class == 0 ? PAIR_OF_CLASSES : PAIR_OF_CLASS;
}

/* Pairs each export with the first one of its outer, name and class, and the first of another
 * class with the first of its outer and name. It returns the number of pairs, and adds them to
 * the list unless d is NULL. */
static uint32_t list_export_pairs(const struct decode *d, struct upkg *u, const struct order *o)
{
	uint32_t n = 0, first = NONE_YET, first_of_class = NONE_YET;

	for (uint32_t i = 0; i < o->n; i++) {
		uint32_t b = order_row(o, i), with = first_of_class;

		if (u->exports[b].traits & EXPORT_PLACEHOLDER)
			continue;
		/* mutant: a third class is none */
		if (with == NONE_YET || compare_places(u, first, b) != 0 ||
		    (MUTANT(202) && with != first &&
		     u->exports[b].class != u->exports[with].class)) {
			first = first_of_class = b;
			continue;
		}
		if (u->exports[b].class != u->exports[with].class) {
			with = first;
			first_of_class = b;
		}
		if (d)
			pairs_add(d, &u->export_pairs, sort_of_pair(u, with, b),
				  with < b ? with : b, with < b ? b : with);
		n++;
	}
	return n;
}

static bool no_memory(struct decode *d)
{
	return decode_stop(d, UPKG_LINKS, STOP_MEMORY, (struct span){ 0, 0 });
}

/* Entries that are the same have the same hash of their place. */
bool upkg_pair_imports(struct decode *d, struct upkg *u)
{
	struct order o;

	if (!order_suspects_of(d->arena, hash_imports, u->tables[TABLE_IMPORTS].n, u,
			       compare_imports, &o))
		return no_memory(d);
	if (!pairs_make(d, UPKG_LINKS, &u->import_pairs, o.n_ties))
		return false;
	list_import_pairs(d, u, &o);
	return true;
}

bool upkg_pair_exports(struct decode *d, struct upkg *u)
{
	struct order o;

	if (!order_suspects_of(d->arena, hash_exports, u->tables[TABLE_EXPORTS].n, u,
			       compare_exports, &o))
		return no_memory(d);
	if (!pairs_make(d, UPKG_LINKS, &u->export_pairs, list_export_pairs(NULL, u, &o)))
		return false;
	list_export_pairs(d, u, &o);
	return true;
}

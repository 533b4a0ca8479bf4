/* Names that are the same to the engine. */
#include "formats/upkg/tables/equal_names.h"

#include "formats/upkg/tables/names.h"

/* The first unit in which two narrow texts of n units each differ, or one before it. */
static uint64_t skip_same(const struct text *a, const struct text *b, uint64_t n)
{
	const struct held first = { a->data, n }, second = { b->data, n };
	uint64_t i = 0;

	if (a->ref.encoding != TEXT_CP1252 || b->ref.encoding != TEXT_CP1252)
		return 0;
	for (; i + 8 <= n; i += 8) {
		const uint64_t differ = held_u64(first, i) ^ held_u64(second, i);

		if (differ != 0)
			return i + bits_lowest(differ) / 8;
	}
	return i;
}

/* Orders names as the engine tells them apart: by their bytes without the case of ASCII letters. */
static int compare_texts(const struct text *a, const struct text *b)
{
	uint64_t n = a->ref.n_units < b->ref.n_units ? a->ref.n_units : b->ref.n_units;

	for (uint64_t i = skip_same(a, b, n); i < n; i++) {
		uint32_t x = text_unit(*a, i), y = text_unit(*b, i);

		x = text_between(x, 'a', 'z') ? x - 32 : x;
		y = text_between(y, 'a', 'z') ? y - 32 : y;
		if (x != y)
			return x < y ? -1 : 1;
	}
	return (a->ref.n_units > b->ref.n_units) - (a->ref.n_units < b->ref.n_units);
}

static int compare_names(const void *facts, uint32_t a, uint32_t b)
{
	const struct upkg *u = facts;
	struct text x = upkg_text(u, &u->names[a]), y = upkg_text(u, &u->names[b]);

	return compare_texts(&x, &y);
}

/* Equal names are next to each other in the order, the first of the table first. For each name i
 * in it first[i], which held its hash, becomes the first equal name. */
static void list_pairs(const struct decode *d, struct upkg *u, const struct order *o,
		       uint32_t *first)
{
	uint32_t a = order_row(o, 0), hash = first[a];

	first[a] = a;
	for (uint32_t i = 1; i < o->n; i++) {
		const uint32_t b = order_row(o, i);

		if (hash == first[b] && compare_names(u, a, b) == 0) {
			pairs_add(d, &u->name_pairs, u->names[b].traits & NAME_IS_NONE ? 1 : 0, a,
				  b);
			u->names[b].traits |= NAME_REPEATS;
		} else {
			hash = first[b];
			a = b;
		}
		first[b] = a;
	}
}

/* The hashes are not needed any more: the list of first names takes their memory. */
static void note_pairs(const struct decode *d, struct upkg *u, const struct order *o)
{
	uint32_t *first = u->name_hashes;

	list_pairs(d, u, o, first);
	for (uint32_t i = 0; i < u->tables[TABLE_NAMES].n; i++)
		if (!(u->names[i].traits & NAME_REPEATS))
			first[i] = i;
	u->first_names = first;
	u->name_hashes = NULL;
}

bool upkg_pair_names(struct decode *d, struct upkg *u)
{
	const uint32_t n = u->tables[TABLE_NAMES].n;
	struct order o;

	if (!order_suspects(d->arena, u->name_hashes, n, u, compare_names, &o))
		return decode_stop(d, UPKG_NAMES, STOP_MEMORY, (struct span){ 0, 0 });
	if (!pairs_make(d, UPKG_NAMES, &u->name_pairs, o.n_ties))
		return false;
	if (o.n_ties > 0)
		note_pairs(d, u, &o);
	return true;
}

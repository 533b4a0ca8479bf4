/* Pairs in the directory index: strings that are the same, and what must not be there twice. */
#include "formats/iostore/directory/parts.h"

#include "core/mutant.h"
#include "core/path.h"

/* ---- Strings --------------------------------------------------------------------------------- */

/* Orders texts that are equal without case: 0 means the same bytes. */
static int compare_spelling(const struct text *a, const struct text *b)
{
	if (a->ref.encoding != b->ref.encoding)
		return a->ref.encoding < b->ref.encoding ? -1 : 1;
	return a->ref.n_units == 0 ? 0 : memcmp(a->data, b->data, (size_t)text_span(a->ref).len);
}

/* Strings by their letters, and those of the same letters by their bytes. */
static int compare_strings(const void *directory, uint32_t i, uint32_t k)
{
	const struct text a = directory_string(directory, i), b = directory_string(directory, k);
	const int letters = path_compare(a, b);

	/* mutant: spelling counts for nothing */
	return letters != 0 || MUTANT(101) ? letters : compare_spelling(&a, &b);
}

static bool is_same_name(const struct directory *x, uint32_t i, uint32_t k)
{
	return path_compare(directory_string(x, i), directory_string(x, k)) == 0;
}

/* Strings that are the same without case stand together in the order, and of the same bytes the
 * first one first; false: there are none. */
static bool note_same(struct directory *x, const struct order *o, const uint32_t *hashes,
		      uint32_t *first_of)
{
	uint32_t first = order_row(o, 0);
	bool any = false;

	for (uint32_t i = 1; i < o->n; i++) {
		const uint32_t before = order_row(o, i - 1), row = order_row(o, i);

		if (hashes[before] != hashes[row] || !is_same_name(x, before, row)) {
			first = row;
			continue;
		}
		first_of[row] = first;
		any = true;
		if (compare_strings(x, before, row) != 0)
			continue;
		x->string_traits[row] |= STRING_REPEATED;
		x->all_string_traits |= STRING_REPEATED;
	}
	return any;
}

bool directory_same_names(struct decode *d, struct directory *x, const uint32_t *hashes)
{
	struct order o;
	uint32_t *first_of;

	if (!order_suspects(d->arena, hashes, (uint32_t)x->n_strings, x, compare_strings, &o))
		return decode_stop(d, UTOC_INDEX_TABLES, STOP_MEMORY, (struct span){ 0, 0 });
	if (o.n == 0)
		return true;
	first_of = decode_alloc(d, UTOC_INDEX_TABLES, x->n_strings, sizeof *first_of);
	if (!first_of)
		return false;
	for (uint32_t i = 0; i < x->n_strings; i++)
		first_of[i] = i;
	if (note_same(x, &o, hashes, first_of))
		x->same_name = first_of;
	return true;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

bool directory_add_pair(struct decode *d, struct directory *x, struct directory_pair pair)
{
	struct directory_pair *pairs = decode_grow(d, UTOC_TREE, x->pairs, x->n_pairs,
						   &x->max_pairs, sizeof *pairs);

	if (!pairs)
		return false;
	x->pairs = pairs;
	pairs[x->n_pairs++] = pair;
	x->all_pairs |= pair.kind;
	return true;
}

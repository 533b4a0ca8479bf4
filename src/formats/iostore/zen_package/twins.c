/* Exports of one path: they have one outer and one name. Source: conformance/spec/zen.md, 5. */
#include "core/order.h"
#include "formats/iostore/zen_package/parts.h"

#define OUTER_FACTOR UINT64_C(0x9E3779B1) /* odd: no two outers of 32 bits have one product */

/* What stands for a name: names that differ in case alone have one hash. A hash that is not that of
 * its name says nothing; then the number of the name does. */
static uint64_t name_key(const struct name_batch *b, uint64_t index)
{
	if (index >= b->n_hashes || b->traits[index] & NAME_HASH)
		return index;
	return held_u64(b->hashes, index * sizeof(uint64_t));
}

/* What two exports of one path have in common. */
enum { N_KEYS = 3 };
struct path_key {
	uint64_t parts[N_KEYS]; /* the name, its number, the outer */
};

static struct path_key key_of(const struct zen *z, uint32_t i)
{
	const struct zen_export_row row = zen_export_at(z->exports, i);

	return (struct path_key){ {
		name_key(&z->batches[ZEN_OWN_NAMES], mapped_index(zen_export_get_name(row))),
		zen_export_get_number(row),
		zen_export_get_outer(row),
	} };
}

/* Of different paths that a package has, the sums nearly always differ. */
UVET_WRAPS static void hash_keys(const void *table, uint32_t first, uint32_t n, uint32_t *out)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct path_key k = key_of(table, first + i);

		out[i] = (uint32_t)(k.parts[0] + k.parts[1] + k.parts[2] * OUTER_FACTOR);
	}
}

static int compare_keys(const void *table, uint32_t a, uint32_t b)
{
	const struct path_key x = key_of(table, a), y = key_of(table, b);

	for (unsigned i = 0; i < N_KEYS; i++)
		if (x.parts[i] != y.parts[i])
			return order_numbers(x.parts[i], y.parts[i]);
	return 0;
}

bool zen_check_twins(struct zen_reader *r)
{
	const struct arena_mark mark = arena_mark(r->arena);
	struct zen *z = r->z;
	struct order o;

	if (!zen_has(z, ZEN_NAMES) || z->export_traits & ZEN_EXPORT_NAME_OUT)
		return true;
	if (!order_suspects_of(r->arena, hash_keys, (uint32_t)z->n_exports, z, compare_keys, &o))
		return zen_fail(r, ZEN_OBJECTS);
	for (uint32_t i = 1; o.n_ties > 0 && i < o.n; i++) {
		const uint32_t row = order_row(&o, i);

		/* mutant: the last export is no twin */
		if (compare_keys(z, order_row(&o, i - 1), row) == 0 &&
		    !(MUTANT(349) && row + 1 == z->n_exports))
			zen_mark_export(z, row, ZEN_EXPORT_TWIN);
	}
	arena_rewind(r->arena, mark);
	return true;
}

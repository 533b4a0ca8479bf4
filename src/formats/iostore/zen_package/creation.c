/* Exports that are created before their outers, since 5.3. A dependency may have the outer created
 * first, whatever the order of the entries. Source: conformance/spec/zen.md, 6.12. */
#include "core/order.h"
#include "formats/iostore/zen_package/parts.h"

static uint64_t dependency_key(const void *table, uint32_t i)
{
	const struct zen *z = table;

	return (uint32_t)zen_dependency_get_index(zen_dependency_at(z->dependencies, i));
}

/* Dependencies of one key are ordered by their places: it is the first in the list or after it. */
static int match_from(const void *table, uint32_t i, const void *list)
{
	(void)table;
	return i < ((const struct span *)list)->at ? -1 : 0;
}

/* Whether one of some dependencies has a key, by their order: lists of several exports may be the
 * same dependencies, so that going through them all could take long. */
static bool has_key(const struct zen *z, const struct order *o, uint64_t key, struct span list)
{
	const uint32_t found = order_find(o, z, dependency_key, key, match_from, &list);

	/* mutant: a dependency behind the list is one */
	return found != ORDER_NONE && found < span_end(list) + MUTANT(351);
}

static void look_again(struct zen *z, const struct order *o)
{
	z->entry_traits = 0;
	for (uint64_t i = 0; i < z->n_entries; i++) {
		const uint64_t export = zen_entry_get_export(zen_entry_at(z->entries, i));

		if (z->traits_of_entries[i] & ZEN_ENTRY_OUTER_LATER) {
			const uint64_t outer = zen_export_get_outer(
				zen_export_at(z->exports, export));

			/* a dependency is one more than the number of the export */
			if (has_key(z, o, outer + 1, zen_step_waits(z, 2 * export)))
				z->traits_of_entries[i] = 0;
		}
		z->entry_traits |= z->traits_of_entries[i];
	}
}

void zen_check_creation(struct zen_reader *r)
{
	struct zen *z = r->z;
	const struct arena_mark mark = arena_mark(r->arena);
	struct order o;

	if (!(z->entry_traits & ZEN_ENTRY_OUTER_LATER) || !zen_has(z, ZEN_GRAPH))
		return;
	if (order_by_key(r->arena, z, (uint32_t)z->n_dependencies, dependency_key, &o))
		look_again(z, &o);
	else
		zen_fail(r, ZEN_GRAPH);
	arena_rewind(r->arena, mark);
}

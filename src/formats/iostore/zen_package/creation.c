/* Exports that are created before their outers, since 5.3. A dependency may have the outer created
 * first, whatever the order of the entries. Source: conformance/spec/zen.md, 6.12. */
#include "core/order.h"
#include "formats/iostore/zen_package/parts.h"

static uint64_t dependency_key(const void *table, uint32_t i)
{
	const struct zen *z = table;

	return (uint32_t)zen_dependency_get_index(zen_dependency_at(z->dependencies, i));
}

/* Whether one of some dependencies has a key, by their order: lists of several exports may be the
 * same dependencies, so that going through them all could take long. */
static bool has_key(const struct zen *z, const struct order *o, uint64_t key, struct span list)
{
	uint32_t low = 0, high = o->n;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2, row = order_row(o, middle);
		const uint64_t found = dependency_key(z, row);

		if (found < key || (found == key && row < list.at))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == o->n || dependency_key(z, order_row(o, low)) != key)
		return false;
	return order_row(o, low) < span_end(list);
}

/* What has to be created or serialized before an export is created. */
static struct span needed_to_create(const struct zen *z, uint64_t export)
{
	const struct zen_dependency_head_row head = zen_dependency_head_at(z->dependency_heads,
									   export);
	const int64_t first = zen_dependency_head_get_first(head);

	if (first < 0)
		return (struct span){ 0, 0 };
	return (struct span){ (uint64_t)first,
			      zen_dependency_head_get_create_create(head) +
				      zen_dependency_head_get_create_serialize(head) };
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
			if (has_key(z, o, outer + 1, needed_to_create(z, export)))
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

/* What has to be loaded before what, since 5.3: for each export the imports and exports on which it
 * depends. Source: conformance/spec/zen.md, 7. */
#include "core/checked.h"
#include "formats/iostore/zen_package/parts.h"

uint32_t zen_head_traits(const struct zen *z, const struct zen_dependency_head *h, uint64_t *sum)
{
	uint32_t traits = 0;

	*sum = h->create_create + h->create_serialize + h->serialize_create +
	       h->serialize_serialize;
	if (h->first < -1)
		traits |= ZEN_HEAD_FIRST;
	if (is_negative_32(h->create_create) || is_negative_32(h->create_serialize) ||
	    is_negative_32(h->serialize_create) || is_negative_32(h->serialize_serialize))
		return traits | ZEN_HEAD_NEGATIVE;
	if (*sum > 0 && (h->first < 0 || (uint64_t)h->first + *sum > z->n_dependencies))
		traits |= ZEN_HEAD_OUT;
	return traits;
}

uint32_t zen_dependency_traits(const struct zen *z, int64_t value)
{
	uint64_t import;

	if (value == 0)
		return ZEN_DEPENDENCY_ZERO;
	if (value > 0)
		return (uint64_t)value > z->n_exports + z->n_cells
			       ? (uint32_t)ZEN_DEPENDENCY_EXPORT_OUT
			       : 0;
	import = (uint64_t)-value - 1;
	if (import >= z->n_imports + z->n_cell_imports)
		return ZEN_DEPENDENCY_IMPORT_OUT;
	return import < z->n_imports && zen_import_get_value(zen_import_at(z->imports, import)) ==
						OBJECT_IS_NULL
		       ? (uint32_t)ZEN_DEPENDENCY_NOTHING
		       : 0;
}

static void check_heads(struct zen *z)
{
	for (uint64_t i = 0; i < z->n_dependency_heads; i++) {
		const struct zen_dependency_head_row row = zen_dependency_head_at(
			z->dependency_heads, i);
		const struct zen_dependency_head h = {
			.first = zen_dependency_head_get_first(row),
			.create_create = zen_dependency_head_get_create_create(row),
			.create_serialize = zen_dependency_head_get_create_serialize(row),
			.serialize_create = zen_dependency_head_get_serialize_create(row),
			.serialize_serialize = zen_dependency_head_get_serialize_serialize(row),
		};
		uint64_t sum;

		z->dependency_head_traits |= zen_head_traits(z, &h, &sum);
		z->dependency_sum = zen_sum(z->dependency_sum, sum);
	}
}

void zen_read_dependencies(struct zen_reader *r)
{
	struct zen *z = r->z;
	const struct held heads = zen_section_bytes(z, ZEN_AT_DEPENDENCY_HEADS),
			  rows = zen_section_bytes(z, ZEN_AT_DEPENDENCIES);

	if (heads.len != (z->n_exports + z->n_cells) * zen_dependency_head_fixed_len) {
		zen_malformed(z, ZEN_GRAPH, ZEN_DEPENDENCY_COUNT,
			      (struct span){ z->sections[ZEN_AT_DEPENDENCY_HEADS].at, heads.len });
		return;
	}
	if (!zen_takes(z, ZEN_GRAPH, rows.len / zen_dependency_fixed_len,
		       z->sections[ZEN_AT_DEPENDENCIES]))
		return;
	z->n_dependency_heads = heads.len / zen_dependency_head_fixed_len;
	z->dependency_heads = zen_dependency_head_in(heads);
	z->n_dependencies = rows.len / zen_dependency_fixed_len;
	z->dependencies = zen_dependency_in(rows);
	check_heads(z);
	for (uint64_t i = 0; i < z->n_dependencies; i++)
		z->dependency_traits |= zen_dependency_traits(
			z, zen_dependency_get_index(zen_dependency_at(z->dependencies, i)));
	zen_check_steps(r);
}

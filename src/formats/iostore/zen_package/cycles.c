/* What leads back to itself: references from export to export, and since 5.3 the steps in which
 * exports are loaded. Source: conformance/spec/zen.md, 5 and 7. */
#include "formats/iostore/zen_package/parts.h"

/* An edge's number is its node's and, in the lower half, which edge of that node it is. */
#define NODE_AT 32u
#define NO_NODE UINT64_MAX

static uint32_t node_of(uint64_t edge)
{
	return (uint32_t)(edge >> NODE_AT);
}

static struct span edges_of(uint32_t node, uint64_t n)
{
	return (struct span){ (uint64_t)node << NODE_AT, n };
}

/* ---- References ------------------------------------------------------------------------------ */

enum { N_REFERENCES = 4 };

static struct span references_of(const void *table, uint32_t export)
{
	(void)table;
	return edges_of(export, N_REFERENCES);
}

/* A reference that is no export is no number of one. */
static uint64_t referred_to(const void *table, uint64_t edge)
{
	const struct zen *z = table;
	const struct zen_export_row row = zen_export_at(z->exports, node_of(edge));

	switch (edge % N_REFERENCES) {
	case 0:
		return zen_export_get_outer(row);
	case 1:
		return zen_export_get_class(row);
	case 2:
		return zen_export_get_super(row);
	default:
		return zen_export_get_template(row);
	}
}

/* One that is its own class, super or template, and a cycle of outers, are found without this. */
bool zen_check_references(struct zen_reader *r)
{
	const uint32_t known = ZEN_EXPORT_CYCLE | ZEN_EXPORT_OWN_CLASS | ZEN_EXPORT_OWN_SUPER |
			       ZEN_EXPORT_OWN_TEMPLATE;
	struct zen *z = r->z;
	const struct digraph g = { (uint32_t)z->n_exports, z, references_of, referred_to };

	if (z->export_traits & known)
		return true;
	if (!digraph_find_cycle(r->arena, &g, &z->reference_cycle))
		return zen_fail(r, ZEN_OBJECTS);
	if (z->reference_cycle.length > 0)
		z->defects |= ZEN_REFERENCE_CYCLE;
	return true;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static bool is_serialize(uint64_t step)
{
	return step % 2 == 1;
}

static struct zen_dependency_head_row head_of(const struct zen *z, uint64_t step)
{
	return zen_dependency_head_at(z->dependency_heads, step / 2);
}

/* How many of a step's dependencies are of objects that have to be created; they are the first. */
static uint64_t n_created(const struct zen *z, uint64_t step)
{
	const struct zen_dependency_head_row head = head_of(z, step);

	return is_serialize(step) ? zen_dependency_head_get_serialize_create(head)
				  : zen_dependency_head_get_create_create(head);
}

static uint64_t n_waits(const struct zen *z, uint64_t step)
{
	const struct zen_dependency_head_row head = head_of(z, step);

	return n_created(z, step) + (is_serialize(step)
					     ? zen_dependency_head_get_serialize_serialize(head)
					     : zen_dependency_head_get_create_serialize(head));
}

struct span zen_step_waits(const struct zen *z, uint64_t step)
{
	const int64_t first = zen_dependency_head_get_first(head_of(z, step));

	if (first < 0)
		return (struct span){ 0, 0 };
	return (struct span){ (uint64_t)first + (is_serialize(step) ? n_waits(z, step - 1) : 0),
			      n_waits(z, step) };
}

/* Whatever is serialized is created before. */
static struct span waits_of(const void *table, uint32_t step)
{
	return edges_of(step, zen_step_waits(table, step).len + is_serialize(step));
}

static uint64_t waits_for(const void *table, uint64_t edge)
{
	const struct zen *z = table;
	const uint32_t step = node_of(edge);
	uint64_t i = edge & UINT32_MAX;
	int64_t value;

	if (is_serialize(step) && i == 0)
		return step - 1;
	i -= is_serialize(step);
	value = zen_dependency_get_index(
		zen_dependency_at(z->dependencies, zen_step_waits(z, step).at + i));
	if (value <= 0)
		return NO_NODE;
	/* mutant: the first that has to be serialized has to be created */
	return 2 * ((uint64_t)value - 1) + (i >= n_created(z, step) + MUTANT(341));
}

/* Tells whether all exports wait for earlier ones alone, which is no cycle. */
static bool wait_for_earlier(const struct zen *z)
{
	bool all = true;

	for (uint64_t i = 0; i < z->n_dependency_heads && all; i++) {
		const uint32_t step = (uint32_t)(2 * i);
		const uint64_t n = n_waits(z, step) + n_waits(z, step + 1),
			       first = (uint64_t)zen_dependency_head_get_first(head_of(z, step));

		for (uint64_t k = 0; k < n; k++)
			all &= zen_dependency_get_index(
				       zen_dependency_at(z->dependencies, first + k)) <= (int64_t)i;
	}
	return all;
}

/* Where headers share dependencies, a few of these can be many edges, and none is followed. */
void zen_check_steps(struct zen_reader *r)
{
	struct zen *z = r->z;
	const struct digraph g = { (uint32_t)(2 * z->n_dependency_heads), z, waits_of, waits_for };

	if (z->dependency_head_traits != 0)
		return;
	if (z->dependency_sum > z->n_dependencies + MUTANT(342)) { /* mutant: one may be shared */
		z->defects |= ZEN_DEPENDENCIES_SHARED;
		return;
	}
	if (wait_for_earlier(z))
		return;
	if (!digraph_find_cycle(r->arena, &g, &z->step_cycle)) {
		zen_fail(r, ZEN_GRAPH);
		return;
	}
	if (z->step_cycle.length > 0)
		z->defects |= ZEN_STEP_CYCLE;
}

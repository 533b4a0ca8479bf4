/* Chains of references: which of them lead back to where they began, and which are too long. */
#include "formats/upkg/tables/chains.h"

#include "core/mutant.h"
#include "formats/upkg/tables/objects.h"

#define NOBODY UINT32_MAX

/* An object is a node of a graph: exports first, then imports. */
static uint32_t node_of(const struct upkg *u, int32_t reference)
{
	const uint32_t n_exports = u->tables[TABLE_EXPORTS].n,
		       n_imports = u->tables[TABLE_IMPORTS].n;

	if (reference > 0)
		return (uint32_t)reference <= n_exports ? (uint32_t)reference - 1 : NOBODY;
	if (reference < 0)
		return (uint32_t) - (int64_t)reference <= n_imports
			       ? n_exports + (uint32_t)(-(int64_t)reference - 1)
			       : NOBODY;
	return NOBODY;
}

/* A node_parent returns the node that a node refers to, or NOBODY. Every node has one parent at
 * most. */
typedef uint32_t node_parent(const struct upkg *u, uint32_t node);

static uint32_t outer_of(const struct upkg *u, uint32_t node)
{
	const uint32_t n_exports = u->tables[TABLE_EXPORTS].n;

	return node_of(u, node < n_exports ? u->exports[node].outer
					   : u->imports[node - n_exports].outer);
}

/* The class and the super of a node, if they are exports: of imports this package says no more. */
static uint32_t export_of(const struct upkg *u, int32_t reference)
{
	uint32_t other = node_of(u, reference);

	return other < u->tables[TABLE_EXPORTS].n ? other : NOBODY;
}

static uint32_t super_of(const struct upkg *u, uint32_t node)
{
	return export_of(u, upkg_super_of(u, &u->exports[node]));
}

static uint32_t class_of(const struct upkg *u, uint32_t node)
{
	return export_of(u, u->exports[node].class);
}

/* Gives a node a trait: one if it is an export, another if it is an import. */
static void mark_node(struct upkg *u, uint32_t node, enum upkg_export_trait of_export,
		      enum upkg_import_trait of_import)
{
	const uint32_t n_exports = u->tables[TABLE_EXPORTS].n;

	if (node < n_exports)
		u->export_traits |= u->exports[node].traits |= of_export;
	else
		u->imports_traits[node - n_exports] |= (uint16_t)of_import;
}

/* What is known of a node while chains are followed. */
struct link {
	uint32_t parent;
	uint32_t mark;  /* 0: not visited yet; else the walk that visited it */
	uint32_t depth; /* nodes in its chain */
};

static struct link *make_links(struct decode *d, const struct upkg *u, node_parent *parent,
			       uint32_t n)
{
	struct link *links = decode_alloc(d, UPKG_LINKS, n, sizeof *links);

	for (uint32_t i = 0; links && i < n; i++)
		links[i] = (struct link){ .parent = parent(u, i) };
	return links;
}

static void mark_cycle(struct upkg *u, const struct link *links, uint32_t first,
		       enum upkg_export_trait trait)
{
	uint32_t node = first;

	do {
		mark_node(u, node, trait, IMPORT_IN_CYCLE);
		node = links[node].parent;
	} while (node != first);
}

/* Counts the nodes in the chains of the n_met nodes that a walk visited; after the last of them
 * `rest` more follow. */
static void count_depths(struct upkg *u, struct link *links, uint32_t node, uint32_t n_met,
			 uint32_t rest)
{
	for (uint32_t left = n_met; left > 0; left--, node = links[node].parent) {
		links[node].depth = rest + left;
		if (links[node].depth > UPKG_CHAIN_MAX)
			mark_node(u, node, EXPORT_DEEP, IMPORT_DEEP);
	}
}

/* Each walk begins at a node that was not visited, follows the parents, and ends at one that
 * was: if that has the mark of this walk, there is a cycle. */
static bool follow_chains(struct decode *d, struct upkg *u, node_parent *parent,
			  enum upkg_export_trait trait, uint32_t n)
{
	struct arena_mark mark = arena_mark(d->arena);
	struct link *links = make_links(d, u, parent, n);

	if (!links)
		return false;
	for (uint32_t start = 0; start < n; start++) {
		uint32_t node = start, n_met = 0;

		for (; node != NOBODY && links[node].mark == 0; n_met++) {
			links[node].mark = start + 1;
			node = links[node].parent;
		}
		/* mutant: 1 is none */
		if (node != NOBODY && links[node].mark == start + 1 &&
		    !(MUTANT(58) && links[node].parent == node))
			mark_cycle(u, links, node, trait);
		count_depths(u, links, start, n_met, node == NOBODY ? 0 : links[node].depth);
	}
	arena_rewind(d->arena, mark);
	return true;
}

bool upkg_follow_outers(struct decode *d, struct upkg *u)
{
	return follow_chains(d, u, outer_of, EXPORT_OUTER_CYCLE,
			     u->tables[TABLE_EXPORTS].n + u->tables[TABLE_IMPORTS].n);
}

/* Many packages have no class whose super is an export, and most no object whose class is one. */
bool upkg_follow_classes(struct decode *d, struct upkg *u)
{
	const uint32_t n = u->tables[TABLE_EXPORTS].n;

	if (u->export_traits & EXPORT_OWN_SUPER &&
	    !follow_chains(d, u, super_of, EXPORT_SUPER_CYCLE, n))
		return false;
	return !(u->export_traits & EXPORT_OWN_CLASS) ||
	       follow_chains(d, u, class_of, EXPORT_CLASS_CYCLE, n);
}

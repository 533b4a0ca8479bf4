/* Directed graphs: whether one has a cycle. Its nodes are numbers, and its edges stay in the table
 * that has them: functions say where a node's edges are, and where an edge leads. */
#ifndef UVET_CORE_DIGRAPH_H
#define UVET_CORE_DIGRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/compiler.h"
#include "core/span.h"

/* The edges of a node are a run of edge numbers. A target of n or above is no node. */
typedef struct span digraph_edges(const void *table, uint32_t node);
typedef uint64_t digraph_target(const void *table, uint64_t edge);

struct digraph {
	uint32_t n; /* nodes, less than UINT32_MAX */
	const void *table;
	digraph_edges *edges;
	digraph_target *target;
};

/* A cycle: how many nodes it has, and one of them. length 0: there is none. */
struct digraph_cycle {
	uint32_t node, length;
};

/* digraph_find_cycle looks for a cycle. It passes each node and each edge once, so its cost is the
 * nodes and the edges together, and it takes 21 bytes a node from the arena while it runs. false:
 * memory ended. */
UVET_MUST_USE bool digraph_find_cycle(struct arena *arena, const struct digraph *g,
				      struct digraph_cycle *out);

#endif

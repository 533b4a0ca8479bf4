/* Directed graphs: a search in depth, whose path is a list of parents instead of a recursion. */
#include "core/digraph.h"

#include "core/mutant.h"

#include <string.h>

enum { NEW, ON_PATH, DONE };

/* A node of the search: the edge that is looked at next, and where its edges end. */
struct visit {
	uint64_t next, end;
};

struct search {
	const struct digraph *g;
	struct visit *visits;
	uint32_t *parents;
	uint8_t *states;
};

static void enter(struct search *s, uint32_t node, uint32_t parent)
{
	const struct span edges = s->g->edges(s->g->table, node);

	s->visits[node] = (struct visit){ edges.at, edges.at + edges.len };
	s->parents[node] = parent;
	s->states[node] = ON_PATH;
}

static uint32_t length_of(const struct search *s, uint32_t last, uint32_t first)
{
	uint32_t n = 1;

	for (uint32_t node = last; node != first; node = s->parents[node])
		n++;
	return n;
}

/* Follows all paths from a node that was not visited. An edge to a node of the path that leads to
 * it closes a cycle. */
static struct digraph_cycle follow(struct search *s, uint32_t start)
{
	uint32_t node = start;

	enter(s, start, start);
	for (;;) {
		struct visit *v = &s->visits[node];
		uint64_t target;

		if (v->next == v->end) {
			s->states[node] = DONE;
			if (node == start)
				return (struct digraph_cycle){ 0, 0 };
			node = s->parents[node];
			continue;
		}
		target = s->g->target(s->g->table, v->next++);
		/* mutant: an edge to the node itself is none */
		if (target >= s->g->n || s->states[target] == DONE ||
		    (MUTANT(339) && target == node))
			continue;
		if (s->states[target] == ON_PATH)
			return (struct digraph_cycle){ (uint32_t)target,
						       length_of(s, node, (uint32_t)target) };
		enter(s, (uint32_t)target, node);
		node = (uint32_t)target;
	}
}

bool digraph_find_cycle(struct arena *arena, const struct digraph *g, struct digraph_cycle *out)
{
	const struct arena_mark mark = arena_mark(arena);
	struct search s = {
		.g = g,
		/* mutant: of several nodes the last one has no place */
		.visits = arena_alloc(arena, g->n - (MUTANT(340) && g->n > 1), sizeof *s.visits),
		.parents = arena_alloc(arena, g->n, sizeof *s.parents),
		.states = arena_alloc(arena, g->n, sizeof *s.states),
	};
	const bool has_room = s.visits && s.parents && s.states;

	*out = (struct digraph_cycle){ 0, 0 };
	if (has_room) {
		memset(s.states, NEW, g->n);
		for (uint32_t i = 0; i < g->n && out->length == 0; i++)
			if (s.states[i] == NEW)
				*out = follow(&s, i);
	}
	arena_rewind(arena, mark);
	return has_room;
}

/* Circles of imports: groups of packages of classes of which each leads to each other. Tarjan's
 * search, with its stack in the arena. */
#include "formats/set/links.h"

bool set_add_edge(struct decode *d, struct set_edges *edges, uint32_t from, uint32_t to,
		  uint32_t import)
{
	edges->rows = decode_grow(d, SET_LINKS, edges->rows, edges->n, &edges->max,
				  sizeof *edges->rows);
	if (!edges->rows)
		return false;
	edges->rows[edges->n++] = (struct set_edge){ from, to, import };
	return true;
}

struct node {
	uint32_t first_edge, next_edge, end_edge;
	uint32_t number, low; /* number 0: it was not reached yet */
	uint32_t below;       /* on the path; SET_NONE: it is the first */
	bool is_waiting;      /* no group was found for it yet */
};

struct search {
	struct decode *d;
	struct set *u;
	const struct set_edges *edges;
	struct node *nodes;
	uint32_t *waiting;
	uint32_t n, n_waiting, n_reached;
};

static bool is_classes(const struct search *s, uint32_t file)
{
	return file < s->n && s->u->members[file].kind == SET_CLASSES;
}

static bool begin(struct search *s)
{
	s->nodes = decode_alloc(s->d, SET_LINKS, s->n, sizeof *s->nodes);
	s->waiting = decode_alloc(s->d, SET_LINKS, s->n, sizeof *s->waiting);
	if (!s->nodes || !s->waiting ||
	    !decode_spend(s->d, SET_LINKS, (uint64_t)s->n + s->edges->n))
		return false;
	memset(s->nodes, 0, s->n * sizeof *s->nodes);
	for (uint32_t e = 0; e < s->edges->n; e++) {
		struct node *from = &s->nodes[s->edges->rows[e].from];

		if (from->end_edge == 0)
			from->first_edge = e;
		from->end_edge = e + 1;
	}
	return true;
}

static void reach(struct search *s, uint32_t node, uint32_t below)
{
	struct node *at = &s->nodes[node];

	at->number = at->low = ++s->n_reached;
	at->next_edge = at->first_edge;
	at->below = below;
	at->is_waiting = true;
	s->waiting[s->n_waiting++] = node;
}

/* The first edge of a file that leads into its group. */
static const struct set_edge *edge_inside(const struct search *s, uint32_t file)
{
	const struct node *of = &s->nodes[file];

	for (uint32_t e = of->first_edge; e < of->end_edge; e++)
		if (is_classes(s, s->edges->rows[e].to) &&
		    s->nodes[s->edges->rows[e].to].low == of->low)
			return &s->edges->rows[e];
	return NULL;
}

/* The group is what waits from its first node on. It is told of the file that comes first by name.
 * While it is told, `low` numbers the group. */
static bool tell_group(struct search *s, uint32_t root)
{
	const uint32_t group = s->nodes[root].number;
	uint32_t first = root, n = 0, node;
	const struct set_edge *edge;

	do {
		node = s->waiting[--s->n_waiting];
		s->nodes[node].is_waiting = false;
		s->nodes[node].low = group;
		first = node < first ? node : first;
		n++;
	} while (node != root);
	edge = n > 1 ? edge_inside(s, first) : NULL;
	if (!edge)
		return true;
	return set_add_flaw(s->d, &s->u->link_flaws, SET_LINKS,
			    &(struct set_flaw){ .traits = SET_CYCLE,
						.file = first,
						.other = edge->to,
						.row = edge->import,
						.number = n });
}

/* Follows one more edge of a node, or leaves it. It returns the node to go on with. */
static uint32_t step(struct search *s, uint32_t node, bool *ok)
{
	struct node *at = &s->nodes[node];
	uint32_t to;

	if (at->next_edge < at->end_edge) {
		to = s->edges->rows[at->next_edge++].to;
		if (!is_classes(s, to))
			return node;
		if (s->nodes[to].number == 0) {
			reach(s, to, node);
			return to;
		}
		if (s->nodes[to].is_waiting && s->nodes[to].number < at->low)
			at->low = s->nodes[to].number;
		return node;
	}
	to = at->below;
	if (to != SET_NONE && at->low < s->nodes[to].low)
		s->nodes[to].low = at->low;
	if (at->low == at->number)
		*ok = tell_group(s, node);
	return to;
}

bool set_find_cycles(struct decode *d, struct set *u, const struct set_edges *edges)
{
	struct search s = { .d = d, .u = u, .edges = edges, .n = u->in->n_given };
	bool ok = true;

	if (edges->n == 0)
		return true;
	if (!begin(&s))
		return false;
	for (uint32_t i = 0; i < s.n && ok; i++) {
		uint32_t node = i;

		if (!is_classes(&s, i) || s.nodes[i].number != 0)
			continue;
		reach(&s, i, SET_NONE);
		while (node != SET_NONE && ok)
			node = step(&s, node, &ok);
	}
	return ok;
}

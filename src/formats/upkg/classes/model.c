/* Models: the tree of nodes that a brush or a level is made of. Source: clause 9.8. */
#include "formats/upkg/classes/readers.h"

#include "core/mutant.h"
#include "formats/upkg/body/parts.h"
#include "formats/upkg/classes/kinds.h"
#include "formats/upkg/classes/parts.h"
#include "formats/upkg/classes/polygon.h"
#include "formats/upkg/classes/scratch.h"

enum { ZONES_MAX = 64, BOUND_LEN = 25, VECTOR_LEN = 12 };

/* What is examined of a node. */
enum node_state { NODE_UNSEEN, NODE_OPEN, NODE_DONE };
enum node_index {
	NODE_POOL,
	NODE_SURF,
	NODE_BACK,
	NODE_FRONT,
	NODE_PLANE,
	NODE_COLLISION,
	NODE_RENDER,
	NODE_ZONE_1,
	NODE_ZONE_2,
	N_NODE_INDEXES
};
struct model_node {
	uint32_t at;
	int32_t indexes[N_NODE_INDEXES], leaves[2];
	/* where each index begins, from `at` on, and where the last one ends */
	uint8_t starts[N_NODE_INDEXES + 1];
	uint8_t n_verts, state, n_followed;
};

/* What of a model refers to things that come later. */
struct model_surf {
	uint32_t at; /* of the index of its light map */
	uint32_t len;
	int32_t light_map;
};
struct model_vert {
	uint32_t at; /* with VERT_TOLD once its flaw was noted */
	int32_t point;
};
struct model_light_map {
	uint32_t at, light_at;
	int32_t bit, light;
	int32_t sides[2];
	uint8_t sides_len; /* of both indexes together */
};

/* An entry of the hulls, and the first from there on that breaks the hull; HULL_WHOLE: none
 * does. */
struct model_hull {
	int32_t entry, broken;
	bool told;
};
#define HULL_WHOLE (-1)
#define VERT_TOLD 0x80000000u

/* How many of each thing a model has. */
struct counts {
	int64_t vectors, points, nodes, surfs, verts, zones, lightmaps, light_bits, bounds,
		leaf_hulls, leaves, lights;
};

struct walk {
	struct body *b;
	struct counts n;
	struct model_node *nodes;
	struct model_surf *surfs;
	struct model_vert *verts; /* and one more, so that each has an end */
	struct model_light_map *light_maps;
	struct model_hull *hulls;
	uint64_t hulls_at; /* of the first */
	/* for each light the first from there on that is 0; n.lights: none is */
	uint32_t *light_ends;
};

static bool read_indexes(struct body *b, unsigned n, int64_t *out)
{
	for (unsigned i = 0; i < n; i++)
		if (!body_index(b, &out[i]))
			return body_cut(b);
	return true;
}

static bool read_i32(struct body *b, int64_t *out)
{
	return body_whole(b, body_i32(b, out));
}

/* ---- Nodes, surfaces, vertices --------------------------------------------------------------- */

enum { NODE_HEAD_LEN = 16 + 8 + 1, NODE_LEAST = NODE_HEAD_LEN + N_NODE_INDEXES + 1 + 8 };

static bool read_node(struct body *b, struct model_node *node)
{
	const uint64_t at = body_at(b);
	uint64_t n_verts;
	int64_t v, leaves[2];

	*node = (struct model_node){ .at = (uint32_t)at };
	if (!body_step(b, NODE_HEAD_LEN))
		return false;
	for (unsigned i = 0; i < N_NODE_INDEXES; i++) {
		node->starts[i] = (uint8_t)(body_at(b) - at);
		if (!body_index(b, &v))
			return body_cut(b);
		node->indexes[i] = (int32_t)v;
	}
	node->starts[N_NODE_INDEXES] = (uint8_t)(body_at(b) - at);
	if (!body_u8(b, &n_verts) || !body_i32(b, &leaves[0]) || !body_i32(b, &leaves[1]))
		return body_cut(b);
	node->n_verts = (uint8_t)n_verts;
	node->leaves[0] = (int32_t)leaves[0];
	node->leaves[1] = (int32_t)leaves[1];
	return true;
}

static bool read_nodes(struct walk *w)
{
	if (!body_count(w->b, NODE_LEAST, &w->n.nodes))
		return false;
	w->nodes = buffer_reserve(w->b, &scratch_of(w->b)->nodes, (uint64_t)w->n.nodes,
				  sizeof *w->nodes);
	for (int64_t i = 0; w->nodes && i < w->n.nodes; i++)
		if (!decode_spend(w->b->d, UPKG_MODELS, 1) || !read_node(w->b, &w->nodes[i]))
			return false;
	return w->nodes;
}

static bool is_outside(int64_t v, int64_t least, int64_t end)
{
	return v < least || v >= end;
}

/* Surfaces come after the points and vectors that they refer to, and before the light maps. */
static bool read_surf(struct walk *w, int64_t number)
{
	static const uint8_t parts[] = { PART_POINT, PART_NORMAL, PART_TEXTURE_U, PART_TEXTURE_V };
	struct body *b = w->b;
	uint64_t at;
	int64_t v;

	if (!body_thing(b, FLAW_MODEL_THING, MODEL_SURF_TEXTURE, WANT_TEXTURE) || !body_step(b, 4))
		return false;
	for (unsigned i = 0; i < 6; i++) {
		at = body_at(b);
		if (!body_index(b, &v))
			return body_cut(b);
		if (i < 4 && is_outside(v, 0, i == 0 ? w->n.points : w->n.vectors))
			body_flaw_part(b, FLAW_SURF, parts[i], at, body_at(b) - at, number, v);
		if (i == 4)
			w->surfs[number] = (struct model_surf){ (uint32_t)at,
								(uint32_t)(body_at(b) - at),
								(int32_t)v };
	}
	return body_step(b, 4) && body_thing(b, FLAW_MODEL_THING, MODEL_SURF_ACTOR, WANT_ACTOR);
}

static bool read_surfs(struct walk *w)
{
	if (!body_count(w->b, 16, &w->n.surfs))
		return false;
	w->surfs = buffer_reserve(w->b, &scratch_of(w->b)->surfs, (uint64_t)w->n.surfs,
				  sizeof *w->surfs);
	for (int64_t i = 0; w->surfs && i < w->n.surfs; i++)
		if (!decode_spend(w->b->d, UPKG_MODELS, 1) || !read_surf(w, i))
			return false;
	return w->surfs;
}

static bool read_verts(struct walk *w)
{
	struct body *b = w->b;
	int64_t v[2];

	if (!body_count(b, 2, &w->n.verts) ||
	    !decode_spend(b->d, UPKG_MODELS, (uint64_t)w->n.verts))
		return false;
	w->verts = buffer_reserve(b, &scratch_of(b)->verts, (uint64_t)w->n.verts + 1,
				  sizeof *w->verts);
	for (int64_t i = 0; w->verts && i < w->n.verts; i++) {
		w->verts[i].at = (uint32_t)body_at(b);
		if (!read_indexes(b, 2, v))
			return false;
		w->verts[i].point = (int32_t)v[0];
	}
	if (w->verts)
		w->verts[w->n.verts] = (struct model_vert){ .at = (uint32_t)body_at(b) };
	return w->verts;
}

static bool read_zones(struct walk *w)
{
	struct body *b = w->b;
	const uint64_t at = body_at(b) + 4, len = b->u->tag.version < 63 ? 20 : 16;

	if (!body_step(b, 4) || !read_i32(b, &w->n.zones))
		return false;
	if (w->n.zones > 0 && (uint64_t)w->n.zones > body_left(b) / (1 + len))
		return body_flaw(b, FLAW_COUNT, at, 4, w->n.zones, (int64_t)body_left(b));
	if (w->n.zones < 0)
		body_flaw(b, FLAW_ZONES_NEGATIVE, at, 4, w->n.zones, 0);
	else if (w->n.zones > ZONES_MAX)
		body_flaw(b, FLAW_ZONES, at, 4, w->n.zones, 0);
	for (int64_t i = 0; i < w->n.zones; i++)
		if (!decode_spend(b->d, UPKG_MODELS, 1) ||
		    !body_thing(b, FLAW_MODEL_THING, MODEL_ZONE_ACTOR, WANT_ACTOR) ||
		    !body_step(b, len))
			return false;
	return true;
}

/* ---- Light ----------------------------------------------------------------------------------- */

enum { SIDES_AT = 4 + VECTOR_LEN }; /* from where a light map begins */

/* Light maps come before the bits and lights that they refer to. */
static bool read_light_map(struct walk *w, struct model_light_map *m)
{
	struct body *b = w->b;
	int64_t bit, light, clamps[2];

	m->at = (uint32_t)body_at(b);
	if (!read_i32(b, &bit) || !body_step(b, VECTOR_LEN) || !read_indexes(b, 2, clamps))
		return false;
	m->sides[0] = (int32_t)clamps[0];
	m->sides[1] = (int32_t)clamps[1];
	m->sides_len = (uint8_t)(body_at(b) - m->at - SIDES_AT);
	if (!body_step(b, 8))
		return false;
	m->light_at = (uint32_t)body_at(b);
	m->bit = (int32_t)bit;
	if (!read_i32(b, &light))
		return false;
	m->light = (int32_t)light;
	return true;
}

static bool read_light_maps(struct walk *w)
{
	if (!body_count(w->b, 30, &w->n.lightmaps))
		return false;
	w->light_maps = buffer_reserve(w->b, &scratch_of(w->b)->light_maps,
				       (uint64_t)w->n.lightmaps, sizeof *w->light_maps);
	for (int64_t i = 0; w->light_maps && i < w->n.lightmaps; i++)
		if (!decode_spend(w->b->d, UPKG_MODELS, 1) || !read_light_map(w, &w->light_maps[i]))
			return false;
	return w->light_maps;
}

static bool read_leaves(struct walk *w)
{
	int64_t v[3];

	if (!body_count(w->b, 11, &w->n.leaves))
		return false;
	for (int64_t i = 0; i < w->n.leaves; i++)
		if (!decode_spend(w->b->d, UPKG_MODELS, 1) || !read_indexes(w->b, 3, v) ||
		    !body_step(w->b, 8))
			return false;
	return true;
}

static bool read_lights(struct walk *w)
{
	struct body *b = w->b;
	uint64_t at;
	int32_t light;

	if (!body_count(b, 1, &w->n.lights))
		return false;
	w->light_ends = buffer_reserve(b, &scratch_of(b)->lights, (uint64_t)w->n.lights,
				       sizeof *w->light_ends);
	for (int64_t i = 0; w->light_ends && i < w->n.lights; i++) {
		at = body_at(b);
		if (!decode_spend(b->d, UPKG_MODELS, 1) ||
		    !body_whole(b, body_object(b, FLAW_NATIVE_REFERENCE, &light)))
			return false;
		if (!body_is_wanted(b->u, light, WANT_ACTOR))
			body_flaw_part(b, FLAW_MODEL_THING, MODEL_LIGHT, at, body_at(b) - at, light,
				       0);
		w->light_ends[i] = light == 0 ? (uint32_t)i : (uint32_t)w->n.lights;
	}
	for (int64_t i = w->n.lights - 2; w->light_ends && i >= 0; i--)
		if (w->light_ends[i] != (uint32_t)i)
			w->light_ends[i] = w->light_ends[i + 1];
	return w->light_ends;
}

static bool read_hulls(struct walk *w)
{
	struct body *b = w->b;
	int64_t entry;

	if (!body_count(b, 4, &w->n.leaf_hulls))
		return false;
	w->hulls_at = body_at(b);
	w->hulls = buffer_reserve(b, &scratch_of(b)->hulls, (uint64_t)w->n.leaf_hulls,
				  sizeof *w->hulls);
	for (int64_t i = 0; w->hulls && i < w->n.leaf_hulls; i++) {
		if (!decode_spend(b->d, UPKG_MODELS, 1) || !read_i32(b, &entry))
			return false;
		w->hulls[i] = (struct model_hull){ .entry = (int32_t)entry };
	}
	return w->hulls;
}

/* ---- What refers to what --------------------------------------------------------------------- */

static void note_index(struct walk *w, enum upkg_flaw_kind kind, uint8_t part, int64_t number,
		       enum node_index i)
{
	const struct model_node *node = &w->nodes[number];

	body_flaw_part(w->b, kind, part, node->at + (uint64_t)node->starts[i],
		       (uint64_t)node->starts[i + 1] - node->starts[i], number, node->indexes[i]);
}

/* A hull is nodes up to -1, and then its box: six numbers. The second highest bit of a node says
 * which side of it the hull lies on. */
enum { HULL_END = -1, HULL_SIDE = 0x40000000, HULL_BOX = 6 };

static void find_broken_hulls(struct walk *w)
{
	for (int64_t i = w->n.leaf_hulls - 1; i >= 0; i--) {
		struct model_hull *h = &w->hulls[i];

		if (h->entry == HULL_END)
			h->broken = w->n.leaf_hulls - i > HULL_BOX ? HULL_WHOLE : (int32_t)i;
		else if (is_outside(h->entry & ~HULL_SIDE, 0, w->n.nodes) ||
			 i + 1 == w->n.leaf_hulls)
			h->broken = (int32_t)i;
		else
			h->broken = w->hulls[i + 1].broken;
	}
}

/* What breaks several hulls is noted once, for the first node that has one of them. */
static void examine_hull(struct walk *w, int64_t number, int32_t first)
{
	const int32_t broken = w->hulls[first].broken;
	enum upkg_flaw_kind kind = FLAW_HULL_OPEN;

	if (broken == HULL_WHOLE || w->hulls[broken].told)
		return;
	w->hulls[broken].told = true;
	if (w->hulls[broken].entry == HULL_END)
		kind = FLAW_HULL_BOX;
	else if (is_outside(w->hulls[broken].entry & ~HULL_SIDE, 0, w->n.nodes))
		kind = FLAW_HULL_NODE;
	body_flaw(w->b, kind, w->hulls_at + (uint64_t)4 * (uint64_t)broken, 4, number,
		  w->hulls[broken].entry);
}

/* What a node refers to besides its surface, its vertices and other nodes. */
static void examine_parts(struct walk *w, int64_t number)
{
	const int64_t zones = w->n.zones > 1 ? w->n.zones : 1;
	const struct model_node *node = &w->nodes[number];
	const uint64_t leaves_at = node->at + (uint64_t)node->starts[N_NODE_INDEXES] + 1;

	if (is_outside(node->indexes[NODE_COLLISION], -1, w->n.leaf_hulls))
		note_index(w, FLAW_NODE_OTHER, PART_COLLISION_BOUND, number, NODE_COLLISION);
	else if (node->indexes[NODE_COLLISION] >= 0)
		examine_hull(w, number, node->indexes[NODE_COLLISION]);
	if (is_outside(node->indexes[NODE_RENDER], -1, w->n.bounds))
		note_index(w, FLAW_NODE_OTHER, PART_RENDER_BOUND, number, NODE_RENDER);
	for (unsigned i = NODE_ZONE_1; i <= NODE_ZONE_2; i++)
		if (is_outside(node->indexes[i], 0, zones))
			note_index(w, FLAW_NODE_OTHER, PART_ZONE, number, i);
	for (unsigned i = 0; i < 2; i++)
		if (is_outside(node->leaves[i], -1, w->n.leaves))
			body_flaw_part(w->b, FLAW_NODE_OTHER, PART_LEAF,
				       leaves_at + (uint64_t)4 * i, 4, number, node->leaves[i]);
}

/* Only vertices of a node are examined: others may be stale. One of several nodes is noted once. */
static bool examine_vertices(struct walk *w, int64_t number)
{
	const struct model_node *node = &w->nodes[number];
	const int64_t first = node->indexes[NODE_POOL];

	if (node->n_verts == 0)
		return true;
	if (node->n_verts > POLY_VERTICES_MAX)
		body_flaw(w->b, FLAW_NODE_VERTS_MANY,
			  node->at + (uint64_t)node->starts[N_NODE_INDEXES], 1, number,
			  node->n_verts);
	/* mutant: a vertex more */
	if (first < 0 || first + node->n_verts > w->n.verts + MUTANT(83)) {
		note_index(w, FLAW_NODE_VERTS, 0, number, NODE_POOL);
		return true;
	}
	if (!decode_spend(w->b->d, UPKG_MODELS, node->n_verts))
		return false;
	for (int64_t i = first; i < first + node->n_verts; i++) {
		const uint64_t at = w->verts[i].at, end = w->verts[i + 1].at & ~VERT_TOLD;

		if (!is_outside(w->verts[i].point, 0, w->n.points) || at & VERT_TOLD)
			continue;
		body_flaw(w->b, FLAW_VERT_POINT, at, end - at, number, w->verts[i].point);
		w->verts[i].at |= VERT_TOLD;
	}
	return true;
}

static bool examine_nodes(struct walk *w)
{
	find_broken_hulls(w);
	for (int64_t i = 0; i < w->n.nodes; i++) {
		if (is_outside(w->nodes[i].indexes[NODE_SURF], 0, w->n.surfs))
			note_index(w, FLAW_NODE_SURF, 0, i, NODE_SURF);
		for (unsigned k = NODE_BACK; k <= NODE_PLANE; k++)
			if (is_outside(w->nodes[i].indexes[k], -1, w->n.nodes))
				note_index(w, FLAW_NODE_LINK, 0, i, k);
		examine_parts(w, i);
		if (!examine_vertices(w, i))
			return false;
	}
	return true;
}

/* Each light of a map has a bit for each of its points, in whole bytes a row. */
static void examine_map_bits(struct walk *w, int64_t number)
{
	const struct model_light_map *m = &w->light_maps[number];
	const uint64_t lights = w->light_ends[m->light] - (uint64_t)m->light;
	const uint64_t left = (uint64_t)(w->n.light_bits - m->bit);

	for (unsigned i = 0; i < 2; i++)
		if (m->sides[i] < 0) {
			body_flaw(w->b, i == 0 ? FLAW_MAP_WIDTH : FLAW_MAP_HEIGHT, m->at + SIDES_AT,
				  m->sides_len, number, m->sides[i]);
			return;
		}
	if (lights > 0 && ((uint64_t)m->sides[0] + 7) / 8 * (uint64_t)m->sides[1] > left / lights)
		body_flaw(w->b, FLAW_MAP_BITS, m->at, 4, number, m->bit);
}

static void examine_map(struct walk *w, int64_t number)
{
	const struct model_light_map *m = &w->light_maps[number];
	const bool no_bit = is_outside(m->bit, 0, w->n.light_bits + 1);

	if (no_bit)
		body_flaw(w->b, FLAW_MAP_BIT, m->at, 4, number, m->bit);
	if (is_outside(m->light, -1, w->n.lights))
		body_flaw(w->b, FLAW_MAP_LIGHT, m->light_at, 4, number, m->light);
	else if (m->light >= 0 && w->light_ends[m->light] == w->n.lights)
		body_flaw(w->b, FLAW_MAP_LIGHT_END, m->light_at, 4, number, m->light);
	else if (m->light >= 0 && !no_bit)
		examine_map_bits(w, number);
}

static void examine_light(struct walk *w)
{
	struct body *b = w->b;

	for (int64_t i = 0; i < w->n.surfs; i++) {
		const struct model_surf *s = &w->surfs[i];

		if (is_outside(s->light_map, -1, w->n.lightmaps))
			body_flaw_part(b, FLAW_SURF, PART_LIGHT_MAP, s->at, s->len, i,
				       s->light_map);
	}
	for (int64_t i = 0; i < w->n.lightmaps; i++)
		examine_map(w, i);
}

/* Follows the next link of the node on top of the stack, or takes the node off. */
static void follow_link(struct walk *w, uint32_t *stack, uint32_t *depth)
{
	const uint32_t number = stack[*depth - 1];
	struct model_node *node = &w->nodes[number];
	enum node_index i = NODE_BACK + node->n_followed;
	int32_t next;

	if (i > NODE_PLANE) {
		node->state = NODE_DONE;
		--*depth;
		return;
	}
	node->n_followed++;
	next = node->indexes[i];
	if (is_outside(next, 0, w->n.nodes + MUTANT(80))) /* mutant: a node behind the last */
		return;
	if (w->nodes[next].state == NODE_OPEN) {
		note_index(w, FLAW_NODE_CYCLE, 0, number, i);
	} else if (w->nodes[next].state == NODE_UNSEEN) {
		w->nodes[next].state = NODE_OPEN;
		stack[(*depth)++] = (uint32_t)next;
	}
}

/* Follows the links of all nodes, each once; a link back to a node that is still open is a
 * cycle. */
static bool examine_tree(struct walk *w)
{
	uint32_t *stack = buffer_reserve(w->b, &scratch_of(w->b)->stack, (uint64_t)w->n.nodes,
					 sizeof *stack);
	uint32_t depth;

	if (!stack || !decode_spend(w->b->d, UPKG_MODELS, (uint64_t)w->n.nodes))
		return false;
	for (int64_t start = 0; start < w->n.nodes; start++) {
		if (w->nodes[start].state != NODE_UNSEEN)
			continue;
		w->nodes[start].state = NODE_OPEN;
		stack[0] = (uint32_t)start;
		for (depth = 1; depth > 0;)
			follow_link(w, stack, &depth);
	}
	return true;
}

bool body_model(struct body *b)
{
	struct walk w = { .b = b };

	if (!body_step(b, BOUND_LEN + 16) || !body_array(b, VECTOR_LEN, &w.n.vectors) ||
	    !body_array(b, VECTOR_LEN, &w.n.points) || !read_nodes(&w) || !read_surfs(&w) ||
	    !read_verts(&w) || !read_zones(&w) ||
	    !body_thing(b, FLAW_MODEL_THING, MODEL_POLYS, WANT_POLYS) || !read_light_maps(&w) ||
	    !body_array(b, 1, &w.n.light_bits) || !body_array(b, BOUND_LEN, &w.n.bounds) ||
	    !read_hulls(&w) || !read_leaves(&w) || !read_lights(&w) || !body_step(b, 8))
		return false;
	examine_light(&w);
	return body_closed(b, examine_nodes(&w) && examine_tree(&w));
}

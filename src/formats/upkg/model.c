/* Models: the tree of nodes that a brush or a level is made of. Source: clause 9.8. */
#include "formats/upkg/body.h"

#include "core/canary.h"

enum { ZONES_MAX = 64, BOUND_LEN = 25, VECTOR_LEN = 12 };

/* How many of each thing a model has. */
struct counts {
	int64_t vectors, points, nodes, surfs, verts, zones, lightmaps, light_bits, bounds, leaf_hulls, leaves, lights;
};

struct walk {
	struct body *b;
	struct counts n;
	struct model_node *nodes;
	int32_t *verts;                         /* for each vert its point */
};

static bool read_indexes(struct body *b, unsigned n, int64_t *out)
{
	for (unsigned i = 0; i < n; i++)
		if (!body_index(b, &out[i]))
			return body_cut(b);
	return true;
}

static bool skip(struct body *b, uint64_t n)
{
	return body_skip(b, n) || body_cut(b);
}

static bool skip_object(struct body *b)
{
	int32_t v;

	return body_object(b, FLAW_NATIVE_REFERENCE, &v) || body_cut(b);
}

/* An array of elements that all have the same length and are not looked at. */
static bool skip_array(struct body *b, uint64_t len, int64_t *n)
{
	return body_count(b, len, n) && skip(b, (uint64_t)*n * len);
}

static bool read_i32(struct body *b, int64_t *out)
{
	return body_i32(b, out) || body_cut(b);
}

/* ---- Nodes, surfaces, vertices ------------------------------------------------------------------------------------ */

static bool read_node(struct body *b, struct model_node *node)
{
	uint64_t at = body_at(b), n_verts;
	int64_t v[9], leaves[2];

	if (!skip(b, 16 + 8 + 1) || !read_indexes(b, 9, v))
		return false;
	if (!body_u8(b, &n_verts) || !body_i32(b, &leaves[0]) || !body_i32(b, &leaves[1]))
		return body_cut(b);
	*node = (struct model_node){
		.at = at, .vert_pool = (int32_t)v[0], .surf = (int32_t)v[1], .links = { (int32_t)v[2], (int32_t)v[3], (int32_t)v[4] },
		.collision_bound = (int32_t)v[5], .render_bound = (int32_t)v[6], .zones = { (int32_t)v[7], (int32_t)v[8] },
		.leaves = { (int32_t)leaves[0], (int32_t)leaves[1] }, .n_verts = (uint8_t)n_verts,
	};
	return true;
}

static bool read_nodes(struct walk *w)
{
	struct scratch *s = w->b->scratch;

	if (!body_count(w->b, 43, &w->n.nodes))
		return false;
	w->nodes = scratch_room(w->b, &s->nodes, (uint64_t)w->n.nodes, sizeof *w->nodes);
	for (int64_t i = 0; w->nodes && i < w->n.nodes; i++)
		if (!decode_spend(w->b->d, UPKG_MODELS, 1) || !read_node(w->b, &w->nodes[i]))
			return false;
	return w->nodes;
}

static bool outside(int64_t v, int64_t least, int64_t end)
{
	return v < least || v >= end;
}

/* Surfaces come behind the points and vectors that they refer to; the light maps are known later: the largest index is kept. */
static bool read_surfs(struct walk *w, int64_t *light_map)
{
	struct body *b = w->b;
	int64_t v[6];

	if (!body_count(b, 16, &w->n.surfs))
		return false;
	*light_map = -1;
	for (int64_t i = 0; i < w->n.surfs; i++) {
		uint64_t at = body_at(b);

		if (!decode_spend(b->d, UPKG_MODELS, 1) || !skip_object(b) || !skip(b, 4) || !read_indexes(b, 6, v) || !skip(b, 4) ||
		    !skip_object(b))
			return false;
		if (outside(v[0], 0, w->n.points) || outside(v[1], 0, w->n.vectors) || outside(v[2], 0, w->n.vectors) ||
		    outside(v[3], 0, w->n.vectors) || v[4] < -1)
			body_flaw(b, FLAW_SURF, at, body_at(b) - at, i, 0);
		if (v[4] > *light_map)
			*light_map = v[4];
	}
	return true;
}

static bool read_verts(struct walk *w)
{
	struct body *b = w->b;
	int64_t v[2];

	if (!body_count(b, 2, &w->n.verts))
		return false;
	w->verts = scratch_room(b, &b->scratch->verts, (uint64_t)w->n.verts, sizeof *w->verts);
	for (int64_t i = 0; w->verts && i < w->n.verts; i++) {
		if (!read_indexes(b, 2, v))
			return false;
		w->verts[i] = (int32_t)v[0];
	}
	return w->verts;
}

static bool read_zones(struct walk *w)
{
	struct body *b = w->b;
	uint64_t at;

	if (!skip(b, 4))
		return false;
	at = body_at(b);
	if (!read_i32(b, &w->n.zones))
		return false;
	if (w->n.zones < 0 || w->n.zones > ZONES_MAX)
		body_flaw(b, FLAW_ZONES, at, 4, w->n.zones, 0);
	for (int64_t i = 0; i < w->n.zones; i++)
		if (!decode_spend(b->d, UPKG_MODELS, 1) || !skip_object(b) || !skip(b, b->u->tag.version < 63 ? 20 : 16))
			return false;
	return true;
}

/* ---- Light -------------------------------------------------------------------------------------------------------- */

/* The bits and the lights are known later: how far the maps reach into them is kept. */
struct reach {
	int64_t least_bit, last_bit, least_light, last_light;
};

static bool read_light_maps(struct walk *w, struct reach *r)
{
	struct body *b = w->b;
	int64_t bit = 0, light = 0, clamps[2];

	if (!body_count(b, 30, &w->n.lightmaps))
		return false;
	*r = (struct reach){ .least_bit = 0, .last_bit = 0, .least_light = -1, .last_light = -1 };
	for (int64_t i = 0; i < w->n.lightmaps; i++) {
		if (!decode_spend(b->d, UPKG_MODELS, 1) || !read_i32(b, &bit) || !skip(b, 12) || !read_indexes(b, 2, clamps) ||
		    !skip(b, 8) || !read_i32(b, &light))
			return false;
		r->least_bit = bit < r->least_bit ? bit : r->least_bit;
		r->last_bit = bit > r->last_bit ? bit : r->last_bit;
		r->least_light = light < r->least_light ? light : r->least_light;
		r->last_light = light > r->last_light ? light : r->last_light;
	}
	return true;
}

static bool read_leaves(struct walk *w)
{
	int64_t v[3];

	if (!body_count(w->b, 11, &w->n.leaves))
		return false;
	for (int64_t i = 0; i < w->n.leaves; i++)
		if (!decode_spend(w->b->d, UPKG_MODELS, 1) || !read_indexes(w->b, 3, v) || !skip(w->b, 8))
			return false;
	return true;
}

static bool read_lights(struct walk *w)
{
	if (!body_count(w->b, 1, &w->n.lights))
		return false;
	for (int64_t i = 0; i < w->n.lights; i++)
		if (!decode_spend(w->b->d, UPKG_MODELS, 1) || !skip_object(w->b))
			return false;
	return true;
}

/* ---- What refers to what ------------------------------------------------------------------------------------------ */

static void judge_node(struct walk *w, const struct model_node *node, int64_t number)
{
	const int64_t zones = w->n.zones > 1 ? w->n.zones : 1;
	const uint64_t len = 43;

	if (outside(node->surf, 0, w->n.surfs))
		body_flaw(w->b, FLAW_NODE_SURF, node->at, len, number, node->surf);
	if (node->n_verts > 0 && (node->vert_pool < 0 || (int64_t)node->vert_pool + node->n_verts > w->n.verts))
		body_flaw(w->b, FLAW_NODE_VERTS, node->at, len, number, node->vert_pool);
	for (unsigned i = 0; i < 3; i++)
		if (outside(node->links[i], -1, w->n.nodes))
			body_flaw(w->b, FLAW_NODE_LINK, node->at, len, number, node->links[i]);
	if (outside(node->collision_bound, -1, w->n.leaf_hulls) || outside(node->render_bound, -1, w->n.bounds) ||
	    outside(node->leaves[0], -1, w->n.leaves) || outside(node->leaves[1], -1, w->n.leaves) || outside(node->zones[0], 0, zones) ||
	    outside(node->zones[1], 0, zones))
		body_flaw(w->b, FLAW_NODE_OTHER, node->at, len, number, 0);
}

/* Only vertices that a node has count: others may be stale. */
static void judge_vertices(struct walk *w, const struct model_node *node, int64_t number)
{
	if (node->vert_pool < 0 || (int64_t)node->vert_pool + node->n_verts > w->n.verts)
		return;
	for (int64_t i = 0; i < node->n_verts; i++) {
		int32_t point = w->verts[node->vert_pool + i];

		if (!outside(point, 0, w->n.points))
			continue;
		body_flaw(w->b, FLAW_VERT_POINT, node->at, 43, number, point);
		return;
	}
}

/* Follows the links of all nodes, each once; a link back to a node that is still open is a cycle. */
static bool judge_tree(struct walk *w)
{
	struct scratch *s = w->b->scratch;
	uint32_t *stack = scratch_room(w->b, &s->stack, (uint64_t)w->n.nodes, sizeof *stack);
	uint32_t depth;

	if (!stack)
		return false;
	for (int64_t start = 0; start < w->n.nodes; start++) {
		if (w->nodes[start].state != NODE_UNSEEN)
			continue;
		w->nodes[start].state = NODE_OPEN;
		stack[0] = (uint32_t)start;
		for (depth = 1; depth > 0;) {
			struct model_node *node = &w->nodes[stack[depth - 1]];
			int32_t next;

			if (node->n_followed == 3) {
				node->state = NODE_DONE;
				depth--;
				continue;
			}
			next = node->links[node->n_followed++];
			if (outside(next, 0, w->n.nodes) || w->nodes[next].state == NODE_DONE)
				continue;
			if (w->nodes[next].state == NODE_OPEN) {
				body_flaw(w->b, FLAW_NODE_CYCLE, node->at, 43, stack[depth - 1], next);
				continue;
			}
			w->nodes[next].state = NODE_OPEN;
			stack[depth++] = (uint32_t)next;
		}
	}
	return true;
}

static bool judge_model(struct walk *w, int64_t light_map, const struct reach *r)
{
	struct body *b = w->b;

	for (int64_t i = 0; i < w->n.nodes; i++) {
		judge_node(w, &w->nodes[i], i);
		judge_vertices(w, &w->nodes[i], i);
	}
	if (light_map >= w->n.lightmaps)
		body_flaw(b, FLAW_SURF, b->all.at, b->all.len, -1, light_map);
	if (r->least_bit < 0 || r->last_bit > w->n.light_bits || r->least_light < -1 || r->last_light >= w->n.lights)
		body_flaw(b, FLAW_LIGHT_MAP, b->all.at, b->all.len, 0, 0);
	return judge_tree(w);
}

bool body_model(struct body *b)
{
	struct walk w = { .b = b };
	struct reach reach;
	int64_t light_map;

	return skip(b, BOUND_LEN + 16) && skip_array(b, VECTOR_LEN, &w.n.vectors) && skip_array(b, VECTOR_LEN, &w.n.points) &&
	       read_nodes(&w) && read_surfs(&w, &light_map) && read_verts(&w) && read_zones(&w) && skip_object(b) &&
	       read_light_maps(&w, &reach) && skip_array(b, 1, &w.n.light_bits) && skip_array(b, BOUND_LEN, &w.n.bounds) &&
	       skip_array(b, 4, &w.n.leaf_hulls) && read_leaves(&w) && read_lights(&w) && skip(b, 8) &&
	       judge_model(&w, light_map, &reach) && body_end(b);
}

/* Meshes of vertices: frames, triangles, and what animates them. Source: clause 9.11. */
#include "formats/upkg/body.h"

#include "core/canary.h"

enum { BOUND_LEN = 25, SPHERE_LEN = 16, VERT_LEN = 4, TRI_LEN = 20, CONNECT_LEN = 8, LINK_LEN = 4, SEQUENCE_LEAST = 15, NOTIFY_LEAST = 5 };

/* What the triangles refer to is known behind them: the largest of each, with its place, is kept. */
struct walk {
	struct body *b;
	uint64_t vert, vert_at, n_verts;
	int64_t texture, n_textures;
	uint64_t texture_at;
	int64_t least_texture;
	uint64_t least_at;
};

static bool skip(struct body *b, uint64_t n)
{
	return body_skip(b, n) || body_cut(b);
}

/* The head of a lazy array whose count is of elements of that length. */
static bool read_lazy(struct body *b, uint64_t len, uint64_t *n)
{
	const uint64_t at = body_at(b);
	uint64_t end = 0;
	int64_t count;

	if (!body_u32(b, &end))
		return body_cut(b);
	if (!body_count(b, len, &count))
		return false;
	*n = (uint64_t)count;
	if (end != body_at(b) + *n * len)
		body_flaw(b, FLAW_LAZY_END, at, 4, (int64_t)end, (int64_t)(body_at(b) + *n * len));
	return true;
}

static bool skip_lazy(struct body *b, uint64_t len)
{
	uint64_t n = 0;

	return read_lazy(b, len, &n) && skip(b, n * len);
}

static bool skip_array(struct body *b, uint64_t len)
{
	int64_t n;

	return body_count(b, len, &n) && skip(b, (uint64_t)n * len);
}

/* Three vertices, their places on the texture, flags, and the texture. */
static bool read_triangle(struct walk *w)
{
	struct body *b = w->b;
	int64_t texture;
	uint64_t v;

	for (unsigned i = 0; i < 3; i++) {
		if (!body_u16(b, &v))
			return body_cut(b);
		if (w->vert_at == 0 || v > w->vert) {
			w->vert = v;
			w->vert_at = body_at(b) - 2;
		}
	}
	if (!body_skip(b, 10) || !body_i32(b, &texture))
		return body_cut(b);
	if (w->texture_at == 0 || texture > w->texture) {
		w->texture = texture;
		w->texture_at = body_at(b) - 4;
	}
	if (w->least_at == 0 || texture < w->least_texture) {
		w->least_texture = texture;
		w->least_at = body_at(b) - 4;
	}
	return true;
}

static bool read_triangles(struct walk *w)
{
	uint64_t n = 0;

	if (!read_lazy(w->b, TRI_LEN, &n))
		return false;
	for (; n > 0; n--)
		if (!decode_spend(w->b->d, UPKG_MESHES, 1) || !read_triangle(w))
			return false;
	return true;
}

static bool read_name(struct body *b)
{
	int32_t name;

	return body_name(b, FLAW_NATIVE_REFERENCE, &name) || body_cut(b);
}

static bool read_sequences(struct body *b)
{
	int64_t n, notifies;

	if (!body_count(b, SEQUENCE_LEAST, &n))
		return false;
	for (; n > 0; n--) {
		if (!decode_spend(b->d, UPKG_MESHES, 1) || !read_name(b) || !read_name(b) || !skip(b, 8) ||
		    !body_count(b, NOTIFY_LEAST, &notifies))
			return false;
		for (; notifies > 0; notifies--)
			if (!decode_spend(b->d, UPKG_MESHES, 1) || !skip(b, 4) || !read_name(b))
				return false;
		if (!skip(b, 4))
			return false;
	}
	return true;
}

static bool read_textures(struct walk *w)
{
	int32_t texture;

	if (!body_count(w->b, 1, &w->n_textures))
		return false;
	for (int64_t i = 0; i < w->n_textures; i++) {
		if (!decode_spend(w->b->d, UPKG_MESHES, 1))
			return false;
		if (!body_object(w->b, FLAW_NATIVE_REFERENCE, &texture))
			return body_cut(w->b);
	}
	return true;
}

/* The vertices of all frames stand one frame behind the other. */
static void judge(struct walk *w, int64_t frame_verts, int64_t frames, uint64_t at)
{
	struct body *b = w->b;

	if (frame_verts < 0 || frames < 0 || (uint64_t)frame_verts * (uint64_t)frames != w->n_verts)
		body_flaw_part(b, FLAW_MESH, MESH_FRAMES, at, 8, (int64_t)w->n_verts, 0);
	else if (w->vert_at > 0 && (int64_t)w->vert >= frame_verts)
		body_flaw_part(b, FLAW_MESH, MESH_VERTEX, w->vert_at, 2, (int64_t)w->vert, frame_verts);
	if (w->texture_at > 0 && w->texture >= w->n_textures)
		body_flaw_part(b, FLAW_MESH, MESH_TEXTURE, w->texture_at, 4, w->texture, w->n_textures);
	if (w->least_at > 0 && w->least_texture < 0)
		body_flaw_part(b, FLAW_MESH, MESH_TEXTURE, w->least_at, 4, w->least_texture, w->n_textures);
}

/* What a LodMesh has behind a mesh, which it keeps in another form: nothing of it is judged. */
static bool skip_levels(struct body *b)
{
	static const uint8_t lens[] = { 2, 2, 8, 2, 4, 8, 8 };

	for (size_t i = 0; i < sizeof lens; i++)
		if (!skip_array(b, lens[i]))
			return false;
	return skip(b, 32) && skip_array(b, 2) && skip(b, 4);
}

bool body_mesh(struct body *b, enum upkg_word class)
{
	struct walk w = { .b = b };
	int64_t frame_verts, frames;
	uint64_t at;

	if (!skip(b, BOUND_LEN + SPHERE_LEN) || !read_lazy(b, VERT_LEN, &w.n_verts) || !skip(b, w.n_verts * VERT_LEN) ||
	    !read_triangles(&w) || !read_sequences(b) || !skip_lazy(b, CONNECT_LEN) || !skip(b, BOUND_LEN + SPHERE_LEN) ||
	    !skip_lazy(b, LINK_LEN) || !read_textures(&w) || !skip_array(b, BOUND_LEN) || !skip_array(b, SPHERE_LEN))
		return false;
	at = body_at(b);
	if (!body_i32(b, &frame_verts) || !body_i32(b, &frames))
		return body_cut(b);
	if (!skip(b, 8 + 12 + 12 + 12 + 8) || !skip_array(b, 4))
		return false;
	if (class == WORD_Mesh)
		judge(&w, frame_verts, frames, at);
	return (class == WORD_Mesh || skip_levels(b)) && body_end(b);
}

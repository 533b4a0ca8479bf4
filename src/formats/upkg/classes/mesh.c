/* Meshes of vertices: frames, triangles, levels of detail, and what animates them. Source: clauses
 * 9.11 and 9.12. */
#include "formats/upkg/classes/readers.h"

#include "core/mutant.h"
#include "formats/upkg/body/parts.h"
#include "formats/upkg/classes/parts.h"

enum {
	BOUND_LEN = 25,
	SPHERE_LEN = 16,
	VERT_LEN = 4,
	TRI_LEN = 20,
	CONNECT_LEN = 8,
	LINK_LEN = 4,
	FACE_LEN = 8,
	WEDGE_LEN = 4,
	MATERIAL_LEN = 8
};

/* The fewest bytes that elements have. */
enum {
	SEQUENCE_LEAST = 15,
	NOTIFY_LEAST = 5,
	BONE_LEAST = 57,
	BONE_NAME_LEAST = 9,
	TRACK_LEAST = 7,
	MOVE_LEAST = 33
};

/* Of all sequences the fewest frames, the first and the last begin, and the last end; each with the
 * place of its sequence. */
enum extreme { FEWEST_FRAMES, FIRST_BEGIN, LAST_BEGIN, LAST_END, N_EXTREMES };
struct sequences {
	int64_t values[N_EXTREMES];
	uint64_t at[N_EXTREMES];
};

/* What triangles refer to comes after them: the largest number of each is kept, with its place. */
struct walk {
	struct body *b;
	uint64_t vert, vert_at, n_verts;
	int64_t texture, n_textures;
	uint64_t texture_at;
	int64_t least_texture;
	uint64_t least_at;
	uint64_t wedge, wedge_at, n_wedges; /* of the faces of a LodMesh */
	uint64_t material, material_at, n_materials;
	struct sequences sequences;
};

/* Reads the head of a lazy array that counts elements of that length. */
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

	if (!read_lazy(b, len, &n))
		return false;
	body_pass(b, n * len);
	return true;
}

static bool skip_array(struct body *b, uint64_t len)
{
	int64_t n;

	return body_array(b, len, &n);
}

/* Keeps the first of the largest numbers. */
static void keep_largest(uint64_t v, uint64_t at, uint64_t *largest, uint64_t *largest_at)
{
	if (*largest_at != 0 && v <= *largest)
		return;
	*largest = v;
	*largest_at = at;
}

static void keep_texture(struct walk *w, int64_t texture, uint64_t at)
{
	if (w->texture_at == 0 || texture > w->texture) {
		w->texture = texture;
		w->texture_at = at;
	}
	if (w->least_at == 0 || texture < w->least_texture) {
		w->least_texture = texture;
		w->least_at = at;
	}
}

/* Reads three vertices, their places on the texture, flags, and the texture. */
static bool read_triangle(struct walk *w)
{
	struct body *b = w->b;
	int64_t texture;
	uint64_t v;

	for (unsigned i = 0; i < 3; i++) {
		if (!body_u16(b, &v))
			return body_cut(b);
		keep_largest(v, body_at(b) - 2, &w->vert, &w->vert_at);
	}
	body_pass(b, 10);
	if (!body_i32(b, &texture))
		return body_cut(b);
	keep_texture(w, texture, body_at(b) - 4);
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

	return body_whole(b, body_name(b, FLAW_NATIVE_REFERENCE, &name));
}

/* Keeps the largest or the smallest value: the first of equal ones. */
static void keep_extreme(struct sequences *s, enum extreme which, bool largest, int64_t v,
			 uint64_t at)
{
	if (s->at[which] != 0 && (largest ? v <= s->values[which] : v >= s->values[which]))
		return;
	s->values[which] = v;
	s->at[which] = at;
}

/* Reads the first frame of a sequence and the number of its frames. */
static bool read_frames(struct body *b, struct sequences *s)
{
	const uint64_t at = body_at(b);
	int64_t first, frames;

	if (!body_has(b, 8) || !body_i32(b, &first) || !body_i32(b, &frames))
		return body_cut(b);
	keep_extreme(s, FEWEST_FRAMES, false, frames, at);
	keep_extreme(s, FIRST_BEGIN, false, first, at);
	keep_extreme(s, LAST_BEGIN, true, first, at);
	keep_extreme(s, LAST_END, true, first + frames, at);
	return true;
}

static bool read_sequences(struct body *b, struct sequences *s)
{
	int64_t n, notifies;

	if (!body_count(b, SEQUENCE_LEAST, &n))
		return false;
	for (; n > 0; n--) {
		if (!decode_spend(b->d, UPKG_MESHES, 1) || !read_name(b) || !read_name(b) ||
		    !read_frames(b, s) || !body_count(b, NOTIFY_LEAST, &notifies))
			return false;
		for (; notifies > 0; notifies--)
			if (!decode_spend(b->d, UPKG_MESHES, 1) || !body_step(b, 4) ||
			    !read_name(b))
				return false;
		if (!body_step(b, 4))
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

/* ---- Levels of detail ------------------------------------------------------------------------ */

/* Reads faces: three wedges and a material. */
static bool read_faces(struct walk *w)
{
	struct body *b = w->b;
	uint64_t v;
	int64_t n;

	if (!body_count(b, FACE_LEN, &n))
		return false;
	for (; n > 0; n--) {
		if (!decode_spend(b->d, UPKG_MESHES, 1))
			return false;
		for (unsigned i = 0; i < 3; i++) {
			if (!body_u16(b, &v))
				return body_cut(b);
			keep_largest(v, body_at(b) - 2, &w->wedge, &w->wedge_at);
		}
		if (!body_u16(b, &v))
			return body_cut(b);
		keep_largest(v, body_at(b) - 2, &w->material, &w->material_at);
	}
	return true;
}

/* Reads wedges: a vertex, and its place on the texture. */
static bool read_wedges(struct walk *w)
{
	struct body *b = w->b;
	uint64_t v;
	int64_t n;

	if (!body_count(b, WEDGE_LEN, &n))
		return false;
	w->n_wedges = (uint64_t)n;
	for (; n > 0; n--) {
		if (!decode_spend(b->d, UPKG_MESHES, 1))
			return false;
		if (!body_u16(b, &v))
			return body_cut(b);
		body_pass(b, 2);
		keep_largest(v, body_at(b) - WEDGE_LEN, &w->vert, &w->vert_at);
	}
	return true;
}

/* Reads materials: flags and a texture. */
static bool read_materials(struct walk *w)
{
	struct body *b = w->b;
	int64_t n, texture;

	if (!body_count(b, MATERIAL_LEN, &n))
		return false;
	w->n_materials = (uint64_t)n;
	for (; n > 0; n--) {
		if (!decode_spend(b->d, UPKG_MESHES, 1))
			return false;
		body_pass(b, 4);
		if (!body_i32(b, &texture))
			return body_cut(b);
		keep_texture(w, texture, body_at(b) - 4);
	}
	return true;
}

/* The frames of a mesh: n with `verts` vertices each, of which one begins every `stride`
 * vertices. */
struct frames {
	int64_t verts, n, special, stride;
	uint64_t at;
};

/* Vertices that were renumbered lie in frames of the old number of vertices. */
static bool read_renamed(struct body *b, struct frames *f)
{
	int64_t n, verts;

	if (!body_count(b, 2, &n))
		return false;
	body_pass(b, (uint64_t)n * 2);
	if (!body_i32(b, &verts))
		return body_cut(b);
	if (n > 0)
		f->stride = verts;
	return true;
}

/* Reads what a LodMesh has after a mesh: its triangles in another form, which replaces the
 * first. The special vertices come before those that wedges count. */
static bool read_levels(struct walk *w, struct frames *f)
{
	struct body *b = w->b;

	w->vert_at = w->texture_at = w->least_at = 0;
	if (!skip_array(b, 2) || !skip_array(b, 2) || !read_faces(w) || !skip_array(b, 2) ||
	    !read_wedges(w) || !read_materials(w) || !skip_array(b, FACE_LEN) || !body_step(b, 4))
		return false;
	if (!body_i32(b, &f->special))
		return body_cut(b);
	return body_step(b, 24) && read_renamed(b, f);
}

/* ---- Judging --------------------------------------------------------------------------------- */

static void examine_faces(const struct walk *w)
{
	if (w->wedge_at > 0 && w->wedge >= w->n_wedges)
		body_flaw_part(w->b, FLAW_MESH_LOD, MESH_WEDGE, w->wedge_at, 2, (int64_t)w->wedge,
			       0);
	if (w->material_at > 0 && w->material >= w->n_materials)
		body_flaw_part(w->b, FLAW_MESH_LOD, MESH_MATERIAL, w->material_at, 2,
			       (int64_t)w->material, 0);
}

/* The engine takes the vertices of the frame that is shown. It makes sure that the frame is in
 * the sequence, but not that it is in the mesh. */
static void examine_sequences(const struct walk *w, const struct frames *f)
{
	const struct sequences *s = &w->sequences;
	const int64_t there = f->stride > 0 ? (int64_t)w->n_verts / f->stride : f->n,
		      n = there < f->n ? there : f->n;
	struct body *b = w->b;

	if (s->at[FEWEST_FRAMES] == 0)
		return;
	if (s->values[FEWEST_FRAMES] < 1)
		body_flaw(b,
			  s->values[FEWEST_FRAMES] < 0 ? FLAW_SEQUENCE_NEGATIVE
						       : FLAW_SEQUENCE_EMPTY,
			  s->at[FEWEST_FRAMES], 8, s->values[FEWEST_FRAMES], n);
	if (s->values[FIRST_BEGIN] < 0)
		body_flaw(b, FLAW_SEQUENCE_BEFORE, s->at[FIRST_BEGIN], 8, s->values[FIRST_BEGIN],
			  n);
	if (s->values[LAST_BEGIN] >= n)
		body_flaw(b, FLAW_SEQUENCE_FIRST, s->at[LAST_BEGIN], 8, s->values[LAST_BEGIN], n);
	else if (s->values[LAST_END] > n)
		body_flaw(b, FLAW_SEQUENCE_END, s->at[LAST_END], 8, s->values[LAST_END], n);
}

/* The vertices of all frames lie one frame after another. */
static void examine_triangles(const struct walk *w, const struct frames *f)
{
	struct body *b = w->b;
	const enum upkg_flaw_kind kind = b->class == WORD_LodMesh ? FLAW_MESH_LOD : FLAW_MESH;

	if (f->stride < 0 || f->n < 0 || (uint64_t)f->stride * (uint64_t)f->n != w->n_verts)
		body_flaw_part(b, kind, MESH_FRAMES, f->at, 8, (int64_t)w->n_verts, 0);
	else if (w->vert_at > 0 && (int64_t)w->vert + f->special >= f->verts)
		body_flaw_part(b, kind, MESH_VERTEX, w->vert_at, 2, (int64_t)w->vert, 0);
	if (w->texture_at > 0 && w->texture >= w->n_textures)
		body_flaw_part(b, kind, MESH_TEXTURE, w->texture_at, 4, w->texture, 0);
	if (w->least_at > 0 && w->least_texture < 0)
		body_flaw_part(b, kind, MESH_TEXTURE, w->least_at, 4, w->least_texture, 0);
}

/* ---- Meshes ---------------------------------------------------------------------------------- */

/* Reads what a SkeletalMesh has after a LodMesh, up to its bones: sources differ on how long one
 * is. */
static bool read_skin(struct body *b)
{
	int64_t bones;

	if (!skip_array(b, 12) || !skip_array(b, 12) || !body_count(b, BONE_LEAST, &bones))
		return false;
	return body_leave_other(b);
}

static bool read_mesh(struct walk *w, struct frames *f)
{
	struct body *b = w->b;

	if (!body_step(b, BOUND_LEN + SPHERE_LEN) || !read_lazy(b, VERT_LEN, &w->n_verts))
		return false;
	body_pass(b, w->n_verts * VERT_LEN);
	if (!read_triangles(w) || !read_sequences(b, &w->sequences) || !skip_lazy(b, CONNECT_LEN) ||
	    !body_step(b, BOUND_LEN + SPHERE_LEN) || !skip_lazy(b, LINK_LEN) || !read_textures(w) ||
	    !skip_array(b, BOUND_LEN) || !skip_array(b, SPHERE_LEN))
		return false;
	f->at = body_at(b);
	if (!body_i32(b, &f->verts) || !body_i32(b, &f->n))
		return body_cut(b);
	f->stride = f->verts;
	return body_step(b, 8 + 12 + 12 + 12 + 8) && skip_array(b, 4);
}

/* The vertices of a SkeletalMesh are elsewhere: only those of the other two classes are
 * examined. */
bool body_mesh(struct body *b)
{
	struct walk w = { .b = b };
	struct frames f = { .special = 0 };

	if (!read_mesh(&w, &f) || (b->class != WORD_Mesh && !read_levels(&w, &f)))
		return false;
	if (b->class == WORD_SkeletalMesh)
		return read_skin(b);
	examine_sequences(&w, &f);
	examine_triangles(&w, &f);
	examine_faces(&w);
	body_end(b);
	return true;
}

/* ---- Animations ------------------------------------------------------------------------------ */

/* Reads flags, then places of bones in time. */
static bool read_track(struct body *b)
{
	return body_step(b, 4) && skip_array(b, 16) && skip_array(b, 12) && skip_array(b, 4);
}

/* Reads speed, bones, a track of each bone, and one of the root. */
static bool read_move(struct body *b)
{
	int64_t tracks;

	if (!body_step(b, 24) || !skip_array(b, 4) || !body_count(b, TRACK_LEAST, &tracks))
		return false;
	for (; tracks > 0; tracks--)
		if (!decode_spend(b->d, UPKG_MESHES, 1) || !read_track(b))
			return false;
	return read_track(b);
}

bool body_animation(struct body *b)
{
	struct sequences sequences = { .at = { 0 } };
	int64_t n;

	if (!body_count(b, BONE_NAME_LEAST, &n))
		return false;
	for (; n > 0; n--)
		if (!decode_spend(b->d, UPKG_MESHES, 1) || !read_name(b) || !body_step(b, 8))
			return false;
	if (!body_count(b, MOVE_LEAST, &n))
		return false;
	for (; n > 0; n--)
		if (!decode_spend(b->d, UPKG_MESHES, 1) || !read_move(b))
			return false;
	return body_closed(b, read_sequences(b, &sequences));
}

/* Objects with a layout of their own behind their properties: what they have in common, and the short ones. */
#include "formats/upkg/body/body.h"

#include "core/mutant.h"

/* ---- Parts that many have ----------------------------------------------------------------------------------------- */

void body_note_cut(struct body *b)
{
	const bool index = b->bad_index_at == body_at(b);

	body_note(b, FLAW_NATIVE_CUT, index, body_at(b), index ? 5 : body_left(b), (int64_t)body_left(b), 0);
}

void body_end(struct body *b)
{
	if (body_left(b) > 0)
		body_flaw(b, FLAW_BODY_END, body_at(b), body_left(b), (int64_t)body_left(b), 0);
}

bool body_count(struct body *b, uint64_t least, int64_t *n)
{
	uint64_t at = body_at(b);

	if (!body_index(b, n))
		return body_cut(b);
	if (*n < 0 || (!MUTANT(78) && (uint64_t)*n > body_left(b) / least))     /* mutant: a count is believed */
		return body_flaw(b, FLAW_COUNT, at, body_at(b) - at, *n, (int64_t)body_left(b));
	return true;
}

bool body_list(struct body *b, uint64_t least, enum upkg_flaw_kind kind, int64_t *n)
{
	uint64_t at = body_at(b);
	int64_t room;

	if (!body_i32(b, n) || !body_i32(b, &room))
		return body_cut(b);
	if (*n < 0)
		return body_flaw(b, kind, at, 8, *n, room);
	if ((uint64_t)*n > body_left(b) / least)
		return body_flaw(b, FLAW_COUNT, at, 4, *n, (int64_t)body_left(b));
	if (*n > room)
		body_flaw(b, kind, at, 8, *n, room);
	return true;
}

/* Since version 62 the place behind the data stands before the count. */
bool body_lazy(struct body *b, uint64_t *n, struct span *count)
{
	uint64_t at = body_at(b), end = 0;
	const bool has_end = b->u->tag.version >= 62;
	int64_t bytes;

	if (has_end && !body_u32(b, &end))
		return body_cut(b);
	count->at = body_at(b);
	if (!body_count(b, 1, &bytes))
		return false;
	count->len = body_at(b) - count->at;
	*n = (uint64_t)bytes;
	if (has_end && end != body_at(b) + *n)
		body_flaw(b, FLAW_LAZY_END, at, 4, (int64_t)end, (int64_t)(body_at(b) + *n));
	return true;
}

bool body_text(struct body *b, uint64_t *width, uint64_t *len)
{
	const uint64_t at = body_at(b);
	uint64_t text_at;
	int64_t count;

	if (!body_index(b, &count))
		return body_cut(b);
	text_at = body_at(b);
	*width = count < 0 ? 2 : 1;
	*len = (uint64_t)(count < 0 ? -count : count) * *width;
	if (!body_skip(b, *len))
		return body_flaw(b, FLAW_COUNT, at, text_at - at, (int64_t)*len, (int64_t)body_left(b));
	return true;
}

bool body_string(struct body *b, enum upkg_flaw_kind kind)
{
	uint64_t width, len, last;

	if (!body_text(b, &width, &len))
		return false;
	if (len == 0)
		return true;
	body_move(b, body_at(b) - width);
	if (!(width == 2 ? body_u16(b, &last) : body_u8(b, &last)))
		return body_cut(b);
	if (last != 0)
		body_flaw(b, kind, body_at(b) - width, width, 0, 0);
	return true;
}

/* ---- Palettes, texts, polygons ------------------------------------------------------------------------------------ */

static bool read_palette(struct body *b)
{
	uint64_t at = body_at(b);
	int64_t n;

	if (!body_count(b, 4, &n))
		return false;
	if (n != 256)
		body_flaw(b, FLAW_PALETTE_COUNT, at, body_at(b) - at, n, 0);
	return body_closed(b, body_step(b, (uint64_t)n * 4));
}

/* Two numbers, then a counted text. */
static bool read_text(struct body *b)
{
	if (!body_skip(b, 8))
		return body_cut(b);
	return body_closed(b, body_string(b, FLAW_TEXT_END));
}

enum { VECTOR_LEN = 12, POLY_LEAST = 58 };

static bool skip_index(struct body *b)
{
	int64_t v;

	return body_index(b, &v);
}

/* Bytes at the end of a polygon: how its texture is shifted, or later the scale of its light map. */
static uint64_t poly_end(const struct body *b)
{
	return b->u->tag.version < 78 || b->u->tag.version >= 106 ? 4 : 0;
}

static bool read_poly(struct body *b)
{
	uint64_t at = body_at(b);
	int32_t v;
	int64_t n;

	if (!body_count(b, VECTOR_LEN, &n))
		return false;
	if (n < POLY_VERTICES_MIN || n > POLY_VERTICES_MAX)
		body_flaw(b, FLAW_POLY_VERTICES, at, body_at(b) - at, n, 0);
	if (!body_skip(b, (4 + (uint64_t)n) * VECTOR_LEN + 4) || !body_object(b, FLAW_NATIVE_REFERENCE, &v) ||
	    !body_object(b, FLAW_NATIVE_REFERENCE, &v) || !body_name(b, FLAW_NATIVE_REFERENCE, &v) || !skip_index(b) || !skip_index(b) ||
	    !body_skip(b, poly_end(b)))
		return body_cut(b);
	return true;
}

static bool read_polys(struct body *b)
{
	int64_t n;

	if (!body_list(b, POLY_LEAST + poly_end(b), FLAW_POLY_COUNT, &n))
		return false;
	for (; n > 0; n--)
		if (!decode_spend(b->d, UPKG_POLYS, 1) || !read_poly(b))
			return false;
	body_end(b);
	return true;
}

/* ---- By class ----------------------------------------------------------------------------------------------------- */

/* Materials without data of their own draw by their properties. */
static bool read_nothing(struct body *b)
{
	body_end(b);
	return true;
}

struct native {
	enum upkg_group group;
	bool (*read)(struct body *b);
};

static const struct native natives[N_WORDS] = {
	[WORD_Texture] = { UPKG_TEXTURES, body_texture },
	[WORD_IceTexture] = { UPKG_TEXTURES, body_texture },
	[WORD_WaterTexture] = { UPKG_TEXTURES, body_texture },
	[WORD_WetTexture] = { UPKG_TEXTURES, body_texture },
	[WORD_FireTexture] = { UPKG_TEXTURES, body_texture },
	[WORD_WaveTexture] = { UPKG_TEXTURES, body_texture },
	[WORD_ScriptedTexture] = { UPKG_TEXTURES, body_texture },
	[WORD_Palette] = { UPKG_PALETTES, read_palette },
	[WORD_Sound] = { UPKG_SOUNDS, body_sound },
	[WORD_Music] = { UPKG_MUSICS, body_music },
	[WORD_TextBuffer] = { UPKG_TEXTS, read_text },
	[WORD_Polys] = { UPKG_POLYS, read_polys },
	[WORD_Model] = { UPKG_MODELS, body_model },
	[WORD_Level] = { UPKG_LEVELS, body_level },
	[WORD_Font] = { UPKG_FONTS, body_font },
	[WORD_Mesh] = { UPKG_MESHES, body_mesh },
	[WORD_LodMesh] = { UPKG_MESHES, body_mesh },
	[WORD_SkeletalMesh] = { UPKG_MESHES, body_mesh },
	[WORD_Animation] = { UPKG_MESHES, body_animation },
};

/* Classes of UE2 alone, and the one that descends from another class there. */
static const struct native natives_ue2[N_WORDS] = {
	[WORD_Cubemap] = { UPKG_TEXTURES, body_texture },
	[WORD_FluidTexture] = { UPKG_TEXTURES, body_texture },
	[WORD_ScriptedTexture] = { UPKG_TEXTURES, read_nothing },
	[WORD_Shader] = { UPKG_TEXTURES, read_nothing },
	[WORD_Combiner] = { UPKG_TEXTURES, read_nothing },
	[WORD_FinalBlend] = { UPKG_TEXTURES, read_nothing },
	[WORD_TexRotator] = { UPKG_TEXTURES, read_nothing },
	[WORD_TexPanner] = { UPKG_TEXTURES, read_nothing },
	[WORD_TexScaler] = { UPKG_TEXTURES, read_nothing },
	[WORD_TexOscillator] = { UPKG_TEXTURES, read_nothing },
	[WORD_TexEnvMap] = { UPKG_TEXTURES, read_nothing },
	[WORD_ColorModifier] = { UPKG_TEXTURES, read_nothing },
	[WORD_ConstantColor] = { UPKG_TEXTURES, read_nothing },
	[WORD_FadeColor] = { UPKG_TEXTURES, read_nothing },
	[WORD_VertexColor] = { UPKG_TEXTURES, read_nothing },
	[WORD_MaterialSequence] = { UPKG_TEXTURES, read_nothing },
	[WORD_SoundGroup] = { UPKG_SOUNDS, body_sound_group },
	[WORD_ProceduralSound] = { UPKG_SOUNDS, body_sound_procedural },
};

/* ---- What references lead to -------------------------------------------------------------------------------------- */

/* The class of the engine that an object is of, so far as the tables tell; those of mods may have the same names. */
static enum upkg_word engine_class(const struct upkg *u, int32_t reference)
{
	enum upkg_word home;

	if (reference >= 0)
		return upkg_class_of(u, reference);
	home = upkg_word_of(u, (int32_t)upkg_import_entry_of(u, &u->imports[-(int64_t)reference - 1]).class_package.value);
	return home == WORD_Core || home == WORD_Engine ? upkg_class_of(u, reference) : WORD_OTHER;
}

/* What packages and code are made of. */
static const bool is_of_core[N_WORDS] = {
	[WORD_Class] = true, [WORD_Package] = true, [WORD_Function] = true, [WORD_State] = true, [WORD_Struct] = true, [WORD_Enum] = true,
	[WORD_Const] = true, [WORD_ByteProperty] = true, [WORD_IntProperty] = true, [WORD_BoolProperty] = true, [WORD_FloatProperty] = true,
	[WORD_ObjectProperty] = true, [WORD_NameProperty] = true, [WORD_ClassProperty] = true, [WORD_ArrayProperty] = true,
	[WORD_StructProperty] = true, [WORD_StrProperty] = true, [WORD_MapProperty] = true, [WORD_FixedArrayProperty] = true,
	[WORD_StringProperty] = true,
};

bool body_is_wanted(const struct upkg *u, int32_t reference, enum body_wanted wanted)
{
	enum upkg_word class;

	if (reference == 0 || !upkg_refers(u, reference))
		return true;
	if (wanted == WANT_TEXT || wanted == WANT_POLYS)
		return upkg_class_of(u, reference) == (wanted == WANT_TEXT ? WORD_TextBuffer : WORD_Polys);
	class = engine_class(u, reference);
	if (wanted == WANT_TEXTURE && natives[class].group == UPKG_TEXTURES)
		return true;
	if (wanted == WANT_TEXTURE && (class == WORD_LevelInfo || class == WORD_Brush))
		return false;
	return !is_of_core[class] && !natives[class].read;
}

bool body_thing(struct body *b, enum upkg_flaw_kind kind, uint8_t part, enum body_wanted wanted)
{
	const uint64_t at = body_at(b);
	int32_t reference;

	if (!body_object(b, FLAW_NATIVE_REFERENCE, &reference))
		return body_cut(b);
	if (!body_is_wanted(b->u, reference, wanted))
		body_flaw_part(b, kind, part, at, body_at(b) - at, reference, 0);
	return true;
}

/* ---- Other classes ------------------------------------------------------------------------------------------------ */

#define FLAG_NATIVE 0x04000000u         /* RF_Native */

/* How many classes of the package are looked at for one object. */
enum { ANCESTORS_MAX = 64 };

/* Tells whether a class of another package is Core.Object or Engine.Actor, which write nothing behind the properties. */
static bool writes_nothing(const struct upkg *u, const struct upkg_import *class)
{
	const enum upkg_word name = upkg_word_of(u, class->name);
	const struct upkg_import *home = upkg_import_home(u, class);

	if (upkg_import_class(u, class) != WORD_Class || !home)
		return false;
	return (name == WORD_Object && upkg_word_of(u, home->name) == WORD_Core) ||
	       (name == WORD_Actor && upkg_word_of(u, home->name) == WORD_Engine);
}

/* The first class of another package that a class of this one descends from, with no native one in between; NULL: there is none, or the
 * class itself is of another package. */
static const struct upkg_import *ancestor_of(const struct upkg *u, int32_t class)
{
	if (class < 0)
		return NULL;
	for (unsigned i = 0; class > 0 && i < ANCESTORS_MAX; i++) {
		const struct upkg_export *e = &u->exports[class - 1];
		const struct upkg_export_entry entry = upkg_export_entry_of(u, e);

		if (e->class != 0 || entry.flags & FLAG_NATIVE || !upkg_refers(u, entry.super.value))
			return NULL;
		class = (int32_t)entry.super.value;
	}
	return class < 0 ? &u->imports[-class - 1] : NULL;
}

/* Classes that always write something, in a form that nobody measured. */
static const bool writes_some[N_WORDS] = {
	[WORD_StaticMesh] = true, [WORD_VertMesh] = true, [WORD_MeshAnimation] = true, [WORD_Vectors] = true, [WORD_Verts] = true,
	[WORD_BspNodes] = true, [WORD_BspSurfs] = true,
};

static bool read_other(struct body *b, const struct upkg_import *ancestor)
{
	const struct upkg *u = b->u;
	const bool sure = u->era == UPKG_UE1 && u->tag.licensee == 0;   /* in others Actor was seen too seldom, or is said to write */

	if (body_left(b) == 0)
		return body_whole(b, !writes_some[b->class]);
	if (!ancestor || !writes_nothing(u, ancestor))
		return body_leave_other(b);
	body_note(b, FLAW_OWN_DATA, 0, body_at(b), body_left(b), sure, 0);
	return sure || body_leave_other(b);
}

static bool may_be_empty(const struct native *n)
{
	return n->read == body_sound_group || n->read == body_sound_procedural;
}

/* An object of a class of the package has what the engine's class writes that it descends from. */
bool body_native(struct body *b)
{
	const struct upkg_import *ancestor = ancestor_of(b->u, b->u->exports[b->export].class);
	const struct native *n;

	if (ancestor && upkg_import_class(b->u, ancestor) == WORD_Class)
		b->class = upkg_engine_word(b->u, ancestor);
	n = &natives_ue2[b->class];
	if (b->u->era != UPKG_UE2 || !n->read)
		n = &natives[b->class];
	if (!n->read)
		return read_other(b, ancestor);
	if (n->read == read_nothing || decode_has(b->d, n->group))
		return n->read(b);
	return may_be_empty(n) ? body_leave(b, n->group) : body_leave_some(b, n->group);
}

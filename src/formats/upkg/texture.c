/* Textures: their mips, and whether these fit to the properties. */
#include "formats/upkg/body.h"

#include "core/canary.h"

/* Formats of textures. Source: the engine's headers; P8, DXT1, RGBA8, DXT3, DXT5 and G16 were measured. */
enum { P8, RGBA7, RGB16, DXT1, RGB8, RGBA8, DXT3 = 7, DXT5, L8, G16 };

/* How many bytes a mip takes; 0 where nobody knows. */
static uint64_t mip_bytes(uint64_t format, uint64_t w, uint64_t h)
{
	uint64_t blocks = ((w + 3) / 4) * ((h + 3) / 4);

	switch (format) {
	case P8: case L8:
		return w * h;
	case RGB16: case G16:
		return 2 * w * h;
	case RGB8:
		return 3 * w * h;
	case RGBA7: case RGBA8:
		return 4 * w * h;
	case DXT1:
		return 8 * blocks;
	case DXT3: case DXT5:
		return 16 * blocks;
	default:
		return 0;
	}
}

struct mip {
	uint64_t at, n;                         /* its data, in the file and in bytes */
	int64_t w, h;
	uint64_t u_bits, v_bits;
};

static bool read_mip(struct body *b, struct mip *m)
{
	if (!body_lazy(b, &m->n))
		return false;
	m->at = body_at(b);
	if (!body_skip(b, m->n) || !body_i32(b, &m->w) || !body_i32(b, &m->h) || !body_u8(b, &m->u_bits) || !body_u8(b, &m->v_bits))
		return body_cut(b);
	return true;
}

static bool is_power(int64_t size, uint64_t bits)
{
	return bits < 31 && size == (int64_t)1 << bits;
}

static int64_t halved(int64_t size)
{
	return size > 1 ? size / 2 : 1;
}

static void judge_mip(struct body *b, const struct mip *m, uint64_t format)
{
	const uint64_t head = m->at + m->n;
	uint64_t bytes;

	if (!is_power(m->w, m->u_bits) || !is_power(m->h, m->v_bits))
		body_flaw(b, FLAW_MIP_BITS, head, 10, m->w, m->h);
	if (m->w <= 0 || m->h <= 0)
		return;
	bytes = mip_bytes(format, (uint64_t)m->w, (uint64_t)m->h);
	if (m->n != 0 && bytes != 0 && m->n != bytes)
		body_flaw(b, FLAW_MIP_SIZE, head, 10, (int64_t)m->n, (int64_t)bytes);
}

/* Each mip is half as large as the one before, and the last one is a single texel. */
static bool read_mips(struct body *b, uint64_t format, struct mip *first, int64_t *n)
{
	uint64_t at = body_at(b);
	bool broken = false;
	struct mip m, before = { 0 };

	if (!body_count(b, 11, n))
		return false;
	for (int64_t i = 0; i < *n; i++) {
		if (!decode_spend(b->d, UPKG_TEXTURES, 1) || !read_mip(b, &m))
			return false;
		judge_mip(b, &m, format);
		broken = broken || (i > 0 && (m.w != halved(before.w) || m.h != halved(before.h)));
		before = m;
		if (i == 0)
			*first = m;
	}
	if (broken)
		body_flaw(b, FLAW_MIP_CHAIN, at, body_at(b) - at, *n, 0);
	return true;
}

static bool is_palette(const struct upkg *u, int32_t reference)
{
	if (reference > 0 && upkg_refers(u, reference))
		return upkg_class_word(u, &u->exports[reference - 1]) == WORD_Palette;
	return reference < 0 && upkg_refers(u, reference) &&
	       upkg_word_of(u, u->imports[-(int64_t)reference - 1].class_name) == WORD_Palette;
}

static void judge_texture(struct body *b, enum upkg_word class, const struct mip *first, int64_t n)
{
	const struct texture_properties *p = &b->texture;

	if (n > 0 && first->n == 0 && class == WORD_Texture)
		body_flaw(b, FLAW_MIP_EMPTY, first->at, 0, first->w, first->h);
	if (n > 0 && (p->u_clamp > first->w || p->v_clamp > first->h))
		body_flaw(b, FLAW_CLAMP, first->at + first->n, 8, p->u_clamp, p->v_clamp);
	if (b->u->era == UPKG_UE1 && p->format == P8 && class == WORD_Texture && !is_palette(b->u, p->palette))
		body_flaw(b, FLAW_NO_PALETTE, b->all.at, b->all.len, p->palette, 0);
}

/* A texture that has a compressed form lists its mips too, before version 84. */
static bool read_compressed(struct body *b)
{
	const struct texture_properties *p = &b->texture;
	uint64_t at = body_at(b);
	struct mip first;
	int64_t n = 0;

	if (!p->has_comp || b->u->tag.version >= 84)
		return true;
	if (body_left(b) == 0)
		return body_flaw(b, FLAW_COMP_MIPS, at, 0, 0, 0);
	if (p->comp_format == 0)
		body_flaw(b, FLAW_COMP_MIPS, at, 1, 1, 0);
	return read_mips(b, p->comp_format, &first, &n);
}

bool body_texture(struct body *b, enum upkg_word class)
{
	struct mip first = { 0 };
	int64_t n, sparks;

	if (!read_mips(b, b->texture.format, &first, &n))
		return false;
	judge_texture(b, class, &first, n);
	if (!read_compressed(b))
		return false;
	if (class == WORD_FireTexture) {
		if (b->u->tag.version < 60 || b->u->tag.version > 69)
			return true;
		if (!body_count(b, 8, &sparks))
			return false;
		if (!body_skip(b, (uint64_t)sparks * 8))
			return body_cut(b);
	}
	return body_end(b);
}

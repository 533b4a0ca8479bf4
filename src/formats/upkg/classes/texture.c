/* Textures: their mips, and whether these fit the properties. */
#include "formats/upkg/classes/readers.h"

#include "core/mutant.h"
#include "formats/upkg/body/parts.h"
#include "formats/upkg/classes/scratch.h"
#include "formats/upkg/tables/references.h"

/* Formats of textures: those that both engines have, and those from 2 on in which they differ.
 * Source: the engines' headers; P8, DXT1, RGBA8, and of UE2 DXT3, DXT5 and G16 were measured. */
enum { P8, RGBA7, DXT1 = 3, RGB8, RGBA8 };
enum {
	UE1_BC2 = 6,
	UE1_BC3,
	UE1_BC4,
	UE1_BC4_SIGNED,
	UE1_BC5,
	UE1_BC5_SIGNED,
	UE1_BC7,
	UE1_BC6H_SIGNED,
	UE1_BC6H
};
enum { UE2_RGB16 = 2, UE2_DXT3 = 7, UE2_DXT5, UE2_L8, UE2_G16 };

/* How many bytes a texel takes, or a block of 4 by 4 texels; 0: it is not known. */
struct pixels {
	uint8_t texel, block;
};

static struct pixels pixels_of(const struct upkg *u, uint64_t format)
{
	static const struct pixels ue1[] = {
		[P8] = { 1, 0 },
		[RGBA7] = { 4, 0 },
		[DXT1] = { 0, 8 },
		[RGB8] = { 3, 0 },
		[RGBA8] = { 4, 0 },
		[UE1_BC2] = { 0, 16 },
		[UE1_BC3] = { 0, 16 },
		[UE1_BC4] = { 0, 8 },
		[UE1_BC4_SIGNED] = { 0, 8 },
		[UE1_BC5] = { 0, 16 },
		[UE1_BC5_SIGNED] = { 0, 16 },
		[UE1_BC7] = { 0, 16 },
		[UE1_BC6H_SIGNED] = { 0, 16 },
		[UE1_BC6H] = { 0, 16 },
	};
	static const struct pixels ue2[] = {
		[P8] = { 1, 0 },        [RGBA7] = { 4, 0 },     [UE2_RGB16] = { 2, 0 },
		[DXT1] = { 0, 8 },      [RGB8] = { 3, 0 },      [RGBA8] = { 4, 0 },
		[UE2_DXT3] = { 0, 16 }, [UE2_DXT5] = { 0, 16 }, [UE2_L8] = { 1, 0 },
		[UE2_G16] = { 2, 0 },
	};
	const bool is_ue1 = u->era == UPKG_UE1;

	if (format >= (is_ue1 ? sizeof ue1 : sizeof ue2) / sizeof ue1[0])
		return (struct pixels){ 0, 0 };
	return is_ue1 ? ue1[format] : ue2[format];
}

/* How many bytes a mip takes; 0: it is not known. */
static uint64_t mip_bytes(const struct upkg *u, uint64_t format, uint64_t w, uint64_t h)
{
	const struct pixels p = pixels_of(u, format);

	return p.block > 0 ? p.block * ((w + 3) / 4) * ((h + 3) / 4) : p.texel * w * h;
}

struct mip {
	struct span count, data; /* in the file */
	int64_t w, h;
	uint64_t u_bits, v_bits;
};

/* After the data of a mip there are two sizes and their bits. */
enum { SIZES_LEN = 8, MIP_TAIL_LEN = 10, MIP_LEAST = 11, NO_FORMAT = 256 };
enum { SPARK_LEN = 8 };

static bool read_mip(struct body *b, struct mip *m)
{
	if (!body_lazy(b, &m->data.len, &m->count))
		return false;
	m->data.at = body_at(b);
	body_pass(b, m->data.len);
	if (!body_i32(b, &m->w) || !body_i32(b, &m->h) || !body_u8(b, &m->u_bits) ||
	    !body_u8(b, &m->v_bits))
		return body_cut(b);
	return true;
}

static bool is_power(int64_t size, uint64_t bits)
{
	/* mutant: any number of bits */
	return (bits < 31 || MUTANT(81)) && size == (int64_t)1 << bits;
}

static int64_t halved(int64_t size)
{
	return size > 1 ? size / 2 : 1;
}

static void examine_mip(struct body *b, const struct mip *m, uint64_t format)
{
	uint64_t bytes;

	if (!is_power(m->w, m->u_bits) || !is_power(m->h, m->v_bits))
		body_flaw(b, FLAW_MIP_BITS, span_end(m->data), MIP_TAIL_LEN, m->w, m->h);
	if (m->w <= 0 || m->h <= 0)
		return;
	bytes = mip_bytes(b->u, format, (uint64_t)m->w, (uint64_t)m->h);
	if (bytes == 0)
		body_leave_bytes(b, m->data.at, m->data.len);
	else if (m->data.len != 0 && m->data.len != bytes)
		body_flaw(b, FLAW_MIP_SIZE, m->count.at, m->count.len, (int64_t)m->data.len,
			  (int64_t)bytes);
}

/* Whether a mip is not half as large as the one before it. Nothing is half as large as one of 1 by
 * 1. */
static bool is_out_of_chain(const struct mip *m, const struct mip *before)
{
	return m->w != halved(before->w) || m->h != halved(before->h) ||
	       (before->w == 1 && before->h == 1);
}

enum { MIPS_MAX = 12, LATER_SIDE_MAX = 16384 };

/* The arrays of renderers hold the mips of a texture of 2048. Later engines are said to have larger
 * textures, which need more. */
static void examine_mip_count(struct body *b, struct span at, const struct mip *first, int64_t n)
{
	int64_t needed = 1, side;

	if (n <= MIPS_MAX) /* then `first` may not be set */
		return;
	side = first->w > first->h ? first->w : first->h;
	for (int64_t rest = side < LATER_SIDE_MAX ? side : LATER_SIDE_MAX; rest > 1; rest /= 2)
		needed++;
	body_flaw(b, n <= needed ? FLAW_MIP_COUNT_NEEDED : FLAW_MIP_COUNT, at.at, at.len, n, 0);
}

/* Each mip is half as large as the one before; the first that is not is noted. */
static bool read_mips(struct body *b, uint64_t format, struct mip *first, int64_t *n)
{
	const uint64_t at = body_at(b);
	bool broken = false;
	struct span count;
	struct mip m, before = { .w = 0 };

	if (!body_count(b, b->u->tag.version >= 62 ? MIP_LEAST + 4 : MIP_LEAST, n))
		return false;
	count = (struct span){ at, body_at(b) - at };
	for (int64_t i = 0; i < *n; i++) {
		if (!decode_spend(b->d, UPKG_TEXTURES, 1) || !read_mip(b, &m))
			return false;
		examine_mip(b, &m, format);
		if (i > 0 && !broken && is_out_of_chain(&m, &before)) {
			body_flaw(b, FLAW_MIP_CHAIN, span_end(m.data), SIZES_LEN, i, 0);
			broken = true;
		}
		before = m;
		if (i == 0)
			*first = m;
	}
	examine_mip_count(b, count, first, *n);
	return true;
}

static void examine_clamp(struct body *b, unsigned axis, int64_t size)
{
	const struct texture_number *said = &b->texture.clamps[axis];

	if (said->at.len > 0 && said->value > size)
		body_flaw_part(b, FLAW_CLAMP, (uint8_t)axis, said->at.at, said->at.len, said->value,
			       size);
}

/* The engine renders by its properties, and takes the bytes from the mip. */
static void examine_sizes(struct body *b, const struct mip *first)
{
	const int64_t wanted[N_TEXTURE_SIZES] = { first->w, first->h, (int64_t)first->u_bits,
						  (int64_t)first->v_bits };

	for (unsigned i = 0; i < N_TEXTURE_SIZES; i++) {
		const struct texture_number *said = &b->texture.sizes[i];

		if (said->at.len > 0 && said->value != wanted[i])
			body_flaw_part(b, FLAW_TEXTURE_SIZE, (uint8_t)i, said->at.at, said->at.len,
				       said->value, wanted[i]);
	}
}

static void examine_texture(struct body *b, const struct mip *first, int64_t n)
{
	const struct texture_properties *p = &b->texture;
	const struct span palette = p->palette_at.at > 0 ? p->palette_at : b->all;

	if (n > 0 && first->data.len == 0 && b->class == WORD_Texture)
		body_flaw(b, FLAW_MIP_EMPTY, first->count.at, first->count.len, first->w, first->h);
	if (n > 0) {
		examine_clamp(b, 0, first->w);
		examine_clamp(b, 1, first->h);
		examine_sizes(b, first);
	}
	if (b->u->era == UPKG_UE1 && p->format == P8 && b->class == WORD_Texture &&
	    upkg_refers(b->u, p->palette) &&
	    upkg_class_of(b->u, (int32_t)p->palette) != WORD_Palette)
		body_flaw(b, FLAW_NO_PALETTE, palette.at, palette.len, p->palette, 0);
}

/* A texture that has a compressed form lists its mips too, before version 84. */
static bool read_compressed(struct body *b)
{
	const struct texture_properties *p = &b->texture;
	const uint64_t at = body_at(b);
	struct mip first;
	int64_t n = 0;

	if (!p->has_comp || b->u->tag.version >= 84)
		return true;
	if (body_left(b) == 0)
		return body_flaw_plain(b, FLAW_COMP_MIPS, at, 0);
	if (!read_mips(b, p->comp_format == P8 ? NO_FORMAT : p->comp_format, &first, &n))
		return false;
	if (n == 0)
		body_flaw_plain(b, FLAW_COMP_MIPS, at, 1);
	else if (p->comp_format == P8)
		body_flaw_plain(b, FLAW_COMP_FORMAT, at, 1);
	return true;
}

/* Keeps the size of a texture for fonts of the package that refer to it. */
static bool keep_size(struct body *b, const struct mip *first)
{
	struct class_scratch *s = scratch_of(b);
	struct texture_size *list = decode_grow(b->d, UPKG_TEXTURES, s->sizes, s->n_sizes,
						&s->max_sizes, sizeof *list);

	if (!list)
		return false;
	s->sizes = list;
	list[s->n_sizes++] = (struct texture_size){ b->export, { first->w, first->h } };
	return true;
}

/* Whether sparks follow the mips of a FireTexture. What does in other versions is not known. */
static bool has_sparks(uint64_t version)
{
	return (version >= 60 && version <= 69) || (version >= 99 && version <= 115);
}

static bool skip_sparks(struct body *b)
{
	const struct texture_number *said = &b->texture.sparks;
	int64_t n;

	if (!body_array(b, SPARK_LEN, &n))
		return false;
	if (said->at.len > 0 && said->value != n)
		body_flaw(b, FLAW_SPARKS, said->at.at, said->at.len, said->value, n);
	return true;
}

/* How many drops the classes that draw them have space for. */
enum { DROPS_MAX = 256 };

static bool has_drops(enum upkg_word class)
{
	return class == WORD_WaterTexture || class == WORD_WaveTexture ||
	       class == WORD_WetTexture || class == WORD_FluidTexture;
}

static void examine_drops(struct body *b)
{
	const struct texture_number *drops = &b->texture.drops;

	if (has_drops(b->class) && drops->at.len > 0 &&
	    (drops->value < 0 || drops->value > DROPS_MAX))
		body_flaw(b, FLAW_DROPS, drops->at.at, drops->at.len, drops->value, DROPS_MAX);
}

bool body_texture(struct body *b)
{
	struct mip first = { .w = 0 };
	int64_t n;

	if (!read_mips(b, b->texture.format, &first, &n) || (n > 0 && !keep_size(b, &first)))
		return false;
	examine_texture(b, &first, n);
	examine_drops(b);
	if (!read_compressed(b))
		return false;
	if (b->class == WORD_FluidTexture ||
	    (b->class == WORD_FireTexture && !has_sparks(b->u->tag.version)))
		return body_leave_other(b);
	return body_closed(b, b->class != WORD_FireTexture || skip_sparks(b));
}

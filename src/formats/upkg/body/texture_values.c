/* The properties of a texture that its mips must fit. */
#include "formats/upkg/body/texture_values.h"

#include "formats/upkg/tables/names.h"

static void keep_number(struct body *b, const struct tag *t, struct texture_number *n)
{
	if (t->type == TYPE_INT && body_i32(b, &n->value))
		n->at = (struct span){ t->value_at, body_at(b) - t->value_at };
}

static void keep_bits(struct body *b, const struct tag *t, struct texture_number *n)
{
	uint64_t bits;

	if (t->type == TYPE_BYTE && body_u8(b, &bits))
		*n = (struct texture_number){ (int64_t)bits,
					      { t->value_at, body_at(b) - t->value_at } };
}

static void keep_format(struct body *b, const struct tag *t, uint64_t *format)
{
	if (t->type == TYPE_BYTE && !body_u8(b, format))
		*format = 0;
}

void body_keep_value(struct body *b, const struct tag *t)
{
	struct texture_properties *p = &b->texture;

	switch (upkg_word_of(b->u, t->name)) {
	case WORD_Format:
		keep_format(b, t, &p->format);
		break;
	case WORD_CompFormat:
		keep_format(b, t, &p->comp_format);
		break;
	case WORD_bHasComp:
		p->has_comp = t->type == TYPE_BOOL && t->is_array;
		break;
	case WORD_Palette:
		p->palette_at = (struct span){ t->value_at, t->size };
		if (t->type == TYPE_OBJECT && !body_peek(b, &p->palette))
			p->palette = 0;
		break;
	case WORD_UClamp:
		keep_number(b, t, &p->clamps[0]);
		break;
	case WORD_VClamp:
		keep_number(b, t, &p->clamps[1]);
		break;
	case WORD_USize:
		keep_number(b, t, &p->sizes[SIZE_U]);
		break;
	case WORD_VSize:
		keep_number(b, t, &p->sizes[SIZE_V]);
		break;
	case WORD_UBits:
		keep_bits(b, t, &p->sizes[BITS_U]);
		break;
	case WORD_VBits:
		keep_bits(b, t, &p->sizes[BITS_V]);
		break;
	case WORD_NumDrops:
		keep_number(b, t, &p->drops);
		break;
	case WORD_NumSparks:
		keep_number(b, t, &p->sparks);
		break;
	default:
		return;
	}
	body_move(b, t->value_at);
}

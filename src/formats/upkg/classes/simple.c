/* Palettes, text buffers and polygons. */
#include "formats/upkg/classes/readers.h"

#include "formats/upkg/body/parts.h"
#include "formats/upkg/classes/polygon.h"

bool body_palette(struct body *b)
{
	uint64_t at = body_at(b);
	int64_t n;

	if (!body_count(b, 4, &n))
		return false;
	if (n != 256)
		body_flaw(b, FLAW_PALETTE_COUNT, at, body_at(b) - at, n, 0);
	return body_closed(b, body_step(b, (uint64_t)n * 4));
}

/* A text buffer has two numbers, then a counted text. */
bool body_text_buffer(struct body *b)
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

/* Bytes at the end of a polygon: how its texture is shifted, or in later versions the scale of its
 * light map. */
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
	if (n < POLY_VERTICES_MIN)
		body_flaw(b, FLAW_POLY_VERTICES_FEW, at, body_at(b) - at, n, 0);
	else if (n > POLY_VERTICES_MAX)
		body_flaw(b, FLAW_POLY_VERTICES, at, body_at(b) - at, n, 0);
	if (!body_skip(b, (4 + (uint64_t)n) * VECTOR_LEN + 4) ||
	    !body_object(b, FLAW_NATIVE_REFERENCE, &v) ||
	    !body_object(b, FLAW_NATIVE_REFERENCE, &v) ||
	    !body_name(b, FLAW_NATIVE_REFERENCE, &v) || !skip_index(b) || !skip_index(b) ||
	    !body_skip(b, poly_end(b)))
		return body_cut(b);
	return true;
}

bool body_polys(struct body *b)
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

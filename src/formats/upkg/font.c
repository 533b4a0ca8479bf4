/* Fonts: pages of textures, and where on them each character is. Source: clause 9.10. */
#include "formats/upkg/body.h"

#include "core/canary.h"

enum { GLYPH_LEN = 16, GLYPH_PAGED_LEN = 17 };

/* A glyph is a place on a page and a size; none is negative. */
static bool read_glyph(struct body *b, int64_t number)
{
	const uint64_t at = body_at(b);
	bool negative = false;
	int64_t v;

	for (unsigned i = 0; i < 4; i++) {
		if (!body_i32(b, &v))
			return body_cut(b);
		negative = negative || v < 0;
	}
	if (negative)
		body_flaw_part(b, FLAW_FONT, FONT_GLYPH, at, GLYPH_LEN, number, 0);
	return true;
}

static bool read_page(struct body *b)
{
	const uint64_t at = body_at(b);
	int32_t texture;

	if (!body_object(b, FLAW_NATIVE_REFERENCE, &texture))
		return body_cut(b);
	if (texture != 0 && upkg_refers(b->u, texture) && upkg_class_of(b->u, texture) != WORD_Texture)
		body_flaw_part(b, FLAW_FONT, FONT_TEXTURE, at, body_at(b) - at, texture, 0);
	return true;
}

static bool read_pages(struct body *b)
{
	int64_t pages, glyphs, number = 0;

	if (!body_count(b, 2, &pages))
		return false;
	for (; pages > 0; pages--) {
		if (!decode_spend(b->d, UPKG_FONTS, 1) || !read_page(b) || !body_count(b, GLYPH_LEN, &glyphs))
			return false;
		for (; glyphs > 0; glyphs--)
			if (!decode_spend(b->d, UPKG_FONTS, 1) || !read_glyph(b, number++))
				return false;
	}
	return true;
}

/* In UE2 each glyph names its page, and the pages follow: the largest number is kept until they are counted. */
static bool read_paged_glyphs(struct body *b)
{
	uint64_t page, largest = 0, largest_at = 0;
	int64_t n, pages;

	if (!body_count(b, GLYPH_PAGED_LEN, &n))
		return false;
	for (int64_t i = 0; i < n; i++) {
		if (!decode_spend(b->d, UPKG_FONTS, 1) || !read_glyph(b, i))
			return false;
		if (!body_u8(b, &page))
			return body_cut(b);
		if (page >= largest) {
			largest = page;
			largest_at = body_at(b) - 1;
		}
	}
	if (!body_count(b, 1, &pages))
		return false;
	if (n > 0 && largest >= (uint64_t)pages)
		body_flaw_part(b, FLAW_FONT, FONT_PAGE, largest_at, 1, (int64_t)largest, pages);
	for (; pages > 0; pages--)
		if (!decode_spend(b->d, UPKG_FONTS, 1) || !read_page(b))
			return false;
	return true;
}

/* How an entry of the table of other characters is written nobody measured: a font that has one is read up to it. */
bool body_font(struct body *b)
{
	const bool paged = b->u->era == UPKG_UE2;
	int64_t remapped;

	if (!(paged ? read_paged_glyphs(b) : read_pages(b)))
		return false;
	if (!body_skip(b, 4))
		return body_cut(b);
	if (b->u->tag.version < 69)
		return body_end(b);
	if (!body_count(b, 1, &remapped))
		return false;
	if (remapped > 0)
		return true;
	return (body_skip(b, 4) || body_cut(b)) && body_end(b);
}

/* Fonts: textures as pages, and where on them each character is. Source: clause 9.10. */
#include "formats/upkg/classes/readers.h"

#include "core/mutant.h"
#include "formats/upkg/body/parts.h"
#include "formats/upkg/classes/font.h"
#include "formats/upkg/classes/scratch.h"
#include "formats/upkg/tables/references.h"

enum { GLYPH_LEN = 16, GLYPH_PAGED_LEN = 17, PAGES_MAX = 256, N_AXES = 2 };

/* ---- Glyphs ---------------------------------------------------------------------------------- */

struct glyph {
	uint64_t at;
	int64_t number, places[N_AXES], sizes[N_AXES];
};

/* A glyph is a place on a page and a size; none is negative. */
static bool read_glyph(struct body *b, int64_t number, struct glyph *g)
{
	g->at = body_at(b);
	g->number = number;
	if (!body_i32(b, &g->places[0]) || !body_i32(b, &g->places[1]) ||
	    !body_i32(b, &g->sizes[0]) || !body_i32(b, &g->sizes[1]))
		return body_cut(b);
	if (g->places[0] < 0 || g->places[1] < 0 || g->sizes[0] < 0 || g->sizes[1] < 0)
		body_flaw(b, FLAW_FONT_GLYPH, g->at, GLYPH_LEN, number, 0);
	return true;
}

/* Keeps the first of the glyphs that reach farthest. A glyph without a size takes no place. */
static void keep_reach(struct glyph_reach *r, const struct glyph *g)
{
	if (g->sizes[0] <= 0 || g->sizes[1] <= 0)
		return;
	for (unsigned axis = 0; axis < N_AXES; axis++) {
		int64_t end = g->places[axis] + g->sizes[axis];

		if (end <= r->ends[axis])
			continue;
		r->ends[axis] = end;
		r->at[axis] = g->at;
		r->numbers[axis] = g->number;
	}
}

/* ---- Pages ----------------------------------------------------------------------------------- */

static bool read_page(struct body *b, int32_t *texture)
{
	const uint64_t at = body_at(b);

	if (!body_object(b, FLAW_NATIVE_REFERENCE, texture))
		return body_cut(b);
	if (*texture != 0 && upkg_refers(b->u, *texture) &&
	    upkg_class_of(b->u, *texture) != WORD_Texture)
		body_flaw(b, FLAW_FONT_TEXTURE, at, body_at(b) - at, *texture, 0);
	return true;
}

/* Keeps a page whose texture is in the package: others cannot be compared. */
static bool keep_page(struct body *b, int32_t texture, const struct glyph_reach *r)
{
	struct class_scratch *s = scratch_of(b);
	struct font_page *list;

	if (texture <= 0)
		return true;
	list = decode_grow(b->d, UPKG_FONTS, s->pages, s->n_pages, &s->max_pages, sizeof *list);
	if (!list)
		return false;
	s->pages = list;
	list[s->n_pages++] = (struct font_page){ b->export, texture, *r };
	return true;
}

static bool read_pages(struct body *b)
{
	int64_t pages, glyphs, number = 0;
	int32_t texture;
	struct glyph g;

	if (!body_count(b, 2, &pages))
		return false;
	for (; pages > 0; pages--) {
		struct glyph_reach r = { .ends = { 0 } };

		if (!decode_spend(b->d, UPKG_FONTS, 1) || !read_page(b, &texture) ||
		    !body_count(b, GLYPH_LEN, &glyphs))
			return false;
		for (; glyphs > 0; glyphs--) {
			if (!decode_spend(b->d, UPKG_FONTS, 1) || !read_glyph(b, number++, &g))
				return false;
			keep_reach(&r, &g);
		}
		if (!keep_page(b, texture, &r))
			return false;
	}
	return true;
}

/* In UE2 each glyph names its page, and the pages come later: the largest number is kept until they
 * are counted. */
static bool read_paged_glyphs(struct body *b, struct glyph_reach *reaches, int64_t n,
			      uint64_t *largest, uint64_t *largest_at)
{
	uint64_t page;
	struct glyph g;

	for (int64_t i = 0; i < n; i++) {
		if (!decode_spend(b->d, UPKG_FONTS, 1) || !read_glyph(b, i, &g))
			return false;
		if (!body_u8(b, &page))
			return body_cut(b);
		keep_reach(&reaches[page], &g);
		if (page >= *largest) {
			*largest = page;
			*largest_at = body_at(b) - 1;
		}
	}
	return true;
}

static bool read_glyphs_and_pages(struct body *b)
{
	struct glyph_reach *reaches = buffer_reserve(b, &scratch_of(b)->reaches, PAGES_MAX,
						     sizeof *reaches);
	uint64_t largest = 0, largest_at = 0;
	int64_t n, pages;
	int32_t texture;

	if (!reaches)
		return false;
	memset(reaches, 0, PAGES_MAX * sizeof *reaches);
	if (!body_count(b, GLYPH_PAGED_LEN, &n) ||
	    !read_paged_glyphs(b, reaches, n, &largest, &largest_at) || !body_count(b, 1, &pages))
		return false;
	if (n > 0 && largest >= (uint64_t)pages)
		body_flaw(b, FLAW_FONT_PAGE, largest_at, 1, (int64_t)largest, pages);
	for (int64_t i = 0; i < pages; i++) {
		if (!decode_spend(b->d, UPKG_FONTS, 1) || !read_page(b, &texture))
			return false;
		if (i < PAGES_MAX && !keep_page(b, texture, &reaches[i]))
			return false;
	}
	return true;
}

/* ---- Textures -------------------------------------------------------------------------------- */

/* Returns the size of a texture; NULL: it has no mips, or they were not read. The sizes are in the
 * order of the exports. */
static const struct texture_size *find_size(const struct class_scratch *s, uint32_t export)
{
	uint64_t from = 0, to = s->n_sizes;

	while (from < to) {
		uint64_t middle = from + (to - from) / 2;

		if (s->sizes[middle].export == export)
			return &s->sizes[middle];
		if (s->sizes[middle].export < export)
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}

void font_examine_pages(struct decode *d, struct upkg *u, struct scratch *scratch)
{
	for (uint64_t i = 0; i < scratch->of_classes->n_pages; i++) {
		const struct font_page *p = &scratch->of_classes->pages[i];
		const struct texture_size *size = find_size(scratch->of_classes,
							    (uint32_t)p->texture - 1);
		unsigned axis = size && p->reach.ends[0] > size->sides[0] ? 0 : 1;
		struct body b;

		if (!size || p->reach.ends[axis] <= size->sides[axis])
			continue;
		body_open(&b, d, u, p->font, scratch);
		body_flaw(&b, FLAW_FONT_BEYOND, p->reach.at[axis], GLYPH_LEN,
			  p->reach.numbers[axis], 0);
	}
}

/* ---- Fonts ----------------------------------------------------------------------------------- */

/* After its pages a font of UE1 has the number of characters on each, one of UE2 something else. */
static bool read_per_page(struct body *b)
{
	const uint64_t at = body_at(b);
	int64_t n;

	if (!body_i32(b, &n))
		return body_cut(b);
	if (b->u->era == UPKG_UE1 && n < 1)
		body_flaw(b, FLAW_FONT_PER_PAGE, at, 4, n, 0);
	return true;
}

/* The form of an entry in the table of other characters was not measured: a font that has one is
 * read up to it. */
bool body_font(struct body *b)
{
	int64_t remapped;

	if (!(b->u->era == UPKG_UE2 ? read_glyphs_and_pages(b) : read_pages(b)))
		return false;
	if (!read_per_page(b))
		return false;
	if (b->u->tag.version < 69)
		return body_closed(b, true);
	if (!body_count(b, 1, &remapped))
		return false;
	if (remapped > 0)
		return body_leave_other(b);
	return body_closed(b, body_step(b, 4));
}

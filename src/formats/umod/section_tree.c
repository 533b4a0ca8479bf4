/* The sections of a manifest by name, in a balanced tree to which each new name is added as its
 * header is read.
 *
 * It is not a sorted list: sorting takes memory of its own, and there may be a section for every
 * four bytes of text. */
#include "formats/umod/umod.h"

/* The low SECTION_LINK_BITS bits of a link are the number of a section. Above them link[0] has the
 * balance: whether the tree of lesser names is deeper by one, or that of greater names. */
#define LINK_MASK SECTION_NIL
enum { LEVEL = 0, LEFT_DEEP = 1, RIGHT_DEEP = 2 };

static uint32_t link_of(const struct manifest *m, uint32_t i, unsigned side)
{
	return manifest_section_row(m, i)->link[side] & LINK_MASK;
}

static void set_link(const struct manifest *m, uint32_t i, unsigned side, uint32_t to)
{
	uint32_t *link = &manifest_section_row(m, i)->link[side];

	*link = (*link & ~LINK_MASK) | to;
}

static unsigned balance_of(const struct manifest *m, uint32_t i)
{
	return manifest_section_row(m, i)->link[0] >> SECTION_LINK_BITS;
}

static void set_balance(const struct manifest *m, uint32_t i, unsigned balance)
{
	uint32_t *link = &manifest_section_row(m, i)->link[0];

	*link = (*link & LINK_MASK) | (uint32_t)balance << SECTION_LINK_BITS;
}

/* Any order will do. This one is fast: most names differ in length, and numbered names at their
 * end. */
static inline int compare_name(const struct manifest_section *s, const struct text *text,
			       const struct text *name)
{
	struct text own;

	if (name->ref.n_units != s->n_units)
		return name->ref.n_units < s->n_units ? -1 : 1;
	own = text_part(text, s->from, s->from + s->n_units);
	for (uint32_t i = s->n_units; i > 0; i--) {
		const uint32_t x = text_fold(text_unit(*name, i - 1)),
			       y = text_fold(text_unit(own, i - 1));

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

uint32_t manifest_find_section(const struct manifest *m, enum manifest_file f,
			       const struct text *name)
{
	uint32_t i = m->roots[f];
	struct text text;

	if (i == SECTION_NIL)
		return MANIFEST_NONE; /* there may be no such file */
	text = manifest_text(m, f, m->texts[f]);
	while (i != SECTION_NIL) {
		const struct manifest_section *s = manifest_section_row(m, i);
		const int order = compare_name(s, &text, name);

		if (order == 0)
			return i;
		i = s->link[order > 0] & LINK_MASK;
	}
	return MANIFEST_NONE;
}

/* The path down to a new section. It begins at `top`, the lowest section on it whose subtrees
 * differ in depth, or the root if there is none. */
struct descent {
	uint32_t top, above; /* above is SECTION_NIL if top is the root */
	uint64_t sides;      /* that were taken from top on, the first in the lowest bit */
	unsigned n_sides;
};

/* Goes down to where a name is, or would be. It returns its section; SECTION_NIL: there is none,
 * and *last is the section above its place. */
static uint32_t go_down(const struct manifest *m, enum manifest_file f, const struct text *name,
			struct descent *w, uint32_t *last)
{
	const struct text text = manifest_text(m, f, m->texts[f]);
	uint32_t i = m->roots[f], above = SECTION_NIL;

	*w = (struct descent){ .top = i, .above = SECTION_NIL };
	while (i != SECTION_NIL) {
		const struct manifest_section *s = manifest_section_row(m, i);
		const int order = compare_name(s, &text, name);

		if (order == 0)
			return i;
		if (s->link[0] >> SECTION_LINK_BITS != LEVEL)
			*w = (struct descent){ .top = i, .above = above };
		w->sides |= (uint64_t)(order > 0) << w->n_sides++;
		above = *last = i;
		i = s->link[order > 0] & LINK_MASK;
	}
	return SECTION_NIL;
}

/* Rotates `top` down, and up the section on its deeper side, or the inner child of that one. It
 * returns the new top. */
static uint32_t rotate(const struct manifest *m, uint32_t top, unsigned deep)
{
	const unsigned heavy = deep ? RIGHT_DEEP : LEFT_DEEP, light = deep ? LEFT_DEEP : RIGHT_DEEP;
	const uint32_t below = link_of(m, top, deep);
	uint32_t middle;

	if (balance_of(m, below) == heavy) {
		set_link(m, top, deep, link_of(m, below, !deep));
		set_link(m, below, !deep, top);
		set_balance(m, top, LEVEL);
		set_balance(m, below, LEVEL);
		return below;
	}
	middle = link_of(m, below, !deep);
	set_link(m, below, !deep, link_of(m, middle, deep));
	set_link(m, middle, deep, below);
	set_link(m, top, deep, link_of(m, middle, !deep));
	set_link(m, middle, !deep, top);
	set_balance(m, top, balance_of(m, middle) == heavy ? light : LEVEL);
	set_balance(m, below, balance_of(m, middle) == light ? heavy : LEVEL);
	set_balance(m, middle, LEVEL);
	return middle;
}

/* The tree below w->top has become deeper by a level on the side that was taken there. All sections
 * below on the path were level. */
static void rebalance(struct manifest *m, enum manifest_file f, const struct descent *w)
{
	const unsigned side = w->sides & 1, heavy = side ? RIGHT_DEEP : LEFT_DEEP;
	uint32_t i = link_of(m, w->top, side), top;

	for (unsigned k = 1; k < w->n_sides; k++) {
		const unsigned taken = w->sides >> k & 1;

		set_balance(m, i, taken ? RIGHT_DEEP : LEFT_DEEP);
		i = link_of(m, i, taken);
	}
	if (balance_of(m, w->top) != heavy) {
		set_balance(m, w->top, balance_of(m, w->top) == LEVEL ? heavy : LEVEL);
		return;
	}
	top = rotate(m, w->top, side);
	if (w->above == SECTION_NIL)
		m->roots[f] = top;
	else
		set_link(m, w->above, link_of(m, w->above, 1) == w->top, top);
}

uint32_t manifest_add_section(struct decode *d, struct manifest *m, enum manifest_file f,
			      const struct text *name, bool *added)
{
	uint32_t last = SECTION_NIL, i;
	struct manifest_section *s;
	struct descent w;

	i = go_down(m, f, name, &w, &last);
	*added = i == SECTION_NIL;
	if (!*added)
		return i;
	i = m->sections.n;
	s = manifest_add(d, &m->sections, sizeof *s);
	if (!s)
		return MANIFEST_NONE;
	*s = (struct manifest_section){ manifest_unit(m, f, name->ref),
					name->ref.n_units,
					{ SECTION_NIL, SECTION_NIL } };
	if (f == MANIFEST_INI)
		m->n_ini_sections = i + 1;
	if (f != MANIFEST_OTHER)
		m->n_own_sections = i + 1;
	if (last == SECTION_NIL) {
		m->roots[f] = i;
		return i;
	}
	set_link(m, last, w.sides >> (w.n_sides - 1) & 1, i);
	rebalance(m, f, &w);
	return i;
}

struct manifest_line manifest_header(const struct manifest *m, uint32_t section)
{
	return manifest_line_around(m, manifest_section_file(m, section),
				    manifest_section_row(m, section)->from);
}

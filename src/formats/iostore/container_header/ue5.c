/* The container header of Unreal Engine 5: where its parts lie. Source:
 * conformance/spec/iostore.md, 8. */
#include "formats/iostore/container_header/walk.h"

#include "core/mutant.h"

#define SIGN_BIT ((uint64_t)1 << 63)

static bool walk_package_lists(struct container_header *h)
{
	struct container_walk *w = &h->walk;
	struct cursor count = w->c;

	if (h->version == CONTAINER_LOCALIZED_PACKAGES) {
		if (!walk_take(w, PART_PACKAGE_COUNT, container_count_fixed_len) ||
		    !cursor_u32(&count, &h->package_count))
			return false;
	}
	if (!walk_rows(w, PART_IDS, container_package_id_fixed_len) ||
	    !walk_rows(w, PART_ENTRIES, 1))
		return false;
	if (h->version < CONTAINER_OPTIONAL_SEGMENTS)
		return true;
	return walk_rows(w, PART_OPTIONAL_IDS, container_package_id_fixed_len) &&
	       walk_rows(w, PART_OPTIONAL_ENTRIES, 1);
}

static bool walk_names(struct container_header *h)
{
	struct container_walk *w = &h->walk;
	struct container_part *p = &w->parts[PART_NAMES];
	struct name_batch *b = &h->names;

	p->count_at = cursor_at(&w->c);
	p->is_there = names_find(b, h->held, p->count_at);
	p->n = b->n;
	p->at = b->hashes_at;
	if (!p->is_there)
		return walk_cut(w, PART_NAMES, b->cut_at, b->cut_wants);
	p->len = b->end - p->at;
	return cursor_seek(&w->c, b->end);
}

/* ---- Soft references ------------------------------------------------------------------------- */

static bool walk_soft_lists(struct container_header *h)
{
	struct container_walk *w = &h->walk;
	struct cursor flag = w->c;

	if (!walk_take(w, PART_SOFT_FLAG, container_count_fixed_len) ||
	    !cursor_u32(&flag, &h->soft.flag))
		return false;
	if (h->soft.flag == 0)
		return true;
	return walk_rows(w, PART_SOFT_IDS, container_package_id_fixed_len) &&
	       walk_rows(w, PART_SOFT_ENTRIES, 1);
}

static enum container_soft_fault place_fault(const struct container_soft_place *p,
					     const struct cursor *c)
{
	if ((p->offset | p->size) & SIGN_BIT)
		return SOFT_PLACE_NEGATIVE;
	if (p->size == 0)
		return SOFT_PLACE_FINE;
	/* mutant: they may end a byte behind the header */
	if (p->offset > c->len || p->size > c->len - p->offset + MUTANT(94))
		return SOFT_PLACE_OUTSIDE;
	return p->offset == cursor_at(c) ? SOFT_PLACE_FINE : SOFT_PLACE_ELSEWHERE;
}

/* The block ends where its size says, and its lists must end before that. */
static bool walk_soft_block(struct container_header *h)
{
	struct container_walk *w = &h->walk;
	const struct cursor outer = w->c;
	struct container_soft *s = &h->soft;

	s->block_end = s->place.offset + s->place.size;
	w->c.len = s->block_end;
	s->overrun = !walk_soft_lists(h);
	s->used_end = cursor_at(&w->c);
	w->cut = PART_N;
	w->c = outer;
	w->c.pos = s->block_end;
	return !s->overrun;
}

static bool walk_soft(struct container_header *h)
{
	struct container_walk *w = &h->walk;
	struct container_soft *s = &h->soft;
	struct cursor place = w->c;

	if (h->version < CONTAINER_SOFT_REFERENCES)
		return true;
	if (h->version < CONTAINER_SOFT_REFERENCES_OFFSET)
		return walk_soft_lists(h);
	if (!walk_take(w, PART_SOFT_PLACE, container_soft_place_fixed_len) ||
	    !container_soft_place_read(&place, 0, &s->place))
		return false;
	s->fault = place_fault(&s->place, &w->c);
	return s->fault == SOFT_PLACE_FINE && (s->place.size == 0 || walk_soft_block(h));
}

void walk_ue5(struct container_header *h)
{
	struct container_walk *w = &h->walk;
	bool soft;

	if (!walk_ends(w, CONTAINER_PACKAGES, walk_package_lists(h)) ||
	    !walk_ends(w, CONTAINER_NAMES, walk_names(h)) ||
	    !walk_ends(w, CONTAINER_MAPS,
		       walk_rows(w, PART_LOCALIZED, container_localized_fixed_len) &&
			       walk_rows(w, PART_REDIRECTS, container_redirect_fixed_len)))
		return;
	soft = walk_ends(w, CONTAINER_SOFT, walk_soft(h));
	if (!soft && !h->soft.overrun)
		return;
	w->groups |= 1u << CONTAINER_END;
	w->end = cursor_at(&w->c);
}

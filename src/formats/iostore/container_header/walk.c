/* The walk's steps, each of which takes a part or says that the chunk is too short for it. */
#include "formats/iostore/container_header/walk.h"

#include "core/mutant.h"

bool walk_cut(struct container_walk *w, enum container_part_name part, uint64_t at, uint64_t wants)
{
	w->cut = part;
	w->cut_at = at;
	w->cut_wants = wants;
	w->cut_left = w->c.len - at;
	return false;
}

bool walk_take(struct container_walk *w, enum container_part_name part, uint64_t len)
{
	struct container_part *p = &w->parts[part];
	struct span span;

	p->count_at = p->at = cursor_at(&w->c);
	if (!cursor_skip(&w->c, len, &span))
		return walk_cut(w, part, p->at, len);
	p->len = p->n = len;
	p->is_there = true;
	return true;
}

bool walk_rows(struct container_walk *w, enum container_part_name part, uint64_t each)
{
	struct container_part *p = &w->parts[part];
	struct span span;
	uint64_t n;

	p->count_at = cursor_at(&w->c);
	if (!cursor_u32(&w->c, &n))
		return walk_cut(w, part, p->count_at, container_count_fixed_len);
	p->n = n;
	p->at = cursor_at(&w->c);
	/* mutant: the last byte of a list is not asked for */
	if (!cursor_skip(&w->c, n * each - (MUTANT(85) && n > 0), &span))
		return walk_cut(w, part, p->at, n * each);
	p->len = n * each;
	p->is_there = true;
	return true;
}

bool walk_ends(struct container_walk *w, enum utoc_group group, bool ok)
{
	if (ok)
		w->groups |= 1u << group;
	else
		w->blocked = group;
	return ok;
}

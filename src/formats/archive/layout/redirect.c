/* What a server has that clients download packages from. Source: conformance/spec/layout.md,
 * chapter 8. */
#include "formats/archive/layout/groups.h"

#include "core/path.h"

static struct lay_row *refuse(struct lay_tree *t, const struct lay_member *x, const char *words,
			      const char *found)
{
	struct lay_row *row = lay_tell(t->d, t->group, &t->out->tree, LAY_NOT_SERVED, x->row);

	if (row) {
		row->words = words;
		row->value.word = found;
	}
	return row;
}

/* Clients put the name into an address as it is. */
static const char *lost_in_address(struct text name)
{
	for (uint32_t i = 0; i < name.ref.n_units; i++) {
		const uint32_t c = text_unit(name, i);

		switch (c) {
		case ' ':
			return "a space";
		case '%':
			return "a percent sign";
		case '#':
			return "#";
		case '?':
			return "?";
		default:
			if (c < ' ' || c > '~')
				return "one that is not of ASCII";
		}
	}
	return NULL;
}

static bool judge_name(struct lay_tree *t, const struct lay_member *x)
{
	const char *lost = lost_in_address(x->last);

	if (!(x->what & (LAY_IS_PACKAGE | LAY_IS_PACKED)))
		return refuse(t, x, "should be a package or a download of one, and is",
			      "another file") != NULL;
	if (x->folder.ref.n_units > 0 &&
	    !refuse(t, x, "should be at the root, and is", "in a folder"))
		return false;
	return !lost || refuse(t, x, "should have no character that an address cannot have, as",
			       lost) != NULL;
}

/* A download that is no smaller than its package. */
static bool judge_sizes(struct lay_tree *t, const struct lay_group *g)
{
	const struct lay_picked *package = NULL;

	for (uint32_t i = 0; i < g->n && !package; i++)
		if (lay_at(g, i)->x.what & LAY_IS_PACKAGE)
			package = lay_at(g, i);
	for (uint32_t i = 0; package && i < g->n; i++) {
		const struct lay_picked *p = lay_at(g, i);
		struct lay_row *row;

		if (!(p->x.what & LAY_IS_PACKED) || p->x.m->size < package->x.m->size)
			continue;
		row = refuse(t, &p->x, "should be smaller than its package, and has", NULL);
		if (!row)
			return false;
		row->kind = LAY_SIZE;
		row->value.number = p->x.m->size;
		row->relative = package->x.row;
	}
	return true;
}

bool lay_judge_redirect(struct lay_tree *t)
{
	const struct members *m = t->archive->members;
	struct lay_picks picks = { .n = 0 };

	if (!decode_spend(t->d, t->group, m->n))
		return false;
	for (uint32_t i = 0; i < m->n; i++) {
		const struct lay_member x = lay_look(m, i);

		if (m->rows[i].kind != ARC_FILE)
			continue;
		if (!judge_name(t, &x) ||
		    (x.what & (LAY_IS_PACKAGE | LAY_IS_PACKED) &&
		     !lay_pick(t, &picks, &x, x.what & LAY_IS_PACKED ? path_stem(x.last) : x.last)))
			return false;
	}
	return lay_judge_groups(t, &picks, judge_sizes);
}

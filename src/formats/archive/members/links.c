/* Where a link leads. */
#include "core/path.h"
#include "formats/archive/members/keys.h"

static bool is_separator(uint32_t c)
{
	return c == '/' || c == '\\';
}

/* How a path that begins `depth` folders deep goes: the least depth that it reaches, and the last.
 * A depth below 0 is outside. */
struct descent {
	int64_t depth, least;
};

static void take_part(struct descent *x, struct text path, uint64_t from, uint64_t to)
{
	const bool is_dot = to - from == 1 && text_unit(path, from) == '.';
	const bool is_up = to - from == 2 && text_unit(path, from) == '.' &&
			   text_unit(path, from + 1) == '.';

	if (from == to || is_dot)
		return;
	x->depth += is_up ? -1 : 1;
	if (x->depth < x->least)
		x->least = x->depth;
}

static struct descent descend(struct text path, int64_t depth)
{
	struct descent x = { depth, depth };

	for (uint64_t from = 0, to; from < path.ref.n_units; from = to + 1) {
		for (to = from; to < path.ref.n_units && !is_separator(text_unit(path, to)); to++)
			;
		take_part(&x, path, from, to);
	}
	return x;
}

bool members_link_leaves(const struct arc_member *m)
{
	const struct path p = path_examine(m->target);
	const int64_t folder = m->kind == ARC_HARD_LINK ? 0 : descend(m->name, 0).depth - 1;

	if (p.traits & (PATH_ROOTED | PATH_DRIVE))
		return true;
	return descend(m->target, folder).least < 0;
}

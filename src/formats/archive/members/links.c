/* Where a link leads. */
#include "core/path.h"
#include "formats/archive/members/keys.h"

static bool is_up(struct text part)
{
	return part.ref.n_units == 2 && text_unit(part, 0) == '.' && text_unit(part, 1) == '.';
}

/* How a path that begins `depth` folders deep goes: the least depth that it reaches, and the last.
 * A depth below 0 is outside. */
struct descent {
	int64_t depth, least;
};

static struct descent descend(struct text path, int64_t depth)
{
	struct descent x = { depth, depth };
	struct text part;

	for (uint32_t at = 0; member_next_part(path, &at, &part);) {
		x.depth += is_up(part) ? -1 : 1;
		if (x.depth < x.least)
			x.least = x.depth;
	}
	return x;
}

bool members_link_leaves(const struct arc_member *m)
{
	const struct path p = path_examine(m->target);
	const int64_t folder = m->kind == ARC_HARD_LINK ? 0 : descend(m->name, 0).depth - 1;

	/* what follows a NUL some programs read, and others do not */
	if (p.traits & (PATH_ROOTED | PATH_DRIVE | PATH_NUL))
		return true;
	return descend(m->target, folder).least < 0;
}

/* ---- Links over links ------------------------------------------------------------------------ */

/* The way along a target, from the folder of its link: the parts so far, as a name in UTF-16. Of
 * targets with more parts nobody finds out where they lead. */
enum { WAY_MAX = 24 };
struct way {
	const struct name_index *k;
	struct text path;
	uint8_t *units;         /* of the path */
	uint32_t ends[WAY_MAX]; /* units of the path before each part */
	uint32_t n;             /* parts */
	bool is_over_link, crosses;
};

static void put_unit(struct way *w, uint32_t c)
{
	const uint64_t at = 2 * (uint64_t)w->path.ref.n_units++;

	w->units[at] = (uint8_t)c;
	w->units[at + 1] = (uint8_t)(c >> 8);
}

static void go_down(struct way *w, struct text part)
{
	if (w->n == WAY_MAX) {
		w->crosses = true;
		return;
	}
	w->ends[w->n++] = w->path.ref.n_units;
	if (w->path.ref.n_units > 0)
		put_unit(w, '/');
	for (uint32_t i = 0; i < part.ref.n_units; i++)
		put_unit(w, text_unit(part, i));
}

static bool is_at_link(const struct way *w)
{
	return member_keys_have_link(w->k, path_examine(w->path).hash, w->path);
}

static void go_up(struct way *w)
{
	w->crosses = w->crosses || w->is_over_link;
	if (w->n > 0)
		w->path.ref.n_units = w->ends[--w->n];
}

/* Goes along a path, and if it looks, notes links that it comes by. */
static void go_along(struct way *w, struct text path, bool looks)
{
	struct text part;

	for (uint32_t at = 0; !w->crosses && member_next_part(path, &at, &part);) {
		if (is_up(part))
			go_up(w);
		else
			go_down(w, part);
		w->is_over_link = w->is_over_link || (looks && is_at_link(w));
	}
}

/* The parts of a name but for its last. */
static struct text folder_of(struct text name)
{
	uint32_t n = name.ref.n_units;

	while (n > 0 && !path_is_separator(text_unit(name, n - 1)))
		n--;
	return text_sub(name, 0, n);
}

/* Whether a path goes up after it went down. */
static bool goes_up_late(struct text path)
{
	bool is_down = false;
	struct text part;

	for (uint32_t at = 0; member_next_part(path, &at, &part);) {
		if (!is_up(part))
			is_down = true;
		else if (is_down)
			return true;
	}
	return false;
}

/* At each part of the target the path that was come to is looked for. */
static uint64_t work_of_way(const struct arc_member *m, uint64_t n)
{
	enum { UNITS_PER_WORK = 64 };
	uint64_t n_parts = 0;
	struct text part;

	for (uint32_t at = 0; member_next_part(m->target, &at, &part);)
		n_parts++;
	return n + n_parts + n_parts * n / UNITS_PER_WORK;
}

static bool crosses(struct decode *d, uint32_t group, const struct name_index *k,
		    struct arc_member *m)
{
	const uint64_t n = (uint64_t)m->name.ref.n_units + m->target.ref.n_units + 2;
	struct way w = { .k = k, .path = { .ref = { .encoding = TEXT_UTF16LE } } };

	w.units = decode_alloc(d, group, n, 2);
	if (!w.units || !decode_spend(d, group, work_of_way(m, n)))
		return false;
	w.path.data = w.units;
	if (m->kind != ARC_HARD_LINK)
		go_along(&w, folder_of(m->name), false);
	go_along(&w, m->target, true);
	if (w.crosses)
		m->traits |= ARC_LINK_OUT;
	return true;
}

static bool may_cross(const struct arc_member *m)
{
	return (m->traits & (ARC_LINK | ARC_LINK_OUT)) == ARC_LINK && goes_up_late(m->target);
}

bool members_find_crossings(struct decode *d, uint32_t group, struct name_index *k)
{
	for (uint64_t i = 0; i < k->m->n; i++) {
		struct arc_member *m = &k->m->rows[i];

		if (!may_cross(m))
			continue;
		if (!member_keys_order(d, group, k) || !crosses(d, group, k, m))
			return false;
	}
	return true;
}

/* ---- Links to links -------------------------------------------------------------------------- */

static bool is_copy_of_link(struct decode *d, uint32_t group, const struct members *m, uint64_t row)
{
	enum { STEPS_MAX = 16 }; /* no program makes a hard link to another */
	struct arc_member link = m->rows[row];
	uint64_t at = row;

	for (unsigned i = 0; link.kind == ARC_HARD_LINK; i++) {
		at = members_find_before(d, group, m, m->rows[at].target, at);
		if (at == MEMBER_NONE || i == STEPS_MAX)
			return i == STEPS_MAX;
		link = m->rows[at];
	}
	link.name = m->rows[row].name; /* from whose folder it leads */
	return link.kind == ARC_SYMLINK &&
	       (link.target.ref.n_units == 0 || members_link_leaves(&link));
}

bool members_follow_copies(struct decode *d, uint32_t group, struct members *m)
{
	for (uint64_t i = 0; m->traits & ARC_LINK && i < m->n; i++) {
		if (m->rows[i].kind != ARC_HARD_LINK)
			continue;
		if (is_copy_of_link(d, group, m, i))
			m->rows[i].traits |= ARC_LINK_OUT;
		if (!decode_has(d, group))
			return false;
		m->traits |= m->rows[i].traits;
	}
	return true;
}

bool members_follow_targets(struct decode *d, uint32_t group, struct members *m)
{
	if (!m->index || !(m->traits & ARC_LINK))
		return true;
	if (!members_find_crossings(d, group, m->index))
		return false;
	for (uint64_t i = 0; i < m->n; i++)
		m->traits |= m->rows[i].traits;
	return true;
}

/* The map of an installer, and the files in it that are checked. */
#include "formats/umod/umod.h"

#include "core/mutant.h"

struct mapper {
	const struct umod *u;
	map_sink *sink;
	void *ctx;
};

static bool map_region(const struct mapper *m, struct region r)
{
	return r.span.len == 0 || m->sink(m->ctx, &r);
}

static bool map_stub(const struct mapper *m)
{
	const struct umod *u = m->u;

	if (u->stub.is_pe && !map_region(m, (struct region){ .span = { 0, u->stub.image_end },
							     .kind = "code",
							     .label = "executable",
							     .index = UINT64_MAX }))
		return false;
	return map_region(m, (struct region){ .span = { u->end, u->size - u->end },
					      .kind = "signature",
					      .label = "signature",
					      .index = UINT64_MAX });
}

/* The bytes of a member, if they lie before the directory. Where members overlap, each has its
 * region. */
static bool map_member(const struct mapper *m, uint32_t i)
{
	const struct umod_member *member = &m->u->members[i];

	if (member->traits & UMOD_OUTSIDE)
		return true;
	return map_region(m, (struct region){ .span = { member->offset, member->size },
					      .kind = "payload",
					      .label = "member",
					      .index = i,
					      .name = umod_name(m->u, member).ref });
}

static bool map_entries(const struct mapper *m)
{
	const struct umod *u = m->u;
	struct region directory = { .span = { u->directory.at, u->directory_end - u->directory.at },
				    .kind = "index",
				    .label = "directory",
				    .index = UINT64_MAX };

	if (!map_region(m, directory))
		return false;
	if (!map_region(m, (struct region){ .span = { u->directory.at, u->directory.count.len },
					    .kind = "index",
					    .label = "count",
					    .index = UINT64_MAX,
					    .layout = &umod_directory_layout,
					    .depth = 1 }))
		return false;
	for (uint32_t i = 0; i < u->n_members; i++) {
		const uint64_t at = umod_entry_at(u, &u->members[i]);
		uint64_t end = i + 1 < u->n_members ? umod_entry_at(u, &u->members[i + 1])
						    : u->directory_end;

		end -= i + 1 == u->n_members && MUTANT(15); /* mutant: a byte less */
		if (!map_region(m, (struct region){ .span = { at, end - at },
						    .kind = "index",
						    .label = "entry",
						    .index = i,
						    .layout = &umod_entry_layout,
						    .depth = 1 }))
			return false;
	}
	return true;
}

bool umod_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct umod *u = facts;
	const struct mapper m = { u, sink, ctx };

	if (!decode_has(d, UMOD_FILE))
		return true;
	if (!map_stub(&m))
		return false;
	if (!decode_has(d, UMOD_TRAILER))
		return true;
	if (decode_has(d, UMOD_DIRECTORY)) {
		for (uint32_t i = 0; i < u->n_members; i++)
			if (!map_member(&m, i))
				return false;
		for (uint32_t i = 0; i < u->n_gaps; i++)
			if (umod_is_padding(&u->gaps[i]) &&
			    !map_region(&m, (struct region){ .span = u->gaps[i].span,
							     .kind = "padding",
							     .label = "padding",
							     .index = UINT64_MAX }))
				return false;
		if (!map_entries(&m))
			return false;
	}
	return map_region(&m, (struct region){ .span = { u->trailer.at, UMOD_TRAILER_LEN },
					       .kind = "header",
					       .label = "trailer",
					       .index = UINT64_MAX,
					       .layout = &umod_trailer_layout });
}

/* installed_as is empty if the member is checked under its own name. false: its bytes lie
 * outside. */
static bool fill_member(const struct umod *u, uint64_t i, struct text installed_as,
			struct nested *out)
{
	const struct umod_member *m = &u->members[i];

	if (m->traits & UMOD_OUTSIDE)
		return false;
	*out = (struct nested){
		.name = umod_name(u, m),
		.installed_as = installed_as,
		.span = { m->offset, m->size },
		.unpacks = installed_as.ref.n_units > 0 && umod_is_unpacked(umod_name(u, m)),
	};
	return true;
}

/* Tells whether a member is to be checked: its name promises a format, and it is no patch, which is
 * not what its name promises. */
static bool is_worth_a_look(const struct umod_member *m)
{
	return (m->traits & (UMOD_PROMISES | UMOD_IS_PATCH)) == UMOD_PROMISES;
}

/* Members under their own names; walk->file is the next to look at. */
static bool next_own(const struct umod *u, struct nested_walk *walk, struct nested *out)
{
	if (!(u->traits & UMOD_PROMISES))
		return false;
	while (walk->file < u->n_members) {
		const uint64_t i = walk->file++;

		if (is_worth_a_look(&u->members[i]) &&
		    fill_member(u, i, (struct text){ .data = NULL }, out))
			return true;
	}
	return false;
}

/* Members under the names that lines give them. Where several members have one name, a line that
 * names it stands for all of them: walk->row is the one returned last, plus 1; 0: the first one of
 * the line is next. */
static bool next_alias(const struct umod *u, struct nested_walk *walk, struct nested *out)
{
	const struct manifest *m = &u->manifest;

	while (walk->alias < m->aliases.n) {
		const struct manifest_alias *a = MANIFEST_ROW(m, aliases, manifest_alias,
							      (uint32_t)walk->alias);
		uint32_t row = a->member;

		if (walk->row > 0)
			row = m->namesakes ? m->namesakes[walk->row - 1] : MANIFEST_NONE;
		walk->row = row == MANIFEST_NONE ? 0 : (uint64_t)row + 1;
		if (row == MANIFEST_NONE)
			walk->alias++;
		else if (fill_member(u, row, manifest_part(m, MANIFEST_INI, a->to, a->n_units),
				     out))
			return true;
	}
	return false;
}

bool umod_next_member(const void *facts, const struct decode *d, struct nested_walk *walk,
		      struct nested *out)
{
	const struct umod *u = facts;

	return decode_has(d, UMOD_DIRECTORY) &&
	       (next_own(u, walk, out) || next_alias(u, walk, out));
}

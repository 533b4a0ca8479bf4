/* The map of an installer: which bytes are what, and which of them are files that we check. */
#include "formats/umod/umod.h"

#include "core/canary.h"

struct mapper {
	const struct umod *u;
	map_sink *sink;
	void *ctx;
};

static bool put(const struct mapper *m, struct region r)
{
	return r.span.len == 0 || m->sink(m->ctx, &r);
}

static bool map_stub(const struct mapper *m)
{
	const struct umod *u = m->u;

	if (u->stub.is_pe && !put(m, (struct region){ .span = { 0, u->stub.image_end }, .kind = "code", .label = "executable",
						      .index = UINT64_MAX }))
		return false;
	return put(m, (struct region){ .span = { u->end, u->size - u->end }, .kind = "signature", .label = "signature",
				       .index = UINT64_MAX });
}

/* A member's bytes that lie before the directory; where members overlap, each is told. */
static bool map_member(const struct mapper *m, uint32_t i)
{
	const struct umod_member *member = &m->u->members[i];

	if (member->traits & UMOD_OUTSIDE)
		return true;
	return put(m, (struct region){ .span = { member->entry.offset, member->entry.size }, .kind = "payload", .label = "member",
				       .index = i, .name = member->entry.name });
}

static bool map_entries(const struct mapper *m)
{
	const struct umod *u = m->u;
	struct region directory = { .span = { u->directory.at, u->directory_end - u->directory.at }, .kind = "index",
				    .label = "directory", .index = UINT64_MAX };

	if (!put(m, directory))
		return false;
	if (!put(m, (struct region){ .span = { u->directory.at, u->directory.count.len }, .kind = "index", .label = "count",
				     .index = UINT64_MAX, .layout = &umod_directory_layout, .depth = 1 }))
		return false;
	for (uint32_t i = 0; i < u->n_members; i++) {
		const struct umod_entry *e = &u->members[i].entry;
		uint64_t end = i + 1 < u->n_members ? u->members[i + 1].entry.at : u->directory_end - CANARY(15); /* canary: a byte less */

		if (!put(m, (struct region){ .span = { e->at, end - e->at }, .kind = "index", .label = "entry", .index = i,
					     .layout = &umod_entry_layout, .depth = 1 }))
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
			if (umod_is_padding(&u->gaps[i]) && !put(&m, (struct region){ .span = u->gaps[i].span, .kind = "padding",
										 .label = "padding", .index = UINT64_MAX }))
				return false;
		if (!map_entries(&m))
			return false;
	}
	return put(&m, (struct region){ .span = { u->trailer.at, UMOD_TRAILER_LEN }, .kind = "header", .label = "trailer",
					.index = UINT64_MAX, .layout = &umod_trailer_layout });
}

static bool pass_members(const struct umod *u, nested_sink *sink, void *ctx)
{
	for (uint32_t i = 0; i < u->n_members; i++) {
		const struct umod_member *m = &u->members[i];

		if (!(m->traits & UMOD_PROMISES) || m->traits & UMOD_OUTSIDE)
			continue;
		if (!sink(ctx, &(struct nested){ .name = umod_name(u, m), .span = { m->entry.offset, m->entry.size } }))
			return false;
	}
	return true;
}

static void pass_aliases(const struct umod *u, nested_sink *sink, void *ctx)
{
	for (uint32_t i = 0; i < u->manifest.n_aliases; i++) {
		const struct manifest_alias *a = &u->manifest.aliases[i];
		const struct umod_member *m = &u->members[a->member];
		struct nested n = { .name = umod_name(u, m), .span = { m->entry.offset, m->entry.size } };

		n.installed_as = manifest_text(&u->manifest, MANIFEST_INI, a->copy->dest);
		if (!sink(ctx, &n))
			return;
	}
}

void umod_nested(const void *facts, struct decode *d, nested_sink *sink, void *ctx)
{
	const struct umod *u = facts;

	if (!decode_has(d, UMOD_DIRECTORY))
		return;
	if (!(u->traits & UMOD_PROMISES) || pass_members(u, sink, ctx))
		pass_aliases(u, sink, ctx);
}

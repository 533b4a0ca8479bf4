/* The files that are judged as part of a container: the .pak beside it, then the packages in it
 * that the workers did not find sound. */
#include <string.h>

#include "formats/iostore/content/parts.h"
#include "formats/iostore/zen_package/claims.h"

/* The source of a companion that is open has its number. */
static bool next_pak(const struct utoc *u, struct nested *out)
{
	const struct companion *pak = u->content.pak;

	if (!u->content.asked || pak->state != COMPANION_OPEN)
		return false;
	*out = (struct nested){
		.name = text_from(pak->name),
		.file = pak->number,
		.span = { 0, pak->source.io.size },
	};
	return true;
}

/* The first chunk from `chunk` on that is a package with a mark, or n_chunks. */
static uint64_t next_marked(const struct utoc *u, uint64_t chunk)
{
	const uint64_t *marks = u->content.packages.marks, n = u->toc.n_chunks;

	while (chunk < n && !toc_bit(marks, chunk)) {
		const uint64_t left = marks[chunk / 64] >> chunk % 64;

		chunk = left == 0 ? (chunk / 64 + 1) * 64 : chunk + 1;
	}
	return chunk < n ? chunk : n;
}

static bool next_package(const struct utoc *u, struct nested_walk *walk, struct nested *out)
{
	const struct packages *p = &u->content.packages;
	const uint64_t chunk = p->marks ? next_marked(u, walk->row) : u->toc.n_chunks;

	if (chunk >= u->toc.n_chunks)
		return false;
	walk->row = chunk + 1;
	*out = (struct nested){
		.name = text_from(content_label(u, chunk, p->label)),
		.decoded = true,
		.is_listed = true,
		.row = chunk,
		.span = { 0, toc_length(&u->toc, chunk) },
	};
	return true;
}

static bool next_inside(const void *facts, const struct decode *d, struct nested_walk *walk,
			struct nested *out)
{
	const struct utoc *u = facts;

	(void)d;
	if (walk->file++ == 0 && next_pak(u, out))
		return true;
	return next_package(u, walk, out);
}

/* Copies keep the facts, and the group's stops, as the rules saw them. They are too long for the
 * stack, which has the frames of who asks for the package, too. */
struct copies {
	struct utoc u;
	struct decode d;
};

static const uint8_t *open_package(const void *facts, struct decode *d, const struct nested *n,
				   struct arena *arena)
{
	struct copies *own = arena_alloc(arena, 1, sizeof *own);
	const uint8_t *bytes;
	uint64_t len;

	if (!own)
		return NULL;
	own->u = *(const struct utoc *)facts;
	own->d = *d;
	own->d.arena = arena;
	bytes = content_chunk(&own->d, &own->u, UTOC_CONTENT, n->row, n->span.len, &len);
	d->work = own->d.work;
	return bytes;
}

static bool claim_package(const void *facts, const struct nested *n, struct arena *arena,
			  const struct package_claims **out)
{
	struct package_claims *claims = arena_alloc(arena, 1, sizeof *claims);
	struct container_package entry;

	if (claims)
		(void)content_claims_of(facts, n->row, claims, &entry);
	*out = claims;
	return claims != NULL;
}

const struct nested_files content_files = {
	.next = next_inside,
	.open = open_package,
	.claims = claim_package,
};

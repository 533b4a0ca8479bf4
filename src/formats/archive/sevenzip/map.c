/* The parts of a 7z, for its map. */
#include "formats/archive/sevenzip/payload.h"

/* A picture is where regions go. */
struct picture {
	map_sink *sink;
	void *ctx;
};

static bool show(const struct picture *p, struct region r)
{
	return r.span.len == 0 || p->sink(p->ctx, &r);
}

static bool has_start(const struct sevenzip *z)
{
	return z->signature == ARC_IS_7Z && z->size >= sevenzip_start_fixed_len &&
	       z->groups[SEVENZIP_FILE].why == STOP_NOT;
}

static bool has(const struct sevenzip *z, uint32_t group)
{
	return z->groups[group].why == STOP_NOT;
}

/* What is outermost overlaps nowhere where the places are sound. */
static bool are_apart(const struct sevenzip *z)
{
	return has(z, SEVENZIP_PLACES) && !(z->defects & SEVENZIP_PACKED_TWICE);
}

uint64_t sevenzip_explained(const void *facts)
{
	const struct sevenzip *z = facts;

	if (!has_start(z))
		return 0;
	if (are_apart(z))
		return z->explained;
	return sevenzip_start_fixed_len + (has(z, SEVENZIP_NEXT) ? z->header.len : 0);
}

static bool show_folders(const struct sevenzip *z, const struct picture *p)
{
	for (uint64_t i = 0; i < z->n_folders; i++)
		if (!show(p, (struct region){ .span = z->folders[i].packed,
					      .kind = "payload",
					      .label = "folder",
					      .index = i }))
			return false;
	for (uint32_t i = 0; i < z->n_levels; i++)
		if (!show(p, (struct region){ .span = z->level_packed[i],
					      .kind = "index",
					      .label = "compressed header",
					      .index = UINT64_MAX }))
			return false;
	return true;
}

bool sevenzip_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct sevenzip *z = facts;
	const struct picture p = { sink, ctx };
	const struct region start = { .span = { 0, sevenzip_start_fixed_len },
				      .kind = "header",
				      .label = "start header",
				      .index = UINT64_MAX,
				      .layout = &sevenzip_start_layout };
	const struct region header = {
		.span = z->header, .kind = "index", .label = "header", .index = UINT64_MAX
	};

	(void)d;
	if (!has_start(z))
		return true;
	return show(&p, start) && (!are_apart(z) || show_folders(z, &p)) &&
	       (!has(z, SEVENZIP_NEXT) || show(&p, header));
}

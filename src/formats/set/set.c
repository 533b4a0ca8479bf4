/* Sets of packages: the order of comparing them, and what the engine needs to know of the format,
 * whose inputs are no files but what outlived them. */
#include "formats/set/set.h"

#define FORMAT set
#define FORMAT_DEF "formats/set/set.def"
#define FORMAT_RULES "rule/ids/set.def"
#include "formats/define.h"

bool set_add_flaw(struct decode *d, struct set_flaws *flaws, uint32_t group,
		  const struct set_flaw *flaw)
{
	struct keep *keep = &flaws->keeps[bits_lowest(flaw->traits)][flaw->lesser];
	struct set_flaw *rows;

	if (!keep_row(d, keep, flaws->n)) {
		flaws->rows[keep->last].n_more++;
		return true;
	}
	rows = decode_grow(d, group, flaws->rows, flaws->n, &flaws->max, sizeof *rows);
	if (!rows)
		return false;
	rows[flaws->n++] = *flaw;
	flaws->rows = rows;
	flaws->traits |= flaw->traits;
	return true;
}

/* ---- Decoding -------------------------------------------------------------------------------- */

static bool compare(struct decode *d, struct set *u)
{
	u->members = decode_alloc(d, SET_FILES, u->in->n, sizeof *u->members);
	if (!u->members)
		return false;
	memset(u->members, 0, u->in->n * sizeof *u->members);
	/* a set of which some files are not known says nothing of what is missing */
	if (u->in->n_lost > 0)
		return decode_stop(d, SET_FILES, STOP_MEMORY, (struct span){ 0, 0 });
	if (u->in->n >= SET_GAME_ROOT)
		return decode_stop(d, SET_FILES, STOP_MEMORY, (struct span){ 0, 0 });
	return set_find_members(d, u) && set_order_providers(d, u) && set_compare_files(d, u) &&
	       set_compare_containers(d, u) && set_link(d, u) && set_compare_texts(d, u);
}

static const void *set_decode(struct decode *d)
{
	struct set *u = arena_alloc(d->arena, 1, sizeof *u);

	if (!u)
		return NULL;
	memset(u, 0, sizeof *u);
	u->groups = d->groups;
	u->in = d->set;
	if (!d->set->has_game)
		decode_stop(d, SET_WITH_GAME, STOP_GAME, (struct span){ 0, 0 });
	(void)compare(d, u); /* why it ended early is noted */
	set_look_at_folder(d, u);
	decode_spread(d, set_groups, set_n_groups);
	return u;
}

static bool set_sniff(struct decode *d)
{
	return d->set != NULL;
}

static uint64_t set_version(const void *facts)
{
	(void)facts;
	return 0;
}

static uint64_t set_explained(const void *facts)
{
	(void)facts;
	return 0;
}

static bool set_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	(void)facts, (void)d, (void)sink, (void)ctx;
	return true;
}

static void set_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct set *u = facts;
	uint64_t n[2] = { 0, 0 };

	for (uint32_t i = 0; u->members && i < u->in->n; i++)
		n[i >= u->in->n_given] += set_is_package(u->members[i].kind);
	sink(ctx, &(struct info){ .name = "packages", .number = n[0] });
	if (u->in->has_game)
		sink(ctx, &(struct info){ .name = "packages_of_the_game", .number = n[1] });
}

const struct format set_format = {
	.name = "set",
	.title = "files that belong together",
	.groups = set_groups,
	.n_groups = set_n_groups,
	.traits = set_traits,
	.n_tables = set_n_tables,
	.layouts = set_layouts,
	.rules = set_rules,
	.extensions = set_extensions,
	.shared = set_shared,
	.takes_sets = true,
	.sniff = set_sniff,
	.decode = set_decode,
	.version = set_version,
	.tables = set_tables,
	.explained = set_explained,
	.map = set_map,
	.info = set_info,
};

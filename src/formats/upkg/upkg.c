/* UE1 and UE2 packages: sniffing, the order of decoding, and what the engine needs to know of the
 * format. */
#include "formats/upkg/upkg.h"

#include "core/path.h"
#include "formats/upkg/classes/bodies.h"
#include "formats/upkg/extent.h"
#include "formats/upkg/header/file.h"
#include "formats/upkg/header/header.h"
#include "formats/upkg/map.h"
#include "formats/upkg/summary.h"
#include "formats/upkg/tables/equal_names.h"
#include "formats/upkg/tables/links.h"
#include "formats/upkg/tables/lost.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/regions.h"
#include "formats/upkg/tables/tables.h"
#include "formats/upkg/tables/uses.h"

#define FORMAT upkg
#define FORMAT_DEF "formats/upkg/upkg.def"
#define FORMAT_RULES "rule/ids/upkg.def"
#include "formats/define.h"

/* A table that cannot lie where the header says is missing like one that cannot be read. */
static bool decode_table(struct decode *d, struct upkg *u, enum upkg_table_number number,
			 bool (*decode)(struct decode *d, struct upkg *u))
{
	const enum upkg_group group = upkg_group_of(number);

	if (u->tables[number].traits != 0)
		return decode_stop(d, group, STOP_MALFORMED, (struct span){ 8, u->header_end - 8 });
	if (u->tables[number].n > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, group, LIMIT_entries,
					 (struct span){ u->tables[number].at, 0 });
	return decode(d, u);
}

static bool decode_names(struct decode *d, struct upkg *u)
{
	return upkg_decode_names(d, u) && upkg_pair_names(d, u);
}

static void decode_tables(struct decode *d, struct upkg *u)
{
	if (!decode_table(d, u, TABLE_NAMES, decode_names))
		u->tables[TABLE_NAMES].n = 0;
	if (!decode_table(d, u, TABLE_IMPORTS, upkg_decode_imports))
		u->tables[TABLE_IMPORTS].n = 0;
	if (!decode_table(d, u, TABLE_EXPORTS, upkg_decode_exports))
		u->tables[TABLE_EXPORTS].n = 0;
	decode_spread(d, upkg_groups, upkg_n_groups);
	if (decode_has(d, UPKG_LINKS) && !upkg_link(d, u))
		decode_spread(d, upkg_groups, upkg_n_groups);
	if (!upkg_lay_out(d, u) || !decode_has(d, UPKG_REGIONS))
		decode_spread(d, upkg_groups, upkg_n_groups);
}

/* What objects have after their properties was measured in fewer versions than the properties. */
static void note_unmeasured(struct decode *d, const struct upkg *u)
{
	const struct span bodies = { u->header_end, 0 }; /* so far no object is left out */
	const uint64_t v = u->tag.version, licensee = u->tag.licensee;

	if (v < 61 || v > 69 || licensee != 0)
		decode_stop(d, UPKG_SCRIPTS, STOP_UNVERIFIED, bodies);
	if (u->era == UPKG_UE2 && !(v >= 119 && licensee >= 26) && !(v == 126 && licensee == 0))
		decode_stop(d, UPKG_SOUNDS, STOP_UNVERIFIED, bodies);
	if (v > 69)
		decode_stop(d, UPKG_MUSICS, STOP_UNVERIFIED, bodies);
	if (v < 62 || v > 69)
		decode_stop(d, UPKG_MODELS, STOP_UNVERIFIED, bodies);
	if (v < 60 || v > 69)
		decode_stop(d, UPKG_LEVELS, STOP_UNVERIFIED, bodies);
	if (v < 64 || (v > 69 && v < 122))
		decode_stop(d, UPKG_FONTS, STOP_UNVERIFIED, bodies);
	if (v != 69 || licensee != 0)
		decode_stop(d, UPKG_MESHES, STOP_UNVERIFIED, bodies);
}

/* Bodies that overlap are not read, so that the work is bounded by the size of the file. */
static void decode_bodies(struct decode *d, struct upkg *u)
{
	const struct span bodies = { u->header_end, u->size - u->header_end };

	if (!decode_has(d, UPKG_BODIES))
		return;
	if (d->level == LEVEL_STRUCTURE)
		decode_stop(d, UPKG_BODIES, STOP_LEVEL, bodies);
	else if (u->era == UPKG_OTHER)
		decode_stop(d, UPKG_BODIES, STOP_UNVERIFIED,
			    (struct span){ bodies.at, upkg_body_bytes(u) });
	else
		upkg_decode_bodies(d, u);
}

/* Tells whether the file's name, which is known by now, is one of a package. */
static bool has_package_name(const struct upkg *u)
{
	const struct text extension = path_extension(u->file.name);

	return format_has_extension(&upkg_format, extension) ||
	       format_shares(&upkg_format, extension);
}

static void decode_parts(struct decode *d, struct upkg *u)
{
	if (!upkg_decode_file(d, u))
		return;
	u->file.named = has_package_name(u);
	if (u->file.kind != UPKG_IS_PACKAGE) {
		decode_stop(d, UPKG_HEADER,
			    u->file.kind == UPKG_IS_OTHER ? STOP_MALFORMED : STOP_UNSUPPORTED,
			    (struct span){ 0, u->size });
		return;
	}
	if (!upkg_decode_header(d, u))
		return;
	note_unmeasured(d, u);
	decode_tables(d, u);
	decode_bodies(d, u);
	upkg_examine_zeros(d, u);
}

static const void *upkg_decode(struct decode *d)
{
	struct upkg *u = arena_alloc(d->arena, 1, sizeof *u);

	if (!u)
		return NULL;
	memset(u, 0, sizeof *u);
	u->groups = d->groups;
	u->size = d->source->io.size;
	u->limit = u->size < UPKG_SIZE_MAX ? u->size : UPKG_SIZE_MAX;
	u->first_body = UINT64_MAX;
	decode_parts(d, u);
	decode_spread(d, upkg_groups, upkg_n_groups);
	if (decode_has(d, UPKG_USES))
		upkg_count_uses(d, u);
	return u;
}

static bool upkg_sniff(struct decode *d)
{
	struct upkg_file f;

	if (format_has_extension(&upkg_format, path_extension(text_from(d->source->name))))
		return true;
	return upkg_recognise(d, &f) && f.kind != UPKG_IS_OTHER;
}

static uint64_t upkg_version(const void *facts)
{
	const struct upkg *u = facts;

	return u->tag.version;
}

static uint64_t upkg_explained(const void *facts)
{
	const struct upkg *u = facts;

	if (u->groups[UPKG_HEADER].why != STOP_NOT)
		return 0;
	return u->is_laid_out ? u->explained : u->header_end;
}

static void upkg_info(const void *facts, info_sink *sink, void *ctx)
{
	static const char *const eras[] = {
		[UPKG_OTHER] = "not decoded in this version",
		[UPKG_UE1] = "those of Unreal Engine 1",
		[UPKG_UE2] = "those of Unreal Engine 2",
	};
	const struct upkg *u = facts;
	const struct upkg_header *h = &u->header;

	if (u->groups[UPKG_HEADER].why != STOP_NOT)
		return;
	sink(ctx, &(struct info){ .name = "licensee",
				  .number = u->tag.licensee,
				  .plain = true,
				  .fact = FACT_LICENSEE });
	sink(ctx, &(struct info){ .name = "objects", .word = eras[u->era] });
	if (u->groups[UPKG_NAMES].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "names", .number = u->tables[TABLE_NAMES].n });
	if (u->groups[UPKG_IMPORTS].why == STOP_NOT)
		sink(ctx,
		     &(struct info){ .name = "imports", .number = u->tables[TABLE_IMPORTS].n });
	if (u->groups[UPKG_EXPORTS].why == STOP_NOT)
		sink(ctx,
		     &(struct info){ .name = "exports", .number = u->tables[TABLE_EXPORTS].n });
	sink(ctx, &(struct info){ .name = "flags", .number = u->header.flags, .hex = true });
	if (u->tag.version < UPKG_VERSION_GUID)
		return;
	sink(ctx, &(struct info){ .name = "guid",
				  .is_guid = true,
				  .u.guid = { (uint32_t)h->guid_a, (uint32_t)h->guid_b,
					      (uint32_t)h->guid_c, (uint32_t)h->guid_d } });
	sink(ctx,
	     &(struct info){ .name = "generations", .number = u->n_generations, .plain = true });
}

const struct format upkg_format = {
	.name = "upkg",
	.title = "Unreal package",
	.groups = upkg_groups,
	.n_groups = upkg_n_groups,
	.traits = upkg_traits,
	.n_tables = upkg_n_tables,
	.layouts = upkg_layouts,
	.rules = upkg_rules,
	.extensions = upkg_extensions,
	.shared = upkg_shared,
	.sniff = upkg_sniff,
	.decode = upkg_decode,
	.in_sets = true,
	.version = upkg_version,
	.tables = upkg_tables,
	.explained = upkg_explained,
	.map = upkg_map,
	.info = upkg_info,
	.summary = upkg_summary,
	.extent = upkg_extent,
};

/* .utoc: sniffing, the order of decoding, and what the engine needs to know of the format. */
#include "formats/iostore/utoc.h"

#include "core/path.h"
#include "formats/iostore/claims.h"
#include "formats/iostore/extent.h"
#include "formats/iostore/summary.h"
#include "formats/iostore/views.h"

#define FORMAT utoc
#define FORMAT_DEF "formats/iostore/utoc.def"
#define FORMAT_RULES "rule/ids/utoc.def"
#include "formats/define.h"

/* ---- Decoding -------------------------------------------------------------------------------- */

/* The container header is a chunk: its bytes are read as those of other chunks are. */
static void decode_container_header(struct decode *d, struct utoc *u)
{
	struct container_header *h = &u->container_header;
	uint64_t most;

	if (!container_header_open(d, &u->toc, h, &most))
		return;
	h->held.bytes = content_chunk(d, u, CONTAINER_BYTES, h->chunk, most, &h->held.len);
	container_header_decode(d, &u->toc, h);
}

/* So are those of the global container. */
static void decode_global(struct decode *d, struct utoc *u)
{
	struct global *g = &u->global;
	uint64_t most;

	if (!global_open(d, &u->toc, g, &most))
		return;
	for (unsigned i = 0; i < g->n_parts; i++) {
		struct global_part *p = &g->parts[i];

		if (toc_length(&u->toc, p->chunk) > 0)
			p->held.bytes = content_chunk(d, u, GLOBAL_BYTES, p->chunk, most,
						      &p->held.len);
	}
	global_decode(d, g);
}

static void decode_parts(struct decode *d, struct utoc *u)
{
	struct toc *t = &u->toc;

	if (!toc_decode_header(d, t) || !toc_decode_sections(d, t))
		return;
	toc_decode_signatures(d, t);
	toc_decode_methods(d, t);
	toc_decode_perfect_hash(d, t);
	toc_decode_blocks(d, t);
	if (decode_has(d, UTOC_PERFECT_HASH) && decode_has(d, UTOC_BLOCKS))
		toc_decode_chunks(d, t);
	else
		decode_stop_needs(d, UTOC_CHUNKS,
				  decode_has(d, UTOC_BLOCKS) ? UTOC_PERFECT_HASH : UTOC_BLOCKS);
	content_open(d, u);
	if (content_check_block_layout(d, u))
		content_check_chunk_layout(d, u);
	directory_decode(d, t, &u->directory);
	decode_container_header(d, u);
	decode_global(d, u);
	content_check_all(d, u);
}

static const void *utoc_decode(struct decode *d)
{
	struct utoc *u = arena_alloc(d->arena, 1, sizeof *u);

	if (!u)
		return NULL;
	memset(u, 0, sizeof *u);
	u->groups = d->groups;
	u->target = d->target;
	decode_parts(d, u);
	decode_spread(d, utoc_groups, utoc_n_groups);
	return u;
}

/* By the name or the magic. */
static bool utoc_sniff(struct decode *d)
{
	struct utoc_header h;
	struct cursor c;
	bool is_read;

	if (text_is(path_extension(text_from(d->source->name)), "utoc"))
		return true;
	if (!source_window(d->source, (struct span){ 0, utoc_header_fixed_len }, &c))
		return false;
	is_read = utoc_header_read(&c, 0, &h);
	return ALWAYS(is_read) && toc_is_magic(&h);
}

static uint64_t utoc_version(const void *facts)
{
	const struct utoc *u = facts;

	return u->toc.version;
}

/* ---- The map --------------------------------------------------------------------------------- */

/* How a section is shown in the map: with its rows, if they have a layout. */
static const struct {
	const char *kind, *label, *row;
	const struct layout *layout;
} shown[SECTION_N] = {
	[SECTION_IDS] = { "index", "chunk_ids", "chunk_id", &utoc_chunk_id_layout },
	[SECTION_RANGES] = { "index", "ranges", "range", &utoc_range_layout },
	[SECTION_SEEDS] = { "index", "seeds", "seed", &utoc_seed_layout },
	[SECTION_OVERFLOW] = { "index", "overflow", "overflow", &utoc_seed_layout },
	[SECTION_BLOCKS] = { "index", "blocks", "block", &utoc_block_layout },
	[SECTION_VECTORS] = { "index", "vectors", "vector", NULL },
	[SECTION_METHODS] = { "text", "methods", "method", NULL },
	[SECTION_SIGNATURES] = { "signature", "signatures", NULL, NULL },
	[SECTION_DIRECTORY] = { "index", "directory_index", NULL, NULL },
	[SECTION_METAS] = { "index", "metas", "meta", &utoc_meta_layout },
	[SECTION_ON_DEMAND] = { "index", "on_demand_metas", NULL, NULL },
};

static const struct layout *row_layout(const struct toc *t, size_t section)
{
	if (section == SECTION_METAS && t->version >= TOC_SHORT_METAS)
		return t->meta_size == utoc_short_meta_fixed_len ? &utoc_short_meta_layout : NULL;
	return shown[section].layout;
}

static bool map_rows(const struct toc *t, size_t section, map_sink *sink, void *ctx)
{
	const struct toc_section *s = &t->sections[section];
	const struct layout *layout = row_layout(t, section);

	for (uint64_t i = 0; shown[section].row && i < s->n; i++) {
		const struct region row = { .span = { s->at.at + i * s->row_len, s->row_len },
					    .kind = shown[section].kind,
					    .label = shown[section].row,
					    .index = i,
					    .layout = layout,
					    .depth = 1 };

		if (!sink(ctx, &row))
			return false;
	}
	return true;
}

static bool map_sections(const struct utoc *u, map_sink *sink, void *ctx)
{
	const struct toc *t = &u->toc;

	for (size_t i = 0; i < SECTION_N; i++) {
		const struct region r = { .span = t->sections[i].at,
					  .kind = shown[i].kind,
					  .label = shown[i].label,
					  .index = UINT64_MAX };

		if (r.span.len > 0 && (!sink(ctx, &r) || !map_rows(t, i, sink, ctx)))
			return false;
	}
	return directory_map(&u->directory, sink, ctx);
}

static bool utoc_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct utoc *u = facts;

	if (!decode_has(d, UTOC_VERSION))
		return true;
	if (!sink(ctx, &(struct region){ .span = { 0, utoc_header_fixed_len },
					 .kind = "header",
					 .label = "header",
					 .index = UINT64_MAX,
					 .layout = &utoc_header_layout }))
		return false;
	return (!decode_has(d, UTOC_SECTIONS) || map_sections(u, sink, ctx)) &&
	       content_map(u, d, sink, ctx);
}

static uint64_t utoc_explained(const void *facts)
{
	const struct utoc *u = facts;

	if (u->groups[UTOC_VERSION].why != STOP_NOT)
		return 0;
	return u->groups[UTOC_SECTIONS].why == STOP_NOT ? u->toc.expected : utoc_header_fixed_len;
}

/* ---- What there is to tell ------------------------------------------------------------------- */

static void utoc_info(const void *facts, info_sink *sink, void *ctx)
{
	static const char *const protections[] = { "encrypted", "signed" };
	const struct utoc *u = facts;
	const struct toc *t = &u->toc;
	const struct utoc_header *h = &t->header;

	if (u->groups[UTOC_SECTIONS].why != STOP_NOT)
		return;
	sink(ctx, &(struct info){ .name = "chunks", .number = t->n_chunks });
	sink(ctx, &(struct info){ .name = "blocks", .number = t->n_blocks });
	sink(ctx, &(struct info){ .name = "partitions", .number = t->n_partitions });
	sink(ctx, &(struct info){ .name = "block_size", .number = t->block_size, .plain = true });
	sink(ctx, &(struct info){ .name = "container_id", .number = h->container_id, .hex = true });
	sink(ctx, &(struct info){ .name = "flags",
				  .number = h->flags,
				  .hex = true,
				  .fact = FACT_PROTECTION,
				  .u.set = { (t->encrypted ? 1u : 0u) | (t->is_signed ? 2u : 0u),
					     protections } });
	content_info(u, sink, ctx);
	if (u->global.is_global && u->groups[GLOBAL_OBJECTS].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "script_objects", .number = u->global.n });
	if (u->groups[UTOC_INDEX_TABLES].why == STOP_NOT && u->directory.mount.data)
		sink(ctx, &(struct info){ .name = "mount_point",
					  .is_text = true,
					  .u.text = &u->directory.mount,
					  .fact = FACT_MOUNT_POINT });
	if (!t->encrypted)
		return;
	sink(ctx, &(struct info){ .name = "key_guid",
				  .is_guid = true,
				  .u.guid = { (uint32_t)h->key_guid_a, (uint32_t)h->key_guid_b,
					      (uint32_t)h->key_guid_c, (uint32_t)h->key_guid_d } });
}

static const struct script_objects *utoc_scripts(const void *facts)
{
	static const struct script_objects none = { NULL, 0 };
	const struct utoc *u = facts;

	if (!u->toc.name.is_global)
		return NULL;
	return u->groups[GLOBAL_OBJECTS].why == STOP_NOT ? &u->global.sorted : &none;
}

/* Whether a key fits is found out by decoding; the container header is a chunk. */
#define G(group) (UINT64_C(1) << (group))
#define BESIDE \
	(G(UTOC_PAK) | G(UTOC_PARTITIONS) | G(UTOC_KEY) | G(UTOC_PAYLOAD) | G(UTOC_HASHES) | \
	 G(UTOC_CONTENT) | G(UTOC_SIGNED_BLOCKS) | G(CONTAINER_BYTES) | G(CONTAINER_HEAD) | \
	 G(CONTAINER_PACKAGES) | G(CONTAINER_NAMES) | G(CONTAINER_MAPS) | G(CONTAINER_SOFT) | \
	 G(CONTAINER_END) | G(GLOBAL_BYTES) | G(GLOBAL_NAMES) | G(GLOBAL_OBJECTS))

const struct format utoc_format = {
	.name = "utoc",
	.title = "IoStore container",
	.groups = utoc_groups,
	.n_groups = utoc_n_groups,
	.traits = utoc_traits,
	.n_tables = utoc_n_tables,
	.layouts = utoc_layouts,
	.rules = utoc_rules,
	.extensions = utoc_extensions,
	.shared = utoc_shared,
	.sniff = utoc_sniff,
	.decode = utoc_decode,
	.version = utoc_version,
	.tables = utoc_tables,
	.explained = utoc_explained,
	.map = utoc_map,
	.info = utoc_info,
	.claims = utoc_claims,
	.scripts = utoc_scripts,
	.nested = &content_files,
	.summary = utoc_summary,
	.in_sets = true,
	.payload_beside = true,
	.extent = utoc_extent,
	.next_changed = utoc_next_changed,
	.beside = BESIDE,
	.likeness = content_likeness,
};

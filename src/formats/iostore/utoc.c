/* .utoc: sniffing, the order of decoding, and what the engine needs to know of the format. */
#include "formats/iostore/utoc.h"

#include "core/path.h"

#define LAYOUT_FILE "formats/iostore/utoc.def"
#include "core/layout_define.h"
#undef LAYOUT_FILE

/* ---- Decoding ----------------------------------------------------------------------------------------------------------- */

/* What each group stands on; a group that was never begun says so. */
static void need_each_other(struct decode *d)
{
	static const uint8_t on[UTOC_N_GROUPS] = {
		[UTOC_VERSION] = UTOC_FILE, [UTOC_HEADER] = UTOC_VERSION, [UTOC_SECTIONS] = UTOC_HEADER, [UTOC_CHUNKS] = UTOC_SECTIONS,
		[UTOC_BLOCKS] = UTOC_SECTIONS, [UTOC_METHODS] = UTOC_SECTIONS, [UTOC_PERFECT_HASH] = UTOC_SECTIONS,
		[UTOC_METAS] = UTOC_CHUNKS, [UTOC_SIGNATURES] = UTOC_SECTIONS,
		[UTOC_SET] = UTOC_SECTIONS, [UTOC_PAK] = UTOC_SET, [UTOC_PARTITIONS] = UTOC_SET,
		[UTOC_RANGES] = UTOC_BLOCKS, [UTOC_INDEX] = UTOC_SECTIONS, [UTOC_INDEX_TABLES] = UTOC_INDEX,
		[UTOC_TREE] = UTOC_INDEX_TABLES,
		[UTOC_KEY] = UTOC_RANGES, [UTOC_PAYLOAD] = UTOC_CHUNKS, [UTOC_HASHES] = UTOC_PAYLOAD, [UTOC_CONTENT] = UTOC_PAYLOAD,
		[UTOC_SIGNED_BLOCKS] = UTOC_BLOCKS,
		[CONTHDR_BYTES] = UTOC_CHUNKS,
		[CONTHDR_HEAD] = CONTHDR_BYTES, [CONTHDR_PACKAGES] = CONTHDR_BYTES, [CONTHDR_NAMES] = CONTHDR_BYTES,
		[CONTHDR_MAPS] = CONTHDR_BYTES, [CONTHDR_SOFT] = CONTHDR_BYTES, [CONTHDR_END] = CONTHDR_BYTES,
	};

	for (uint32_t g = UTOC_VERSION; g < UTOC_N_GROUPS; g++)
		if (!decode_has(d, on[g]))
			decode_stop_needs(d, g, on[g]);
}

static void decode_parts(struct decode *d, struct utoc *u)
{
	if (!toc_decode_header(d, u) || !toc_decode_sections(d, u))
		return;
	toc_decode_signatures(d, u);
	toc_decode_methods(d, u);
	toc_decode_perfect_hash(d, u);
	toc_decode_blocks(d, u);
	if (decode_has(d, UTOC_PERFECT_HASH) && decode_has(d, UTOC_BLOCKS))
		toc_decode_chunks(d, u);
	else
		decode_stop_needs(d, UTOC_CHUNKS, decode_has(d, UTOC_BLOCKS) ? UTOC_PERFECT_HASH : UTOC_BLOCKS);
	payload_open(d, u);
	payload_order(d, u);
	directory_decode(d, u);
	conthdr_decode(d, u);
	payload_check(d, u);
}

static const void *utoc_decode(struct decode *d)
{
	struct utoc *u = arena_alloc(d->arena, 1, sizeof *u);

	if (!u)
		return NULL;
	memset(u, 0, sizeof *u);
	u->groups = d->groups;
	decode_parts(d, u);
	need_each_other(d);
	return u;
}

/* By the magic or the name. */
static bool utoc_sniff(struct decode *d)
{
	struct utoc_header h;
	struct cursor c;

	if (text_is(path_extension(text_from(d->source->name)), "utoc"))
		return true;
	return source_window(d->source, (struct span){ 0, utoc_header_fixed_len }, &c) && utoc_header_read(&c, 0, &h) &&
	       toc_is_magic(&h);
}

static uint64_t utoc_version(const void *facts)
{
	const struct utoc *u = facts;

	return u->toc.version;
}

static size_t utoc_tables(const void *facts, struct table t[TABLES_MAX])
{
	for (size_t i = 1; i < UTOC_N_TABLES; i++)
		t[i] = (struct table){ .record = "row", .group = UTOC_FILE };
	toc_tables(facts, t);
	directory_tables(facts, t);
	payload_tables(facts, t);
	conthdr_tables(facts, t);
	return UTOC_N_TABLES;
}

/* ---- The map ------------------------------------------------------------------------------------------------------------ */

/* How a section is shown: its rows one by one, if they have a layout. */
static const struct { const char *kind, *label, *row; const struct layout *layout; } shown[SECTION_N] = {
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
		const struct region row = { .span = { s->at.at + i * s->row_len, s->row_len }, .kind = shown[section].kind,
					    .label = shown[section].row, .index = i, .layout = layout, .depth = 1 };

		if (!sink(ctx, &row))
			return false;
	}
	return true;
}

static bool map_sections(const struct utoc *u, map_sink *sink, void *ctx)
{
	const struct toc *t = &u->toc;

	for (size_t i = 0; i < SECTION_N; i++) {
		const struct region r = { .span = t->sections[i].at, .kind = shown[i].kind, .label = shown[i].label, .index = UINT64_MAX };

		if (r.span.len > 0 && (!sink(ctx, &r) || !map_rows(t, i, sink, ctx)))
			return false;
	}
	return directory_map(u, sink, ctx);
}

static bool utoc_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct utoc *u = facts;

	if (!decode_has(d, UTOC_VERSION))
		return true;
	if (!sink(ctx, &(struct region){ .span = { 0, utoc_header_fixed_len }, .kind = "header", .label = "header", .index = UINT64_MAX,
					 .layout = &utoc_header_layout }))
		return false;
	return (!decode_has(d, UTOC_SECTIONS) || map_sections(u, sink, ctx)) && payload_map(u, d, sink, ctx);
}

static uint64_t utoc_explained(const void *facts)
{
	const struct utoc *u = facts;

	if (u->groups[UTOC_VERSION].why != STOP_NOT)
		return 0;
	return u->groups[UTOC_SECTIONS].why == STOP_NOT ? u->toc.expected : utoc_header_fixed_len;
}

/* ---- What there is to tell ---------------------------------------------------------------------------------------------- */

static void utoc_info(const void *facts, info_sink *sink, void *ctx)
{
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
	sink(ctx, &(struct info){ .name = "flags", .number = h->flags, .hex = true });
	payload_info(u, sink, ctx);
	if (!t->encrypted)
		return;
	sink(ctx, &(struct info){ .name = "key_guid", .is_guid = true, .guid = { (uint32_t)h->key_guid_a, (uint32_t)h->key_guid_b,
										 (uint32_t)h->key_guid_c, (uint32_t)h->key_guid_d } });
}

static const struct format_group utoc_groups[UTOC_N_GROUPS] = {
	[UTOC_FILE] = { "file", "the file's size, and its header if it is long enough" },
	[UTOC_VERSION] = { "version", "the magic, and a version that is known" },
	[UTOC_HEADER] = { "header", "a header from which the sections follow" },
	[UTOC_SECTIONS] = { "sections", "where each table lies" },
	[UTOC_CHUNKS] = { "chunks", "the ids of chunks, and their ranges" },
	[UTOC_BLOCKS] = { "blocks", "the compression blocks" },
	[UTOC_METHODS] = { "methods", "the names of compression methods" },
	[UTOC_PERFECT_HASH] = { "perfect_hash", "the seeds, and the chunks without" },
	[UTOC_METAS] = { "metas", "hashes and flags of chunks" },
	[UTOC_SIGNATURES] = { "signatures", "whether the signatures verify" },
	[UTOC_SET] = { "set", "the files beside it" },
	[UTOC_PAK] = { "pak", "the footer of the .pak" },
	[UTOC_PARTITIONS] = { "partitions", "the .ucas files, and how long they are" },
	[UTOC_RANGES] = { "ranges", "how blocks lie in the .ucas files" },
	[UTOC_INDEX] = { "index", "the bytes of the directory index" },
	[UTOC_INDEX_TABLES] = { "index_tables", "the directory index's tables and strings" },
	[UTOC_TREE] = { "tree", "what is reached from the directory index's root" },
	[UTOC_KEY] = { "fitting_key", "whether a key fits" },
	[UTOC_PAYLOAD] = { "payload", "the chunks that can be decoded" },
	[UTOC_HASHES] = { "hashes", "the hashes of these chunks" },
	[UTOC_CONTENT] = { "content", "every chunk, decoded" },
	[UTOC_SIGNED_BLOCKS] = { "signed_blocks", "the hash of every stored block" },
	[CONTHDR_BYTES] = { "container_header", "the chunk of the container header" },
	[CONTHDR_HEAD] = { "container_header_head", "its version and the container's id" },
	[CONTHDR_PACKAGES] = { "packages", "the packages' ids and store entries" },
	[CONTHDR_NAMES] = { "names", "the names of redirects" },
	[CONTHDR_MAPS] = { "redirects", "localized packages and redirects" },
	[CONTHDR_SOFT] = { "soft_references", "the packages' soft references" },
	[CONTHDR_END] = { "container_header_end", "everything to the end of the container header" },
};

static const struct layout *const utoc_layouts[] = {
	&utoc_header_layout, &pak_footer_layout, &utoc_chunk_id_layout, &utoc_range_layout, &utoc_seed_layout, &utoc_block_layout,
	&utoc_meta_layout, &utoc_short_meta_layout, &utoc_directory_layout, &utoc_file_layout, &utoc_count_layout,
	&conthdr_head_layout, &conthdr_old_head_layout, &conthdr_count_layout, &conthdr_package_id_layout,
	&conthdr_entry_pre_initial_layout, &conthdr_entry_initial_layout, &conthdr_entry_counted_layout, &conthdr_entry_layout,
	&conthdr_name_batch_layout,
	&conthdr_name_head_layout, &conthdr_name_hash_layout, &conthdr_localized_layout, &conthdr_redirect_layout,
	&conthdr_old_redirect_layout, &conthdr_soft_place_layout, &conthdr_soft_entry_layout,
	&conthdr_summary_initial_layout, &conthdr_summary_counted_layout, &conthdr_bundle_layout, &conthdr_graph_package_layout,
	&conthdr_summary_named_layout, NULL,
};

static const uint64_t utoc_extensions[] = { TEXT_WORD8('U', 'T', 'O', 'C', 0, 0, 0, 0), 0 };

static const struct rule *const *const utoc_rule_lists[] = {
	set_rules, toc_header_rules, toc_container_rules, toc_chunk_rules, toc_block_rules, place_rules, directory_rules, tree_rules,
	toc_perfect_hash_rules, conthdr_head_rules, conthdr_package_rules, conthdr_name_rules, conthdr_map_rules, toc_meta_rules,
	payload_rules, NULL,
};

const struct format utoc_format = {
	.name = "utoc",
	.title = "IoStore container",
	.groups = utoc_groups,
	.n_groups = UTOC_N_GROUPS,
	.layouts = utoc_layouts,
	.rule_lists = utoc_rule_lists,
	.extensions = utoc_extensions,
	.sniff = utoc_sniff,
	.decode = utoc_decode,
	.version = utoc_version,
	.tables = utoc_tables,
	.explained = utoc_explained,
	.map = utoc_map,
	.info = utoc_info,
};

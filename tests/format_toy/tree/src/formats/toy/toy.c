/* Toy shops: sniffing, decoding, and what the engine needs to know of the format. */
#include "formats/toy/toy.h"

#include "core/mutant.h"
#include "core/path.h"

#define FORMAT toy
#define FORMAT_DEF "formats/toy/toy.def"
#define FORMAT_RULES "rule/ids/toy.def"
#include "formats/define.h"

static bool read_tag(struct decode *d, struct toy *t, struct cursor *c)
{
	const struct span all = { 0, t->size };

	if (!toy_tag_read(c, 0, &t->tag) || t->tag.magic != TOY_MAGIC)
		return decode_stop(d, TOY_TAG, STOP_MALFORMED, all);
	if (t->tag.version == 0 || t->tag.version > TOY_VERSION_LAST)
		return decode_stop(d, TOY_HEADER, STOP_UNSUPPORTED, all);
	return true;
}

static bool stop_truncated(struct decode *d, struct toy *t, uint32_t group)
{
	t->is_truncated = true;
	return decode_stop(d, group, STOP_MALFORMED, (struct span){ t->end, t->size - t->end });
}

static bool read_header(struct decode *d, struct toy *t, struct cursor *c)
{
	t->end = cursor_at(c);
	if (!toy_header_read(c, t->tag.version, &t->header))
		return stop_truncated(d, t, TOY_HEADER);
	t->end = cursor_at(c);
	t->context = layout_context(t->tag.version, t->header.flags);
	t->item_len = t->header.flags & TOY_HAS_AGES ? 10 : 8;
	return true;
}

static bool read_items(struct decode *d, struct toy *t, struct cursor *c)
{
	struct toy_item item;

	for (; t->n_rows < t->header.n_items && toy_item_read(c, t->context, &item); t->n_rows++) {
		struct toy_row *row = &t->rows[t->n_rows];

		*row = (struct toy_row){ (uint32_t)item.id, (uint32_t)item.price,
					 item.price == 0 ? TOY_IS_FREE : 0 };
		t->traits |= row->traits;
	}
	return decode_spend(d, TOY_ITEMS, t->n_rows);
}

static bool read_table(struct decode *d, struct toy *t, struct cursor *c)
{
	const uint64_t n = t->header.n_items;

	if (cursor_left(c) < n * t->item_len + toy_trailer_fixed_len)
		return stop_truncated(d, t, TOY_ITEMS);
	if (n > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, TOY_ITEMS, LIMIT_entries,
					 (struct span){ t->end, cursor_left(c) });
	t->rows = decode_alloc(d, TOY_ITEMS, n, sizeof *t->rows);
	return t->rows && read_items(d, t, c) && toy_trailer_read(c, t->context, &t->trailer);
}

static const void *toy_decode(struct decode *d)
{
	struct toy *t = arena_alloc(d->arena, 1, sizeof *t);
	struct cursor c;

	if (!t)
		return NULL;
	*t = (struct toy){ .groups = d->groups, .size = d->source->io.size };
	if (decode_window(d, TOY_FILE, (struct span){ 0, t->size }, &c) && read_tag(d, t, &c) &&
	    read_header(d, t, &c))
		read_table(d, t, &c);
	decode_spread(d, toy_groups, toy_n_groups);
	return t;
}

/* By name, or by the magic. */
static bool toy_sniff(struct decode *d)
{
	const struct span head = { 0, toy_tag_fixed_len };
	struct toy_tag tag;
	struct cursor c;

	if (format_has_extension(&toy_format, path_extension(text_from(d->source->name))))
		return true;
	return d->source->io.size >= head.len && source_window(d->source, head, &c) &&
	       toy_tag_read(&c, 0, &tag) && tag.magic == TOY_MAGIC;
}

static bool has(const struct toy *t, uint32_t group)
{
	return t->groups[group].why == STOP_NOT;
}

static uint64_t toy_version(const void *facts)
{
	const struct toy *t = facts;

	return has(t, TOY_HEADER) ? t->context : t->tag.version;
}

static uint64_t toy_explained(const void *facts)
{
	const struct toy *t = facts;

	if (has(t, TOY_ITEMS))
		/* mutant: a byte less */
		return t->trailer.at + toy_trailer_fixed_len - MUTANT(900);
	return has(t, TOY_HEADER) ? t->end : has(t, TOY_TAG) ? toy_tag_fixed_len : 0;
}

static bool map_items(const struct toy *t, map_sink *sink, void *ctx)
{
	for (uint64_t i = 0; i < t->n_rows; i++) {
		const struct region item = {
			.span = { t->end + i * t->item_len, t->item_len },
			.kind = "index",
			.label = "item",
			.index = i,
			.layout = &toy_item_layout,
		};

		if (!sink(ctx, &item))
			return false;
	}
	return true;
}

static bool map_record(const struct layout *l, const char *label, struct span span, map_sink *sink,
		       void *ctx)
{
	const struct region r = {
		.span = span, .kind = "header", .label = label, .index = UINT64_MAX, .layout = l
	};

	return sink(ctx, &r);
}

static bool toy_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct toy *t = facts;
	const struct span tag = { 0, toy_tag_fixed_len }, header = { tag.len, t->end - tag.len };
	const struct span trailer = { t->trailer.at, toy_trailer_fixed_len };

	if (decode_has(d, TOY_TAG) && !map_record(&toy_tag_layout, "tag", tag, sink, ctx))
		return false;
	if (decode_has(d, TOY_HEADER) &&
	    !map_record(&toy_header_layout, "header", header, sink, ctx))
		return false;
	return !decode_has(d, TOY_ITEMS) ||
	       (map_items(t, sink, ctx) &&
		map_record(&toy_trailer_layout, "trailer", trailer, sink, ctx));
}

static void toy_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct toy *t = facts;

	if (has(t, TOY_ITEMS))
		sink(ctx, &(struct info){ .name = "items", .number = t->n_rows });
}

const struct format toy_format = {
	.name = "toy",
	.title = "toy shop",
	.groups = toy_groups,
	.n_groups = toy_n_groups,
	.traits = toy_traits,
	.n_tables = toy_n_tables,
	.layouts = toy_layouts,
	.rules = toy_rules,
	.extensions = toy_extensions,
	.shared = toy_shared,
	.sniff = toy_sniff,
	.decode = toy_decode,
	.version = toy_version,
	.tables = toy_tables,
	.explained = toy_explained,
	.map = toy_map,
	.info = toy_info,
};

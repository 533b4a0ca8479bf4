/* Archives: sniffing, the order in which the parts are decoded, and the format as the engine sees
 * it. */
#include "formats/pak/claims.h"
#include "formats/pak/payload.h"

#include "core/path.h"

#define FORMAT pak
#define FORMAT_DEF "formats/pak/pak.def"
#define FORMAT_RULES "rule/ids/pak.def"
#include "formats/define.h"

/* ---- Decoding -------------------------------------------------------------------------------- */

static struct span tail_span(const struct pak *p)
{
	const uint64_t len = p->size < PAK_TAIL_MAX ? p->size : PAK_TAIL_MAX;

	return (struct span){ p->size - len, len };
}

static bool read_footer(struct decode *d, struct pak *p)
{
	const struct span at = tail_span(p);
	struct cursor c;
	struct held end;
	bool is_read;

	if (!decode_bytes(d, PAK_FOOTER, at, &end))
		return false;
	pak_tail_read(end, p->size, &p->tail);
	if (p->tail.n_magics != 1)
		return decode_stop(d, PAK_FOOTER, STOP_MALFORMED, at);
	if (!p->tail.is_judged)
		return decode_stop(d, PAK_VERSION, STOP_UNSUPPORTED, at);
	if (!p->tail.is_known)
		return decode_stop(d, PAK_VERSION, STOP_MALFORMED, at);
	c = cursor_init(end.bytes, end.len, at.at);
	is_read = cursor_seek(&c, p->tail.at);
	is_read &= pak_lock_read(&c, p->tail.version, &p->lock);
	is_read &= pak_footer_read(&c, p->tail.version, &p->footer);
	if (p->tail.end_at != 0) {
		is_read &= cursor_seek(&c, p->tail.end_at);
		is_read &= pak_end_read(&c, 0, &p->end);
	}
	return ALWAYS(is_read);
}

/* Before version 8 methods have no names; the third is one that a game brings along. Engines leave
 * names out that are empty, and number the others. */
static void name_methods(struct pak *p)
{
	bool is_unterminated;

	block_methods_init(&p->methods);
	if (p->tail.version < PAK_METHOD_NAMES) {
		block_methods_add(&p->methods, PAK_METHOD_ZLIB, (const uint8_t *)"Zlib", 4);
		block_methods_add(&p->methods, PAK_METHOD_GZIP, (const uint8_t *)"Gzip", 4);
	}
	for (uint64_t i = 1; i <= p->tail.n_methods; i++) {
		const struct held name = pak_tail_method(&p->tail, i, &is_unterminated);

		p->n_named += name.len > 0;
		if (!is_unterminated && name.len > 0)
			block_methods_add(&p->methods, p->n_named, name.bytes, name.len);
	}
}

static bool read_entries(struct decode *d, struct pak *p)
{
	bool has_hashes, has_directory;

	if (p->tail.version < PAK_PATH_HASH)
		return pak_read_legacy(d, p);
	has_hashes = pak_read_hashes(d, p);
	has_directory = pak_read_directory(d, p);
	return (has_hashes || has_directory) && pak_read_files(d, p);
}

static void decode_parts(struct decode *d, struct pak *p)
{
	bool is_ranged;

	if (!read_footer(d, p))
		return;
	p->context = layout_context(p->tail.version,
				    p->tail.version == PAK_METHOD_NAMES && p->tail.n_methods == 4
					    ? PAK_SHORT_METHOD
					    : 0);
	name_methods(p);
	if (!pak_read_index(d, p) || !pak_read_head(d, p))
		return;
	if (!read_entries(d, p)) {
		if (decode_has(d, PAK_ENTRIES)) /* neither part could be read */
			decode_stop_needs(d, PAK_ENTRIES, PAK_PATH_HASHES);
		return;
	}
	is_ranged = pak_check_ranges(d, p);
	if (NEVER(!is_ranged && decode_has(d, PAK_RANGES)))
		decode_stop(d, PAK_RANGES, STOP_MEMORY, (struct span){ 0, 0 });
}

static const void *pak_decode(struct decode *d)
{
	struct pak *p = arena_alloc(d->arena, 1, sizeof *p);

	if (!p)
		return NULL;
	*p = (struct pak){ .groups = d->groups, .target = d->target, .size = d->source->io.size };
	decode_parts(d, p);
	decode_spread(d, pak_groups, pak_n_groups); /* so that the content knows what is missing */
	pak_check_content(d, p);
	pak_check_beside(d, p);
	decode_spread(d, pak_groups, pak_n_groups);
	return p;
}

/* ---- What the engine asks -------------------------------------------------------------------- */

/* By the name or the footer. */
static bool pak_sniff(struct decode *d)
{
	const struct pak p = { .size = d->source->io.size };
	const struct span at = tail_span(&p);
	struct pak_tail tail;
	struct cursor c;
	struct held end;

	if (text_is(path_extension(text_from(d->source->name)), "pak"))
		return true;
	if (at.len < PAK_TAIL_MIN || !source_window(d->source, at, &c))
		return false;
	end = cursor_part(&c, at.at, at.len);
	return pak_tail_read(end, p.size, &tail);
}

static uint64_t pak_version(const void *facts)
{
	const struct pak *p = facts;

	return p->context != 0 ? p->context : p->tail.version;
}

const struct format pak_format = {
	.name = "pak",
	.title = "archive of Unreal Engine",
	.groups = pak_groups,
	.n_groups = pak_n_groups,
	.traits = pak_traits,
	.n_tables = pak_n_tables,
	.layouts = pak_layouts,
	.rules = pak_rules,
	.extensions = pak_extensions,
	.shared = pak_shared,
	.sniff = pak_sniff,
	.decode = pak_decode,
	.version = pak_version,
	.tables = pak_tables,
	.explained = pak_explained,
	.map = pak_map,
	.info = pak_info,
	.nested = &pak_nested_files,
	.extent = pak_extent,
	.next_changed = pak_next_changed,
	.end_magic = PAK_MAGIC,
	.marked_end = pak_marked_end,
	.end_zeros = PAK_METHODS_MAX * PAK_METHOD_LEN,
	.claims = pak_claims,
	.beside = UINT64_C(1) << PAK_BESIDE | UINT64_C(1) << PAK_SIGNED,
};

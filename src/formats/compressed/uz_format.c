/* .uz: sniffing, the signature, and the format as the engine sees it. */
#include "formats/compressed/uz.h"

#include "core/mutant.h"
#include "core/path.h"
#include "formats/compressed/uz3.h"

#define FORMAT uz
#define FORMAT_DEF "formats/compressed/uz.def"
#define FORMAT_RULES "rule/ids/uz.def"
#include "formats/define.h"

/* Unreal 227 has a form of its own: two sizes, this byte, a name, zlib's bytes. Source:
 * ZLibCompress.h of its public headers. */
#define UZ_227_KEY 172u
#define UZ_227_HEAD_LEN ((uint64_t)9)

/* The second size is that of the whole file. */
static bool is_227(struct cursor c, uint64_t size)
{
	uint64_t original, compressed, key;

	return cursor_u32(&c, &original) && cursor_u32(&c, &compressed) && cursor_u8(&c, &key) &&
	       compressed == size && key == UZ_227_KEY && uz_sane_name(c);
}

static enum uz_kind kind_of(struct cursor c, uint64_t size)
{
	struct cursor start = c;
	uint64_t signature;

	if (!cursor_u32(&c, &signature))
		return UZ_KIND_NONE;
	if (signature == UZ_SIGNATURE_OLD)
		return UZ_KIND_OLD;
	if (signature == UZ_SIGNATURE_NEW)
		return UZ_KIND_NEW;
	return is_227(start, size) ? UZ_KIND_227 : UZ_KIND_NONE;
}

static bool decode_signature(struct decode *d, struct uz *u, struct cursor *c)
{
	struct span at = { 0, u->size < uz_header_fixed_len ? u->size : uz_header_fixed_len };

	const struct cursor start = *c;

	u->kind = kind_of(start, u->size);
	if (u->kind == UZ_KIND_NEW && uz3_seems_to_have_stream(start))
		u->defects |= UZ_LIKE_UZ3;
	u->content.name = unpacked_stem(d->source);
	if (!uz_header_read(c, 0, &u->header)) {
		u->header.signature = unpacked_signature(*c);
		u->defects |= UZ_SIGNATURE_CUT;
	} else if (u->kind == UZ_KIND_227) {
		u->defects |= UZ_SIGNATURE_227;
		return decode_stop(d, UZ_SIGNATURE, STOP_UNSUPPORTED, at);
	} else if (u->kind == UZ_KIND_NONE) {
		u->defects |= UZ_SIGNATURE_UNKNOWN;
	} else {
		return true;
	}
	return decode_stop(d, UZ_SIGNATURE, STOP_MALFORMED, at);
}

static void decode_parts(struct decode *d, struct uz *u)
{
	struct cursor c;

	if (!decode_window(d, UZ_FILE,
			   (struct span){ 0, u->size < UZ_HEAD_MAX ? u->size : UZ_HEAD_MAX }, &c))
		return;
	if (decode_signature(d, u, &c) && uz_decode_name(d, u, &c) && uz_decode_tree(d, u, &c))
		uz_decode_stages(d, u);
}

static const void *uz_decode(struct decode *d)
{
	struct uz *u = arena_alloc(d->arena, 1, sizeof *u);

	if (!u)
		return NULL;
	*u = (struct uz){ .groups = d->groups, .size = d->source->io.size };
	decode_parts(d, u);
	decode_spread(d, uz_groups, uz_n_groups);
	/* a bad inner run was found without the blocks, so the rule about runs can be asked */
	if (!(u->defects & UZ_INNER_RUN_BAD) && !u->outer_known)
		decode_stop_with(d, UZ_RUNS, UZ_BLOCKS);
	return u;
}

/* By name, or by a signature that a name follows, be it good or bad. */
static bool uz_sniff(struct decode *d)
{
	uint64_t size = d->source->io.size;
	struct cursor c, at_name;
	enum uz_kind kind;

	if (unpacked_has_extension(d->source, "uz"))
		return true;
	if (!source_window(d->source, (struct span){ 0, size < UZ_HEAD_MAX ? size : UZ_HEAD_MAX },
			   &c))
		return false;
	kind = kind_of(c, size);
	at_name = c;
	if (kind == UZ_KIND_OLD || kind == UZ_KIND_NEW)
		return cursor_skip(&at_name, uz_header_fixed_len, &(struct span){ 0, 0 }) &&
		       uz_name_is_there(at_name);
	return kind == UZ_KIND_227;
}

static uint64_t uz_version(const void *facts)
{
	const struct uz *u = facts;

	return u->kind == UZ_KIND_OLD || u->kind == UZ_KIND_NEW ? u->header.signature : 0;
}

/* What is explained ends after the last part that was read. */
static uint64_t uz_explained(const void *facts)
{
	const struct uz *u = facts;

	if (u->groups[UZ_SIGNATURE].why != STOP_NOT)
		return 0;
	if (u->groups[UZ_NAME].why != STOP_NOT)
		return uz_header_fixed_len;
	if (u->groups[UZ_TREE].why != STOP_NOT)
		return span_end(u->name_place);
	return span_end(u->data) - MUTANT(47); /* mutant: a byte is not counted */
}

static bool map_part(map_sink *sink, void *ctx, struct span span, const char *kind,
		     const char *label, const struct layout *layout)
{
	return sink(ctx, &(struct region){ .span = span,
					   .kind = kind,
					   .label = label,
					   .index = UINT64_MAX,
					   .layout = layout });
}

static bool uz_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct uz *u = facts;

	if (!decode_has(d, UZ_SIGNATURE))
		return true;
	if (!map_part(sink, ctx, (struct span){ 0, uz_header_fixed_len }, "header", "header",
		      &uz_header_layout))
		return false;
	if (!decode_has(d, UZ_NAME))
		return true;
	if (!map_part(sink, ctx, u->name_place, "header", "original", &uz_original_layout))
		return false;
	if (!decode_has(d, UZ_TREE))
		return true;
	return map_part(sink, ctx, (struct span){ u->codes.at, uz_codes_fixed_len }, "header",
			"codes", &uz_codes_layout) &&
	       map_part(sink, ctx, u->data, "payload", "data", NULL);
}

static void uz_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct uz *u = facts;

	if (u->groups[UZ_BLOCKS].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "blocks", .number = u->n_blocks });
	if (u->groups[UZ_CONTENT].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "unpacked_bytes", .number = u->content.len });
}

static bool uz_next(const void *facts, const struct decode *d, struct nested_walk *walk,
		    struct nested *out)
{
	const struct uz *u = facts;

	return decode_has(d, UZ_CONTENT) && unpacked_next(&u->content, walk, out);
}

static const struct nested_files uz_nested_files = { .next = uz_next, .open = unpacked_open };

/* A tree that was garbled to one leaf has the data of another after it, and low limits make no bomb
 * of a small file. */
enum { BOMB_DATA_MAX = 64, BOMB_MIN = 16 << 20 };

static bool is_bomb(const struct uz *u)
{
	return u->over >= BOMB_MIN && u->data.len < BOMB_DATA_MAX &&
	       huffman_is_single(u->huffman) && u->over == u->codes.total;
}

/* A flipped bit makes other symbols of those up to where the codes are in step again, a few more or
 * fewer. A file that has its last code ends with it. */
enum { SYMBOLS_FEW = 12 };

/* Of a file in which symbols are missing. */
static bool is_out_of_step(const struct uz *u)
{
	return u->codes.total - u->n_symbols <= SYMBOLS_FEW && huffman_ends_here(u->huffman);
}

/* A name that cannot be read, in a file that is shorter than this, is truncated. */
enum { UZ_SHORT = 64 };

/* A flipped bit in a later block leaves the package's first bytes alone, and as many bytes over. */
enum { LEFT_FEW = 16 };

/* Only the codes say how long they are, by where the last one ends; and if one of them changed,
 * what they decode to is no package. */
static void uz_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct uz *u = facts;

	(void)file; /* a download has no companions */
	out->ends_early = u->defects & (UZ_SIGNATURE_CUT | UZ_TOTAL_CUT | UZ_TREE_CUT |
					UZ_CODES_TOO_FEW) ||
			  (u->defects & UZ_SYMBOLS_MISSING && !is_out_of_step(u)) ||
			  (u->defects & UZ_NAME_UNREADABLE && u->size < UZ_SHORT);
	out->is_bomb = is_bomb(u);
	if (!(u->defects & UZ_LEFT_OVER) || !decode_has(d, UZ_CONTENT))
		return;
	if (u->content.is_package && (u->n_blocks == 1 || u->n_unused > LEFT_FEW))
		*out = (struct extent){ .needs = u->size - u->n_unused, .is_end = true };
	out->is_changed = !u->content.is_package &&
			  (u->content.promised || u->content.named_package);
}

const struct format uz_format = {
	.name = "uz",
	.title = "compressed package",
	.groups = uz_groups,
	.n_groups = uz_n_groups,
	.traits = uz_traits,
	.n_tables = uz_n_tables,
	.layouts = uz_layouts,
	.rules = uz_rules,
	.extensions = uz_extensions,
	.shared = uz_shared,
	.sniff = uz_sniff,
	.decode = uz_decode,
	.version = uz_version,
	.tables = uz_tables,
	.extent = uz_extent,
	.explained = uz_explained,
	.map = uz_map,
	.info = uz_info,
	.nested = &uz_nested_files,
};

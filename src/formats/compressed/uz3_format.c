/* .uz3: the stream, and the format as the engine sees it. */
#include "formats/compressed/uz3.h"

#include "core/mutant.h"
#include "formats/compressed/uz.h"

#define FORMAT uz3
#define FORMAT_DEF "formats/compressed/uz3.def"
#define FORMAT_RULES "rule/ids/uz3.def"
#include "formats/define.h"

static uint32_t stream_defects(const struct uz3 *u, struct inflated r, uint64_t packed)
{
	if (r.result == INFLATE_FULL)
		return UZ3_LONG;
	if (r.result != INFLATE_DONE)
		return UZ3_BROKEN;
	if (r.n_out < u->header.size)
		return UZ3_SHORT;
	return r.n_used < packed ? UZ3_LEFT_OVER : 0;
}

static bool inflate_stream(struct decode *d, struct uz3 *u, struct cursor window, uint8_t *out)
{
	struct span span = { window.origin, cursor_left(&window) };
	struct inflater inflater = { .arena = d->arena };
	const uint8_t *in;

	if (!cursor_bytes(&window, span.len, &in))
		return decode_stop(d, UZ3_STREAM, STOP_MALFORMED, span);
	/* mutant: one byte too far */
	u->stream = inflate_whole(&inflater, in, span.len, out,
				  u->header.size + (uint64_t)MUTANT(52));
	if (u->stream.result == INFLATE_NO_MEMORY)
		return decode_stop(d, UZ3_STREAM, STOP_MEMORY, span);
	u->defects = stream_defects(u, u->stream, span.len);
	if (u->defects != 0)
		return decode_stop(d, UZ3_CONTENT, STOP_MALFORMED, span);
	return true;
}

static bool unpack_stream(struct decode *d, struct uz3 *u)
{
	struct span span = { uz3_header_fixed_len, u->size - uz3_header_fixed_len };
	struct cursor window;
	uint8_t *out;

	if (u->header.size > UZ_INT_MAX) {
		u->defects = UZ3_NEGATIVE;
		return decode_stop(d, UZ3_CONTENT, STOP_MALFORMED,
				   (struct span){ 0, uz3_header_fixed_len });
	}
	if (unpacked_is_beyond(u->header.size, span.len, INFLATE_GAIN_MAX)) {
		u->defects = UZ3_IMPOSSIBLE;
		return decode_stop(d, UZ3_CONTENT, STOP_MALFORMED,
				   (struct span){ 0, uz3_header_fixed_len });
	}
	if (d->level == LEVEL_STRUCTURE)
		return decode_stop(d, UZ3_STREAM, STOP_LEVEL, span);
	if (!decode_may_unpack(d, UZ3_STREAM, u->header.size, (struct span){ 0, u->size }) ||
	    !unpacked_take(d, UZ3_STREAM, span) || !unpacked_spend(d, UZ3_STREAM, u->header.size) ||
	    !decode_window(d, UZ3_STREAM, span, &window))
		return false;
	out = decode_alloc(d, UZ3_STREAM, u->header.size, 1);
	if (!out || !inflate_stream(d, u, window, out))
		return false;
	u->content.bytes = out;
	u->content.len = u->header.size;
	unpacked_describe(&u->content, d->source);
	return true;
}

static bool refuse_header(struct decode *d, struct uz3 *u, uint32_t defect, uint64_t len)
{
	u->defects = defect;
	return decode_stop(d, UZ3_STREAM, STOP_MALFORMED, (struct span){ 0, len });
}

/* In a file that is too short for a header the signature is the bytes that are there. */
static bool read_header(struct decode *d, struct uz3 *u)
{
	const uint64_t len = u->size < uz3_header_fixed_len ? u->size : uz3_header_fixed_len;
	struct cursor c, start;

	if (!decode_window(d, UZ3_FILE, (struct span){ 0, len }, &c))
		return false;
	start = c;
	if (!uz3_header_read(&c, 0, &u->header)) {
		u->header.signature = unpacked_signature(start);
		return refuse_header(d, u, UZ3_CUT, len);
	}
	if (u->header.signature != UZ_SIGNATURE_NEW)
		return refuse_header(d, u, UZ3_UNSIGNED, uz_header_fixed_len);
	return true;
}

static const void *uz3_decode(struct decode *d)
{
	struct uz3 *u = arena_alloc(d->arena, 1, sizeof *u);

	if (!u)
		return NULL;
	*u = (struct uz3){ .groups = d->groups, .size = d->source->io.size };
	u->content.name = unpacked_stem(d->source);
	if (read_header(d, u))
		unpack_stream(d, u);
	decode_spread(d, uz3_groups, uz3_n_groups);
	return u;
}

bool uz3_seems_to_have_stream(struct cursor c)
{
	uint64_t first, second;

	return cursor_skip(&c, uz3_header_fixed_len, &(struct span){ 0, 0 }) &&
	       cursor_u8(&c, &first) && cursor_u8(&c, &second) &&
	       inflate_looks_like_zlib(first, second);
}

/* By name, or by the signature and a zlib stream. A .uz of the same signature has a stored name
 * where this one has its size. */
static bool uz3_sniff(struct decode *d)
{
	uint64_t size = d->source->io.size;
	struct uz3_header header;
	struct cursor c, start, name;

	if (unpacked_has_extension(d->source, "uz3"))
		return true;
	if (size < uz3_header_fixed_len ||
	    !source_window(d->source, (struct span){ 0, size < UZ_HEAD_MAX ? size : UZ_HEAD_MAX },
			   &c))
		return false;
	start = name = c;
	if (!uz3_header_read(&c, 0, &header) || header.signature != UZ_SIGNATURE_NEW ||
	    !cursor_skip(&name, uz_header_fixed_len, &(struct span){ 0, 0 }) || uz_sane_name(name))
		return false;
	return uz3_seems_to_have_stream(start);
}

static bool has_header(const struct uz3 *u)
{
	return u->groups[UZ3_FILE].why == STOP_NOT && !(u->defects & (UZ3_CUT | UZ3_UNSIGNED));
}

static uint64_t uz3_version(const void *facts)
{
	const struct uz3 *u = facts;

	return has_header(u) ? u->header.signature : 0;
}

/* How many bytes the stream explains: those that it read, or all if it was not decoded. */
static uint64_t stream_len(const struct uz3 *u)
{
	uint64_t all = u->size - uz3_header_fixed_len;

	return u->defects & UZ3_LEFT_OVER ? u->stream.n_used : all;
}

static uint64_t uz3_explained(const void *facts)
{
	const struct uz3 *u = facts;

	return has_header(u) ? uz3_header_fixed_len + stream_len(u) : 0;
}

static bool uz3_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct uz3 *u = facts;

	(void)d;
	return !has_header(u) ||
	       unpacked_map(&uz3_header_layout, uz3_header_fixed_len, stream_len(u), sink, ctx);
}

static void uz3_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct uz3 *u = facts;

	if (u->groups[UZ3_CONTENT].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "unpacked_bytes", .number = u->content.len });
}

static bool uz3_next(const void *facts, const struct decode *d, struct nested_walk *walk,
		     struct nested *out)
{
	const struct uz3 *u = facts;

	return decode_has(d, UZ3_CONTENT) && unpacked_next(&u->content, walk, out);
}

static const struct nested_files uz3_nested_files = { .next = uz3_next, .open = unpacked_open };

/* A stream that was read to the end of the file, and has not decompressed to its whole size by
 * then, goes on where the file does not. */
static void uz3_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct uz3 *u = facts;
	const uint64_t stream_len = u->size > uz3_header_fixed_len ? u->size - uz3_header_fixed_len
								   : 0;

	(void)d;
	(void)file; /* a download has no companions */
	out->ends_early = u->defects & UZ3_CUT ||
			  (u->defects & UZ3_BROKEN && u->stream.n_used >= stream_len &&
			   u->stream.n_out < u->header.size);
	if (u->defects & UZ3_LEFT_OVER)
		*out = (struct extent){ .needs = uz3_header_fixed_len + u->stream.n_used,
					.is_end = true,
					.is_proved = true };
}

const struct format uz3_format = {
	.name = "uz3",
	.title = "package compressed as one stream",
	.groups = uz3_groups,
	.n_groups = uz3_n_groups,
	.traits = uz3_traits,
	.n_tables = uz3_n_tables,
	.layouts = uz3_layouts,
	.rules = uz3_rules,
	.extensions = uz3_extensions,
	.shared = uz3_shared,
	.sniff = uz3_sniff,
	.decode = uz3_decode,
	.version = uz3_version,
	.tables = uz3_tables,
	.extent = uz3_extent,
	.explained = uz3_explained,
	.map = uz3_map,
	.info = uz3_info,
	.nested = &uz3_nested_files,
};

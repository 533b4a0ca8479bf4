/* .lzma: the stream, and the format as the engine sees it. */
#include "formats/compressed/lzma.h"

#include "core/mutant.h"

#define FORMAT lzma
#define FORMAT_DEF "formats/compressed/lzma.def"
#define FORMAT_RULES "rule/ids/lzma.def"
#include "formats/define.h"

/* Bytes of output after which work is charged again. */
#define SLICE ((uint64_t)65536)

static bool charge_slice(void *ctx)
{
	return unpacked_spend(ctx, LZMA_STREAM, SLICE);
}

static uint32_t header_defects(const struct lzma *u)
{
	if (u->header.properties >= LZMA_PROPERTIES_END)
		return LZMA_PROPERTIES;
	if (u->header.size != LZMA_SIZE_UNKNOWN &&
	    unpacked_is_beyond(u->header.size, u->size - lzma_header_fixed_len, UNLZMA_GAIN_MAX))
		return LZMA_IMPOSSIBLE;
	return 0;
}

/* For liblzma a stream is broken, too, if it decompresses to another size than the header's. */
static uint32_t stream_defects(const struct lzma *u, uint64_t packed)
{
	if (u->stream.result != UNLZMA_DONE)
		return LZMA_BROKEN;
	if (u->stream.n_used < packed)
		return LZMA_LEFT_OVER;
	/* mutant: a byte more */
	if (u->header.dictionary > LZMA_DICTIONARY_USUAL + (uint64_t)MUTANT(53))
		return LZMA_DICTIONARY;
	return 0;
}

/* Decodes the stream once: its bytes go to out, or are only counted where that is NULL. */
static bool decode_once(struct decode *d, struct lzma *u, struct span packed, const uint8_t *in,
			uint8_t *out, uint64_t max)
{
	struct unlzma_header header = {
		(uint8_t)u->header.properties,
		(uint32_t)u->header.dictionary,
		u->header.size,
	};

	u->stream = unlzma_whole(d->arena, header, in, packed.len, out, max, charge_slice, d);
	switch (u->stream.result) {
	case UNLZMA_NO_MEMORY:
		return decode_stop(d, LZMA_STREAM, STOP_MEMORY, packed);
	case UNLZMA_UNAVAILABLE:
		return decode_stop_codec(
			d, LZMA_STREAM,
			unlzma_is_available() ? "lzma with lc + lp above 4" : "liblzma", packed);
	case UNLZMA_STOPPED:
		return false;
	default:
		return true;
	}
}

/* Without a size in the header the stream is decoded twice: once to count its bytes, then into
 * memory for as many. */
static bool find_size(struct decode *d, struct lzma *u, struct span packed, const uint8_t *in,
		      uint64_t *size)
{
	struct arena_mark mark = arena_mark(d->arena);
	uint64_t max = decode_unpack_max(d, u->size);

	*size = u->header.size;
	if (*size != LZMA_SIZE_UNKNOWN)
		return decode_may_unpack(d, LZMA_STREAM, *size, (struct span){ 0, u->size });
	if (!decode_once(d, u, packed, in, NULL, max))
		return false;
	arena_rewind(d->arena, mark);
	*size = u->stream.n_out;
	if (u->stream.result == UNLZMA_FULL &&
	    !decode_may_unpack(d, LZMA_STREAM, max + 1, (struct span){ 0, u->size }))
		return false;
	u->defects = stream_defects(u, packed.len);
	return true;
}

static bool unpack(struct decode *d, struct lzma *u, struct span packed, const uint8_t *in)
{
	uint64_t size;
	uint8_t *out;

	if (!find_size(d, u, packed, in, &size))
		return false;
	out = u->defects & LZMA_BROKEN ? NULL : decode_alloc(d, LZMA_STREAM, size, 1);
	if (!(u->defects & LZMA_BROKEN) && (!out || !decode_once(d, u, packed, in, out, size)))
		return false;
	u->defects = stream_defects(u, packed.len);
	if (u->defects & LZMA_BROKEN)
		return decode_stop(d, LZMA_CONTENT, STOP_MALFORMED, packed);
	u->content.bytes = out;
	u->content.len = size;
	unpacked_describe(&u->content, d->source);
	return true;
}

static bool unpack_stream(struct decode *d, struct lzma *u)
{
	struct span packed = { lzma_header_fixed_len, u->size - lzma_header_fixed_len };
	struct cursor window;
	const uint8_t *in;

	u->defects = header_defects(u);
	if (u->defects != 0)
		return decode_stop(d, LZMA_CONTENT, STOP_MALFORMED,
				   (struct span){ 0, lzma_header_fixed_len });
	if (d->level == LEVEL_STRUCTURE)
		return decode_stop(d, LZMA_STREAM, STOP_LEVEL, packed);
	if (!unpacked_take(d, LZMA_STREAM, packed) ||
	    !decode_window(d, LZMA_STREAM, packed, &window))
		return false;
	if (!cursor_bytes(&window, packed.len, &in))
		return decode_stop(d, LZMA_STREAM, STOP_MALFORMED, packed);
	return unpack(d, u, packed, in);
}

/* A file that is too short for a header has no stream either: both are told by the rule about the
 * stream. */
static bool decode_header(struct decode *d, struct lzma *u)
{
	struct cursor c;

	if (u->size < lzma_header_fixed_len) {
		u->defects = LZMA_CUT;
		return decode_stop(d, LZMA_CONTENT, STOP_MALFORMED, (struct span){ 0, u->size });
	}
	return decode_window(d, LZMA_FILE, (struct span){ 0, lzma_header_fixed_len }, &c) &&
	       lzma_header_read(&c, 0, &u->header);
}

static const void *lzma_decode(struct decode *d)
{
	struct lzma *u = arena_alloc(d->arena, 1, sizeof *u);

	if (!u)
		return NULL;
	*u = (struct lzma){ .groups = d->groups, .size = d->source->io.size };
	u->content.name = unpacked_stem(d->source);
	if (decode_header(d, u))
		unpack_stream(d, u);
	if (d->groups[LZMA_STREAM].why == STOP_CODEC)
		decode_stop_codec(d, LZMA_CONTENT, d->groups[LZMA_STREAM].codec,
				  (struct span){ 0, 0 });
	decode_spread(d, lzma_groups, lzma_n_groups);
	return u;
}

/* By name alone: the header has no magic number. */
static bool lzma_sniff(struct decode *d)
{
	return unpacked_has_extension(d->source, "lzma");
}

static uint64_t no_version(const void *facts)
{
	(void)facts;
	return 0;
}

static uint64_t stream_len(const struct lzma *u)
{
	uint64_t all = u->size - lzma_header_fixed_len;

	return u->defects & LZMA_LEFT_OVER ? u->stream.n_used : all;
}

static bool has_header(const struct lzma *u)
{
	return u->groups[LZMA_FILE].why == STOP_NOT && !(u->defects & LZMA_CUT);
}

static uint64_t lzma_explained(const void *facts)
{
	const struct lzma *u = facts;

	return has_header(u) ? lzma_header_fixed_len + stream_len(u) : 0;
}

static bool lzma_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct lzma *u = facts;

	(void)d;
	return !has_header(u) ||
	       unpacked_map(&lzma_header_layout, lzma_header_fixed_len, stream_len(u), sink, ctx);
}

static void lzma_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct lzma *u = facts;

	if (u->groups[LZMA_CONTENT].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "unpacked_bytes", .number = u->content.len });
}

static bool lzma_next(const void *facts, const struct decode *d, struct nested_walk *walk,
		      struct nested *out)
{
	const struct lzma *u = facts;

	return decode_has(d, LZMA_CONTENT) && unpacked_next(&u->content, walk, out);
}

static const struct nested_files lzma_nested_files = { .next = lzma_next, .open = unpacked_open };

/* As in a .uz3. */
static void lzma_extent(const void *facts, const struct decode *d, uint32_t file,
			struct extent *out)
{
	const struct lzma *u = facts;
	const uint64_t stream_len = u->size > lzma_header_fixed_len
					    ? u->size - lzma_header_fixed_len
					    : 0;

	(void)d;
	(void)file; /* a download has no companions */
	out->ends_early = u->defects & LZMA_CUT ||
			  (u->defects & LZMA_BROKEN && u->stream.n_used >= stream_len &&
			   u->stream.n_out < u->header.size);
	if (u->defects & LZMA_LEFT_OVER)
		*out = (struct extent){ .needs = lzma_header_fixed_len + u->stream.n_used,
					.is_end = true,
					.is_proved = true };
}

const struct format lzma_format = {
	.name = "lzma",
	.title = "package compressed by LZMA",
	.groups = lzma_groups,
	.n_groups = lzma_n_groups,
	.traits = lzma_traits,
	.n_tables = lzma_n_tables,
	.layouts = lzma_layouts,
	.rules = lzma_rules,
	.extensions = lzma_extensions,
	.shared = lzma_shared,
	.sniff = lzma_sniff,
	.decode = lzma_decode,
	.version = no_version,
	.tables = lzma_tables,
	.extent = lzma_extent,
	.explained = lzma_explained,
	.map = lzma_map,
	.info = lzma_info,
	.nested = &lzma_nested_files,
};

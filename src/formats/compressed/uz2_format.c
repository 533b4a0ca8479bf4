/* .uz2: the chunks, their streams, and the format as the engine sees it. */
#include "formats/compressed/uz2.h"

#include "core/mutant.h"

#define FORMAT uz2
#define FORMAT_DEF "formats/compressed/uz2.def"
#define FORMAT_RULES "rule/ids/uz2.def"
#include "formats/define.h"

/* ---- The chunks' headers --------------------------------------------------------------------- */

static bool read_header(struct decode *d, uint64_t at, struct uz2_chunk *out)
{
	uint8_t bytes[uz2_chunk_fixed_len] = { 0 };
	struct span span = { at, uz2_chunk_fixed_len };
	struct cursor c = cursor_init(bytes, sizeof bytes, at);

	if (!decode_copy(d, UZ2_FILE, span, bytes))
		return false;
	if (!uz2_chunk_read(&c, 0, out))
		return decode_stop(d, UZ2_FILE, STOP_MALFORMED, span);
	return true;
}

static uint32_t header_traits(const struct uz2_chunk *c, uint64_t left)
{
	uint32_t traits = 0;

	/* mutant: a compressed byte too many */
	if (c->packed == 0 || c->packed > UZ2_PACKED_MAX + (uint64_t)MUTANT(50))
		traits |= UZ2_PACKED_ODD;
	if (c->unpacked == 0 || c->unpacked > UZ2_UNPACKED_MAX)
		traits |= UZ2_UNPACKED_ODD;
	if (c->packed > left)
		traits |= UZ2_PAST_END;
	if (traits == 0 && unpacked_is_beyond(c->unpacked, c->packed, INFLATE_GAIN_MAX))
		traits |= UZ2_IMPOSSIBLE;
	return traits;
}

/* Adds the chunk at *at, and moves on to its end. */
static bool add_part(struct decode *d, struct uz2 *u, uint64_t *max, uint64_t *at)
{
	struct uz2_part part = { .traits = 0 }, *list;

	if (u->n_parts >= d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, UZ2_CHUNKS, LIMIT_entries,
					 (struct span){ *at, u->size - *at });
	if (!read_header(d, *at, &part.chunk))
		return false;
	part.traits = header_traits(&part.chunk, u->size - *at - uz2_chunk_fixed_len);
	list = decode_grow(d, UZ2_FILE, u->parts, u->n_parts, max, sizeof part);
	if (!list)
		return false;
	u->parts = list;
	list[u->n_parts++] = part;
	u->traits |= part.traits;
	u->total += part.chunk.unpacked;
	*at += uz2_chunk_fixed_len + (part.traits & UZ2_PAST_END
					      ? u->size - *at - uz2_chunk_fixed_len
					      : part.chunk.packed);
	return true;
}

static void find_short(struct uz2 *u)
{
	for (u->first_short = 0; u->first_short + 1 < u->n_parts; u->first_short++)
		if (u->parts[u->first_short].chunk.unpacked < UZ2_UNPACKED_MAX &&
		    !(MUTANT(208) && u->first_short == 1)) /* mutant: the second one may be short */
			return;
	u->first_short = u->n_parts;
}

/* After a header with a defect the place of the next one is unknown. */
static bool decode_headers(struct decode *d, struct uz2 *u)
{
	uint64_t at = 0, max = 0;

	while (u->size - at >= uz2_chunk_fixed_len && !(u->traits & UZ2_BAD_HEADER))
		if (!add_part(d, u, &max, &at))
			return false;
	u->tail = (struct span){ at, u->size - at };
	find_short(u);
	if (u->n_parts == 0 || u->traits & UZ2_BAD_HEADER)
		return decode_stop(d, UZ2_CHUNKS, STOP_MALFORMED, (struct span){ 0, u->size });
	return true;
}

/* ---- The streams ----------------------------------------------------------------------------- */

/* The stream's bytes: those that the source holds already, or a copy. */
static const uint8_t *stream_bytes(struct decode *d, struct span span, uint8_t *copy)
{
	const uint8_t *bytes;
	struct cursor c;

	if (source_peek(d->source, span, &c) && cursor_bytes(&c, span.len, &bytes))
		return bytes;
	return decode_copy(d, UZ2_STREAMS, span, copy) ? copy : NULL;
}

static uint32_t stream_traits(const struct uz2_chunk *c, struct inflated r)
{
	if (r.result == INFLATE_FULL)
		return UZ2_LONG;
	if (r.result != INFLATE_DONE)
		return UZ2_BROKEN;
	if (r.n_out < c->unpacked)
		return UZ2_SHORT;
	/* mutant: a byte may be left over */
	return r.n_used < c->packed - (uint64_t)MUTANT(51) ? UZ2_LEFT_OVER : 0;
}

static bool decode_part(struct decode *d, struct uz2 *u, struct inflater *i, struct uz2_part *p,
			uint8_t *copy, uint8_t *out)
{
	struct span span = { p->chunk.at + uz2_chunk_fixed_len, p->chunk.packed };
	const uint8_t *in;
	struct inflated r;

	if (!unpacked_spend(d, UZ2_STREAMS, p->chunk.unpacked))
		return false;
	in = stream_bytes(d, span, copy);
	if (!in)
		return false;
	r = inflate_whole(i, in, span.len, out, p->chunk.unpacked);
	if (r.result == INFLATE_NO_MEMORY)
		return decode_stop(d, UZ2_STREAMS, STOP_MEMORY, span);
	p->traits |= stream_traits(&p->chunk, r);
	u->traits |= p->traits;
	return true;
}

static bool decode_all(struct decode *d, struct uz2 *u, struct inflater *i, uint8_t *copy,
		       uint8_t *out)
{
	for (uint64_t n = 0; n < u->n_parts; n++) {
		if (!decode_part(d, u, i, &u->parts[n], copy, out))
			return false;
		out += u->parts[n].chunk.unpacked;
	}
	return true;
}

static bool decode_streams(struct decode *d, struct uz2 *u)
{
	struct span all = { 0, u->size };
	struct inflater inflater = { .arena = d->arena };
	uint8_t *copy, *out;

	if (d->level == LEVEL_STRUCTURE)
		return decode_stop(d, UZ2_STREAMS, STOP_LEVEL, all);
	if (!decode_may_unpack(d, UZ2_STREAMS, u->total, all) ||
	    !unpacked_take(d, UZ2_STREAMS, all))
		return false;
	out = decode_alloc(d, UZ2_STREAMS, u->total, 1);
	copy = decode_alloc(d, UZ2_STREAMS, UZ2_PACKED_MAX, 1);
	if (!out || !copy)
		return false;
	if (!decode_all(d, u, &inflater, copy, out))
		return false;
	if (u->traits & UZ2_BAD_STREAM)
		return decode_stop(d, UZ2_CONTENT, STOP_MALFORMED, all);
	u->content.bytes = out;
	u->content.len = u->total;
	unpacked_describe(&u->content, d->source);
	return true;
}

static const void *uz2_decode(struct decode *d)
{
	struct uz2 *u = arena_alloc(d->arena, 1, sizeof *u);

	if (!u)
		return NULL;
	*u = (struct uz2){ .groups = d->groups, .size = d->source->io.size };
	u->content.name = unpacked_stem(d->source);
	if (decode_headers(d, u))
		decode_streams(d, u);
	decode_spread(d, uz2_groups, uz2_n_groups);
	return u;
}

/* ---- As the engine sees it ------------------------------------------------------------------- */

/* By name, or by sizes that a chunk may have, followed by the start of a zlib stream. */
static bool uz2_sniff(struct decode *d)
{
	struct span head = { 0, uz2_chunk_fixed_len + 2 };
	uint64_t size = d->source->io.size, first, second;
	struct uz2_chunk chunk;
	struct cursor c;

	if (unpacked_has_extension(d->source, "uz2"))
		return true;
	if (size < head.len || !source_window(d->source, head, &c) ||
	    !uz2_chunk_read(&c, 0, &chunk))
		return false;
	return cursor_u8(&c, &first) && cursor_u8(&c, &second) &&
	       header_traits(&chunk, size - uz2_chunk_fixed_len) == 0 &&
	       inflate_looks_like_zlib(first, second);
}

static uint64_t no_version(const void *facts)
{
	(void)facts;
	return 0;
}

static uint64_t uz2_explained(const void *facts)
{
	const struct uz2 *u = facts;

	return u->groups[UZ2_FILE].why == STOP_NOT ? u->size - u->tail.len : 0;
}

static bool map_part(const struct uz2 *u, uint64_t i, map_sink *sink, void *ctx)
{
	const struct uz2_chunk *c = &u->parts[i].chunk;
	struct region header = { .span = { c->at, uz2_chunk_fixed_len },
				 .kind = "header",
				 .label = "chunk",
				 .index = i,
				 .layout = &uz2_chunk_layout };
	struct region stream = { .span = { c->at + uz2_chunk_fixed_len, c->packed },
				 .kind = "payload",
				 .label = "stream",
				 .index = i };

	if (u->parts[i].traits & UZ2_PAST_END)
		stream.span.len = u->size - stream.span.at;
	return sink(ctx, &header) && (stream.span.len == 0 || sink(ctx, &stream));
}

static bool uz2_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct uz2 *u = facts;

	for (uint64_t i = 0; decode_has(d, UZ2_FILE) && i < u->n_parts; i++)
		if (!map_part(u, i, sink, ctx))
			return false;
	return true;
}

static void uz2_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct uz2 *u = facts;

	if (u->groups[UZ2_FILE].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "chunks", .number = u->n_parts });
	if (u->groups[UZ2_CONTENT].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "unpacked_bytes", .number = u->content.len });
}

static bool uz2_next(const void *facts, const struct decode *d, struct nested_walk *walk,
		     struct nested *out)
{
	const struct uz2 *u = facts;

	return decode_has(d, UZ2_CONTENT) && unpacked_next(&u->content, walk, out);
}

static const struct nested_files uz2_nested_files = { .next = uz2_next, .open = unpacked_open };

/* The end after a chunk that decompresses to so many bytes, if it is the last. */
static struct extent end_at(uint64_t at, uint64_t unpacked)
{
	struct extent x = { .part_max = UZ2_UNPACKED_MAX };

	if (unpacked < UZ2_UNPACKED_MAX) {
		x.needs = at;
		x.is_end = x.is_proved = true;
	}
	return x;
}

/* A chunk's own size is bounded. */
static struct extent lacks_of_chunk(const struct uz2_chunk *c)
{
	return (struct extent){ .needs = c->at + uz2_chunk_fixed_len + c->packed,
				.is_agreed = true,
				.part_max = UZ2_UNPACKED_MAX };
}

static void uz2_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct uz2 *u = facts;
	const struct uz2_part *last = u->n_parts > 0 ? &u->parts[u->n_parts - 1] : NULL;

	(void)d;
	(void)file; /* a download has no companions */
	out->part_max = UZ2_UNPACKED_MAX;
	/* only the last chunk is not full: what follows such a one is no chunk */
	if (u->n_parts > 1 && last->traits & (UZ2_PACKED_ODD | UZ2_UNPACKED_ODD))
		*out = end_at(last->chunk.at, last[-1].chunk.unpacked);
	else if (last && (last->traits & UZ2_BAD_HEADER) == UZ2_PAST_END)
		*out = lacks_of_chunk(&last->chunk);
	else if (last && last->traits & (UZ2_BAD_HEADER | UZ2_BAD_STREAM))
		return;
	else if (u->tail.len > 0 && last && last->chunk.unpacked < UZ2_UNPACKED_MAX)
		*out = end_at(u->tail.at, last->chunk.unpacked);
	else if (u->tail.len > 0)
		*out = (struct extent){ .needs = u->tail.at + uz2_chunk_fixed_len,
					.is_agreed = true,
					.part_max = UZ2_UNPACKED_MAX };
}

const struct format uz2_format = {
	.name = "uz2",
	.title = "package compressed in chunks",
	.groups = uz2_groups,
	.n_groups = uz2_n_groups,
	.traits = uz2_traits,
	.n_tables = uz2_n_tables,
	.layouts = uz2_layouts,
	.rules = uz2_rules,
	.extensions = uz2_extensions,
	.shared = uz2_shared,
	.sniff = uz2_sniff,
	.decode = uz2_decode,
	.version = no_version,
	.tables = uz2_tables,
	.extent = uz2_extent,
	.explained = uz2_explained,
	.map = uz2_map,
	.info = uz2_info,
	.nested = &uz2_nested_files,
};

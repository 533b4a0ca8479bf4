/* Compressed files: sniffing, decompressing, and the format as the engine sees it. */
#include "formats/archive/stream/stream.h"

#include <string.h>

#include "codec/coder_work.h"
#include "core/mutant.h"
#include "core/path.h"
#include "core/rows.h"
#include "formats/archive/stream/stream_gzip.h"

#define FORMAT stream
#define FORMAT_DEF "formats/archive/stream/stream.def"
#define FORMAT_RULES "rule/ids/stream.def"
#include "formats/define.h"

/* ---- Names ----------------------------------------------------------------------------------- */

/* What of an extension says that a tar was compressed. */
static bool is_short_for_tar(struct text extension)
{
	static const char *const shorts[] = { "tgz", "txz", "tzst", "tbz", "tbz2" };

	return text_is_one(extension, shorts, sizeof shorts / sizeof *shorts);
}

static bool is_compressed(enum arc_signature s)
{
	return s == ARC_IS_GZIP || s == ARC_IS_XZ || s == ARC_IS_ZSTD || s == ARC_IS_BZIP2;
}

/* x.tar.gz is x.tar, x.tgz is x.tar; under another extension it keeps its name. */
static bool name_content(struct decode *d, struct stream *u)
{
	const struct text own = text_from(d->source->name), stem = path_stem(own);
	static const char ending[] = ".tar";
	uint8_t *name;

	u->content.name = path_last(own);
	if (!is_compressed(u->file.promised))
		return true;
	u->content.name = stem;
	if (!is_short_for_tar(path_extension(own)))
		return true;
	name = decode_alloc(d, STREAM_STREAM, stem.ref.n_units + sizeof ending - 1, 1);
	if (!name)
		return false;
	memcpy(name, stem.data, stem.ref.n_units);
	memcpy(name + stem.ref.n_units, ending, sizeof ending - 1);
	u->content.name.data = name;
	u->content.name.ref.n_units += (uint32_t)sizeof ending - 1;
	return true;
}

/* ---- Decompressing --------------------------------------------------------------------------- */

/* Who pays for a stream: units of work for a byte that goes in, and one that comes out. */
struct payer {
	struct decode *d;
	unsigned work_in, work_out;
};

static bool read_input(void *ctx, uint64_t at, uint8_t *buf, uint64_t n)
{
	struct payer *p = ctx;

	return decode_spend(p->d, STREAM_STREAM, work_of_coded(n, p->work_in)) &&
	       decode_copy(p->d, STREAM_STREAM, (struct span){ at, n }, buf);
}

static bool pulse(void *ctx)
{
	struct payer *p = ctx;

	return decode_spend(p->d, STREAM_STREAM, work_of_coded(UNSTREAM_PIECE, p->work_out));
}

static struct payer payer_of(struct decode *d, enum arc_signature s)
{
	return (struct payer){ .d = d,
			       .work_in = s == ARC_IS_XZ ? LZMA_WORK_IN : 0,
			       .work_out = s == ARC_IS_BZIP2 ? BZIP2_WORK_OUT : 0 };
}

static enum unstream_form form_of(enum arc_signature s)
{
	switch (s) {
	case ARC_IS_XZ:
		return UNSTREAM_XZ;
	case ARC_IS_ZSTD:
		return UNSTREAM_ZSTD;
	case ARC_IS_BZIP2:
		return UNSTREAM_BZIP2;
	default:
		return UNSTREAM_GZIP;
	}
}

static struct span whole(const struct stream *u)
{
	return (struct span){ 0, u->size };
}

/* Decodes it once, and notes why that could not be done. */
static bool decode_once(struct decode *d, struct stream *u, uint8_t *out, uint64_t max)
{
	struct payer payer = payer_of(d, u->file.is);
	const struct unstream_io io = { u->size, read_input, pulse, &payer };

	u->end = unstream_whole(d->arena, form_of(u->file.is), &io, out, max);
	switch (u->end.result) {
	case UNSTREAM_NO_MEMORY:
		return decode_stop(d, STREAM_STREAM, STOP_MEMORY, whole(u));
	case UNSTREAM_UNAVAILABLE:
	case UNSTREAM_UNKNOWN:
		return decode_stop_codec(d, STREAM_STREAM, u->end.lacks, whole(u));
	case UNSTREAM_STOPPED:
		return false;
	default:
		return true;
	}
}

enum { GZIP_SIZE_LEN = 4 };

/* The size that a file of one member of gzip says at its end. */
static uint64_t guess_size(struct decode *d, const struct stream *u)
{
	struct cursor last;
	uint64_t size;

	if (u->file.is != ARC_IS_GZIP || u->size < GZIP_SIZE_LEN ||
	    !decode_window(d, STREAM_STREAM,
			   (struct span){ u->size - GZIP_SIZE_LEN, GZIP_SIZE_LEN }, &last) ||
	    !cursor_u32(&last, &size))
		return UINT64_MAX;
	return size;
}

/* Into memory for as many bytes as the file says, if that is likely; *is_done tells whether it was
 * right. */
static bool try_guess(struct decode *d, struct stream *u, uint64_t max, bool *is_done)
{
	const uint64_t size = guess_size(d, u);
	const struct arena_mark mark = arena_mark(d->arena);
	uint8_t *out;

	*is_done = false;
	if (size > max || size == 0)
		return true;
	out = decode_alloc(d, STREAM_STREAM, size, 1);
	if (!out || !decode_once(d, u, out, size))
		return false;
	*is_done = u->end.result == UNSTREAM_DONE;
	if (*is_done)
		u->content.bytes = out;
	else
		arena_rewind(d->arena, mark);
	return true;
}

/* Twice: once to count the bytes, then into memory for as many. */
static bool count_and_take(struct decode *d, struct stream *u, uint64_t max)
{
	const struct arena_mark mark = arena_mark(d->arena);
	uint8_t *out;

	if (!decode_once(d, u, NULL, max))
		return false;
	arena_rewind(d->arena, mark);
	if (u->end.result == UNSTREAM_FULL)
		return decode_may_unpack(d, STREAM_STREAM, max + 1, whole(u));
	if (u->end.result != UNSTREAM_DONE)
		return true;
	out = decode_alloc(d, STREAM_STREAM, u->end.n_out, 1);
	if (!out || !decode_once(d, u, out, u->end.n_out))
		return false;
	u->content.bytes = out;
	return true;
}

/* ---- What it finds out ----------------------------------------------------------------------- */

static void note_tail(struct stream *u)
{
	if (u->end.n_streams > 1)
		u->defects |= STREAM_SEVERAL;
	if (u->end.n_used < u->size)
		u->defects |= STREAM_LEFT_OVER;
}

static bool note_failure(struct decode *d, struct stream *u)
{
	const struct span left = { u->end.n_used, u->size - u->end.n_used };

	switch (u->end.result) {
	case UNSTREAM_WRONG_SUM:
		u->defects |= STREAM_WRONG_SUM;
		break;
	case UNSTREAM_WRONG_SIZE:
		u->defects |= STREAM_WRONG_SIZE;
		break;
	case UNSTREAM_WINDOW:
		u->defects |= STREAM_WINDOW;
		return decode_stop(d, STREAM_CONTENT, STOP_UNSUPPORTED, left);
	case UNSTREAM_CUT:
		u->file.cut = "the compressed stream";
		break;
	default:
		u->defects |= STREAM_BROKEN;
	}
	return decode_stop(d, STREAM_CONTENT, STOP_MALFORMED, left);
}

static void take_content(struct stream *u)
{
	u->content.len = u->end.n_out;
	u->is_tar = arc_signature_of((struct held){ u->content.bytes, u->content.len }) ==
		    ARC_IS_TAR;
	if (members_swell(u->content.len, u->size))
		u->defects |= STREAM_SWELLS;
}

static enum arc_cover nothing(const void *facts, uint64_t i, struct span *out)
{
	(void)facts;
	(void)i;
	*out = (struct span){ 0, 0 };
	return ARC_COVERS_NOTHING;
}

/* Whether bytes are somewhere in what came out. */
static bool comes_out(const struct stream *u, struct held bytes)
{
	struct held rest = { u->content.bytes, u->content.len };

	while (rest.len >= bytes.len) {
		const uint64_t at = held_find(rest, (uint8_t)held_u8(bytes, 0));

		rest = held_part(rest, at, rest.len - at);
		if (rest.len >= bytes.len &&
		    memcmp(rest.bytes, bytes.bytes, (size_t)bytes.len) == 0)
			return true;
		rest = held_part(rest, 1, rest.len > 0 ? rest.len - 1 : 0);
	}
	return false;
}

/* Whether a byte is in an extra field of gzip, which comes out nowhere. */
static bool is_in_extra(struct decode *d, const struct stream *u, uint64_t at, bool *is_in)
{
	enum { FLAGS_AT = 3, HAS_EXTRA = 4, EXTRA_AT = 10, HEAD_LEN = 12 };
	uint8_t bytes[HEAD_LEN] = { 0 };
	const struct held head = { bytes, sizeof bytes };

	*is_in = false;
	if (u->file.is != ARC_IS_GZIP || u->size < sizeof bytes)
		return true;
	if (!decode_copy(d, STREAM_CONTENT, (struct span){ 0, sizeof bytes }, bytes))
		return false;
	*is_in = held_u8(head, FLAGS_AT) & HAS_EXTRA && at < HEAD_LEN + held_u16(head, EXTRA_AT);
	return true;
}

/* What cannot be compressed is stored, and with it the end record of a zip that is the content, or
 * in it. Zstandard has frames that are skipped, and further streams have headers of their own: what
 * is there is not told from what is stored. */
static bool find_zip(struct decode *d, struct stream *u)
{
	const bool may_hide = u->end.n_streams > 1 || u->file.is == ARC_IS_ZSTD;
	const struct arc_covers covers = { .span = nothing };
	struct arc_second found = { .is = ARC_NO_ARCHIVE };
	struct held bytes;
	bool is_hidden;

	if (!arc_second_zip(d, STREAM_CONTENT, u->size, &covers, &found))
		return false;
	if (found.is == ARC_NO_ARCHIVE)
		return true;
	if (!decode_bytes(d, STREAM_CONTENT, found.at, &bytes) ||
	    !is_in_extra(d, u, found.at.at, &is_hidden) ||
	    !decode_spend(d, STREAM_CONTENT, work_of_bytes(u->content.len)))
		return false;
	found.is_inside = !is_hidden && span_end(found.at) <= u->end.n_used && comes_out(u, bytes);
	if (!found.is_inside || may_hide)
		u->second = found;
	return true;
}

/* Another archive in the file. */
static bool find_second(struct decode *d, struct stream *u)
{
	return find_zip(d, u) && stream_find_resumed(d, u) &&
	       arc_second_after(d, STREAM_CONTENT, u->end.n_used, u->file.is, &u->second) &&
	       arc_second_tar(d, STREAM_CONTENT, u->file.is, &u->second);
}

/* Up to this size a file of gzip is held, whose size need not be the one that it says. */
#define HELD_MAX ((uint64_t)16 << 20)

/* What may be decoded twice is held, so that it is read once. */
static bool hold_input(struct decode *d, const struct stream *u)
{
	struct cursor held;

	return (u->file.is == ARC_IS_GZIP && u->size > HELD_MAX) ||
	       decode_window(d, STREAM_STREAM, whole(u), &held);
}

static bool unpack(struct decode *d, struct stream *u)
{
	const uint64_t max = decode_unpack_max(d, u->size);
	bool is_done;

	if (!try_guess(d, u, max, &is_done) || (!is_done && !count_and_take(d, u, max)))
		return false;
	if (u->end.result != UNSTREAM_DONE)
		return note_failure(d, u);
	if (!decode_may_unpack(d, STREAM_STREAM, u->end.n_out, whole(u)))
		return false;
	note_tail(u);
	take_content(u);
	return find_second(d, u);
}

static bool decode_all(struct decode *d, struct stream *u)
{
	const struct span first = { 0, u->size < ARC_SIGNATURE_LEN ? u->size : ARC_SIGNATURE_LEN };
	struct held bytes;

	if (!decode_bytes(d, STREAM_FILE, first, &bytes))
		return false;
	arc_file_look(&u->file, d->source);
	if (!is_compressed(u->file.is))
		return decode_stop(d, STREAM_STREAM, STOP_MALFORMED, first);
	if (d->level == LEVEL_STRUCTURE)
		return decode_stop(d, STREAM_STREAM, STOP_LEVEL, whole(u));
	return name_content(d, u) && stream_take_stored_name(d, u) &&
	       decode_may_take(d, STREAM_STREAM, whole(u)) && hold_input(d, u) && unpack(d, u);
}

static const void *stream_decode(struct decode *d)
{
	struct stream *u = arena_alloc(d->arena, 1, sizeof *u);

	if (!u)
		return NULL;
	*u = (struct stream){ .groups = d->groups, .size = d->source->io.size };
	(void)decode_all(d, u);
	if (d->groups[STREAM_STREAM].why == STOP_CODEC)
		decode_stop_codec(d, STREAM_CONTENT, d->groups[STREAM_STREAM].codec,
				  (struct span){ 0, 0 });
	decode_spread(d, stream_groups, stream_n_groups);
	return u;
}

/* ---- For the engine -------------------------------------------------------------------------- */

/* By its first bytes; by name, if it is no other archive. */
static bool stream_sniff(struct decode *d)
{
	struct arc_file file = { 0 };

	arc_file_look(&file, d->source);
	return is_compressed(file.is) ||
	       (file.is == ARC_NO_ARCHIVE && is_compressed(file.promised));
}

static uint64_t stream_version(const void *facts)
{
	(void)facts;
	return 0;
}

/* How many bytes the streams explain: those that were read, or all if they were not decoded. */
static uint64_t stream_explained(const void *facts)
{
	const struct stream *u = facts;

	if (u->groups[STREAM_FILE].why != STOP_NOT || !is_compressed(u->file.is))
		return 0;
	return u->defects & STREAM_LEFT_OVER ? u->end.n_used : u->size;
}

static bool stream_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct region streams = { .span = { 0, stream_explained(facts) },
					.kind = "payload",
					.label = "stream",
					.index = UINT64_MAX };

	(void)d;
	return streams.span.len == 0 || sink(ctx, &streams);
}

static void stream_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct stream *u = facts;

	if (!is_compressed(u->file.is))
		return;
	sink(ctx, &(struct info){ .name = "compression", .word = arc_signature_name(u->file.is) });
	if (u->groups[STREAM_CONTENT].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "unpacked_bytes", .number = u->content.len });
}

static bool stream_next(const void *facts, const struct decode *d, struct nested_walk *walk,
			struct nested *out)
{
	const struct stream *u = facts;

	if (!decode_has(d, STREAM_CONTENT) || !unpacked_next(&u->content, walk, out))
		return false;
	out->is_upload = true;
	return true;
}

static const struct nested_files stream_nested_files = { .next = stream_next,
							 .open = unpacked_open };

static void stream_extent(const void *facts, const struct decode *d, uint32_t file,
			  struct extent *out)
{
	const struct stream *u = facts;

	(void)d;
	(void)file; /* such a file has no companions */
	out->ends_early = u->file.cut != NULL;
	if (u->defects & STREAM_LEFT_OVER)
		*out = (struct extent){ .needs = u->end.n_used, .is_end = true, .is_proved = true };
}

const struct format stream_format = {
	.name = "stream",
	.title = "compressed file",
	.groups = stream_groups,
	.n_groups = stream_n_groups,
	.traits = stream_traits,
	.n_tables = stream_n_tables,
	.layouts = stream_layouts,
	.rules = stream_rules,
	.extensions = stream_extensions,
	.shared = stream_shared,
	.sniff = stream_sniff,
	.decode = stream_decode,
	.version = stream_version,
	.tables = stream_tables,
	.extent = stream_extent,
	.explained = stream_explained,
	.map = stream_map,
	.info = stream_info,
	.nested = &stream_nested_files,
};

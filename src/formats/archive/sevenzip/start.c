/* The start header, and the header wherever it leads. Source: conformance/spec/sevenzip.md,
 * chapters 1 and 2. */
#include "codec/crc32.h"
#include "core/checked.h"
#include "core/mutant.h"
#include "core/path.h"
#include "formats/archive/sevenzip/unpack.h"

/* ---- The start header ------------------------------------------------------------------------ */

/* How much of it its checksum covers: from the offset on. */
enum { SUMMED_AT = 12, SUMMED_LEN = 20 };

static bool is_7z(const struct sevenzip *z)
{
	return z->signature == ARC_IS_7Z;
}

/* The first part of an archive that was cut into parts is called x.7z.001. */
static bool is_volume(const struct decode *d)
{
	const struct text name = text_from(d->source->name);

	return text_is(path_extension(name), "001") &&
	       text_is(path_extension(path_stem(name)), "7z");
}

/* A file of which the end is missing, or the first of several volumes. */
static void note_cut(struct decode *d, struct sevenzip *z)
{
	if (is_volume(d)) {
		z->defects |= SEVENZIP_VOLUME;
		return;
	}
	z->defects |= SEVENZIP_CUT;
	z->file.cut = "the archive";
}

static bool read_start(struct decode *d, struct sevenzip *z)
{
	const struct span span = { 0, sevenzip_start_fixed_len };
	const struct span all = { 0, z->size };
	struct cursor c;
	struct held bytes;

	if (!is_7z(z))
		return decode_stop(d, SEVENZIP_START, STOP_MALFORMED, all);
	if (z->size < span.len) {
		note_cut(d, z);
		return decode_stop(d, SEVENZIP_START, STOP_MALFORMED, all);
	}
	if (!decode_window(d, SEVENZIP_START, span, &c))
		return false;
	bytes = cursor_part(&c, SUMMED_AT, SUMMED_LEN);
	if (!sevenzip_start_read(&c, 0, &z->start))
		return decode_stop(d, SEVENZIP_START, STOP_MALFORMED, all);
	z->start_sum = crc32_add(0, bytes.bytes, bytes.len);
	if (z->start_sum != z->start.crc)
		z->defects |= SEVENZIP_START_SUM;
	return z->start.major == 0 || decode_stop(d, SEVENZIP_START, STOP_UNSUPPORTED, all);
}

/* ---- The header, as it is stored ------------------------------------------------------------- */

static bool find_header(struct decode *d, struct sevenzip *z)
{
	const uint64_t after = z->size - sevenzip_start_fixed_len;

	z->header.at = capped_add(sevenzip_start_fixed_len, z->start.offset);
	z->header.len = z->start.size;
	if (z->start.offset <= after && z->start.size <= after - z->start.offset)
		return true;
	if (z->defects & SEVENZIP_START_SUM)
		z->defects |= SEVENZIP_OUTSIDE;
	else
		note_cut(d, z);
	return decode_stop(d, SEVENZIP_NEXT, STOP_MALFORMED, (struct span){ 0, z->size });
}

static bool read_header(struct decode *d, struct sevenzip *z)
{
	struct cursor c;
	uint32_t crc;

	if (!find_header(d, z) || !decode_window(d, SEVENZIP_NEXT, z->header, &c) ||
	    !held_take(&c, z->header.len, &z->text))
		return false;
	z->header_len = z->text.len;
	crc = crc32_add(0, z->text.bytes, z->text.len);
	if (crc == z->start.next_crc)
		return true;
	z->defects |= SEVENZIP_NEXT_SUM;
	z->found = crc;
	z->wanted = z->start.next_crc;
	return decode_stop(d, SEVENZIP_NEXT, STOP_MALFORMED, z->header);
}

/* ---- The header, decompressed ---------------------------------------------------------------- */

/* Where the bytes of a header go. */
struct header_out {
	uint8_t *bytes;
	uint64_t n;
};

static bool take_header(void *ctx, const uint8_t *bytes, uint64_t n)
{
	struct header_out *out = ctx;

	memcpy(out->bytes + out->n, bytes, (size_t)n);
	out->n += n;
	return true;
}

static bool is_packed_inside(const struct sevenzip *z, struct span packed)
{
	return packed.at <= z->header.at && packed.len <= z->header.at - packed.at;
}

/* Whether a folder that a header is compressed as can be decoded; if not, that is noted. */
static bool may_decode(struct sevenzip_reader *r, const struct sevenzip_folder *f)
{
	struct decode *d = r->d;

	if (f->traits & FOLDER_GRAPH)
		return reader_fails(r, SEVENZIP_FORM);
	if (!is_packed_inside(r->z, f->packed))
		return reader_fails(r, SEVENZIP_PACKED_OUTSIDE);
	if (f->traits & FOLDER_ENCRYPTED) {
		r->z->defects |= SEVENZIP_NAMES_HIDDEN;
		return decode_stop_key(d, SEVENZIP_HEADER, DECODE_PASSWORD, f->packed);
	}
	if (f->traits & FOLDER_UNKNOWN)
		return decode_stop_codec(d, SEVENZIP_HEADER, sevenzip_coder_name(f->strange),
					 f->packed);
	if (f->lacks)
		return decode_stop_codec(d, SEVENZIP_HEADER, f->lacks, f->packed);
	if (f->traits & FOLDER_MEMORY)
		return decode_stop_codec(d, SEVENZIP_HEADER, "decoder with so much memory",
					 f->packed);
	d->unpacked = 0;
	return decode_may_unpack(d, SEVENZIP_HEADER, f->size, f->packed);
}

static bool settle_header(struct sevenzip_reader *r, const struct sevenzip_folder *f,
			  enum sevenzip_outcome outcome, const struct header_out *out)
{
	const uint32_t crc = crc32_add(0, out->bytes, out->n);

	if (outcome == OUTCOME_FAILED)
		return false;
	if (outcome == OUTCOME_LACKS)
		return decode_stop_codec(r->d, SEVENZIP_HEADER, "decoder for this chain of coders",
					 f->packed);
	if (outcome != OUTCOME_WHOLE)
		return reader_fails(r, SEVENZIP_HEADER_BROKEN);
	if (f->has_crc && f->crc != crc)
		return reader_fails_by(r, SEVENZIP_HEADER_SUM, crc, f->crc);
	r->z->text = (struct held){ out->bytes, out->n };
	r->z->header_len += out->n;
	return true;
}

/* A header that is compressed has lists of streams in its place, of one folder. */
static bool unpack_header(struct sevenzip_reader *r)
{
	struct sevenzip_streams s;
	struct header_out out = { .n = 0 };
	struct sevenzip_unpack u = { .d = r->d, .group = SEVENZIP_HEADER, .streams = &s };

	if (r->z->n_levels == SEVENZIP_LEVELS_MAX)
		return reader_fails(r, SEVENZIP_LEVELS);
	if (!sevenzip_read_streams(r, &s))
		return false;
	if (s.n_folders != 1)
		return reader_fails_by(r, SEVENZIP_COUNT, s.n_folders, 1);
	if (cursor_left(&r->c) > 0)
		return reader_fails_by(r, SEVENZIP_LEFT, cursor_left(&r->c), 0);
	if (!may_decode(r, s.folders))
		return false;
	r->z->level_packed[r->z->n_levels++] = s.folders->packed;
	out.bytes = decode_alloc(r->d, SEVENZIP_HEADER, s.folders->size, 1);
	if (!out.bytes)
		return false;
	u.folder = s.folders;
	u.sink = take_header;
	u.ctx = &out;
	return settle_header(r, s.folders, sevenzip_unpack(&u), &out);
}

/* Leaves the reader behind the id of the header. */
static bool reach_header(struct sevenzip_reader *r)
{
	uint64_t id;

	for (;;) {
		const uint64_t at = r->z->n_levels == 0 ? r->z->header.at : 0;

		r->c = cursor_init(r->z->text.bytes, r->z->text.len, at);
		if (!reader_number(r, &id))
			return false;
		if (id == ID_HEADER)
			return true;
		if (id != ID_ENCODED_HEADER)
			return reader_fails_by(r, SEVENZIP_UNKNOWN_ID, id, ID_HEADER);
		if (!unpack_header(r))
			return false;
	}
}

/* ---- What it lists --------------------------------------------------------------------------- */

static bool skip_properties(struct sevenzip_reader *r)
{
	uint64_t id;

	while (reader_number(r, &id)) {
		if (id == ID_END)
			return true;
		if (!reader_skip(r))
			return false;
	}
	return false;
}

/* What the first id of a part is for; the parts come in their order. */
static bool read_part(struct sevenzip_reader *r, uint64_t id)
{
	struct sevenzip_streams unused;

	switch (id) {
	case ID_ARCHIVE_PROPERTIES:
		return skip_properties(r);
	case ID_ADDITIONAL_STREAMS:
		return sevenzip_read_streams(r, &unused);
	case ID_MAIN_STREAMS:
		return sevenzip_read_streams(r, &r->z->streams);
	case ID_FILES:
		return sevenzip_read_files(r);
	default:
		return reader_fails_by(r, SEVENZIP_UNKNOWN_ID, id, ID_END);
	}
}

static bool read_lists(struct sevenzip_reader *r)
{
	uint64_t id = ID_HEADER, last = ID_HEADER;

	while (reader_number(r, &id)) {
		if (id == ID_END)
			break;
		if (id <= last)
			return reader_fails_by(r, SEVENZIP_UNKNOWN_ID, id, ID_END);
		if (!read_part(r, id))
			return false;
		last = id;
	}
	if (id != ID_END)
		return false;
	if (cursor_left(&r->c) > 0)
		return reader_fails_by(r, SEVENZIP_LEFT, cursor_left(&r->c), 0);
	r->z->folders = r->z->streams.folders;
	r->z->n_folders = r->z->streams.n_folders;
	if (last != ID_FILES && r->z->streams.n_parts > 0)
		return reader_fails_by(r, SEVENZIP_STREAM_COUNT, r->z->streams.n_parts, 0);
	return true;
}

static void sum_up_folders(struct sevenzip *z)
{
	for (uint64_t i = 0; i < z->n_folders; i++) {
		struct sevenzip_folder *f = &z->folders[i];

		if (f->n_rows > 1 && f->size > SEVENZIP_SOLID_MAX)
			f->traits |= FOLDER_LARGE;
		z->folder_traits |= f->traits;
		if (f->memory > z->coder_memory)
			z->coder_memory = f->memory;
	}
}

void sevenzip_decode_header(struct decode *d, struct sevenzip *z)
{
	struct sevenzip_reader r = { .d = d, .z = z, .group = SEVENZIP_HEADER };

	z->streams.pack_at = sevenzip_start_fixed_len;
	if (!read_start(d, z) || !read_header(d, z))
		return;
	/* an archive of nothing has no header */
	if (z->text.len == 0 || !reach_header(&r))
		return;
	r.group = SEVENZIP_LISTS;
	if (read_lists(&r))
		sum_up_folders(z);
}

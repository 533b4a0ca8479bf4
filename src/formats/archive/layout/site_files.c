/* The files that Thunderstore reads: the icon and the texts. Source: conformance/spec/layout.md,
 * chapter 3. */
#include "formats/archive/layout/site_files.h"

#include "codec/crc32.h"
#include "core/utf8.h"
#include "formats/archive/layout/tree.h"

/* The icon's size and sides, and the characters of a text. */
enum { ICON_BYTES_MAX = 6291456, ICON_SIDE = 256, TEXT_MAX = 100000 };

/* No character of UTF-8 has more bytes. */
enum { UTF8_MAX = 4 };

struct lay_row *lay_refuse(struct lay_read *r, uint32_t trait, const char *words)
{
	struct lay_row *row = lay_tell(r->d, r->source->group, &r->out->files, trait, r->row);

	if (row)
		row->words = words;
	return row;
}

static bool refuse_number(struct lay_read *r, const char *words, enum lay_kind kind, uint64_t found)
{
	struct lay_row *row = lay_refuse(r, LAY_FILE_REFUSED, words);

	if (!row)
		return false;
	row->kind = kind;
	row->value.number = found;
	return true;
}

static bool refuse_word(struct lay_read *r, const char *words, const char *found)
{
	struct lay_row *row = lay_refuse(r, LAY_FILE_REFUSED, words);

	if (row)
		row->value.word = found;
	return row != NULL;
}

/* ---- The icon -------------------------------------------------------------------------------- */

static uint32_t big_endian(struct held h, uint64_t at)
{
	return (uint32_t)(held_u8(h, at) << 24 | held_u8(h, at + 1) << 16 |
			  held_u8(h, at + 2) << 8 | held_u8(h, at + 3));
}

/* A PNG begins with eight bytes and the chunk IHDR: its length 13, its name, width, height and five
 * more bytes, and a checksum of all but the length. */
enum {
	PNG_CHUNK_AT = 8,
	PNG_NAME_AT = 12,
	PNG_WIDTH_AT = 16,
	PNG_HEIGHT_AT = 20,
	PNG_SUM_AT = 29,
	PNG_HEAD = 33
};

static bool is_png(struct held h)
{
	const struct held head = held_part(h, PNG_NAME_AT, PNG_SUM_AT - PNG_NAME_AT);

	return h.len >= PNG_HEAD && big_endian(h, 0) == 0x89504E47 &&
	       big_endian(h, 4) == 0x0D0A1A0A && big_endian(h, PNG_CHUNK_AT) == 13 &&
	       big_endian(h, PNG_NAME_AT) == 0x49484452 &&
	       big_endian(h, PNG_SUM_AT) == crc32_add(0, head.bytes, head.len);
}

static const char *picture_name(struct held h)
{
	if (h.len < 4)
		return "a shorter file";
	if (big_endian(h, 0) >> 8 == 0xFFD8FF)
		return "a JPEG picture";
	if (big_endian(h, 0) == 0x47494638)
		return "a GIF picture";
	if (big_endian(h, 0) == 0x52494646)
		return "a WebP picture, or sound";
	return big_endian(h, 0) == 0x89504E47 ? "a damaged PNG" : "another file";
}

static bool judge_icon(struct lay_read *r)
{
	uint64_t side;

	if (!is_png(r->bytes))
		return refuse_word(r, "should be a PNG, and is", picture_name(r->bytes));
	side = big_endian(r->bytes, PNG_WIDTH_AT);
	if (side == ICON_SIDE)
		side = big_endian(r->bytes, PNG_HEIGHT_AT);
	return side == ICON_SIDE ||
	       refuse_number(r, "should have 256 pixels each way, and has one way", LAY_NUMBER,
			     side);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static bool begins_with_mark(struct held h)
{
	return h.len >= 3 && held_u8(h, 0) == 0xEF && held_u8(h, 1) == 0xBB &&
	       held_u8(h, 2) == 0xBF;
}

/* Where bytes are no UTF-8; their number: they are. *n_characters counts those before. */
static uint64_t bad_place(struct held h, uint64_t *n_characters)
{
	uint64_t at = 0;

	for (*n_characters = 0; at < h.len; ++*n_characters) {
		const struct held rest = held_part(h, at, h.len - at);
		uint32_t c;
		const size_t len = utf8_next(rest.bytes, (size_t)rest.len, &c);

		if (len == 0)
			return at;
		at += len;
	}
	return at;
}

static bool judge_text(struct lay_read *r)
{
	uint64_t n;
	const uint64_t bad = bad_place(r->bytes, &n);

	if (bad < r->bytes.len)
		return refuse_number(r, "should be UTF-8, and is not from byte", LAY_NUMBER, bad);
	if (n > TEXT_MAX)
		return refuse_number(r, "should have 100000 characters at most, and has",
				     LAY_NUMBER, n);
	return !begins_with_mark(r->bytes) ||
	       refuse_word(r, "should begin with its text, and begins with", "a byte order mark");
}

/* ---- All of them ----------------------------------------------------------------------------- */

static const struct {
	uint64_t max; /* more bytes are refused without a look */
	const char *words;
	bool (*judge)(struct lay_read *r);
} judges[] = {
	[UPLOAD_READ_MANIFEST] = { UINT64_MAX, NULL, lay_judge_manifest },
	[UPLOAD_READ_ICON] = { ICON_BYTES_MAX, "should have 6 MiB at most, and has", judge_icon },
	[UPLOAD_READ_README] = { (uint64_t)UTF8_MAX * TEXT_MAX,
				 "should have 100000 characters at most, and has", judge_text },
	[UPLOAD_READ_CHANGELOG] = { (uint64_t)UTF8_MAX * TEXT_MAX,
				    "should have 100000 characters at most, and has", judge_text },
};

/* What cannot be decoded is damaged, which is told of it, or lacks a password or a codec, which is
 * noted with the payload. */
static bool read_file(struct lay_read *r, size_t root)
{
	const struct arc_member *m = &r->source->members->rows[r->row];
	const struct nested n = {
		.name = m->name, .decoded = true, .row = r->row, .span = { 0, m->size }
	};

	if (m->size > judges[root].max)
		return refuse_number(r, judges[root].words, LAY_SIZE, m->size);
	if (!r->source->may_open(r->source->facts, r->row))
		return true;
	r->d->unpacked = 0; /* each member is a compressed file of its own */
	if (!decode_may_unpack(r->d, r->source->group, m->size, (struct span){ m->at, m->packed }))
		return false;
	r->bytes.bytes = r->source->files->open(r->source->facts, r->d, &n, r->d->arena);
	r->bytes.len = m->size;
	if (!r->bytes.bytes)
		return r->d->is_undecodable;
	return judges[root].judge(r);
}

void lay_read(struct decode *d, const struct lay_source *s, struct lay *l)
{
	struct lay_read r = { .d = d, .source = s, .out = l };
	bool goes_on = d->upload == UPLOAD_THUNDERSTORE && decode_has(d, s->group);

	for (size_t i = 0; goes_on && i < N_UPLOAD_READS; i++) {
		r.row = l->roots[i];
		goes_on = r.row == LAY_NONE || read_file(&r, i);
	}
	if (!decode_has(d, s->payload) && decode_has(d, s->group))
		decode_stop_with(d, s->group, s->payload);
}

/* How far an archive reaches that has lost its end, or has something after it, for whoever asks
 * what happened to it. Its files are followed from the first one on: before the bytes of each
 * stands its record, and after the last one the index. Source: conformance/spec/pak.md, chapters
 * 1.11, 2 and 3. */
#include "core/checked.h"
#include "formats/blocks/index_string.h"
#include "formats/pak/parts.h"

enum {
	ROWS_MAX = 65536, /* files that are followed, and rows of an index */
	METHOD_MAX = 0x3F,
	FLAGS_MAX = 3,
	OFFSET_LEN = 8, /* of the offset, with which a record begins */
	SEED_LEN = 8,
	LOOK_MAX = PAK_MAGIC_LEN + PAK_METHODS_MAX * PAK_METHOD_LEN,
};

/* A look is some bytes of the file: fewer than were wanted, if it ends before. */
struct look {
	uint8_t bytes[LOOK_MAX];
	struct held held;
};

static bool take_look(struct source *s, uint64_t at, uint64_t n, struct look *out)
{
	const uint64_t left = at < s->io.size ? s->io.size - at : 0;

	out->held = (struct held){ out->bytes, n < left ? n : left };
	return left == 0 || source_copy(s, (struct span){ at, out->held.len }, out->bytes);
}

/* ---- Records --------------------------------------------------------------------------------- */

/* The version says how records are laid out, and stands in the footer: what is here has the records
 * of versions 3 to 12, or those of version 8 with four names of methods. */
static uint64_t context_of(bool has_short_methods)
{
	return layout_context(PAK_METHOD_NAMES, has_short_methods ? PAK_SHORT_METHOD : 0);
}

/* What a record says of its own length, and of that of its file. */
struct front {
	struct pak_record fields;
	uint64_t method, n_blocks;
	uint64_t len; /* of the record */
};

/* false: the bytes end before the record does, or it is none. */
static bool read_front(struct held h, uint64_t context, struct front *out)
{
	struct cursor c = cursor_init(h.bytes, h.len, 0);
	const struct pak_record *r = &out->fields;

	if (!pak_record_read(&c, context, &out->fields))
		return false;
	out->method = r->method + r->short_method;
	out->n_blocks = held_u32(h, c.pos);
	out->len = pak_record_len(context, out->method, out->n_blocks);
	return !is_negative_64(r->size) && !is_negative_64(r->whole) && out->method <= METHOD_MAX &&
	       (out->method != 0 || r->size == r->whole);
}

/* Looks at a record up to its count of blocks. */
static bool look_at_front(struct source *s, uint64_t at, uint64_t context, struct look *out)
{
	return take_look(s, at, pak_front_len(context) + pak_number_fixed_len, out);
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Tells whether a record is one that stands before the bytes of a file. */
static bool is_before_bytes(const struct front *f)
{
	const struct pak_record *r = &f->fields;

	return r->offset == 0 && (r->hash_0 | r->hash_1 | r->hash_2) != 0 &&
	       (f->method == 0 || f->n_blocks != 0);
}

/* How many bytes a file takes with the record before them; 0: there is none. */
static uint64_t file_len(struct source *s, uint64_t at, uint64_t context)
{
	UVET_FILLED_LATER struct look look;
	struct front front;
	uint64_t flags, padded;

	if (!look_at_front(s, at, context, &look) || !read_front(look.held, context, &front) ||
	    !is_before_bytes(&front) ||
	    !take_look(s, capped_add(at, front.len - pak_record_end_fixed_len), 1, &look))
		return 0;
	flags = held_u8(look.held, 0); /* 0 if the file ends before */
	if (flags > FLAGS_MAX)
		return 0;
	padded = flags & PAK_FLAG_ENCRYPTED ? block_padded(front.fields.size) : front.fields.size;
	return front.len + padded;
}

/* ---- The index ------------------------------------------------------------------------------- */

/* Tells whether the bytes at a place, or what there is of them, are those of a mount point. */
static bool begins_index(struct held h)
{
	const uint64_t len = held_u32(h, 0), first = held_u8(h, INDEX_STRING_HEAD),
		       next = held_u16(h, INDEX_STRING_HEAD + 1);
	const bool is_up = first == '.' &&
			   (h.len < INDEX_STRING_HEAD + 3 || next == ('.' | '/' << 8));

	return h.len > INDEX_STRING_HEAD && len > 1 && len <= PAK_MOUNT_MAX &&
	       (first == '/' || is_up);
}

bool pak_begins_index(struct source *s, uint64_t at)
{
	UVET_FILLED_LATER struct look look;

	return take_look(s, at, INDEX_STRING_HEAD + 3, &look) && begins_index(look.held);
}

/* Where the parts of an index end, as their places stand since version 10 after the count of files
 * and the seed. UINT64_MAX: the file ends before these do; 0: there are none. */
static uint64_t parts_end(struct held h, uint64_t at)
{
	struct cursor c = cursor_init(h.bytes, h.len, 0);
	struct span before;
	uint64_t end = 0;

	if (!cursor_skip(&c, pak_number_fixed_len + SEED_LEN, &before))
		return UINT64_MAX;
	for (unsigned i = 0; i < 2; i++) {
		struct pak_place place;

		if (!pak_place_read(&c, 0, &place))
			return UINT64_MAX;
		if (place.is_there == 0)
			continue;
		if (place.is_there > 1 || place.offset < at || is_negative_64(place.offset) ||
		    is_negative_32(place.size))
			return 0;
		if (place.offset + place.size > end)
			end = place.offset + place.size;
	}
	return end;
}

/* How many bytes a row of an index takes that has them itself, as up to version 9: a path and a
 * record. UINT64_MAX: the file ends before it does; 0: it is no such row, or cannot be read. */
static uint64_t row_len(struct source *s, uint64_t at, uint64_t context)
{
	UVET_FILLED_LATER struct look look;
	struct front front;
	uint64_t name_len;

	if (!take_look(s, at, INDEX_STRING_HEAD, &look))
		return 0;
	name_len = index_string_len(layout_signed(held_u32(look.held, 0)));
	if (look.held.len == INDEX_STRING_HEAD && name_len == 0)
		return 0;
	name_len += INDEX_STRING_HEAD;
	if (!look_at_front(s, at + name_len, context, &look))
		return 0;
	if (look.held.len < pak_front_len(context))
		return UINT64_MAX;
	return read_front(look.held, context, &front) ? name_len + front.len : 0;
}

/* Where the rows of such an index end, which follow their count. More than the file has: it ends
 * before they do; 0: it has other rows. */
static uint64_t rows_end(struct source *s, uint64_t at, uint64_t count, uint64_t context)
{
	const uint64_t n = count < ROWS_MAX ? count : ROWS_MAX;

	for (uint64_t i = 0; i < n && at <= s->io.size; i++) {
		const uint64_t len = row_len(s, at, context);

		if (len == 0)
			return 0;
		at = capped_add(at, len);
	}
	return at;
}

/* The index begins with a mount point, and after that with the count of files. A file that ends
 * after the whole index has lost its footer, or a part of one, if fewer bytes follow than a footer
 * has; else these are the footer that only one game knows, or one that was changed. */
static void reach_index(struct source *s, uint64_t at, uint64_t mount_len, uint64_t context,
			struct extent *out)
{
	const uint64_t head = at + INDEX_STRING_HEAD + mount_len;
	UVET_FILLED_LATER struct look look;
	uint64_t end, rows = 0;

	if (!take_look(s, head, LOOK_MAX, &look))
		return;
	end = parts_end(look.held, at);
	if (end == 0 || end == UINT64_MAX)
		rows = rows_end(s, head + pak_number_fixed_len, held_u32(look.held, 0), context);
	else if (end > s->io.size)
		out->needs = end;
	if (rows != 0)
		end = rows;
	out->ends_early = end > s->io.size || (end != 0 && s->io.size - end < PAK_TAIL_MIN);
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Tells whether the file ends within a record, of which the first bytes are there. */
static bool ends_in_record(struct held h, uint64_t context)
{
	return h.len < pak_record_len(context, 0, 0) &&
	       held_is_zero(held_part(h, 0, h.len < OFFSET_LEN ? h.len : OFFSET_LEN));
}

static void reach_from(struct source *s, uint64_t at, uint64_t context, struct extent *out)
{
	UVET_FILLED_LATER struct look look;

	if (!take_look(s, at, pak_record_len(context, 0, 0), &look))
		return;
	if (begins_index(look.held))
		reach_index(s, at, held_u32(look.held, 0), context, out);
	else
		out->ends_early = ends_in_record(look.held, context);
}

void pak_reach(struct source *s, struct extent *out)
{
	const bool is_short = file_len(s, 0, context_of(false)) == 0 &&
			      file_len(s, 0, context_of(true)) > 0;
	const uint64_t context = context_of(is_short);
	uint64_t at = 0;

	for (unsigned i = 0; i < ROWS_MAX; i++) {
		const uint64_t len = file_len(s, at, context);

		if (len == 0) {
			reach_from(s, at, context, out);
			return;
		}
		if (len > s->io.size - at) {
			out->needs = capped_add(at, len);
			out->ends_early = true;
			return;
		}
		at += len;
	}
}

/* Tells whether an index may be there: one that is encrypted has any bytes, else a string comes
 * first, which ends in a NUL. */
static bool may_be_index(struct source *s, uint64_t offset, uint64_t at)
{
	UVET_FILLED_LATER struct look look;
	uint64_t len;

	if (at > 0 && take_look(s, at - 1, 1, &look) && held_u8(look.held, 0) == 1)
		return true;
	if (!take_look(s, offset, INDEX_STRING_HEAD, &look))
		return false;
	len = held_u32(look.held, 0);
	return len > 0 && len <= PAK_MOUNT_MAX &&
	       take_look(s, offset + INDEX_STRING_HEAD + len - 1, 1, &look) && look.held.len == 1 &&
	       held_u8(look.held, 0) == 0;
}

uint64_t pak_marked_end(struct source *s, uint64_t at)
{
	UVET_FILLED_LATER struct look look;
	uint64_t end;

	if (!take_look(s, at, LOOK_MAX, &look))
		return 0;
	end = pak_tail_end(look.held, at, s->io.size);
	/* an archive that lies in this one has its offsets from its own beginning on */
	return end > 0 && may_be_index(s, held_u64(look.held, PAK_AT_OFFSET), at) ? end : 0;
}

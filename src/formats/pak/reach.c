/* How far an archive reaches that has lost its end, or has something behind it, for whoever asks
 * what happened to it. Its files are followed from the first one on: before the bytes of each
 * stands its record, and behind the last one the index. Source: conformance/spec/pak.md, chapters
 * 2 and 3. */
#include "core/checked.h"
#include "formats/pak/parts.h"

enum {
	FILES_MAX = 65536, /* that are followed */
	FRONT_LEN = 48,    /* of a record, up to what depends on its method */
	SHORT_BY = 3,      /* of version 8 with four names */
	END_LEN = 5,
	CUT_MAX = FRONT_LEN + END_LEN,
	METHOD_MAX = 0x3F,
	FLAGS_MAX = 3,
	LOOK_MAX = PAK_MAGIC_LEN + PAK_METHODS_MAX * PAK_METHOD_LEN,
	MOUNT_MAX = 65536,
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

/* ---- Files ----------------------------------------------------------------------------------- */

/* What a record says of the length of its file, with itself, up to what ends the record. */
struct front {
	uint64_t len;  /* of the record up to its end */
	uint64_t size; /* of the bytes */
};

static bool read_front(struct held h, uint64_t short_by, struct front *out)
{
	const uint64_t size = held_u64(h, 8), whole = held_u64(h, 16),
		       method = short_by > 0 ? held_u8(h, 24) : held_u32(h, 24),
		       n_blocks = held_u32(h, FRONT_LEN - short_by);
	const struct held hash = held_part(h, FRONT_LEN - SHA1_LEN - short_by, SHA1_LEN);

	if (held_u64(h, 0) != 0 || size > INT64_MAX || whole > INT64_MAX || method > METHOD_MAX ||
	    held_is_zero(hash) || (method == 0 ? size != whole : n_blocks == 0))
		return false;
	out->size = size;
	out->len = FRONT_LEN - short_by + (method != 0 ? 4 + n_blocks * pak_block_fixed_len : 0u);
	return true;
}

/* How many bytes a file takes with the record before them; 0: there is none. */
static uint64_t file_len(struct source *s, uint64_t at, uint64_t short_by)
{
	UVET_FILLED_LATER struct look look;
	struct front front;
	uint64_t flags, padded;

	if (!take_look(s, at, FRONT_LEN + 4, &look) || !read_front(look.held, short_by, &front) ||
	    !take_look(s, capped_add(at, front.len), END_LEN, &look))
		return 0;
	flags = held_u8(look.held, 0); /* 0 if the file ends before */
	if (flags > FLAGS_MAX)
		return 0;
	padded = flags & PAK_FLAG_ENCRYPTED ? block_padded(front.size) : front.size;
	return front.len + END_LEN + padded;
}

/* ---- The index ------------------------------------------------------------------------------- */

/* Tells whether the bytes at a place, or what there is of them, are those of a mount point. */
static bool begins_index(struct held h)
{
	const uint64_t len = held_u32(h, 0), first = held_u8(h, 4), next = held_u16(h, 5);
	const bool is_up = first == '.' && (h.len < 7 || next == ('.' | '/' << 8));

	return h.len >= 5 && len > 1 && len <= MOUNT_MAX && (first == '/' || is_up);
}

/* Where the parts of an index end, as they stand since version 10; 0: they do not. */
static uint64_t parts_end(struct held h, uint64_t at)
{
	uint64_t place = 12, end = 0;

	for (unsigned i = 0; i < 2; i++) {
		const uint64_t is_there = held_u32(h, place), offset = held_u64(h, place + 4),
			       size = held_u64(h, place + 12);

		place += 4;
		if (is_there == 0)
			continue;
		if (is_there != 1 || offset < at || offset > INT64_MAX || size > INT32_MAX)
			return 0;
		if (offset + size > end)
			end = offset + size;
		place += 36;
	}
	return end;
}

/* Behind the whole index there may be a footer that only one game knows. */
static void reach_index(struct source *s, uint64_t at, uint64_t mount_len, struct extent *out)
{
	enum { HEAD_LEN = 92 };
	UVET_FILLED_LATER struct look look;
	uint64_t end = 0;

	if (take_look(s, at + 4 + mount_len, HEAD_LEN, &look) && look.held.len == HEAD_LEN)
		end = parts_end(look.held, at);
	if (end > s->io.size)
		out->needs = end;
	out->ends_early = end == 0 || end > s->io.size || s->io.size - end < PAK_TAIL_MIN;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* The file ends within a record, of which the first bytes are there. */
static bool is_cut_record(struct held h)
{
	return h.len < CUT_MAX && held_is_zero(held_part(h, 0, h.len < 8 ? h.len : 8));
}

static void reach_from(struct source *s, uint64_t at, struct extent *out)
{
	UVET_FILLED_LATER struct look look;

	if (!take_look(s, at, FRONT_LEN + END_LEN, &look))
		return;
	if (begins_index(look.held))
		reach_index(s, at, held_u32(look.held, 0), out);
	else
		out->ends_early = is_cut_record(look.held);
}

void pak_reach(struct source *s, struct extent *out)
{
	const uint64_t short_by = file_len(s, 0, 0) > 0 ? 0 : SHORT_BY;
	uint64_t at = 0;

	for (unsigned i = 0; i < FILES_MAX; i++) {
		const uint64_t len = file_len(s, at, short_by);

		if (len == 0) {
			reach_from(s, at, out);
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
	if (!take_look(s, offset, 4, &look))
		return false;
	len = held_u32(look.held, 0);
	return len > 0 && len <= MOUNT_MAX && take_look(s, offset + 4 + len - 1, 1, &look) &&
	       look.held.len == 1 && held_u8(look.held, 0) == 0;
}

uint64_t pak_marked_end(struct source *s, uint64_t at)
{
	UVET_FILLED_LATER struct look look;
	uint64_t end;

	if (!take_look(s, at, LOOK_MAX, &look))
		return 0;
	end = pak_tail_end(look.held, at);
	/* an archive that lies in this one has its offsets from its own beginning on */
	return end > 0 && may_be_index(s, held_u64(look.held, 8), at) ? end : 0;
}

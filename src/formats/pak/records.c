/* The records of files: whole ones, as legacy indexes and files have them, and encoded ones. */
#include "formats/pak/parts.h"

#include "core/checked.h"

/* What an encoded record has in its first word. */
enum {
	WORD_UNIT = 0x3F,     /* the block size, in units of 2048; all bits set: it follows */
	WORD_COUNT_SHIFT = 6, /* of 16 bits: how many blocks */
	WORD_ENCRYPTED = 1 << 22,
	WORD_METHOD_SHIFT = 23, /* of 6 bits */
	UNIT_SHIFT = 11,
};
#define WORD_SIZE_SHORT (UINT32_C(1) << 29)
#define WORD_WHOLE_SHORT (UINT32_C(1) << 30)
#define WORD_OFFSET_SHORT (UINT32_C(1) << 31)

/* Flags of compression before version 8: a method, and what to spend on it. */
enum {
	LEGACY_METHOD = 0xF,
	LEGACY_HINTS = 0x30,
	LEGACY_ZLIB = 1,
	LEGACY_GZIP = 2,
	LEGACY_CUSTOM = 4
};

uint64_t pak_legacy_method(uint64_t flags)
{
	const uint64_t method = flags & LEGACY_METHOD;

	if (flags == 0)
		return 0;
	if (flags & ~(uint64_t)(LEGACY_METHOD | LEGACY_HINTS))
		return PAK_METHOD_NONE;
	return method == LEGACY_ZLIB     ? PAK_METHOD_ZLIB
	       : method == LEGACY_GZIP   ? PAK_METHOD_GZIP
	       : method == LEGACY_CUSTOM ? PAK_METHOD_CUSTOM
					 : PAK_METHOD_NONE;
}

/* ---- Whole records --------------------------------------------------------------------------- */

/* The fields of a pak_record that every record has, and those that some have. */
enum { SIZES_LEN = 24, METHOD_LEN = 4, SHORT_METHOD_LEN = 1, TIME_LEN = 8 };

uint64_t pak_front_len(uint64_t context)
{
	const uint64_t method = layout_is_for(context, PAK_SHORT_METHOD) ? SHORT_METHOD_LEN
									 : METHOD_LEN;
	const uint64_t time = layout_version(context) < PAK_NO_TIMES ? TIME_LEN : 0;

	return SIZES_LEN + method + time + SHA1_LEN;
}

uint64_t pak_record_len(uint64_t context, uint64_t raw_method, uint64_t n_blocks)
{
	const uint64_t front = pak_front_len(context);

	if (layout_version(context) < PAK_BLOCKS)
		return front;
	return front + pak_record_end_fixed_len +
	       (raw_method != 0 ? pak_number_fixed_len + n_blocks * pak_block_fixed_len : 0u);
}

/* Blocks, if there is a method, and what follows them. */
static bool read_end(const struct pak *p, struct cursor *c, struct pak_entry *out)
{
	struct pak_record_end end;
	struct span blocks;

	if (out->raw_method != 0) {
		if (!cursor_u32(c, &out->n_blocks))
			return false;
		out->blocks_at = c->pos;
		if (!cursor_skip(c, out->n_blocks * pak_block_fixed_len, &blocks))
			return false;
	}
	if (!pak_record_end_read(c, p->context, &end))
		return false;
	out->flags = end.flags;
	out->block_size = end.block_size;
	return true;
}

static bool read_whole(const struct pak *p, uint64_t at, struct pak_entry *out)
{
	struct cursor c = cursor_init(p->index.held.bytes, p->index.held.len, 0);
	struct pak_record r;
	const bool is_inside = cursor_seek(&c, at);

	if (NEVER(!is_inside) || !pak_record_read(&c, p->context, &r))
		return false;
	out->offset = r.offset;
	out->size = r.size;
	out->whole = r.whole;
	out->raw_method = r.method + r.short_method; /* it has one of them */
	out->method = p->tail.version < PAK_METHOD_NAMES ? pak_legacy_method(out->raw_method)
							 : out->raw_method;
	out->hash_at = c.pos - SHA1_LEN;
	if (p->tail.version >= PAK_BLOCKS && !read_end(p, &c, out))
		return false;
	out->end = c.pos;
	out->header_len = out->end - at;
	return true;
}

/* ---- Encoded records ------------------------------------------------------------------------- */

/* Takes a number of 32 or 64 bits. */
static bool take_number(struct held encoded, uint64_t *at, bool is_short, uint64_t *out)
{
	const uint64_t len = is_short ? 4 : 8;

	if (!held_has(encoded, *at, len))
		return false;
	*out = is_short ? held_u32(encoded, *at) : held_u64(encoded, *at);
	*at += len;
	return true;
}

/* What is encrypted in CTR mode has its vector there. */
static bool take_vector(const struct pak *p, uint64_t *at, struct pak_entry *out)
{
	if (p->cipher != BLOCK_CTR || !(out->flags & PAK_FLAG_ENCRYPTED))
		return true;
	if (!held_has(p->encoded, *at, PAK_VECTOR_LEN))
		return false;
	out->vector_at = p->encoded_at + *at;
	*at += PAK_VECTOR_LEN;
	return true;
}

static bool take_numbers(const struct pak *p, uint64_t word, uint64_t *at, struct pak_entry *out,
			 bool *ends_in_number)
{
	const struct held encoded = p->encoded;
	bool fits;

	*ends_in_number = !(word & WORD_OFFSET_SHORT);
	fits = take_number(encoded, at, word & WORD_OFFSET_SHORT, &out->offset);
	if (!fits)
		return false;
	*ends_in_number = !(word & WORD_WHOLE_SHORT);
	fits = take_number(encoded, at, word & WORD_WHOLE_SHORT, &out->whole);
	out->size = out->whole;
	if (!fits)
		return false;
	*ends_in_number = false;
	fits = take_vector(p, at, out);
	if (!fits || out->method == 0)
		return fits;
	*ends_in_number = !(word & WORD_SIZE_SHORT);
	return take_number(encoded, at, word & WORD_SIZE_SHORT, &out->size);
}

static bool read_encoded(const struct pak *p, uint64_t at, struct pak_entry *out,
			 bool *ends_in_number)
{
	const struct held encoded = p->encoded;
	uint64_t here = at - p->encoded_at;
	const uint64_t word = held_u32(encoded, here);

	*ends_in_number = false;
	if (!held_has(encoded, here, 4))
		return false;
	here += 4;
	out->block_size = (word & WORD_UNIT) << UNIT_SHIFT;
	out->n_blocks = word >> WORD_COUNT_SHIFT & UINT16_MAX;
	out->flags = word & WORD_ENCRYPTED ? PAK_FLAG_ENCRYPTED : 0;
	out->method = out->raw_method = word >> WORD_METHOD_SHIFT & 0x3F;
	out->is_encoded = true;
	out->hash_at = UINT64_MAX;
	if ((word & WORD_UNIT) == WORD_UNIT &&
	    !take_number(encoded, &here, true, &out->block_size)) {
		*ends_in_number = true;
		return false;
	}
	if (!take_numbers(p, word, &here, out, ends_in_number))
		return false;
	*ends_in_number = false;
	out->blocks_at = p->encoded_at + here;
	if (pak_has_lengths(out))
		here += out->n_blocks * 4;
	out->end = p->encoded_at + here;
	out->header_len = pak_record_len(p->context, out->raw_method, out->n_blocks);
	return here <= encoded.len;
}

bool pak_has_unknown_layout(const struct pak *p, uint64_t at)
{
	return pak_is_flat(p) && p->cipher != BLOCK_CTR &&
	       held_u32(p->encoded, at - p->encoded_at) & WORD_ENCRYPTED;
}

static inline bool is_encoded(const struct pak *p, uint64_t at)
{
	return at - p->encoded_at < p->encoded.len;
}

bool pak_entry_read(const struct pak *p, uint64_t at, struct pak_entry *out, bool *ends_in_number)
{
	*out = (struct pak_entry){ .offset = 0 };
	*ends_in_number = false;
	if (is_encoded(p, at))
		return read_encoded(p, at, out, ends_in_number);
	return read_whole(p, at, out);
}

uint64_t pak_entry_offset(const struct pak *p, uint64_t at)
{
	const struct held index = p->index.held;
	uint64_t word, field;

	if (!is_encoded(p, at))
		return held_u64(index, at);
	word = held_u32(index, at);
	field = at + ((word & WORD_UNIT) == WORD_UNIT ? 8 : 4);
	return word & WORD_OFFSET_SHORT ? held_u32(index, field) : held_u64(index, field);
}

struct pak_entry pak_entry_of(const struct pak *p, const struct pak_file *row)
{
	struct pak_entry e;
	bool ends_in_number;
	const bool is_whole = pak_entry_read(p, row->record, &e, &ends_in_number);

	return ALWAYS(is_whole) ? e : (struct pak_entry){ .offset = 0 };
}

/* ---- Where its bytes are --------------------------------------------------------------------- */

struct span pak_data(const struct pak_entry *e)
{
	/* no caller asks this of a file whose size is negative */
	const bool is_padded = e->flags & PAK_FLAG_ENCRYPTED && ALWAYS(e->size <= INT64_MAX);
	const uint64_t padded = is_padded ? block_padded(e->size) : e->size;

	return (struct span){ e->offset, capped_add(e->header_len, padded) };
}

static struct span encoded_block(const struct pak *p, const struct pak_entry *e,
				 struct pak_walk *walk)
{
	struct span out = { 0, e->size };

	if (walk->block == 0)
		walk->at = e->header_len;
	if (pak_has_lengths(e))
		out.len = held_u32(p->index.held, e->blocks_at + walk->block * 4);
	out.at = capped_add(e->offset, walk->at);
	walk->at = capped_add(walk->at,
			      e->flags & PAK_FLAG_ENCRYPTED ? block_padded(out.len) : out.len);
	return out;
}

bool pak_entry_block(const struct pak *p, const struct pak_entry *e, struct pak_walk *walk,
		     struct span *out)
{
	struct pak_block_row row;
	uint64_t start, end;

	if (walk->block >= e->n_blocks)
		return false;
	if (e->is_encoded) {
		*out = encoded_block(p, e, walk);
		walk->block++;
		return true;
	}
	row = pak_entry_row(p, e, walk->block++);
	start = pak_block_get_start(row);
	end = pak_block_get_end(row);
	out->len = end > start ? end - start : 0;
	out->at = p->tail.version < PAK_RELATIVE ? start : capped_add(e->offset, start);
	return true;
}

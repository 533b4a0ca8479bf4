/* The record before a file's bytes, against that of the index. Source: conformance/spec/pak.md,
 * 5.1. */
#include <string.h>

#include "formats/pak/payload.h"

static bool differs(struct pak_worker *w, enum pak_header_part part, uint64_t found,
		    uint64_t expected)
{
	if (found == expected)
		return false;
	w->row->part = part;
	w->row->found = found;
	w->row->expected = expected;
	return true;
}

/* An encoded record has no hash. Packers write zeros into a plain one that cannot be encoded. */
static bool has_index_hash(const struct pak *p, const struct pak_entry *e)
{
	if (e->is_encoded)
		return false;
	return p->tail.version < PAK_PATH_HASH ||
	       !held_is_zero(held_part(p->index.held, e->hash_at, SHA1_LEN));
}

/* Keeps the hash of the index, or, where that has none, that before the bytes. */
static void keep_hash(struct pak_worker *w, const uint8_t *found, const struct pak_entry *e)
{
	const struct pak *p = w->check->p;

	memcpy(w->hash,
	       has_index_hash(p, e) ? held_part(p->index.held, e->hash_at, SHA1_LEN).bytes : found,
	       SHA1_LEN);
	w->is_agreed = memcmp(found, w->hash, SHA1_LEN) == 0;
}

static bool hash_differs(struct pak_worker *w, const uint8_t *found)
{
	if (w->is_agreed)
		return false;
	w->row->part = PAK_PART_HASH;
	memcpy(w->row->hash, found, SHA1_LEN);
	return true;
}

/* *at is where the hash ends. */
static bool front_differs(struct pak_worker *w, struct held header, const struct pak_entry *e,
			  uint64_t *at)
{
	const struct pak *p = w->check->p;
	struct cursor c = cursor_init(header.bytes, header.len, 0);
	const uint8_t *hash;
	struct pak_record r;
	const bool is_read = pak_record_read(&c, p->context, &r);

	if (NEVER(!is_read))
		return true; /* it has as many bytes as a record has */
	*at = c.pos;
	hash = held_part(header, *at - SHA1_LEN, SHA1_LEN).bytes;
	keep_hash(w, hash, e);
	if (differs(w, PAK_PART_OFFSET, r.offset, 0) ||
	    differs(w, PAK_PART_SIZE, r.size, e->size) ||
	    differs(w, PAK_PART_WHOLE, r.whole, e->whole) ||
	    differs(w, PAK_PART_METHOD, r.method + r.short_method, e->raw_method))
		return true;
	if (p->tail.version < PAK_NO_TIMES &&
	    differs(w, PAK_PART_TIME, r.time, held_u64(p->index.held, e->hash_at - 8)))
		return true;
	return hash_differs(w, hash);
}

/* *at is where the blocks end. */
static bool blocks_differ(struct pak_worker *w, struct held header, const struct pak_entry *e,
			  uint64_t *at)
{
	const struct pak *p = w->check->p;
	const uint64_t base = p->tail.version < PAK_RELATIVE ? 0 : e->offset;
	struct pak_walk walk = { 0, 0 };
	struct span block;

	if (differs(w, PAK_PART_BLOCK_COUNT, held_u32(header, *at), e->n_blocks))
		return true;
	for (*at += 4; pak_entry_block(p, e, &walk, &block); *at += pak_block_fixed_len)
		if (differs(w, PAK_PART_BLOCKS, held_u64(header, *at), block.at - base) ||
		    differs(w, PAK_PART_BLOCKS, held_u64(header, *at + 8), span_end(block) - base))
			return true;
	return false;
}

/* An encoded record of one block, or of none, may have any size of blocks. */
static bool end_differs(struct pak_worker *w, struct held header, const struct pak_entry *e,
			uint64_t at)
{
	if (differs(w, PAK_PART_FLAGS, held_u8(header, at), e->flags))
		return true;
	if (e->is_encoded && e->n_blocks <= 1)
		return false;
	return differs(w, PAK_PART_BLOCK_SIZE, held_u32(header, at + 1), e->block_size);
}

bool pak_compare_header(struct pak_worker *w, const struct pak_entry *e)
{
	const struct pak *p = w->check->p;
	const struct span span = { e->offset, e->header_len };
	struct held header = { block_reader_stored(&w->reader, w->check->d->source, span, w->until),
			       e->header_len };
	uint64_t at = 0;

	w->is_agreed = false;
	if (!header.bytes || front_differs(w, header, e, &at))
		return false;
	if (p->tail.version < PAK_BLOCKS)
		return true;
	if (e->raw_method != 0 && blocks_differ(w, header, e, &at))
		return false;
	return !end_differs(w, header, e, at);
}

/* What is wrong with the record of a file. */
#include "core/mutant.h"
#include "formats/pak/parts.h"

#include "core/checked.h"

enum { FLAGS_KNOWN = PAK_FLAG_ENCRYPTED | PAK_FLAG_DELETED };

static uint64_t method_traits(const struct pak *p, const struct pak_entry *e)
{
	bool is_open;

	if (e->method == 0)
		return 0;
	if (p->tail.version < PAK_METHOD_NAMES)
		return e->method == PAK_METHOD_NONE ? PAK_METHOD_UNNAMED
						    : 0u; /* 4 is the game's own */
	if (e->method > p->tail.n_methods ||
	    pak_tail_method(&p->tail, e->method, &is_open).len == 0)
		return PAK_METHOD_UNNAMED;
	return block_methods_get(&p->methods, e->method) == METHOD_UNKNOWN ? PAK_METHOD_UNKNOWN
									   : 0u;
}

static uint64_t count_traits(const struct pak_entry *e)
{
	uint64_t wanted;

	if (e->n_blocks == 1)
		return e->block_size != 0 && e->block_size < e->whole ? PAK_BLOCKS_MISCOUNTED : 0u;
	if (e->n_blocks == 0)
		return e->whole > 0 ? PAK_BLOCKS_MISCOUNTED : 0u;
	if (e->block_size == 0)
		return PAK_BLOCK_SIZE;
	wanted = e->whole / e->block_size + (e->whole % e->block_size != 0 ? 1u : 0u);
	return (wanted != e->n_blocks ? PAK_BLOCKS_MISCOUNTED : 0u) |
	       (e->block_size > e->whole ? PAK_BLOCK_SIZE : 0u);
}

/* Each block begins where the one before ends, the first after the record before it. Of a file that
 * can be in no .pak this is not asked. */
static uint64_t block_traits(const struct pak *p, const struct pak_entry *e)
{
	const struct span data = pak_data(e);
	const bool encrypted = e->flags & PAK_FLAG_ENCRYPTED;
	struct pak_walk walk = { 0, 0 };
	const uint64_t first = capped_add(e->offset, e->header_len);
	uint64_t next = first, traits = 0;
	struct span block;

	if (span_end(data) > INT64_MAX)
		return 0;
	while (pak_entry_block(p, e, &walk, &block)) {
		if (block.len == 0)
			traits |= PAK_BLOCK_EMPTY;
		if (block.at < first || span_end(block) > span_end(data))
			traits |= PAK_BLOCK_OUTSIDE;
		else if (block.at != next)
			traits |= PAK_BLOCK_MISPLACED;
		if (span_end(block) >= INT64_MAX)
			return traits;
		next = block.at + (encrypted ? block_padded(block.len) : block.len);
	}
	if (traits == 0 && e->n_blocks > 0 && next != span_end(data))
		traits |= PAK_BLOCKS_SHORT;
	return traits;
}

static bool is_negative(uint64_t n)
{
	return n > INT64_MAX;
}

static uint64_t size_traits(const struct pak *p, const struct pak_entry *e)
{
	uint64_t traits = 0;

	if (is_negative(e->size) || is_negative(e->whole))
		return PAK_SIZE_NEGATIVE;
	if (is_negative(e->offset) || span_end(pak_data(e)) > p->index.at.at)
		traits |= PAK_DATA_OUTSIDE;
	if (e->method == 0 && e->size != e->whole)
		traits |= PAK_SIZES_DIFFER;
	if (e->raw_method != 0 && p->tail.version >= PAK_BLOCKS)
		traits |= count_traits(e) | block_traits(p, e);
	return traits;
}

static uint64_t entry_traits(const struct pak *p, const struct pak_entry *e)
{
	uint64_t traits = e->flags & ~(uint64_t)FLAGS_KNOWN ? PAK_FLAGS_UNKNOWN : 0u;

	if (e->flags & PAK_FLAG_ENCRYPTED)
		traits |= PAK_ENCRYPTED_FILE;
	if (e->flags & PAK_FLAG_DELETED)
		return traits | PAK_DELETED | (e->size != 0 ? PAK_DELETED_SIZE : 0u);
	return traits | method_traits(p, e) | size_traits(p, e);
}

/* What reports tell of all files. */
static void count_entry(struct pak *p, const struct pak_file *row, const struct pak_entry *e)
{
	const enum method m = block_methods_get(&p->methods, e->method);

	p->n_deleted += (row->traits & PAK_DELETED) != 0;
	p->n_encrypted += (row->traits & PAK_ENCRYPTED_FILE) != 0;
	if (e->method != 0)
		p->methods_in_use |= UINT32_C(1) << (m < METHOD_UNKNOWN ? m : METHOD_UNKNOWN);
}

void pak_judge_record(struct pak *p, struct pak_file *row, uint64_t *end)
{
	struct pak_entry e;
	bool cut_field;

	*end = row->record;
	if (!pak_entry_read(p, row->record, &e, &cut_field)) {
		pak_mark(p, row, cut_field ? PAK_FIELD_CUT : PAK_RECORD_CUT);
		return;
	}
	*end = e.end;
	pak_mark(p, row, entry_traits(p, &e));
	count_entry(p, row, &e);
	/* mutant: a file that is outside counts among those that lie there */
	if (!(row->traits &
	      (PAK_DELETED | PAK_SIZE_NEGATIVE | (MUTANT(305) ? 0u : PAK_DATA_OUTSIDE))))
		p->by_offset[p->n_by_offset++] = (uint32_t)(row - p->files);
}

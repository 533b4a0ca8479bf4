/* What is wrong with the record of a file. */
#include "core/mutant.h"
#include "formats/pak/parts.h"

#include "core/checked.h"

enum {
	FLAGS_KNOWN = PAK_FLAG_ENCRYPTED | PAK_FLAG_DELETED,
	/* engines make room for a block, and what a method may add to it, by signed numbers */
	BLOCK_SIZE_MAX = 1 << 30,
	/* no packer makes larger ones */
	BLOCK_SIZE_USUAL = 16 << 20,
	/* the first engines with encoded records heed the size of one block from here on */
	ENCODED_SIZE_HEEDED = 65536,
};

static uint64_t method_traits(const struct pak *p, const struct pak_entry *e)
{
	const enum method m = block_methods_get(&p->methods, e->method);

	if (e->method == 0)
		return 0;
	if (p->tail.version < PAK_METHOD_NAMES)
		return e->method == PAK_METHOD_NONE ? PAK_METHOD_UNNAMED
						    : 0u; /* 4 is the game's own */
	if (e->method > p->n_named)
		return PAK_METHOD_UNNAMED;
	/* one called None is no method that an engine takes */
	return m == METHOD_UNKNOWN || m == METHOD_NONE ? PAK_METHOD_UNKNOWN : 0u;
}

/* Engines take the size of the file for that of an encoded record's only block. Other records have
 * that size, or that of the blocks of larger files. */
static uint64_t one_block_traits(const struct pak_entry *e)
{
	if (e->is_encoded || e->block_size == e->whole)
		return 0;
	if (e->block_size < e->whole && e->block_size > 0)
		return PAK_BLOCKS_MISCOUNTED;
	return e->block_size == 0 || e->block_size > BLOCK_SIZE_MAX ? PAK_BLOCK_SIZE : 0u;
}

/* What engines do with it depends on their version, or costs memory. */
static bool is_one_block_odd(const struct pak_entry *e)
{
	if (e->n_blocks != 1 || e->raw_method == 0)
		return false;
	if (e->is_encoded)
		return e->whole >= ENCODED_SIZE_HEEDED && e->block_size < e->whole &&
		       e->block_size > 0;
	return e->block_size > e->whole && e->block_size > BLOCK_SIZE_USUAL &&
	       e->block_size <= BLOCK_SIZE_MAX;
}

static uint64_t count_traits(const struct pak_entry *e)
{
	uint64_t wanted;

	if (e->n_blocks == 1)
		return one_block_traits(e);
	if (e->n_blocks == 0)
		return e->whole > 0 ? PAK_BLOCKS_MISCOUNTED : 0u;
	if (e->block_size == 0)
		return PAK_BLOCK_SIZE;
	wanted = e->whole / e->block_size + (e->whole % e->block_size != 0 ? 1u : 0u);
	return (wanted != e->n_blocks ? PAK_BLOCKS_MISCOUNTED : 0u) |
	       (e->block_size > e->whole ? PAK_BLOCK_SIZE : 0u);
}

bool pak_judge_block(const struct pak *p, const struct pak_entry *e, struct pak_judged *j)
{
	const struct span data = pak_data(e);
	const uint64_t first = capped_add(e->offset, e->header_len),
		       expected = j->walk.block == 0 ? first : j->next;

	if (j->is_lost || !pak_entry_block(p, e, &j->walk, &j->block))
		return false;
	j->traits = j->block.len == 0 ? PAK_BLOCK_EMPTY : 0u;
	if (j->block.at < first || span_end(j->block) > span_end(data))
		j->traits |= PAK_BLOCK_OUTSIDE;
	else if (j->block.at != expected)
		j->traits |= PAK_BLOCK_MISPLACED;
	j->all |= j->traits;
	j->is_lost = span_end(j->block) >= INT64_MAX;
	if (j->is_lost)
		return true;
	j->next = j->block.at +
		  (e->flags & PAK_FLAG_ENCRYPTED ? block_padded(j->block.len) : j->block.len);
	if (j->all == 0 && j->walk.block == e->n_blocks && j->next != span_end(data))
		j->all = j->traits = PAK_BLOCKS_SHORT;
	return true;
}

/* Blocks are not judged where the file's bytes would end at 2^63 or above: no .pak is that long. */
static uint64_t block_traits(const struct pak *p, const struct pak_entry *e)
{
	struct pak_judged j = { .all = 0 };

	if (span_end(pak_data(e)) > INT64_MAX)
		return 0;
	while (pak_judge_block(p, e, &j))
		;
	return j.all;
}

static uint64_t size_traits(const struct pak *p, const struct pak_entry *e)
{
	uint64_t traits = 0;

	if (is_negative_64(e->size) || is_negative_64(e->whole))
		return PAK_SIZE_NEGATIVE;
	if (is_negative_64(e->offset) || span_end(pak_data(e)) > p->index.at.at)
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
	if (e->flags & PAK_FLAG_DELETED && p->tail.version < PAK_PATH_HASH)
		return traits | PAK_DELETED | (e->size != 0 ? PAK_DELETED_SIZE : 0u);
	/* later engines go by the location, and load what has the flag */
	if (e->flags & PAK_FLAG_DELETED)
		traits |= PAK_DELETED_SIZE;
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

static void note_blocks(struct pak *p, const struct pak_file *row, const struct pak_entry *e)
{
	const uint64_t number = (uint64_t)(row - p->files);

	if (is_one_block_odd(e) && !(row->traits & (PAK_DELETED | PAK_SIZE_NEGATIVE)))
		pak_note(p, PAK_ONE_BLOCK_ODD, number);
	if (e->n_blocks > 0 && e->raw_method == 0)
		/* mutant: a file behind all of them is told */
		pak_note(p, PAK_BLOCKS_UNUSED, number + MUTANT(360) * p->n_files);
}

void pak_judge_record(struct pak *p, struct pak_file *row, uint64_t *end)
{
	struct pak_entry e;
	bool ends_in_number;

	*end = row->record;
	if (!pak_entry_read(p, row->record, &e, &ends_in_number)) {
		pak_mark(p, row, ends_in_number ? PAK_FIELD_TRUNCATED : PAK_RECORD_TRUNCATED);
		return;
	}
	*end = e.end;
	pak_mark(p, row, entry_traits(p, &e));
	note_blocks(p, row, &e);
	count_entry(p, row, &e);
	/* mutant: a file that is outside counts among those that lie there */
	if (!(row->traits &
	      (PAK_DELETED | PAK_SIZE_NEGATIVE | (MUTANT(305) ? 0u : PAK_DATA_OUTSIDE))))
		p->by_offset[p->n_by_offset++] = (uint32_t)(row - p->files);
}

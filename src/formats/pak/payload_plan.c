/* Plans the check of an archive's files: what is done with each, and what that needs. */
#include "core/checked.h"
#include "formats/pak/payload.h"

/* However small an archive is, this many bytes may be read a second time, and it may decompress to
 * as many as GIVEN_MIN. */
#define AGAIN_MIN ((uint64_t)16777216)
#define GIVEN_MIN ((uint64_t)1048576)

/* Blocks that one unit of work pays for. */
enum { BLOCKS_PER_UNIT = 4 };

/* Counts the bytes of a file that none before it has; false: too many are read again. */
static bool count_distinct(struct pak_check *c, struct span data)
{
	const uint64_t from = data.at > c->end ? data.at : c->end,
		       n = span_end(data) > from ? span_end(data) - from : 0, again = data.len - n;

	c->end = from + n > c->end ? from + n : c->end;
	c->p->content.distinct += n;
	if (again > c->again)
		return decode_stop_limit(c->d, PAK_PAYLOAD, LIMIT_ratio, data);
	c->again -= again;
	return true;
}

/* Adds what the blocks of a file need; false: some decoder is missing, or a block would have too
 * many bytes. */
static bool add_needs(struct pak_check *c, const struct unpacker *codecs, const struct pak_entry *e)
{
	struct block_needs sum = c->needs;
	struct pak_pieces walk = { .n = 0 };
	enum method lacking = METHOD_NONE;
	bool lacks = false;
	struct block b;

	while (pak_next_block(c->p, e, &walk, &b) && (e->method != 0 || walk.n == 1)) {
		lacks = lacks || pak_lacks_decoder(&b, codecs, &lacking);
		block_needs_add(&sum, &b);
	}
	if (lacks) {
		c->needs.lacking[lacking] += e->size;
		return false;
	}
	if (sum.largest_decoded > c->needs.largest_decoded &&
	    !decode_may_unpack(c->d, PAK_MEMBERS, sum.largest_decoded, pak_data(e)))
		return false;
	c->needs = sum;
	return true;
}

static bool is_locked(const struct pak_check *c, const struct pak_entry *e)
{
	return pak_is_encrypted(e) && !c->p->content.key_used;
}

static uint32_t mark_of(struct pak_check *c, const struct unpacker *codecs,
			const struct pak_file *row, const struct pak_entry *e)
{
	const enum pak_kind kind = pak_kind_of(c->p, row);

	if (kind == PAK_KIND_PART)
		c->p->content.legacy = capped_add(c->p->content.legacy, e->whole);
	if (is_locked(c, e)) {
		c->locked += e->size;
		return PAK_MARK_UNDECODED;
	}
	if (!pak_needs_decoding(e, kind) || add_needs(c, codecs, e))
		return 0;
	return PAK_MARK_UNDECODED;
}

/* The work of a file, by what the needs were before it was added. */
static uint64_t work_of(const struct pak_check *c, const struct block_needs *before,
			const struct pak_entry *e)
{
	const uint64_t distinct = c->p->content.distinct;

	return block_work(e->size + e->header_len + c->needs.decoded - before->decoded) + 1 +
	       e->n_blocks / BLOCKS_PER_UNIT + block_repeat_work(distinct, c->needs.packed) -
	       block_repeat_work(distinct, before->packed);
}

static bool plan_file(struct pak_check *c, const struct unpacker *codecs, uint32_t i)
{
	struct pak *p = c->p;
	const struct pak_file *row = &p->files[p->by_offset[i]];
	const struct pak_entry e = pak_entry_of(p, row);
	struct block_needs before;

	c->rows[i] = (struct pak_payload){ .file = p->by_offset[i] };
	if (row->traits & PAK_UNFIT) {
		c->rows[i].traits = PAK_MARK_SKIPPED;
		c->n_unfit++;
		return decode_spend(c->d, PAK_PAYLOAD, 1);
	}
	if (!count_distinct(c, pak_data(&e)))
		return false;
	p->content.given = capped_add(p->content.given, e.method != 0 ? e.whole : 0);
	before = c->needs;
	c->rows[i].traits = mark_of(c, codecs, row, &e);
	c->needs.largest_read = e.header_len > c->needs.largest_read ? e.header_len
								     : c->needs.largest_read;
	return decode_spend(c->d, PAK_PAYLOAD, work_of(c, &before, &e));
}

static bool gives_too_much(const struct pak_check *c)
{
	const struct pak_content *p = &c->p->content;
	uint64_t most;

	return p->given > GIVEN_MIN &&
	       checked_mul(p->distinct, c->d->limits->of[LIMIT_ratio], &most) && p->given > most;
}

bool pak_plan(struct pak_check *c)
{
	struct decode *d = c->d;
	const uint32_t n = c->p->n_by_offset;
	struct arena_mark mark;
	struct unpacker codecs;
	bool planned = true;

	c->rows = decode_alloc(d, PAK_PAYLOAD, n, sizeof *c->rows);
	if (!c->rows)
		return false;
	mark = arena_mark(d->arena);
	unpacker_open(&codecs, d->arena, d->oodle);
	c->again = capped_add(c->p->index.at.at, AGAIN_MIN);
	for (uint32_t i = 0; i < n && planned; i++)
		planned = plan_file(c, &codecs, i);
	arena_rewind(d->arena, mark);
	if (planned && gives_too_much(c))
		return decode_stop_limit(d, PAK_PAYLOAD, LIMIT_ratio,
					 (struct span){ 0, c->p->content.distinct });
	return planned;
}

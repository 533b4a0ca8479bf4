/* Plans the check of all content: which chunks are decoded, and in which order. */
#include "formats/iostore/content/parts.h"

/* However small a container is, this many bytes may be decoded a second time, and this many blocks
 * looked at again. */
#define AGAIN_MIN ((uint64_t)16777216)
#define AGAIN_BLOCKS_MIN ((uint64_t)4096)

static uint64_t chunk_key(const void *toc, uint32_t i)
{
	return toc_offset(toc, i);
}

static bool is_same_range(const struct toc *t, uint64_t a, uint64_t b)
{
	return toc_offset(t, a) == toc_offset(t, b) && toc_length(t, a) == toc_length(t, b);
}

/* Blocks that several chunks have are looked at and decoded again, up to about as many as there are
 * in all. */
static bool may_repeat(uint64_t *left, uint64_t n)
{
	const bool may = n <= *left;

	*left -= may ? n : 0;
	return may;
}

static bool stop_repeating(struct content_check *c)
{
	return decode_stop_limit(c->d, UTOC_CONTENT, LIMIT_ratio, (struct span){ 0, 0 });
}

/* The work of a chunk, by what the needs were before it was added. */
static uint64_t work_of(const struct content_check *c, const struct block_needs *before)
{
	const uint64_t bytes = c->needs.decoded - before->decoded + c->needs.read - before->read;

	return block_work(bytes) + 1 + content_repeat_work(c->u, c->needs.packed) -
	       content_repeat_work(c->u, before->packed);
}

static bool plan_chunk(struct content_check *c, const struct unpacker *codecs, uint32_t chunk)
{
	const struct toc *t = &c->u->toc;
	const uint64_t first = toc_first_block(t, chunk);
	const struct block_needs before = c->needs;
	const uint64_t n_blocks = toc_has_blocks(t, chunk) ? toc_block_count(t, chunk) : 0;
	const uint32_t last = c->n_tasks > 0 ? c->tasks[c->n_tasks - 1] & ~TASK_SAME : 0;
	const bool repeats = first < c->end;
	enum content_fit fit;

	if (c->n_tasks > 0 && is_same_range(t, last, chunk)) {
		c->tasks[c->n_tasks++] = chunk | TASK_SAME;
		return decode_spend(c->d, UTOC_CONTENT, 1);
	}
	if (repeats && !may_repeat(&c->again_blocks, n_blocks))
		return stop_repeating(c);
	c->end = first + n_blocks > c->end ? first + n_blocks : c->end;
	fit = content_fit(c->u, codecs, chunk, &c->needs);
	c->unfit = c->unfit || fit == FIT_NOT;
	if (fit != FIT)
		return true;
	if (repeats && !may_repeat(&c->again, c->needs.decoded - before.decoded))
		return stop_repeating(c);
	if (!decode_spend(c->d, UTOC_CONTENT, work_of(c, &before)))
		return false;
	c->tasks[c->n_tasks++] = chunk;
	return true;
}

static void plan_all(struct content_check *c, const struct order *order,
		     const struct unpacker *codecs)
{
	for (uint32_t i = 0; i < order->n; i++) {
		const uint32_t chunk = order_row(order, i);

		if (toc_length(&c->u->toc, chunk) > 0 && !plan_chunk(c, codecs, chunk))
			return;
	}
}

/* Chunks are decoded in the order of their blocks, which is usually that of the stored bytes. */
bool content_make_plan(struct content_check *c)
{
	struct decode *d = c->d;
	const struct toc *t = &c->u->toc;
	struct arena_mark mark;
	struct unpacker codecs;
	struct order order;

	if (t->n_chunks >= TASK_SAME)
		return decode_stop_limit(d, UTOC_CONTENT, LIMIT_entries,
					 t->sections[SECTION_IDS].at);
	c->tasks = decode_alloc(d, UTOC_CONTENT, t->n_chunks, sizeof *c->tasks);
	if (!c->tasks)
		return false;
	mark = arena_mark(d->arena);
	if (!order_by_key(d->arena, t, (uint32_t)t->n_chunks, chunk_key, &order))
		return decode_stop(d, UTOC_CONTENT, STOP_MEMORY, (struct span){ 0, 0 });
	unpacker_open(&codecs, d->arena, d->oodle);
	c->again = c->u->content.given + AGAIN_MIN;
	c->again_blocks = 2 * t->n_blocks + AGAIN_BLOCKS_MIN;
	plan_all(c, &order, &codecs);
	arena_rewind(d->arena, mark);
	block_stop_codecs(d, UTOC_CONTENT, &c->needs, true);
	return true;
}

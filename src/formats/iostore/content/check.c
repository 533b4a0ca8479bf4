/* The check of all content: whether and what to decode, and which findings are kept. */
#include <string.h>

#include "formats/iostore/content/parts.h"

static bool make_marks(struct content_check *c, uint32_t group)
{
	const uint64_t n = c->u->toc.n_blocks;

	if (c->block_marks)
		return true;
	c->block_marks = decode_alloc(c->d, group, n, sizeof *c->block_marks);
	for (uint64_t i = 0; c->block_marks && i < n; i++)
		atomic_init(&c->block_marks[i], 0);
	return c->block_marks != NULL;
}

/* Makes the arrays of what is kept for each task. */
static bool make_tasks(struct content_check *c)
{
	const struct container_header *h = &c->u->container_header;

	c->has_counts = container_has_counts(c->d, h);
	c->has_imports = container_has_imports(c->d, h);
	content_form_claims(c->u, &c->form);
	c->task_marks = decode_alloc(c->d, UTOC_CONTENT, c->n_tasks, sizeof *c->task_marks);
	if (!c->task_marks)
		return false;
	memset(c->task_marks, 0, (size_t)c->n_tasks * sizeof *c->task_marks);
	if (c->has_counts)
		c->counts = decode_alloc(c->d, UTOC_CONTENT, c->n_tasks, sizeof *c->counts);
	if (c->has_imports)
		c->imports = decode_alloc(c->d, UTOC_CONTENT, c->n_tasks, sizeof *c->imports);
	return (c->counts || !c->has_counts) && (c->imports || !c->has_imports);
}

static bool check_content(struct content_check *c)
{
	struct decode *d = c->d;

	if (c->u->content.gives_too_much)
		return decode_stop(d, UTOC_CONTENT, STOP_MALFORMED, (struct span){ 0, 0 });
	if (!content_find_key(d, c->u, UTOC_CONTENT, c->u->content.stored) ||
	    !make_marks(c, UTOC_CONTENT) || !content_make_plan(c))
		return false;
	return make_tasks(c) && content_check_chunks(c);
}

/* How many stored bytes have a hash, and the most that one block has. Blocks with a defect of
 * layout are not read. */
static uint64_t signed_bytes(const struct utoc *u, uint64_t *largest)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < u->toc.n_blocks; i++) {
		const struct toc_block b = toc_block(&u->toc, i);
		const uint64_t stored = content_block_traits(u, &b) == 0 ? b.compressed : 0;

		sum += stored;
		*largest = stored > *largest ? stored : *largest;
	}
	return sum;
}

static void check_signed_blocks(struct content_check *c)
{
	uint64_t n;

	if (!c->u->toc.is_signed)
		return;
	if (c->u->content.gives_too_much) {
		decode_stop(c->d, UTOC_SIGNED_BLOCKS, STOP_MALFORMED, (struct span){ 0, 0 });
		return;
	}
	n = signed_bytes(c->u, &c->needs.largest_read);
	if (!digest_is_available(DIGEST_SHA1))
		decode_stop_codec(c->d, UTOC_SIGNED_BLOCKS, digest_name(DIGEST_SHA1),
				  (struct span){ 0, n });
	else if (decode_spend(c->d, UTOC_SIGNED_BLOCKS, block_work(n) + c->u->toc.n_blocks) &&
		 make_marks(c, UTOC_SIGNED_BLOCKS))
		content_check_signed_blocks(c);
}

/* ---- What was found -------------------------------------------------------------------------- */

/* A sink of rows: counts them, or keeps them. */
struct found_rows {
	struct payload_row *at; /* NULL while counting */
	uint64_t n;
	uint32_t traits;
};

static void add_row(struct found_rows *r, uint32_t chunk, uint32_t block, uint32_t traits)
{
	if (traits == 0)
		return;
	if (r->at)
		r->at[r->n] = (struct payload_row){ .chunk = chunk,
						    .block = block,
						    .traits = traits };
	r->n++;
	r->traits |= traits;
}

static void list_blocks(const struct content_check *c, uint32_t chunk, uint64_t from, uint64_t to,
			struct found_rows *r)
{
	for (uint64_t i = from; i < to; i++)
		add_row(r, chunk, (uint32_t)i,
			atomic_load_explicit(&c->block_marks[i], memory_order_relaxed));
}

/* The traits that rows of chunks have. */
enum {
	TASK_TRAITS = PAYLOAD_HASH | PAYLOAD_OTHER_DIGEST | PAYLOAD_ZEROS | PAYLOAD_COUNTS |
		      PAYLOAD_IMPORTS
};

/* Lists blocks in the order of the table, and each chunk after its blocks. */
static void list_rows(const struct content_check *c, struct found_rows *r)
{
	const struct toc *t = &c->u->toc;
	uint64_t done = 0;

	for (uint64_t i = 0; i < c->n_tasks; i++) {
		const uint32_t chunk = c->tasks[i] & ~TASK_SAME;
		const uint64_t first = toc_first_block(t, chunk),
			       end = first + toc_block_count(t, chunk);

		if (first > done)
			list_blocks(c, TOC_NONE, done, first, r);
		if (end > done)
			list_blocks(c, chunk, first > done ? first : done, end, r);
		done = end > done ? end : done;
		add_row(r, chunk, TOC_NONE, c->task_marks[i] & TASK_TRAITS);
		if (r->at && c->task_marks[i] & PAYLOAD_COUNTS)
			r->at[r->n - 1].counts = c->counts[i];
		if (r->at && c->task_marks[i] & PAYLOAD_IMPORTS)
			r->at[r->n - 1].import = c->imports[i];
	}
	list_blocks(c, TOC_NONE, done, t->n_blocks, r);
}

static void keep_rows(struct content_check *c)
{
	struct content *p = &c->u->content;
	struct found_rows r = { .at = NULL };

	if (!c->block_marks)
		return;
	list_rows(c, &r);
	if (r.n == 0)
		return;
	r.at = decode_alloc(c->d, UTOC_PAYLOAD, r.n, sizeof *r.at);
	if (!r.at) {
		decode_stop(c->d, UTOC_SIGNED_BLOCKS, STOP_MEMORY, (struct span){ 0, 0 });
		return;
	}
	r.n = 0;
	list_rows(c, &r);
	p->rows = r.at;
	p->n_rows = r.n;
	p->row_traits = r.traits;
}

/* A chunk of zeros alone was never filled in, which is no content of another container; nor is one
 * that has the digest of the other engine. */
static bool is_wrong(uint32_t marks)
{
	return marks & PAYLOAD_SPOILED ||
	       (marks & PAYLOAD_HASH && !(marks & (PAYLOAD_ZEROS | PAYLOAD_OTHER_DIGEST)));
}

/* Adds a chunk to the counts of the partition in which it begins. */
static void count_chunk(const struct content_check *c, uint64_t task)
{
	const struct toc *t = &c->u->toc;
	const uint32_t marks = c->task_marks[task];
	const struct toc_block b = toc_block(t, toc_first_block(t, c->tasks[task] & ~TASK_SAME));
	uint64_t at;
	const uint64_t number = content_partition(t, b.offset, &at);
	struct partition *p;

	if (NEVER(number >= c->u->content.n_partitions))
		return;
	p = &c->u->content.partitions[number];
	p->n_before += p->n_wrong == 0 && marks & PAYLOAD_VERIFIED;
	p->n_wrong += is_wrong(marks);
	p->n_right += (marks & PAYLOAD_VERIFIED) != 0;
	p->n_judged += is_wrong(marks) || marks & PAYLOAD_VERIFIED;
}

static void count_decoded(struct content_check *c)
{
	struct content *p = &c->u->content;

	for (uint64_t i = 0; i < c->n_tasks; i++) {
		if (c->task_marks[i] & PAYLOAD_SPOILED)
			c->unfit = true;
		else
			p->n_decoded++;
		count_chunk(c, i);
	}
	p->n_decoded_bytes = c->n_tasks > 0 ? c->needs.decoded : 0;
}

static void stop_all(struct decode *d, enum stop_why why, uint32_t on, uint64_t len)
{
	const uint32_t groups[] = { UTOC_CONTENT, UTOC_KEY, UTOC_PAYLOAD, UTOC_HASHES,
				    UTOC_SIGNED_BLOCKS };

	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
		if (why == STOP_NEEDS)
			decode_stop_needs(d, groups[i], on);
		else
			decode_stop(d, groups[i], why, (struct span){ 0, i == 0 ? len : 0 });
}

static bool may_check(struct decode *d, const struct utoc *u)
{
	const uint32_t needs[] = { UTOC_RANGES, UTOC_METHODS, UTOC_METAS, UTOC_PARTITIONS };

	if (d->level == LEVEL_STRUCTURE) {
		stop_all(d, STOP_LEVEL, 0, u->content.stored);
		return false;
	}
	for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
		if (!decode_has(d, needs[i])) {
			stop_all(d, STOP_NEEDS, needs[i], 0);
			return false;
		}
	return true;
}

/* Whether it is known that a key fits, that none does, or that none is needed. */
static bool tells_of_key(enum key_fit key)
{
	return key == KEY_UNNEEDED || key == KEY_WRONG || key >= KEY_OPENS_INDEX;
}

void content_check_all(struct decode *d, struct utoc *u)
{
	struct content_check c = { .d = d, .u = u };

	if (!may_check(d, u))
		return;
	if (!check_content(&c)) {
		decode_stop_needs(d, UTOC_PAYLOAD, UTOC_CONTENT);
		c.n_tasks = 0;
	}
	check_signed_blocks(&c);
	if (decode_has(d, UTOC_PAYLOAD))
		content_judge_hashes(&c);
	keep_rows(&c);
	count_decoded(&c);
	content_count_packages(&c);
	if (!tells_of_key(u->content.key))
		decode_stop_needs(d, UTOC_KEY, UTOC_CONTENT);
	if (c.unfit)
		decode_stop(d, UTOC_CONTENT, STOP_MALFORMED, (struct span){ 0, 0 });
	if (!decode_has(d, UTOC_PAYLOAD))
		decode_stop_needs(d, UTOC_CONTENT, UTOC_PAYLOAD);
}

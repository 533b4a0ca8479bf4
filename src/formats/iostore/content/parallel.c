/* The threads that decode and hash: what a worker does, and how workers share the work. */
#include <string.h>

#include "core/mutant.h"
#include "formats/iostore/content/parts.h"

/* ---- A worker's part ------------------------------------------------------------------------- */

/* Tells whether these bytes are to be read as a package. Tasks with the same bytes may be chunks of
 * other types. */
static bool some_is_package(const struct content_check *c, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++)
		if (toc_type(&c->u->toc, c->tasks[i] & ~TASK_SAME) == CHUNK_EXPORT_BUNDLE)
			return true;
	return false;
}

static uint32_t decode_run(struct content_check *c, struct worker *w, uint64_t from, uint64_t to,
			   enum digest_kind kind, uint8_t digest[DIGEST_LEN])
{
	uint32_t traits;

	w->is_package = some_is_package(c, from, to);
	traits = worker_digest(w, c->tasks[from], kind, c->block_marks, digest);
	w->is_package = false;
	return traits;
}

/* Tasks from..to have the same blocks. */
static void do_run(struct content_check *c, struct worker *w, uint64_t from, uint64_t to)
{
	const enum digest_kind wanted = content_digest(&c->u->toc),
			       kind = digest_is_available(wanted) ? wanted : DIGEST_NONE;
	uint8_t digest[DIGEST_LEN];
	const uint32_t traits = decode_run(c, w, from, to, kind, digest);

	if (!worker_runs(w))
		return;
	for (uint64_t i = from; i < to && traits & PAYLOAD_SPOILED; i++)
		c->task_marks[i] = (uint16_t)traits;
	if (traits & PAYLOAD_SPOILED)
		return;
	content_judge_packages(c, w, from, to);
	if (kind != DIGEST_NONE)
		content_compare_hashes(c, w, from, to, digest);
}

/* Where the blocks of a worker's tasks end: it reads no further ahead. */
static uint64_t tasks_end(const struct content_check *c, uint64_t to)
{
	const struct toc *t = &c->u->toc;
	const uint32_t chunk = c->tasks[to - 1] & ~TASK_SAME;
	const struct toc_block last = toc_block(t, toc_first_block(t, chunk) +
							   toc_block_count(t, chunk) - 1);

	return last.offset + toc_stored(last.compressed);
}

static uint64_t run_end(const struct content_check *c, uint64_t i)
{
	while (i < c->n_tasks && c->tasks[i] & TASK_SAME)
		i++;
	return i;
}

/* The worker that takes the first of several tasks with the same blocks does all of them. */
static void do_tasks(struct content_check *c, struct worker *w, uint64_t from, uint64_t to)
{
	uint64_t next;

	w->until = tasks_end(c, to);
	for (uint64_t i = run_end(c, from); i < to && worker_runs(w); i = next) {
		next = run_end(c, i + 1);
		do_run(c, w, i, next);
	}
}

static void work_on_chunks(void *work, unsigned worker)
{
	struct content_check *c = work;
	struct worker *w = &c->workers[worker];
	uint64_t from, to;

	while (worker_runs(w) && block_shares_take(&c->shares, &from, &to))
		do_tasks(c, w, from, to);
}

/* Compares a stored block with its hash. */
static void check_signed_block(struct content_check *c, struct worker *w, uint64_t block)
{
	const struct toc *t = &c->u->toc;
	const struct toc_block b = toc_block(t, block);
	const uint8_t *stored, *wanted = rows_at(toc_digests(t), block).bytes;
	uint8_t hash[SHA1_LEN];

	if (content_block_traits(c->u, &b) != 0)
		return;
	stored = b.compressed > 0 ? worker_stored(w, &b, toc_stored(b.compressed)) : w->reader.out;
	if (!stored)
		return;
	sha1_of(stored, toc_stored(b.compressed), hash);
	/* mutant: signed blocks may be anything */
	if (memcmp(hash, wanted, sizeof hash) != 0 && !MUTANT(125))
		atomic_fetch_or_explicit(&c->block_marks[block], PAYLOAD_UNSIGNED,
					 memory_order_relaxed);
}

static void work_on_signed_blocks(void *work, unsigned worker)
{
	struct content_check *c = work;
	struct worker *w = &c->workers[worker];
	uint64_t from, to;

	while (worker_runs(w) && block_shares_take(&c->shares, &from, &to)) {
		w->until = toc_block(&c->u->toc, to - 1).offset +
			   toc_stored(toc_block(&c->u->toc, to - 1).compressed);
		for (uint64_t i = from; i < to && worker_runs(w); i++)
			check_signed_block(c, w, i);
	}
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Prepares a worker for chunks: gives it the key, and memory to read packages. Signed blocks are
 * hashed as they are stored and need neither. */
static void prepare(struct content_check *c, uint32_t group, struct worker *w, unsigned n_workers)
{
	const struct arena *a = c->d->arena;

	if (group != UTOC_SIGNED_BLOCKS)
		worker_use_key(w, c->u->content.key_used);
	package_reader_open(&w->package, a->from, (a->budget - a->held) / n_workers, &c->form);
}

static bool open_workers(struct content_check *c, uint32_t group)
{
	struct decode *d = c->d;
	const unsigned wanted = d->threads->n > 0 ? d->threads->n : 1;

	c->workers = decode_alloc(d, group, wanted, sizeof *c->workers);
	if (!c->workers)
		return false;
	for (c->n_workers = 0; c->n_workers < wanted; c->n_workers++) {
		if (!worker_open(d, c->u, group, &c->needs, wanted, &c->workers[c->n_workers]))
			return false;
		prepare(c, group, &c->workers[c->n_workers], wanted);
	}
	return true;
}

static struct block_reader *reader_of(void *workers, unsigned i)
{
	struct worker *w = workers;

	return &w[i].reader;
}

/* Returns the most memory that reading packages took. */
static uint64_t close_package_readers(struct content_check *c)
{
	uint64_t held = 0;

	for (unsigned i = 0; i < c->n_workers; i++) {
		held += c->workers[i].package.arena.peak;
		package_reader_close(&c->workers[i].package);
	}
	return held;
}

/* Runs a job over n tasks or blocks, which have `stored` bytes together. */
static bool run_job(struct content_check *c, uint32_t group, thread_job *job, uint64_t n,
		    uint64_t stored)
{
	const struct arena_mark mark = arena_mark(c->d->arena);
	bool opened = open_workers(c, group), done;

	block_shares_start(&c->shares, n, stored, opened ? c->n_workers : 1);
	if (opened && n > 0)
		c->d->threads->run(c->d->threads->ctx, job, c);
	/* which notices that it was cancelled */
	done = block_shares_close(c->d, group, c->workers, c->n_workers, reader_of,
				  close_package_readers(c)) &&
	       decode_spend(c->d, group, 0);
	c->n_workers = 0;
	arena_rewind(c->d->arena, mark);
	return done;
}

bool content_check_chunks(struct content_check *c)
{
	return run_job(c, UTOC_PAYLOAD, work_on_chunks, c->n_tasks, c->needs.read);
}

bool content_check_signed_blocks(struct content_check *c)
{
	return run_job(c, UTOC_SIGNED_BLOCKS, work_on_signed_blocks, c->u->toc.n_blocks,
		       c->u->content.stored);
}

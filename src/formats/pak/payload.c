/* The check of an archive's files by several workers, and what is kept of what they find. */
#include <string.h>

#include "core/checked.h"
#include "formats/pak/payload.h"

/* ---- Workers --------------------------------------------------------------------------------- */

bool pak_open_worker(struct pak_check *c, uint32_t group, unsigned n, struct pak_worker *w)
{
	const struct block_reader_plan plan = {
		.largest_read = c->needs.largest_read,
		.largest_decoded = c->needs.largest_decoded,
		.longest_source = c->d->source->io.size,
		.is_encrypted = (c->p->file_traits & PAK_ENCRYPTED_FILE) != 0,
		.n_readers = n,
	};

	*w = (struct pak_worker){ .check = c };
	if (!block_reader_open(c->d, group, &plan, &w->reader))
		return false;
	block_reader_use_key(&w->reader, c->p->cipher, c->p->content.key_used);
	return true;
}

/* Where the bytes of a worker's files end: it reads no further ahead. */
static uint64_t batch_end(const struct pak *p, uint64_t to)
{
	const struct pak_entry e = pak_entry_of(p, &p->files[p->by_offset[to - 1]]);

	return span_end(pak_data(&e));
}

static void work_on_files(void *work, unsigned worker)
{
	struct pak_check *c = work;
	struct pak_worker *w = &c->workers[worker];
	uint64_t from, to;

	while (pak_worker_runs(w) && block_shares_take(&c->shares, &from, &to)) {
		w->until = batch_end(c->p, to);
		for (uint64_t i = from; i < to && pak_worker_runs(w); i++)
			if (!(c->rows[i].traits & PAK_MARK_SKIPPED))
				pak_check_file(w, &c->rows[i]);
	}
}

static struct block_reader *reader_of(void *workers, unsigned i)
{
	struct pak_worker *w = workers;

	return &w[i].reader;
}

static bool open_workers(struct pak_check *c)
{
	struct decode *d = c->d;
	const unsigned wanted = d->threads->n > 0 ? d->threads->n : 1;

	c->workers = decode_alloc(d, PAK_PAYLOAD, wanted, sizeof *c->workers);
	for (c->n_workers = 0; c->workers && c->n_workers < wanted; c->n_workers++)
		if (!pak_open_worker(c, PAK_PAYLOAD, wanted, &c->workers[c->n_workers]))
			return false;
	return c->workers != NULL;
}

static bool check_files(struct pak_check *c)
{
	struct decode *d = c->d;
	const struct arena_mark mark = arena_mark(d->arena);
	const bool opened = open_workers(c);
	bool done;

	block_shares_start(&c->shares, c->p->n_by_offset, c->p->content.distinct,
			   opened ? c->n_workers : 1);
	if (opened && c->p->n_by_offset > 0)
		d->threads->run(d->threads->ctx, work_on_files, c);
	/* decode_spend of 0 notices that the check was cancelled */
	done = block_shares_close(d, PAK_PAYLOAD, c->workers, c->n_workers, reader_of, 0) &&
	       decode_spend(d, PAK_PAYLOAD, 0);
	arena_rewind(d->arena, mark);
	return done;
}

/* ---- What was found -------------------------------------------------------------------------- */

enum {
	PAYLOAD_DEFECTS = PAK_HEADER_DIFFERS | PAK_HASH_DIFFERS | PAK_STREAM_DEFECTS |
			  PAK_STREAM_LEFT_OVER | PAK_NO_PACKAGE
};

/* Keeps the rows of files that have a defect, which are few. */
static void keep_rows(struct pak_check *c)
{
	struct pak_content *content = &c->p->content;

	content->payloads = c->rows;
	for (uint32_t i = 0; i < c->p->n_by_offset; i++) {
		struct pak_payload row = c->rows[i];

		row.traits &= PAYLOAD_DEFECTS;
		if (row.traits == 0)
			continue;
		content->payloads[content->n_payloads++] = row;
		content->payload_traits |= row.traits;
	}
}

static bool is_worth_opening(enum pak_kind kind)
{
	return kind == PAK_KIND_PROMISED || kind == PAK_KIND_PACKAGE;
}

/* Packages that are not judged, or are none, and files that may be judged as files of their own. */
static void sort_out_nested(struct pak_check *c, struct pak_payload *payload)
{
	struct pak_file *row = &c->p->files[payload->file];
	const struct pak_entry e = pak_entry_of(c->p, row);
	const enum pak_kind kind = pak_kind_of(c->p, row);
	const uint32_t mark = payload->traits;

	if (kind == PAK_KIND_PACKAGE && !(mark & (PAK_MARK_TAGGED | PAK_MARK_SKIPPED)) &&
	    (mark & PAK_MARK_DECODED || e.whole == 0))
		payload->traits |= PAK_NO_PACKAGE;
	if (e.whole == 0)
		return;
	if (mark & PAK_MARK_LEGACY)
		c->p->content.legacy = capped_add(c->p->content.legacy, e.whole);
	else if (mark & PAK_MARK_DECODED && is_worth_opening(kind) &&
		 decode_may_unpack(c->d, PAK_MEMBERS, e.whole, pak_data(&e)))
		pak_mark(c->p, row, PAK_OPENABLE);
}

static bool count_files(struct pak_check *c)
{
	struct pak_content *content = &c->p->content;

	for (uint32_t i = 0; i < c->p->n_by_offset; i++) {
		const uint32_t mark = c->rows[i].traits;

		content->n_headers += (mark & PAK_MARK_HEADER) != 0;
		content->n_hashes += (mark & PAK_MARK_HASH) != 0;
		content->n_decoded += (mark & PAK_MARK_DECODED) != 0;
		sort_out_nested(c, &c->rows[i]);
	}
	if (c->p->file_traits & PAK_OPENABLE)
		content->label = decode_alloc(c->d, PAK_PAYLOAD, PAK_LABEL, 1);
	return content->label || !(c->p->file_traits & PAK_OPENABLE);
}

/* ---- What was not looked at ------------------------------------------------------------------ */

/* Where files are known, but their bytes are not looked at, nor is whether a key fits. */
static bool may_check(struct decode *d)
{
	const struct span nothing = { 0, 0 };

	if (!decode_has(d, PAK_PAYLOAD)) {
		decode_stop_with(d, PAK_KEY, PAK_PAYLOAD);
		return false;
	}
	if (d->level != LEVEL_STRUCTURE)
		return true;
	decode_stop(d, PAK_KEY, STOP_LEVEL, nothing);
	return decode_stop(d, PAK_PAYLOAD, STOP_LEVEL, nothing);
}

static void note_lacks(struct pak_check *c)
{
	struct decode *d = c->d;
	const struct pak_content *content = &c->p->content;
	const struct span locked = { 0, c->locked };

	block_stop_codecs(d, PAK_MEMBERS, &c->needs, true);
	if (c->locked > 0 && !aes_is_available())
		decode_stop_codec(d, PAK_MEMBERS, "AES", locked);
	else if (c->locked > 0)
		key_ring_stop(d, PAK_MEMBERS, content->key, NULL, c->locked);
	if (!c->can_hash)
		decode_stop_codec(d, PAK_HASHES, digest_name(DIGEST_SHA1),
				  (struct span){ 0, content->distinct });
	if (content->payload_traits & PAK_STREAM_DEFECTS || c->n_unfit > 0 ||
	    c->p->file_traits & (PAK_SIZE_NEGATIVE | PAK_DATA_OUTSIDE))
		decode_stop(d, PAK_MEMBERS, STOP_MALFORMED, (struct span){ 0, 0 });
	if (content->legacy > 0)
		decode_stop(d, PAK_PACKAGES, STOP_UNVERIFIED, (struct span){ 0, content->legacy });
	/* files are locked: unless it is known that no key fits, nothing is known of keys */
	if (c->locked > 0 && content->key != KEY_WRONG)
		decode_stop_needs(d, PAK_KEY, PAK_MEMBERS);
}

void pak_check_content(struct decode *d, struct pak *p)
{
	struct pak_check c = { .d = d, .p = p, .can_hash = digest_is_available(DIGEST_SHA1) };

	if (!may_check(d))
		return;
	if (!pak_find_key(d, p) || !pak_plan(&c) || !check_files(&c) || !count_files(&c)) {
		if (NEVER(decode_has(d, PAK_PAYLOAD)))
			decode_stop(d, PAK_PAYLOAD, STOP_MEMORY, (struct span){ 0, 0 });
		decode_stop_needs(d, PAK_KEY, PAK_PAYLOAD);
		return;
	}
	keep_rows(&c);
	note_lacks(&c);
}

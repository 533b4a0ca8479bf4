/* What the files of this folder share and others do not need. */
#ifndef UVET_FORMATS_IOSTORE_CONTENT_PARTS_H
#define UVET_FORMATS_IOSTORE_CONTENT_PARTS_H

#include <stdatomic.h>

#include "codec/digest.h"
#include "formats/blocks/shares.h"
#include "formats/iostore/content/package.h"
#include "formats/iostore/facts.h"

/* ---- The .pak: pak.c ------------------------------------------------------------------------- */

/* content_open_pak looks for the footer of the .pak, if that could be opened. It notes the stop of
 * UTOC_PAK. */
void content_open_pak(struct decode *d, struct content *p);

/* ---- Places: block_layout.c ------------------------------------------------------------------ */

/* content_partition says in which partition a block lies, and where in it; there may be no such
 * partition. */
static inline uint64_t content_partition(const struct toc *t, uint64_t offset, uint64_t *at)
{
	const bool one = t->partition_size == TOC_UNPARTITIONED || t->partition_size == 0;

	*at = one ? offset : offset % t->partition_size;
	return one ? 0 : offset / t->partition_size;
}

/* content_block_traits tells what is wrong with a block's place. */
uint32_t content_block_traits(const struct utoc *u, const struct toc_block *b);

/* ---- Chunks and blocks: worker.c ------------------------------------------------------------- */

/* What keeps a chunk from being decoded. */
enum content_fit {
	FIT,
	FIT_NOT, /* its range, its blocks or their layout have a defect, of which rules tell */
	FIT_NO_CODEC,
};

/* A worker decodes chunks, one after the other. */
struct worker {
	const struct utoc *u;
	struct block_reader reader;
	uint64_t until;                /* how far to read ahead, as an offset over all partitions */
	bool is_package;               /* what is decoded next is one */
	struct package_reader package; /* the last one */
	bool is_zeros;                 /* all that was decoded of the last chunk is 0 */
};

/* content_fit tells whether a chunk can be decoded, and adds to *n what it needs. */
enum content_fit content_fit(const struct utoc *u, const struct unpacker *codecs, uint64_t chunk,
			     struct block_needs *n);

/* content_repeat_work is block_repeat_work for the blocks of a container. */
uint64_t content_repeat_work(const struct utoc *u, uint64_t packed);

/* worker_open makes a worker for chunks with such needs, one of n_workers; see block_reader_open
 * and block_reader_close. */
UVET_MUST_USE bool worker_open(struct decode *d, struct utoc *u, uint32_t group,
			       const struct block_needs *n, unsigned n_workers, struct worker *w);
void worker_close(struct worker *w);
void worker_use_key(struct worker *w, const struct key *key);

/* worker_runs tells whether a worker can go on; w->reader.why says why not. */
static inline bool worker_runs(const struct worker *w)
{
	return w->reader.why == STOP_NOT;
}

/* worker_stored gives a block's bytes as they are stored, n of them. NULL: the worker cannot go
 * on. */
const uint8_t *worker_stored(struct worker *w, const struct toc_block *b, uint64_t n);

/* worker_block gives the bytes that a block holds, b->uncompressed of them. *traits gets what is
 * wrong (enum payload_trait). NULL: there are no bytes; if *traits is 0, the worker cannot go
 * on. */
const uint8_t *worker_block(struct worker *w, const struct toc_block *b, uint32_t *traits);

/* worker_digest decodes a chunk that fits and gives its digest, one that this build computes;
 * DIGEST_NONE: it only decodes. The traits of each bad block are added to marks (NULL: not
 * wanted). It returns the traits of all blocks. The digest counts only if none is in
 * PAYLOAD_SPOILED and the worker can go on. */
enum { PAYLOAD_SPOILED = PAYLOAD_BROKEN | PAYLOAD_SHORT | PAYLOAD_LONG };
uint32_t worker_digest(struct worker *w, uint64_t chunk, enum digest_kind kind,
		       atomic_ushort *marks, uint8_t out[DIGEST_LEN]);

/* ---- Hashes: hashes.c ------------------------------------------------------------------------ */

/* content_digest is the digest that this version uses for hashes; DIGEST_NONE: it is not known.
 * content_other_digest is the one that packers use by mistake. */
enum digest_kind content_digest(const struct toc *t);
enum digest_kind content_other_digest(const struct toc *t);

/* content_has_hash tells whether a chunk has a hash that can be compared. */
static inline bool content_has_hash(const struct toc *t, uint64_t chunk)
{
	return content_digest(t) != DIGEST_NONE && toc_has_hash(t, chunk);
}

/* ---- All content: plan.c, parallel.c, check.c ------------------------------------------------ */

/* A task is a chunk; its bit says that it has the same blocks as the task before it. */
#define TASK_SAME 0x80000000u

/* What the workers share. Only the shares and the marks are written while they run; each task's
 * marks are written by the worker that took it. */
struct content_check {
	struct decode *d;
	struct utoc *u;
	uint32_t *tasks;
	uint64_t n_tasks;
	struct block_shares shares;
	atomic_ushort *block_marks;
	uint16_t *task_marks;
	struct package_claims form;   /* what is the same of all packages of the container */
	bool has_counts, has_imports; /* those of packages are held against their store entries */
	/* of each task with PAYLOAD_COUNTS and PAYLOAD_IMPORTS; NULL: not wanted */
	struct container_counts *counts;
	struct container_import *imports;
	struct worker *workers;
	unsigned n_workers;
	struct block_needs needs;
	bool unfit;   /* some chunk cannot be decoded because of a defect */
	uint64_t end; /* of the blocks that were looked at so far */
	/* bytes that may still be decoded a second time, and blocks that may be looked at again */
	uint64_t again, again_blocks;
};
KEEPS(payload, struct content_check, block_marks[0]);
KEEPS(payload, struct content_check, task_marks[0]);

/* content_make_plan fills c->tasks and adds up what they need. It stops short where a limit is
 * reached, which it notes; false: there is no plan. */
UVET_MUST_USE bool content_make_plan(struct content_check *c);

/* content_check_chunks does all tasks and adds what it finds to the marks,
 * content_check_signed_blocks compares stored blocks with their hashes. false: not all was done,
 * which is noted for UTOC_PAYLOAD or UTOC_SIGNED_BLOCKS. */
bool content_check_chunks(struct content_check *c);
bool content_check_signed_blocks(struct content_check *c);

/* content_compare_hashes holds the hashes of tasks from..to, whose bytes the worker decoded
 * last, against the digest of these bytes, and marks the tasks. content_judge_hashes says what
 * the marks of all tasks come to, and notes the stop of UTOC_HASHES for what this build could
 * not compute. */
void content_compare_hashes(struct content_check *c, struct worker *w, uint64_t from, uint64_t to,
			    const uint8_t digest[DIGEST_LEN]);
void content_judge_hashes(struct content_check *c);

/* ---- Packages: claims.c, judge.c ------------------------------------------------------------- */

/* content_form_claims sets what the container says of all its packages. content_claims_of sets what
 * it says of one: its chunk, its store entry, its bulk data; it gives that entry, too, and returns
 * whether there is one. */
void content_form_claims(const struct utoc *u, struct package_claims *out);
bool content_claims_of(const struct utoc *u, uint64_t chunk, struct package_claims *out,
		       struct container_package *entry);

/* content_judge_packages judges the packages among tasks from..to, whose bytes the worker decoded
 * last, and marks the tasks. content_count_packages counts them when all are done, and keeps
 * which of them are judged as files in the container. */
void content_judge_packages(struct content_check *c, struct worker *w, uint64_t from, uint64_t to);
void content_count_packages(struct content_check *c);

/* ---- Keys: find_key.c ------------------------------------------------------------------------ */

/* content_find_key looks for the key that fits, once; false, with the group's stop and `locked`
 * bytes noted, if there is none or it cannot be told. */
UVET_MUST_USE bool content_find_key(struct decode *d, struct utoc *u, uint32_t group,
				    uint64_t locked);

/* ---- Names: label.c -------------------------------------------------------------------------- */

/* content_label writes a chunk's path to buf, as UTF-8 and with a NUL, only its end if it is
 * long; without a path the chunk's type and id. */
enum { LABEL_MAX = 257 }; /* the longest argument of a finding, and the NUL */
const char *content_label(const struct utoc *u, uint64_t chunk, char buf[LABEL_MAX]);

#endif

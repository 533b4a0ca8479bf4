/* The hashes of chunks: what they should be, how they are compared, and what that says of the
 * container. */
#include <string.h>

#include "core/mutant.h"
#include "formats/iostore/content/parts.h"

enum digest_kind content_digest(const struct toc *t)
{
	if (t->version < TOC_PERFECT_HASH)
		return DIGEST_SHA1;
	return t->version >= TOC_OVERFLOW ? DIGEST_BLAKE3 : DIGEST_NONE;
}

enum digest_kind content_other_digest(const struct toc *t)
{
	return content_digest(t) == DIGEST_SHA1 ? DIGEST_BLAKE3 : DIGEST_SHA1;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool is_hash_of(const struct content_check *c, uint64_t task,
		       const uint8_t digest[DIGEST_LEN])
{
	const uint8_t *wanted = toc_hash(&c->u->toc, c->tasks[task] & ~TASK_SAME);

	/* mutant: a byte is not compared */
	return memcmp(wanted, digest, DIGEST_LEN - MUTANT(124)) == 0;
}

/* Marks why the hash of a task differs: it may be the other digest (NULL: this build cannot compute
 * it), or all bytes are 0. */
static void mark_difference(struct content_check *c, uint64_t task, const uint8_t *other,
			    bool is_zeros)
{
	if (!other)
		c->task_marks[task] |= PAYLOAD_UNSURE;
	else if (is_hash_of(c, task, other))
		c->task_marks[task] |= PAYLOAD_OTHER_DIGEST;
	else if (is_zeros)
		c->task_marks[task] |= PAYLOAD_ZEROS;
}

/* Only a hash that differs is worth decoding the bytes again, for the other digest. If that fails,
 * no hash is judged at all. */
static void explain_differences(struct content_check *c, struct worker *w, uint64_t from,
				uint64_t to)
{
	const enum digest_kind kind = content_other_digest(&c->u->toc);
	const bool is_known = digest_is_available(kind), is_zeros = w->is_zeros;
	uint8_t other[DIGEST_LEN];

	if (is_known)
		worker_digest(w, c->tasks[from], kind, NULL, other);
	for (uint64_t i = from; i < to; i++)
		if (c->task_marks[i] & PAYLOAD_HASH)
			mark_difference(c, i, is_known ? other : NULL, is_zeros);
}

void content_compare_hashes(struct content_check *c, struct worker *w, uint64_t from, uint64_t to,
			    const uint8_t digest[DIGEST_LEN])
{
	bool differs = false;

	for (uint64_t i = from; i < to; i++) {
		if (!content_has_hash(&c->u->toc, c->tasks[i] & ~TASK_SAME))
			continue;
		c->task_marks[i] |= is_hash_of(c, i, digest) ? PAYLOAD_VERIFIED : PAYLOAD_HASH;
		differs = differs || c->task_marks[i] & PAYLOAD_HASH;
	}
	if (differs)
		explain_differences(c, w, from, to);
}

/* ---- Judging all of them --------------------------------------------------------------------- */

/* If none of this many hashes is right, the packer wrote them wrong; the bytes are not damaged. */
enum { TELLING = 2 };

/* The sums of the marks of all tasks. */
struct tally {
	uint64_t n_right, n_wrong;
	uint64_t uncompared; /* bytes of chunks with a hash that was not compared */
	uint64_t unsure;     /* bytes of those of which the other digest was not computed */
};

static struct tally take_stock(const struct content_check *c)
{
	const struct toc *t = &c->u->toc;
	struct tally sum = { 0 };

	for (uint64_t i = 0; i < c->n_tasks; i++) {
		const uint32_t chunk = c->tasks[i] & ~TASK_SAME, marks = c->task_marks[i];

		if (marks & PAYLOAD_SPOILED || !toc_has_hash(t, chunk))
			continue;
		if (marks & (PAYLOAD_VERIFIED | PAYLOAD_OTHER_DIGEST))
			sum.n_right++;
		else if (marks & PAYLOAD_HASH)
			sum.n_wrong++;
		else
			sum.uncompared += toc_length(t, chunk);
		sum.unsure += marks & PAYLOAD_UNSURE ? toc_length(t, chunk) : 0;
	}
	return sum;
}

void content_judge_hashes(struct content_check *c)
{
	const enum digest_kind kind = content_digest(&c->u->toc);
	const struct tally sum = take_stock(c);

	c->u->content.hashes_fit_nothing = sum.n_right == 0 && sum.n_wrong >= TELLING &&
					   c->u->content.key != KEY_OPENS_INDEX;
	if (sum.uncompared > 0 && kind == DIGEST_NONE)
		decode_stop(c->d, UTOC_HASHES, STOP_UNVERIFIED, (struct span){ 0, sum.uncompared });
	else if (sum.uncompared > 0)
		decode_stop_codec(c->d, UTOC_HASHES, digest_name(kind),
				  (struct span){ 0, sum.uncompared });
	if (sum.unsure > 0)
		decode_stop_codec(c->d, UTOC_HASHES, digest_name(content_other_digest(&c->u->toc)),
				  (struct span){ 0, sum.unsure });
}

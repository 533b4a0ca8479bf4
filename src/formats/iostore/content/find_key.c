/* Finds the key of an encrypted container: the one of those at hand that some chunk confirms.
 * Source: conformance/spec/iostore.md, 4.33. */
#include <string.h>

#include "core/mutant.h"
#include "formats/iostore/content/parts.h"

/* ---- What keys are tried on ------------------------------------------------------------------ */

/* Keys are tried on the container header and on this many chunks, the shortest that can confirm
 * one: longer chunks may cost much to decode. */
#define PROBES 8u

struct probe {
	uint64_t chunk;
	struct block_needs needs;
};

struct search {
	struct decode *d;
	struct utoc *u;
	uint32_t group;
	struct probe probes[1 + PROBES];
	unsigned n, most;         /* how many there are, and may be */
	struct block_needs needs; /* what a worker needs for all of them */
	struct worker worker;
};

static bool is_header(const struct toc *t, uint64_t chunk)
{
	return chunk == t->header_chunk;
}

/* Since version 5 the container header begins with a magic, before with the container's id. */
static bool has_known_beginning(const struct toc *t, uint64_t chunk)
{
	return is_header(t, chunk) &&
	       (t->version >= TOC_OVERFLOW ||
		(t->header.container_id != 0 && t->header.container_id != UINT64_MAX));
}

static bool can_tell(const struct toc *t, uint64_t chunk, const struct block_needs *n)
{
	return n->packed > 0 || content_has_hash(t, chunk) || has_known_beginning(t, chunk);
}

/* Keeps the probes sorted by length, the header first; chunks of the same length keep their order.
 * A full list drops its last probe. */
static void add_probe(struct search *s, const struct probe *p, uint64_t length)
{
	const struct toc *t = &s->u->toc;
	unsigned i = s->n < s->most ? s->n++ : s->n - 1;

	for (; i > 0 && !is_header(t, s->probes[i - 1].chunk) &&
	       toc_length(t, s->probes[i - 1].chunk) > length;
	     i--)
		s->probes[i] = s->probes[i - 1];
	s->probes[i] = *p;
}

static void consider_chunk(struct search *s, const struct unpacker *codecs, uint64_t chunk)
{
	const struct utoc *u = s->u;
	const uint64_t length = toc_length(&u->toc, chunk);
	struct probe p = { .chunk = chunk };

	if (length == 0 ||
	    (s->n == s->most && length >= toc_length(&u->toc, s->probes[s->n - 1].chunk)))
		return;
	if (content_fit(u, codecs, chunk, &p.needs) == FIT && can_tell(&u->toc, chunk, &p.needs))
		add_probe(s, &p, length);
}

/* Chunks that share blocks are left out: a small table could make them cost much. */
static void consider_others(struct search *s, const struct unpacker *codecs)
{
	const struct toc *t = &s->u->toc;

	for (uint64_t i = 0; i < t->n_chunks; i++)
		if (!is_header(t, i) && !(t->overlapping && toc_bit(t->overlapping, i)))
			consider_chunk(s, codecs, i);
}

static void choose_probes(struct search *s)
{
	const struct utoc *u = s->u;
	struct unpacker codecs;

	unpacker_open(&codecs, s->d->arena, s->d->oodle);
	s->most = 1;
	if (u->toc.header_chunk != TOC_NONE)
		consider_chunk(s, &codecs, u->toc.header_chunk);
	s->most = s->n + PROBES;
	if (!u->content.gives_too_much)
		consider_others(s, &codecs);
	for (unsigned i = 0; i < s->n; i++) {
		const struct block_needs *n = &s->probes[i].needs;

		s->needs.largest_read = n->largest_read > s->needs.largest_read
						? n->largest_read
						: s->needs.largest_read;
		s->needs.largest_decoded = n->largest_decoded > s->needs.largest_decoded
						   ? n->largest_decoded
						   : s->needs.largest_decoded;
	}
}

/* ---- What they say of a key ------------------------------------------------------------------ */

/* LACKS: it has a hash that this build cannot compute. */
enum fit { NO_FIT, LACKS, FITS };

/* With a wrong key no block decompresses. So one block that does confirms the key, even if
 * others are damaged and the chunk's hash differs. */
static bool some_block_opens(struct worker *w, uint64_t chunk)
{
	const struct toc *t = &w->u->toc;
	const uint64_t first = toc_first_block(t, chunk), count = toc_block_count(t, chunk);
	uint32_t traits;

	for (uint64_t k = 0; k < count && worker_runs(w); k++) {
		const struct toc_block b = toc_block(t, first + k);

		if (b.method != 0 && worker_block(w, &b, &traits))
			return true;
	}
	return false;
}

static bool begins_right(struct worker *w, uint64_t chunk)
{
	const struct toc *t = &w->u->toc;
	const struct toc_block b = toc_block(t, toc_first_block(t, chunk));
	const uint64_t length = toc_length(t, chunk),
		       n = b.uncompressed < length ? b.uncompressed : length;
	uint32_t traits;
	const uint8_t *bytes = worker_block(w, &b, &traits);
	struct held block;

	if (!bytes)
		return false;
	block = (struct held){ bytes, n };
	return (n >= 4 && held_u32(block, 0) == CONTAINER_MAGIC) ||
	       (t->version < TOC_OVERFLOW && n >= 8 &&
		held_u64(block, 0) == t->header.container_id);
}

static enum fit compare_digest(struct worker *w, uint64_t chunk, enum digest_kind kind)
{
	uint8_t digest[DIGEST_LEN];

	if (!digest_is_available(kind))
		return LACKS;
	worker_digest(w, chunk, kind, NULL, digest);
	return worker_runs(w) && memcmp(digest, toc_hash(&w->u->toc, chunk), sizeof digest) == 0
		       ? FITS
		       : NO_FIT;
}

static enum fit ask_probe(struct worker *w, const struct probe *p)
{
	const struct toc *t = &w->u->toc;
	enum fit own, other;

	if (has_known_beginning(t, p->chunk) && begins_right(w, p->chunk))
		return FITS;
	if (p->needs.packed > 0)
		return some_block_opens(w, p->chunk) ? FITS : NO_FIT;
	if (!content_has_hash(t, p->chunk))
		return NO_FIT;
	own = compare_digest(w, p->chunk, content_digest(t));
	if (own == FITS || !worker_runs(w))
		return own;
	other = compare_digest(w, p->chunk, content_other_digest(t));
	return own > other ? own : other;
}

/* ---- Which one it is ------------------------------------------------------------------------- */

/* If the key that opened the index fails on one chunk, that may be damaged; if it fails on several,
 * it is not their key. */
enum { DAMAGED = 1 };

/* A chunk may be decoded twice, once for each of two digests. */
static bool pay_for_probe(struct search *s, const struct block_needs *n)
{
	return decode_spend(s->d, s->group,
			    2 * (block_work(n->decoded + n->read) + 1) +
				    content_repeat_work(s->u, n->packed));
}

/* What is known of a key that no chunk confirms. */
static enum key_fit rate_unconfirmed(const struct search *s, const struct key *key,
				     unsigned n_against, bool lacks)
{
	if (key == s->u->directory.key && n_against <= DAMAGED)
		return KEY_OPENS_INDEX;
	if (lacks)
		return KEY_UNTOLD;
	return n_against > 0 ? KEY_WRONG : KEY_UNCONFIRMED;
}

/* KEY_UNASKED: it was not tried on all, which is noted. */
static enum key_fit try_key(void *search, const struct key *key)
{
	struct search *s = search;
	unsigned n_against = 0;
	bool lacks = false;

	worker_use_key(&s->worker, key);
	for (unsigned i = 0; i < s->n; i++) {
		enum fit fit;

		if (!pay_for_probe(s, &s->probes[i].needs))
			return KEY_UNASKED;
		fit = ask_probe(&s->worker, &s->probes[i]);
		if (!worker_runs(&s->worker))
			return KEY_UNASKED;
		if (fit == FITS)
			return KEY_FITS;
		n_against += fit == NO_FIT;
		lacks = lacks || fit == LACKS;
	}
	/* mutant: any key fits */
	return MUTANT(122) ? KEY_FITS : rate_unconfirmed(s, key, n_against, lacks);
}

static void try_keys(struct search *s)
{
	struct content *p = &s->u->content;
	uint8_t guid[KEY_GUID_LEN];

	toc_guid(&s->u->toc, guid);
	p->key = key_ring_find(s->d->keys, guid, try_key, s, &p->key_used);
}

static bool look_for_key(struct decode *d, struct utoc *u, uint32_t group)
{
	const struct arena_mark mark = arena_mark(d->arena);
	struct search s = { .d = d, .u = u, .group = group };

	choose_probes(&s);
	if (!worker_open(d, u, group, &s.needs, 1, &s.worker))
		return false;
	try_keys(&s);
	if (!worker_runs(&s.worker))
		block_reader_stop(d, group, &s.worker.reader);
	arena_count(d->arena, s.worker.reader.arena.peak);
	worker_close(&s.worker);
	arena_rewind(d->arena, mark);
	return u->content.key != KEY_UNASKED;
}

static bool has_vectors(const struct toc *t)
{
	return toc_cipher(t) != BLOCK_CTR || t->sections[SECTION_VECTORS].n >= t->n_blocks;
}

/* Which digest would tell whether a key fits. */
static const char *missing_digest(const struct toc *t)
{
	const enum digest_kind kind = content_digest(t);

	return digest_name(digest_is_available(kind) ? content_other_digest(t) : kind);
}

bool content_find_key(struct decode *d, struct utoc *u, uint32_t group, uint64_t locked)
{
	enum key_fit *key = &u->content.key;

	if (!u->toc.encrypted || u->content.stored == 0)
		*key = KEY_UNNEEDED;
	else if (!toc_cipher_is_known(&u->toc))
		return decode_stop_key(d, group, TOC_CIPHER_UNKNOWN, (struct span){ 0, locked });
	else if (!aes_is_available())
		return decode_stop_codec(d, group, "AES", (struct span){ 0, locked });
	else if (!has_vectors(&u->toc))
		return decode_stop_key(d, group, "the container has fewer vectors than blocks",
				       (struct span){ 0, locked });
	else if (*key == KEY_UNASKED && !look_for_key(d, u, group))
		return false;
	if (*key == KEY_UNNEEDED || *key >= KEY_OPENS_INDEX)
		return true;
	return key_ring_stop(d, group, *key, *key == KEY_UNTOLD ? missing_digest(&u->toc) : NULL,
			     locked);
}

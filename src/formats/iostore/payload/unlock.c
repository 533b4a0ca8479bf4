/* The key of an encrypted container: of those at hand the one with which its chunks are what their hashes say. */
#include <string.h>

#include "core/canary.h"
#include "formats/iostore/payload/parts.h"

/* How many chunks a key is tried on, and how long one may be. */
#define PROBES          8u
#define PROBE_MAX       ((uint64_t)1048576)

struct probes {
	uint64_t chunks[PROBES];
	uint64_t n;
	struct needs needs;
};

enum fit { NO_FIT, UNTOLD, FITS };

static bool has_hash(const struct toc *t, uint64_t chunk)
{
	return payload_hashes(t) && toc_has_hash(t, chunk);
}

static void add_probe(const struct utoc *u, const struct unpacker *codecs, uint64_t chunk, struct probes *p)
{
	const uint64_t length = toc_length(&u->toc, chunk);

	if (u->toc.overlapping && toc_bit(u->toc.overlapping, chunk))
		return;
	if (length > 0 && length <= PROBE_MAX && payload_fit(u, codecs, chunk, &p->needs) == FIT)
		p->chunks[p->n++] = chunk;
}

/* The container header is the one that readers see first. */
static void choose(struct decode *d, const struct utoc *u, struct probes *p)
{
	struct unpacker codecs;

	unpacker_open(&codecs, d->arena, d->oodle);
	*p = (struct probes){ .n = 0 };
	if (u->toc.header_chunk != TOC_NONE)
		add_probe(u, &codecs, u->toc.header_chunk, p);
	for (uint64_t i = 0; i < u->toc.n_chunks && p->n < PROBES; i++)
		if (i != u->toc.header_chunk)
			add_probe(u, &codecs, i, p);
	unpacker_close(&codecs);
}

static bool is_hash(struct worker *w, uint64_t chunk, bool is_sha1, uint32_t *traits)
{
	uint8_t hash[DIGEST_LEN];

	*traits = worker_digest(w, chunk, is_sha1, NULL, hash);
	return has_hash(&w->u->toc, chunk) && !(*traits & PAYLOAD_SPOILED) && memcmp(hash, toc_hash(&w->u->toc, chunk), sizeof hash) == 0;
}

static enum fit probe(struct worker *w, uint64_t chunk)
{
	const struct toc *t = &w->u->toc;
	const bool is_old = t->version < TOC_PERFECT_HASH;
	uint32_t traits;

	if (is_hash(w, chunk, is_old, &traits))
		return FITS;
	if (traits & PAYLOAD_SPOILED || w->why != STOP_NOT)
		return NO_FIT;
	if (has_hash(t, chunk))
		return !is_old && is_hash(w, chunk, true, &traits) ? FITS : NO_FIT;
	return toc_block(t, toc_first_block(t, chunk)).method != 0 ? FITS : UNTOLD;
}

/* Where no chunk tells, the key is believed. */
static bool fits(struct worker *w, const struct probes *p)
{
	bool refused = false;

	for (uint64_t i = 0; i < p->n && w->why == STOP_NOT; i++) {
		const enum fit fit = probe(w, p->chunks[i]);

		if (fit == FITS)
			return true;
		refused = refused || fit == NO_FIT;
	}
	return !refused || CANARY(122);                                 /* canary: any key fits */
}

static void try_keys(struct decode *d, struct utoc *u, struct worker *w, const struct probes *p)
{
	uint8_t guid[KEY_GUID_LEN];
	const struct key *key;

	toc_guid(&u->toc, guid);
	u->payload.key = KEY_NONE;
	for (key = keys_next(d->keys, guid, NULL); key && w->why == STOP_NOT; key = keys_next(d->keys, guid, key)) {
		worker_key(w, key);
		if (fits(w, p)) {
			u->payload.key = KEY_FITS;
			u->payload.key_used = key;
			return;
		}
		u->payload.key = KEY_WRONG;
	}
}

static bool look_for_key(struct decode *d, struct utoc *u, uint32_t group)
{
	const struct arena_mark mark = arena_mark(d->arena);
	struct probes probes;
	struct worker w;
	bool told;

	choose(d, u, &probes);
	if (!decode_spend(d, group, (probes.needs.given / CONTENT_WORK + 1) * (d->keys->n + 1)) ||
	    !worker_open(d, u, group, &probes.needs, 1, &w))
		return false;
	try_keys(d, u, &w, &probes);
	told = w.why == STOP_NOT;
	if (!told) {
		u->payload.key = KEY_UNASKED;
		worker_note(d, group, &w);
	}
	arena_count(d->arena, w.arena.peak);
	worker_close(&w);
	arena_rewind(d->arena, mark);
	return told;
}

static bool has_vectors(const struct toc *t)
{
	return !payload_counts(t) || t->sections[SECTION_VECTORS].n >= t->n_blocks;
}

bool payload_unlock(struct decode *d, struct utoc *u, uint32_t group, uint64_t locked)
{
	enum payload_key *key = &u->payload.key;

	if (!u->toc.encrypted || u->payload.stored == 0)
		*key = KEY_UNNEEDED;
	else if (!aes_is_available())
		return decode_stop_codec(d, group, "AES", (struct span){ 0, locked });
	else if (!has_vectors(&u->toc))
		return decode_stop_key(d, group, "it has fewer vectors than blocks", (struct span){ 0, locked });
	else if (*key == KEY_UNASKED && !look_for_key(d, u, group))
		return false;
	if (*key == KEY_NONE)
		return decode_stop_key(d, group, "there is no key for it", (struct span){ 0, locked });
	if (*key == KEY_WRONG)
		return decode_stop_key(d, group, "no key that was given fits", (struct span){ 0, locked });
	return true;
}

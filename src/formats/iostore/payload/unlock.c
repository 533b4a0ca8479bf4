/* The key of an encrypted container: of those at hand the one with which its chunks decompress, or are what their hashes say. */
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

/* LACKS: it has a hash that this build cannot compute. */
enum fit { NO_FIT, LACKS, UNTOLD, FITS };

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
}

/* Tells whether what comes out decompresses, or has that digest. */
static enum fit compare(struct worker *w, uint64_t chunk, enum digest_kind kind)
{
	const struct toc *t = &w->u->toc;
	const bool is_compressed = toc_block(t, toc_first_block(t, chunk)).method != 0;
	const bool is_hashed = !is_compressed && payload_has_hash(t, chunk), is_known = digest_is_available(kind);
	uint8_t digest[DIGEST_LEN];
	const uint32_t traits = worker_digest(w, chunk, is_hashed && is_known ? kind : DIGEST_NONE, NULL, digest);

	if (traits & PAYLOAD_SPOILED || w->why != STOP_NOT)
		return NO_FIT;
	if (is_compressed)
		return FITS;                                            /* with another key it would not decompress, whatever its hash is */
	if (!is_hashed)
		return UNTOLD;
	if (!is_known)
		return LACKS;
	return memcmp(digest, toc_hash(t, chunk), sizeof digest) == 0 ? FITS : NO_FIT;
}

static enum fit probe(struct worker *w, uint64_t chunk)
{
	const struct toc *t = &w->u->toc;
	const enum fit own = compare(w, chunk, payload_digest(t));
	enum fit other = NO_FIT;

	if (payload_has_hash(t, chunk) && (own == NO_FIT || own == LACKS) && w->why == STOP_NOT)
		other = compare(w, chunk, payload_other_digest(t));
	return own > other ? own : other;
}

/* Where no chunk tells, the key is believed, unless one would tell if this build could compute its hash. */
static enum fit try_key(struct worker *w, const struct probes *p)
{
	enum fit least = UNTOLD, next;

	for (uint64_t i = 0; i < p->n && w->why == STOP_NOT; i++) {
		next = probe(w, p->chunks[i]);
		if (next == FITS)
			return FITS;
		if (next == LACKS || (next == NO_FIT && least == UNTOLD))
			least = next;
	}
	return least == UNTOLD || CANARY(122) ? FITS : least;           /* canary: any key fits */
}

static void try_keys(struct decode *d, struct utoc *u, struct worker *w, const struct probes *p)
{
	uint8_t guid[KEY_GUID_LEN];
	const struct key *key;
	enum fit fit;

	toc_guid(&u->toc, guid);
	u->payload.key = KEY_NONE;
	for (key = keys_next(d->keys, guid, NULL); key && w->why == STOP_NOT; key = keys_next(d->keys, guid, key)) {
		worker_key(w, key);
		fit = try_key(w, p);
		if (fit == FITS) {
			u->payload.key = KEY_FITS;
			u->payload.key_used = key;
			return;
		}
		if (u->payload.key != KEY_UNTOLD)
			u->payload.key = fit == LACKS ? KEY_UNTOLD : KEY_WRONG;
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
	return !toc_by_counter(t) || t->sections[SECTION_VECTORS].n >= t->n_blocks;
}

/* Which digest would tell whether a key fits. */
static const char *missing_digest(const struct toc *t)
{
	const enum digest_kind kind = payload_digest(t);

	return digest_name(digest_is_available(kind) ? payload_other_digest(t) : kind);
}

bool payload_unlock(struct decode *d, struct utoc *u, uint32_t group, uint64_t locked)
{
	enum payload_key *key = &u->payload.key;

	if (!u->toc.encrypted || u->payload.stored == 0)
		*key = KEY_UNNEEDED;
	else if (!toc_cipher_is_known(&u->toc))
		return decode_stop_key(d, group, TOC_CIPHER_UNKNOWN, (struct span){ 0, locked });
	else if (!aes_is_available())
		return decode_stop_codec(d, group, "AES", (struct span){ 0, locked });
	else if (!has_vectors(&u->toc))
		return decode_stop_key(d, group, "it has fewer vectors than blocks", (struct span){ 0, locked });
	else if (*key == KEY_UNASKED && !look_for_key(d, u, group))
		return false;
	if (*key == KEY_NONE)
		return decode_stop_key(d, group, "there is no key for it", (struct span){ 0, locked });
	if (*key == KEY_UNTOLD)
		return decode_stop_codec(d, group, missing_digest(&u->toc), (struct span){ 0, locked });
	if (*key == KEY_WRONG)
		return decode_stop_key(d, group, "no key that was given fits", (struct span){ 0, locked });
	return true;
}

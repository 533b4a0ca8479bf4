/* Finds the key of an archive's encrypted files: that of the index, or the one by which some file
 * is decoded. Source: conformance/spec/pak.md, 5.4. */
#include "formats/pak/payload.h"

/* Keys are tried on this many files, the shortest that can confirm one. */
enum { PROBES = 8 };

struct probe {
	struct block first; /* its first block */
	uint64_t len;       /* of the file */
};

struct search {
	struct pak_check check;
	struct pak_worker worker;
	struct probe probes[PROBES];
	unsigned n;
};

/* Keeps the probes sorted by length; a full list drops its last. */
static void add_probe(struct search *s, const struct probe *p)
{
	unsigned i = s->n < PROBES ? s->n++ : PROBES - 1;

	for (; i > 0 && s->probes[i - 1].len > p->len; i--)
		s->probes[i] = s->probes[i - 1];
	s->probes[i] = *p;
}

/* A stream tells of a key whether it is one, and a package begins with its tag. */
static bool can_tell(const struct pak *p, const struct pak_file *row, const struct block *b,
		     const struct unpacker *codecs)
{
	enum method lacking;

	if (b->is_packed)
		return !pak_lacks_decoder(b, codecs, &lacking);
	return pak_kind_of(p, row) == PAK_KIND_PACKAGE;
}

static void consider_file(struct search *s, const struct unpacker *codecs, uint32_t i)
{
	const struct pak *p = s->check.p;
	const struct pak_file *row = &p->files[p->by_offset[i]];
	struct pak_pieces walk = { .n = 0 };
	struct pak_entry e;
	struct probe probe;

	if (!(row->traits & PAK_ENCRYPTED_FILE) || row->traits & PAK_UNFIT)
		return;
	e = pak_entry_of(p, row);
	if ((s->n == PROBES && e.size >= s->probes[PROBES - 1].len) ||
	    !pak_next_block(p, &e, &walk, &probe.first) || !can_tell(p, row, &probe.first, codecs))
		return;
	probe.len = e.size;
	add_probe(s, &probe);
}

/* Whether a file has the first block that it should, by the worker's key. */
static bool opens(struct pak_worker *w, const struct probe *p)
{
	enum block_defect defect;
	const uint8_t *bytes = block_reader_decode(&w->reader, w->check->d->source, &p->first, 0,
						   &defect);

	if (!bytes)
		return false;
	return p->first.is_packed || pak_is_legacy((struct held){ bytes, p->first.size });
}

static enum key_fit try_key(void *search, const struct key *key)
{
	struct search *s = search;

	block_reader_use_key(&s->worker.reader, s->check.p->cipher, key);
	for (unsigned i = 0; i < s->n; i++) {
		const struct block *b = &s->probes[i].first;

		if (!decode_spend(s->check.d, PAK_PAYLOAD, block_work(b->stored + b->size) + 1))
			return KEY_UNASKED;
		if (opens(&s->worker, &s->probes[i]))
			return KEY_FITS;
		if (!pak_worker_runs(&s->worker))
			return KEY_UNASKED;
	}
	return s->n > 0 ? KEY_WRONG : KEY_UNCONFIRMED;
}

static void choose_probes(struct search *s)
{
	const struct pak *p = s->check.p;
	struct unpacker codecs;

	unpacker_open(&codecs, s->check.d->arena, s->check.d->oodle);
	for (uint32_t i = 0; i < p->n_by_offset; i++)
		consider_file(s, &codecs, i);
	for (unsigned i = 0; i < s->n; i++)
		block_needs_add(&s->check.needs, &s->probes[i].first);
}

static bool search_keys(struct search *s)
{
	struct decode *d = s->check.d;
	struct pak_content *content = &s->check.p->content;

	if (!decode_spend(d, PAK_PAYLOAD, s->check.p->n_by_offset))
		return false;
	choose_probes(s);
	if (!pak_open_worker(&s->check, PAK_PAYLOAD, 1, &s->worker))
		return false;
	content->key = key_ring_find(d->keys, s->check.p->tail.guid, try_key, s,
				     &content->key_used);
	if (!pak_worker_runs(&s->worker))
		block_reader_stop(d, PAK_PAYLOAD, &s->worker.reader);
	arena_count(d->arena, s->worker.reader.arena.peak);
	block_reader_close(&s->worker.reader);
	return content->key != KEY_UNASKED;
}

bool pak_find_key(struct decode *d, struct pak *p)
{
	struct pak_content *content = &p->content;
	struct arena_mark mark;
	struct search *s;
	bool found;

	if (!(p->file_traits & PAK_ENCRYPTED_FILE)) {
		content->key = KEY_UNNEEDED;
		return true;
	}
	if (p->key || !aes_is_available()) {
		content->key = p->key ? KEY_OPENS_INDEX : KEY_NONE;
		content->key_used = p->key;
		return true;
	}
	mark = arena_mark(d->arena);
	s = decode_alloc(d, PAK_PAYLOAD, 1, sizeof *s);
	if (!s)
		return false;
	*s = (struct search){ .check = { .d = d, .p = p } };
	found = search_keys(s);
	arena_rewind(d->arena, mark);
	return found;
}

/* Blocks and chunks: read, decrypted, decoded into one block's room, and hashed at once. */
#include <string.h>

#include "core/mutant.h"
#include "formats/iostore/content/parts.h"

/* ---- What can be decoded --------------------------------------------------------------------------------------------------------- */

/* A compressed block that saves nothing can cost a decoder much time and give little; packers store such bytes as they are. */
static bool saves_nothing(const struct toc_block *b)
{
	return b->method != 0 && b->uncompressed > 0 && b->compressed >= b->uncompressed;
}

/* Bytes that are read of a block. Of one that is not compressed no more than it gives. */
static uint64_t wanted(const struct toc *t, const struct toc_block *b)
{
	if (t->encrypted && !toc_by_counter(t))
		return toc_stored(b->method == 0 ? b->uncompressed : b->compressed);
	return b->method == 0 ? b->uncompressed : b->compressed;
}

/* Where a rule about the tables already has something to say, content has not. */
static bool is_sound(const struct utoc *u, const struct toc_block *b)
{
	const struct toc *t = &u->toc;
	const uint32_t bad = STORED_PAST_SPACE | STORED_NO_PARTITION | STORED_CROSSES | STORED_CUT;
	const uint32_t traits = payload_block_traits(u, b);

	if (b->uncompressed > t->block_size)
		return false;
	if (b->compressed == 0 ? b->uncompressed > 0 : b->method == 0 && b->compressed < b->uncompressed)
		return false;
	return !(traits & bad) && !(traits & STORED_PAD_CUT && t->encrypted && !toc_by_counter(t));
}

static const char *decoder_name(enum method m)
{
	if (m == METHOD_NONE)
		return "decoder for blocks that save nothing";
	return m == METHOD_UNKNOWN ? "method without a name" : method_name(m);
}

/* However small a container is, so many stored bytes may be decoded a second time for nothing; each more costs so many units of work. */
#define PACKED_MIN              ((uint64_t)16777216)
#define PACKED_WORK             4u

/* What records claim is no more than the files have. */
uint64_t payload_again_work(const struct utoc *u, uint64_t packed)
{
	const struct payload *p = &u->payload;
	uint64_t there = 0, free;

	for (uint64_t i = 0; i < p->n_partitions; i++)
		there += p->partitions[i].size;
	free = PACKED_MIN + 2 * (p->distinct < there ? p->distinct : there);
	return packed > free ? (packed - free) * PACKED_WORK : 0;
}

static void add_block(struct needs *n, uint64_t stored, uint64_t given, bool is_packed)
{
	n->stored += stored;
	n->given += given;
	n->packed += is_packed ? stored : 0;
	n->largest_stored = stored > n->largest_stored ? stored : n->largest_stored;
	n->largest_given = given > n->largest_given ? given : n->largest_given;
}

static bool is_ranged(const struct toc *t, uint64_t chunk)
{
	return toc_has_blocks(t, chunk) && toc_offset(t, chunk) % t->block_size == 0;
}

enum payload_fit payload_fit(const struct utoc *u, const struct unpacker *codecs, uint64_t chunk, struct needs *n)
{
	const struct toc *t = &u->toc;
	const uint64_t first = toc_first_block(t, chunk), count = toc_block_count(t, chunk);
	struct needs sum = *n;
	enum payload_fit fit = FIT;
	enum method missing = METHOD_NONE;
	uint64_t given = 0;

	if (!is_ranged(t, chunk))
		return FIT_NOT;
	for (uint64_t k = 0; k < count; k++) {
		const struct toc_block b = toc_block(t, first + k);
		const enum method m = (enum method)u->payload.methods[b.method];

		if (m == METHOD_UNKNOWN || !is_sound(u, &b) || (k + 1 < count && b.uncompressed != t->block_size))
			return FIT_NOT;
		if (fit == FIT && (saves_nothing(&b) || !unpacker_has(codecs, m))) {
			fit = FIT_NO_CODEC;
			missing = saves_nothing(&b) ? METHOD_NONE : m < METHOD_UNKNOWN ? m : METHOD_UNKNOWN;
		}
		add_block(&sum, wanted(t, &b), b.uncompressed, b.method != 0);
		given += b.uncompressed;
	}
	if (given < toc_length(t, chunk))
		return FIT_NOT;
	if (fit == FIT)
		*n = sum;
	else
		n->lacking[missing] += sum.stored - n->stored;
	return fit;
}

void payload_stop_codecs(struct decode *d, uint32_t group, const struct needs *n, bool counts)
{
	for (unsigned m = METHOD_NONE; m <= METHOD_UNKNOWN; m++)
		if (n->lacking[m] > 0)
			decode_stop_codec(d, group, decoder_name((enum method)m), (struct span){ 0, counts ? n->lacking[m] : 0 });
}

/* ---- Workers ---------------------------------------------------------------------------------------------------------------------- */

static uint64_t at_least(uint64_t n, uint64_t least)
{
	return n > least ? n : least;
}

/* No more is read at a time than the longest partition has. */
static uint64_t window_len(const struct payload *p)
{
	uint64_t longest = 1;

	for (uint64_t i = 0; i < p->n_partitions; i++)
		longest = at_least(p->partitions[i].size, longest);
	return longest < READ_WINDOW ? longest : READ_WINDOW;
}

bool worker_open(struct decode *d, struct utoc *u, uint32_t group, const struct needs *n, unsigned n_workers, struct worker *w)
{
	const uint64_t room = at_least(toc_stored(n->largest_stored), window_len(&u->payload));
	uint8_t *window = decode_alloc(d, group, room, 1);

	*w = (struct worker){ .u = u, .why = STOP_NOT, .interrupt = d->work.interrupt };
	w->out = window ? decode_alloc(d, group, n->largest_given, 1) : NULL;
	w->clear = w->out && u->toc.encrypted ? decode_alloc(d, group, toc_stored(n->largest_stored), 1) : w->out;
	if (!w->clear)
		return false;
	reader_open(&w->reader, &u->payload, window, room);
	arena_init(&w->arena, d->arena->from, (d->arena->budget - d->arena->held) / n_workers);
	unpacker_open(&w->unpacker, &w->arena, d->oodle);
	return true;
}

void worker_close(struct worker *w)
{
	arena_free(&w->arena);
	aes_wipe(&w->aes);
}

void worker_key(struct worker *w, const struct key *key)
{
	w->decrypts = key != NULL;
	if (!key)
		return;
	if (toc_by_counter(&w->u->toc))
		aes_for_ctr(&w->aes, key->bytes);
	else
		aes_for_ecb(&w->aes, key->bytes);
}

bool worker_note(struct decode *d, uint32_t group, const struct worker *w)
{
	if (w->why == STOP_INPUT)
		return decode_stop_in(d, group, STOP_INPUT, &w->reader.source, w->reader.failed_at);
	if (w->why == STOP_LIMIT) {
		d->work.interrupted = w->interrupted;
		return decode_stop_limit(d, group, LIMIT_work, (struct span){ 0, 0 });
	}
	d->arena->refused |= w->arena.refused;
	d->arena->over_budget |= w->arena.over_budget;
	return decode_stop(d, group, w->why, (struct span){ 0, 0 });
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------------------------ */

const uint8_t *worker_stored(struct worker *w, const struct toc_block *b, uint64_t n)
{
	uint64_t at, partition = payload_partition(&w->u->toc, b->offset, &at);
	const uint64_t ahead = w->until > b->offset ? at + (w->until - b->offset) : 0;
	const uint8_t *bytes;

	w->interrupted = interrupt_look(w->interrupt);
	if (w->interrupted != INTERRUPTED_NOT) {
		w->why = STOP_LIMIT;
		return NULL;
	}
	bytes = reader_bytes(&w->reader, partition, (struct span){ at, n }, ahead);
	if (!bytes)
		w->why = STOP_INPUT;
	return bytes;
}

/* The vector stands before a counter of 32 bits. */
static void decrypt(struct worker *w, const struct toc_block *b, uint64_t n)
{
	const struct toc *t = &w->u->toc;
	const uint64_t block = (b->at - t->sections[SECTION_BLOCKS].at.at) / utoc_block_fixed_len;
	const struct held vector = held_part(t->sections[SECTION_VECTORS].held, block * TOC_VECTOR_LEN, TOC_VECTOR_LEN);
	uint8_t counter[AES_BLOCK_LEN] = { 0 };

	if (!toc_by_counter(t)) {
		aes_ecb(&w->aes, w->clear, n);
		return;
	}
	memcpy(counter, vector.bytes, (size_t)vector.len);
	aes_ctr(&w->aes, counter, w->clear, n);
}

/* A block's bytes as they were before they were encrypted. */
static const uint8_t *clear_bytes(struct worker *w, const struct toc_block *b)
{
	const uint64_t n = wanted(&w->u->toc, b);
	const uint8_t *stored = worker_stored(w, b, n);

	if (!stored || !w->decrypts)
		return stored;
	memcpy(w->clear, stored, (size_t)n);
	decrypt(w, b, n);
	return w->clear;
}

static uint32_t traits_of(struct worker *w, const struct toc_block *b, struct unpack r)
{
	switch (r.result) {
	case UNPACK_DONE: return r.n_used < b->compressed ? PAYLOAD_LEFT_OVER : 0;
	case UNPACK_SHORT: return PAYLOAD_SHORT;
	case UNPACK_FULL: return PAYLOAD_LONG;
	case UNPACK_NO_MEMORY: w->why = STOP_MEMORY; return 0;
	default: return MUTANT(190) ? 0 : PAYLOAD_BROKEN;               /* mutant: a broken block is any bytes */
	}
}

const uint8_t *worker_block(struct worker *w, const struct toc_block *b, uint32_t *traits)
{
	const uint8_t *in;

	*traits = 0;
	in = clear_bytes(w, b);
	if (!in || b->method == 0)
		return in;
	*traits = traits_of(w, b, method_unpack(&w->unpacker, (enum method)w->u->payload.methods[b->method], in, b->compressed, w->out,
						b->uncompressed));
	return w->why == STOP_NOT && !(*traits & PAYLOAD_SPOILED) ? w->out : NULL;
}

/* ---- Chunks ------------------------------------------------------------------------------------------------------------------------ */

/* A package begins with a record of where its parts lie. Blocks may be so small that it takes several; what follows it are bundles. */
static void count_package(struct worker *w, uint64_t chunk, const uint8_t *bytes, uint64_t n)
{
	const uint64_t length = toc_length(&w->u->toc, chunk), whole = length < sizeof w->head ? length : sizeof w->head;
	const uint64_t lacks = whole - w->n_head, some = n < lacks ? n : lacks;

	if (lacks > 0) {
		memcpy(w->head + w->n_head, bytes, (size_t)some);
		w->n_head += some;
		if (w->n_head == whole)
			conthdr_count_exports(&w->u->conthdr, w->head, whole, length, &w->counts, &w->bundles);
	}
	if (w->n_head == whole)
		conthdr_count_bundles(&w->bundles, held_part((struct held){ bytes, n }, some, n - some), &w->counts);
}

/* What it imports its first block tells, if anything does. A block that could not be decoded spoils the chunk. */
static void read_package(struct worker *w, uint64_t chunk, uint64_t block, const uint8_t *bytes, uint64_t n)
{
	if (block == 0) {
		w->n_head = 0;
		w->counts = (struct conthdr_counts){ .has_exports = false };
		w->imports.are_known = false;
	}
	if (bytes && w->wants_counts)
		count_package(w, chunk, bytes, n);
	if (bytes && block == 0 && w->imports.ids)
		conthdr_read_imports(&w->u->conthdr, bytes, n, &w->imports);
}

uint32_t worker_digest(struct worker *w, uint64_t chunk, enum digest_kind kind, atomic_uchar *marks, uint8_t out[DIGEST_LEN])
{
	const struct toc *t = &w->u->toc;
	const uint64_t first = toc_first_block(t, chunk), count = toc_block_count(t, chunk);
	uint64_t left = toc_length(t, chunk), n;
	uint32_t all = 0, traits;
	UVET_FILLED_LATER struct digest g;

	w->is_zeros = true;
	digest_start(&g, kind);
	for (uint64_t k = 0; k < count && w->why == STOP_NOT; k++) {
		const struct toc_block b = toc_block(t, first + k);
		const uint8_t *bytes = worker_block(w, &b, &traits);

		n = b.uncompressed < left ? b.uncompressed : left;
		if (traits != 0 && marks)
			atomic_fetch_or_explicit(&marks[first + k], (unsigned char)traits, memory_order_relaxed);
		all |= traits;
		if (w->is_package)
			read_package(w, chunk, k, bytes, n);
		if (bytes) {
			w->is_zeros = w->is_zeros && held_is_zero((struct held){ bytes, n });
			digest_add(&g, bytes, n);
		}
		left -= n;
	}
	digest_end(&g, out);
	return all;
}

/* Reading blocks: many stored bytes at a time, so that those of neighbouring blocks are read
 * once. */
#include "formats/blocks/block_reader.h"

#include <string.h>

#include "core/mutant.h"

/* ---- Opening --------------------------------------------------------------------------------- */

static uint64_t at_least(uint64_t n, uint64_t least)
{
	return n > least ? n : least;
}

static uint64_t at_most(uint64_t n, uint64_t most)
{
	return n < most ? n : most;
}

bool block_reader_open(struct decode *d, uint32_t group, const struct block_reader_plan *plan,
		       struct block_reader *r)
{
	const uint64_t padded = block_padded(plan->largest_read);
	const uint64_t window_len = at_least(
		padded, at_most(at_least(plan->longest_source, 1), BLOCK_WINDOW));

	*r = (struct block_reader){ .why = STOP_NOT,
				    .interrupt = d->work.interrupt,
				    .window_len = window_len };
	r->window = decode_alloc(d, group, window_len, 1);
	r->out = r->window ? decode_alloc(d, group, plan->largest_decoded, 1) : NULL;
	r->clear = r->out && plan->is_encrypted ? decode_alloc(d, group, padded, 1) : r->out;
	if (!r->clear)
		return false;
	arena_init(&r->arena, d->arena->from,
		   (d->arena->budget - d->arena->held) / plan->n_readers);
	unpacker_open(&r->unpacker, &r->arena, d->oodle);
	return true;
}

void block_reader_close(struct block_reader *r)
{
	arena_free(&r->arena);
	aes_wipe(&r->aes);
}

void block_reader_use_key(struct block_reader *r, enum block_cipher cipher, const struct key *key)
{
	r->has_key = key != NULL;
	r->has_ctr_key = cipher == BLOCK_CTR;
	if (!key)
		return;
	if (r->has_ctr_key)
		aes_for_ctr(&r->aes, key->bytes);
	else
		aes_for_ecb(&r->aes, key->bytes);
}

bool block_reader_stop(struct decode *d, uint32_t group, const struct block_reader *r)
{
	if (r->why == STOP_INPUT)
		return decode_stop_in(d, group, STOP_INPUT, &r->source, r->failed_at);
	if (r->why == STOP_LIMIT) {
		d->work.interrupted = r->interrupted;
		return decode_stop_limit(d, group, LIMIT_work, (struct span){ 0, 0 });
	}
	d->arena->refused |= r->arena.refused;
	d->arena->over_budget |= r->arena.over_budget;
	return decode_stop(d, group, r->why, (struct span){ 0, 0 });
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Moves what the window has from a place on to its beginning; returns how many bytes that are. */
static uint64_t keep_held(struct block_reader *r, uint64_t at)
{
	const uint64_t end = span_end(r->held);

	if (at < r->held.at || at >= end)
		return 0;
	memmove(r->window, r->window + (at - r->held.at), (size_t)(end - at));
	return end - at;
}

/* Reads what the window has not: it ends before the span does. */
static const uint8_t *read_ahead(struct block_reader *r, struct span span, uint64_t until)
{
	const uint64_t end = at_least(at_most(until, r->source.io.size), span_end(span));
	const uint64_t len = at_most(end - span.at, r->window_len), kept = keep_held(r, span.at);
	const struct span rest = { span.at + kept, len - kept };

	r->held = (struct span){ span.at, len };
	if (source_copy(&r->source, rest, r->window + kept))
		return r->window;
	r->why = STOP_INPUT;
	r->failed_at = rest;
	r->held.len = 0;
	return NULL;
}

const uint8_t *block_reader_stored(struct block_reader *r, const struct source *s, struct span span,
				   uint64_t until)
{
	r->interrupted = interrupt_look(r->interrupt);
	if (r->interrupted != INTERRUPTED_NOT) {
		r->why = STOP_LIMIT;
		return NULL;
	}
	if (s != r->of) {
		r->source = *s;
		r->of = s;
		r->held.len *= MUTANT(123); /* mutant: what another source had */
	}
	if (span.at >= r->held.at && span_end(span) <= span_end(r->held))
		return r->window + (span.at - r->held.at);
	return read_ahead(r, span, until);
}

/* ---- Decoding -------------------------------------------------------------------------------- */

static void decrypt(struct block_reader *r, const struct block *b, uint64_t n)
{
	uint8_t counter[AES_BLOCK_LEN] = { 0 };

	if (!r->has_ctr_key) {
		aes_ecb(&r->aes, r->clear, n);
		return;
	}
	memcpy(counter, b->vector, BLOCK_VECTOR_LEN);
	for (unsigned i = 0; i < 4; i++)
		counter[BLOCK_VECTOR_LEN + i] = (uint8_t)(b->counter >> (24 - 8 * i));
	aes_ctr(&r->aes, counter, r->clear, n);
}

/* A block's bytes as they were before they were encrypted. */
static const uint8_t *clear_bytes(struct block_reader *r, const struct source *s,
				  const struct block *b, uint64_t until)
{
	const uint64_t n = block_read_len(b);
	const uint8_t *stored = block_reader_stored(r, s, (struct span){ b->offset, n }, until);

	if (!stored || !r->has_key || b->cipher == BLOCK_CLEAR)
		return stored;
	memcpy(r->clear, stored, (size_t)n);
	decrypt(r, b, n);
	return r->clear;
}

static enum block_defect defect_of(struct block_reader *r, const struct block *b, struct unpack u)
{
	switch (u.result) {
	case UNPACK_DONE:
		return u.n_used < b->stored ? BLOCK_LEFT_OVER : BLOCK_SOUND;
	case UNPACK_SHORT:
		return BLOCK_SHORT;
	case UNPACK_FULL:
		return BLOCK_LONG;
	case UNPACK_NO_MEMORY:
		r->why = STOP_MEMORY;
		return BLOCK_SOUND;
	/* mutant: a broken block is any bytes */
	default:
		return MUTANT(190) ? BLOCK_SOUND : BLOCK_BROKEN;
	}
}

const uint8_t *block_reader_decode(struct block_reader *r, const struct source *s,
				   const struct block *b, uint64_t until, enum block_defect *defect)
{
	const uint8_t *in = clear_bytes(r, s, b, until);

	*defect = BLOCK_SOUND;
	if (!in || !b->is_packed)
		return in;
	*defect = defect_of(r, b,
			    method_unpack(&r->unpacker, b->method, in, b->stored, r->out, b->size));
	return r->why == STOP_NOT && *defect <= BLOCK_LEFT_OVER ? r->out : NULL;
}

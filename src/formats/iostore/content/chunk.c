/* Reads one chunk for the decoder of what it holds, and tells where a chunk's bytes are stored. */
#include <string.h>

#include "formats/iostore/content/parts.h"

static void note_broken(struct content *p, uint64_t chunk, uint64_t block)
{
	if (p->broke)
		return;
	p->broke = true;
	p->broke_at = block;
	p->broke_chunk = chunk;
}

static bool copy_blocks(struct worker *w, struct content *p, uint64_t chunk, uint8_t *out,
			uint64_t len)
{
	const struct toc *t = &w->u->toc;
	uint64_t block = toc_first_block(t, chunk), n;
	uint32_t traits = 0;

	for (uint64_t done = 0; done < len; done += n, block++) {
		const struct toc_block b = toc_block(t, block);
		const uint8_t *bytes = worker_block(w, &b, &traits);

		n = b.uncompressed < len - done ? b.uncompressed : len - done;
		if (!bytes && worker_runs(w))
			note_broken(p, chunk, block);
		if (!bytes)
			return false;
		memcpy(out + done, bytes, (size_t)n);
	}
	return true;
}

static const uint8_t *copy_chunk(struct decode *d, struct utoc *u, uint32_t group, uint64_t chunk,
				 const struct block_needs *needs, uint64_t len)
{
	uint8_t *out = decode_alloc(d, group, len, 1);
	const struct arena_mark mark = arena_mark(d->arena);
	struct worker w;
	bool done;

	if (!out || !worker_open(d, u, group, needs, 1, &w))
		return NULL;
	worker_use_key(&w, u->content.key_used);
	done = copy_blocks(&w, &u->content, chunk, out, len);
	if (!worker_runs(&w))
		block_reader_stop(d, group, &w.reader);
	else if (!done)
		decode_stop(d, group, STOP_MALFORMED, (struct span){ 0, 0 });
	arena_count(d->arena, w.reader.arena.peak);
	worker_close(&w);
	arena_rewind(d->arena, mark);
	return done ? out : NULL;
}

/* Whether bytes that cannot be decoded are counted here; the check of all content counts them
 * itself. */
static bool counts(const struct decode *d)
{
	return d->level == LEVEL_STRUCTURE;
}

static bool may_decode(struct decode *d, struct utoc *u, uint32_t group, uint64_t chunk,
		       struct block_needs *needs)
{
	struct unpacker codecs;
	enum content_fit fit;

	if (!decode_has(d, UTOC_RANGES))
		return decode_stop_needs(d, group, UTOC_RANGES);
	if (!decode_has(d, UTOC_PARTITIONS))
		return decode_stop_needs(d, group, UTOC_PARTITIONS);
	unpacker_open(&codecs, d->arena, d->oodle);
	fit = content_fit(u, &codecs, chunk, needs);
	if (fit == FIT_NO_CODEC) {
		block_stop_codecs(d, group, needs, counts(d));
		return false;
	}
	if (fit == FIT_NOT) {
		decode_stop(d, UTOC_CONTENT, STOP_MALFORMED, (struct span){ 0, 0 });
		return decode_stop_needs(d, group, UTOC_CONTENT);
	}
	return decode_spend(d, group,
			    block_work(needs->decoded) + 1 +
				    content_repeat_work(u, needs->packed)) &&
	       content_find_key(d, u, group, counts(d) ? needs->read : 0);
}

const uint8_t *content_chunk(struct decode *d, struct utoc *u, uint32_t group, uint64_t chunk,
			     uint64_t most, uint64_t *len)
{
	const uint64_t length = toc_length(&u->toc, chunk);
	struct block_needs needs = { .read = 0 };

	*len = length < most ? length : most;
	if (!may_decode(d, u, group, chunk, &needs))
		return NULL;
	return copy_chunk(d, u, group, chunk, &needs, *len);
}

bool content_find_byte(const struct utoc *u, uint64_t chunk, uint64_t offset, uint32_t *file,
		       uint64_t *at)
{
	const struct toc *t = &u->toc;
	const uint64_t number = toc_first_block(t, chunk) + offset / t->block_size,
		       in_block = offset % t->block_size;
	struct toc_block b, next;
	uint64_t partition;

	if (t->encrypted || !toc_has_blocks(t, chunk) || offset >= toc_length(t, chunk))
		return false;
	b = toc_block(t, number);
	partition = content_partition(t, b.offset, at);
	if (b.method != 0 || in_block >= b.uncompressed || partition >= u->content.n_partitions)
		return false;
	if (number + 1 < toc_first_block(t, chunk) + toc_block_count(t, chunk)) {
		next = toc_block(t, number + 1);
		if (next.method != 0 || next.offset != b.offset + b.compressed)
			return false;
	}
	*file = u->content.partitions[partition].file->number;
	*at += in_block;
	return u->content.partitions[partition].file->state == COMPANION_OPEN;
}

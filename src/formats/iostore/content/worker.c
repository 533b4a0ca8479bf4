/* Chunks: what their blocks need, and decoding them block by block, hashed at once. */
#include <string.h>

#include "core/mutant.h"
#include "formats/iostore/content/parts.h"

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* A block of the table without its vector, and the partition in which it lies. */
static struct block block_of(const struct utoc *u, const struct toc_block *b, uint64_t *partition)
{
	struct block out = {
		.stored = b->compressed,
		.size = b->uncompressed,
		.method = block_methods_get(&u->content.methods, b->method),
		.is_packed = b->method != 0,
		.cipher = toc_cipher(&u->toc),
	};

	*partition = content_partition(&u->toc, b->offset, &out.offset);
	return out;
}

static const uint8_t *vector_of(const struct toc *t, const struct toc_block *b)
{
	const struct held all = t->sections[SECTION_VECTORS].held;
	const struct rows vectors = { all.bytes, all.len / BLOCK_VECTOR_LEN, BLOCK_VECTOR_LEN };

	return rows_at(vectors, (b->at - t->sections[SECTION_BLOCKS].at.at) / utoc_block_fixed_len)
		.bytes;
}

/* ---- What can be decoded --------------------------------------------------------------------- */

/* A block with a defect that a rule about the tables tells is not decoded. */
static bool is_sound(const struct utoc *u, const struct toc_block *b)
{
	const struct toc *t = &u->toc;
	const uint32_t bad = BLOCK_LAYOUT_PAST_SPACE | BLOCK_LAYOUT_NO_PARTITION |
			     BLOCK_LAYOUT_CROSSES | BLOCK_LAYOUT_CUT;
	const uint32_t traits = content_block_traits(u, b);

	if (b->uncompressed > t->block_size)
		return false;
	if (b->compressed == 0 ? b->uncompressed > 0
			       : b->method == 0 && b->compressed < b->uncompressed)
		return false;
	return !(traits & bad) && !(traits & BLOCK_LAYOUT_PAD_CUT && toc_cipher(t) == BLOCK_ECB);
}

/* The stored bytes that there are: what blocks claim, but no more than the files have. */
uint64_t content_repeat_work(const struct utoc *u, uint64_t packed)
{
	const struct content *p = &u->content;
	uint64_t there = 0;

	for (uint64_t i = 0; i < p->n_partitions; i++)
		there += p->partitions[i].size;
	return block_repeat_work(p->distinct < there ? p->distinct : there, packed);
}

static bool is_ranged(const struct toc *t, uint64_t chunk)
{
	return toc_has_blocks(t, chunk) && toc_offset(t, chunk) % t->block_size == 0;
}

enum content_fit content_fit(const struct utoc *u, const struct unpacker *codecs, uint64_t chunk,
			     struct block_needs *n)
{
	const struct toc *t = &u->toc;
	const uint64_t first = toc_first_block(t, chunk), count = toc_block_count(t, chunk);
	struct block_needs sum = *n;
	enum content_fit fit = FIT;
	enum method lacking = METHOD_NONE;
	uint64_t given = 0, partition;

	if (!is_ranged(t, chunk))
		return FIT_NOT;
	for (uint64_t k = 0; k < count; k++) {
		const struct toc_block row = toc_block(t, first + k);
		const struct block b = block_of(u, &row, &partition);

		if (b.method == METHOD_UNKNOWN || !is_sound(u, &row) ||
		    (k + 1 < count && b.size != t->block_size))
			return FIT_NOT;
		if (fit == FIT && block_lacks_decoder(&b, codecs, &lacking))
			fit = FIT_NO_CODEC;
		block_needs_add(&sum, &b);
		given += b.size;
	}
	if (given < toc_length(t, chunk))
		return FIT_NOT;
	if (fit == FIT)
		*n = sum;
	else
		n->lacking[lacking] += sum.read - n->read;
	return fit;
}

/* ---- Workers --------------------------------------------------------------------------------- */

static uint64_t longest_partition(const struct content *p)
{
	uint64_t longest = 0;

	for (uint64_t i = 0; i < p->n_partitions; i++)
		longest = p->partitions[i].size > longest ? p->partitions[i].size : longest;
	return longest;
}

bool worker_open(struct decode *d, struct utoc *u, uint32_t group, const struct block_needs *n,
		 unsigned n_workers, struct worker *w)
{
	const struct block_reader_plan plan = {
		.largest_read = n->largest_read,
		.largest_decoded = n->largest_decoded,
		.longest_source = longest_partition(&u->content),
		.is_encrypted = u->toc.encrypted,
		.n_readers = n_workers,
	};

	*w = (struct worker){ .u = u };
	return block_reader_open(d, group, &plan, &w->reader);
}

void worker_close(struct worker *w)
{
	block_reader_close(&w->reader);
}

void worker_use_key(struct worker *w, const struct key *key)
{
	block_reader_use_key(&w->reader, toc_cipher(&w->u->toc), key);
}

static const struct source *partition_source(const struct worker *w, uint64_t partition)
{
	return &w->u->content.partitions[partition].file->source;
}

/* Where reading ahead ends, in the partition of a block that lies at offset `at` in it. */
static uint64_t until_of(const struct worker *w, const struct toc_block *b, uint64_t at)
{
	return w->until > b->offset ? at + (w->until - b->offset) : 0;
}

const uint8_t *worker_stored(struct worker *w, const struct toc_block *b, uint64_t n)
{
	uint64_t at, partition = content_partition(&w->u->toc, b->offset, &at);

	return block_reader_stored(&w->reader, partition_source(w, partition),
				   (struct span){ at, n }, until_of(w, b, at));
}

static const uint32_t traits_of[] = {
	[BLOCK_SOUND] = 0,
	[BLOCK_LEFT_OVER] = PAYLOAD_LEFT_OVER,
	[BLOCK_SHORT] = PAYLOAD_SHORT,
	[BLOCK_LONG] = PAYLOAD_LONG,
	[BLOCK_BROKEN] = PAYLOAD_BROKEN,
};

const uint8_t *worker_block(struct worker *w, const struct toc_block *b, uint32_t *traits)
{
	uint64_t partition;
	struct block block = block_of(w->u, b, &partition);
	enum block_defect defect;
	const uint8_t *bytes;

	if (block.cipher == BLOCK_CTR)
		block.vector = vector_of(&w->u->toc, b);
	bytes = block_reader_decode(&w->reader, partition_source(w, partition), &block,
				    until_of(w, b, block.offset), &defect);
	*traits = traits_of[defect];
	return bytes;
}

/* ---- Chunks ---------------------------------------------------------------------------------- */

/* Nearly all chunks show in their first bytes that they are not all 0, and a pass over the rest
 * would cost a tenth of their digest. */
static bool is_zeros(struct held bytes)
{
	enum { FIRST = 16 };

	return (bytes.len < FIRST || held_is_zero(held_part(bytes, 0, FIRST))) &&
	       held_is_zero(bytes);
}

uint32_t worker_digest(struct worker *w, uint64_t chunk, enum digest_kind kind,
		       atomic_ushort *marks, uint8_t out[DIGEST_LEN])
{
	const struct toc *t = &w->u->toc;
	const uint64_t first = toc_first_block(t, chunk), count = toc_block_count(t, chunk);
	uint64_t left = toc_length(t, chunk), n;
	uint32_t all = 0, traits;
	UVET_FILLED_LATER struct digest g;

	w->is_zeros = true;
	if (w->is_package)
		package_reader_begin(&w->package, left);
	digest_start(&g, kind);
	for (uint64_t k = 0; k < count && worker_runs(w); k++) {
		const struct toc_block b = toc_block(t, first + k);
		const uint8_t *bytes = worker_block(w, &b, &traits);

		n = b.uncompressed < left ? b.uncompressed : left;
		if (traits != 0 && marks)
			atomic_fetch_or_explicit(&marks[first + k], (unsigned short)traits,
						 memory_order_relaxed);
		all |= traits;
		if (w->is_package)
			package_reader_add(&w->package, (struct held){ bytes, n });
		if (bytes) {
			w->is_zeros = w->is_zeros && is_zeros((struct held){ bytes, n });
			digest_add(&g, bytes, n);
		}
		left -= n;
	}
	digest_end(&g, out);
	return all;
}

/* Chunks, their ranges and metas: one pass over the tables, in which a chunk without defects costs
 * a few comparisons. */
#include "core/mutant.h"
#include "formats/iostore/toc/chunk_ids.h"
#include "formats/iostore/toc/perfect_hash.h"
#include "formats/iostore/toc/toc.h"

#define PACKAGE_MAX 0x7FFFFFFFu /* the engine's int32 */

/* ---- Ids ------------------------------------------------------------------------------------- */

/* Whether ids of this type are the bytes of a hash. */
static bool is_hash(enum chunk_type type)
{
	return type == CHUNK_EXTERNAL_FILE || type == CHUNK_SHADER;
}

/* The traits that follow from the type byte alone. */
static uint32_t type_traits(const struct toc *t, unsigned byte)
{
	switch (t->types[byte]) {
	case CHUNK_INVALID:
		return CHUNK_TYPE_INVALID;
	case CHUNK_UNKNOWN:
		return CHUNK_TYPE_UNKNOWN;
	case CHUNK_EDITOR:
		return CHUNK_TYPE_EDITOR;
	case CHUNK_GLOBAL_META:
	case CHUNK_INITIAL_LOAD_META:
	case CHUNK_GLOBAL_NAMES:
	case CHUNK_GLOBAL_NAME_HASHES:
	case CHUNK_SCRIPT_OBJECTS:
		return t->name.is_global ? 0 : CHUNK_TYPE_GLOBAL;
	default:
		return 0;
	}
}

/* An index of UE5 that is small only if its bytes are swapped. In later versions the upper byte
 * of the index of bulk data may be the number of a piece that was cooked by itself. */
static bool is_swapped(const struct toc *t, struct utoc_chunk_id_row id, enum chunk_type type)
{
	const uint64_t index = utoc_chunk_id_get_index(id);

	return t->version >= TOC_OVERFLOW && index != 0 && index <= 0xFF &&
	       !(toc_is_bulk(type) && t->version >= TOC_ON_DEMAND_METAS);
}

static uint32_t id_traits(const struct toc *t, struct utoc_chunk_id_row id)
{
	const enum chunk_type type = (enum chunk_type)t->types[utoc_chunk_id_get_type(id)];
	uint32_t traits = type_traits(t, (unsigned)utoc_chunk_id_get_type(id));

	if (utoc_chunk_id_get_id(id) == 0 && utoc_chunk_id_word(id, 2) == 0)
		return CHUNK_NULL_ID;
	if (is_hash(type))
		return traits;
	traits |= utoc_chunk_id_get_pad(id) != 0 ? CHUNK_PAD : 0;
	if (is_swapped(t, id, type))
		traits |= CHUNK_SWAPPED_INDEX;
	else if (type == CHUNK_EXPORT_BUNDLE && toc_index(t, id) > 1)
		traits |= CHUNK_ODD_INDEX;
	return traits;
}

/* ---- Ranges and their blocks ----------------------------------------------------------------- */

/* For chunks that share no blocks, so each block is read once. */
static struct toc_sum add_blocks(const struct toc *t, const struct toc_chunk *c)
{
	struct toc_sum s = { .partial = t->n_blocks, .compressed = t->n_blocks };

	for (uint64_t i = c->first_block; i < c->first_block + c->n_blocks; i++) {
		const struct toc_block b = toc_block(t, i);

		s.given += b.uncompressed;
		if (b.method != 0)
			s.compressed = i;
		if (b.uncompressed != t->block_size && i < s.partial)
			s.partial = i;
	}
	return s;
}

static void look_at_blocks(const struct toc *t, struct toc_chunk *c)
{
	const bool shares = (c->traits & CHUNK_OVERLAPS) != 0;
	const struct toc_sum s = shares ? toc_sum_of(t, c->first_block, c->n_blocks)
					: add_blocks(t, c);
	const uint64_t last = c->first_block + c->n_blocks - 1,
		       rest = c->range.length - (c->n_blocks - 1) * t->block_size;

	c->given = s.given;
	c->is_compressed = s.compressed <= last;
	c->odd_block = s.partial < last ? s.partial : last;
	c->odd_gives = toc_block(t, c->odd_block).uncompressed;
	if (s.partial < last)
		c->traits |= CHUNK_PARTIAL_BLOCK;
	else if (c->odd_gives != rest)
		c->traits |= c->odd_gives < rest ? CHUNK_LAST_SHORT : CHUNK_LAST_LONG;
	if (c->given < c->range.length)
		c->traits |= CHUNK_BLOCKS_SHORT;
	if (c->is_compressed && (c->type == CHUNK_SCRIPT_OBJECTS ||
				 c->type == CHUNK_SHADER_LIBRARY || c->type == CHUNK_SHADER))
		c->traits |= CHUNK_COMPRESSED_CODE;
}

static void look_at_range(const struct toc *t, struct toc_chunk *c)
{
	const uint64_t offset = c->range.offset, length = c->range.length;

	if (offset + length > TOC_SPACE_END)
		c->traits |= CHUNK_PAST_SPACE;
	if (length == 0) {
		c->traits |= CHUNK_EMPTY;
		if (t->version == TOC_DIRECTORY_INDEX && offset > t->n_blocks * t->block_size)
			c->traits |= CHUNK_EMPTY_OUTSIDE;
		return;
	}
	if (offset % t->block_size != 0)
		c->traits |= CHUNK_MISALIGNED;
	if (length > PACKAGE_MAX &&
	    (c->type == CHUNK_EXPORT_BUNDLE || c->type == CHUNK_CONTAINER_HEADER))
		c->traits |= CHUNK_TOO_LONG;
	if (c->first_block + c->n_blocks > t->n_blocks)
		c->traits |= CHUNK_OUTSIDE;
	if (t->overlapping && toc_bit(t->overlapping, c->number))
		c->traits |= CHUNK_OVERLAPS;
	if (!(c->traits & (CHUNK_OUTSIDE | CHUNK_MISALIGNED)))
		look_at_blocks(t, c);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

void toc_chunk_at(const struct toc *t, uint64_t chunk, struct toc_chunk *out)
{
	const struct utoc_chunk_id_row id = toc_id_row(t, chunk);
	const struct finder f = finder_of(t);

	*out = (struct toc_chunk){
		.id = { t->sections[SECTION_IDS].at.at + chunk * utoc_chunk_id_fixed_len,
			utoc_chunk_id_get_id(id), toc_index(t, id), utoc_chunk_id_get_pad(id),
			utoc_chunk_id_get_type(id) },
		.range = { t->sections[SECTION_RANGES].at.at + chunk * utoc_range_fixed_len,
			   toc_offset(t, chunk), toc_length(t, chunk) },
		.number = chunk,
		.first_block = toc_first_block(t, chunk),
		.n_blocks = toc_block_count(t, chunk),
		.type = toc_type(t, chunk),
		.traits = id_traits(t, id),
	};
	look_at_range(t, out);
	if (t->n_seeds > 0 && !finder_finds(&f, id, chunk))
		out->traits |= CHUNK_LOST;
	if (toc_is_alone(t, chunk))
		out->traits |= CHUNK_BULK_ALONE;
}

void toc_meta_at(const struct toc *t, uint64_t chunk, struct toc_meta *out)
{
	struct toc_chunk c;

	toc_chunk_at(t, chunk, &c);
	toc_read_meta(t, chunk, out);
	out->is_compressed = c.is_compressed;
	out->type = c.type;
	out->traits = toc_meta_traits(&c, out);
}

/* ---- The pass -------------------------------------------------------------------------------- */

struct pass {
	struct decode *d;
	struct toc *t;
	uint64_t *owned, *overlapping;
	struct finder finder;
	bool has_hash, stopped;
	/* the type byte of container headers in the other engine's list; always LOOK_CLOSER */
	uint8_t other_header;
};

/* What must be checked of a chunk because of its type. Types come in no order, so a branch on them
 * is mispredicted; a table is not. */
enum { LOOK_CLOSER = 1, LOOK_AT_INDEX = 2, LOOK_IF_COMPRESSED = 4 };
static const uint8_t looks[CHUNK_N_TYPES] = {
	[CHUNK_INVALID] = LOOK_CLOSER,
	[CHUNK_UNKNOWN] = LOOK_CLOSER,
	[CHUNK_INSTALL_MANIFEST] = LOOK_CLOSER,
	[CHUNK_GLOBAL_META] = LOOK_CLOSER,
	[CHUNK_INITIAL_LOAD_META] = LOOK_CLOSER,
	[CHUNK_GLOBAL_NAMES] = LOOK_CLOSER,
	[CHUNK_GLOBAL_NAME_HASHES] = LOOK_CLOSER,
	[CHUNK_CONTAINER_HEADER] = LOOK_CLOSER,
	[CHUNK_SHADER_LIBRARY] = LOOK_CLOSER,
	[CHUNK_SCRIPT_OBJECTS] = LOOK_CLOSER,
	[CHUNK_EDITOR] = LOOK_CLOSER,
	[CHUNK_EXPORT_BUNDLE] = LOOK_AT_INDEX,
	[CHUNK_BULK] = LOOK_AT_INDEX,
	[CHUNK_OPTIONAL_BULK] = LOOK_AT_INDEX,
	[CHUNK_MAPPED_BULK] = LOOK_AT_INDEX,
	[CHUNK_SHADER] = LOOK_IF_COMPRESSED,
};

/* What the blocks of a chunk are. */
struct claim {
	/* not 0: some block but the last does not give the block size; some block has a method */
	uint64_t partial, compressed;
};

/* Marks n blocks as owned, a word of bits at a time, up to the first that another chunk owns. */
UVET_RARE static bool own_many(struct pass *p, uint64_t first, uint64_t n, struct claim *c)
{
	*c = (struct claim){ 0, 0 };
	for (uint64_t k = first, end = first + n, some; k < end; k += some) {
		uint64_t *word = &p->owned[k / 64], mask, taken;

		some = 64 - k % 64 < end - k ? 64 - k % 64 : end - k;
		mask = UINT64_MAX >> (64 - some) << k % 64;
		taken = *word & mask;
		/* up to the first that is another's */
		*word |= taken == 0 ? mask : mask & (((uint64_t)1 << bits_lowest(taken)) - 1);
		/* mutant: far from the first one blocks may be shared */
		if (taken != 0 && !(MUTANT(241) && k > first + 64))
			return MUTANT(112); /* mutant: blocks may be shared */
		c->compressed |= p->t->compressed_blocks[k / 64] & mask;
		c->partial |= ~p->t->full_blocks[k / 64] &
			      (k + some == end ? mask & mask >> 1 : mask);
	}
	return true;
}

/* Marks a chunk's blocks as owned; false: another chunk owns one of them. Most chunks have few
 * blocks, whose bits are in one word. */
static inline bool own(struct pass *p, uint64_t first, uint64_t n, struct claim *c)
{
	const uint64_t word = first / 64, from = first % 64;
	uint64_t mask;

	if (n > 63 - from)
		return own_many(p, first, n, c);
	mask = (((uint64_t)1 << n) - 1) << from;
	if ((p->owned[word] & mask) != 0)
		return own_many(p, first, n, c);
	p->owned[word] |= mask;
	c->compressed = p->t->compressed_blocks[word] & mask;
	c->partial = ~p->t->full_blocks[word] & mask & mask >> 1;
	return true;
}

/* The bitmap of such chunks is made for the first. */
UVET_RARE static void note_overlap(struct pass *p, uint64_t chunk)
{
	const uint64_t words = p->t->n_chunks / 64 + 1;

	if (!p->overlapping) {
		p->overlapping = decode_alloc(p->d, UTOC_CHUNKS, words, sizeof(uint64_t));
		p->stopped = !p->overlapping || !toc_make_sums(p->d, p->t);
		if (p->stopped)
			return;
		memset(p->overlapping, 0, (size_t)words * sizeof(uint64_t));
		p->t->overlapping = p->overlapping;
	}
	p->overlapping[chunk / 64] |= (uint64_t)1 << chunk % 64;
}

/* The complete check, of a chunk that is not plain. */
UVET_RARE static void look_closer(struct pass *p, uint64_t chunk)
{
	struct toc_chunk c;
	struct toc_meta m;

	toc_chunk_at(p->t, chunk, &c);
	p->t->chunk_traits |= c.traits;
	toc_read_meta(p->t, chunk, &m);
	p->t->n_mapped += (m.meta.flags & TOC_META_MEMORY_MAPPED) != 0;
	p->t->meta_traits |= toc_meta_traits(&c, &m);
}

/* Notes container headers, and chunks that are container headers by the other engine's list of
 * types. */
UVET_RARE static void note_special(struct pass *p, uint64_t chunk, struct utoc_chunk_id_row id)
{
	struct toc *t = p->t;

	if (utoc_chunk_id_get_type(id) == p->other_header &&
	    utoc_chunk_id_get_id(id) == t->header.container_id)
		t->n_wrong_headers++;
	if (t->types[utoc_chunk_id_get_type(id)] != CHUNK_CONTAINER_HEADER)
		return;
	if (t->header_chunk == TOC_NONE ||
	    (toc_has_own_id(t, chunk) && !toc_has_own_id(t, t->header_chunk)))
		t->header_chunk = (uint32_t)chunk;
}

/* Whether the last of n blocks decompresses to what is left of the range. */
static inline bool last_is_plain(const struct toc *t, struct utoc_block_row last, uint64_t n,
				 uint64_t length)
{
	return utoc_block_get_uncompressed(last) == length - (n - 1) * t->block_size;
}

/* With metas without padding there are no short rows: the row is all zeros, which is not plain. */
static inline bool short_meta_is_plain(struct utoc_short_meta_row row, bool compressed)
{
	/* flags and padding */
	return utoc_short_meta_get_hash_0(row) != 0 && utoc_short_meta_word(row, 5) == compressed;
}

static inline bool meta_is_plain(const struct toc *t, uint64_t chunk, bool compressed)
{
	if (t->version < TOC_SHORT_METAS) {
		const struct utoc_meta_row row = utoc_meta_at(t->metas, chunk);
		const uint64_t padding = utoc_meta_get_pad_0(row) | utoc_meta_get_pad_1(row);

		return utoc_meta_get_hash_0(row) != 0 && padding == 0 &&
		       utoc_meta_get_flags(row) == compressed;
	}
	return short_meta_is_plain(utoc_short_meta_at(t->short_metas, chunk), compressed);
}

/* Not 0: because of its type the chunk is not plain. */
UVET_WRAPS static inline uint64_t odd_by_type(unsigned look, struct utoc_chunk_id_row id,
					      uint64_t compressed)
{
	const uint64_t index = utoc_chunk_id_word(id, 2) & 0xFFFFFF,
		       at_index = look / LOOK_AT_INDEX & 1;
	const uint64_t if_compressed = look / LOOK_IF_COMPRESSED & 1;

	return (index & -at_index) | (compressed & -if_compressed);
}

/* The fast path: tells whether a chunk has no defect, and marks its blocks as owned. */
static inline bool is_plain(struct pass *p, uint64_t i, struct utoc_chunk_id_row id,
			    struct utoc_range_row range, uint64_t slot)
{
	struct toc *t = p->t;
	const struct utoc_block_rows blocks = t->blocks;
	const uint64_t offset = utoc_range_get_offset(range), length = utoc_range_get_length(range);
	const unsigned type = t->types[utoc_chunk_id_get_type(id)], look = looks[type];
	struct claim c;
	uint64_t first, last;

	t->n_of_type[type]++;
	if (look & LOOK_CLOSER)
		note_special(p, i, id);
	if (length == 0 || offset + length > TOC_SPACE_END)
		return false;
	first = toc_block_of(t, offset);
	last = toc_block_of(t, offset + length - 1);
	if (last >= blocks.n || first * t->block_size != offset)
		return false;
	if (!own(p, first, last - first + 1, &c)) {
		note_overlap(p, i);
		return false;
	}
	if (length > PACKAGE_MAX ||
	    !last_is_plain(t, utoc_block_at(blocks, last), last - first + 1, length))
		return false;
	if (c.partial != 0 || look & LOOK_CLOSER)
		return false;
	if (odd_by_type(look, id, c.compressed) != 0)
		return false;
	if (slot != i && p->has_hash && !finder_finds(&p->finder, id, i))
		return false;
	return meta_is_plain(t, i, c.compressed != 0);
}

/* Marks the blocks of a chunk as owned that is_plain gave up on before it did so. */
static void own_odd(struct pass *p, uint64_t i)
{
	const struct toc *t = p->t;
	const uint64_t offset = toc_offset(t, i), n = toc_block_count(t, i);
	const bool is_odd = offset % t->block_size != 0 ||
			    offset + toc_length(t, i) > TOC_SPACE_END;
	struct claim c;

	if (is_odd && n > 0 && toc_has_blocks(t, i) && !own(p, toc_first_block(t, i), n, &c))
		note_overlap(p, i);
}

/* Whether a chunk and its meta have no defect, by the complete check. */
static inline bool is_sound(const struct toc *t, uint64_t chunk)
{
	struct toc_chunk c;
	struct toc_meta m;

	toc_chunk_at(t, chunk, &c);
	toc_read_meta(t, chunk, &m);
	return (c.traits & toc_chunk_defects) == 0 &&
	       (toc_meta_traits(&c, &m) & toc_meta_defects) == 0;
}

/* Scans n chunks of the table from `first` on. */
static void scan_some(struct pass *p, uint64_t first, uint64_t n, uint64_t slots[FINDER_MANY])
{
	const struct utoc_chunk_id_rows ids = utoc_chunk_id_part(p->t->ids, first, n);
	const struct utoc_range_rows ranges = utoc_range_part(p->t->ranges, first, n);

	if (NEVER(ids.n != n || ranges.n != n))
		return;
	if (p->has_hash)
		finder_lead(&p->finder, ids, slots);
	for (uint64_t k = 0; k < n && !p->stopped; k++) {
		const uint64_t i = first + k;

		if (is_plain(p, i, utoc_chunk_id_at(ids, k), utoc_range_at(ranges, k), slots[k])) {
			PLAIN(is_sound(p->t, i));
			continue;
		}
		own_odd(p, i);
		look_closer(p, i);
	}
}

static void scan_chunks(struct pass *p)
{
	const struct toc *t = p->t;
	uint64_t slots[FINDER_MANY] = { 0 };

	/* mutant: not the first */
	for (uint64_t first = MUTANT(117), n; first < t->n_chunks && !p->stopped; first += n) {
		n = t->n_chunks - first < FINDER_MANY ? t->n_chunks - first : FINDER_MANY;
		p->stopped = !decode_goes_on(p->d, UTOC_CHUNKS, first);
		toc_fetch_chunks(t, first, n, FINDER_MANY);
		scan_some(p, first, n, slots);
	}
}

/* Counts the blocks that no chunk claims. */
static void count_unowned(struct toc *t, const uint64_t *owned)
{
	for (uint64_t i = 0; i < t->n_blocks; i += 64) {
		const uint64_t left = t->n_blocks - i,
			       all = left >= 64 ? UINT64_MAX : ((uint64_t)1 << left) - 1;
		uint64_t free = ~owned[i / 64] & all;

		if (free != 0 && t->n_unowned == 0)
			t->first_unowned = i + bits_lowest(free);
		for (; free != 0; free &= free - 1)
			t->n_unowned++;
	}
	t->block_traits |= t->n_unowned > 0 ? BLOCK_UNOWNED : 0;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static bool decode_chunks(struct decode *d, struct toc *t)
{
	struct pass p = { .d = d, .t = t, .finder = finder_of(t), .has_hash = t->n_seeds > 0 };
	const uint64_t words = t->n_blocks / 64 + 1;

	if (!decode_spend(d, UTOC_CHUNKS, t->n_chunks + t->n_blocks))
		return false;
	p.owned = decode_alloc(d, UTOC_CHUNKS, words, sizeof(uint64_t));
	if (!p.owned)
		return false;
	memset(p.owned, 0, (size_t)words * sizeof(uint64_t));
	p.other_header = chunk_type_byte(t->version >= TOC_OVERFLOW ? TOC_DIRECTORY_INDEX
								    : TOC_OVERFLOW,
					 CHUNK_CONTAINER_HEADER);
	scan_chunks(&p);
	if (p.stopped)
		return false;
	count_unowned(t, p.owned);
	t->owned = p.owned;
	t->finds_all = t->n_seeds > 0 && !(t->chunk_traits & CHUNK_LOST);
	if ((!t->finds_all || t->n_overflow > 0) && !toc_find_pairs(d, t))
		return false;
	return toc_find_packages(d, t);
}

void toc_decode_chunks(struct decode *d, struct toc *t)
{
	if (!decode_chunks(d, t))
		decode_stop_needs(d, UTOC_METAS, UTOC_CHUNKS);
}

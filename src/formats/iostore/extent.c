/* How far a container's files reach: the .utoc to the end of its sections, a .ucas to that of its
 * last block; and whether blocks begin where the .utoc says. */
#include "formats/iostore/extent.h"

#include <string.h>

#include "codec/inflate.h"
#include "formats/iostore/content/parts.h"

/* ---- How blocks begin ------------------------------------------------------------------------ */

enum { BEGIN_LEN = 4 };

static bool begins_zlib(const uint8_t b[BEGIN_LEN])
{
	return inflate_looks_like_zlib(b[0], b[1]);
}

static bool begins_zstd(const uint8_t b[BEGIN_LEN])
{
	static const uint8_t magic[BEGIN_LEN] = { 0x28, 0xB5, 0x2F, 0xFD };

	return memcmp(b, magic, sizeof magic) == 0;
}

/* The low half of the first byte, and the number of a codec, with a bit for a checksum. */
static bool begins_oodle(const uint8_t b[BEGIN_LEN])
{
	const unsigned codec = b[1] & 0x7Fu;

	return (b[0] & 0xF) == 0xC && (codec == 5 || codec == 6 || (codec >= 10 && codec <= 12));
}

typedef bool begins(const uint8_t b[BEGIN_LEN]);

/* NULL: streams of the method begin with anything. */
static begins *beginning_of(enum method method)
{
	return method == METHOD_ZLIB    ? begins_zlib
	       : method == METHOD_ZSTD  ? begins_zstd
	       : method == METHOD_OODLE ? begins_oodle
					: NULL;
}

static bool read_begin(struct source *s, uint64_t at, uint8_t bytes[BEGIN_LEN])
{
	const struct span span = { at, BEGIN_LEN };

	return span_end(span) <= s->io.size && source_copy(s, span, bytes);
}

/* Where a block would be if the bytes that the file has too much, or too few, were before it. */
static uint64_t moved(uint64_t at, uint64_t size, uint64_t needs)
{
	if (size >= needs)
		return at + (size - needs);
	return at >= needs - size ? at - (needs - size) : UINT64_MAX;
}

/* The last block may be padded. */
static bool is_moved(struct source *s, uint64_t at, begins *like, uint64_t needs)
{
	const uint64_t ends[] = { needs, block_padded(needs) };
	uint8_t bytes[BEGIN_LEN];

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (read_begin(s, moved(at, s->io.size, ends[i]), bytes) && like(bytes))
			return true;
	return false;
}

/* What is not there is nothing else, and zeros are what was never filled in. */
static void look_at_block(struct source *s, uint64_t at, begins *like, struct extent *out)
{
	static const uint8_t zeros[BEGIN_LEN] = { 0 };
	uint8_t bytes[BEGIN_LEN];

	if (!read_begin(s, at, bytes) || memcmp(bytes, zeros, sizeof zeros) == 0)
		return;
	out->n_places++;
	if (like(bytes))
		return;
	out->n_unlike++;
	out->n_moved += is_moved(s, at, like, out->needs);
}

/* How many blocks are looked at, in even steps through all of them. */
enum { LOOKS_MAX = 64 };

/* What a read that fails would have told is not counted. Of a file whose chunks were all right no
 * byte is read again. */
static void look_at_blocks(const struct decode *d, const struct utoc *u, const struct partition *p,
			   struct extent *out)
{
	const struct toc *t = &u->toc;
	const uint64_t number = (uint64_t)(p - u->content.partitions);
	const uint64_t step = t->n_blocks / LOOKS_MAX + 1;
	struct source *file = source_numbered(d->source, p->file->number);

	if (!file || toc_cipher(t) != BLOCK_CLEAR || (p->n_judged > 0 && p->n_wrong == 0))
		return;
	for (uint64_t i = 0; i < t->n_blocks; i += step) {
		const struct toc_block b = toc_block(t, i);
		begins *like = beginning_of(block_methods_get(&u->content.methods, b.method));
		uint64_t at;

		if (like && b.compressed >= BEGIN_LEN &&
		    content_partition(t, b.offset, &at) == number)
			look_at_block(file, at, like, out);
	}
}

/* ---- Ends ------------------------------------------------------------------------------------ */

/* The blocks of a partition: those that its file has, and those of which it lacks bytes. */
struct reach {
	uint64_t n_in, in_end;           /* the highest end, rounded up to a multiple of 16 */
	uint64_t n_cut, cut_at, cut_end; /* the lowest offset, and the highest end */
};

static void reach_block(const struct partition *p, uint64_t at, uint64_t len, struct reach *r)
{
	if (at + len <= p->size) {
		r->n_in++;
		if (at + toc_stored(len) > r->in_end)
			r->in_end = at + toc_stored(len);
		return;
	}
	if (r->n_cut++ == 0 || at < r->cut_at)
		r->cut_at = at;
	if (at + len > r->cut_end)
		r->cut_end = at + len;
}

/* A block that stores more than it gives is left out: its record is damaged. */
static struct reach reach_blocks(const struct utoc *u, uint64_t partition)
{
	const uint32_t elsewhere = ~(uint32_t)(BLOCK_LAYOUT_CUT | BLOCK_LAYOUT_PAD_CUT);
	struct reach r = { .n_in = 0 };

	for (uint64_t i = 0; i < u->toc.n_blocks; i++) {
		const struct toc_block b = toc_block(&u->toc, i);
		uint64_t at;

		if (b.compressed == 0 || b.compressed > toc_stored(b.uncompressed) ||
		    content_partition(&u->toc, b.offset, &at) != partition ||
		    content_block_traits(u, &b) & elsewhere)
			continue;
		reach_block(&u->content.partitions[partition], at, b.compressed, &r);
	}
	return r;
}

/* Blocks follow one another. So the first that a truncated file lacks begins where the last that it
 * has ends; one that begins elsewhere has a damaged record. */
static bool is_cut_off(const struct reach *r)
{
	return r->n_cut > 0 && r->cut_at <= r->in_end + TOC_PADDING_MAX &&
	       r->cut_at + 15 >= r->in_end;
}

/* How many of the blocks can be damaged records: one, or one of so many. */
enum { DAMAGED_OF = 64 };

static bool has_damaged_record(const struct reach *r)
{
	return r->n_in > 0 && (r->n_cut == 1 || r->n_cut <= r->n_in / DAMAGED_OF);
}

/* Where the container header ends if it lies in this partition, rounded up to a multiple of 16, as
 * engines read it in one piece; 0: elsewhere. Some packers do not pad it. */
static uint64_t padded_end(const struct utoc *u, uint64_t number)
{
	const struct toc *t = &u->toc;
	uint64_t at;

	if (t->version < TOC_OVERFLOW || t->header_chunk == TOC_NONE ||
	    !toc_has_blocks(t, t->header_chunk) || toc_block_count(t, t->header_chunk) == 0 ||
	    content_partition(t, toc_block(t, toc_first_block(t, t->header_chunk)).offset, &at) !=
		    number)
		return 0;
	return at + toc_stored(toc_length(t, t->header_chunk));
}

/* Writers pad the last block. Where some of that is there, and not as much as is needed, it was
 * truncated. */
static uint64_t end_of_padding(const struct utoc *u, uint64_t number)
{
	const struct partition *p = &u->content.partitions[number];
	const uint64_t padded = padded_end(u, number);

	if (p->size <= p->end)
		return p->end;
	if (p->size >= p->stored_end || padded == p->stored_end)
		return p->stored_end;
	return p->size;
}

/* Where the end is: of a record that is damaged nothing is known. */
static void take_end(const struct utoc *u, uint64_t number, struct extent *out)
{
	const struct reach r = reach_blocks(u, number);

	out->is_agreed = is_cut_off(&r);
	if (!out->is_agreed && r.n_cut > 0 && has_damaged_record(&r))
		return;
	out->is_end = true;
	out->needs = out->is_agreed ? r.cut_end : end_of_padding(u, number);
}

static void take_partition(const struct decode *d, const struct utoc *u, uint64_t number,
			   struct extent *out)
{
	const struct partition *p = &u->content.partitions[number];

	out->n_compared = p->n_judged;
	out->n_differ = p->n_wrong;
	out->n_same = p->n_right;
	out->n_before = p->n_before;
	out->is_proved = p->n_right > 0 && p->n_wrong == 0;
	out->part_max = u->toc.block_size;
	take_end(u, number, out);
	look_at_blocks(d, u, p, out);
}

/* A table that stands there twice claims bytes twice, and low limits make no bomb of a small
 * file. */
enum { CLAIMS_MAX = 32, BOMB_MIN = 16 << 20 };

static bool is_bomb(const struct content *c)
{
	return c->gives_too_much && c->given >= BOMB_MIN && c->stored / CLAIMS_MAX > c->distinct;
}

void utoc_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct utoc *u = facts;

	if (file == 0) {
		out->needs = u->toc.expected;
		out->is_end = decode_has(d, UTOC_SECTIONS);
		out->ends_early = u->toc.size < utoc_header_fixed_len;
		out->is_bomb = is_bomb(&u->content);
		return;
	}
	/* tables that are not as long as the header says may have moved */
	if (u->toc.size != u->toc.expected)
		return;
	for (uint64_t i = 0; decode_has(d, UTOC_BLOCKS) && i < u->content.n_partitions; i++)
		if (u->content.partitions[i].file->number == file)
			take_partition(d, u, i, out);
}

/* ---- What differs ---------------------------------------------------------------------------- */

/* Where a block that was decoded lies in the companion of that number; false: in another. */
static bool stored_span(const struct utoc *u, uint64_t block, uint32_t file, struct span *out)
{
	const struct toc_block b = toc_block(&u->toc, block);
	uint64_t at;
	const uint64_t partition = content_partition(&u->toc, b.offset, &at);

	if (NEVER(partition >= u->content.n_partitions))
		return false;
	*out = (struct span){ at, b.compressed };
	return u->content.partitions[partition].file->number == file;
}

/* A chunk whose hash was compared has blocks. They follow one another; a few tools put them
 * elsewhere. */
static bool chunk_span(const struct utoc *u, uint64_t chunk, uint32_t file, struct span *out)
{
	const uint64_t first = toc_first_block(&u->toc, chunk), n = toc_block_count(&u->toc, chunk);
	const bool has_blocks = (n > 0) & toc_has_blocks(&u->toc, chunk);
	struct span last;

	if (NEVER(!has_blocks) || !stored_span(u, first, file, out))
		return false;
	if (stored_span(u, first + n - 1, file, &last) && last.at >= out->at)
		out->len = span_end(last) - out->at;
	return true;
}

bool utoc_next_changed(const void *facts, const struct decode *d, uint32_t file, uint64_t *at,
		       struct span *out)
{
	const struct utoc *u = facts;

	(void)d;
	while (file != 0 && *at < u->content.n_rows) {
		const struct payload_row *row = &u->content.rows[(*at)++];

		if (row->traits & PAYLOAD_HASH && !(row->traits & PAYLOAD_OTHER_DIGEST) &&
		    chunk_span(u, row->chunk, file, out))
			return true;
	}
	return false;
}

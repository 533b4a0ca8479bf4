/* The inverse of Epic's Burrows-Wheeler transform. The end of a block counts as a symbol above 255,
 * so it differs from every byte. */
#include "codec/bwt.h"

#include <stdbool.h>
#include <string.h>

#include "core/mutant.h"
#include "core/cursor.h"

enum bwt_fault bwt_read(const uint8_t *in, uint64_t n, uint64_t at, struct bwt_block *out)
{
	*out = (struct bwt_block){ .at = at };
	if (n - at < BWT_HEADER_LEN)
		return BWT_HEADER_CUT;
	out->len = (uint32_t)bytes_le32(in + at);
	out->first = (uint32_t)bytes_le32(in + at + 4);
	out->last = (uint32_t)bytes_le32(in + at + 8);
	out->bytes = in + at + BWT_HEADER_LEN;
	if (out->len > BWT_LEN_MAX)
		return BWT_LENGTH;
	/* mutant: a block's last byte may be missing */
	if (n - at - BWT_HEADER_LEN < (uint64_t)out->len + 1 - (uint64_t)MUTANT(42))
		return BWT_CUT;
	if (out->first > out->len)
		return BWT_FIRST;
	/* mutant: the end may stand behind the block */
	if (out->last > out->len + (uint32_t)MUTANT(43))
		return BWT_LAST;
	return BWT_FINE;
}

/* A stable sort of the bytes tells for each byte which one follows it: entry r of the steps is
 * the byte that is r-th in order. Its low eight bits are the byte, then comes a flag, and above
 * them its index. The flag says that a segment begins at that index. */
#define MARK 0x100u
#define INDEX_SHIFT 9

/* Each count, and each step from a byte to the next, depends on the one before it. So parts of a
 * block are counted and sorted in parallel, and segments of it, from mark to mark, are followed
 * in parallel lanes. Several blocks in parallel would be slower: one table of steps fits into
 * the second-level cache, several do not. Short blocks are decoded without parts and segments. */
enum { PARTS = 4, MARKS = 256, LANES = 8, SHORT = 4096 };

static inline uint32_t entry_of(const struct bwt_block *b, uint32_t i)
{
	return i << INDEX_SHIFT | b->bytes[i];
}

static void decode_short(const struct bwt_block *b, uint32_t *steps, uint8_t *out)
{
	uint32_t rank[256] = { 0 }, sum = 0, count, at;

	for (uint32_t i = 0; i <= b->len; i++)
		rank[b->bytes[i]] += i != b->last;
	for (unsigned c = 0; c < 256; c++) {
		count = rank[c];
		rank[c] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i <= b->len; i++)
		steps[i == b->last ? b->len : rank[b->bytes[i]]++] = entry_of(b, i);
	/* mutant: it begins before its end */
	at = entry_of(b, b->first - (MUTANT(206) && b->first == b->last && b->first > 2));
	for (uint32_t i = 0; i < b->len; i++) {
		out[i] = (uint8_t)at;
		at = steps[at >> INDEX_SHIFT];
	}
}

/* ---- Sorting --------------------------------------------------------------------------------- */

/* A sorting has for each byte value where its entries begin, and where the next one of each part
 * goes. */
struct sorting {
	uint32_t begin[257];
	uint32_t rank[PARTS][256];
};

static void count_bytes(struct sorting *s, const uint8_t *bytes, uint32_t n)
{
	uint32_t part = n / PARTS, sum = 0;

	memset(s->rank, 0, sizeof s->rank);
	for (uint32_t i = 0; i < part; i++)
		for (unsigned k = 0; k < PARTS; k++)
			s->rank[k][bytes[k * part + i]]++;
	for (uint32_t i = PARTS * part; i < n; i++)
		s->rank[PARTS - 1][bytes[i]]++;
	for (unsigned c = 0; c < 256; c++) {
		s->begin[c] = sum;
		for (unsigned k = 0; k < PARTS; k++) {
			uint32_t count = s->rank[k][c];

			s->rank[k][c] = sum;
			sum += count;
		}
	}
	s->begin[256] = sum;
}

static void sort_bytes(struct sorting *s, const struct bwt_block *b, uint32_t *steps)
{
	uint32_t n = b->len + 1, part = n / PARTS;

	count_bytes(s, b->bytes, n);
	for (uint32_t i = 0; i < part; i++)
		for (unsigned k = 0; k < PARTS; k++)
			steps[s->rank[k][b->bytes[k * part + i]]++] = entry_of(b, k * part + i);
	for (uint32_t i = PARTS * part; i < n; i++)
		steps[s->rank[PARTS - 1][b->bytes[i]]++] = entry_of(b, i);
}

/* The position of the entry of index i: entries of one byte value are in the order of their
 * indexes. */
static uint32_t find_entry(const struct sorting *s, const struct bwt_block *b,
			   const uint32_t *steps, uint32_t i)
{
	uint32_t low = s->begin[b->bytes[i]], high = s->begin[b->bytes[i] + 1];

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (steps[middle] >> INDEX_SHIFT <= i)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The end was sorted as if it were a byte; here it is moved to where it belongs, after all
 * others. */
static void move_end(struct sorting *s, const struct bwt_block *b, uint32_t *steps)
{
	uint32_t at = find_entry(s, b, steps, b->last), end = steps[at];

	memmove(steps + at, steps + at + 1, (size_t)(b->len - at) * sizeof *steps);
	steps[b->len] = end;
	for (unsigned c = b->bytes[b->last] + 1u; c <= 256; c++)
		s->begin[c]--;
}

/* ---- Following ------------------------------------------------------------------------------- */

/* Segments begin at marks: at equally spaced indexes, and at First. */
struct segment {
	uint32_t len, next; /* bytes, and the number of the segment after it */
	const uint8_t *bytes;
};

/* The segments of a block, and how many of them were begun. A lane decodes one after the other, and
 * writes them one after the other. */
struct segments {
	struct segment segments[MARKS + 1];
	uint32_t stride, first;
	uint32_t n, begun;
};

struct lane {
	uint32_t at; /* the entry that was read last */
	uint8_t *out;
	struct segment *segment; /* NULL: there are no more */
};

static uint32_t mark_of(const struct segments *w, uint32_t segment)
{
	return segment < MARKS ? segment * w->stride : w->first;
}

/* The number of the segment that begins at a mark. */
static uint32_t segment_at(const struct segments *w, uint32_t mark)
{
	return mark % w->stride == 0 && mark / w->stride < MARKS ? mark / w->stride : MARKS;
}

static void place_marks(struct segments *w, const struct sorting *s, const struct bwt_block *b,
			uint32_t *steps)
{
	w->stride = b->len / MARKS;
	w->first = b->first;
	w->n = segment_at(w, b->first) == MARKS ? MARKS + 1 : MARKS;
	for (uint32_t k = 0; k < w->n; k++) {
		uint32_t i = mark_of(w, k);

		steps[i == b->last ? b->len : find_entry(s, b, steps, i)] |= MARK;
	}
}

/* All lanes advance until at least one of them is at a mark. */
static void advance_lanes(const uint32_t *steps, struct lane l[LANES])
{
	uint32_t at[LANES], any;
	uint8_t *out[LANES];

	for (unsigned k = 0; k < LANES; k++) {
		at[k] = l[k].at;
		out[k] = l[k].out;
	}
	do {
		any = 0;
		for (unsigned k = 0; k < LANES; k++) {
			at[k] = steps[at[k] >> INDEX_SHIFT];
			any |= at[k];
			*out[k]++ = (uint8_t)at[k];
		}
	} while (!(any & MARK));
	for (unsigned k = 0; k < LANES; k++) {
		l[k].at = at[k];
		l[k].out = out[k];
	}
}

static void advance_lane(const uint32_t *steps, struct lane *l)
{
	do {
		l->at = steps[l->at >> INDEX_SHIFT];
		*l->out++ = (uint8_t)l->at;
	} while (!(l->at & MARK));
}

static void begin_segment(struct segments *w, struct lane *l)
{
	l->segment = NULL;
	if (w->begun == w->n)
		return;
	l->at = mark_of(w, w->begun) << INDEX_SHIFT;
	l->segment = &w->segments[w->begun++];
	l->segment->bytes = l->out;
}

/* A lane at a mark ends its segment and begins another. */
static void end_segment(struct segments *w, struct lane *l)
{
	if (!(l->at & MARK))
		return;
	l->segment->len = (uint32_t)(l->out - l->segment->bytes);
	l->segment->next = segment_at(w, l->at >> INDEX_SHIFT);
	begin_segment(w, l);
}

static void decode_segments(struct segments *w, const uint32_t *steps, uint8_t *scratch,
			    uint32_t lane_len)
{
	struct lane lanes[LANES];
	bool all = true;

	for (unsigned k = 0; k < LANES; k++) {
		lanes[k].out = scratch + (uint64_t)k * lane_len;
		begin_segment(w, &lanes[k]);
	}
	while (all) {
		advance_lanes(steps, lanes);
		for (unsigned k = 0; k < LANES; k++) {
			end_segment(w, &lanes[k]);
			all = all && lanes[k].segment;
		}
	}
	for (unsigned k = 0; k < LANES; k++) {
		while (lanes[k].segment) {
			advance_lane(steps, &lanes[k]);
			end_segment(w, &lanes[k]);
		}
	}
}

/* Joins the segments from First on. In a block that no compressor wrote they may form a cycle
 * before all bytes are written. */
static void join_segments(const struct segments *w, const struct bwt_block *b, uint8_t first,
			  uint8_t *out)
{
	uint32_t k = segment_at(w, b->first), left = b->len - 1, n;

	*out++ = first;
	for (; left > 0; left -= n, out += n) {
		n = w->segments[k].len < left ? w->segments[k].len : left;
		memcpy(out, w->segments[k].bytes, n);
		k = w->segments[k].next;
	}
}

void bwt_decode(const struct bwt_block *b, uint32_t *scratch, uint8_t *out)
{
	struct segments w = { .begun = 0 };
	struct sorting s UVET_FILLED_LATER;
	uint8_t first = b->bytes[b->first];

	if (b->len < SHORT) {
		decode_short(b, scratch, out);
		return;
	}
	sort_bytes(&s, b, scratch);
	move_end(&s, b, scratch);
	place_marks(&w, &s, b, scratch);
	decode_segments(&w, scratch, (uint8_t *)(scratch + b->len + 1), b->len + 1);
	join_segments(&w, b, first, out);
}

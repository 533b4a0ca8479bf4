/* Undoing Epic's Burrows-Wheeler transform. The end of a block counts as a symbol above 255, so no byte is taken for it. */
#include "codec/bwt.h"

#include <stdbool.h>
#include <string.h>

#include "core/canary.h"
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
	if (n - at - BWT_HEADER_LEN < (uint64_t)out->len + 1 - (uint64_t)CANARY(42))    /* canary: a block's last byte may be missing */
		return BWT_CUT;
	if (out->first > out->len)
		return BWT_FIRST;
	if (out->last > out->len + (uint32_t)CANARY(43))                /* canary: the end may stand behind the block */
		return BWT_LAST;
	return BWT_FINE;
}

/* An entry of the table of steps is about the byte that follows one: that byte, and above it its index. A length is below 2^19, so
 * both fit, and there is room for a flag: the byte that follows is a mark. */
#define INDEX_SHIFT 8
#define INDEX_MASK  0x7FFFFu
#define MARK        0x80000000u

/* A block is walked in segments, from mark to mark, in lanes side by side: each step waits for the one before it, and the other lanes
 * use the time. One table stays in the second-level cache, those of several blocks would not. Shorter blocks are walked in one go. */
enum { MARKS = 32, LANES = 4, SHORT = 4096 };

/* A mark is an index at which a segment begins and others end. */
struct segment {
	uint32_t mark;
	uint32_t entry;                 /* that leads to it */
	uint32_t len, next;             /* bytes, and the number of the segment that comes behind it */
	const uint8_t *bytes;
};

static void count_bytes(const struct bwt_block *b, uint32_t rank[256])
{
	uint32_t odd[256] = { 0 }, sum = 0, i = 0;

	for (; i < b->len; i += 2) {            /* equal neighbours would wait for each other */
		rank[b->bytes[i]]++;
		odd[b->bytes[i + 1]]++;
	}
	if (i == b->len)
		rank[b->bytes[i]]++;
	rank[b->bytes[b->last]]--;
	for (unsigned c = 0; c < 256; c++) {
		uint32_t count = rank[c] + odd[c];

		rank[c] = sum;
		sum += count;
	}
}

/* Sorting the bytes stably says where the byte stands that follows each: entry r of steps is about the byte that is r-th in order. */
static void sort_part(const uint8_t *bytes, uint32_t from, uint32_t to, uint32_t *rank, uint32_t *steps)
{
	for (uint32_t i = from; i < to; i++)
		steps[rank[bytes[i]]++] = i << INDEX_SHIFT | bytes[i];
}

/* The entry of index i, which is the next to be sorted. */
static uint32_t sort_one(const struct bwt_block *b, uint32_t i, uint32_t *rank, uint32_t *steps)
{
	uint32_t entry = i == b->last ? b->len : rank[b->bytes[i]]++;

	steps[entry] = i << INDEX_SHIFT | b->bytes[i];
	return entry;
}

/* The end is the last in order, wherever it stands. */
static void sort_range(const struct bwt_block *b, uint32_t from, uint32_t to, uint32_t *rank, uint32_t *steps)
{
	uint32_t middle = b->last >= from && b->last < to ? b->last : to;

	sort_part(b->bytes, from, middle, rank, steps);
	if (middle == to)
		return;
	sort_one(b, middle, rank, steps);
	sort_part(b->bytes, middle + 1, to, rank, steps);
}

static void walk_short(const struct bwt_block *b, uint32_t *steps, uint8_t *out)
{
	uint32_t rank[256] = { 0 }, at;

	count_bytes(b, rank);
	sort_range(b, 0, b->len + 1, rank, steps);
	at = b->first << INDEX_SHIFT | b->bytes[b->first];
	for (uint32_t i = 0; i < b->len; i++) {
		out[i] = (uint8_t)at;
		at = steps[at >> INDEX_SHIFT];
	}
}

/* First is a mark, and others at equal distances; in their order, none twice. Returns how many there are. */
static uint32_t place_marks(const struct bwt_block *b, struct segment *s)
{
	uint32_t n = 0, stride = b->len / MARKS;

	for (uint32_t i = 0; i < MARKS; i++) {
		if (b->first >= i * stride && b->first < (i + 1) * stride && b->first != i * stride) {
			s[n++].mark = i * stride;
			s[n++].mark = b->first;
		} else {
			s[n++].mark = i * stride;
		}
	}
	if (b->first >= MARKS * stride)
		s[n++].mark = b->first;
	return n;
}

static void make_steps(const struct bwt_block *b, struct segment *s, uint32_t n, uint32_t *steps)
{
	uint32_t rank[256] = { 0 };

	count_bytes(b, rank);
	for (uint32_t k = 0; k < n; k++) {
		s[k].entry = sort_one(b, s[k].mark, rank, steps);
		sort_range(b, s[k].mark + 1, k + 1 < n ? s[k + 1].mark : b->len + 1, rank, steps);
	}
	for (uint32_t k = 0; k < n; k++)
		steps[s[k].entry] |= MARK;
}

/* A lane walks one segment after the other; their bytes lie side by side. */
struct lane {
	uint32_t at;                    /* the index whose entry comes next */
	uint8_t *out;
	struct segment *segment;        /* NULL: there are no more */
};

static inline uint32_t index_of(uint32_t entry)
{
	return entry >> INDEX_SHIFT & INDEX_MASK;
}

/* All lanes go on until one of them, or more, come to a mark; returns the marks that they came to. */
static void walk_lanes(const uint32_t *steps, struct lane l[LANES], uint32_t entries[LANES])
{
	uint32_t a = l[0].at << INDEX_SHIFT, b = l[1].at << INDEX_SHIFT, c = l[2].at << INDEX_SHIFT, d = l[3].at << INDEX_SHIFT;
	uint8_t *to_a = l[0].out, *to_b = l[1].out, *to_c = l[2].out, *to_d = l[3].out;

	do {
		a = steps[index_of(a)];
		b = steps[index_of(b)];
		c = steps[index_of(c)];
		d = steps[index_of(d)];
		*to_a++ = (uint8_t)a;
		*to_b++ = (uint8_t)b;
		*to_c++ = (uint8_t)c;
		*to_d++ = (uint8_t)d;
	} while (!((a | b | c | d) & MARK));
	entries[0] = a, entries[1] = b, entries[2] = c, entries[3] = d;
	l[0].out = to_a, l[1].out = to_b, l[2].out = to_c, l[3].out = to_d;
}

static void walk_lane(const uint32_t *steps, struct lane *l, uint32_t *entry)
{
	uint32_t at = l->at << INDEX_SHIFT;

	do {
		at = steps[index_of(at)];
		*l->out++ = (uint8_t)at;
	} while (!(at & MARK));
	*entry = at;
}

static uint32_t segment_at(const struct segment *s, uint32_t n, uint32_t mark)
{
	uint32_t k = 0;

	while (k + 1 < n && s[k].mark != mark)
		k++;
	return k;
}

/* The segments of a block, and how many of them were begun. */
struct walks {
	struct segment segments[MARKS + 1];
	uint32_t n, begun;
};

static void begin_segment(struct walks *w, struct lane *l)
{
	l->segment = w->begun < w->n ? &w->segments[w->begun++] : NULL;
	if (!l->segment)
		return;
	l->at = l->segment->mark;
	l->segment->bytes = l->out;
}

/* A lane that came to a mark ends its segment and begins another. */
static void go_on(struct walks *w, struct lane *l, uint32_t entry)
{
	l->at = index_of(entry);
	if (!(entry & MARK))
		return;
	l->segment->len = (uint32_t)(l->out - l->segment->bytes);
	l->segment->next = segment_at(w->segments, w->n, l->at);
	begin_segment(w, l);
}

static void walk_segments(struct walks *w, const uint32_t *steps, uint8_t *room, uint32_t room_len)
{
	struct lane lanes[LANES];
	uint32_t entries[LANES];
	bool all = true;

	for (unsigned k = 0; k < LANES; k++) {
		lanes[k].out = room + (uint64_t)k * room_len;
		begin_segment(w, &lanes[k]);
	}
	while (all) {
		walk_lanes(steps, lanes, entries);
		for (unsigned k = 0; k < LANES; k++) {
			go_on(w, &lanes[k], entries[k]);
			all = all && lanes[k].segment;
		}
	}
	for (unsigned k = 0; k < LANES; k++) {
		while (lanes[k].segment) {
			walk_lane(steps, &lanes[k], &entries[k]);
			go_on(w, &lanes[k], entries[k]);
		}
	}
}

/* Joins the segments from First on. In a block that no compressor wrote they may come round before all bytes are out. */
static void join_segments(const struct walks *w, const struct bwt_block *b, uint8_t first, uint8_t *out)
{
	uint32_t k = segment_at(w->segments, w->n, b->first), left = b->len - 1, n;

	*out++ = first;
	for (; left > 0; left -= n, out += n) {
		n = w->segments[k].len < left ? w->segments[k].len : left;
		memcpy(out, w->segments[k].bytes, n);
		k = w->segments[k].next;
	}
}

void bwt_decode(const struct bwt_block *b, uint32_t *scratch, uint8_t *out)
{
	struct walks w = { .begun = 0 };
	uint8_t first = b->bytes[b->first];

	if (b->len < SHORT) {
		walk_short(b, scratch, out);
		return;
	}
	w.n = place_marks(b, w.segments);
	make_steps(b, w.segments, w.n, scratch);
	walk_segments(&w, scratch, (uint8_t *)(scratch + b->len + 1), b->len + 1);
	join_segments(&w, b, first, out);
}

/* Orders: a radix sort for keys, a merge sort for ties. */
#include "core/order.h"

#include <stddef.h>
#include <string.h>

#include "core/mutant.h"
#include "core/interrupt.h"

/* Keys are sorted by their halves of 32 bits, the lower halves first. A slot has a half key in
 * its upper 32 bits, and the row in its lower ones. */
struct sort {
	const void *table, *keys; /* what compare and key are about */
	order_key *key;
	order_compare *compare; /* of rows of equal key; NULL: they are the same */
	/* the rows to be sorted, in place; NULL: rows 0 to n - 1 of the table */
	uint32_t *listed;
	uint32_t n; /* rows that are sorted now */
	uint64_t *slots, *spare;
	const struct interrupt *interrupt;
	uint32_t n_moved; /* rows moved since `interrupt` was last asked */
	bool stopped;     /* by the interrupt: the order is worthless then */
};

#define HALF_MASK 0xFFFFFFFFu
#define DIGIT_BITS 8u
#define DIGITS (1u << DIGIT_BITS)
#define SMALL 48 /* up to here insertion is quicker than counting */

/* How many rows are moved between two questions whether the check was interrupted. */
#define POLL 65536u

/* Counts n more moved rows. It returns false if the sort has to stop, and from then on. */
static bool goes_on(struct sort *s, uint32_t n)
{
	s->n_moved += n < POLL ? n : POLL;
	if (s->n_moved < POLL)
		return !s->stopped;
	s->n_moved = 0;
	s->stopped = s->stopped || interrupt_look(s->interrupt) != INTERRUPTED_NOT;
	return !s->stopped;
}

static inline uint64_t key_of(const struct sort *s, uint32_t row)
{
	return s->key(s->keys, row);
}

/* Fills the slots with the halves of the keys that begin at bit `shift`, in the order of the
 * rows. It returns the bits in which the keys differ. */
static uint64_t fill(struct sort *s, const uint32_t *rows, unsigned shift)
{
	uint64_t first = key_of(s, rows[0]), differ = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t key = key_of(s, rows[i]);

		differ |= key ^ first;
		s->slots[i] = (key >> shift & HALF_MASK) << 32 | rows[i];
	}
	return differ;
}

/* One stable pass over the digit that begins at bit `shift`. */
static void radix_pass(struct sort *s, unsigned shift)
{
	uint32_t places[DIGITS] = { 0 };
	uint64_t *from = s->slots;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < s->n; i++)
		places[from[i] >> shift & (DIGITS - 1)]++;
	for (uint32_t d = 0; d < DIGITS; d++) {
		uint32_t count = places[d];

		places[d] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < s->n; i++)
		s->spare[places[from[i] >> shift & (DIGITS - 1)]++] = from[i];
	s->slots = s->spare;
	s->spare = from;
}

static void radix_sort(struct sort *s, uint64_t differ)
{
	for (unsigned digit = 0; digit < 32; digit += DIGIT_BITS)
		if (differ >> digit & (DIGITS - 1) && goes_on(s, s->n))
			radix_pass(s, 32 + digit);
}

static void sort_rows(struct sort *s, uint32_t *rows)
{
	uint64_t differ = fill(s, rows, 0);

	radix_sort(s, differ & HALF_MASK);
	for (uint32_t i = 0; i < s->n; i++)
		rows[i] = (uint32_t)s->slots[i];
	if (differ >> 32 == 0)
		return;
	fill(s, rows, 32);
	radix_sort(s, differ >> 32);
	for (uint32_t i = 0; i < s->n; i++)
		rows[i] = (uint32_t)s->slots[i];
}

/* Tells whether row a may stay before row b, which has the same key and comes after it in the
 * table. */
static bool may_stay(const struct sort *s, uint32_t a, uint32_t b)
{
	return s->compare(s->table, a, b) < !MUTANT(6); /* mutant: ties */
}

/* Merges two sorted parts of rows, from <= i < middle and middle <= i < end, into spare; equal
 * rows keep their order. */
static void merge(const struct sort *s, const uint32_t *rows, uint32_t *spare, uint64_t from,
		  uint64_t middle, uint64_t end)
{
	uint64_t a = from, b = middle;

	/* they are in order already, as when all rows are the same */
	if (b < end && may_stay(s, rows[b - 1], rows[b]))
		b = end;
	for (uint64_t i = from; i < end; i++) {
		bool left = b >= end || (a < middle && may_stay(s, rows[a], rows[b]));

		spare[i] = left ? rows[a++] : rows[b++];
	}
}

/* Bottom-up merge sort of one run. */
static void merge_sort(struct sort *s, uint32_t *rows, uint32_t *spare, uint32_t n)
{
	for (uint64_t width = 1; width < n; width *= 2) {
		for (uint64_t at = 0; at < n; at += 2 * width) {
			uint64_t middle = at + width < n ? at + width : n;

			if (!goes_on(s, width < POLL ? 2 * (uint32_t)width : POLL))
				return;
			merge(s, rows, spare, at, middle, at + 2 * width < n ? at + 2 * width : n);
		}
		for (uint32_t i = 0; i < n; i++)
			rows[i] = spare[i];
	}
}

/* Sorts a run of rows of equal key. It returns how many are the same as the row before. The
 * spare slots are its scratch memory. */
static uint32_t settle_run(struct sort *s, uint32_t *rows, uint32_t n)
{
	uint32_t n_same = 0;

	if (!s->compare)
		return n - 1;
	merge_sort(s, rows, (uint32_t *)s->spare, n);
	for (uint32_t i = 1; i < n && !s->stopped; i++)
		n_same += s->compare(s->table, rows[i - 1], rows[i]) == 0;
	return n_same;
}

/* The end of the run of equal keys that begins at slot i. A slot has only half of the key, so
 * whole keys are compared. */
static uint32_t run_end(const struct sort *s, uint32_t i)
{
	uint64_t key = key_of(s, (uint32_t)s->slots[i]);

	do
		i++;
	while (i < s->n && key_of(s, (uint32_t)s->slots[i]) == key);
	return i;
}

/* Sorts the runs of equal keys and counts the ties. Where the half keys in the slots differ, the
 * keys need not be compared. */
static uint32_t settle_ties(struct sort *s, uint32_t *rows)
{
	uint32_t n = 0, end;

	for (uint32_t i = 1; i < s->n; i++) {
		if (s->slots[i - 1] >> 32 != s->slots[i] >> 32)
			continue;
		end = run_end(s, i - 1);
		if (end == i)
			continue;
		n += settle_run(s, rows + i - 1, end - (i - 1));
		i = end - 1;
	}
	return n;
}

/* Tells whether a row of this key goes before an earlier one. */
static bool goes_before(const struct sort *s, uint64_t key, uint32_t row, uint64_t other_key,
			uint32_t other)
{
	if (key != other_key)
		return key < other_key;
	return s->compare && s->compare(s->table, row, other) < 0;
}

/* The rows in the order before sorting; NULL: memory ended. */
static uint32_t *first_rows(struct arena *arena, const struct sort *s)
{
	uint32_t *rows = s->listed ? s->listed : arena_alloc(arena, s->n, sizeof *rows);

	for (uint32_t i = 0; rows && !s->listed && i < s->n; i++)
		rows[i] = i;
	return rows;
}

/* Insertion sort, of up to SMALL rows. */
static bool sort_few(struct arena *arena, const struct sort *s, struct order *o)
{
	UVET_FILLED_LATER uint64_t keys[SMALL];
	uint32_t *rows = first_rows(arena, s);

	if (!rows)
		return false;
	o->n_ties = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		const uint32_t row = rows[i];
		uint64_t key = key_of(s, row);
		uint32_t j = i;

		for (; j > 0 && goes_before(s, key, row, keys[j - 1], rows[j - 1]); j--) {
			keys[j] = keys[j - 1];
			rows[j] = rows[j - 1];
		}
		keys[j] = key;
		rows[j] = row;
		o->n_ties += j > 0 && keys[j - 1] == key &&
			     (!s->compare || s->compare(s->table, rows[j - 1], row) == 0);
	}
	o->rows = rows;
	return true;
}

/* ---- Many rows ------------------------------------------------------------------------------- */

/* Slots take four times the memory of the order. More rows than SLOTS_MAX are sorted in up to
 * PARTS parts, only one of which has slots at a time, and the parts are merged, for which half
 * the memory of the order is enough. */
#define SLOTS_MAX 32768u
#define PARTS 8u

static uint32_t part_len(uint32_t n)
{
	const uint32_t part = n / PARTS + 1;

	return n <= SLOTS_MAX ? n : part > SLOTS_MAX ? part : SLOTS_MAX;
}

/* Sorts each part of the rows by itself. It returns how many are the same as the row before in
 * their part. */
static uint32_t sort_parts(struct sort *s, uint32_t *rows, uint32_t n, uint32_t part)
{
	uint32_t n_ties = 0;

	for (uint32_t from = 0; from < n && !s->stopped; from += s->n) {
		s->n = n - from < part ? n - from : part;
		sort_rows(s, rows + from);
		n_ties += settle_ties(s, rows + from);
	}
	s->n = n;
	return n_ties;
}

/* The next row of a part that is being merged, and its key. */
struct head {
	const uint32_t *row, *end;
	uint64_t key;
};

static void look_at(const struct sort *s, struct head *h)
{
	if (h->row < h->end)
		h->key = key_of(s, *h->row);
}

/* Merges two parts that follow one another, in place, through a copy of the first; equal rows
 * keep their order. What is left of the second part at the end is where it belongs. */
static void merge_parts(const struct sort *s, uint32_t *rows, uint32_t n_first, uint32_t n,
			uint32_t *copy)
{
	struct head a = { copy, copy + n_first, 0 }, b = { rows + n_first, rows + n, 0 };

	look_at(s, &b);
	if (!goes_before(s, b.key, *b.row, key_of(s, rows[n_first - 1]), rows[n_first - 1]))
		return;
	memcpy(copy, rows, n_first * sizeof *rows);
	look_at(s, &a);
	while (a.row < a.end && b.row < b.end) {
		struct head *next = goes_before(s, b.key, *b.row, a.key, *a.row) ? &b : &a;

		*rows++ = *next->row++;
		look_at(s, next);
	}
	while (a.row < a.end)
		*rows++ = *a.row++;
}

static bool merge_all(struct arena *arena, struct sort *s, uint32_t *rows, uint32_t part)
{
	uint64_t width = part;
	uint32_t *copy;

	while (width * 2 < s->n)
		width *= 2;
	/* for the first part of the last merge, the longest one */
	copy = arena_alloc(arena, width, sizeof *copy);
	if (!copy)
		return false;
	for (width = part; width < s->n && goes_on(s, s->n); width *= 2) {
		for (uint64_t at = 0; at + width < s->n; at += 2 * width) {
			const uint64_t n = s->n - at < 2 * width ? s->n - at : 2 * width;

			merge_parts(s, rows + at, (uint32_t)width, (uint32_t)n, copy);
		}
	}
	return true;
}

/* How many rows are the same as the row before. */
static uint32_t count_ties(struct sort *s, const uint32_t *rows)
{
	uint64_t before = key_of(s, rows[0]);
	uint32_t n = 0;

	for (uint32_t i = 1; i < s->n && goes_on(s, 1); i++) {
		const uint64_t key = key_of(s, rows[i]);

		n += key == before &&
		     (!s->compare || s->compare(s->table, rows[i - 1], rows[i]) == 0);
		before = key;
	}
	return n;
}

static bool sort_all(struct arena *arena, struct sort *s, struct order *o)
{
	const uint32_t part = part_len(s->n);
	uint32_t *rows = first_rows(arena, s);
	struct arena_mark mark = arena_mark(arena);

	s->slots = arena_alloc(arena, part, sizeof *s->slots);
	s->spare = arena_alloc(arena, part, sizeof *s->spare);
	if (!rows || !s->slots || !s->spare)
		return false;
	o->n_ties = sort_parts(s, rows, s->n, part);
	o->rows = rows;
	arena_rewind(arena, mark);
	if (part < s->n) {
		if (!merge_all(arena, s, rows, part))
			return false;
		o->n_ties = count_ties(s, rows);
		arena_rewind(arena, mark);
	}
	return !s->stopped;
}

/* Tells whether the rows are in order already, and counts those with the key of the row before. */
static bool stands_in_order(const struct sort *s, uint32_t *n_ties)
{
	uint64_t before = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t key = key_of(s, s->listed ? s->listed[i] : i);

		if (key < before)
			return false;
		*n_ties += i > 0 && key == before;
		before = key;
	}
	return true;
}

static bool sort(struct arena *arena, struct sort *s, struct order *out)
{
	struct order order = { .rows = s->listed, .n = s->n };
	bool stands = stands_in_order(s, &order.n_ties);

	s->interrupt = arena->interrupt;
	if ((!stands || (s->compare && order.n_ties > 0)) &&
	    !(s->n <= SMALL ? sort_few(arena, s, &order) : sort_all(arena, s, &order)))
		return false;
	*out = order;
	return true;
}

bool order_by_key(struct arena *arena, const void *table, uint32_t n, order_key *key,
		  struct order *out)
{
	return sort(arena, &(struct sort){ .table = table, .keys = table, .key = key, .n = n },
		    out);
}

bool order_by_hash(struct arena *arena, const void *table, uint32_t n, order_key *key,
		   order_compare *compare, struct order *out)
{
	return sort(arena,
		    &(struct sort){
			    .table = table, .keys = table, .key = key, .compare = compare, .n = n },
		    out);
}

bool order_rows(struct arena *arena, const struct order_by *by, uint32_t *rows, uint32_t n,
		struct order *out)
{
	return sort(arena,
		    &(struct sort){ .table = by->table,
				    .keys = by->keys,
				    .key = by->key,
				    .compare = by->compare,
				    .listed = rows,
				    .n = n },
		    out);
}

uint32_t order_find(const struct order *o, const void *table, order_key *key, uint64_t wanted,
		    order_match *match, const void *what)
{
	uint32_t low = 0, high = o->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2, row = order_row(o, middle);
		uint64_t k = key(table, row);

		if (k < wanted || (k == wanted && match(table, row, what) < 0))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == o->n)
		return ORDER_NONE;
	high = order_row(o, low);
	return key(table, high) == wanted && match(table, high, what) == 0 ? high : ORDER_NONE;
}

/* Orders: a radix sort for keys, a merge sort for ties. */
#include "core/order.h"

#include <stddef.h>

#include "core/canary.h"

/* A sort goes by half keys of 32 bits, the lower halves first. A slot is a half key with its row below it. */
struct sort {
	const void *table;
	order_key *key;
	order_compare *compare;         /* of rows of equal key; NULL: they are the same */
	uint32_t n;
	uint64_t *slots, *spare;
};

#define HALF_MASK 0xFFFFFFFFu
#define DIGIT_BITS 8u
#define DIGITS (1u << DIGIT_BITS)
#define SMALL 48                /* up to here insertion is quicker than counting */

/* Fills the slots with the halves of the keys that begin at bit `shift`, in the order of the rows. It returns the bits in which
 * the keys differ. */
static uint64_t fill(struct sort *s, const uint32_t *rows, unsigned shift)
{
	uint64_t first = s->key(s->table, 0), differ = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t row = rows ? rows[i] : i;
		uint64_t key = s->key(s->table, row);

		differ |= key ^ first;
		s->slots[i] = (key >> shift & HALF_MASK) << 32 | row;
	}
	return differ;
}

static void insertion_sort(uint64_t *slots, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		uint64_t moving = slots[i];
		uint32_t j = i;

		for (; j > 0 && slots[j - 1] >> 32 > moving >> 32; j--)
			slots[j] = slots[j - 1];
		slots[j] = moving;
	}
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
		if (differ >> digit & (DIGITS - 1))
			radix_pass(s, 32 + digit);
}

static void sort_slots(struct sort *s, uint64_t differ)
{
	if (s->n <= SMALL)
		insertion_sort(s->slots, s->n);
	else
		radix_sort(s, differ);
}

static void sort_rows(struct sort *s, uint32_t *rows)
{
	uint64_t differ = fill(s, NULL, 0);

	sort_slots(s, differ & HALF_MASK);
	for (uint32_t i = 0; i < s->n; i++)
		rows[i] = (uint32_t)s->slots[i];
	if (differ >> 32 == 0)
		return;
	fill(s, rows, 32);
	sort_slots(s, differ >> 32);
	for (uint32_t i = 0; i < s->n; i++)
		rows[i] = (uint32_t)s->slots[i];
}

/* Merges two sorted stretches of rows, from <= i < middle and middle <= i < end, into spare; of equal rows the first comes first. */
static void merge(const struct sort *s, const uint32_t *rows, uint32_t *spare, uint64_t from, uint64_t middle, uint64_t end)
{
	uint64_t a = from, b = middle;

	for (uint64_t i = from; i < end; i++) {
		bool left = b >= end || (a < middle && s->compare(s->table, rows[a], rows[b]) < !CANARY(6));    /* canary: ties */

		spare[i] = left ? rows[a++] : rows[b++];
	}
}

/* Bottom-up merge sort of one run. */
static void merge_sort(const struct sort *s, uint32_t *rows, uint32_t *spare, uint32_t n)
{
	for (uint64_t width = 1; width < n; width *= 2) {
		for (uint64_t at = 0; at < n; at += 2 * width) {
			uint64_t middle = at + width < n ? at + width : n;

			merge(s, rows, spare, at, middle, at + 2 * width < n ? at + 2 * width : n);
		}
		for (uint32_t i = 0; i < n; i++)
			rows[i] = spare[i];
	}
}

/* Sorts a run of rows of equal key. It returns how many are the same as the one before. The slots are no longer needed. */
static uint32_t settle_run(const struct sort *s, uint32_t *rows, uint32_t n)
{
	uint32_t n_same = 0;

	if (!s->compare)
		return n - 1;
	merge_sort(s, rows, (uint32_t *)s->spare, n);
	for (uint32_t i = 1; i < n; i++)
		n_same += s->compare(s->table, rows[i - 1], rows[i]) == 0;
	return n_same;
}

/* The end of the run of equal keys that begins at slot i. Where the slots hold the upper halves, the keys tell. */
static uint32_t run_end(const struct sort *s, uint32_t i)
{
	uint64_t key = s->key(s->table, (uint32_t)s->slots[i]);

	do
		i++;
	while (i < s->n && s->key(s->table, (uint32_t)s->slots[i]) == key);
	return i;
}

/* Sorts the runs of equal keys and counts the ties. The slots tell at once where two rows differ in the half of the key that was
 * sorted last. */
static uint32_t settle_ties(const struct sort *s, uint32_t *rows)
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

static bool sort_all(struct arena *arena, struct sort *s, struct order *o)
{
	uint32_t *rows = arena_alloc(arena, s->n, sizeof *rows);
	struct arena_mark mark = arena_mark(arena);

	s->slots = arena_alloc(arena, s->n, sizeof *s->slots);
	s->spare = arena_alloc(arena, s->n, sizeof *s->spare);
	if (!rows || !s->slots || !s->spare)
		return false;
	sort_rows(s, rows);
	o->n_ties = settle_ties(s, rows);
	o->rows = rows;
	arena_rewind(arena, mark);
	return true;
}

/* Tells whether the rows stand in order already, and counts those that have the key of the row before them. */
static bool stands_in_order(const struct sort *s, uint32_t *n_ties)
{
	uint64_t before = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t key = s->key(s->table, i);

		if (key < before)
			return false;
		*n_ties += i > 0 && key == before;
		before = key;
	}
	return true;
}

static bool order_by(struct arena *arena, struct sort *s, struct order *out)
{
	struct order order = { .n = s->n };
	bool stands = stands_in_order(s, &order.n_ties);

	if ((!stands || (s->compare && order.n_ties > 0)) && !sort_all(arena, s, &order))
		return false;
	*out = order;
	return true;
}

bool order_by_key(struct arena *arena, const void *table, uint32_t n, order_key *key, struct order *out)
{
	return order_by(arena, &(struct sort){ .table = table, .key = key, .n = n }, out);
}

bool order_by_hash(struct arena *arena, const void *table, uint32_t n, order_key *key, order_compare *compare, struct order *out)
{
	return order_by(arena, &(struct sort){ .table = table, .key = key, .compare = compare, .n = n }, out);
}

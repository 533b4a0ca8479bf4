/* Orders: a radix sort for keys, a merge sort for ties. */
#include "core/order.h"

#include <stddef.h>

#include "core/canary.h"

/* A sort goes by half keys of 32 bits, the lower halves first. A slot is a half key with its row below it. */
struct sort {
	const void *table;
	order_key *key;
	uint32_t n;
	uint64_t *slots, *spare;
};

#define HALF_MASK 0xFFFFFFFFu
#define DIGITS 256u
#define N_PASSES 4u             /* digits of a half key */
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

static void count_digits(const struct sort *s, uint32_t counts[N_PASSES][DIGITS])
{
	for (uint32_t i = 0; i < s->n; i++)
		for (unsigned pass = 0; pass < N_PASSES; pass++)
			counts[pass][s->slots[i] >> (32 + 8 * pass) & (DIGITS - 1)]++;
}

/* One stable pass over one digit; counts become the places where each digit goes. */
static void radix_pass(struct sort *s, unsigned shift, uint32_t counts[DIGITS])
{
	uint64_t *from = s->slots;
	uint32_t sum = 0;

	for (uint32_t d = 0; d < DIGITS; d++) {
		uint32_t count = counts[d];

		counts[d] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < s->n; i++)
		s->spare[counts[from[i] >> shift & (DIGITS - 1)]++] = from[i];
	s->slots = s->spare;
	s->spare = from;
}

static void radix_sort(struct sort *s, uint64_t differ)
{
	uint32_t counts[N_PASSES][DIGITS] = { { 0 } };

	count_digits(s, counts);
	for (unsigned pass = 0; pass < N_PASSES; pass++)
		if (differ >> 8 * pass & (DIGITS - 1))
			radix_pass(s, 32 + 8 * pass, counts[pass]);
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

/* The slots tell it at once where no two rows share the upper half of a key, or no two keys differ there. */
static uint32_t count_ties(const struct sort *s)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i < s->n; i++) {
		uint64_t a = s->slots[i - 1], b = s->slots[i];

		if (a >> 32 == b >> 32 && s->key(s->table, (uint32_t)a) == s->key(s->table, (uint32_t)b))
			n++;
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
	o->n_ties = count_ties(s);
	o->rows = rows;
	arena_rewind(arena, mark);
	return true;
}

/* Counts the ties of rows that stand in order; false at the first that does not. */
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

bool order_by_key(struct arena *arena, const void *table, uint32_t n, order_key *key, struct order *out)
{
	struct sort s = { .table = table, .key = key, .n = n };
	struct order order = { .n = n };

	if (!stands_in_order(&s, &order.n_ties) && !sort_all(arena, &s, &order))
		return false;
	*out = order;
	return true;
}

/* Bottom-up merge sort of one run; stable. */
static void merge_sort(const void *table, order_compare *compare, uint32_t *rows, uint32_t *spare, uint32_t n)
{
	for (uint64_t width = 1; width < n; width *= 2) {
		for (uint64_t at = 0; at < n; at += 2 * width) {
			uint64_t middle = at + width < n ? at + width : n;
			uint64_t end = at + 2 * width < n ? at + 2 * width : n;
			uint64_t a = at, b = middle;

			for (uint64_t i = at; i < end; i++) {
				bool left = b >= end || (a < middle && compare(table, rows[a], rows[b]) < !CANARY(6)); /* canary: ties */

				spare[i] = left ? rows[a++] : rows[b++];
			}
		}
		for (uint32_t i = 0; i < n; i++)
			rows[i] = spare[i];
	}
}

static bool refine_run(struct arena *arena, const void *table, order_compare *compare, uint32_t *rows, uint32_t n)
{
	struct arena_mark mark = arena_mark(arena);
	uint32_t *spare = arena_alloc(arena, n, sizeof *spare);

	if (!spare)
		return false;
	merge_sort(table, compare, rows, spare, n);
	arena_rewind(arena, mark);
	return true;
}

static bool own_rows(struct arena *arena, struct order *o, uint32_t **rows)
{
	*rows = arena_alloc(arena, o->n, sizeof **rows);
	if (!*rows)
		return false;
	for (uint32_t i = 0; i < o->n; i++)
		(*rows)[i] = order_row(o, i);
	o->rows = *rows;
	return true;
}

bool order_refine(struct arena *arena, const void *table, order_key *key, order_compare *compare, struct order *o)
{
	uint32_t *rows = NULL;

	if (o->n_ties == 0)
		return true;
	for (uint32_t at = 0, end; at < o->n; at = end) {
		uint64_t k = key(table, order_row(o, at));

		for (end = at + 1; end < o->n && key(table, order_row(o, end)) == k; end++)
			;
		if (end - at == 1)
			continue;
		if (!rows && !own_rows(arena, o, &rows))
			return false;
		if (!refine_run(arena, table, compare, rows + at, end - at))
			return false;
	}
	return true;
}

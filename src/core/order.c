/* Orders: a radix sort for keys, a merge sort for ties. */
#include "core/order.h"

#include <stddef.h>

struct slot {
	uint64_t key;
	uint32_t row;
};

#define DIGIT_BITS 8
#define DIGITS (1u << DIGIT_BITS)
#define SMALL 48                /* up to here insertion is quicker than counting */

static bool in_order(const struct slot *s, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (s[i].key < s[i - 1].key)
			return false;
	return true;
}

static void insertion_sort(struct slot *s, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct slot moving = s[i];
		uint32_t j = i;

		for (; j > 0 && s[j - 1].key > moving.key; j--)
			s[j] = s[j - 1];
		s[j] = moving;
	}
}

/* One stable pass over one digit. It returns false, and moves nothing, when all rows share the digit. */
static bool radix_pass(const struct slot *from, struct slot *to, uint32_t n, unsigned shift)
{
	uint32_t start[DIGITS] = { 0 };
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		start[from[i].key >> shift & (DIGITS - 1)]++;
	if (start[from[0].key >> shift & (DIGITS - 1)] == n)
		return false;
	for (uint32_t d = 0; d < DIGITS; d++) {
		uint32_t count = start[d];

		start[d] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < n; i++)
		to[start[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
	return true;
}

static struct slot *radix_sort(struct slot *s, struct slot *spare, uint32_t n)
{
	for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
		if (radix_pass(s, spare, n, shift)) {
			struct slot *sorted = spare;

			spare = s;
			s = sorted;
		}
	}
	return s;
}

static bool sort_slots(struct arena *arena, struct slot *s, uint32_t n, uint32_t *rows)
{
	struct slot *spare;

	if (n <= SMALL) {
		insertion_sort(s, n);
	} else {
		spare = arena_alloc(arena, n, sizeof *spare);
		if (!spare)
			return false;
		s = radix_sort(s, spare, n);
	}
	for (uint32_t i = 0; i < n; i++)
		rows[i] = s[i].row;
	return true;
}

bool order_by_key(struct arena *arena, const void *table, uint32_t n, order_key *key, struct order *out)
{
	struct order order = { .n = n };
	uint32_t *rows = arena_alloc(arena, n, sizeof *rows);
	struct arena_mark mark = arena_mark(arena);
	struct slot *s;
	bool ok = true;

	if (!rows)
		return false;
	s = arena_alloc(arena, n, sizeof *s);
	if (!s)
		return false;
	for (uint32_t i = 0; i < n; i++)
		s[i] = (struct slot){ key(table, i), i };
	if (!in_order(s, n)) {
		ok = sort_slots(arena, s, n, rows);
		order.rows = rows;
	}
	arena_rewind(arena, mark);
	if (ok)
		*out = order;
	return ok;
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
				bool left = b >= end || (a < middle && compare(table, rows[a], rows[b]) <= 0);

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

/* Orders: keys and ties from the input, sorted against a plain insertion sort; memory may end at
 * any time. */
#include <stdlib.h>
#include <string.h>

#include "core/order.h"
#include "support/memory.h"
#include "support/must.h"
#include "support/random.h"
#include "targets/harness.h"

enum { ROWS_MAX = 512, ROW_LEN = 3 };

/* A row's key is two bytes, spread over 64 bits; its tie is the third. */
static uint64_t key_of(const void *table, uint32_t i)
{
	const uint8_t *row = (const uint8_t *)table + ROW_LEN * (size_t)i;

	return (uint64_t)(row[0] & 7) << 40 | row[1];
}

static int compare(const void *table, uint32_t a, uint32_t b)
{
	uint8_t x = ((const uint8_t *)table)[ROW_LEN * (size_t)a + 2],
		y = ((const uint8_t *)table)[ROW_LEN * (size_t)b + 2];

	return (x > y) - (x < y);
}

static bool comes_after(const uint8_t *table, uint32_t a, uint32_t b, bool ties)
{
	if (key_of(table, a) != key_of(table, b))
		return key_of(table, a) > key_of(table, b);
	return ties && compare(table, a, b) > 0;
}

static bool is_same(const uint8_t *table, uint32_t a, uint32_t b, bool ties)
{
	return key_of(table, a) == key_of(table, b) && (!ties || compare(table, a, b) == 0);
}

static void check_order(const uint8_t *table, const struct order *o, uint32_t n, bool ties)
{
	uint32_t rows[ROWS_MAX], n_ties = 0;

	MUST(o->n == n, "an order has all rows");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t j = i;

		for (; j > 0 && comes_after(table, rows[j - 1], i, ties); j--)
			rows[j] = rows[j - 1];
		rows[j] = i;
	}
	for (uint32_t i = 0; i < n; i++) {
		MUST(order_row(o, i) == rows[i], "rows stand in order, equal ones as they came");
		n_ties += i > 0 && is_same(table, rows[i - 1], rows[i], ties);
	}
	MUST(o->n_ties == n_ties, "ties are counted");
}

/* Rows that are the same as another are suspects, and the ties are counted; the suspects stand in
 * order. */
static void check_suspects(const uint8_t *table, const struct order *o, uint32_t n)
{
	bool listed[ROWS_MAX] = { false };
	uint32_t n_ties = 0;

	MUST(o->n <= n, "suspects are rows");
	for (uint32_t i = 0; i < o->n; i++) {
		uint32_t row = order_row(o, i);

		MUST(!listed[row], "a row is a suspect once");
		listed[row] = true;
		MUST(i == 0 || !comes_after(table, order_row(o, i - 1), row, true),
		     "suspects stand in order");
	}
	for (uint32_t i = 0; i < n; i++) {
		bool repeats = false;

		for (uint32_t j = 0; j < i; j++) {
			if (!is_same(table, i, j, true))
				continue;
			MUST(listed[i] && listed[j], "rows that are the same are suspects");
			repeats = true;
		}
		n_ties += repeats ? 1 : 0;
	}
	MUST(o->n_ties == n_ties, "ties of suspects are counted");
}

static uint32_t hash_of(const void *table, uint32_t i)
{
	return (uint32_t)(key_of(table, i) >> 32 | (key_of(table, i) & 0xFF));
}

static void make_hashes(const void *table, uint32_t first, uint32_t n, uint32_t *out)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = hash_of(table, first + i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dice dice = { random_hash(data, size) };
	uint32_t n = (uint32_t)(size / ROW_LEN < ROWS_MAX ? size / ROW_LEN : ROWS_MAX);
	uint32_t hashes[ROWS_MAX];
	struct memory memory;
	struct arena arena;
	struct order order;

	memory_init(&memory, 0xA5);
	if (dice_one_in(&dice, 4))
		memory.fail_at = dice_below(&dice, 3);
	arena_init(&arena, memory_allocator(&memory),
		   dice_one_in(&dice, 4) ? dice_below(&dice, 65536) : UINT64_MAX);
	if (order_by_key(&arena, data, n, key_of, &order))
		check_order(data, &order, n, false);
	else
		MUST(arena.refused || arena.over_budget, "only memory stops a sort");
	if (order_by_hash(&arena, data, n, key_of, compare, &order))
		check_order(data, &order, n, true);
	else
		MUST(arena.refused || arena.over_budget, "only memory stops a sort");
	for (uint32_t i = 0; i < n; i++)
		hashes[i] = hash_of(data, i);
	if (dice_one_in(&dice, 2)
		    ? order_suspects(&arena, hashes, n, data, compare, &order)
		    : order_suspects_of(&arena, make_hashes, n, data, compare, &order))
		check_suspects(data, &order, n);
	else
		MUST(arena.refused || arena.over_budget, "only memory stops a search");
	arena_free(&arena);
	MUST(memory.n_live == 0, "an arena gives everything back");
	return 0;
}

/* Tests of orders: against a naive stable sort, for keys random and chosen, around the size where
 * the method changes. */
#include "core/order.h"

#include <stdlib.h>

#include "unit.h"

enum { MANY = 300 };

static uint64_t key_of(const void *table, uint32_t i)
{
	return ((const uint64_t *)table)[i];
}

/* The naive sort: insertion of each row after those of no larger key. */
static void sort_naively(const uint64_t *keys, uint32_t n, uint32_t *rows)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i;

		for (; at > 0 && keys[rows[at - 1]] > keys[i]; at--)
			rows[at] = rows[at - 1];
		rows[at] = i;
	}
}

static void expect_sorted(const uint64_t *keys, uint32_t n)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	uint32_t expected[MANY], n_same = 0;
	struct order o;

	sort_naively(keys, n, expected);
	assert_true(order_by_key(&a, keys, n, key_of, &o));
	assert_int_equal(o.n, n);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(order_row(&o, i), expected[i]);
		n_same += i > 0 && keys[expected[i - 1]] == keys[expected[i]];
	}
	assert_int_equal(o.n_ties, n_same);
	arena_free(&a);
	assert_int_equal(m.n_live, 0);
}

static uint64_t constant(uint64_t i, uint64_t *seed)
{
	(void)i, (void)seed;
	return 7;
}
static uint64_t rising(uint64_t i, uint64_t *seed)
{
	(void)seed;
	return i;
}
static uint64_t falling(uint64_t i, uint64_t *seed)
{
	(void)seed;
	return UINT64_MAX - i;
}
static uint64_t wild(uint64_t i, uint64_t *seed)
{
	(void)i;
	return unit_random(seed);
}
static uint64_t few(uint64_t i, uint64_t *seed)
{
	(void)i;
	return unit_random(seed) % 3;
}
static uint64_t saw(uint64_t i, uint64_t *seed)
{
	(void)seed;
	return i % 5;
}
static uint64_t top_byte(uint64_t i, uint64_t *seed)
{
	(void)i;
	return unit_random(seed) % 256 << 56;
}
static uint64_t low_byte(uint64_t i, uint64_t *seed)
{
	(void)i;
	return unit_random(seed) & 0xFF;
}
static uint64_t two_bytes(uint64_t i, uint64_t *seed)
{
	(void)i;
	return (unit_random(seed) & 0xFF0000000000FF);
}
static uint64_t organ_pipe(uint64_t i, uint64_t *seed)
{
	(void)seed;
	return i % 50 < 25 ? i % 50 : 50 - i % 50;
}

static void keys_of_every_shape(void **state)
{
	static uint64_t (*const shapes[])(uint64_t, uint64_t *) = {
		constant, rising, falling, wild, few, saw, top_byte, low_byte, two_bytes, organ_pipe
	};
	static const uint32_t sizes[] = { 0,  1,  2,   3,   10,  47,  48,  49,
					  50, 64, 127, 255, 256, 257, MANY };
	uint64_t keys[MANY], seed = 1;

	(void)state;
	for (size_t s = 0; s < LENGTH(shapes); s++)
		for (size_t k = 0; k < LENGTH(sizes); k++) {
			for (uint32_t i = 0; i < sizes[k]; i++)
				keys[i] = shapes[s](i, &seed);
			expect_sorted(keys, sizes[k]);
		}
}

static void order_that_stands_costs_nothing(void **state)
{
	static const uint64_t keys[] = { 1, 2, 2, 9 };
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	struct order o;

	(void)state;
	assert_true(order_by_key(&a, keys, 4, key_of, &o));
	assert_null(o.rows);
	assert_int_equal(order_row(&o, 3), 3);
	arena_free(&a);
}

/* Rows whose key is the upper half, compared by the lower half. */
static uint64_t upper(const void *table, uint32_t i)
{
	return ((const uint64_t *)table)[i] >> 32;
}

static int compare_lower(const void *table, uint32_t a, uint32_t b)
{
	const uint64_t *rows = table;
	uint32_t x = (uint32_t)rows[a], y = (uint32_t)rows[b];

	return x < y ? -1 : x > y;
}

static void expect_sorted_by_hash(const uint64_t *rows, uint32_t n)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	uint32_t expected[MANY], n_same = 0;
	struct order o;

	sort_naively(rows, n, expected);
	assert_true(order_by_hash(&a, rows, n, upper, compare_lower, &o));
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(order_row(&o, i), expected[i]);
		n_same += i > 0 && rows[expected[i]] == rows[expected[i - 1]];
	}
	assert_int_equal(o.n_ties, n_same);
	arena_free(&a);
}

static void rows_of_equal_hash_are_compared(void **state)
{
	uint64_t rows[MANY], seed = 3;

	(void)state;
	for (uint32_t n = 0; n <= MANY; n += 1 + n / 7) {
		for (uint64_t groups = 1; groups < 40; groups *= 3) {
			for (uint32_t i = 0; i < n; i++)
				rows[i] = unit_random(&seed) % groups << 32 |
					  unit_random(&seed) % 50;
			expect_sorted_by_hash(rows, n);
		}
	}
}

/* All keys equal, as after a flood of hash collisions, with the rows rising, falling and all the
 * same. */
static void hashes_that_are_all_equal(void **state)
{
	uint64_t rows[MANY];

	(void)state;
	for (uint64_t i = 0; i < MANY; i++)
		rows[i] = MANY - i;
	expect_sorted_by_hash(rows, MANY);
	for (uint64_t i = 0; i < MANY; i++)
		rows[i] = i;
	expect_sorted_by_hash(rows, MANY);
	for (uint64_t i = 0; i < MANY; i++)
		rows[i] = 5;
	expect_sorted_by_hash(rows, MANY);
}

static void a_permutation_under_one_hash(void **state)
{
	uint64_t rows[256];

	(void)state;
	for (uint64_t i = 0; i < 256; i++)
		rows[i] = i * 167 % 256;
	expect_sorted_by_hash(rows, 256);
}

static int match_lower(const void *table, uint32_t i, const void *what)
{
	uint32_t x = (uint32_t)((const uint64_t *)table)[i], y = *(const uint32_t *)what;

	return x < y ? -1 : x > y;
}

static void expect_found(const uint64_t *rows, uint32_t n, const struct order *o, uint64_t row)
{
	uint32_t expected = 0, lower = (uint32_t)row;

	while (expected < n && rows[expected] != row)
		expected++;
	assert_int_equal(order_find(o, rows, upper, row >> 32, match_lower, &lower),
			 expected < n ? expected : ORDER_NONE);
}

/* Every row is found, the first of those that are the same; what lies before, between or after the
 * rows is not. */
static void rows_are_found_in_an_order(void **state)
{
	uint64_t rows[MANY], seed = 13;

	(void)state;
	for (uint32_t n = 0; n <= MANY; n = n * 2 + 1) {
		struct fault_memory m;
		struct arena a = unit_arena(&m, UNIT_PLENTY);
		struct order o;

		for (uint32_t i = 0; i < n; i++)
			rows[i] = (1 + unit_random(&seed) % 20) << 32 |
				  (1 + unit_random(&seed) % 30);
		assert_true(order_by_hash(&a, rows, n, upper, compare_lower, &o));
		for (uint64_t i = 0; i < 22 * 32; i++)
			expect_found(rows, n, &o, (i / 32) << 32 | i % 32);
		arena_free(&a);
	}
}

static void upper_hashes(const void *table, uint32_t first, uint32_t n, uint32_t *out)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = (uint32_t)upper(table, first + i);
}

/* Hashes that are computed when they are needed lead to the same as a list of them. */
static void expect_same_without_list(struct arena *a, const uint64_t *rows, uint32_t n,
				     const struct order *o)
{
	struct order made;

	assert_true(order_suspects_of(a, upper_hashes, n, rows, compare_lower, &made));
	assert_int_equal(made.n, o->n);
	assert_int_equal(made.n_ties, o->n_ties);
	for (uint32_t i = 0; i < o->n; i++)
		assert_int_equal(order_row(&made, i), order_row(o, i));
}

/* The suspects are rows in order, without repeats, and no row is missing that is the same as
 * another. */
static void expect_suspects(const uint64_t *rows, uint32_t n, uint32_t most)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	bool listed[MANY] = { false };
	uint32_t expected[MANY], hashes[MANY], n_same = 0;
	struct order o;

	for (uint32_t i = 0; i < n; i++)
		hashes[i] = (uint32_t)(rows[i] >> 32);
	assert_true(order_suspects(&a, hashes, n, rows, compare_lower, &o));
	assert_true(o.n <= most);
	for (uint32_t i = 0; i < o.n; i++) {
		uint32_t row = order_row(&o, i), before = i > 0 ? order_row(&o, i - 1) : row;

		assert_false(listed[row]);
		listed[row] = true;
		assert_true(rows[before] < rows[row] ||
			    (rows[before] == rows[row] && before <= row));
	}
	sort_naively(rows, n, expected);
	for (uint32_t i = 1; i < n; i++) {
		if (rows[expected[i]] != rows[expected[i - 1]])
			continue;
		assert_true(listed[expected[i]] && listed[expected[i - 1]]);
		n_same++;
	}
	assert_int_equal(o.n_ties, n_same);
	expect_same_without_list(&a, rows, n, &o);
	arena_free(&a);
	assert_int_equal(m.n_live, 0);
}

static void rows_that_are_the_same_are_suspects(void **state)
{
	uint64_t rows[MANY], seed = 5;

	(void)state;
	for (uint32_t n = 0; n <= MANY; n += 1 + n / 7) {
		for (uint64_t groups = 1; groups < 4000; groups *= 3) {
			for (uint32_t i = 0; i < n; i++)
				rows[i] = unit_random(&seed) % groups << 32 |
					  unit_random(&seed) % 4;
			expect_suspects(rows, n, n);
		}
	}
	for (uint64_t i = 0; i < MANY; i++) /* all marks differ: there is no suspect */
		rows[i] = (MANY - i) << 32;
	expect_suspects(rows, MANY, 0);
	rows[17] = rows[200]; /* but for these two */
	expect_suspects(rows, MANY, 2);
	for (uint64_t i = 0; i < MANY; i++) /* all share one mark, and no two a key */
		rows[i] = i << 48;
	expect_suspects(rows, MANY, MANY);
}

/* Enough rows that they are sorted in parts: each row before the next, the same ones counted, and
 * little memory taken. */
static void expect_many_sorted(const uint64_t *rows, uint32_t n)
{
	struct fault_memory m;
	struct arena a = unit_arena(&m, UNIT_PLENTY);
	uint8_t *seen = calloc(n, 1);
	uint32_t n_same = 0;
	struct order o;

	assert_non_null(seen);
	assert_true(order_by_hash(&a, rows, n, upper, compare_lower, &o));
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t row = order_row(&o, i), before = i > 0 ? order_row(&o, i - 1) : 0;

		assert_int_equal(seen[row]++, 0);
		if (i > 0 &&
		    (rows[before] > rows[row] || (rows[before] == rows[row] && before > row)))
			fail_msg("row %u stands before row %u", before, row);
		n_same += i > 0 && rows[row] == rows[before];
	}
	assert_int_equal(o.n_ties, n_same);
	assert_in_range(a.peak, 1, 6 * (uint64_t)n + ((uint64_t)5 << 18));
	free(seen);
	arena_free(&a);
}

static void many_rows_take_little_memory(void **state)
{
	static const uint32_t sizes[] = { 32768, 32769, 65536, 98305, 200001, 1000003 };
	uint64_t *rows = malloc(sizes[LENGTH(sizes) - 1] * sizeof *rows), seed = 11;

	(void)state;
	assert_non_null(rows);
	for (size_t k = 0; k < LENGTH(sizes); k++) {
		for (uint64_t groups = 1; groups <= UINT32_MAX; groups *= 1009) {
			for (uint32_t i = 0; i < sizes[k]; i++)
				rows[i] = unit_random(&seed) % groups << 32 |
					  unit_random(&seed) % sizes[k];
			expect_many_sorted(rows, sizes[k]);
		}
		for (uint32_t i = 0; i < sizes[k]; i++)
			rows[i] = (uint64_t)(sizes[k] - i) << 32;
		expect_many_sorted(rows, sizes[k]);
	}
	free(rows);
}

typedef bool ordering(struct arena *arena, const void *table, uint32_t n, order_key *key,
		      order_compare *compare, struct order *out);

static bool order_listed(struct arena *arena, const void *table, uint32_t n, order_key *key,
			 order_compare *compare, struct order *out)
{
	uint32_t hashes[MANY];

	for (uint32_t i = 0; i < n; i++)
		hashes[i] = (uint32_t)key(table, i);
	return order_suspects(arena, hashes, n, table, compare, out);
}

/* Whatever request is refused, the answer is false and nothing stays behind. */
static void expect_memory_is_told(ordering *sort)
{
	uint64_t rows[MANY], seed = 9;
	bool done = false;

	for (uint32_t i = 0; i < MANY; i++)
		rows[i] = unit_random(&seed) % 20 << 32 | unit_random(&seed) % 50;
	for (uint64_t at = 0; !done && at < 100; at++) {
		struct fault_memory m;
		struct arena a = unit_arena(&m, 0);
		struct order o = { 0 };

		/* A filler leaves more room each time: every request in turn is the first that is
		 * refused. */
		a.budget = 32768;
		assert_non_null(arena_alloc(&a, 1, 32768 - 64 - at * 160));
		done = sort(&a, rows, MANY, upper, compare_lower, &o);
		assert_true(done || a.over_budget);
		arena_free(&a);
		assert_int_equal(m.n_live, 0);
	}
	assert_true(done);
}

/* The second half of the work asks for memory once more. */
static void memory_for_merging_ends(void)
{
	enum { N = 70000 };
	uint64_t *rows = malloc(N * sizeof *rows);
	struct fault_memory m;
	struct order o = { 0 };
	bool done = false;

	assert_non_null(rows);
	for (uint32_t i = 0; i < N; i++)
		rows[i] = (uint64_t)(N - i) << 32;
	for (uint64_t at = 1; !done; at++) {
		struct arena a = unit_arena(&m, UNIT_PLENTY);

		m.fail_at = at;
		m.forever = true;
		done = order_by_hash(&a, rows, N, upper, compare_lower, &o);
		assert_true(done || a.refused);
		assert_in_range(at, 1, done ? 5 : 4);
		arena_free(&a);
		assert_int_equal(m.n_live, 0);
	}
	free(rows);
}

static void memory_that_ends_is_told(void **state)
{
	(void)state;
	expect_memory_is_told(order_by_hash);
	expect_memory_is_told(order_listed);
	memory_for_merging_ends();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_of_every_shape),
		cmocka_unit_test(order_that_stands_costs_nothing),
		cmocka_unit_test(rows_of_equal_hash_are_compared),
		cmocka_unit_test(hashes_that_are_all_equal),
		cmocka_unit_test(a_permutation_under_one_hash),
		cmocka_unit_test(rows_are_found_in_an_order),
		cmocka_unit_test(rows_that_are_the_same_are_suspects),
		cmocka_unit_test(many_rows_take_little_memory),
		cmocka_unit_test(memory_that_ends_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

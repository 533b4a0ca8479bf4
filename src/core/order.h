/* Orders: sorted permutations of a table's rows. The sort is our own, because what qsort does
 * with equal rows, and how long it takes, depends on the C library. */
#ifndef UVET_CORE_ORDER_H
#define UVET_CORE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/compiler.h"

/* An order lists row numbers by rising key; rows of equal key stay in table order, or go by a
 * comparison. */
struct order {
	const uint32_t *rows; /* n row numbers, in the arena; NULL means 0, 1, 2, ... */
	uint32_t n;
	uint32_t n_ties; /* rows that are the same as the row before them in the order */
};

/* order_row returns the row at place i < n of the order. */
static inline uint32_t order_row(const struct order *o, uint32_t i)
{
	return o->rows ? o->rows[i] : i;
}

/* An order_key returns the key of row i. */
typedef uint64_t order_key(const void *table, uint32_t i);

/* order_compare compares rows a and b of equal key; 0 means they are the same. */
typedef int order_compare(const void *table, uint32_t a, uint32_t b);

/* order_numbers compares two numbers, for comparisons of rows. */
static inline int order_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* order_by_key sorts n rows by key in linear time (a radix sort). Rows that are in order already
 * take one pass and no memory; others take six bytes each while they are sorted, or up to twenty
 * if there are no more than 32,768. false: memory ended, or the check was interrupted, as
 * arena->interrupt says. */
UVET_MUST_USE bool order_by_key(struct arena *arena, const void *table, uint32_t n, order_key *key,
				struct order *out);

/* order_by_hash is order_by_key where the key is only a hash: rows of equal key are sorted by
 * compare, in n log n steps at worst, so that nobody gains by making hashes collide. */
UVET_MUST_USE bool order_by_hash(struct arena *arena, const void *table, uint32_t n, order_key *key,
				 order_compare *compare, struct order *out);

/* order_rows sorts the n rows of the table that `rows` lists, in place: *out points to that
 * list. rows NULL: rows 0 to n - 1. key is called with `keys`, compare with `table`. */
struct order_by {
	const void *table, *keys;
	order_key *key;
	order_compare *compare;
};
UVET_MUST_USE bool order_rows(struct arena *arena, const struct order_by *by, uint32_t *rows,
			      uint32_t n, struct order *out);

/* An order_match compares row i with what is looked for. It returns less than 0 if the row comes
 * before that, and 0 if it is that. */
typedef int order_match(const void *table, uint32_t i, const void *what);

/* order_find searches an order that order_by_hash made by `key`. It returns the first row with
 * the key `wanted` for which match(table, row, what) is 0, or ORDER_NONE. match orders rows as
 * the order's comparison does. */
#define ORDER_NONE UINT32_MAX
uint32_t order_find(const struct order *o, const void *table, order_key *key, uint64_t wanted,
		    order_match *match, const void *what);

/* order_suspects is order_by_hash for callers that only look for duplicates: the order leaves
 * out rows that are known to have none without sorting, most often all. hashes are n hashes,
 * equal for rows that are the same; their lower bits should differ as often as the rows do. */
UVET_MUST_USE bool order_suspects(struct arena *arena, const uint32_t *hashes, uint32_t n,
				  const void *table, order_compare *compare, struct order *out);

/* order_suspects_of is order_suspects for callers that keep no hashes: make computes those of n
 * rows from row `first` on, whenever they are needed. */
typedef void order_hashes(const void *table, uint32_t first, uint32_t n, uint32_t *out);
UVET_MUST_USE bool order_suspects_of(struct arena *arena, order_hashes *make, uint32_t n,
				     const void *table, order_compare *compare, struct order *out);

#endif

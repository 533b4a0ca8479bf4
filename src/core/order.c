/* Orders: a radix sort for keys, a merge sort for ties. */
#include "core/order.h"

#include <stddef.h>
#include <string.h>

#include "core/canary.h"
#include "core/interrupt.h"

/* A sort goes by half keys of 32 bits, the lower halves first. A slot is a half key with its row below it. */
struct sort {
	const void *table;
	order_key *key;
	order_compare *compare;         /* of rows of equal key; NULL: they are the same */
	uint32_t first, n;              /* the rows that are sorted now */
	uint64_t *slots, *spare;
	const struct interrupt *interrupt;
	uint32_t n_moved;               /* rows since it was last asked */
	bool stopped;                   /* by it: what is in order then counts for nothing */
};

#define HALF_MASK 0xFFFFFFFFu
#define DIGIT_BITS 8u
#define DIGITS (1u << DIGIT_BITS)
#define SMALL 48                /* up to here insertion is quicker than counting */

/* How many rows are moved between two questions whether the check was interrupted. */
#define POLL 65536u

/* Counts n rows more; false, also from then on, if the sort shall stop. */
static bool goes_on(struct sort *s, uint32_t n)
{
	s->n_moved += n < POLL ? n : POLL;
	if (s->n_moved < POLL)
		return !s->stopped;
	s->n_moved = 0;
	s->stopped = s->stopped || interrupt_look(s->interrupt) != INTERRUPTED_NOT;
	return !s->stopped;
}

/* Fills the slots with the halves of the keys that begin at bit `shift`, in the order of the rows. It returns the bits in which
 * the keys differ. */
static uint64_t fill(struct sort *s, const uint32_t *rows, unsigned shift)
{
	uint64_t first = s->key(s->table, s->first), differ = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t row = rows ? rows[i] : s->first + i;
		uint64_t key = s->key(s->table, row);

		differ |= key ^ first;
		s->slots[i] = (key >> shift & HALF_MASK) << 32 | row;
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
	uint64_t differ = fill(s, NULL, 0);

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

/* Sorts a run of rows of equal key. It returns how many are the same as the one before. The slots are no longer needed. */
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
static bool goes_before(const struct sort *s, uint64_t key, uint32_t row, uint64_t other_key, uint32_t other)
{
	if (key != other_key)
		return key < other_key;
	return s->compare && s->compare(s->table, row, other) < 0;
}

/* Insertion, up to SMALL rows. */
static bool sort_few(struct arena *arena, const struct sort *s, struct order *o)
{
	UVET_FILLED_LATER uint64_t keys[SMALL];
	uint32_t *rows = arena_alloc(arena, s->n, sizeof *rows);

	if (!rows)
		return false;
	o->n_ties = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t key = s->key(s->table, i);
		uint32_t j = i;

		for (; j > 0 && goes_before(s, key, i, keys[j - 1], rows[j - 1]); j--) {
			keys[j] = keys[j - 1];
			rows[j] = rows[j - 1];
		}
		keys[j] = key;
		rows[j] = i;
		o->n_ties += j > 0 && keys[j - 1] == key && (!s->compare || s->compare(s->table, rows[j - 1], i) == 0);
	}
	o->rows = rows;
	return true;
}

/* ---- Many rows ---------------------------------------------------------------------------------------------------------- */

/* Slots take four times what the order takes. Of more rows than this, no more than a quarter has slots at a time; the parts are merged. */
#define SLOTS_MAX 32768u
#define PARTS 4u

static uint32_t part_len(uint32_t n)
{
	const uint32_t part = n / PARTS + 1;

	return n <= SLOTS_MAX ? n : part > SLOTS_MAX ? part : SLOTS_MAX;
}

/* Sorts each part of the rows by itself. It returns how many are the same as the one before in their part. */
static uint32_t sort_parts(struct sort *s, uint32_t *rows, uint32_t n, uint32_t part)
{
	uint32_t n_ties = 0;

	for (uint32_t from = 0; from < n && !s->stopped; from += s->n) {
		s->first = from;
		s->n = n - from < part ? n - from : part;
		sort_rows(s, rows + from);
		n_ties += settle_ties(s, rows + from);
	}
	s->first = 0;
	s->n = n;
	return n_ties;
}

/* The head of a stretch of rows that is merged. */
struct head {
	const uint32_t *row, *end;
	uint64_t key;
};

static void look_at(const struct sort *s, struct head *h)
{
	if (h->row < h->end)
		h->key = s->key(s->table, *h->row);
}

/* Merges two stretches that follow one another into out; of rows that are the same the first comes first. */
static void merge_parts(const struct sort *s, struct head a, struct head b, uint32_t *out)
{
	look_at(s, &a);
	look_at(s, &b);
	while (a.row < a.end && b.row < b.end) {
		struct head *next = goes_before(s, b.key, *b.row, a.key, *a.row) ? &b : &a;

		*out++ = *next->row++;
		look_at(s, next);
	}
	while (a.row < a.end)
		*out++ = *a.row++;
	while (b.row < b.end)
		*out++ = *b.row++;
}

static bool merge_all(struct arena *arena, struct sort *s, uint32_t *rows, uint32_t part)
{
	uint32_t *from = rows, *to = arena_alloc(arena, s->n, sizeof *to), *other;

	if (!to)
		return false;
	for (uint64_t width = part; width < s->n && goes_on(s, s->n); width *= 2) {
		for (uint64_t at = 0; at < s->n; at += 2 * width) {
			const uint64_t middle = at + width < s->n ? at + width : s->n;
			const uint64_t end = middle + width < s->n ? middle + width : s->n;

			merge_parts(s, (struct head){ from + at, from + middle, 0 }, (struct head){ from + middle, from + end, 0 },
				    to + at);
		}
		other = from;
		from = to;
		to = other;
	}
	if (from != rows)
		memcpy(rows, from, s->n * sizeof *rows);
	return true;
}

/* How many rows are the same as the one before. */
static uint32_t count_ties(struct sort *s, const uint32_t *rows)
{
	uint64_t before = s->key(s->table, rows[0]);
	uint32_t n = 0;

	for (uint32_t i = 1; i < s->n && goes_on(s, 1); i++) {
		const uint64_t key = s->key(s->table, rows[i]);

		n += key == before && (!s->compare || s->compare(s->table, rows[i - 1], rows[i]) == 0);
		before = key;
	}
	return n;
}

static bool sort_all(struct arena *arena, struct sort *s, struct order *o)
{
	const uint32_t part = part_len(s->n);
	uint32_t *rows = arena_alloc(arena, s->n, sizeof *rows);
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

	s->interrupt = arena->interrupt;
	if ((!stands || (s->compare && order.n_ties > 0)) &&
	    !(s->n <= SMALL ? sort_few(arena, s, &order) : sort_all(arena, s, &order)))
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

uint32_t order_find(const struct order *o, const void *table, order_key *key, uint64_t wanted, order_match *match, const void *what)
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

/* ---- Rows that may be the same ---------------------------------------------------------------------------------------- */

/* Marks for each row: of a small table so many that hardly a row meets another one's, of a large one so few that they stay in the cache. */
#define MARKS_OF_FEW 32
#define MARKS_OF_MANY 8
#define MANY 4096
#define FEW 12                  /* up to here comparing hashes is quicker than marking them */
#define FEW_LATER 4             /* up to here it is quicker than a second look at all rows */

/* Rows with their hashes: all, or, as a table of their own, those that `rows` lists. */
struct hashed {
	const uint32_t *hashes;
	const void *table;
	order_compare *compare;
	const uint32_t *rows;           /* NULL: all */
};

static uint32_t hashed_row(const struct hashed *h, uint32_t i)
{
	return h->rows ? h->rows[i] : i;
}

static uint64_t hashed_key(const void *hashed, uint32_t i)
{
	const struct hashed *h = hashed;

	return h->hashes[hashed_row(h, i)];
}

static int compare_hashed(const void *hashed, uint32_t a, uint32_t b)
{
	const struct hashed *h = hashed;

	return h->compare(h->table, hashed_row(h, a), hashed_row(h, b));
}

static bool order_hashed(struct arena *arena, const struct hashed *h, uint32_t n, struct order *out)
{
	return order_by(arena, &(struct sort){ .table = h, .key = hashed_key, .compare = compare_hashed, .n = n }, out);
}

/* Marks are one bit for each value of a hash's lower bits. */
struct marks {
	uint64_t *words;
	uint64_t n_words;               /* a power of two */
};

static inline uint64_t *mark_word(const struct marks *m, uint32_t hash)
{
	return &m->words[hash / 64 & (m->n_words - 1)];
}

/* Sets the mark of a hash. It returns whether it was set before, as 0 or 1. */
static inline uint32_t set_mark(const struct marks *m, uint32_t hash)
{
	uint64_t *word = mark_word(m, hash), before = *word;

	*word = before | (uint64_t)1 << hash % 64;
	return (uint32_t)(before >> hash % 64 & 1);
}

static bool alloc_marks(struct arena *arena, uint32_t n_rows, struct marks *m)
{
	uint64_t n = (uint64_t)n_rows * (n_rows < MANY ? MARKS_OF_FEW : MARKS_OF_MANY);

	m->n_words = 1;
	while (m->n_words * 64 < n)
		m->n_words *= 2;
	m->words = arena_alloc(arena, m->n_words, sizeof *m->words);
	return m->words != NULL;
}

static void clear_marks(const struct marks *m)
{
	memset(m->words, 0, (size_t)m->n_words * sizeof *m->words);
}

/* Tells whether one of n rows has the hash of an earlier row; rows lists them, NULL: they are the first n of the table. */
static bool any_same(const uint32_t *hashes, const uint32_t *rows, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		const uint32_t row = rows ? rows[k] : k;

		for (uint32_t i = 0; i < row; i++)
			if (hashes[i] == hashes[row])
				return true;
	}
	return false;
}

/* Lists the rows whose mark another row has too, in the order of the table; rows has room for all. First it takes those that find
 * their mark set, and of a few of them asks whether that was by chance; then it marks only theirs. */
static uint32_t list_suspects(const uint32_t *hashes, uint32_t n_hashes, struct marks m, uint32_t *rows)
{
	uint32_t n_later = 0, n = 0;

	clear_marks(&m);
	for (uint32_t i = 0; i < n_hashes; i++) {
		rows[n_later] = i;
		n_later += set_mark(&m, hashes[i]);
	}
	if (n_later <= FEW_LATER && !any_same(hashes, rows, n_later))
		return 0;
	clear_marks(&m);
	for (uint32_t i = 0; i < n_later; i++)
		set_mark(&m, hashes[rows[i]]);
	for (uint32_t i = 0; i < n_hashes; i++) {
		rows[n] = i;
		n += (uint32_t)(*mark_word(&m, hashes[i]) >> hashes[i] % 64 & 1);
	}
	return n;
}

/* Orders the rows that h lists, where they are listed. */
static bool order_listed(struct arena *arena, const struct hashed *h, uint32_t *rows, uint32_t n, struct order *out)
{
	struct arena_mark mark = arena_mark(arena);
	uint32_t *sorted = arena_alloc(arena, n, sizeof *sorted);
	struct order order;

	if (!sorted || !order_hashed(arena, h, n, &order))
		return false;
	for (uint32_t i = 0; i < n; i++)
		sorted[i] = h->rows[order_row(&order, i)];
	memcpy(rows, sorted, n * sizeof *rows);
	arena_rewind(arena, mark);
	*out = (struct order){ .rows = rows, .n = n, .n_ties = order.n_ties };
	return true;
}

bool order_suspects(struct arena *arena, const uint32_t *hashes, uint32_t n, const void *table, order_compare *compare,
                    struct order *out)
{
	struct hashed h = { .hashes = hashes, .table = table, .compare = compare };
	struct arena_mark before = arena_mark(arena), mark;
	struct marks marks;
	uint32_t *rows, n_rows;

	*out = (struct order){ 0 };
	if (n <= FEW)
		return !any_same(hashes, NULL, n) || order_hashed(arena, &h, n, out);
	rows = arena_alloc(arena, n, sizeof *rows);
	mark = arena_mark(arena);
	if (!rows || !alloc_marks(arena, n, &marks))
		return false;
	n_rows = list_suspects(hashes, n, marks, rows);
	arena_rewind(arena, mark);
	h.rows = rows;
	if (n_rows > 0)
		return order_listed(arena, &h, rows, n_rows, out);
	arena_rewind(arena, before);
	return true;
}

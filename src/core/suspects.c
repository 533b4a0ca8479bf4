/* Finding duplicate rows: marks, a bit for some hashes each, rule out most rows, and only the
 * others are sorted. */
#include "core/order.h"

#include <stddef.h>
#include <string.h>

/* How many marks there are for each row: in a small table many, so that hardly two rows share
 * one by chance; in a large one fewer, so that they stay in the cache. */
#define MARKS_OF_FEW 32
#define MARKS_OF_MANY 8
#define MANY 4096
#define FEW 12      /* up to here comparing hashes is faster than marking them */
#define FEW_LATER 4 /* up to here it is faster than going over all rows again */

/* The hashes of n rows: a list, or computed by `make`, block by block. */
struct hashed {
	const uint32_t *list;
	order_hashes *make; /* NULL: they are in the list */
	const void *table;
	uint32_t n;
};

/* The hashes of consecutive rows: of all rows if there is a list, else of as many as are
 * computed at a time. */
#define BLOCK 128u
struct block {
	const uint32_t *hashes; /* of the rows from first to end */
	uint32_t first, end;
	uint32_t made[BLOCK];
};

static void open_block(struct block *b, const struct hashed *h, uint32_t first)
{
	b->first = first;
	b->end = h->list || h->n - first < BLOCK ? h->n : first + BLOCK;
	b->hashes = h->list ? h->list + first : b->made;
	if (!h->list)
		h->make(h->table, first, b->end - first, b->made);
}

static uint64_t hashed_key(const void *hashed, uint32_t i)
{
	const struct hashed *h = hashed;
	uint32_t hash;

	if (h->list)
		return h->list[i];
	h->make(h->table, i, 1, &hash);
	return hash;
}

/* Marks are one bit for each value of a hash's lower bits. */
struct marks {
	uint64_t *words;
	uint64_t n_words; /* a power of two */
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

/* A few rows with their hashes. */
struct few {
	uint32_t n;
	uint32_t rows[FEW], hashes[FEW];
};

static void note_few(struct few *f, const struct hashed *h, const uint32_t *rows, uint32_t n)
{
	f->n = n;
	for (uint32_t i = 0; i < n; i++) {
		f->rows[i] = rows ? rows[i] : i;
		f->hashes[i] = (uint32_t)hashed_key(h, f->rows[i]);
	}
}

/* Tells whether a row of the block that comes before this one has its hash. */
static bool is_in_block(const struct block *b, uint32_t row, uint32_t hash)
{
	for (uint32_t i = b->first; i < b->end && i < row; i++)
		if (b->hashes[i - b->first] == hash)
			return true;
	return false;
}

/* Tells whether one of n <= FEW rows has the hash of an earlier row of the table. `rows` lists
 * them in their order; NULL: they are the whole table. */
static bool any_same(const struct hashed *h, const uint32_t *rows, uint32_t n)
{
	UVET_FILLED_LATER struct few few;
	UVET_FILLED_LATER struct block b;

	note_few(&few, h, rows, n);
	for (uint32_t from = 0; n > 0 && from < few.rows[n - 1]; from = b.end) {
		open_block(&b, h, from);
		for (uint32_t k = 0; k < n; k++)
			if (is_in_block(&b, few.rows[k], few.hashes[k]))
				return true;
	}
	return false;
}

/* Sets the mark of each row of a block. Rows whose mark was set before are added to the n of the
 * list; it returns how many are listed now. */
static uint32_t mark_block(const struct block *b, struct marks m, uint32_t *rows, uint32_t n)
{
	const uint32_t *hashes = b->hashes;

	for (uint32_t i = b->first, end = b->end; i < end; i++) {
		rows[n] = i;
		n += set_mark(&m, *hashes++);
	}
	return n;
}

/* Adds the rows of a block whose mark is set to the list, likewise. */
static uint32_t list_block(const struct block *b, struct marks m, uint32_t *rows, uint32_t n)
{
	const uint32_t *hashes = b->hashes;

	for (uint32_t i = b->first, end = b->end; i < end; i++) {
		const uint32_t hash = *hashes++;

		rows[n] = i;
		n += (uint32_t)(*mark_word(&m, hash) >> hash % 64 & 1);
	}
	return n;
}

typedef uint32_t block_lister(const struct block *b, struct marks m, uint32_t *rows, uint32_t n);

static inline uint32_t list_rows(const struct hashed *h, struct marks m, uint32_t *rows,
				 block_lister *list)
{
	UVET_FILLED_LATER struct block b;
	uint32_t n = 0;

	for (uint32_t from = 0; from < h->n; from = b.end) {
		open_block(&b, h, from);
		n = list(&b, m, rows, n);
	}
	return n;
}

/* Lists the rows that share their mark with another row, in the order of the table; rows has
 * space for all. First it lists the rows whose mark an earlier row has set. If these are only a
 * few, their hashes are compared: most share the mark by chance. Then only their marks are set,
 * and all rows that have one of them are listed. */
static uint32_t list_suspects(const struct hashed *h, struct marks m, uint32_t *rows)
{
	uint32_t n_later;

	clear_marks(&m);
	n_later = list_rows(h, m, rows, mark_block);
	if (n_later <= FEW_LATER && !any_same(h, rows, n_later))
		return 0;
	clear_marks(&m);
	for (uint32_t i = 0; i < n_later; i++)
		set_mark(&m, (uint32_t)hashed_key(h, rows[i]));
	return list_rows(h, m, rows, list_block);
}

static bool order_hashed(struct arena *arena, const struct hashed *h, order_compare *compare,
			 uint32_t *rows, uint32_t n, struct order *out)
{
	const struct order_by by = {
		.table = h->table, .keys = h, .key = hashed_key, .compare = compare
	};

	return order_rows(arena, &by, rows, n, out);
}

static bool order_same(struct arena *arena, const struct hashed *h, order_compare *compare,
		       struct order *out)
{
	struct arena_mark before = arena_mark(arena), mark;
	struct marks marks;
	uint32_t *rows, n_rows;

	*out = (struct order){ 0 };
	if (h->n <= FEW)
		return !any_same(h, NULL, h->n) || order_hashed(arena, h, compare, NULL, h->n, out);
	rows = arena_alloc(arena, h->n, sizeof *rows);
	mark = arena_mark(arena);
	if (!rows || !alloc_marks(arena, h->n, &marks))
		return false;
	n_rows = list_suspects(h, marks, rows);
	arena_rewind(arena, mark);
	if (n_rows > 0)
		return order_hashed(arena, h, compare, rows, n_rows, out);
	arena_rewind(arena, before);
	return true;
}

bool order_suspects(struct arena *arena, const uint32_t *hashes, uint32_t n, const void *table,
		    order_compare *compare, struct order *out)
{
	return order_same(arena, &(struct hashed){ .list = hashes, .table = table, .n = n },
			  compare, out);
}

bool order_suspects_of(struct arena *arena, order_hashes *make, uint32_t n, const void *table,
		       order_compare *compare, struct order *out)
{
	return order_same(arena, &(struct hashed){ .make = make, .table = table, .n = n }, compare,
			  out);
}

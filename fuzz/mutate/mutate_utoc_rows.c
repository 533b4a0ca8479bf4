/* Rows of containers: inserted, removed and exchanged in every part that has one for each, and
 * counted in the header. */
#include "mutate/mutate_utoc_rows.h"

#include <string.h>

enum { ROWS_MAX = 64, ROW_MAX = 64 };

bool toc_splice(struct toc_work *w, uint64_t at, uint64_t n, const void *bytes, uint64_t m)
{
	if (at > w->size || n > w->size - at || m > w->max - (w->size - n))
		return false;
	memmove(w->data + at + m, w->data + at + n, w->size - at - n);
	if (bytes)
		memcpy(w->data + at, bytes, m);
	else
		memset(w->data + at, 0, m);
	w->size = w->size - n + m;
	return true;
}

bool toc_reread(struct toc_work *w)
{
	return reference_toc_read(&w->t, w->data, w->size) && w->t.whole;
}

/* What the header counts, and the parts that have a row for each of these, from the last part to
 * the first. */
static const struct counted {
	unsigned at;
	enum reference_part parts[3];
	unsigned n_parts;
} counted[] = {
	{ AT_N_CHUNKS, { REFERENCE_METAS, REFERENCE_RANGES, REFERENCE_IDS }, 3 },
	{ AT_N_BLOCKS, { REFERENCE_BLOCKS }, 1 },
	{ AT_N_SEEDS, { REFERENCE_SEEDS }, 1 },
	{ AT_N_OVERFLOW, { REFERENCE_OVERFLOW }, 1 },
	{ AT_N_METHODS, { REFERENCE_METHODS }, 1 },
};

uint64_t toc_n_rows(const struct toc_work *w, enum counted_rows c)
{
	return w->t.part[counted[c].parts[0]].n;
}

void toc_put_u32(struct toc_work *w, unsigned at, uint64_t v)
{
	reference_write(w->data + at, 4, v);
}

void toc_put_count(struct toc_work *w, enum counted_rows c, uint64_t n)
{
	toc_put_u32(w, counted[c].at, n);
}

void toc_sign_blocks(struct toc_work *w, int64_t blocks)
{
	uint64_t end = w->t.part[REFERENCE_DIRECTORY].at;

	if (!(w->t.flags & 4) || blocks == 0)
		return;
	if (blocks > 0)
		(void)toc_splice(w, end, 0, NULL, 20 * (uint64_t)blocks);
	else if (20 * (uint64_t)-blocks <= w->t.part[REFERENCE_SIGNATURES].row)
		(void)toc_splice(w, end - 20 * (uint64_t)-blocks, 20 * (uint64_t)-blocks, NULL, 0);
}

/* Puts a row like row `from`, or of zeros, before row i into each part, and counts it. */
static void add_row(struct toc_work *w, enum counted_rows c, uint64_t i, const uint64_t *from)
{
	uint8_t row[ROW_MAX];

	if (c == BLOCK_ROWS && dice_mostly(w->dice))
		toc_sign_blocks(w, 1);
	for (unsigned k = 0; k < counted[c].n_parts; k++) {
		enum reference_part part = counted[c].parts[k];
		uint64_t len = w->t.part[part].row;

		if (len > sizeof row)
			return;
		if (from)
			memcpy(row, reference_row(&w->t, part, *from), len);
		if (!toc_splice(w, w->t.part[part].at + i * len, 0, from ? row : NULL, len))
			return;
	}
	if (dice_mostly(w->dice))
		toc_put_count(w, c, toc_n_rows(w, c) + 1);
}

static void drop_row(struct toc_work *w, enum counted_rows c, uint64_t i)
{
	if (c == BLOCK_ROWS && dice_mostly(w->dice))
		toc_sign_blocks(w, -1);
	for (unsigned k = 0; k < counted[c].n_parts; k++) {
		enum reference_part part = counted[c].parts[k];

		(void)toc_splice(w, w->t.part[part].at + i * w->t.part[part].row,
				 w->t.part[part].row, NULL, 0);
	}
	if (dice_mostly(w->dice))
		toc_put_count(w, c, toc_n_rows(w, c) - 1);
}

/* Two rows change places: in all parts, or now and then in one. */
static void swap_rows(struct toc_work *w, enum counted_rows c, uint64_t i, uint64_t j)
{
	uint8_t row[ROW_MAX];
	unsigned n = dice_mostly(w->dice) ? counted[c].n_parts : 1;

	for (unsigned k = 0; k < n; k++) {
		enum reference_part part = counted[c].parts[k];
		uint64_t len = w->t.part[part].row;
		uint8_t *a = w->data + w->t.part[part].at + i * len,
			*b = w->data + w->t.part[part].at + j * len;

		if (len > sizeof row)
			return;
		memcpy(row, a, len);
		memmove(a, b, len);
		memcpy(b, row, len);
	}
}

void toc_resize_rows(struct toc_work *w, enum counted_rows c, uint64_t n)
{
	uint64_t old = toc_n_rows(w, c);

	if (n > old + ROWS_MAX || old > n + ROWS_MAX)
		return;
	for (unsigned k = 0; k < counted[c].n_parts; k++) {
		enum reference_part part = counted[c].parts[k];
		uint64_t at = w->t.part[part].at, len = w->t.part[part].row;

		if (n > old ? !toc_splice(w, at + old * len, 0, NULL, (n - old) * len)
			    : !toc_splice(w, at + n * len, (old - n) * len, NULL, 0))
			return;
	}
	toc_put_count(w, c, n);
}

void toc_change_rows(struct toc_work *w)
{
	enum counted_rows c = dice_one_in(w->dice, 2)
				      ? (enum counted_rows)dice_below(w->dice, 2)
				      : (enum counted_rows)dice_below(w->dice, N_COUNTED);
	uint64_t n = toc_n_rows(w, c), i, j;

	if (n == 0) {
		toc_resize_rows(w, c, 1 + dice_below(w->dice, 3));
		return;
	}
	i = dice_below(w->dice, n);
	j = dice_below(w->dice, n);
	switch (dice_below(w->dice, 4)) {
	case 0:
		drop_row(w, c, i);
		break;
	case 1:
		swap_rows(w, c, i, j);
		break;
	default:
		add_row(w, c, i, dice_one_in(w->dice, 8) ? NULL : &j);
		break;
	}
}

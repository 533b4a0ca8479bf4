/* .uz downloads: the stages are undone down to the sorted blocks, these are changed, and the stages
 * done again. A blind change of the codes would only make noise of all that follows. */
#include "mutate/mutate_uz.h"

#include <string.h>

#include "reference/reference.h"
#include "reference/reference_uz.h"

enum { OLD = 1234, NEW = 5678, HEAD = 12, ROOM = 8192, SORTED_MAX = 256, RUN = 5, RUN_MAX = 255 };

/* A download that is being changed: where its codes begin, and its blocks. */
struct uz_work {
	struct dice dice;
	bool is_new;
	size_t codes_at; /* the number of symbols stands there */
	struct reference_huffman huffman;
	uint8_t blocks[ROOM], other[ROOM];
	size_t n;
};

/* ---- Undoing --------------------------------------------------------------------------------- */

static bool undo(struct uz_work *w, const uint8_t *data, size_t size)
{
	const uint64_t signature = size >= 4 ? reference_u32(data) : 0;
	int64_t count = 0;
	uint64_t len, units, total, n;

	if (signature != OLD && signature != NEW)
		return false;
	w->is_new = signature == NEW;
	len = reference_index(data + 4, size - 4, &count);
	units = (uint64_t)(count < 0 ? -2 * count : count);
	if (len == 0 || units > size - 4 - len || size - 4 - len - units < 4)
		return false;
	w->codes_at = (size_t)(4 + len + units);
	total = reference_u32(data + w->codes_at);
	if (total > ROOM || reference_tree(&w->huffman, data + w->codes_at + 4,
					   size - w->codes_at - 4) != REFERENCE_FINE)
		return false;
	n = reference_symbols(&w->huffman, w->blocks, total);
	if (w->is_new) {
		memcpy(w->other, w->blocks, (size_t)n);
		if (reference_runs(w->other, n, w->blocks, ROOM, &n) != REFERENCE_FINE)
			return false;
	}
	reference_places(w->blocks, n);
	w->n = (size_t)n;
	return true;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Draws one of the blocks that are whole: its place, and the length that it states. */
static bool draw_block(struct uz_work *w, size_t *at, uint64_t *len)
{
	size_t starts[ROOM / (HEAD + 1)], n = 0;

	for (size_t i = 0; w->n - i > HEAD; i += HEAD + 1 + (size_t)*len) {
		*len = reference_u32(w->blocks + i);
		if (*len >= w->n - i - HEAD)
			break;
		starts[n++] = i;
	}
	if (n == 0)
		return false;
	*at = starts[dice_below(&w->dice, n)];
	*len = reference_u32(w->blocks + *at);
	return true;
}

/* Replaces n bytes of the blocks by m others. */
static void splice(struct uz_work *w, size_t at, size_t n, const uint8_t *bytes, size_t m)
{
	if (m > ROOM - (w->n - n))
		return;
	memmove(w->blocks + at + m, w->blocks + at + n, w->n - at - n);
	if (m > 0)
		memcpy(w->blocks + at, bytes, m);
	w->n = w->n - n + m;
}

/* Whether what follows one place of a content sorts before what follows another; the end sorts
 * after all. */
static bool is_before(const uint8_t *content, size_t len, size_t a, size_t b)
{
	while (a < len && b < len && content[a] == content[b]) {
		a++;
		b++;
	}
	return b == len || (a < len && content[a] < content[b]);
}

/* Makes a block that decodes to this content. */
static size_t sort(const uint8_t *content, size_t len, uint8_t *block)
{
	size_t rows[SORTED_MAX + 1], first = 0, last = 0;

	for (size_t i = 0; i <= len; i++) {
		size_t k = i;

		for (; k > 0 && is_before(content, len, i, rows[k - 1]); k--)
			rows[k] = rows[k - 1];
		rows[k] = i;
	}
	for (size_t i = 0; i <= len; i++) {
		first = rows[i] == 1 || len == 0 ? i : first;
		last = rows[i] == 0 ? i : last;
		block[HEAD + i] = rows[i] > 0 ? content[rows[i] - 1] : 0;
	}
	reference_put_u32(block, len);
	reference_put_u32(block + 4, first);
	reference_put_u32(block + 8, last);
	return HEAD + 1 + len;
}

/* Part of one content after another, or a run, so that a block decodes to what might have been
 * packed. */
static size_t make_content(struct uz_work *w, uint8_t *content, size_t len)
{
	size_t at = (size_t)dice_below(&w->dice, len + 1), n = 1 + (size_t)dice_below(&w->dice, 16);

	n = n < SORTED_MAX - len ? n : SORTED_MAX - len;
	memmove(content + at + n, content + at, len - at);
	if (dice_one_in(&w->dice, 2))
		memset(content + at, at > 0 ? content[at - 1] : 'a', n);
	for (size_t i = 0; i < n && dice_one_in(&w->dice, 4); i++)
		content[at + i] = (uint8_t)dice_roll(&w->dice);
	return len + n;
}

static void sort_again(struct uz_work *w, size_t at, uint64_t len)
{
	uint8_t content[SORTED_MAX] = { 0 }, block[HEAD + 1 + SORTED_MAX];
	uint64_t n = 0;
	size_t m;

	if (len > SORTED_MAX ||
	    reference_blocks(w->blocks + at, HEAD + 1 + len, content, &n) != REFERENCE_FINE)
		return;
	m = sort(content, make_content(w, content, (size_t)n), block);
	splice(w, at, HEAD + 1 + (size_t)len, block, m);
}

/* The numbers of a block: its length, the row that it begins with and the row of its end. */
static void change_numbers(struct uz_work *w, uint8_t *block, uint64_t len)
{
	uint8_t *number = block + 4 + 4 * dice_below(&w->dice, 2);

	switch (dice_below(&w->dice, 4)) {
	case 0:
		reference_put_u32(number, dice_below(&w->dice, len + 2));
		break;
	case 1:
		reference_put_u32(block + 4, reference_u32(block + 8));
		break;
	case 2:
		reference_put_u32(number, dice_mostly(&w->dice) ? len : UINT32_MAX);
		break;
	default:
		reference_put_u32(block, len + dice_below(&w->dice, 3) - 1);
		break;
	}
}

static void change_block(struct uz_work *w, mutate_blind *blind)
{
	uint8_t copy[ROOM];
	size_t at, whole;
	uint64_t len;

	if (!draw_block(w, &at, &len)) {
		w->n = mutate_blindly(w->blocks, w->n, ROOM, &w->dice, w->n > 0 ? blind : NULL);
		return;
	}
	whole = HEAD + 1 + (size_t)len;
	memcpy(copy, w->blocks + at, whole);
	switch (dice_below(&w->dice, 8)) {
	case 0:
		splice(w, at, whole, NULL, 0);
		break;
	case 1:
		splice(w, dice_one_in(&w->dice, 2) ? at : w->n, 0, copy, whole);
		break;
	case 2:
		change_numbers(w, w->blocks + at, len);
		break;
	case 3:
		w->blocks[at + HEAD + dice_below(&w->dice, len + 1)] = (uint8_t)dice_roll(&w->dice);
		break;
	case 4:
		w->n = mutate_blindly(w->blocks, w->n, ROOM, &w->dice, blind);
		break;
	case 5:
		splice(w, w->n, 0, w->other,
		       sort(copy + HEAD,
			    (size_t)dice_below(&w->dice, len < SORTED_MAX ? len + 1 : SORTED_MAX),
			    w->other));
		break;
	default:
		sort_again(w, at, len);
		break;
	}
}

/* ---- Doing again ----------------------------------------------------------------------------- */

static void list_places(uint8_t *bytes, size_t n)
{
	uint8_t list[256];

	for (unsigned i = 0; i < 256; i++)
		list[i] = (uint8_t)i;
	for (size_t i = 0; i < n; i++) {
		const uint8_t byte = bytes[i];
		uint8_t place = 0;

		while (list[place] != byte)
			place++;
		memmove(list + 1, list, place);
		list[0] = byte;
		bytes[i] = place;
	}
}

/* Writes after five equal bytes how many there are. Returns the length; what does not fit is left
 * out. */
static size_t put_runs(const uint8_t *in, size_t n, uint8_t *out)
{
	size_t m = 0;

	for (size_t i = 0, run; i < n && ROOM - m > RUN; i += run) {
		for (run = 1; run < RUN_MAX && i + run < n && in[i + run] == in[i]; run++) {
		}
		memset(out + m, in[i], run < RUN ? run : RUN);
		m += run < RUN ? run : RUN;
		if (run >= RUN)
			out[m++] = (uint8_t)run;
	}
	return m;
}

/* Bits that are written, the lowest of each byte first, as far as there is room. */
struct bits {
	uint8_t *out;
	size_t room, n;
};

static void put_bit(struct bits *b, unsigned bit)
{
	if (b->n / 8 >= b->room)
		return;
	if (b->n % 8 == 0)
		b->out[b->n / 8] = 0;
	b->out[b->n / 8] |= (uint8_t)(bit << b->n % 8);
	b->n++;
}

/* A leaf is a 0 and its byte. */
static void put_leaf(struct bits *b, unsigned byte)
{
	put_bit(b, 0);
	for (unsigned i = 0; i < 8; i++)
		put_bit(b, byte >> i & 1);
}

/* The values that bytes have, the most frequent first. Returns how many there are. */
static unsigned rank(const uint8_t *in, size_t n, uint8_t order[256])
{
	size_t times[256] = { 0 };
	unsigned m = 0;

	for (size_t i = 0; i < n; i++)
		times[in[i]]++;
	for (unsigned byte = 0; byte < 256; byte++) {
		unsigned k = m;

		if (times[byte] == 0)
			continue;
		for (; k > 0 && times[order[k - 1]] < times[byte]; k--)
			order[k] = order[k - 1];
		order[k] = (uint8_t)byte;
		m++;
	}
	return m;
}

/* A tree in which each node has one leaf: the code of a byte is a one for each leaf before its own,
 * and a zero. */
static void put_codes(struct bits *b, const uint8_t *in, size_t n)
{
	uint8_t order[256] = { 0 }, place[256] = { 0 };
	const unsigned m = rank(in, n, order);

	for (unsigned i = 0; i + 1 < m; i++) {
		put_bit(b, 1);
		put_leaf(b, order[i]);
	}
	put_leaf(b, m > 0 ? order[m - 1] : 0);
	for (unsigned i = 0; i < m; i++)
		place[order[i]] = (uint8_t)i;
	for (size_t i = 0; i < n; i++) {
		for (unsigned k = 0; k < place[in[i]]; k++)
			put_bit(b, 1);
		if (place[in[i]] + 1u < m)
			put_bit(b, 0);
	}
}

static size_t redo(struct uz_work *w, uint8_t *data, size_t max)
{
	const uint8_t *symbols = w->blocks;
	struct bits b = { data + w->codes_at + 4, max - w->codes_at - 4, 0 };
	size_t n = w->n;

	list_places(w->blocks, w->n);
	if (w->is_new) {
		n = put_runs(w->blocks, w->n, w->other);
		symbols = w->other;
	}
	reference_put_u32(data + w->codes_at,
			  dice_mostly(&w->dice) ? n : n + dice_below(&w->dice, 3) - 1);
	put_codes(&b, symbols, n);
	return w->codes_at + 4 + (b.n + 7) / 8;
}

size_t mutate_uz(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind)
{
	static struct uz_work w;
	uint64_t times;

	w.dice = (struct dice){ seed };
	times = 1 + dice_below(&w.dice, 4);
	if (size > max || dice_one_in(&w.dice, 3) || !undo(&w, data, size))
		return mutate_blindly(data, size, max, &w.dice, blind);
	while (times-- > 0)
		change_block(&w, blind);
	return redo(&w, data, max);
}

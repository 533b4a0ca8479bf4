/* Changes by field: a plan of the input is drawn from the format's map, and every change keeps the
 * plan's places right. */
#include "mutate/mutate.h"

#include <string.h>

#include "mutate/mutate_formats.h"
#include "mutate/mutate_plan.h"
#include "mutate/mutate_text.h"
#include "reference/reference.h"
#include "support/tokens.h"

enum { PIECE_MAX = 1024 };

static uint64_t interesting(struct plan *p, const struct field *f, uint64_t old)
{
	static const uint64_t numbers[] = { 0,          1,          2,         3,      4,
					    0x7F,       0x80,       0xFF,      0x7FFF, 0xFFFF,
					    0x7FFFFFFF, 0x80000000, 0xFFFFFFFF };
	const struct field *other = &p->fields[dice_below(p->dice, p->n_fields)];

	switch (dice_below(p->dice, 6)) {
	case 0:
		return numbers[dice_below(p->dice, sizeof numbers / sizeof *numbers)];
	case 1:
		return old + 1 + dice_below(p->dice, 16);
	case 2:
		return old - 1 - dice_below(p->dice, 16);
	case 3:
		return other->wire == f->wire ? plan_get(p, other) : other->at.at;
	case 4:
		return p->size - dice_below(p->dice, p->size < 40 ? p->size : 40);
	default:
		return old ^ (uint64_t)1 << dice_below(p->dice, 8 * plan_width(f));
	}
}

/* A counted text: its units change, and mostly its count is adjusted to them. */
static void change_text(struct plan *p, struct field *f)
{
	uint8_t units[PIECE_MAX], head[5];
	int64_t count = 0;
	uint64_t len = reference_index(p->data + f->at.at, p->size - f->at.at, &count),
		 n = f->at.len - len, width = count < 0 ? 2 : 1;
	const struct token *t = &path_tokens[dice_below(p->dice, TOKENS(path_tokens))];
	uint64_t at = n > width ? dice_below(p->dice, n / width) * width : 0;
	size_t head_len;

	if (len == 0 || len > f->at.len || n + t->n + 600 > sizeof units)
		return;
	memcpy(units, p->data + f->at.at + len, n);
	if (dice_one_in(p->dice, 16)) {
		memmove(units + at + 300, units + at, n - at);
		memset(units + at, 'a', 300);
		n += 300;
	} else if (dice_one_in(p->dice, 8)) {
		width = 3 - width;
	} else {
		memmove(units + at + t->n, units + at, n - at);
		memcpy(units + at, t->bytes, t->n);
		n += t->n;
	}
	n -= n % width;
	if (dice_mostly(p->dice))
		count = width == 2 ? -(int64_t)(n / 2) : (int64_t)n;
	head_len = plan_write_index(p, count, head);
	plan_edit(p, f->at.at, f->at.len, head, head_len);
	plan_edit(p, f->at.at + head_len, f->at.len - head_len, units, n);
}

/* How many rows one of the tables has. */
static int64_t some_count(struct plan *p)
{
	const struct field *f = &p->fields[0];

	for (size_t i = 0, n = dice_below(p->dice, 4); i < p->n_fields && n > 0; i++)
		if (p->fields[i].kind == LAYOUT_COUNT && n-- > 0)
			f = &p->fields[i];
	return f->wire == LAYOUT_index ? plan_index(p, f) : (int64_t)(int32_t)plan_get(p, f);
}

/* An index gets a value near a limit: of the numbers, of a table's size, or near its old value. Now
 * and then it becomes illegal. */
static void change_index(struct plan *p, struct field *f)
{
	static const int64_t numbers[] = { 0,   1,      -1,     2,         63,         64,
					   -64, 0x1FFF, 0x2000, INT32_MAX, -INT32_MAX, INT32_MIN };
	static const uint8_t illegal[2][5] = { { 0x7F, 0xFF, 0xFF, 0xFF, 0xFF },
					       { 0x40, 0x80, 0x80, 0x80, 0x10 } };
	int64_t small = (int64_t)dice_below(p->dice, 5) - 2;

	switch (dice_below(p->dice, 8)) {
	case 0:
	case 1:
		plan_put_index(p, f,
			       numbers[dice_below(p->dice, sizeof numbers / sizeof *numbers)]);
		break;
	case 2:
		plan_put_index(p, f, some_count(p) + small);
		break;
	case 3:
		plan_put_index(p, f, -some_count(p) + small);
		break;
	case 4:
		plan_put_index(p, f, plan_index(p, &p->fields[dice_below(p->dice, p->n_fields)]));
		break;
	case 5:
		if (dice_one_in(p->dice, 4)) {
			plan_edit(p, f->at.at, f->at.len, illegal[dice_below(p->dice, 2)], 5);
			break;
		}
		plan_put_index(p, f, -plan_index(p, f));
		break;
	default:
		plan_put_index(p, f, plan_index(p, f) + small);
		break;
	}
}

static void change_field(struct plan *p)
{
	struct field *f = &p->fields[dice_below(p->dice, p->n_fields)];

	if (span_end(f->at) > p->size)
		return;
	if (f->wire == LAYOUT_string)
		change_text(p, f);
	else if (f->wire == LAYOUT_index)
		change_index(p, f);
	else if (f->kind == LAYOUT_VERSION && p->format->version && dice_mostly(p->dice))
		plan_put(p, f, p->format->version(p->dice, f->name));
	else if (plan_width(f) > 0)
		plan_put(p, f, interesting(p, f, plan_get(p, f)));
}

/* A row with that label, or with any where label is NULL. Now and then it has another all the
 * same. */
static const struct row *draw_row(struct plan *p, const char *label)
{
	size_t i = (size_t)dice_below(p->dice, p->n_rows);

	for (size_t n = 0; label && n < p->n_rows && strcmp(p->rows[i].label, label) != 0 &&
			   !dice_one_in(p->dice, 64);
	     n++)
		i = (i + 1) % p->n_rows;
	return &p->rows[i];
}

static void copy_row(struct plan *p, uint64_t times)
{
	uint8_t bytes[PIECE_MAX];
	const struct row *from = draw_row(p, NULL), *to = draw_row(p, from->label);
	uint64_t at = dice_one_in(p->dice, 4) ? span_end(to->at) : to->at.at;
	struct span s = from->at;

	if (s.len > sizeof bytes || span_end(s) > p->size)
		return;
	memcpy(bytes, p->data + s.at, s.len);
	for (uint64_t i = 0; i < times && p->size + s.len + 8 < p->max; i++) {
		plan_edit(p, at, 0, bytes, s.len);
		plan_add_to_count(p, from->label, 1);
	}
}

static void drop_row(struct plan *p)
{
	const struct row *row = draw_row(p, NULL);

	plan_edit(p, row->at.at, row->at.len, NULL, 0);
	plan_add_to_count(p, row->label, -1);
}

static void swap_rows(struct plan *p)
{
	uint8_t bytes[PIECE_MAX];
	const struct row *row = draw_row(p, NULL);
	struct span s = row->at;

	if (s.len > sizeof bytes || span_end(s) > p->size)
		return;
	memcpy(bytes, p->data + s.at, s.len);
	plan_edit(p, s.at, s.len, NULL, 0);
	plan_edit(p, draw_row(p, row->label)->at.at, 0, bytes, s.len);
}

static void change_rows(struct plan *p)
{
	if (p->n_rows == 0) {
		change_field(p);
		return;
	}
	switch (dice_below(p->dice, 4)) {
	case 0:
		copy_row(p, dice_one_in(p->dice, 16) ? 64 : 1);
		break;
	case 1:
		drop_row(p);
		break;
	case 2:
		swap_rows(p);
		break;
	default:
		copy_row(p, 1);
		break;
	}
}

/* A part is rewritten as its format does it, or as text, since most parts of small inputs are
 * manifests. */
static void change_part(struct plan *p, mutate_blind *blind)
{
	static uint8_t bytes[1 << 16];
	struct span s;
	size_t n, room;

	if (p->n_parts == 0) {
		change_field(p);
		return;
	}
	s = p->parts[dice_below(p->dice, p->n_parts)].at;
	if (s.len > sizeof bytes || span_end(s) > p->size)
		return;
	memcpy(bytes, p->data + s.at, s.len);
	room = p->max - p->size + s.len < sizeof bytes ? p->max - p->size + s.len : sizeof bytes;
	if (blind && dice_one_in(p->dice, 8))
		n = mutate_blindly(bytes, s.len, room, p->dice, blind);
	else if (p->format->part)
		n = p->format->part(bytes, s.len, room, s.at, p->dice);
	else
		n = mutate_text(bytes, s.len, room, p->dice);
	plan_edit(p, s.at, s.len, bytes, n);
}

static void repair(const struct plan *p)
{
	if (p->format->repair)
		p->format->repair(p->data, p->size, p->dice);
}

size_t mutate_input(const struct format *f, uint8_t *data, size_t size, size_t max, uint64_t seed,
		    mutate_blind *blind)
{
	static struct plan p;
	struct dice dice = { seed };
	uint64_t times = 1 + dice_below(&dice, 3);

	if (mutate_format(f)->rows && !dice_one_in(&dice, 3))
		return mutate_format(f)->rows(data, size, max, &dice, blind);
	if (dice_one_in(&dice, 4) || !plan_draw(&p, f, data, size, max, &dice))
		return mutate_blindly(data, size, max, &dice, blind);
	while (times-- > 0) {
		switch (dice_below(&dice, 8)) {
		case 0:
		case 1:
		case 2:
			change_field(&p);
			break;
		case 3:
		case 4:
			change_rows(&p);
			break;
		default:
			change_part(&p, blind);
			break;
		}
	}
	plan_settle(&p);
	if (!dice_one_in(&dice, 8))
		repair(&p);
	return p.size;
}

size_t mutate_cross(const struct format *f, const uint8_t *a, size_t a_size, const uint8_t *b,
		    size_t b_size, uint8_t *out, size_t max, uint64_t seed)
{
	static struct plan p, q;
	static uint8_t other[1 << 16];
	struct dice dice = { seed };
	const struct row *row;
	struct span from, to;

	if (a_size > max)
		a_size = max;
	if (b_size > sizeof other)
		b_size = sizeof other;
	memcpy(out, a, a_size);
	memcpy(other, b, b_size);
	if (!plan_draw(&p, f, out, a_size, max, &dice) ||
	    !plan_draw(&q, f, other, b_size, b_size, &dice))
		return mutate_havoc(out, a_size, max, &dice);
	if (p.n_rows > 0 && q.n_rows > 0 && dice_one_in(&dice, 2)) {
		row = draw_row(&q, NULL);
		plan_edit(&p, draw_row(&p, row->label)->at.at, 0, other + row->at.at, row->at.len);
		plan_add_to_count(&p, row->label, 1);
	} else if (p.n_parts > 0 && q.n_parts > 0) {
		from = q.parts[dice_below(&dice, q.n_parts)].at;
		to = p.parts[dice_below(&dice, p.n_parts)].at;
		plan_edit(&p, to.at, to.len, other + from.at, from.len);
	}
	plan_settle(&p);
	repair(&p);
	return p.size;
}

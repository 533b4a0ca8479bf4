/* Changes by field: a plan of the input is drawn from the format's map, and every change keeps the
 * plan's places right. */
#include "mutate/mutate.h"

#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "mutate/mutate_formats.h"
#include "mutate/mutate_text.h"
#include "reference/reference.h"
#include "support/tokens.h"

enum { FIELDS_MAX = 2048, ROWS_MAX = 512, PARTS_MAX = 512, PIECE_MAX = 1024 };

/* A field is an integer, an index or a text of a record. Of a row it has the number; others have
 * NO_ROW. */
struct field {
	struct span at;
	enum layout_wire wire;
	enum layout_kind kind;
	const char *name;
	uint64_t row;
	int64_t off; /* what an index is to be more when all edits are done */
};
#define NO_ROW UINT64_MAX

/* A row is records that stand one behind the other and have one label and number. */
struct row {
	struct span at;
	const char *label;
	uint64_t number;
};

/* A plan is what is where. Parts are bytes of one kind, with the number of the row that is about
 * them. */
struct plan {
	const struct mutate_format *format;
	uint8_t *data;
	size_t size, max;
	struct dice *dice;
	struct field fields[FIELDS_MAX];
	size_t n_fields;
	struct row rows[ROWS_MAX];
	size_t n_rows;
	struct {
		struct span at;
		uint64_t row;
	} parts[PARTS_MAX];
	size_t n_parts;
};

/* ---- Drawing the plan ------------------------------------------------------------------------ */

static void note_fields(struct plan *p, const struct layout *l, uint64_t version, struct cursor c,
			uint64_t row)
{
	struct layout_value v;
	size_t i = 0;

	while (p->n_fields < FIELDS_MAX && layout_walk(l, version, &c, &i, &v))
		p->fields[p->n_fields++] = (struct field){ v.at,          v.field->wire,
							   v.field->kind, v.field->name,
							   row,           0 };
}

static void note_record(void *ctx, const struct layout *l, struct cursor at)
{
	note_fields(ctx, l, 0, at, NO_ROW);
}

/* An export of a package is two records. */
static void note_row(struct plan *p, const struct region *r)
{
	struct row *last = p->n_rows > 0 ? &p->rows[p->n_rows - 1] : NULL;

	if (last && last->number == r->index && span_end(last->at) == r->span.at &&
	    strcmp(last->label, r->label) == 0)
		last->at.len += r->span.len;
	else if (p->n_rows < ROWS_MAX)
		p->rows[p->n_rows++] = (struct row){ r->span, r->label, r->index };
}

static bool note_region(void *ctx, struct decode *d, const struct format *f, uint64_t version,
			const struct region *r)
{
	struct plan *p = ctx;
	struct cursor c;

	(void)f;
	if (r->layout && r->index != NO_ROW)
		note_row(p, r);
	if (r->layout && source_peek(d->source, r->span, &c)) {
		note_fields(p, r->layout, version, c, r->index);
	} else if (r->depth == 0 && p->n_parts < PARTS_MAX && strcmp(r->kind, "payload") == 0) {
		p->parts[p->n_parts].at = r->span;
		p->parts[p->n_parts++].row = r->index;
	}
	return true;
}

static void *heap_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return malloc(size);
}

static void heap_release(void *ctx, void *piece, size_t size)
{
	(void)ctx;
	(void)size;
	free(piece);
}

static struct engine *mapper(void)
{
	static struct engine e;

	if (e.n_rules == 0) {
		engine_init(&e, (struct allocator){ heap_alloc, heap_release, NULL });
		e.level = LEVEL_STRUCTURE;
		e.limits.of[LIMIT_text] = 0; /* texts are changed, but need not be read */
	}
	return &e;
}

static bool draw_plan(struct plan *p, const struct format *f, uint8_t *data, size_t size,
		      size_t max, struct dice *dice)
{
	const struct mutate_format *hooks = mutate_format(f);
	struct check_input in = { .io.size = size,
				  .memory = data,
				  .name = hooks->name ? hooks->name : "x" };

	p->format = hooks;
	p->data = data;
	p->size = size;
	p->max = max;
	p->dice = dice;
	p->n_fields = p->n_rows = p->n_parts = 0;
	if (hooks->records)
		hooks->records(data, size, note_record, p);
	return engine_map(mapper(), &in, note_region, p) == MAP_OK && p->n_fields > 0;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static uint64_t width_of(const struct field *f)
{
	static const uint8_t width[] = {
		[LAYOUT_u8] = 1,    [LAYOUT_u16] = 2,    [LAYOUT_u24] = 3,    [LAYOUT_u32] = 4,
		[LAYOUT_u40] = 5,   [LAYOUT_u40be] = 5,  [LAYOUT_u64] = 8,    [LAYOUT_i32] = 4,
		[LAYOUT_index] = 0, [LAYOUT_string] = 0, [LAYOUT_zstring] = 0
	};

	return width[f->wire];
}

/* Where the i-th byte of a number lies, the lowest first. */
static uint64_t place_of(const struct field *f, uint64_t i)
{
	return f->at.at + (f->wire == LAYOUT_u40be ? width_of(f) - 1 - i : i);
}

static uint64_t get(const struct plan *p, const struct field *f)
{
	uint64_t v = 0;

	if (span_end(f->at) > p->size)
		return 0;
	for (uint64_t i = width_of(f); i > 0; i--)
		v = v << 8 | p->data[place_of(f, i - 1)];
	return v;
}

static void put(struct plan *p, const struct field *f, uint64_t v)
{
	if (span_end(f->at) > p->size)
		return;
	for (uint64_t i = 0; i < width_of(f); i++)
		p->data[place_of(f, i)] = (uint8_t)(v >> 8 * i);
}

/* ---- Edits ----------------------------------------------------------------------------------- */

static bool mostly(struct plan *p)
{
	return !dice_one_in(p->dice, 8);
}

static int64_t read_index(const struct plan *p, const struct field *f)
{
	int64_t v = 0;

	if (f->at.at < p->size)
		reference_index(p->data + f->at.at, p->size - f->at.at, &v);
	return v;
}

static void move_span(struct span *s, uint64_t at, uint64_t n, uint64_t m)
{
	if (s->at >= at + n && s->at > at)
		s->at = s->at - n + m;
	else if (s->at <= at && span_end(*s) >= at + n && span_end(*s) > at)
		s->len = s->len - n + m;
}

/* A part's size is in a field of its row. */
static void resize(struct plan *p, uint64_t row, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < p->n_fields; i++) {
		struct field *f = &p->fields[i];

		if (f->row != row || f->kind != LAYOUT_SIZE)
			continue;
		if (f->wire == LAYOUT_index && read_index(p, f) + f->off == (int64_t)from)
			f->off += (int64_t)to - (int64_t)from;
		else if (f->wire != LAYOUT_index && get(p, f) == from)
			put(p, f, to);
	}
}

/* Offsets that point behind an edit follow it, and the part that it lies in keeps its size: seven
 * times in eight. */
static void follow(struct plan *p, uint64_t at, uint64_t n, uint64_t m)
{
	bool follows = mostly(p);

	for (size_t i = 0; i < p->n_fields; i++) {
		struct field *f = &p->fields[i];
		uint64_t v = get(p, f);

		if (!follows || f->kind != LAYOUT_OFFSET)
			continue;
		if (f->wire == LAYOUT_index)
			v = (uint64_t)(read_index(p, f) + f->off);
		if (v <= at || v < at + n || v > INT32_MAX)
			continue;
		if (f->wire == LAYOUT_index)
			f->off += (int64_t)m - (int64_t)n;
		else
			put(p, f, v - n + m);
	}
	for (size_t i = 0; i < p->n_parts; i++) {
		struct span was = p->parts[i].at;

		move_span(&p->parts[i].at, at, n, m);
		if (follows && was.len != p->parts[i].at.len)
			resize(p, p->parts[i].row, was.len, p->parts[i].at.len);
		if (follows && p->format->places && n != m && span_end(p->parts[i].at) <= p->size)
			p->format->places(p->data + p->parts[i].at.at, p->parts[i].at.len, was.at,
					  span_end(was), at, (int64_t)m - (int64_t)n);
	}
}

/* edit replaces n bytes at `at` by m others, as far as there is room. */
static void edit(struct plan *p, uint64_t at, uint64_t n, const uint8_t *bytes, uint64_t m)
{
	if (at > p->size || n > p->size - at || m > p->max - (p->size - n))
		return;
	memmove(p->data + at + m, p->data + at + n, p->size - at - n);
	if (m > 0)
		memcpy(p->data + at, bytes, m);
	if (m == n)
		return; /* nothing moves */
	p->size = p->size - n + m;
	for (size_t i = 0; i < p->n_fields; i++)
		move_span(&p->fields[i].at, at, n, m);
	for (size_t i = 0; i < p->n_rows; i++)
		move_span(&p->rows[i].at, at, n, m);
	follow(p, at, n, m);
}

/* Writes an index in as many bytes as it needs, or now and then more. */
static size_t write_index(struct plan *p, int64_t value, uint8_t out[5])
{
	uint64_t v = value < 0 ? (uint64_t)-value : (uint64_t)value;
	size_t n = 1, least = dice_one_in(p->dice, 12) ? 1 + (size_t)dice_below(p->dice, 5) : 1;

	out[0] = (uint8_t)((value < 0 ? 0x80 : 0) | (v & 0x3F));
	for (v >>= 6; (v > 0 || n < least) && n < 5; v >>= 7) {
		out[n - 1] |= n == 1 ? 0x40 : 0x80;
		out[n] = (uint8_t)(n == 4 ? v : v & 0x7F);
		n++;
	}
	return n;
}

static void set_index(struct plan *p, struct field *f, int64_t value)
{
	uint8_t bytes[5];
	size_t n = write_index(p, value, bytes);

	edit(p, f->at.at, f->at.len, bytes, n);
}

/* Indexes that follow edits are written once those are done; writing one can move what others point
 * to. */
static void settle(struct plan *p)
{
	enum { ROUNDS = 4 };

	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < p->n_fields; i++) {
			int64_t off = p->fields[i].off;

			p->fields[i].off = 0;
			if (off != 0)
				set_index(p, &p->fields[i], read_index(p, &p->fields[i]) + off);
		}
	}
}

/* The count of a sort of rows: "name_count" of each "name", or the only one. */
static struct field *count_field(struct plan *p, const char *label)
{
	for (size_t i = 0; i < p->n_fields; i++) {
		struct field *f = &p->fields[i];

		if (f->kind == LAYOUT_COUNT &&
		    (f->wire == LAYOUT_index || strncmp(f->name, label, strlen(label)) == 0))
			return f;
	}
	return NULL;
}

static void add_to_count(struct plan *p, const char *label, int64_t by)
{
	struct field *f = count_field(p, label);

	if (!f || !mostly(p))
		return;
	if (f->wire == LAYOUT_index)
		set_index(p, f, read_index(p, f) + by);
	else
		put(p, f, get(p, f) + (uint64_t)by);
}

/* ---- Changes --------------------------------------------------------------------------------- */

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
		return other->wire == f->wire ? get(p, other) : other->at.at;
	case 4:
		return p->size - dice_below(p->dice, p->size < 40 ? p->size : 40);
	default:
		return old ^ (uint64_t)1 << dice_below(p->dice, 8 * width_of(f));
	}
}

/* A counted text: its units change, and its count follows most times. */
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
	if (mostly(p))
		count = width == 2 ? -(int64_t)(n / 2) : (int64_t)n;
	head_len = write_index(p, count, head);
	edit(p, f->at.at, f->at.len, head, head_len);
	edit(p, f->at.at + head_len, f->at.len - head_len, units, n);
}

/* How many rows one of the tables has. */
static int64_t some_count(struct plan *p)
{
	const struct field *f = &p->fields[0];

	for (size_t i = 0, n = dice_below(p->dice, 4); i < p->n_fields && n > 0; i++)
		if (p->fields[i].kind == LAYOUT_COUNT && n-- > 0)
			f = &p->fields[i];
	return f->wire == LAYOUT_index ? read_index(p, f) : (int64_t)(int32_t)get(p, f);
}

/* An index is put on a border: of the numbers, of what a table has, or of what it was. Now and then
 * it is none. */
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
		set_index(p, f, numbers[dice_below(p->dice, sizeof numbers / sizeof *numbers)]);
		break;
	case 2:
		set_index(p, f, some_count(p) + small);
		break;
	case 3:
		set_index(p, f, -some_count(p) + small);
		break;
	case 4:
		set_index(p, f, read_index(p, &p->fields[dice_below(p->dice, p->n_fields)]));
		break;
	case 5:
		if (dice_one_in(p->dice, 4)) {
			edit(p, f->at.at, f->at.len, illegal[dice_below(p->dice, 2)], 5);
			break;
		}
		set_index(p, f, -read_index(p, f));
		break;
	default:
		set_index(p, f, read_index(p, f) + small);
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
	else if (f->kind == LAYOUT_VERSION && p->format->version && mostly(p))
		put(p, f, p->format->version(p->dice, f->name));
	else if (width_of(f) > 0)
		put(p, f, interesting(p, f, get(p, f)));
}

/* A row of that label, or of any; most times. */
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
		edit(p, at, 0, bytes, s.len);
		add_to_count(p, from->label, 1);
	}
}

static void drop_row(struct plan *p)
{
	const struct row *row = draw_row(p, NULL);

	edit(p, row->at.at, row->at.len, NULL, 0);
	add_to_count(p, row->label, -1);
}

static void swap_rows(struct plan *p)
{
	uint8_t bytes[PIECE_MAX];
	const struct row *row = draw_row(p, NULL);
	struct span s = row->at;

	if (s.len > sizeof bytes || span_end(s) > p->size)
		return;
	memcpy(bytes, p->data + s.at, s.len);
	edit(p, s.at, s.len, NULL, 0);
	edit(p, draw_row(p, row->label)->at.at, 0, bytes, s.len);
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
	edit(p, s.at, s.len, bytes, n);
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
	if (dice_one_in(&dice, 4) || !draw_plan(&p, f, data, size, max, &dice))
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
	settle(&p);
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
	if (!draw_plan(&p, f, out, a_size, max, &dice) ||
	    !draw_plan(&q, f, other, b_size, b_size, &dice))
		return mutate_havoc(out, a_size, max, &dice);
	if (p.n_rows > 0 && q.n_rows > 0 && dice_one_in(&dice, 2)) {
		row = draw_row(&q, NULL);
		edit(&p, draw_row(&p, row->label)->at.at, 0, other + row->at.at, row->at.len);
		add_to_count(&p, row->label, 1);
	} else if (p.n_parts > 0 && q.n_parts > 0) {
		from = q.parts[dice_below(&dice, q.n_parts)].at;
		to = p.parts[dice_below(&dice, p.n_parts)].at;
		edit(&p, to.at, to.len, other + from.at, from.len);
	}
	settle(&p);
	repair(&p);
	return p.size;
}

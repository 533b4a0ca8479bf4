/* What lies where in an input, and edits that keep that right. */
#include "mutate/mutate_plan.h"

#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "mutate/mutate_formats.h"
#include "reference/reference.h"

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

bool plan_draw(struct plan *p, const struct format *f, uint8_t *data, size_t size, size_t max,
	       struct dice *dice)
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

uint64_t plan_width(const struct field *f)
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
	return f->at.at + (f->wire == LAYOUT_u40be ? plan_width(f) - 1 - i : i);
}

uint64_t plan_get(const struct plan *p, const struct field *f)
{
	uint64_t v = 0;

	if (span_end(f->at) > p->size)
		return 0;
	for (uint64_t i = plan_width(f); i > 0; i--)
		v = v << 8 | p->data[place_of(f, i - 1)];
	return v;
}

void plan_put(struct plan *p, const struct field *f, uint64_t v)
{
	if (span_end(f->at) > p->size)
		return;
	for (uint64_t i = 0; i < plan_width(f); i++)
		p->data[place_of(f, i)] = (uint8_t)(v >> 8 * i);
}

/* ---- Edits ----------------------------------------------------------------------------------- */

int64_t plan_index(const struct plan *p, const struct field *f)
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

/* Changes the size of a part, which is in a field of its row. */
static void resize(struct plan *p, uint64_t row, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < p->n_fields; i++) {
		struct field *f = &p->fields[i];

		if (f->row != row || f->kind != LAYOUT_SIZE)
			continue;
		if (f->wire == LAYOUT_index && plan_index(p, f) + f->off == (int64_t)from)
			f->off += (int64_t)to - (int64_t)from;
		else if (f->wire != LAYOUT_index && plan_get(p, f) == from)
			plan_put(p, f, to);
	}
}

/* Seven times in eight, adjusts offsets that point after an edit, and the size of the part that it
 * lies in. */
static void follow(struct plan *p, uint64_t at, uint64_t n, uint64_t m)
{
	bool follows = dice_mostly(p->dice);

	for (size_t i = 0; i < p->n_fields; i++) {
		struct field *f = &p->fields[i];
		uint64_t v = plan_get(p, f);

		if (!follows || f->kind != LAYOUT_OFFSET)
			continue;
		if (f->wire == LAYOUT_index)
			v = (uint64_t)(plan_index(p, f) + f->off);
		if (v <= at || v < at + n || v > INT32_MAX)
			continue;
		if (f->wire == LAYOUT_index)
			f->off += (int64_t)m - (int64_t)n;
		else
			plan_put(p, f, v - n + m);
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
void plan_edit(struct plan *p, uint64_t at, uint64_t n, const uint8_t *bytes, uint64_t m)
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
size_t plan_write_index(struct plan *p, int64_t value, uint8_t out[5])
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

void plan_put_index(struct plan *p, struct field *f, int64_t value)
{
	uint8_t bytes[5];
	size_t n = plan_write_index(p, value, bytes);

	plan_edit(p, f->at.at, f->at.len, bytes, n);
}

/* Indexes are adjusted after all edits, in rounds, because writing one can move what others point
 * to. */
void plan_settle(struct plan *p)
{
	enum { ROUNDS = 4 };

	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < p->n_fields; i++) {
			int64_t off = p->fields[i].off;

			p->fields[i].off = 0;
			if (off != 0)
				plan_put_index(p, &p->fields[i],
					       plan_index(p, &p->fields[i]) + off);
		}
	}
}

/* The field that counts the rows with a label: "name_count" of each "name", or the only one. */
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

void plan_add_to_count(struct plan *p, const char *label, int64_t by)
{
	struct field *f = count_field(p, label);

	if (!f || !dice_mostly(p->dice))
		return;
	if (f->wire == LAYOUT_index)
		plan_put_index(p, f, plan_index(p, f) + by);
	else
		plan_put(p, f, plan_get(p, f) + (uint64_t)by);
}

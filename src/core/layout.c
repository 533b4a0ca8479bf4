/* Layouts: reading counted texts, and walking a record field by field. */
#include "core/layout.h"

#include "core/mutant.h"

/* Whether the last of n units, one or more, is a NUL: it does not belong to the text. */
static bool ends_in_nul(const uint8_t *units, uint64_t n, uint64_t width)
{
	const uint8_t *last = units + (n - 1) * width;

	return last[0] == 0 && last[width - 1] == 0;
}

UVET_RARE uint64_t layout_any_string(struct cursor c, struct text_ref *out)
{
	const uint64_t pos = c.pos;
	struct layout_index count;
	const uint8_t *units;
	uint64_t n, width, at;
	unsigned flags;

	if (!layout_read_index(&c, &count))
		return 0;
	n = count.value < 0 ? (uint64_t)-count.value : (uint64_t)count.value;
	width = count.value < 0 ? 2 : 1;
	at = cursor_at(&c);
	/* mutant: a text is a byte short */
	if (!cursor_bytes(&c, n * width - (n > 0 && MUTANT(1)), &units))
		return 0;
	flags = count.form != INDEX_MINIMAL ? TEXT_COUNT_OVERLONG : 0;
	if (n == 0)
		flags |= TEXT_COUNT_ZERO;
	else if (ends_in_nul(units, n, width) &&
		 !(MUTANT(231) && width == 2 && n > 60)) /* mutant: a long wide one has no end */
		n--;
	else
		flags |= TEXT_UNTERMINATED;
	*out = (struct text_ref){ at, (uint32_t)n, width == 2 ? TEXT_UTF16LE : TEXT_CP1252,
				  (uint8_t)flags, (uint16_t)count.len };
	return c.pos - pos;
}

static bool read_number(struct cursor *c, enum layout_wire wire, int64_t *out)
{
	static const uint8_t width[] = {
		[LAYOUT_u8] = 1,  [LAYOUT_u16] = 2, [LAYOUT_u24] = 3,  [LAYOUT_u32] = 4,
		[LAYOUT_u40] = 5, [LAYOUT_u64] = 8, [LAYOUT_u40be] = 5
	};
	struct layout_index index;
	uint64_t v;

	if (wire == LAYOUT_index) {
		if (!layout_read_index(c, &index))
			return false;
		*out = index.value;
		return true;
	}
	if (wire == LAYOUT_i32)
		return layout_read_i32(c, out);
	if (!(wire == LAYOUT_u40be ? cursor_uint_be(c, width[wire], &v)
				   : cursor_uint(c, width[wire], &v)))
		return false;
	*out = (int64_t)v;
	return true;
}

static bool exists(const struct layout_field *f, size_t i, uint64_t context, uint64_t absent)
{
	if (!layout_has(f->versions, context) || absent >> i & 1)
		return false;
	if (f->condition == LAYOUT_FOR || f->condition == LAYOUT_NOT_FOR)
		return layout_is_for(context, f->mask) == (f->condition == LAYOUT_FOR);
	return true;
}

/* The fields after field i that its flags leave out, a bit each; `number` is its value. */
static uint64_t left_out(const struct layout *l, size_t i, int64_t number)
{
	uint64_t out = 0;

	if (l->fields[i].kind != LAYOUT_FLAGS)
		return 0;
	for (size_t k = i + 1; k < l->n_fields; k++) {
		const struct layout_field *f = &l->fields[k];
		const bool has = ((uint64_t)number & f->mask) != 0;

		if (f->on == i && (has ? f->condition == LAYOUT_UNLESS : f->condition == LAYOUT_IF))
			out |= (uint64_t)1 << k;
	}
	return out;
}

bool layout_walk(const struct layout *l, uint64_t context, struct cursor *c, size_t *i,
		 struct layout_value *out)
{
	struct layout_value v = { .absent = *i > 0 ? out->absent : 0 };
	uint64_t from = cursor_at(c);
	bool ok;

	for (; *i < l->n_fields && !exists(&l->fields[*i], *i, context, v.absent); (*i)++)
		v.absent |= left_out(l, *i, 0); /* a flags field that does not exist counts as 0 */
	out->absent = v.absent;
	out->field = v.field = *i < l->n_fields ? &l->fields[*i] : NULL;
	if (!v.field)
		return false;
	if (v.field->wire == LAYOUT_string)
		ok = layout_read_string(c, &v.text);
	else if (v.field->wire == LAYOUT_zstring)
		ok = layout_read_zstring(c, &v.text);
	else
		ok = read_number(c, v.field->wire, &v.number);
	if (!ok)
		return false;
	v.at = (struct span){ from, cursor_at(c) - from };
	v.absent |= left_out(l, *i, v.number);
	*out = v;
	(*i)++;
	return true;
}

bool layout_place(const struct layout *l, uint64_t context, struct cursor c, size_t field,
		  struct span *out)
{
	struct layout_value v;
	size_t i = 0;

	while (layout_walk(l, context, &c, &i, &v)) {
		if (v.field != &l->fields[field])
			continue;
		*out = v.at;
		return true;
	}
	return false;
}

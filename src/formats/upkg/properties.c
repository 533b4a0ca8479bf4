/* Lists of properties: tags with values, up to the name None. */
#include "formats/upkg/body.h"

#include "core/canary.h"

/* Types of properties. */
enum type {
	TYPE_BYTE = 1, TYPE_INT, TYPE_BOOL, TYPE_FLOAT, TYPE_OBJECT, TYPE_NAME, TYPE_STRING, TYPE_CLASS, TYPE_ARRAY, TYPE_STRUCT,
	TYPE_VECTOR, TYPE_ROTATOR, TYPE_STR, TYPE_MAP, TYPE_FIXED_ARRAY,
};

/* How deep lists can stand in lists, whatever the limit says. */
enum { DEPTH_MAX = 64 };

#define VERSION_NESTED 118u             /* structs are lists of properties from here on */

/* A tag as it was read; the value follows. */
struct tag {
	uint64_t at, value_at;
	int32_t name, struct_name;
	uint32_t type, code, index;
	uint64_t size;
	bool is_array, value;                   /* value: of a Bool */
};

/* A walk over a list, with the lists inside it. */
struct walk {
	struct body *b;
	uint64_t ends[DEPTH_MAX];               /* where each list that is open ends at the latest */
	uint32_t depth;                         /* lists open, at least one */
};

static uint64_t end_of_list(const struct walk *w)
{
	return w->ends[w->depth - 1];
}

/* ---- Tags ------------------------------------------------------------------------------------------------------------------- */

static bool read_size(struct body *b, struct tag *t)
{
	static const uint64_t sizes[] = { 1, 2, 4, 12, 16 };

	if (t->code < 5) {
		t->size = sizes[t->code];
		return true;
	}
	return t->code == 5 ? body_u8(b, &t->size) : t->code == 6 ? body_u16(b, &t->size) : body_u32(b, &t->size);
}

/* One byte below 0x80, or two or four with the upper bits set, big-endian. */
static bool read_array_index(struct body *b, struct tag *t)
{
	uint64_t v, n;
	uint64_t more = 0;

	t->index = 0;
	if (!t->is_array || t->type == TYPE_BOOL)
		return true;
	if (!body_u8(b, &v))
		return false;
	more = v < 0x80 ? 0 : v < 0xC0 ? 1 : 3;
	v = more == 0 ? v : more == 1 ? v & 0x7F : v & 0x3F;
	for (; more > 0; more--) {
		if (!body_u8(b, &n))
			return false;
		v = v << 8 | n;
	}
	t->index = (uint32_t)v;
	return true;
}

static uint32_t least_code(uint64_t size)
{
	switch (size) {
	case 1:  return 0;
	case 2:  return 1;
	case 4:  return 2;
	case 12: return 3;
	case 16: return 4;
	default: return size < 256 ? 5 : size < 65536 ? 6 : 7;
	}
}

/* Reads a tag; *none is set for the name None, which ends the list. */
static bool read_tag(struct walk *w, struct tag *t, bool *none)
{
	struct body *b = w->b;
	uint64_t info;

	*t = (struct tag){ .at = body_at(b) };
	if (!body_name(b, FLAW_TAG_NAME, &t->name))
		return body_flaw(b, FLAW_LIST_OPEN, t->at, end_of_list(w) - t->at, 0, 0);
	*none = upkg_word_of(b->u, t->name) == WORD_None;
	if (*none)
		return true;
	if (!upkg_name_of(b->u, t->name))
		return false;
	if (!body_u8(b, &info))
		return body_flaw(b, FLAW_TAG_CUT, t->at, end_of_list(w) - t->at, 0, 0);
	t->type = info & 15;
	t->code = info >> 4 & 7;
	t->is_array = info >> 7;
	if (t->type == TYPE_STRUCT && !body_name(b, FLAW_STRUCT_NAME, &t->struct_name))
		return body_flaw(b, FLAW_TAG_CUT, t->at, end_of_list(w) - t->at, 0, 0);
	if (!read_size(b, t) || !read_array_index(b, t) || body_at(b) > end_of_list(w) || t->size > end_of_list(w) - body_at(b))
		return body_flaw(b, FLAW_TAG_CUT, t->at, end_of_list(w) - t->at, (int64_t)t->size, 0);
	t->value = t->is_array;
	t->value_at = body_at(b);
	return true;
}

static void judge_tag(struct walk *w, const struct tag *t)
{
	struct body *b = w->b;
	uint64_t n = t->value_at - t->at;

	if (t->type != TYPE_BOOL && t->code != least_code(t->size))
		body_flaw(b, FLAW_SIZE_CODE, t->at, n, (int64_t)t->size, (int64_t)t->code);
	if (t->is_array && t->type != TYPE_BOOL && t->index == 0)
		body_flaw(b, FLAW_ARRAY_ZERO, t->at, n, t->name, 0);
	if (t->type == 0 || t->type == TYPE_CLASS || t->type == TYPE_VECTOR || t->type == TYPE_ROTATOR || t->type == TYPE_MAP ||
	    t->type == TYPE_FIXED_ARRAY)
		body_flaw(b, FLAW_TAG_TYPE, t->at, n, (int64_t)t->type, t->name);
}

/* ---- Values ------------------------------------------------------------------------------------------------------------------ */

static void judge_width(struct body *b, const struct tag *t)
{
	uint64_t width = t->type == TYPE_BYTE ? 1 : t->type == TYPE_BOOL ? 0 : 4;

	if (t->size != width)
		body_flaw(b, FLAW_VALUE_SIZE, t->at, t->value_at - t->at, (int64_t)t->type, (int64_t)t->size);
}

/* A reference takes all bytes of its value. */
static void judge_reference(struct body *b, const struct tag *t)
{
	int32_t v;
	bool read = t->type == TYPE_NAME ? body_name(b, FLAW_VALUE_REFERENCE, &v) : body_object(b, FLAW_VALUE_REFERENCE, &v);

	if (!read || body_at(b) != t->value_at + t->size)
		body_flaw(b, FLAW_VALUE_LENGTH, t->value_at, t->size, t->name, (int64_t)t->size);
}

static bool byte_at_is_nul(struct body *b, uint64_t at)
{
	uint64_t byte;

	return body_move(b, at) && body_u8(b, &byte) && byte == 0;
}

/* A counted text with its NUL; UTF-16 where the count is negative. */
static void judge_text(struct body *b, const struct tag *t)
{
	uint64_t units, end = t->value_at + t->size;
	int64_t count;

	if (!body_index(b, &count) || (count < 0 && b->u->era == UPKG_UE1)) {
		body_flaw(b, FLAW_TEXT, t->value_at, t->size, 0, (int64_t)t->size);
		return;
	}
	units = count < 0 ? (uint64_t)-count * 2 : (uint64_t)count;
	if (units != end - body_at(b))
		body_flaw(b, FLAW_TEXT, t->value_at, t->size, 1, (int64_t)t->size);
	else if (units > 0 && !byte_at_is_nul(b, end - 1))
		body_flaw(b, FLAW_TEXT, t->value_at, t->size, 2, (int64_t)t->size);
}

/* Before version 62 a text without count, that fills its value; later in UE2 an object and a function's name. */
static void judge_string(struct body *b, const struct tag *t)
{
	int32_t object, name;

	if (b->u->era != UPKG_UE2) {
		if (t->size == 0 || !byte_at_is_nul(b, t->value_at + t->size - 1))
			body_flaw(b, FLAW_TEXT, t->value_at, t->size, 2, (int64_t)t->size);
		return;
	}
	if (!body_object(b, FLAW_VALUE_REFERENCE, &object) || !body_name(b, FLAW_VALUE_REFERENCE, &name) ||
	    body_at(b) != t->value_at + t->size)
		body_flaw(b, FLAW_DELEGATE, t->value_at, t->size, t->name, (int64_t)t->size);
}

static void judge_array(struct body *b, const struct tag *t)
{
	int64_t count;

	if (!body_index(b, &count) || count < 0 || (uint64_t)count > t->size)
		body_flaw(b, FLAW_ARRAY_COUNT, t->value_at, t->size, t->name, (int64_t)t->size);
}

/* Structs whose bytes stand as they are, with their lengths. Source: the census. */
static const struct { const char *name; uint8_t size; bool ue1; } structs[] = {
	{ "Vector", 12, true }, { "Rotator", 12, true }, { "Color", 4, true }, { "Scale", 17, true }, { "Coords", 48, true },
	{ "ADrop", 8, true }, { "Plane", 16, false }, { "Quat", 16, false }, { "Matrix", 64, false }, { "Box", 25, false },
};

enum { N_STRUCTS = sizeof structs / sizeof structs[0] };

static size_t known_struct(const struct body *b, const struct tag *t)
{
	struct text name = upkg_text_of(b->u, t->struct_name);
	size_t i = 0;

	while (i < N_STRUCTS && !text_is(name, structs[i].name))
		i++;
	return i;
}

/* Opens the list of a struct, or judges its length. */
static void enter_struct(struct walk *w, const struct tag *t)
{
	struct body *b = w->b;
	size_t known = known_struct(b, t);

	if (known < N_STRUCTS) {
		if (b->u->era == UPKG_UE1 && structs[known].ue1 && t->size != structs[known].size)
			body_flaw(b, FLAW_STRUCT_SIZE, t->at, t->value_at - t->at, t->struct_name, (int64_t)t->size);
		return;
	}
	if (b->u->tag.version < VERSION_NESTED)
		return;
	if (w->depth == DEPTH_MAX || w->depth > b->d->limits->of[LIMIT_nesting]) {
		decode_stop_limit(b->d, UPKG_BODIES, LIMIT_nesting, (struct span){ t->value_at, t->size });
		return;
	}
	w->ends[w->depth++] = t->value_at + t->size;
}

static void keep_clamp(struct body *b, const struct tag *t, unsigned axis)
{
	b->texture.clamps_at[axis] = t->value_at;
	if (t->type == TYPE_INT && !body_i32(b, &b->texture.clamps[axis]))
		b->texture.clamps[axis] = 0;
}

/* Keeps what the mips of a texture must fit to. */
static void keep_value(struct body *b, const struct tag *t)
{
	struct texture_properties *p = &b->texture;

	switch (upkg_word_of(b->u, t->name)) {
	case WORD_Format:
		if (t->type == TYPE_BYTE && !body_u8(b, &p->format))
			p->format = 0;
		break;
	case WORD_CompFormat:
		if (t->type == TYPE_BYTE && !body_u8(b, &p->comp_format))
			p->comp_format = 0;
		break;
	case WORD_bHasComp:
		p->has_comp = t->type == TYPE_BOOL && t->value;
		break;
	case WORD_Palette:
		p->palette_at = (struct span){ t->value_at, t->size };
		if (t->type == TYPE_OBJECT && !body_peek(b, &p->palette))
			p->palette = 0;
		break;
	case WORD_UClamp:
		keep_clamp(b, t, 0);
		break;
	case WORD_VClamp:
		keep_clamp(b, t, 1);
		break;
	default:
		return;
	}
	if (!body_move(b, t->value_at))
		b->window = cursor_init(NULL, 0, t->value_at);
}

/* Looks at a value. It returns true when a list inside it was opened, so that reading goes on at its start. */
static bool judge_value(struct walk *w, const struct tag *t)
{
	struct body *b = w->b;
	uint32_t depth = w->depth;

	if (depth == 1 && t->index == 0)
		keep_value(b, t);
	switch (t->type) {
	case TYPE_BYTE: case TYPE_INT: case TYPE_BOOL: case TYPE_FLOAT:
		judge_width(b, t);
		break;
	case TYPE_OBJECT: case TYPE_NAME: case TYPE_CLASS:
		judge_reference(b, t);
		break;
	case TYPE_STRING:
		judge_string(b, t);
		break;
	case TYPE_STR:
		judge_text(b, t);
		break;
	case TYPE_ARRAY:
		judge_array(b, t);
		break;
	case TYPE_STRUCT:
		enter_struct(w, t);
		break;
	default:
		break;
	}
	return w->depth > depth;
}

/* ---- The list ---------------------------------------------------------------------------------------------------------------- */

enum { FEW = 24 };

static uint64_t seen_key(const void *seen, uint32_t i)
{
	const uint64_t *keys = seen;

	return keys[i];
}

/* Of the outermost list name and index of each tag are kept. */
static bool note_seen(struct walk *w, const struct tag *t)
{
	struct scratch *s = w->b->scratch;
	uint64_t *list;

	if (w->depth > 1)
		return true;
	list = decode_grow(w->b->d, UPKG_BODIES, s->seen, s->n_seen, &s->max_seen, sizeof *list);
	if (!list)
		return false;
	s->seen = list;
	list[s->n_seen++] = (uint64_t)upkg_first_name(w->b->u, t->name) << 32 | t->index;
	return true;
}

/* Most lists are short. */
static bool any_twice(const uint64_t *seen, uint64_t n)
{
	for (uint64_t i = 1; i < n; i++)
		for (uint64_t k = 0; k < i; k++)
			if (seen[k] == seen[i])
				return true;
	return false;
}

/* No property of one name and index should stand in a list twice. */
static void judge_seen(struct body *b, struct span list)
{
	struct scratch *s = b->scratch;
	struct order o;

	if (s->n_seen <= FEW && !any_twice(s->seen, s->n_seen))
		return;
	if (!order_by_key(b->d->arena, s->seen, (uint32_t)s->n_seen, seen_key, &o)) {
		decode_stop(b->d, UPKG_BODIES, STOP_MEMORY, list);
		return;
	}
	for (uint32_t i = 1; i < o.n; i++) {
		uint64_t before = s->seen[order_row(&o, i - 1)], key = s->seen[order_row(&o, i)];

		if (before == key)
			body_flaw(b, FLAW_TAG_TWICE, list.at, list.len, (int64_t)(key >> 32), (int64_t)(key & UINT32_MAX));
	}
}

/* A list inside has ended, with None or where its value ends. */
static bool leave_list(struct walk *w, bool with_none)
{
	uint64_t end = end_of_list(w);

	if (!with_none || body_at(w->b) != end)
		body_flaw(w->b, FLAW_STRUCT_OPEN, end - 1, 1, 0, 0);
	w->depth--;
	return body_move(w->b, end);
}

static bool walk_list(struct walk *w)
{
	struct body *b = w->b;
	struct tag t;
	bool none;

	for (;;) {
		if (w->depth > 1 && body_at(b) >= end_of_list(w)) {
			if (!leave_list(w, false))
				return false;
			continue;
		}
		if (!decode_spend(b->d, UPKG_BODIES, 1) || !read_tag(w, &t, &none))
			return false;
		if (none && w->depth == 1)
			return true;
		if (none) {
			if (!leave_list(w, true))
				return false;
			continue;
		}
		judge_tag(w, &t);
		if (!note_seen(w, &t) || (!judge_value(w, &t) && !body_move(b, t.value_at + t.size)))
			return false;
		if (b->unreadable || !decode_has(b->d, UPKG_BODIES))
			return false;
	}
}

bool body_properties(struct body *b)
{
	struct walk w = { .b = b, .ends = { span_end(b->all) }, .depth = 1 };
	uint64_t from = body_at(b);
	bool done;

	b->scratch->n_seen = 0;
	done = walk_list(&w);
	judge_seen(b, (struct span){ from, body_at(b) - from });
	return done;
}

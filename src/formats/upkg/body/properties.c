/* Lists of properties: tags with values, up to the name None. */
#include "formats/upkg/body/properties.h"

#include "core/mutant.h"
#include "formats/upkg/body/parts.h"
#include "formats/upkg/body/tag.h"
#include "formats/upkg/body/texture_values.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/references.h"

/* How deep lists can be nested, whatever the limit says. */
enum { DEPTH_MAX = 64 };

#define VERSION_NESTED 118u /* structs are lists of properties from here on */
#define VERSION_STRINGS 61u /* the last in which engines save texts without a count */
#define STRING_MAX 255u     /* bytes that the engine copies such a text to, with its NUL */

static uint64_t end_of_value(const struct tag *t)
{
	return t->value_at + t->size;
}

/* An open list: where it begins, where it ends at the latest, and the property whose value it
 * is. */
struct list {
	uint64_t from, end;
	int32_t property;
};

/* A walk over a list, with the lists inside it. */
struct walk {
	struct body *b;
	struct list lists[DEPTH_MAX];
	uint32_t depth; /* lists open, at least one */
};

static uint64_t end_of_list(const struct walk *w)
{
	return w->lists[w->depth - 1].end;
}

/* ---- Tags ------------------------------------------------------------------------------------ */

static bool read_size(struct body *b, struct tag *t)
{
	static const uint64_t sizes[] = { 1, 2, 4, 12, 16 };

	if (t->code < 5u + MUTANT(76)) { /* mutant: a size that the table does not have */
		t->size = sizes[t->code];
		return true;
	}
	return t->code == 5   ? body_u8(b, &t->size)
	       : t->code == 6 ? body_u16(b, &t->size)
			      : body_u32(b, &t->size);
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
	case 1:
		return 0;
	case 2:
		return 1;
	case 4:
		return 2;
	case 12:
		return 3;
	case 16:
		return 4;
	default:
		return size < 256 ? 5 : size < 65536 ? 6 : 7;
	}
}

/* Notes why a name cannot be read: the list ends, or its next five bytes are no index. */
static bool list_is_open(struct walk *w, const struct tag *t)
{
	const uint64_t left = end_of_list(w) - t->at;

	return body_flaw_plain(w->b, left >= 5 ? FLAW_LIST_INDEX : FLAW_LIST_OPEN, t->at, left);
}

static bool tag_is_cut(struct walk *w, const struct tag *t)
{
	return body_flaw(w->b, FLAW_TAG_CUT, t->at, end_of_list(w) - t->at, (int64_t)t->size, 0);
}

/* Reads a tag; *none is set for the name None, which ends the list. */
static bool read_tag(struct walk *w, struct tag *t, bool *none)
{
	struct body *b = w->b;
	uint64_t info;

	*t = (struct tag){ .at = body_at(b) };
	if (!body_name(b, FLAW_TAG_NAME, &t->name))
		return list_is_open(w, t);
	*none = upkg_word_of(b->u, t->name) == WORD_None;
	if (*none)
		return true;
	if (!upkg_name_of(b->u, t->name))
		return false;
	b->property = t->name;
	t->info_at = body_at(b);
	if (!body_u8(b, &info))
		return tag_is_cut(w, t);
	t->type = info & 15;
	t->code = info >> 4 & 7;
	t->is_array = info >> 7;
	if (t->type == TYPE_STRUCT && !body_name(b, FLAW_STRUCT_NAME, &t->struct_name))
		return tag_is_cut(w, t);
	if (!read_size(b, t))
		return tag_is_cut(w, t);
	t->size_end = body_at(b);
	if (!read_array_index(b, t) || body_at(b) > end_of_list(w) ||
	    t->size > end_of_list(w) - body_at(b))
		return tag_is_cut(w, t);
	t->value_at = body_at(b);
	t->keep = w->depth == 1 && t->index == 0;
	return true;
}

static void examine_tag(struct walk *w, const struct tag *t)
{
	struct body *b = w->b;

	if (t->type != TYPE_BOOL && t->code != least_code(t->size))
		body_flaw(b, FLAW_SIZE_CODE, t->info_at, t->size_end - t->info_at, (int64_t)t->size,
			  (int64_t)t->code);
	if (t->is_array && t->type != TYPE_BOOL && t->index == 0)
		body_flaw_plain(b, FLAW_ARRAY_ZERO, t->size_end, t->value_at - t->size_end);
	if (t->type == 0)
		body_flaw_plain(b, FLAW_TAG_TYPE_ZERO, t->info_at, 1);
	if (t->type == TYPE_CLASS || t->type == TYPE_VECTOR || t->type == TYPE_ROTATOR ||
	    t->type == TYPE_MAP || t->type == TYPE_FIXED_ARRAY ||
	    (t->type == TYPE_STRING && b->u->era == UPKG_UE1 &&
	     b->u->tag.version > VERSION_STRINGS))
		body_flaw(b, FLAW_TAG_TYPE, t->info_at, 1, (int64_t)t->type, 0);
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Each of these returns false when reading cannot go on: readers that go by the type and readers
 * that go by the size would go on at different places. */

static bool examine_width(struct body *b, const struct tag *t)
{
	uint64_t width = t->type == TYPE_BYTE ? 1 : t->type == TYPE_BOOL ? 0 : 4;

	if (t->size == width)
		return true;
	return body_flaw(b, FLAW_VALUE_SIZE, t->info_at, t->size_end - t->info_at, (int64_t)t->type,
			 (int64_t)t->size);
}

/* A reference takes all bytes of its value. */
static bool examine_reference(struct body *b, const struct tag *t)
{
	int64_t v;

	if (!body_index(b, &v))
		return body_flaw_plain(b, FLAW_VALUE_INDEX, t->value_at, t->size);
	if (body_at(b) != end_of_value(t))
		return body_flaw(b, FLAW_VALUE_LENGTH, t->value_at, t->size, v, 0);
	if (t->type == TYPE_NAME && upkg_name_of(b->u, (int32_t)v))
		body_use_name(b, (int32_t)v, t->value_at);
	else if (t->type == TYPE_NAME || !upkg_refers(b->u, v))
		body_flaw(b, FLAW_VALUE_REFERENCE, t->value_at, t->size, v, 0);
	else
		body_use_object(b, v, t->value_at);
	if (t->keep && t->type == TYPE_OBJECT && upkg_word_of(b->u, t->name) == WORD_Palette)
		b->texture.palette = (int32_t)v;
	return true;
}

static bool ends_in_zeros(struct body *b, uint64_t end, unsigned n)
{
	uint64_t byte = 0;

	body_move(b, end - n);
	while (n > 0 && body_u8(b, &byte) && byte == 0)
		n--;
	return n == 0;
}

/* A counted text with its NUL; UTF-16 where the count is negative. */
static bool examine_text(struct body *b, const struct tag *t)
{
	uint64_t len;
	int64_t count;

	if (!body_index(b, &count))
		return body_flaw_plain(b, FLAW_TEXT_COUNT, t->value_at, t->size);
	len = count < 0 ? (uint64_t)-count * 2 : (uint64_t)count;
	if (body_at(b) + len != end_of_value(t))
		return body_flaw_plain(b, FLAW_TEXT_LENGTH, t->value_at, t->size);
	if (len > 0 && !ends_in_zeros(b, end_of_value(t), count < 0 ? 2 : 1))
		body_flaw_plain(b, FLAW_TEXT_NUL, t->value_at, t->size);
	return true;
}

/* A text without a count: its NUL is the last byte of its value, and the only one, or a reader that
 * goes by it goes on elsewhere. */
static bool examine_uncounted(struct body *b, const struct tag *t)
{
	uint64_t byte = 1;

	if (t->index > 0 && b->u->tag.version > VERSION_STRINGS)
		body_flaw(b, FLAW_TEXT_INDEX, t->size_end, t->value_at - t->size_end,
			  (int64_t)t->index, 0);
	while (byte != 0 && body_at(b) < end_of_value(t))
		if (!decode_spend(b->d, UPKG_BODIES, 1) || !body_u8(b, &byte))
			return false;
	if (t->size > STRING_MAX)
		body_flaw(b, FLAW_TEXT_LONG, t->value_at, t->size, STRING_MAX, 0);
	if (byte == 0 && body_at(b) == end_of_value(t))
		return true;
	return body_flaw_plain(b, byte != 0 ? FLAW_TEXT_NUL : FLAW_TEXT_LENGTH, t->value_at,
			       t->size);
}

/* An object and a function's name. */
static bool examine_delegate(struct body *b, const struct tag *t)
{
	int64_t object, name;

	if (!body_index(b, &object) || !body_index(b, &name) || body_at(b) != end_of_value(t))
		return body_flaw_plain(b, FLAW_DELEGATE, t->value_at, t->size);
	if (upkg_name_of(b->u, (int32_t)name))
		body_use_name(b, (int32_t)name, t->value_at);
	body_use_object(b, object, t->value_at);
	if (!upkg_refers(b->u, object) || !upkg_name_of(b->u, (int32_t)name))
		body_flaw(b, FLAW_VALUE_REFERENCE, t->value_at, t->size,
			  upkg_refers(b->u, object) ? name : object, 0);
	return true;
}

/* Leaves out what a value has from `at` on, which may include names. */
static void leave_value(struct body *b, uint64_t at, const struct tag *t)
{
	b->u->uses_are_known = false;
	body_leave_bytes(b, at, end_of_value(t) - at);
}

/* Each element has at least one byte, which may be the index of a name. */
static bool examine_array(struct body *b, const struct tag *t)
{
	int64_t count = 0;
	const bool is_index = body_index(b, &count);

	if (body_at(b) < end_of_value(t))
		leave_value(b, body_at(b), t);
	if (!is_index)
		return body_flaw_plain(b, FLAW_ARRAY_INDEX, t->value_at, t->size);
	if (count >= 0 && body_at(b) <= end_of_value(t) &&
	    (uint64_t)count <= end_of_value(t) - body_at(b))
		return true;
	return body_flaw(b, FLAW_ARRAY_COUNT, t->value_at, t->size, count, 0);
}

/* Structs of the engine; the last row stands for all others. */
enum form { FORM_FLAT, FORM_LIST, FORM_UNKNOWN };
static const struct known {
	const char *name;
	uint8_t size;
	bool has_reference;
	uint8_t form;
} structs[] = {
#define STRUCT(name, size, has_reference, form) { #name, size, has_reference, FORM_##form },
#include "formats/upkg/body/structs.def"
#undef STRUCT
	{ NULL, 0, false, FORM_LIST },
};

static const struct known *known_struct(const struct body *b, const struct tag *t)
{
	struct text name = upkg_text_of(b->u, t->struct_name);
	const struct known *s = structs;

	while (s->name && !text_is(name, s->name))
		s++;
	return s;
}

static bool is_of_size(struct body *b, const struct tag *t, const struct known *s)
{
	int64_t v;

	if (!s->has_reference)
		return t->size == s->size;
	return body_peek(b, &v) && body_at(b) + s->size == end_of_value(t);
}

/* The reference that a struct begins with, which is_of_size read. */
static void examine_member(struct body *b, const struct tag *t)
{
	int64_t v;

	body_move(b, t->value_at);
	if (!body_index(b, &v))
		return;
	if (upkg_refers(b->u, v))
		body_use_object(b, v, t->value_at);
	else
		body_flaw(b, FLAW_VALUE_REFERENCE, t->value_at, body_at(b) - t->value_at, v, 0);
}

/* A struct that lies in the file as in memory. Others may have names among their members, and
 * how most of them lie in UE2 was not looked up. */
static void examine_struct(struct body *b, const struct tag *t, const struct known *s)
{
	if (s->size == 0 || (s->form != FORM_FLAT && b->u->era != UPKG_UE1))
		leave_value(b, t->value_at, t);
	else if (!is_of_size(b, t, s))
		body_flaw(b, FLAW_STRUCT_SIZE, t->info_at, t->size_end - t->info_at, t->struct_name,
			  (int64_t)t->size);
	else if (s->has_reference)
		examine_member(b, t);
}

/* Opens the list of a struct, or examines its length. */
static bool enter_struct(struct walk *w, const struct tag *t)
{
	struct body *b = w->b;
	const struct known *s = known_struct(b, t);

	if (b->u->tag.version < VERSION_NESTED || (s->name && s->form == FORM_FLAT)) {
		examine_struct(b, t, s);
		return true;
	}
	if (s->form == FORM_UNKNOWN || !upkg_name_of(b->u, t->struct_name)) {
		leave_value(b, t->value_at, t);
		return true;
	}
	/* mutant: lists without end */
	if (!MUTANT(77) && (w->depth == DEPTH_MAX || w->depth > b->d->limits->of[LIMIT_nesting]))
		return decode_stop_limit(b->d, UPKG_BODIES, LIMIT_nesting,
					 (struct span){ t->value_at, t->size });
	w->lists[w->depth++] = (struct list){ .from = t->value_at,
					      .end = end_of_value(t),
					      .property = t->name };
	return true;
}

/* Examines a value. It may open a list inside it: then reading goes on at its start. */
static bool examine_value(struct walk *w, const struct tag *t)
{
	struct body *b = w->b;

	if (t->keep)
		body_keep_value(b, t);
	switch (t->type) {
	case TYPE_BYTE:
	case TYPE_INT:
	case TYPE_BOOL:
	case TYPE_FLOAT:
		return examine_width(b, t);
	case TYPE_OBJECT:
	case TYPE_NAME:
	case TYPE_CLASS:
		return examine_reference(b, t);
	case TYPE_STRING:
		return b->u->era == UPKG_UE2 ? examine_delegate(b, t) : examine_uncounted(b, t);
	case TYPE_STR:
		return examine_text(b, t);
	case TYPE_ARRAY:
		return examine_array(b, t);
	case TYPE_STRUCT:
		return enter_struct(w, t);
	default:
		b->u->uses_are_known = false;
		return true;
	}
}

/* ---- The list -------------------------------------------------------------------------------- */

enum { SHORT_MAX = 24 };

static uint64_t seen_key(const void *seen, uint32_t i)
{
	const struct seen_property *properties = seen;

	return properties[i].key;
}

/* Keeps name and index of each tag of the outermost list. */
static bool note_seen(struct walk *w, const struct tag *t)
{
	struct scratch *s = w->b->scratch;
	struct seen_property *list;

	if (w->depth > 1)
		return true;
	list = decode_grow(w->b->d, UPKG_BODIES, s->seen, s->n_seen, &s->max_seen, sizeof *list);
	if (!list)
		return false;
	s->seen = list;
	list[s->n_seen++] = (struct seen_property){
		.key = (uint64_t)upkg_first_name(w->b->u, t->name) << 32 | t->index,
		.at = (uint32_t)t->at,
		.len = (uint32_t)(t->value_at - t->at),
	};
	return true;
}

/* Whether any two are the same; for short lists, as most are. */
static bool any_twice(const struct seen_property *seen, uint64_t n)
{
	for (uint64_t i = 1; i < n; i++)
		for (uint64_t k = 0; k < i; k++)
			if (seen[k].key == seen[i].key)
				return true;
	return false;
}

/* Finds properties of one name and index that are in a list more than once. */
static void examine_seen(struct body *b, struct span list)
{
	struct scratch *s = b->scratch;
	struct order o;

	if (s->n_seen <= SHORT_MAX && !any_twice(s->seen, s->n_seen))
		return;
	if (!order_by_key(b->d->arena, s->seen, (uint32_t)s->n_seen, seen_key, &o)) {
		decode_stop(b->d, UPKG_BODIES, STOP_MEMORY, list);
		return;
	}
	for (uint32_t i = 1; i < o.n; i++) {
		const struct seen_property *t = &s->seen[order_row(&o, i)];

		b->property = (int32_t)(t->key >> 32);
		if (s->seen[order_row(&o, i - 1)].key == t->key)
			body_flaw(b, FLAW_TAG_TWICE, t->at, t->len, (int64_t)(t->key & UINT32_MAX),
				  0);
	}
}

/* Goes on after a list inside another, which ended with None or where its value ends. */
static void leave_list(struct walk *w, bool with_none)
{
	const struct list *list = &w->lists[--w->depth];
	uint64_t at = body_at(w->b);

	w->b->property = list->property;
	if (!with_none || at != list->end)
		w->b->u->uses_are_known = false;
	if (with_none && at < list->end)
		body_flaw_plain(w->b, FLAW_STRUCT_SHORT, at, list->end - at);
	else if (!with_none || at > list->end)
		body_flaw_plain(w->b, FLAW_STRUCT_OPEN, list->from, list->end - list->from);
	body_move(w->b, list->end);
}

static bool walk_list(struct walk *w)
{
	struct body *b = w->b;
	struct tag t;
	uint32_t depth;
	bool none;

	for (;;) {
		if (w->depth > 1 && body_at(b) >= end_of_list(w)) {
			leave_list(w, false);
			continue;
		}
		if (!decode_spend(b->d, UPKG_BODIES, 1) || !read_tag(w, &t, &none))
			return false;
		if (none && w->depth == 1)
			return true;
		if (none) {
			leave_list(w, true);
			continue;
		}
		examine_tag(w, &t);
		depth = w->depth;
		if (!note_seen(w, &t) || !examine_value(w, &t) || b->unreadable ||
		    !decode_has(b->d, UPKG_BODIES))
			return false;
		if (w->depth == depth)
			body_move(b, end_of_value(&t));
	}
}

bool body_properties(struct body *b)
{
	struct walk w = { .b = b, .lists = { { .end = span_end(b->all) } }, .depth = 1 };
	uint64_t from = body_at(b);
	bool done;

	b->scratch->n_seen = 0;
	done = walk_list(&w);
	examine_seen(b, (struct span){ from, body_at(b) - from });
	return done;
}

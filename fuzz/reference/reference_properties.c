/* The slow walker: clauses 7.1 and 7.2 of the specification of packages, by recursion. */
#include "reference/reference_properties.h"

#include <string.h>

#include "reference/reference.h"

/* A property as clause 7.2 lists its parts: where they are, and what they say. */
struct property {
	uint64_t at, info_at, struct_at, form_end, value_at, size, index;
	int64_t name, struct_name;
	unsigned type, form;
	bool element;
};

static void tell(struct reference_object *o, enum reference_fault fault, uint64_t at)
{
	if (o->n_found < REFERENCE_FOUND)
		o->found[o->n_found++] = (struct reference_found){ fault, at };
}

static bool name_exists(const struct reference_object *o, int64_t v)
{
	return v >= 0 && v < o->n_names;
}

static bool object_exists(const struct reference_object *o, int64_t v)
{
	return v >= -o->n_imports && v <= o->n_exports;
}

static bool same_text(const struct reference_name *n, const char *text)
{
	return n->n == strlen(text) && memcmp(n->text, text, (size_t)n->n) == 0;
}

static bool take_index(struct reference_object *o, int64_t *v)
{
	uint64_t n = reference_index(o->data + o->at, o->n - o->at, v);

	o->at += n;
	return n > 0;
}

static bool take_number(struct reference_object *o, unsigned width, bool big, uint64_t *v)
{
	if (o->n - o->at < width)
		return false;
	*v = 0;
	for (unsigned i = 0; i < width; i++)
		*v = *v << 8 | o->data[o->at + (big ? i : width - 1 - i)];
	o->at += width;
	return true;
}

/* ---- 7.1 ------------------------------------------------------------------------------------- */

static bool walk_frame(struct reference_object *o)
{
	const uint64_t from = o->at;
	int64_t node, state, place = -1;
	uint64_t state_at, place_at;

	if (!take_index(o, &node)) {
		tell(o, FAULT_FRAME_CUT, from);
		return false;
	}
	if (!object_exists(o, node))
		tell(o, FAULT_FRAME_REFERENCE, from);
	state_at = o->at;
	if (!take_index(o, &state)) {
		tell(o, FAULT_FRAME_CUT, from);
		return false;
	}
	if (!object_exists(o, state))
		tell(o, FAULT_FRAME_REFERENCE, state_at);
	place_at = o->at + 12;
	if (o->n - o->at < 12) {
		tell(o, FAULT_FRAME_CUT, from);
		return false;
	}
	o->at = place_at;
	if (node != 0 && !take_index(o, &place)) {
		tell(o, FAULT_FRAME_CUT, from);
		return false;
	}
	if (node == 0)
		tell(o, FAULT_FRAME_NODE, from);
	else if (node != state && object_exists(o, node) && object_exists(o, state))
		tell(o, FAULT_FRAME_STATE, state_at);
	if (place != -1)
		tell(o, FAULT_FRAME_PLACE, place_at);
	return true;
}

/* ---- 7.2.3, 7.2.4: what stands before a value ------------------------------------------------ */

static bool take_size(struct reference_object *o, struct property *p)
{
	static const uint64_t sizes[] = { 1, 2, 4, 12, 16 };

	if (p->form < 5)
		p->size = sizes[p->form];
	return p->form < 5 || take_number(o, 1u << (p->form - 5), false, &p->size);
}

static bool take_element(struct reference_object *o, struct property *p)
{
	p->index = 0;
	if (!p->element || p->type == 3)
		return true;
	if (o->at == o->n)
		return false;
	if (o->data[o->at] < 0x80)
		return take_number(o, 1, true, &p->index);
	if (o->data[o->at] < 0xC0) {
		if (!take_number(o, 2, true, &p->index))
			return false;
		p->index -= 0x8000;
		return true;
	}
	if (!take_number(o, 4, true, &p->index))
		return false;
	p->index -= 0xC0000000u;
	return true;
}

static unsigned shortest_form(uint64_t size)
{
	static const unsigned forms[17] = { [1] = 1, [2] = 2, [4] = 3, [12] = 4, [16] = 5 };

	if (size <= 16 && forms[size] > 0)
		return forms[size] - 1;
	return size <= 0xFF ? 5 : size <= 0xFFFF ? 6 : 7;
}

/* What follows the name, in a list that ends at `end`. */
static bool take_rest(struct reference_object *o, struct property *p, uint64_t end)
{
	uint64_t info;

	p->info_at = o->at;
	if (!take_number(o, 1, false, &info))
		return false;
	p->type = info & 15;
	p->form = info >> 4 & 7;
	p->element = info >= 128;
	p->struct_at = o->at;
	if (p->type == 10) {
		if (!take_index(o, &p->struct_name))
			return false;
		if (!name_exists(o, p->struct_name))
			tell(o, FAULT_STRUCT_NAME, p->struct_at);
	}
	if (!take_size(o, p))
		return false;
	p->form_end = o->at;
	if (!take_element(o, p))
		return false;
	p->value_at = o->at;
	return p->value_at <= end && p->size <= end - p->value_at;
}

/* ---- 7.2.5 to 7.2.9: values. Each says whether reading goes on. ------------------------------ */

static bool stop(struct reference_object *o, enum reference_fault fault, uint64_t at)
{
	tell(o, fault, at);
	return false;
}

static bool walk_reference(struct reference_object *o, const struct property *p)
{
	int64_t v;

	if (!take_index(o, &v) || o->at != p->value_at + p->size)
		return stop(o, FAULT_LENGTH, p->value_at);
	if (p->type == 6 ? !name_exists(o, v) : !object_exists(o, v))
		tell(o, FAULT_REFERENCE, p->value_at);
	return true;
}

static bool walk_old_text(struct reference_object *o, const struct property *p)
{
	const uint8_t *text = o->data + p->value_at,
		      *nul = p->size > 0 ? memchr(text, 0, (size_t)p->size) : NULL;

	if (o->version >= 62 && p->index != 0)
		tell(o, FAULT_TEXT_ELEMENT, p->form_end);
	if (p->size >= 256)
		tell(o, FAULT_TEXT_LONG, p->value_at);
	return (nul && nul == text + p->size - 1) || stop(o, FAULT_TEXT, p->value_at);
}

static bool walk_text(struct reference_object *o, const struct property *p)
{
	const uint64_t end = p->value_at + p->size;
	uint64_t units, width;
	int64_t count;

	if (!take_index(o, &count))
		return stop(o, FAULT_TEXT, p->value_at);
	width = count < 0 ? 2 : 1;
	units = (uint64_t)(count < 0 ? -count : count);
	if (o->at + units * width != end)
		return stop(o, FAULT_TEXT, p->value_at);
	if (units > 0 && (o->data[end - 1] != 0 || o->data[end - width] != 0))
		tell(o, FAULT_TEXT, p->value_at);
	return true;
}

static bool walk_delegate(struct reference_object *o, const struct property *p)
{
	int64_t object, name;

	if (!take_index(o, &object) || !take_index(o, &name) || o->at != p->value_at + p->size)
		return stop(o, FAULT_DELEGATE, p->value_at);
	if (!object_exists(o, object) || !name_exists(o, name))
		tell(o, FAULT_REFERENCE, p->value_at);
	return true;
}

static bool walk_array(struct reference_object *o, const struct property *p)
{
	const uint64_t end = p->value_at + p->size;
	int64_t count;

	if (!take_index(o, &count) || o->at > end || count < 0 || (uint64_t)count > end - o->at)
		return stop(o, FAULT_ARRAY, p->value_at);
	return true;
}

static bool walk_list(struct reference_object *o, uint64_t end, unsigned depth);

static bool is_struct(const struct reference_object *o, const struct property *p, const char *name)
{
	return name_exists(o, p->struct_name) && same_text(&o->names[p->struct_name], name);
}

/* A zone, and five bytes. */
static void judge_region(struct reference_object *o, const struct property *p)
{
	int64_t zone;

	o->at = p->value_at;
	if (!take_index(o, &zone) || o->at + 5 != p->value_at + p->size)
		tell(o, FAULT_STRUCT_SIZE, p->info_at);
	else if (!object_exists(o, zone))
		tell(o, FAULT_REFERENCE, p->value_at);
}

/* The structs that are no lists since version 118, and the sizes of those that have one in UE1,
 * or in UE2 too; 0: it has none, or is not known. */
static bool walk_struct(struct reference_object *o, const struct property *p, unsigned depth)
{
	static const struct {
		const char *name;
		uint64_t size;
		bool is_list, in_ue2;
	} known[] = {
		{ "VECTOR", 12, false, true },     { "ROTATOR", 12, false, true },
		{ "COLOR", 4, false, true },       { "COORDS", 48, false, false },
		{ "ADROP", 8, false, false },      { "QUAT", 0, false, false },
		{ "BOX", 0, false, false },        { "SCALE", 17, true, false },
		{ "FLOATPARAMS", 8, true, false },
	};
	bool is_list = o->version >= 118 && name_exists(o, p->struct_name);

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (!is_struct(o, p, known[i].name))
			continue;
		if ((!o->ue2 || known[i].in_ue2) && known[i].size > 0 && p->size != known[i].size)
			tell(o, FAULT_STRUCT_SIZE, p->info_at);
		is_list = is_list && known[i].is_list;
	}
	if (!o->ue2 && is_struct(o, p, "POINTREGION"))
		judge_region(o, p);
	if (!is_list)
		return true;
	if (depth == REFERENCE_NESTED) {
		o->too_deep = true;
		return false;
	}
	return walk_list(o, p->value_at + p->size, depth + 1);
}

static bool walk_value(struct reference_object *o, const struct property *p, unsigned depth)
{
	switch (p->type) {
	case 1:
		return p->size == 1 || stop(o, FAULT_WIDTH, p->info_at);
	case 2:
	case 4:
		return p->size == 4 || stop(o, FAULT_WIDTH, p->info_at);
	case 3:
		return p->size == 0 || stop(o, FAULT_WIDTH, p->info_at);
	case 5:
	case 6:
	case 8:
		return walk_reference(o, p);
	case 7:
		return o->ue2 ? walk_delegate(o, p) : walk_old_text(o, p);
	case 9:
		return walk_array(o, p);
	case 10:
		return walk_struct(o, p, depth);
	case 13:
		return walk_text(o, p);
	default:
		return true;
	}
}

/* ---- 7.2.1 ----------------------------------------------------------------------------------- */

static void judge_head(struct reference_object *o, const struct property *p)
{
	if (p->type != 3 && p->form != shortest_form(p->size))
		tell(o, FAULT_FORM, p->info_at);
	if (p->element && p->type != 3 && p->index == 0)
		tell(o, FAULT_INDEX_0, p->form_end);
	if (p->type == 0 || p->type == 8 || p->type == 11 || p->type == 12 || p->type == 14 ||
	    p->type == 15 || (p->type == 7 && !o->ue2 && o->version >= 62))
		tell(o, FAULT_TYPE, p->info_at);
}

/* Walks the list that begins here and ends in None, at the latest at `end`; the list of a struct is
 * as long as the struct. Returns whether reading goes on, which for a struct is at its end. */
static bool walk_list(struct reference_object *o, uint64_t end, unsigned depth)
{
	const uint64_t from = o->at;

	for (;;) {
		struct property p = { .at = o->at };

		if (depth > 0 && o->at >= end) {
			tell(o, FAULT_STRUCT_END, from);
			return true;
		}
		if (!take_index(o, &p.name))
			return stop(o, FAULT_OPEN, p.at);
		if (!name_exists(o, p.name))
			return stop(o, FAULT_NAME, p.at);
		if (same_text(&o->names[p.name], "NONE"))
			break;
		if (!take_rest(o, &p, end))
			return stop(o, FAULT_CUT, p.at);
		judge_head(o, &p);
		if (depth == 0 && o->n_tags < REFERENCE_TAGS) {
			o->tags[o->n_tags].name = p.name;
			o->tags[o->n_tags++].index = p.index;
		}
		if (!walk_value(o, &p, depth))
			return false;
		o->at = p.value_at + p.size;
	}
	if (depth > 0 && o->at != end)
		tell(o, FAULT_STRUCT_END, o->at < end ? o->at : from);
	return true;
}

void reference_properties(struct reference_object *o)
{
	o->at = 0;
	o->n_found = o->n_tags = 0;
	o->too_deep = false;
	if (!o->has_frame || walk_frame(o))
		walk_list(o, o->n, 0);
}

size_t reference_repeated(const struct reference_object *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n_tags; i++) {
		const struct reference_name *a = &o->names[o->tags[i].name];
		bool met = false;

		for (size_t k = 0; k < i && !met; k++) {
			const struct reference_name *b = &o->names[o->tags[k].name];

			met = o->tags[k].index == o->tags[i].index && a->n == b->n &&
			      memcmp(a->text, b->text, (size_t)a->n) == 0;
		}
		n += met;
	}
	return n;
}

/* Values of fields, by what they mean. */
#include "report/map.h"

void map_value_of_text(struct source *s, struct text_ref ref, struct map_value *out)
{
	struct text t = { NULL, ref };
	uint8_t raw[4 * ARG_TEXT_MAX];
	bool whole = true;

	out->form = MAP_TEXT;
	out->number = 0;
	out->text_len = 0;
	out->cut = ref.n_units > 2 * ARG_TEXT_MAX;
	if (out->cut)
		t.ref.n_units = 2 * ARG_TEXT_MAX;
	if (!source_copy(s, text_span(t.ref), raw)) {
		out->cut = true;
		return;
	}
	t.data = raw;
	out->text_len = text_utf8(t, ARG_TEXT_MAX, out->text, &whole);
	out->cut = out->cut || !whole;
}

static bool is_signed(enum layout_wire wire)
{
	return wire == LAYOUT_index || wire == LAYOUT_i32;
}

void map_value_of(struct source *s, const struct layout_value *v, struct map_value *out)
{
	if (v->field->wire == LAYOUT_string || v->field->wire == LAYOUT_zstring) {
		map_value_of_text(s, v->text, out);
		return;
	}
	out->number = v->number;
	out->text_len = 0;
	out->cut = false;
	switch (v->field->kind) {
	case LAYOUT_MAGIC:
	case LAYOUT_OFFSET:
	case LAYOUT_FLAGS:
	case LAYOUT_CHECKSUM:
	case LAYOUT_ID:
		out->form = v->number < 0 && is_signed(v->field->wire) ? MAP_SIGNED : MAP_HEX;
		return;
	default:
		out->form = is_signed(v->field->wire) ? MAP_SIGNED : MAP_UNSIGNED;
		return;
	}
}
